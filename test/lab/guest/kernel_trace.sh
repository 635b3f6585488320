# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Ground truth of the kernel's stack: kprobes and tracepoints, written to trace.txt (trace_to_table.py makes a table of it).
# /lab/offsets.sh holds the fields' offsets in this kernel's structures; kernel_offsets.py finds them.

TRACING=/sys/kernel/tracing

# shellcheck source=/dev/null
. /lab/offsets.sh

# transport_fields REGISTER_OR_FIELD: the fields of the struct sctp_transport it points to
transport_fields() {
	echo "asoc=+$TRANSPORT_ASOC($1):x64 family=+$TRANSPORT_IPADDR($1):x16 v4=+$TRANSPORT_IPADDR_V4($1):x32" \
		"v6a=+$TRANSPORT_IPADDR_V6($1):x64 v6b=+$((TRANSPORT_IPADDR_V6 + 8))($1):x64 cwnd=+$TRANSPORT_CWND($1):u32" \
		"ssthresh=+$TRANSPORT_SSTHRESH($1):u32 pba=+$TRANSPORT_PARTIAL_BYTES_ACKED($1):u32" \
		"flight=+$TRANSPORT_FLIGHT_SIZE($1):u32 rto=+$TRANSPORT_RTO($1):u64 srtt=+$TRANSPORT_SRTT($1):u32" \
		"rttvar=+$TRANSPORT_RTTVAR($1):u32 state=+$TRANSPORT_STATE($1):s32 err=+$TRANSPORT_ERROR_COUNT($1):u16" \
		"mtu=+$TRANSPORT_PATHMTU($1):u32 prwnd=+$ASSOCIATION_PEER_RWND(+$TRANSPORT_ASOC($1)):u32"
}

probes() {
	local of_packet="+$PACKET_TRANSPORT(%di)"
	echo "p:k/xmit sctp_packet_transmit $(transport_fields "$of_packet") burst=+$TRANSPORT_BURST_LIMITED($of_packet):u32"
	echo "p:k/lower sctp_transport_lower_cwnd $(transport_fields %di) reason=%si:u32"
	echo "p:k/raise sctp_transport_raise_cwnd $(transport_fields %di) ctsn=%si:u32 acked=%dx:u32"
	echo "p:k/urto sctp_transport_update_rto $(transport_fields %di) rtt=%si:u32"
	echo "p:k/mark sctp_retransmit_mark $(transport_fields %si) reason=%dx:u8"
	echo "p:k/ctrl sctp_assoc_control_transport $(transport_fields %si) cmd=%dx:u32 error=%cx:u16"
}

trace_on() {
	[ -d $TRACING/events/sctp ] || return 0
	echo 20000 >$TRACING/buffer_size_kb
	echo tai >$TRACING/trace_clock
	probes | while read -r probe; do
		echo "$probe" >>$TRACING/kprobe_events || echo "kprobe refused: ${probe%% asoc*}"
	done
	for event in k/xmit k/lower k/raise k/urto k/mark k/ctrl sctp/sctp_probe sctp/sctp_probe_path; do
		echo 1 >$TRACING/events/$event/enable
	done
	echo 1 >$TRACING/tracing_on
}

trace_off() {
	[ -d $TRACING/events/sctp ] || return 0
	echo 0 >$TRACING/tracing_on
	cat $TRACING/trace >/out/trace.txt
}
