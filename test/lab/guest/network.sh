# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The guest's network, for scenarios. Path i is a chain of four network namespaces:
#
#     A --a$i/ra$i-- R1 --m$i/n$i-- R2 --rb$i/b$i-- B
#
#     A  10.i.0.1  fd00:i:0::1          B  10.i.1.1  fd00:i:1::1
#
# R1 and R2 route. netem sits only on their interfaces, never on a sender's own, so that a capture at A shows
# everything A sent when it sent it, and one at B only what arrived. The tap M is R1's m$i: it shows what survived
# the near half (A..M) in the one direction and the far half (M..B) in the other.

LINKS=/out/links.txt

in_namespace() { ip netns exec "$@"; }
A() { in_namespace A "$@"; }
B() { in_namespace B "$@"; }

# Segmentation and checksum offload would put packets into the capture that are on no wire.
offload_off() {
	in_namespace "$1" ethtool -K "$2" tx off gso off gro off tso off tx-checksum-sctp off tx-sctp-segmentation off \
		>/dev/null 2>&1
}

# cable NAMESPACE INTERFACE V4 V6 PEER_NAMESPACE PEER_INTERFACE PEER_V4 PEER_V6
cable() {
	ip -n "$1" link add "$2" type veth peer name "$6" netns "$5"
	interface_up "$1" "$2" "$3" "$4"
	interface_up "$5" "$6" "$7" "$8"
}

interface_up() {
	in_namespace "$1" sysctl -qw "net.ipv6.conf.$2.accept_dad=0"
	offload_off "$1" "$2"
	ip -n "$1" addr add "$3/24" dev "$2"
	ip -n "$1" addr add "$4/64" dev "$2" nodad
	ip -n "$1" link set "$2" up
}

# route NAMESPACE PATH SIDE V4_GATEWAY V6_GATEWAY: to A's (SIDE 0) or B's (SIDE 1) network
route() {
	ip -n "$1" route add "10.$2.$3.0/24" via "$4"
	ip -n "$1" -6 route add "fd00:$2:$3::/64" via "$5"
}

path() {
	i=$1
	cable A "a$i" "10.$i.0.1" "fd00:$i:0::1" R1 "ra$i" "10.$i.0.254" "fd00:$i:0::fe"
	cable R1 "m$i" "10.$i.2.1" "fd00:$i:2::1" R2 "n$i" "10.$i.2.2" "fd00:$i:2::2"
	cable R2 "rb$i" "10.$i.1.254" "fd00:$i:1::fe" B "b$i" "10.$i.1.1" "fd00:$i:1::1"
	route A "$i" 1 "10.$i.0.254" "fd00:$i:0::fe"
	route R1 "$i" 1 "10.$i.2.2" "fd00:$i:2::2"
	route R2 "$i" 0 "10.$i.2.1" "fd00:$i:2::1"
	route B "$i" 0 "10.$i.1.254" "fd00:$i:1::fe"
}

fill_arp_caches() {
	A ping -c 1 -W 2 "10.$1.1.1" >/dev/null
	A ping -6 -c 1 -W 2 "fd00:$1:1::1" >/dev/null
}

# network PATHS
network() {
	for n in A R1 R2 B; do
		ip netns add $n
		ip -n $n link set lo up
	done
	for n in R1 R2; do in_namespace $n sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1; done
	for p in $(seq "$1"); do path "$p"; done
	for p in $(seq "$1"); do fill_arp_caches "$p"; done
	for n in A B; do
		in_namespace $n sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0 \
			net.ipv4.conf.all.arp_ignore=1
	done
}

note_link() { echo "$(date +%s.%N) $*" >>$LINKS; }

netem() {
	namespace=$1 interface=$2
	shift 2
	in_namespace "$namespace" tc qdisc replace dev "$interface" root netem limit 2000 "$@"
}

# What netem does on path i, and from when on. The whole link (no middle): link, or one direction of it.
link() { forward "$@"; reverse "$@"; }
forward() { i=$1; shift; netem R2 "rb$i" "$@"; note_link "path $i A->B: $*"; }
reverse() { i=$1; shift; netem R1 "ra$i" "$@"; note_link "path $i B->A: $*"; }

# The two halves of path i around the tap M, both directions.
near() { i=$1; shift; netem R1 "m$i" "$@"; netem R1 "ra$i" "$@"; note_link "path $i A..M both directions: $*"; }
far() { i=$1; shift; netem R2 "rb$i" "$@"; netem R2 "n$i" "$@"; note_link "path $i M..B both directions: $*"; }

# sctp_sysctl NAME=VALUE...: net.sctp.* at both ends (the kernel's stack only)
sctp_sysctl() {
	[ -d /proc/sys/net/sctp ] || return 0
	for setting in "$@"; do
		A sysctl -qw "net.sctp.$setting"
		B sysctl -qw "net.sctp.$setting"
	done
	note_link "net.sctp at both ends: $*"
}
