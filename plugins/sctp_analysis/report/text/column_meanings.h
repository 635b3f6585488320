/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What columns mean that several tables have. */
#ifndef SCTPA_REPORT_COLUMN_MEANINGS_H
#define SCTPA_REPORT_COLUMN_MEANINGS_H

#define SCTPA_MEANS_ASSOC "number of the association, as the filter sctp.analysis.assoc has it"
#define SCTPA_MEANS_ENDPOINT "address and port; endpoint 0 sent the first INIT, endpoint 1 is the other"
#define SCTPA_MEANS_ENDPOINT_0 "the endpoint that sent the first INIT"
#define SCTPA_MEANS_ENDPOINT_1 "the other endpoint"
#define SCTPA_MEANS_FROM "number of the endpoint that sent it"
#define SCTPA_MEANS_PATH "number of a destination address of the endpoint that sends"
#define SCTPA_MEANS_DATA "which endpoint sent the data: 0→1 or 1→0"
#define SCTPA_MEANS_FRAME "number of the packet that shows it; a click selects that packet"
#define SCTPA_MEANS_TO_FRAME "number of the packet with which it ended"
#define SCTPA_MEANS_TIME_S "when, in seconds from the first frame of the capture"
#define SCTPA_MEANS_DATA_CHUNKS "DATA and I-DATA chunks, retransmissions included"
#define SCTPA_MEANS_PERCENT_DATA "share of the transmissions of DATA, in percent"
#define SCTPA_MEANS_STREAM "stream identifier"
#define SCTPA_MEANS_PPID "payload protocol identifier of the data"
#define SCTPA_MEANS_MESSAGES "user messages that were sent whole, each once"
#define SCTPA_MEANS_RTT_MS "round-trip time, median, in milliseconds"
#define SCTPA_MEANS_GOODPUT_COUNTS "each TSN once, without those that did not arrive, as SACKs show, in bits per second"
#define SCTPA_MEANS_THROUGHPUT \
    "bits of IP packets with data, per second from the first to the last data of the direction (whatever the " \
    "filter); " \
    "null when that is 0"
#define SCTPA_MEANS_GOODPUT \
    "the same of user data: each TSN counts once; one that was given up and that SACKs reported missing, or that the " \
    "last SACK does not take though it answers it, does not (it does in user_bytes, streams and series)"
#define SCTPA_MEANS_BIT_S "rate of user data, in bits per second"
#define SCTPA_MEANS_RTX_OF "transmissions of this path that were retransmitted"
#define SCTPA_MEANS_RTX_TO "retransmissions that went to this path"
#define SCTPA_MEANS_LOST "transmissions that were lost: at most"
#define SCTPA_MEANS_P95 "95 of 100 took no longer"
#define SCTPA_MEANS_P99 "99 of 100 took no longer"
#define SCTPA_MEANS_P95_MS "95 of 100 took no longer, in milliseconds"
#define SCTPA_MEANS_MEDIAN "half of them took no longer"
#define SCTPA_MEANS_MEDIAN_MS "half of them took no longer, in milliseconds"
#define SCTPA_MEANS_MAX_MS "the longest, in milliseconds"
#define SCTPA_MEANS_RESENT "retransmissions"
#define SCTPA_MEANS_PROPERTY "what is said of the association or of its endpoints"
#define SCTPA_MEANS_FREEBSD \
    "failover time by the formula of FreeBSD's stack, in seconds: PMR*N*HB + RTO_0 + ... + 128 ms each, N paths"
#define SCTPA_MEANS_SOLARIS "failover time by the formula of Solaris' stack, in seconds: HB + RTO_0 + ... + RTO_PMR"
#define SCTPA_MEANS_LOST_S "time in pauses, in seconds"
#define SCTPA_MEANS_UNSEEN "TSNs whose first sighting was a retransmission: lost before the capture point"
#define SCTPA_MEANS_SPURIOUS "retransmissions of data that the receiver had: at least"
#define SCTPA_MEANS_ABANDONED "TSNs that the sender gave up (FORWARD-TSN)"
#define SCTPA_MEANS_DUPLICATES "duplicate TSNs that the receiver reported in SACKs"
#define SCTPA_MEANS_FAST "retransmissions after three miss indications"
#define SCTPA_MEANS_EARLY "retransmissions after fewer than three miss indications"
#define SCTPA_MEANS_TIMEOUT "retransmissions because the retransmission timer (T3-rtx) expired"
#define SCTPA_MEANS_PROBE "retransmissions into a closed window"
#define SCTPA_MEANS_HANDOVER "retransmissions of data sent to an address that was removed"
#define SCTPA_MEANS_REPORT "retransmissions because a PKTDROP reported the loss"
#define SCTPA_MEANS_UNKNOWN "retransmissions that may have several causes"
#define SCTPA_MEANS_PACKETS "IP packets; duplicate packets count once"
#define SCTPA_MEANS_BYTES "of IP packets, headers included"
#define SCTPA_MEANS_PAUSES \
    "times without ack progress although there was something to acknowledge or a window was closed"
#define SCTPA_MEANS_BEGAN_S "when it began, in seconds from the first frame of the capture"

#endif
