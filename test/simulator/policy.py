# SPDX-License-Identifier: GPL-2.0-or-later
"""Every freedom that the RFCs leave to an endpoint: name, meaning, clause, default and distribution; the presets of known stacks.

Leaves out what an endpoint must do, and every deviation from that (deviation.py). A preset sets what is known of a stack; what it does not name
keeps its default. Names of clauses without a number of an RFC are those of RFC 9260.
"""

import collections

from .clock import MICROSECOND_NS, MILLISECOND_NS, SECOND_NS

Freedom = collections.namedtuple("Freedom", "name meaning clause default draw")


def one_of(*values):
    """Each as likely as the others; a value named twice twice as likely."""
    return lambda random: random.choice(values)


def chance(share):
    return lambda random: random.random() < share


def always(value):
    """What only presets choose otherwise; it takes nothing from the stream of random numbers."""
    return lambda random: value


def between(low, high):
    return lambda random: random.randint(low, high)


def either(value, share, other):
    """value with this share, else what other draws."""
    return lambda random: value if random.random() < share else other(random)


# fmt: off
FREEDOMS = [Freedom(*row) for row in (
    # Set-up.
    ("outbound_streams", "streams asked for in INIT and INIT ACK", "3.3.2", 10, one_of(1, 2, 10, 10, 17, 100, 65535)),
    ("inbound_streams", "streams accepted at most", "3.3.2", 2048, one_of(1, 2, 10, 100, 2048, 65535)),
    ("outbound_streams_limited_in_init_ack", "INIT ACK asks for no more than the INIT allows (else 5.1.1 cuts it silently)",
     "3.3.3", True, chance(1.0)),
    ("init_ack_order", "where the State Cookie stands in the INIT ACK: last, first, after addresses",
     "3.3.3.1", "last", one_of("last", "first", "after addresses")),
    ("parameter_order", "order of the parameters of INIT and INIT ACK", "3.3.2.1",
     ("adaptation", "ecn", "forward_tsn", "zero_checksum", "extensions", "auth", "preservative", "address_types", "addresses"),
     one_of(("adaptation", "ecn", "forward_tsn", "zero_checksum", "extensions", "auth", "preservative", "address_types", "addresses"),
            ("addresses", "address_types", "ecn", "extensions", "forward_tsn", "adaptation", "auth", "zero_checksum", "preservative"),
            ("forward_tsn", "zero_checksum", "extensions", "addresses", "ecn", "adaptation", "auth", "preservative", "address_types"))),
    ("lists_own_address", "the only address is listed in INIT and INIT ACK, too", "3.3.2.1.2", False, chance(0.3)),
    ("sends_address_types", "INIT bears Supported Address Types", "5.1.2", False, chance(0.5)),
    ("cookie_magic", "bytes that a State Cookie begins with", "5.1.3", b"", one_of(b"", b"", b"SIM1")),
    ("cookie_bytes_min", "a State Cookie is padded to this size", "5.1.3", 0, one_of(0, 0, 164, 260)),
    ("cookie_life_ns", "Valid.Cookie.Life", "16", 60 * SECOND_NS, either(60 * SECOND_NS, 0.8, one_of(5 * SECOND_NS, 20 * SECOND_NS))),
    ("stale_cookie_measure", "Stale Cookie says how stale (else 0)", "3.3.10.3", True, chance(0.7)),
    ("stale_cookie_answer", "after Stale Cookie: init, preservative (a new INIT with Cookie Preservative), close", "5.2.6", "preservative",
     one_of("init", "preservative", "preservative", "close")),
    ("bundles_data_with_cookie_echo", "pending DATA goes with the COOKIE ECHO", "5.1 C", True, chance(0.6)),
    ("init_retransmissions_max", "Max.Init.Retransmits", "16", 8, one_of(8, 8, 4, 12)),
    ("init_timer_doubles", "T1 backs off by 6.3", "5.1", True, chance(1.0)),
    ("invalid_init_answer", "an INIT that cannot be taken is answered by an ABORT", "5.1", True, chance(0.85)),
    ("restart_adds_address_cause", "the ABORT that refuses a restart says why", "5.2.2", True, chance(0.8)),
    ("abort_of_closed_port", "an INIT to a port at which nobody listens is answered by an ABORT", "5.1", True, chance(0.95)),
    # Acknowledging.
    ("sack_delay_ns", "SACK.Delay", "6.2", 200 * MILLISECOND_NS, either(200 * MILLISECOND_NS, 0.5, between(0, 500 * MILLISECOND_NS))),
    ("sack_packets", "packets with DATA after which a SACK is due", "6.2", 2, one_of(2, 2, 2, 1)),
    ("sack_at_gap_closure", "the packet that fills the last gap is acked at once", "6.7", True, chance(0.5)),
    ("sack_with_duplicates_and_new", "a packet with duplicates and new DATA is acked at once", "6.2", True, chance(0.5)),
    ("reports_duplicates", "Duplicate TSNs are listed", "6.2", True, chance(0.9)),
    ("bundles_sack_with_data", "a delayed SACK goes with outgoing DATA", "6.1", True, chance(0.95)),
    ("sack_path", "where SACKs go: last (the source of the last DATA) or, for duplicates, another",
     "6.4", "last", one_of("last", "last", "vary for duplicates")),
    ("answers_gaps_while_shutting_down", "SHUTDOWN is bundled with a SACK for every DATA, not only where a gap or duplicate is",
     "9.2", False, chance(0.4)),
    ("receive_buffer_bytes", "initial a_rwnd", "6.2 A", 131072, one_of(1500, 8192, 32768, 65536, 131072, 131072, 262144, 1048576)),
    ("receive_overhead_bytes", "taken from a_rwnd for each held chunk, beside its data", "6.2 B", 0, one_of(0, 0, 0, 16, 256)),
    ("window_update_share", "part of the buffer by which the window has grown before an update is sent", "6.2", 0.25, one_of(0.25, 0.25, 0.5)),
    ("receiver_sws_bytes", "a window below this is advertised as 0", "6.2", 0, one_of(0, 0, 1, 1452)),
    ("renegs", "drops what is acked by gap blocks when the buffer is full and a lower TSN arrives", "6.2", True, chance(0.5)),
    # Sending.
    ("pmtu_bytes", "PMTU that it begins with", "7.3", 1500, one_of(1500, 1500, 1280, 1191, 9000)),
    ("data_bytes_max", "user data of a DATA chunk at most, None: as the AMDCS has it", "6.9", None, either(None, 0.9, one_of(100, 500, 1000))),
    ("learns_pmtu", "heeds ICMP Fragmentation Needed and Packet Too Big", "7.3", True, chance(0.9)),
    ("send_buffer_bytes", "what the user may hand over before it is acked", "11.1.5", 262144, one_of(16384, 65536, 262144, 1048576)),
    ("nagle", "small messages wait while data is outstanding", "6.1", False, chance(0.4)),
    ("bundles_data", "several DATA chunks go in one packet", "6.10", True, chance(0.95)),
    ("bundles_control", "control chunks go with others", "6.10", True, chance(0.9)),
    ("scheduler", "whose message is next: fcfs, rr, rr_packet, prio, fc",
     "RFC 8260 3", "fcfs", one_of("fcfs", "fcfs", "rr", "rr_packet", "prio", "fc")),
    ("max_burst_packets", "Max.Burst, 0 for none", "6.1 D", 4, one_of(4, 4, 4, 1, 2, 8)),
    ("burst_method", "cwnd (limited for the moment) or packets (counted)", "6.1 D", "packets", one_of("cwnd", "packets")),
    ("initial_cwnd_packets", "initial cwnd in PMDCS; None: min(4 * PMDCS, max(2 * PMDCS, 4404))", "7.2.1", None, either(None, 0.8, one_of(1, 2))),
    ("timeout_cwnd_is_pmtu", "cwnd after a timeout is the PMTU, as RFC 4960 7.2.3 had it, and not PMDCS", "7.2.3", False, chance(0.0)),
    ("slow_start_l", "L of the slow start; None: growth is limited by cwnd alone", "7.2.1", 1, one_of(1, 1, 1, 2)),
    ("growth_needs_cum_tsn", "cwnd grows only by SACKs that advance the Cumulative TSN Ack Point (RFC 4960 7.2.1)", "7.2.1", True, chance(0.6)),
    ("abandon_ends_message", "an abandoned message, part of which was sent, takes a TSN for the fragment that will not come",
     "RFC 3758 3.5 A3", True, chance(1.0)),
    ("decays_when_idle", "cwnd of an idle path is halved each RTO", "7.2.1", True, chance(0.7)),
    ("initial_ssthresh_bytes", "None: the peer's first a_rwnd; else this", "7.2.1", None, one_of(None, 1 << 30)),
    ("overbooks", "a packet may go beyond cwnd while less than cwnd is outstanding", "6.1 B", True, chance(0.9)),
    ("fast_retransmit", "counting miss indications; none leaves all to T3",
     "7.2.4", "counting", one_of("counting", "counting", "counting", "counting", "none")),
    ("timeout_path", "where a timed out chunk goes: another active path or the same", "6.4", "another", one_of("another", "another", "same")),
    ("fast_path", "where fast retransmissions go: same, or primary where that has changed", "6.4", "same", one_of("same", "primary")),
    ("zero_window_probe_after_rto", "first zero window probe after an RTO (else at once)", "6.1 A", True, chance(0.85)),
    ("immediate_bit", "when it sets the I bit by itself: never, shutdown (SHUTDOWN-PENDING), window (fills cwnd or rwnd), both", "6.1", "shutdown",
     one_of("never", "shutdown", "window", "both")),
    # Timers.
    ("rto_initial_ns", "RTO.Initial", "16", SECOND_NS, either(SECOND_NS, 0.7, one_of(3 * SECOND_NS, 500 * MILLISECOND_NS))),
    ("rto_min_ns", "RTO.Min", "16", SECOND_NS, either(SECOND_NS, 0.6, one_of(200 * MILLISECOND_NS, 300 * MILLISECOND_NS, 400 * MILLISECOND_NS))),
    ("rto_max_ns", "RTO.Max", "16", 60 * SECOND_NS, either(60 * SECOND_NS, 0.7, one_of(5 * SECOND_NS, 10 * SECOND_NS))),
    ("rto_alpha_shift", "RTO.Alpha is 2 ** -this", "16", 3, one_of(3)),
    ("rto_beta_shift", "RTO.Beta is 2 ** -this", "16", 2, one_of(2)),
    ("timer_granularity_ns", "timers expire at multiples of this",
     "6.3.1 G1", 0, one_of(0, 0, MILLISECOND_NS, 4 * MILLISECOND_NS, 10 * MILLISECOND_NS)),
    ("timer_lateness_ns", "timers expire late by up to this", "6.3.1", 0, one_of(0, 100 * MICROSECOND_NS, MILLISECOND_NS)),
    ("rtt_from_setup", "INIT/INIT ACK and COOKIE ECHO/COOKIE ACK measure the round trip", "8.3", False, chance(0.5)),
    # Paths.
    ("association_retransmissions_max", "Association.Max.Retrans", "16", 10, one_of(10, 10, 4, 6)),
    ("path_retransmissions_max", "Path.Max.Retrans", "16", 5, one_of(5, 5, 2, 3)),
    ("heartbeat_is_on", "sends HEARTBEATs", "8.3", True, chance(0.9)),
    ("heartbeat_interval_ns", "HB.interval", "16", 30 * SECOND_NS, either(30 * SECOND_NS, 0.6, one_of(2 * SECOND_NS, 5 * SECOND_NS))),
    ("heartbeat_jitter", "share of the RTO by which HEARTBEATs jitter", "8.3", 0.5, one_of(0.5, 0.5, 0.0)),
    ("verifies_paths", "sends HEARTBEATs to unconfirmed addresses by itself", "5.4", True, chance(1.0)),
    ("heartbeat_max_burst", "HB.Max.Burst", "16", 1, one_of(1, 1, 2, 4)),
    ("heartbeat_info_bytes", "size of the Heartbeat Information, 24 at the least", "3.3.5", 36, one_of(24, 36, 40, 52)),
    ("clears_association_errors_at_heartbeat", "a HEARTBEAT ACK clears the association's error counter though data is outstanding",
     "8.1", True, chance(0.8)),
    ("potentially_failed", "PF state", "RFC 7829 5", False, chance(0.3)),
    ("pf_retransmissions_max", "PotentiallyFailed.Max.Retrans", "RFC 7829 5", 0, one_of(0, 0, 1)),
    ("primary_switchover_retransmissions_max", "PSMR, None: never", "RFC 7829 5", None, one_of(None)),
    # Shutdown, errors.
    ("shutdown_guard", "T5-shutdown-guard runs, for 5 times RTO.Max", "9.2", True, chance(0.6)),
    ("answers_out_of_the_blue", "8.4, rule 8: an ABORT for what belongs to no association", "8.4", True, chance(0.95)),
    ("answers_shutdown_ack_out_of_the_blue", "8.4, rule 5", "8.4", True, chance(0.95)),
    ("reports_unrecognized", "ERROR for unrecognized chunks", "3.2", True, chance(1.0)),
    ("violation_answer", "what a malformed chunk of an association comes to: abort, discard", "3.3.10.13", "abort", one_of("abort", "discard")),
    ("malformed_ignored", "chunk types that are discarded where they are too short or their counts lie (others: violation_answer)",
     "3.2", (), one_of((), (3, 16))),
    ("checks_fragments", "fragments whose B and E bits, streams or SSNs do not fit their neighbours: ABORT (else kept until they are skipped)",
     "6.9", False, chance(0.3)),
    ("bundled_alone_answer", "INIT ACK or SHUTDOWN COMPLETE that is not alone in its packet: discard, abort, take",
     "6.10", "discard", one_of("discard", "abort", "take")),
    ("impossible_gap_answer", "gap blocks that ack what was never sent: ignore (what was sent counts), abort",
     "3.3.4", "ignore", one_of("ignore", "ignore", "abort")),
    ("aborts_at_error_count", "an association that is given up for its error count sends an ABORT", "8.1", False, chance(0.4)),
    ("violation_text", "Additional Information of Protocol Violation", "3.3.10.13", b"", one_of(b"", b"chunk length")),
    ("error_limit", "ERROR chunks an association sends at most for unrecognized chunks, None: any number", "3.2", None, one_of(None)),
    ("t_bit_for_refused_init_ack", "the ABORT that refuses an INIT ACK reflects the tag", "5.1", False, chance(0.0)),
    # Extensions.
    ("forward_tsn", "partial reliability", "RFC 3758", True, chance(0.7)),
    ("forward_tsn_delay_ns", "how long FORWARD-TSN waits for DATA to go with",
     "RFC 3758 3.5 F3", 0, one_of(0, 0, 50 * MILLISECOND_NS, 200 * MILLISECOND_NS)),
    ("shutdown_waits_for_forward_tsn", "SHUTDOWN and SHUTDOWN ACK wait until abandoned data is acked by the peer, too",
     "RFC 3758 3.5 A2", True, chance(0.8)),
    ("forward_tsn_parameter_is_known", "Forward-TSN-Supported is not reported as unrecognized though the extension is not used",
     "RFC 3758 3.3.2", False, chance(0.3)),
    ("lifetime_timer", "a message is abandoned when its life ends, not only when it would be sent again", "RFC 3758 4.1 TR5", False, chance(0.3)),
    ("forward_tsn_repeats", "a FORWARD-TSN that moves nothing is sent again: at every SACK, or once in an RTT",
     "RFC 3758 3.5 F2", "sack", one_of("sack", "rtt")),
    ("interleaving", "I-DATA", "RFC 8260", False, chance(0.2)),
    ("reconfig", "RE-CONFIG", "RFC 6525", True, chance(0.6)),
    ("sack_with_reconfig", "a RE-CONFIG with a request is answered by a SACK, too (SHOULD)", "RFC 6525 5.2.1", True, chance(0.7)),
    ("reconfig_allows", "requests that it performs: streams, association, add",
     "RFC 6525 6.3.1", ("streams", "association", "add"), one_of(("streams", "association", "add"), ("streams", "add"), ())),
    ("asconf", "ASCONF", "RFC 5061", False, chance(0.3)),
    ("asconf_needs_auth", "ASCONF is only used with AUTH", "RFC 5061 4.1.1", True, chance(1.0)),
    ("auth", "AUTH", "RFC 4895", False, chance(0.25)),
    ("auth_chunks", "chunk types it wants authenticated, beside ASCONF and ASCONF-ACK where it has these",
     "RFC 4895 3.2", (), one_of((), (), (0,), (0, 3))),
    ("auth_hmacs", "HMAC identifiers in order of preference", "RFC 4895 3.3", (3, 1), one_of((3, 1), (1,), (1, 3))),
    ("auth_random_bytes", "size of RANDOM", "RFC 4895 3.1", 32, one_of(32)),
    ("ecn", "ECN as RFC 4960 Appendix A had it", "RFC 4960 A", False, chance(0.2)),
    ("zero_checksum", "announces and uses the zero checksum (EDMID 1)", "RFC 9653", False, chance(0.1)),
    ("nr_sack", "NR-SACK (draft-tuexen-tsvwg-sctp-nr-sack)", "draft", False, chance(0.0)),
    ("data_channels", "messages with the PPID of DCEP are those of data channels, and not the user's", "RFC 8832", False, chance(0.0)),
    ("adaptation", "Adaptation Layer Indication, None for none", "RFC 5061 4.2.6", None, one_of(None, None, 0)),
    ("extensions_order", "order of the Supported Extensions", "RFC 5061 4.2.7", (0xC0, 0xC2, 0x0F, 0xC1, 0x80, 0x82, 0x40, 0x10),
     one_of((0xC0, 0xC2, 0x0F, 0xC1, 0x80, 0x82, 0x40, 0x10), (0xC1, 0x80, 0x82, 0x40, 0xC2, 0x0F, 0xC0, 0x10), (0x82, 0xC0, 0x40, 0xC2, 0x0F,
     0xC1, 0x80, 0x10))),
    ("forward_tsn_unasked", "INIT ACK has Forward-TSN-Supported though the INIT had not", "RFC 3758 3.3.2", True, chance(0.5)),
    ("lists_forward_tsn_as_extension", "FORWARD-TSN stands among the Supported Extensions, too", "RFC 5061 4.2.7", True, chance(0.5)),
    ("forward_tsn_parameter", "Forward-TSN-Supported (0xC000) is sent (else only the extension is listed)", "RFC 3758 3.1", True, chance(1.0)),
    # Host.
    ("ttl", "time to live", "-", 64, one_of(64, 64, 128, 255)),
    ("tos", "type of service, ECN bits aside", "-", 0, one_of(0, 0, 0, 184, 136)),
    # What stacks of the lab do, and presets alone choose.
    ("timer_wheel", "timers expire at multiples of the granularity, eightfold for each eightfold of their time beyond 63 of it (Linux)",
     "6.3.1 G1", False, always(False)),
    ("fills_packets", "a message is fragmented to fill a packet or cwnd to the last byte", "6.9", False, always(False)),
    ("immediate_below_cwnd_packets", "DATA has the I bit while cwnd is below so many PMDCS", "RFC 7053 4", 0, always(0)),
    ("full_cwnd", "when cwnd is fully utilized: reached, or no_room (for another full packet)", "7.2.1", "reached", always("reached")),
    ("probes_failing_path_at_once", "a path that becomes potentially failed gets a HEARTBEAT at once (else when the timer says so)",
     "RFC 7829 3 (6)", True, always(True)),
    ("verifies_paths_at_once", "HEARTBEATs to unconfirmed addresses leave as the association is up (else after an RTO)", "5.4", True, always(True)),
    ("cookie_life_increment_max_ns", "what of a Cookie Preservative is granted at most", "3.3.2.1.3", 60 * SECOND_NS, always(60 * SECOND_NS)),
    # Against a clause of RFC 9260: AS_SEEN alone has other values.
    ("overbooks_retransmissions", "a packet of retransmissions may go beyond cwnd, too", "6.1 C", False, always(False)),
    ("fast_retransmits_again", "a chunk that was fast retransmitted is so again: never, or after three more misses: by what left later, or any",
     "7.2.4 (5)", "never", always("never")),
    ("fast_ignores_cwnd", "which fast retransmissions: first (packet of a Fast Recovery), all",
     "7.2.4 (3)", "first", always("first")),
    ("acks_at_once", "what is acked at once beside gaps and each second packet: the first DATA, duplicates", "5.1, 6.2", ("first", "duplicates"),
     always(("first", "duplicates"))),
    ("heartbeat_sets_cwnd", "with a HEARTBEAT cwnd becomes max(cwnd / 2, 4 * PMDCS), also upwards, and what waits for a SACK after a timeout goes on",
     "7.2.1", False, always(False)),
    ("probes_count_for_path", "a zero window probe that T3 sends again counts for the path's error counter though SACKs come", "6.1 A", False,
     always(False)),
    ("probes_leave_cwnd", "a zero window probe that T3 sends again neither cuts cwnd nor holds back what the window allows", "7.2.3", False,
     always(False)),
    ("t3_runs_on", "SACKs do not restart T3 but undo its back-off; when it expires, it spares what was sent within SRTT + 4 * RTTVAR",
     "6.3.2 R3", False, always(False)),
    ("cwnd_unit", "what cwnd and ssthresh are reckoned in: pmdcs, pmtu (as RFC 4960 had it), packet (PMTU without the IP header)",
     "7.2.1", "pmdcs", always("pmdcs")),
    ("heartbeats_by_interval_alone", "a HEARTBEAT each HB.interval, whatever the RTO and whether the path is idle", "8.3", False, always(False)),
    ("clears_errors_of_old_path", "a chunk that waits for retransmission and is acked clears the counter of the address that it was sent to (else of "
     "the one that it waits for)", "8.2", True, always(True)),
    ("heartbeats_failing_path_with_data", "HEARTBEATs go to a potentially failed path though DATA is unacked there",
     "RFC 7829 3 (6)", False, always(False)),
)]
# fmt: on

# Distributions for an endpoint that keeps every SHOULD and RECOMMENDED, too, of those freedoms of which some values do not.
KEEPS_SHOULD = {
    "invalid_init_answer": one_of(True),
    "abort_of_closed_port": one_of(True),
    "restart_adds_address_cause": one_of(True),
    "cookie_life_ns": one_of(60 * SECOND_NS),
    "init_retransmissions_max": one_of(8),
    "sack_delay_ns": either(200 * MILLISECOND_NS, 0.5, between(0, 200 * MILLISECOND_NS)),
    "reports_duplicates": one_of(True),
    "bundles_sack_with_data": one_of(True),
    "renegs": one_of(True),
    "sack_path": one_of("last"),
    "max_burst_packets": one_of(4, 4, 1, 2),
    "slow_start_l": one_of(1),
    "decays_when_idle": one_of(True),
    "overbooks": one_of(True),
    "fast_retransmit": one_of("counting"),
    "timeout_path": one_of("another"),
    "zero_window_probe_after_rto": one_of(True),
    "rto_initial_ns": one_of(SECOND_NS),
    "rto_min_ns": one_of(SECOND_NS),
    "rto_max_ns": one_of(60 * SECOND_NS),
    "association_retransmissions_max": one_of(10),
    "path_retransmissions_max": one_of(5),
    "heartbeat_is_on": one_of(True),
    "heartbeat_interval_ns": one_of(30 * SECOND_NS),
    "heartbeat_jitter": one_of(0.5),
    "heartbeat_max_burst": one_of(1),
    "clears_association_errors_at_heartbeat": one_of(True),
    "answers_out_of_the_blue": one_of(True),
    "answers_shutdown_ack_out_of_the_blue": one_of(True),
    "learns_pmtu": one_of(True),
    "sack_with_reconfig": one_of(True),
    "aborts_at_error_count": one_of(False),
    "forward_tsn_delay_ns": one_of(0, 0, 50 * MILLISECOND_NS, 200 * MILLISECOND_NS),
}

BY_NAME = {freedom.name: freedom for freedom in FREEDOMS}

# What differs from the defaults, by stack: from documents of these stacks and from the lab's captures.
PRESETS = {
    "rfc": {},
    "freebsd": {
        "parameter_order": ("adaptation", "ecn", "forward_tsn", "zero_checksum", "extensions", "auth", "preservative", "address_types", "addresses"),
        "sends_address_types": True, "lists_own_address": True, "cookie_magic": b"KAME-BSD 1.1", "adaptation": 0, "inbound_streams": 2048,
        "outbound_streams": 10,
        "receive_buffer_bytes": 262144, "timer_granularity_ns": 10 * MILLISECOND_NS, "heartbeat_info_bytes": 36, "fast_path": "same",
        "zero_window_probe_after_rto": False, "ecn": True, "slow_start_l": 2, "decays_when_idle": False, "malformed_ignored": (3, 16),
        "aborts_at_error_count": True, "sack_with_reconfig": False, "timeout_cwnd_is_pmtu": True, "stale_cookie_answer": "init",
    },
    "linux": {
        "parameter_order": ("addresses", "address_types", "ecn", "extensions", "forward_tsn", "adaptation", "auth", "zero_checksum", "preservative"),
        "extensions_order": (0xC1, 0x80, 0x82, 0x40, 0xC2, 0x0F, 0xC0, 0x10), "lists_forward_tsn_as_extension": False,
        "sends_address_types": True, "init_ack_order": "after addresses", "cookie_bytes_min": 228, "inbound_streams": 65535,
        "receive_buffer_bytes": 106496, "rto_initial_ns": 3 * SECOND_NS, "ecn": True, "reconfig": False, "sack_at_gap_closure": False,
        "bundled_alone_answer": "abort", "sack_with_reconfig": False, "timeout_cwnd_is_pmtu": True, "answers_gaps_while_shutting_down": True,
        "potentially_failed": True, "pf_retransmissions_max": 0, "timer_granularity_ns": 4 * MILLISECOND_NS,
        "burst_method": "cwnd", "probes_failing_path_at_once": False,
        "verifies_paths_at_once": False,
    },
    "dcsctp": {
        "parameter_order": ("forward_tsn", "zero_checksum", "extensions", "addresses", "ecn", "adaptation", "auth", "preservative", "address_types"),
        "extensions_order": (0x82, 0xC0, 0x40, 0xC2, 0x0F, 0xC1, 0x80, 0x10), "cookie_magic": b"dcSCTPr0", "receive_buffer_bytes": 5242880,
        "outbound_streams": 65535, "inbound_streams": 65535, "rto_initial_ns": 500 * MILLISECOND_NS, "rto_min_ns": 400 * MILLISECOND_NS,
        "pmtu_bytes": 1191, "heartbeat_jitter": 0.0, "zero_checksum": True, "scheduler": "rr", "full_cwnd": "no_room",
        "fills_packets": True, "overbooks": False, "forward_tsn_repeats": "rtt", "immediate_below_cwnd_packets": 10,
    },
    "pion": {
        "parameter_order": ("extensions", "zero_checksum", "forward_tsn", "addresses", "ecn", "adaptation", "auth", "preservative", "address_types"),
        "extensions_order": (0x82, 0xC0, 0x40, 0xC2, 0x0F, 0xC1, 0x80, 0x10), "init_ack_order": "first", "forward_tsn_parameter": False,
        "receive_buffer_bytes": 1048576, "outbound_streams": 65535, "inbound_streams": 65535, "pmtu_bytes": 1191, "zero_checksum": True,
        "full_cwnd": "no_room", "overbooks": False,
    },
}  # fmt: skip
# The library, as the lab has it: its defaults are not those of the kernel.
PRESETS["usrsctp"] = {
    **PRESETS["freebsd"], "adaptation": None, "ecn": False, "lists_own_address": False, "receive_buffer_bytes": 131072, "asconf": True, "auth": True,
    "cookie_bytes_min": 316,
}  # fmt: skip

# What stacks of the lab do beside their presets: against a clause, or finer than others need. A preset conforms;
# Policy.preset(stack, **AS_SEEN[stack]) is the stack as it is.
AS_SEEN = {
    "linux": {
        "nagle": True, "timer_wheel": True, "cwnd_unit": "pmtu", "overbooks_retransmissions": True, "heartbeats_failing_path_with_data": True,
        "clears_errors_of_old_path": False, "zero_window_probe_after_rto": False, "heartbeat_sets_cwnd": True, "decays_when_idle": False,
        "probes_count_for_path": True,
    },
    "usrsctp": {
        "nagle": True, "cwnd_unit": "pmtu", "overbooks_retransmissions": True, "fast_retransmits_again": "later", "fast_ignores_cwnd": "all",
        "clears_errors_of_old_path": False, "t3_runs_on": True, "probes_leave_cwnd": True,
    },
    "dcsctp": {"initial_cwnd_packets": 10, "cwnd_unit": "packet", "fast_retransmits_again": "any", "heartbeats_by_interval_alone": True},
    "pion": {"cwnd_unit": "packet", "slow_start_l": None, "acks_at_once": (), "reports_duplicates": False, "sack_at_gap_closure": False},
}  # fmt: skip


class Policy:
    """What one endpoint does with its freedoms: each is an attribute of its name."""

    __slots__ = tuple(BY_NAME)

    def __init__(self, **chosen):
        """The defaults, but for those chosen by name."""
        for freedom in FREEDOMS:
            setattr(self, freedom.name, freedom.default)
        self.change(**chosen)

    @classmethod
    def preset(cls, name, **chosen):
        """That of a stack (PRESETS), but for those chosen by name."""
        return cls(**{**PRESETS[name], **chosen})

    @classmethod
    def random(cls, random, keeps_should=False, **chosen):
        """Each freedom drawn from its distribution, in order, but for those chosen by name. What excludes each other is never drawn together.
        keeps_should: no value that departs from a SHOULD or a recommended number (KEEPS_SHOULD)."""
        policy = cls()
        for freedom in FREEDOMS:
            draw = KEEPS_SHOULD.get(freedom.name, freedom.draw) if keeps_should else freedom.draw
            setattr(policy, freedom.name, draw(random))
        policy.change(**chosen)
        policy.rto_initial_ns = max(policy.rto_initial_ns, policy.rto_min_ns)
        policy.rto_max_ns = max(policy.rto_max_ns, policy.rto_initial_ns)
        policy.receiver_sws_bytes = min(policy.receiver_sws_bytes, policy.receive_buffer_bytes // 4)
        return policy

    def change(self, **chosen):
        for name, value in chosen.items():
            if name not in BY_NAME:
                raise ValueError(f"no freedom is named {name}")
            setattr(self, name, value)

    def items(self):
        """(name, value, clause) of each, for the truth."""
        return [(freedom.name, getattr(self, freedom.name), freedom.clause) for freedom in FREEDOMS]
