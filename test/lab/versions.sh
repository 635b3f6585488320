#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints the stack and its version as the captures were made with it. usage: versions.sh WORK STACK
set -euo pipefail
lab=$(dirname "$(readlink -f "$0")")
work=$1 stack=$2

linux_version() {
	local package=("$work"/kernel/linux-image-*.deb)
	echo "Linux kernel SCTP, Debian package $(dpkg-deb -f "${package[0]}" Package) $(dpkg-deb -f "${package[0]}" Version)"
}

usrsctp_version() {
	local description=("$work"/source/libusrsctp_*.dsc)
	echo "usrsctp (the FreeBSD stack), Debian source libusrsctp $(sed -n 's/^Version: //p' "${description[0]}" | head -1)"
}

case $stack in
linux) linux_version ;;
usrsctp) usrsctp_version ;;
interop) echo "$(linux_version) and $(usrsctp_version)" ;;
dcsctp) echo "dcSCTP, crate dcsctp $(sed -n '/name = "dcsctp"/{n;s/version = "\(.*\)"/\1/p}' "$lab/dcsctp/Cargo.lock")" ;;
pion) echo "pion, Go module $(sed -n 's/^\s*\(github.com\/pion\/sctp v.*\)/\1/p' "$lab/pion/go.mod")" ;;
esac
