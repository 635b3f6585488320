#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Prepares the emulated guest: a Debian kernel, the tools, the traffic generators, an initial ram disk.
# usage: build.sh WORK linux|usrsctp     writes WORK/kernel/ and WORK/STACK.initrd.gz
# LAB_KERNEL: another kernel package of Debian 12 than the one the captures were made with; if that one is gone from the
# archive, the newest 6.1 is taken.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
lab=$(dirname "$here")
work=$1 stack=$2
package=${LAB_KERNEL:-linux-image-6.1.0-53-cloud-amd64}
# shellcheck source=packages.sh
. "$lab/packages.sh"

MODULES="libcrc32c sctp sctp_diag sch_netem veth virtio_pci virtio_blk sch_ingress cls_u32 act_gact"

newest_kernel() { apt-cache search --names-only '^linux-image-6\.1\.0-[0-9]+-cloud-amd64$' | cut -d' ' -f1 | sort -V | tail -1; }

get_kernel() {
	[ -f "$work/kernel/offsets.sh" ] && return
	apt-cache show "$package" >/dev/null 2>&1 || package=$(newest_kernel)
	mkdir -p "$work/kernel"
	(cd "$work/kernel" && apt-get -o APT::Sandbox::User=root download "$package" >&2 && dpkg-deb -x "$package"_*.deb .)
	python3 "$here/kernel_offsets.py" "$work/kernel" >"$work/kernel/offsets.sh.new"
	mv "$work/kernel/offsets.sh.new" "$work/kernel/offsets.sh"
}

# install_program NAME: with the shared libraries it needs
install_program() {
	local program library
	program=$(readlink -f "$(command -v "$1")")
	rm -f "$root/bin/$1"
	cp "$program" "$root/bin/$1"
	for library in $(ldd "$program" | grep -o '/[^ ]*'); do
		mkdir -p "$root/$(dirname "$library")"
		cp -Ln "$library" "$root/$library"
	done
}

install_tools() {
	local name
	cp /bin/busybox "$root/bin/busybox"
	for name in $(busybox --list); do
		[ "$name" = busybox ] || ln -s busybox "$root/bin/$name"
	done
	for name in bash ip tc ethtool; do install_program $name; done
	for name in capng traffic-linux traffic-usrsctp; do
		[ ! -f "$work/bin/$name" ] || strip -o "$root/bin/$name" "$work/bin/$name"
	done
}

# install_module NAME: after those it depends on, in the order of loading
install_module() {
	local file other
	[ ! -f "$root/modules/$1.ko" ] || return 0
	file=$(find "$work/kernel/lib/modules" -name "${1//_/[-_]}.ko" | head -1)
	[ -n "$file" ] || return 0 # built in
	cp "$file" "$root/modules/$1.ko"
	for other in $(modinfo -F depends "$file" | tr , ' '); do install_module "$other"; done
	echo "$1.ko" >>"$root/modules/order"
}

need_packages qemu-system-x86 busybox-static cpio kmod ethtool lz4 dwarves iproute2 binutils gcc libc6-dev
get_kernel
mkdir -p "$work/bin"
"$lab/traffic/build.sh" "$work" linux
[ "$stack" = linux ] || "$lab/traffic/build.sh" "$work" usrsctp
gcc -O2 -Wall -Wextra -static -o "$work/bin/capng" "$lab/capture/capng.c"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{bin,sbin,modules,lib,lib64,usr,etc,proc,sys,dev,root,lab}
install_tools
for module in $MODULES; do install_module "$module"; done
cp "$here/init" "$root/init"
chmod +x "$root/init"
cp "$work/kernel/offsets.sh" "$here/network.sh" "$here/endpoints.sh" "$here/kernel_trace.sh" "$root/lab/"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/$stack.initrd.gz"
