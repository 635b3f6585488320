# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations of congestion control (RFC 9260 6.1 B to D, 7.2). What shows is a packet that should have waited."""

from .. import occasions as o
from ..deviation import FACTS, MUST, PACKETS, SHOULD, Decisions, row


class Beyond(Decisions):
    """Notes packets with DATA that leave while more is outstanding than fits into the window that a conforming endpoint would have (allowed_bytes)."""

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if data and path.flight_bytes > self.allowed_bytes(path) + self.pmdcs(path):
            self.deviates_now(datagram.number)
        return datagram

    def allowed_bytes(self, path):
        return path.cwnd


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
        self.conforming_bytes = super().initial_cwnd(path)
        return 30 * self.pmdcs(path)

    def burst_limit_packets(self, path):
        return 1000

    def allowed_bytes(self, path):
        return self.conforming_bytes if self.cum_acked < self.initial_tsn + 2 else path.cwnd + 1


@row(["RFC 9260 7.2.1"], MUST, "C", FACTS, o.sends_bulk, o.slow_link, o.peer_given(receive_buffer_bytes=262_144))
class SlowStartTooFast(Beyond):
    """In slow start each SACK adds four times what it acks to cwnd."""

    def slow_start_growth(self, path, size_bytes):
        self.grown_bytes = getattr(self, "grown_bytes", 0) + 4 * size_bytes - super().slow_start_growth(path, size_bytes)
        return 4 * size_bytes

    def allowed_bytes(self, path):
        return path.cwnd - getattr(self, "grown_bytes", 0)


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
        self.grown_bytes = getattr(self, "grown_bytes", 0) + self.pmdcs(path)
        self.set_cwnd(path, path.cwnd + self.pmdcs(path), "congestion_avoidance")

    def allowed_bytes(self, path):
        return path.cwnd - getattr(self, "grown_bytes", 0)


@row(
    ["RFC 9260 7.2.3", "RFC 9260 6.3.3"],
    MUST,
    "C",
    FACTS,
    o.sends_bulk,
    o.own_outage,
    lambda draft: draft.lose(draft.own, 0, rate_bits_per_s=3_000_000, queue_bytes=200_000),
)
class TimeoutKeepsCwnd(Beyond):
    """A timeout leaves cwnd as it is, and all that timed out is retransmitted at once."""

    def shrink_cwnd_by_timeout(self, path):
        self.has_timed_out = True

    def end_retransmission(self, path):
        self.due_path = None

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super(Beyond, self).emit(path, chunks, data, tag)
        if any(out.cause == "timeout" for out in data) and path.flight_bytes > self.pmdcs(path):
            self.deviates_now(datagram.number)
        return datagram

    def burst_limit_packets(self, path):
        return 1000


@row(["RFC 9260 7.2.3", "RFC 9260 7.2.4"], MUST, "C", FACTS, o.sends_bulk, o.slow_link, lambda draft: draft.lose(draft.own, 0, loss=0.02))
class LossKeepsCwnd(Beyond):
    """A fast retransmission leaves cwnd as it is."""

    def shrink_cwnd_by_loss(self, path):
        self.halved_bytes = max(path.cwnd // 2, 4 * self.pmdcs(path))

    def allowed_bytes(self, path):
        return getattr(self, "halved_bytes", path.cwnd) if self.recovery_exit is not None else path.cwnd


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
        if path.sent_data_ns is not None and self.simulation.now_ns - path.sent_data_ns > 4 * path.rto_ns:
            self.decayed = True

    def allowed_bytes(self, path):
        return 4 * self.pmdcs(path) if getattr(self, "decayed", False) else path.cwnd

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


@row(["RFC 9260 7.2.4"], MUST, "F", PACKETS, o.sends_bulk, lambda draft: draft.lose(draft.own, None, loss=0.15))
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
