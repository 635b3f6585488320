# SPDX-License-Identifier: GPL-2.0-or-later
"""Congestion control (RFC 9260 7.2): cwnd, ssthresh, slow start, congestion avoidance, Fast Retransmit and Fast Recovery, Max.Burst.

Leaves out loss detection by time (RACK, tail loss probes), which no RFC of SCTP has.
"""

from ..wire import COMMON_HEADER_BYTES

INITIAL_CWND_BYTES_IPV4, INITIAL_CWND_BYTES_IPV6 = 4404, 4344
MISSES_TO_RETRANSMIT = 3
UNLIMITED_PACKETS = 1 << 30


class Congestion:
    """The association's part."""

    def begin_recovery(self):
        self.recovery_exit = None
        self.has_gap_acks = False
        self.burst_base_bytes = {}

    def begin_congestion_of_paths(self):
        """7.2.1: the initial values, for paths that have none yet."""
        for path in self.paths.values():
            if path.cwnd == 0:
                self.begin_congestion(path)

    def begin_congestion(self, path):
        initial = self.policy.initial_ssthresh_bytes
        path.ssthresh = (self.peer_rwnd_max if initial is None else initial) or 65535
        path.partial_bytes_acked = 0
        self.set_cwnd(path, self.initial_cwnd(path), "initial")

    def initial_cwnd(self, path):
        """7.2.1."""
        unit = self.cwnd_unit_bytes(path)
        packets = self.policy.initial_cwnd_packets
        if packets is not None:
            return packets * unit
        limit = INITIAL_CWND_BYTES_IPV6 if ":" in path.address else INITIAL_CWND_BYTES_IPV4
        return min(4 * unit, max(2 * unit, limit))

    def cwnd_unit_bytes(self, path):
        """What the clauses call PMDCS; by policy something larger."""
        unit = self.policy.cwnd_unit
        if unit == "pmdcs":
            return self.pmdcs(path)
        return path.pmtu if unit == "pmtu" else path.pmtu - path.header_bytes() + COMMON_HEADER_BYTES

    def set_cwnd(self, path, cwnd, cause):
        path.cwnd = cwnd
        self.record("cwnd", path=path.address, cwnd_bytes=cwnd, ssthresh_bytes=path.ssthresh, outstanding_bytes=path.flight_bytes, cause=cause)

    # What may be sent.
    def cwnd_allows(self, path, used_bytes, size_bytes, is_new=True):
        """6.1 B: less than cwnd is outstanding; the packet that is being filled (used_bytes of it, in flight already) may go beyond it with new data.
        6.1 C: retransmissions may not. 7.2.1: one packet after a timeout."""
        if path.cwnd == 0:
            self.begin_congestion(path)
        before = path.flight_bytes - used_bytes
        if before == 0:
            if used_bytes == 0:
                self.decay_cwnd(path)
                return True
        elif path.one_packet:
            return False
        cwnd = self.cwnd_for_burst(path)
        if before + used_bytes + size_bytes <= cwnd:
            return True
        may_go_beyond = self.policy.overbooks if is_new else self.policy.overbooks_retransmissions
        return may_go_beyond and before < cwnd and used_bytes + size_bytes <= self.pmdcs(path)

    def cwnd_for_burst(self, path):
        """6.1 D: cwnd, for the moment limited by Max.Burst."""
        if self.policy.burst_method == "cwnd" and self.policy.max_burst_packets:
            return min(path.cwnd, self.burst_base_bytes.get(path, path.flight_bytes) + self.policy.max_burst_packets * self.cwnd_unit_bytes(path))
        return path.cwnd

    def burst_limit_packets(self, path):
        """6.1 D: how many packets with DATA leave at once."""
        self.burst_base_bytes = {path: path.flight_bytes}
        if self.policy.max_burst_packets and self.policy.burst_method == "packets":
            return self.policy.max_burst_packets
        return UNLIMITED_PACKETS

    def decay_cwnd(self, path):
        """7.2.1: while nothing is sent, max(cwnd / 2, 4 * PMDCS) once per RTO; never more than it was (see disagreements.md)."""
        if not self.policy.decays_when_idle or path.sent_data_ns is None:
            return
        floor = 4 * self.cwnd_unit_bytes(path)
        rtos = (self.simulation.now_ns - path.sent_data_ns) // path.rto_ns
        if rtos < 1 or path.cwnd <= floor:
            return
        path.ssthresh = path.cwnd
        self.set_cwnd(path, max(path.cwnd >> min(rtos, 40), floor), "idle")

    def set_cwnd_by_heartbeat(self, path):
        """What Linux makes of 7.2.1 for a path that is idle."""
        path.one_packet = self.marked_waits = False
        self.set_cwnd(path, max(path.cwnd >> 1, 4 * self.cwnd_unit_bytes(path)), "idle")

    # Growth (7.2.1, 7.2.2).
    def adjust_cwnd(self, acked, flight_before, advances):
        """For each path of which a SACK newly acks data; by policy only if the Cumulative TSN Ack Point advances, as RFC 4960 7.2.1 had it."""
        advances = advances or not self.policy.growth_needs_cum_tsn
        for path, size_bytes in acked.items():
            if path.is_removed or path.cwnd == 0:
                continue
            was_full = self.cwnd_was_full(path, flight_before.get(path, 0))
            if path.cwnd <= path.ssthresh:
                if advances and was_full and self.recovery_exit is None:
                    self.set_cwnd(path, path.cwnd + self.slow_start_growth(path, size_bytes), "slow_start")
            else:
                self.avoid_congestion(path, size_bytes, was_full, advances)
            if path.unacked == 0:
                path.partial_bytes_acked = 0

    def cwnd_was_full(self, path, flight_bytes):
        """7.2.1: fully utilized, which no clause defines."""
        return flight_bytes + (self.pmdcs(path) if self.policy.full_cwnd == "no_room" else 0) >= path.cwnd

    def slow_start_growth(self, path, size_bytes):
        """7.2.1: the lesser of what was acked and L * PMDCS."""
        limit = self.policy.slow_start_l
        return min(size_bytes, path.cwnd if limit is None else limit * self.cwnd_unit_bytes(path))

    def avoid_congestion(self, path, size_bytes, was_full, advances):
        """7.2.2; in Fast Recovery cwnd does not change (7.2.4 (6))."""
        path.partial_bytes_acked += size_bytes
        if path.partial_bytes_acked > path.cwnd and not was_full:
            path.partial_bytes_acked = path.cwnd
        elif path.partial_bytes_acked >= path.cwnd and was_full and advances and self.recovery_exit is None:
            path.partial_bytes_acked -= path.cwnd
            self.set_cwnd(path, path.cwnd + self.cwnd_unit_bytes(path), "congestion_avoidance")

    # Loss (7.2.3, 7.2.4).
    def count_misses(self, newest, highest, advances):
        """HTNA: miss indications for what is below the highest TSN newly acked; in Fast Recovery, where the Cumulative TSN Ack Point advances, for
        all that is reported missing. newest: that TSN, None if nothing was newly acked; highest: the highest TSN acked by the SACK."""
        if self.policy.fast_retransmit == "none":
            return
        limit = highest if self.recovery_exit is not None and advances else newest
        if limit is None or not self.has_gap_acks:
            return
        lost = []
        for tsn, out in self.outstanding.items():
            if tsn >= limit:
                break
            if out.is_gap_acked or out.is_abandoned or tsn in self.marked:
                continue
            if out.is_fast_retransmitted and self.policy.fast_retransmits_again == "later" and limit < out.next_tsn_at_sending:
                continue
            out.misses += 1
            if out.misses >= self.misses_to_retransmit() and self.may_be_fast_retransmitted(out):
                lost.append(out)
        if lost:
            self.begin_fast_retransmit(lost)

    def misses_to_retransmit(self):
        """7.2.4: the third."""
        return MISSES_TO_RETRANSMIT

    def may_be_fast_retransmitted(self, out):
        """7.2.4 (5): once."""
        return not out.is_fast_retransmitted or (self.policy.fast_retransmits_again != "never" and out.transmissions > 1)

    def begin_fast_retransmit(self, lost):
        """7.2.4 (1) to (6); what has been sent as often as its message allows is abandoned (RFC 3758 3.5 F5 wants the same of cwnd)."""
        not_in_recovery = self.recovery_exit is None
        paths = list(dict.fromkeys(out.path for out in lost))
        if not_in_recovery:
            for path in paths:
                self.shrink_cwnd_by_loss(path)
            self.recovery_exit = max(self.outstanding)
        for out in lost:
            out.is_fast_retransmitted = True
            out.misses = 0
            if not self.abandon_before_retransmission(out):
                self.mark(out, "fast", self.fast_path(out))
        if (not_in_recovery or self.policy.fast_ignores_cwnd != "first") and self.marked:
            self.begin_retransmission(self.fast_path(lost[0]), is_timeout=False)
        self.advance_peer_ack_point(by_sack=False)

    def fast_path(self, out):
        """6.4: the same path; or the primary if that has changed since."""
        path = out.path
        if path.is_removed or (self.policy.fast_path == "primary" and self.primary_changed and path is not self.primary):
            return self.data_path()
        return path

    def shrink_cwnd_by_loss(self, path):
        """7.2.3."""
        path.ssthresh = max(path.cwnd // 2, 4 * self.cwnd_unit_bytes(path))
        path.partial_bytes_acked = 0
        self.set_cwnd(path, path.ssthresh, "fast_retransmit")

    def shrink_cwnd_by_timeout(self, path):
        """7.2.3, 6.3.3 E1."""
        path.ssthresh = max(path.cwnd // 2, 4 * self.cwnd_unit_bytes(path))
        path.partial_bytes_acked = 0
        self.set_cwnd(path, path.pmtu if self.policy.timeout_cwnd_is_pmtu else self.cwnd_unit_bytes(path), "timeout")

    def leave_fast_recovery(self, cum):
        """6.2.1 D iv."""
        if self.recovery_exit is not None and cum >= self.recovery_exit:
            self.recovery_exit = None
