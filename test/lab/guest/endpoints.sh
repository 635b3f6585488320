# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Endpoints, taps and the end of a run, for scenarios.
# shellcheck disable=SC2034  # server is for the scenarios

OUT=/out
TAP_OPTIONS=()

# server ADDRESSES PORT [OPTIONS] -- SCRIPT: a traffic process at B, in the background; its pid is in $server
server() {
	addresses=$1 port=$2
	shift 2
	B traffic -S -B "$addresses" -P "$port" "$@" &
	server=$!
	sleep 0.3
}

# client LOCAL_ADDRESSES PEER_ADDRESSES PORT [OPTIONS] -- SCRIPT: one at A
client() {
	local_addresses=$1 peer_addresses=$2 port=$3
	shift 3
	A traffic -C -B "$local_addresses" -H "$peer_addresses" -p "$port" "$@"
}

# tap NAMESPACE NAME INTERFACES...
tap() {
	in_namespace "$1" capng "$OUT/$2.pcapng" "${TAP_OPTIONS[@]}" "${@:3}" &
	taps+=("$!")
}

# start PATHS...: A.pcapng, B.pcapng, with MIDDLE=PATH also M.pcapng of that path, and the kernel trace
start() {
	tap A A "${@/#/a}"
	tap B B "${@/#/b}"
	[ -z "${MIDDLE:-}" ] || tap R1 M "m$MIDDLE"
	sleep 0.3
	trace_on
}

finish() {
	trace_off
	sleep 1
	kill -TERM "${taps[@]}"
	wait "${taps[@]}"
	for n in R1 R2; do in_namespace $n tc -s qdisc show; done >$OUT/netem-stats.txt
	[ -f /proc/net/sctp/snmp ] || return 0
	for n in A B; do
		echo "== $n"
		in_namespace $n cat /proc/net/sctp/snmp
	done >$OUT/snmp.txt
}

# A usrsctp endpoint next to the kernel's module: drop what the kernel itself answers, told by its TTL of 63.
mute_kernel() {
	namespace=$1
	shift
	in_namespace "$namespace" sysctl -qw net.ipv4.ip_default_ttl=63
	for interface in "$@"; do
		in_namespace "$namespace" tc qdisc add dev "$interface" clsact
		in_namespace "$namespace" tc filter add dev "$interface" egress protocol ip u32 \
			match ip protocol 132 0xff match u8 63 0xff at 8 action drop
	done
}

unmute_kernel() {
	in_namespace "$1" tc qdisc del dev "$2" clsact
	in_namespace "$1" sysctl -qw net.ipv4.ip_default_ttl=64
}
