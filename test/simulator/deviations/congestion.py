# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations of congestion control (RFC 9260 6.1 B to D, 7.2). What shows is a packet that should have waited."""

from .. import occasions as o
from ..clock import MILLISECOND_NS as MS
from ..deviation import FACTS, MUST, PACKETS, PARAMETER, SHOULD, Decisions, row
from ..endpoint.congestion import INITIAL_CWND_BYTES_IPV4

# For how long a host may leave SACKs waiting that have passed the tap.
BUSY_NS = 40 * MS


class Beyond(Decisions):
    """Notes packets with DATA that leave while more is outstanding than fits into the largest window that a conforming endpoint could have
    (allowed_bytes): L of 7.2.1 is free, RFC 4960 has the PMTU in the place of PMDCS, and headers of chunks need not count."""

    def begin_congestion(self, path):
        super().begin_congestion(path)
        self.most_of(path)

    def most_of(self, path):
        """[the most that cwnd can be, and ssthresh], which the caller may change."""
        initial = min(4 * path.pmtu, max(2 * path.pmtu, INITIAL_CWND_BYTES_IPV4))
        return self.__dict__.setdefault("most", {}).setdefault(path.address, [initial, float("inf")])

    def adjust_cwnd(self, acked, flight_before, advances):
        """7.2.1, 7.2.2: to what was outstanding, a packet and what is acked, at the most. A busy host takes SACKs late: what the last ones let it
        send, twice what they acked, may be outstanding by then."""
        for path, size_bytes in acked.items():
            most, now_ns = self.most_of(path), self.simulation.now_ns
            recent = self.__dict__.setdefault("acked_of_late", {}).setdefault(path.address, [])
            recent[:] = [(time_ns, size) for time_ns, size in recent if now_ns - time_ns < BUSY_NS]
            full = flight_before.get(path, 0) + 2 * sum(size for _, size in recent) + path.pmtu + size_bytes
            slow_start = min(most) + size_bytes
            avoidance = most[0] + -(-size_bytes * path.pmtu // int(most[0]))
            most[0] = max(most[0], min(max(slow_start, avoidance), full))
            recent.append((now_ns, size_bytes))
        super().adjust_cwnd(acked, flight_before, advances)

    def reduce_most(self, path):
        """7.2.3."""
        most = self.most_of(path)
        most[:] = [max(most[0] // 2, 4 * path.pmtu)] * 2

    def shrink_cwnd_by_loss(self, path):
        self.reduce_most(path)
        super().shrink_cwnd_by_loss(path)

    def shrink_cwnd_by_timeout(self, path):
        self.reduce_most(path)
        super().shrink_cwnd_by_timeout(path)

    def decay_cwnd(self, path):
        """7.2.1: whoever is idle may have so much afterwards."""
        most = self.most_of(path)
        most[0] = max(most[0], 4 * path.pmtu)
        super().decay_cwnd(path)

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(out.transmissions == 1 for out in data) and self.outstanding_bytes(path) >= self.allowed_bytes(path) + path.pmtu:
            self.deviates_now(datagram.number)
        return datagram

    def outstanding_bytes(self, path):
        return sum(out.user_bytes for out in self.outstanding.values() if out.path is path and out.is_in_flight)

    def allowed_bytes(self, path):
        return self.most_of(path)[0]


@row(["RFC 9260 6.1", "RFC 9260 7.2"], MUST, "C", FACTS, o.sends_bulk, o.slow_link, o.peer_given(receive_buffer_bytes=262_144))
class IgnoresCwnd(Beyond):
    """DATA is sent as if there were no cwnd, up to the peer's window."""

    def cwnd_allows(self, path, used_bytes, size_bytes, is_new=True):
        super().cwnd_allows(path, used_bytes, size_bytes, is_new)
        return True

    def burst_limit_packets(self, path):
        return 1000


@row(["RFC 9260 7.2.1"], MUST, "C", FACTS, o.sends_bulk, o.slow_link, o.peer_given(receive_buffer_bytes=262_144))
class InitialCwndTooLarge(Beyond):
    """cwnd begins with 30 packets."""

    def initial_cwnd(self, path):
        return 30 * self.pmdcs(path)

    def burst_limit_packets(self, path):
        return 1000


@row(["RFC 9260 7.2.1"], MUST, "C", FACTS, o.sends_bulk, o.slow_link, o.peer_given(receive_buffer_bytes=262_144))
class SlowStartTooFast(Beyond):
    """In slow start each SACK adds four times what it acks to cwnd."""

    def slow_start_growth(self, path, size_bytes):
        return 4 * size_bytes


@row(
    ["RFC 9260 7.2.2"],
    MUST,
    "C",
    FACTS,
    o.sends_bulk,
    o.sends_bulk,
    o.slow_link,
    o.own_given(initial_ssthresh_bytes=None),
    o.peer_given(receive_buffer_bytes=262_144),
    lambda draft: draft.lose(draft.own, 0, loss=0.01),
)
class AvoidanceTooFast(Beyond):
    """In congestion avoidance each SACK adds a packet to cwnd."""

    def avoid_congestion(self, path, size_bytes, was_full, advances):
        self.set_cwnd(path, path.cwnd + self.pmdcs(path), "congestion_avoidance")


@row(
    ["RFC 9260 7.2.1", "RFC 9260 6.3.3"],
    MUST,
    "C",
    FACTS,
    o.sends_bulk,
    o.own_outage,
    lambda draft: draft.lose(draft.own, 0, rate_bits_per_s=3_000_000, queue_bytes=200_000),
)
class TimeoutKeepsCwnd(Beyond):
    """A timeout leaves cwnd as it is, and all that timed out is retransmitted at once."""

    timed_out = None

    def shrink_cwnd_by_timeout(self, path):
        self.timed_out = path

    def end_retransmission(self, path):
        self.due_path = None

    def emit(self, path, chunks, data=(), tag=None):
        """Another path, to which the data goes, keeps its cwnd."""
        datagram = super(Beyond, self).emit(path, chunks, data, tag)
        is_second = any(out.cause == "timeout" for out in data) and path.flight_bytes > self.pmdcs(path)
        if is_second and path is self.timed_out:
            self.deviates_now(datagram.number)
        return datagram

    def burst_limit_packets(self, path):
        return 1000


@row(["RFC 9260 7.2.3", "RFC 9260 7.2.4"], SHOULD, "C", FACTS, o.sends_bulk, o.slow_link, lambda draft: draft.lose(draft.own, 0, loss=0.02))
class LossKeepsCwnd(Beyond):
    """A fast retransmission leaves cwnd as it is."""

    def shrink_cwnd_by_loss(self, path):
        self.reduce_most(path)


@row(
    ["RFC 9260 6.1"],
    SHOULD,
    "C",
    FACTS,
    o.sends_bulk,
    o.slow_link,
    o.own_loss,
    never_shows="Each message that the user hands over is an occasion to send Max.Burst packets (6.1 D), of what waited before as well: a user who hands "
    "over several as the association takes them makes the same burst.",
)
class UnlimitedBursts(Decisions):
    """Max.Burst does not limit how many packets leave at once."""

    def burst_limit_packets(self, path):
        super().burst_limit_packets(path)
        self.burst = 0
        return 1000

    def cwnd_for_burst(self, path):
        return path.cwnd

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        self.burst = getattr(self, "burst", 0) + bool(data)
        if self.burst > (self.policy.max_burst_packets or 4) + 1:
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 7.2.1"], SHOULD, "C", FACTS, o.idle_between, o.peer_given(receive_buffer_bytes=262_144))
class IdleKeepsCwnd(Beyond):
    """cwnd of a path that was idle for many RTOs is as large as before."""

    def decay_cwnd(self, path):
        rtos = 0 if path.sent_data_ns is None else (self.simulation.now_ns - path.sent_data_ns) // path.rto_ns
        if rtos:
            most = self.most_of(path)
            most[:] = [max(int(most[0]) >> rtos, 4 * path.pmtu), most[0]]

    def burst_limit_packets(self, path):
        return 1000


@row(["RFC 9260 7.2.4"], MUST, "E", PACKETS, o.sends_bulk, o.own_loss)
class FastRetransmitTooEarly(Decisions):
    """The first miss indication leads to a fast retransmission."""

    def misses_to_retransmit(self):
        return 1

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(out.cause == "fast" and out.misses < 3 for out in data):
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 7.2.4"], MUST, "F", PARAMETER, o.sends_bulk, lambda draft: draft.lose(draft.own, None, loss=0.15))
class FastRetransmitTwice(Decisions):
    """A chunk that was fast retransmitted is fast retransmitted again."""

    def may_be_fast_retransmitted(self, out):
        if out.is_fast_retransmitted:
            if out.misses < 6 + 3 * out.transmissions:
                return False
            self.twice = out.tsn
        return True

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(out.tsn == getattr(self, "twice", None) and out.cause == "fast" for out in data):
            self.deviates_now(datagram.number)
            self.twice = None
        return datagram


@row(["RFC 9260 7.2.4"], SHOULD, "D", PACKETS, o.sends_bulk, o.own_loss)
class NoFastRetransmit(Decisions):
    """However often a chunk is reported missing, it waits for T3-rtx."""

    def begin_fast_retransmit(self, lost):
        self.deviates_now()
