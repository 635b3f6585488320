# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Getting what a stack needs from the system's own package sources; sourced by the build scripts.

# need_packages PACKAGE...: installs the missing ones as root, else says which they are and fails
need_packages() {
	local missing=() package
	for package in "$@"; do
		dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	if [ "$(id -u)" != 0 ]; then
		echo "missing packages: ${missing[*]}" >&2
		return 1
	fi
	apt-get update >&2
	apt-get install -y --no-install-recommends "${missing[@]}" >&2
}

need_command() {
	command -v "$1" >/dev/null && return
	echo "missing: $1 ($2)" >&2
	return 1
}

# source_entries DIRECTORY: the system's package sources again, with deb-src instead of deb
source_entries() {
	mkdir -p "$1/sources" "$1/lists"
	local file
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
		[ -f "$file" ] || continue
		sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$file" >"$1/sources/$(basename "$file")"
	done
}

# debian_source PACKAGE DIRECTORY: unpacks the source package there, with an apt configuration of its own
debian_source() {
	need_packages dpkg-dev
	source_entries "$2/apt"
	local options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$2/apt/sources"
		-o "Dir::State::Lists=$2/apt/lists" -o APT::Sandbox::User=root)
	apt-get "${options[@]}" update >&2
	(cd "$2" && apt-get "${options[@]}" source "$1" >&2)
}
