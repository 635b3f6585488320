#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the traffic generator for one stack, static.
# usage: build.sh WORK linux|usrsctp     writes WORK/bin/traffic-STACK
# USRSCTP_SOURCE: an unpacked usrsctp tree other than Debian's.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
work=$1 stack=$2
# shellcheck source=packages.sh
. "$here/../packages.sh"
shared=("$here/traffic.c" "$here/options.c" "$here/events.c" "$here/script.c")
warnings=(-O2 -Wall -Wextra)

build_linux() {
	need_packages libsctp-dev
	gcc "${warnings[@]}" -static -o "$work/bin/traffic-linux" "${shared[@]}" "$here/stack_linux.c" -lsctp -lpthread
}

get_usrsctp() {
	USRSCTP_SOURCE=${USRSCTP_SOURCE:-$(echo "$work"/source/libusrsctp-*/)}
	[ -d "$USRSCTP_SOURCE" ] && return
	mkdir -p "$work/source"
	debian_source libusrsctp "$work/source"
	USRSCTP_SOURCE=$(echo "$work"/source/libusrsctp-*/)
}

# The library as objects, so that usrsctp_state.c, which reads its variables, is compiled with the same definitions.
build_library() {
	local library=$USRSCTP_SOURCE/usrsctplib
	flags=(-O2 -w -D__Userspace__ -DSCTP_SIMPLE_ALLOCATOR -DSCTP_PROCESS_LEVEL_LOCKS -D_GNU_SOURCE
		-DHAVE_SYS_QUEUE_H -DHAVE_LINUX_IF_ADDR_H -DHAVE_LINUX_RTNETLINK_H -DHAVE_NETINET_IP_ICMP_H
		-DHAVE_STDATOMIC_H -DINET -DINET6 "-I$library" "-I$library/netinet" "-I$library/netinet6")
	[ -f "$work/usrsctp/libusrsctp.a" ] && return
	mkdir -p "$work/usrsctp"
	(cd "$work/usrsctp" && printf "%s\0" "$library"/*.c "$library"/netinet*/*.c |
		xargs -0 -P "$(nproc)" -n 4 gcc "${flags[@]}" -c)
	ar rcs "$work/usrsctp/libusrsctp.a" "$work"/usrsctp/*.o
}

build_usrsctp() {
	get_usrsctp
	build_library
	gcc "${flags[@]}" -c -o "$work/usrsctp_state.o" "$here/usrsctp_state.c"
	gcc "${warnings[@]}" -DSTACK_USRSCTP -static "-I$USRSCTP_SOURCE/usrsctplib" -o "$work/bin/traffic-usrsctp" \
		"${shared[@]}" "$here/stack_usrsctp.c" "$work/usrsctp_state.o" "$work/usrsctp/libusrsctp.a" \
		-lpthread -Wl,--wrap=sendmsg,--wrap=recvmsg
}

mkdir -p "$work/bin"
"build_$stack"
