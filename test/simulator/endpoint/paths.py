# SPDX-License-Identifier: GPL-2.0-or-later
"""The peer's addresses: RTO (RFC 9260 6.3.1), verification (5.4), HEARTBEATs (8.3), error counters (8.1, 8.2), PF (RFC 7829), primary, PMTU (7.3).

Leaves out the congestion control variables of a path, though they are kept in it: congestion.py.
"""

import struct

from .. import wire

IPV4_HEADER_BYTES, IPV6_HEADER_BYTES, UDP_HEADER_BYTES = 20, 40, 8
PMTU_MIN_BYTES = 576


class Path:
    """One destination address (RFC 9260 14.3)."""

    __slots__ = (
        "address", "source", "is_confirmed", "is_active", "is_failing", "errors", "rto_ns", "srtt_ns", "rttvar_ns", "pmtu", "t3", "heartbeat_timer",
        "heartbeat_timeout", "heartbeat_is_on", "heartbeat_interval_ns", "heartbeat_nonce", "heartbeat_is_unanswered", "used_ns", "sent_data_ns",
        "cwnd",
        "ssthresh", "partial_bytes_acked", "flight_bytes", "unacked", "rtt_tsn", "rtt_started_ns", "one_packet", "idle_began", "is_removed",
        "udp_port",
    )  # fmt: skip

    def __init__(self, address, policy):
        self.address = address
        self.source = None
        self.is_confirmed = False
        self.is_active = True
        self.is_failing = False
        self.errors = 0
        self.rto_ns = policy.rto_initial_ns
        self.srtt_ns = self.rttvar_ns = None
        self.pmtu = policy.pmtu_bytes
        self.heartbeat_is_on = policy.heartbeat_is_on
        self.heartbeat_interval_ns = policy.heartbeat_interval_ns
        self.heartbeat_nonce = None
        self.heartbeat_is_unanswered = False
        self.used_ns = None
        self.sent_data_ns = None
        self.cwnd = self.ssthresh = self.partial_bytes_acked = self.flight_bytes = self.unacked = 0
        self.rtt_tsn = None
        self.rtt_started_ns = 0
        self.one_packet = False
        self.idle_began = False
        self.is_removed = False
        self.udp_port = None

    def header_bytes(self):
        """IP, UDP (RFC 6951 5.6) and the common header."""
        ip = IPV6_HEADER_BYTES if ":" in self.address else IPV4_HEADER_BYTES
        return ip + (UDP_HEADER_BYTES if self.udp_port is not None else 0) + wire.COMMON_HEADER_BYTES


class Paths:
    """The association's part."""

    def begin_paths(self):
        self.paths = {}
        self.every_path = []
        self.primary = None
        self.errors = 0

    def add_path(self, address, confirmed):
        path = Path(address, self.policy)
        path.is_confirmed = confirmed
        path.udp_port = self.endpoint.udp_ports[1] if self.endpoint.udp_ports else None
        path.t3 = self.new_timer("T3-rtx", self.t3_expired, path)
        path.heartbeat_timer = self.new_timer("HEARTBEAT", self.heartbeat_timer_expired, path)
        path.heartbeat_timeout = self.new_timer("HEARTBEAT-timeout", self.heartbeat_timeout_expired, path)
        self.paths[address] = path
        self.every_path.append(path)
        self.endpoint.add_key(self, address)
        if self.primary is None:
            self.primary = path
        return path

    def remove_path(self, address):
        """What is outstanding there is sent elsewhere."""
        path = self.paths.pop(address)
        path.is_removed = True
        self.endpoint.remove_key(self, address)
        for timer in (path.t3, path.heartbeat_timer, path.heartbeat_timeout):
            timer.stop()
        if self.primary is path:
            self.primary = next(iter(self.paths.values()), None)
        self.mark_data_of_removed_path(path)
        return path

    # The user's calls.
    def set_primary(self, address):
        """SET PRIMARY (11.1.6)."""
        if address in self.paths:
            self.primary = self.paths[address]
            self.primary_changed = True
            self.flush()

    def heartbeat(self, address):
        """REQUEST HEARTBEAT (11.1.10)."""
        if address in self.paths and self.may_send_heartbeats():
            self.send_heartbeat(self.paths[address])
            self.flush()

    def change_heartbeat(self, address, is_on, interval_ns=None):
        """CHANGE HEARTBEAT (11.1.9)."""
        path = self.paths[address]
        path.heartbeat_is_on = is_on
        if interval_ns is not None:
            path.heartbeat_interval_ns = interval_ns
        path.heartbeat_timer.stop()
        if is_on and self.may_send_heartbeats():
            self.start_heartbeat_timer(path)

    # Which path.
    def data_path(self):
        """Where new data goes: the primary, unless it is inactive, potentially failed or unconfirmed and a better one is there (6.4, 6.4.1, RFC
        7829 3, 4)."""
        primary = self.primary
        if primary is not None and primary.is_confirmed and primary.is_active and not primary.is_failing:
            return primary
        return self.best_path(()) or primary

    def best_path(self, but):
        """Active before potentially failed (fewest errors), before inactive (fewest errors); unconfirmed never (5.4)."""
        best, best_rank = None, None
        for path in self.paths.values():
            if path.is_confirmed and path not in but:
                rank = (not path.is_active, path.is_failing, path.errors if path.is_failing or not path.is_active else 0, path is not self.primary)
                if best is None or rank < best_rank:
                    best, best_rank = path, rank
        return best

    def other_path(self, path):
        """An active confirmed path other than this one, None if there is none (6.4)."""
        best = self.best_path((path,))
        return best if best is not None and best.is_active and not best.is_failing else None

    def timeout_path(self, path):
        """6.4: where a chunk is sent that timed out on this path."""
        if self.policy.timeout_path == "same" and path.is_active and not path.is_failing and not path.is_removed:
            return path
        other = self.other_path(path)
        if other is not None:
            return other
        return self.best_path(()) or path

    # PMTU (7.3).
    def learn_pmtu(self, path, mtu_bytes):
        """ICMP7: lowers the PMTU; chunks already made stay as they are (6.9)."""
        if self.policy.learns_pmtu and mtu_bytes is not None and PMTU_MIN_BYTES <= mtu_bytes < path.pmtu:
            path.pmtu = mtu_bytes
            self.retransmit_after_pmtu(path)

    # RTO (6.3.1).
    def measure_rtt(self, path, rtt_ns):
        """C2, C3, C6, C7, G1."""
        policy = self.policy
        rtt_ns = max(rtt_ns, 0)
        if path.srtt_ns is None:
            path.srtt_ns, path.rttvar_ns = rtt_ns, rtt_ns // 2
        else:
            path.rttvar_ns += (abs(path.srtt_ns - rtt_ns) >> policy.rto_beta_shift) - (path.rttvar_ns >> policy.rto_beta_shift)
            path.srtt_ns += (rtt_ns >> policy.rto_alpha_shift) - (path.srtt_ns >> policy.rto_alpha_shift)
        path.rttvar_ns = path.rttvar_ns or policy.timer_granularity_ns or 1
        path.rto_ns = self.bounded_rto_ns(path.srtt_ns + 4 * path.rttvar_ns)

    def bounded_rto_ns(self, rto_ns):
        """C6, C7."""
        return min(max(rto_ns, self.policy.rto_min_ns), self.policy.rto_max_ns)

    def back_off_rto(self, path):
        """6.3.3 E2."""
        path.rto_ns = min(path.rto_ns * 2, self.policy.rto_max_ns)

    # Error counters (8.1, 8.2).
    def count_path_error(self, path):
        """8.2; PF by RFC 7829 3 (2, 8)."""
        path.errors += 1
        policy = self.policy
        if path.errors > policy.path_retransmissions_max:
            if path.is_active:
                path.is_active = False
                path.is_failing = False
                self.report_path(path, "INACTIVE")
        elif policy.potentially_failed and path.errors > policy.pf_retransmissions_max and not path.is_failing and path.is_active:
            path.is_failing = True
            self.report_path(path, "POTENTIALLY-FAILED")
            self.probe_failing_path(path)
        switchover = policy.primary_switchover_retransmissions_max
        if switchover is not None and path is self.primary and path.errors > switchover:
            self.primary = self.data_path()

    def report_path(self, path, state):
        self.record("path", path=path.address, state=state, errors=path.errors)
        self.application.path_changed(self, path.address, state)

    def count_association_error(self):
        """8.1; True: that was one too many, and the association is closed."""
        self.errors += 1
        if self.errors > self.policy.association_retransmissions_max:
            self.give_up()
            return True
        return False

    def give_up(self):
        """8.1: the peer is unreachable."""
        if self.policy.aborts_at_error_count:
            self.send_abort([wire.Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text)])
        self.close("error count")

    def clear_path_errors(self, path):
        """8.2: also what was inactive or failing is active again."""
        path.errors = 0
        if not path.is_active or path.is_failing:
            path.is_active, path.is_failing = True, False
            self.report_path(path, "ACTIVE")
            if path.heartbeat_timer.is_running:
                self.start_heartbeat_timer(path)

    def clear_errors_by_ack(self, chunk):
        """8.1, 8.2, RFC 7829 3 (9, 10): data sent to one path only clears that path's counter."""
        self.errors = 0
        path = chunk.path if self.policy.clears_errors_of_old_path else chunk.next_path or chunk.path
        if (path.errors or not path.is_active or path.is_failing) and not path.is_removed:
            if not (self.policy.potentially_failed and chunk.went_to_several_paths):
                self.clear_path_errors(path)

    # HEARTBEAT (8.3), verification (5.4).
    def may_send_heartbeats(self):
        return self.state in ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED")

    def start_heartbeats(self):
        """8.3, 5.4: unconfirmed paths are probed at once, HB.Max.Burst of them."""
        for path in self.paths.values():
            if not path.is_confirmed and not path.heartbeat_timeout.is_running and self.may_verify(path) and self.policy.verifies_paths_at_once:
                self.send_heartbeat(path)
            self.start_heartbeat_timer(path)

    def may_verify(self, path):
        """5.4: HB.Max.Burst HEARTBEATs to unconfirmed paths in an RTO; the one that waits longest is next."""
        if not self.policy.verifies_paths:
            return False
        others = [other for other in self.paths.values() if not other.is_confirmed and other.is_active and other is not path]
        begin_ns = self.simulation.now_ns - path.rto_ns
        probed = sum(other.used_ns is not None and other.used_ns > begin_ns for other in others)
        first = sum((other.used_ns or -1) < (path.used_ns or -1) for other in others if not other.heartbeat_timeout.is_running)
        return probed + first < self.policy.heartbeat_max_burst

    def stop_heartbeats(self):
        """8.3: ends with SHUTDOWN or SHUTDOWN ACK; what waits to be sent is not sent any more, except beside a COOKIE ACK (5.4)."""
        verified = [path for chunk, path in self.controls if chunk.type == wire.COOKIE_ACK and not path.is_confirmed]
        self.controls = [(chunk, path) for chunk, path in self.controls if chunk.type != wire.HEARTBEAT or path in verified]
        for path in self.paths.values():
            path.heartbeat_timer.stop()
            path.heartbeat_timeout.stop()

    def heartbeat_period_ns(self, path):
        """8.3: RTO and HB.interval, with jitter; once per RTO where the path is to be verified (5.4) or potentially failed (RFC 7829 3 (5))."""
        if self.policy.heartbeats_by_interval_alone and path.is_confirmed:
            return path.heartbeat_interval_ns
        jitter = self.policy.heartbeat_jitter
        spread_ns = int(path.rto_ns * jitter * (2 * self.random.random() - 1)) if jitter else 0
        if path.is_active and (not path.is_confirmed or path.is_failing):
            return path.rto_ns
        return path.rto_ns + path.heartbeat_interval_ns + spread_ns

    def start_heartbeat_timer(self, path):
        if path.heartbeat_is_on or (not path.is_confirmed and self.policy.verifies_paths):
            path.heartbeat_timer.start(self.heartbeat_period_ns(path), path.rto_ns)

    def heartbeat_timer_expired(self, path):
        """8.3: a HEARTBEAT if the path was idle in this period."""
        if not self.may_send_heartbeats() or path.is_removed:
            return
        if self.is_idle(path) and not path.heartbeat_timeout.is_running and (path.is_confirmed or self.may_verify(path)):
            self.send_heartbeat(path)
            if self.policy.heartbeat_sets_cwnd and path.cwnd:
                self.set_cwnd_by_heartbeat(path)
        self.start_heartbeat_timer(path)
        self.flush()

    def is_idle(self, path):
        """8.3: nothing that measures the round trip was sent in the period that ends; DATA unacked on a path that fails tells as much (RFC 7829 3
        (6))."""
        if not path.is_confirmed or self.policy.heartbeats_by_interval_alone:
            return True
        if path.is_failing and not self.policy.heartbeats_failing_path_with_data:
            return path.unacked == 0
        return path.used_ns is None or path.used_ns <= path.heartbeat_timer.started_ns

    def probe_failing_path(self, path):
        """RFC 7829 3 (6): a HEARTBEAT when a path becomes potentially failed."""
        if not path.heartbeat_is_on or not self.may_send_heartbeats() or path.heartbeat_timeout.is_running:
            return
        if self.policy.probes_failing_path_at_once:
            self.send_heartbeat(path)
        else:
            self.start_heartbeat_timer(path)

    def send_heartbeat(self, path):
        """3.3.5, 5.4: time, address and a 64-bit nonce."""
        path.heartbeat_nonce = self.random.getrandbits(64)
        address = wire.address_bytes(path.address)
        info = struct.pack("!QQ", self.simulation.now_ns, path.heartbeat_nonce) + struct.pack("!I", len(address)) + address
        info += bytes(max(0, self.policy.heartbeat_info_bytes - len(info)))
        path.heartbeat_is_unanswered = True
        path.used_ns = self.simulation.now_ns
        self.queue_control(wire.heartbeat_chunk(info), path)
        path.heartbeat_timeout.start(path.rto_ns, path.rto_ns)

    def heartbeat_timeout_expired(self, path):
        """8.3, 8.1, 5.4: not acked within an RTO."""
        if path.is_removed or not self.may_send_heartbeats():
            return
        was_confirmed = path.is_confirmed
        if path.is_active or self.counts_errors_of_inactive(path):
            self.count_path_error(path)
        if was_confirmed and path is self.data_path() and self.count_association_error():
            return
        self.back_off_rto(path)
        if path.is_active and (path.is_failing if path.is_confirmed else self.may_verify(path)):
            self.send_heartbeat(path)
        self.flush()

    def counts_errors_of_inactive(self, path):
        """8.3: the counter of an inactive path stops; with PF it goes on to ten times Path.Max.Retrans, to tell paths apart (RFC 7829 4.1)."""
        return self.policy.potentially_failed and path.errors < 10 * self.policy.path_retransmissions_max

    def receive_heartbeat(self, chunk):
        """8.3: answered from COOKIE-ECHOED on, up to SHUTDOWN-SENT (its sender) and SHUTDOWN-ACK-SENT, with what it held."""
        if self.answers_heartbeats():
            self.queue_control(wire.Chunk(wire.HEARTBEAT_ACK, 0, chunk.value), self.arrival_path)

    def answers_heartbeats(self):
        return self.state in ("COOKIE-ECHOED", "ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED")

    def receive_heartbeat_ack(self, chunk):
        """8.3: clears counters, measures; 5.4: the nonce confirms."""
        tlvs = wire.parse_tlvs(chunk.value)
        if not tlvs or len(tlvs[0].value) < 24:
            return
        sent_ns, nonce, length = struct.unpack_from("!QQI", tlvs[0].value)
        if length not in (4, 16) or len(tlvs[0].value) < 20 + length:
            return
        path = self.paths.get(wire.address_text(tlvs[0].value[20 : 20 + length]))
        if path is None or nonce != path.heartbeat_nonce:
            return
        path.heartbeat_nonce = None
        path.heartbeat_timeout.stop()
        path.heartbeat_is_unanswered = False
        self.measure_rtt(path, self.simulation.now_ns - sent_ns)
        self.clear_path_errors(path)
        if self.policy.clears_association_errors_at_heartbeat or not self.outstanding:
            self.errors = 0
        if not path.is_confirmed:
            path.is_confirmed = True
            self.report_path(path, "CONFIRMED")
            if self.may_send_heartbeats():
                self.start_heartbeat_timer(path)
                self.verify_next_path()

    def verify_next_path(self):
        """5.4: the next path that is to be verified."""
        for path in self.paths.values():
            if not path.is_confirmed and not path.heartbeat_timeout.is_running and path.is_active and self.may_verify(path):
                self.send_heartbeat(path)
                return
