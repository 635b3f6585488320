# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations of the receiver of DATA (RFC 9260 3.3.4, 5.1, 6.2, 6.4, 6.7; RFC 7053): when a SACK leaves, and what it says."""

from .. import occasions as o
from .. import wire
from ..clock import MILLISECOND_NS as MS
from ..deviation import FACTS, HOST_AT_ONCE_NS, LOST_BEHIND, MUST, PACKETS, SHOULD, Decisions, omitting, row, word

SACK = (wire.SACK,)


# --- when -------------------------------------------------------------------------------------------------------------

omitting("no-sack", "DATA is never acknowledged.", ["RFC 9260 6.2"], MUST, "D", PACKETS, SACK, o.receives, always=True)


class Late(Decisions):
    """A SACK that leaves by the timer, noted with the packets of DATA that it was due for, if it is later than a busy host makes it."""

    def end_received_packet(self):
        if self.packet_has_data and not self.ack_is_due:
            self.waiting_since = getattr(self, "waiting_since", []) + [(self.endpoint.receiving, self.simulation.now_ns)]
        super().end_received_packet()

    def acknowledged(self, sack):
        waiting, self.waiting_since = getattr(self, "waiting_since", []), []
        late = [number for number, since_ns in waiting if self.simulation.now_ns - since_ns > HOST_AT_ONCE_NS]
        if getattr(self, "is_late", False) and late:
            made = self.endpoint.deviation
            made.note(late)
            self.deviates_with(sack)
        self.is_late = False
        super().acknowledged(sack)


@row(["RFC 9260 6.2"], MUST, "E", FACTS, o.receives_slowly)
class SackDelayedTooLong(Late):
    """SACKs wait for more than 500 ms."""

    def sack_delay_ns(self):
        self.is_late = True
        return self.random.choice([650, 800, 1200]) * MS

    def acks_at_once(self, has_gap):
        """Only the first DATA."""
        return not self.has_acked

    def bundles_pending_sack(self, path):
        return False


@row(["RFC 9260 5.1"], SHOULD, "E", FACTS, o.receives_slowly)
class FirstDataNotAckedAtOnce(Late):
    """The first DATA waits for SACK.Delay."""

    def acks_at_once(self, has_gap):
        if not self.has_acked and not self.sack_timer.is_running:
            self.is_late = True
            return False
        return super().acks_at_once(has_gap)

    def sack_delay_ns(self):
        return 200 * MS

    def bundles_pending_sack(self, path):
        return self.has_acked and super().bundles_pending_sack(path)


@row(["RFC 9260 6.2"], SHOULD, "E", FACTS, o.receives_bulk)
class SackEveryTenthPacket(Late):
    """A SACK for every tenth packet."""

    def acks_at_once(self, has_gap):
        if self.unacked_packets < 10 and self.has_acked:
            self.is_late = self.unacked_packets >= 2
            return False
        return True


@row(["RFC 9260 6.2", "RFC 9260 6.7"], SHOULD, "E", FACTS, o.receives_bulk, o.peer_loss, o.one_path)
class GapNotAckedAtOnce(Late):
    """Packets with DATA after a gap are acknowledged by the timer only."""

    def acks_at_once(self, has_gap):
        if has_gap:
            self.is_late = True
            return False
        return super().acks_at_once(has_gap)

    def sack_delay_ns(self):
        return 200 * MS


@row(["RFC 9260 6.2"], MUST, "E", FACTS, o.receives, o.duplicated, o.one_path)
class DuplicateNotAckedAtOnce(Late):
    """A packet with nothing but duplicates is acknowledged by the timer."""

    def acks_at_once(self, has_gap):
        if self.packet_has_duplicate and not self.packet_has_new:
            self.is_late = True
            return False
        return super().acks_at_once(has_gap)

    def sack_delay_ns(self):
        return 200 * MS


@row(["RFC 9260 6.2"], MUST, "D", LOST_BEHIND, o.receives, o.duplicated, o.one_path)
class DuplicateNotAcked(Decisions):
    """A packet with nothing but duplicates is not acknowledged at all."""

    def end_received_packet(self):
        if self.packet_has_duplicate and not self.packet_has_new and not self.unacked_packets and not self.ack_is_due:
            before = self.acks
            self.deviates_unless(HOST_AT_ONCE_NS, lambda: self.is_gone or self.acks > before)
            self.duplicates = []
            return
        super().end_received_packet()

    acks = 0

    def acknowledged(self, sack):
        self.acks += 1
        super().acknowledged(sack)

    def forget_pending_ack(self):
        self.acks += 1
        super().forget_pending_ack()


@row(["RFC 9260 6.2", "RFC 7053 5.2"], SHOULD, "E", FACTS, o.receives_immediate, o.own_given(sack_packets=2))
class ImmediateNotHeeded(Late):
    """DATA with the I bit waits for SACK.Delay."""

    def acks_at_once(self, has_gap):
        if self.packet_wants_ack and self.has_acked and not has_gap:
            self.is_late = True
            return False
        return super().acks_at_once(has_gap)

    def sack_delay_ns(self):
        return 200 * MS

    def bundles_pending_sack(self, path):
        return False


@row(["RFC 9260 6.2"], MUST, "F", PACKETS, o.receives)
class SackStorm(Decisions):
    """Each packet with DATA is answered by several SACKs."""

    def end_received_packet(self):
        has_data = self.packet_has_data
        super().end_received_packet()
        if has_data and self.state == "ESTABLISHED" and self.turn():
            path = self.sack_path()
            for _ in range(3):
                self.note_packet(self.emit(path, [self.encode_sack(self.cum_tsn, self.a_rwnd(), self.gap_blocks(), [])]))


@row(["RFC 9260 6.2"], MUST, "F", PACKETS, o.receives, o.stays_open)
class SackUnasked(Decisions):
    """SACKs go on every 300 ms after all is acknowledged."""

    def acknowledged(self, sack):
        super().acknowledged(sack)
        if not getattr(self, "goes_on", False):
            self.goes_on = True
            self.simulation.after(300 * MS, self.once_more, 10)

    def once_more(self, left):
        if self.state == "ESTABLISHED" and left:
            self.note_packet(self.emit(self.sack_path(), [self.encode_sack(self.cum_tsn, self.a_rwnd(), self.gap_blocks(), [])]))
            self.simulation.after(300 * MS, self.once_more, left - 1)


@row(["RFC 9260 6.4"], SHOULD, "C", PACKETS, o.receives, o.two_paths, o.own_given(bundles_sack_with_data=False))
class SackElsewhere(Decisions):
    """SACKs go to another address than the DATA came from."""

    def sack_path(self):
        path = super().sack_path()
        self.elsewhere = self.other_path(path)
        return self.elsewhere or path

    def queue_sack(self, path):
        super().queue_sack(path)
        if getattr(self, "elsewhere", None) is not None and self.controls:
            self.deviates_with(self.controls[-1][0])


# --- what a SACK says -------------------------------------------------------------------------------------------------


class Says(Decisions):
    """Changes what the next SACK says: says(cum_tsn, a_rwnd, gaps, duplicates) returns the same four, or None."""

    def encode_sack(self, cum_tsn, a_rwnd, gaps, duplicates):
        other = self.says(cum_tsn, a_rwnd, list(gaps), list(duplicates))
        if other is None or not self.turn():
            return super().encode_sack(cum_tsn, a_rwnd, gaps, duplicates)
        return self.deviates_with(super().encode_sack(*other))


@row(["RFC 9260 3.3.4", "RFC 9260 6.2"], MUST, "C", PACKETS, o.receives)
class CumTsnStuck(Says):
    """The Cumulative TSN Ack stays at the first TSNs, however many came."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        stuck = self.peer_initial_tsn + 2
        return (stuck, a_rwnd, [], duplicates) if cum_tsn > stuck + 2 else None


@row(["RFC 9260 3.3.4", "RFC 9260 6.2"], MUST, "C", PACKETS, o.receives)
class CumTsnGoesBack(Says):
    """A Cumulative TSN Ack lies before one that was sent."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn - 3, a_rwnd, [], duplicates) if cum_tsn > self.peer_initial_tsn + 6 else None


@row(["RFC 9260 3.3.4", "RFC 9260 6.2"], MUST, "C", PACKETS, o.receives)
class AcksNeverSent(Says):
    """The Cumulative TSN Ack lies beyond what the peer has sent."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return cum_tsn + 1000, a_rwnd, [], duplicates


@row(["RFC 9260 3.3.4", "RFC 9260 6.2"], MUST, "C", PACKETS, o.receives, o.peer_given(impossible_gap_answer="ignore"))
class GapAcksNeverSent(Says):
    """A gap block acks what the peer has not sent."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return cum_tsn, a_rwnd, gaps + [(500, 510)], duplicates


@row(["RFC 9260 6.2", "RFC 9260 3.3.4"], MUST, "C", FACTS, o.receives_bulk, o.peer_loss, o.one_path)
class AcksLost(Says):
    """The Cumulative TSN Ack covers DATA that got lost."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (self.highest_tsn(), a_rwnd, [], duplicates) if gaps else None


@row(["RFC 9260 6.2", "RFC 9260 6.7"], MUST, "C", PACKETS, o.receives_bulk, o.peer_loss, o.one_path)
class GapNotReported(Says):
    """What came after a gap is not reported."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn, a_rwnd, [], duplicates) if gaps else None


@row(["RFC 9260 3.3.4"], MUST, "A", PACKETS, o.receives_bulk, o.peer_loss, o.one_path)
class GapBlockReversed(Says):
    """A gap block ends before it begins."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn, a_rwnd, [(end + 1, start) for start, end in gaps], duplicates) if gaps else None


@row(["RFC 9260 3.3.4"], MUST, "C", PACKETS, o.receives)
class GapBlockTouchesCum(Says):
    """A gap block begins right after the Cumulative TSN Ack."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn - 2, a_rwnd, [(1, 2)], duplicates) if cum_tsn > self.peer_initial_tsn + 4 else None


@row(["RFC 9260 3.3.4"], SHOULD, "A", PACKETS, o.receives_bulk, o.peer_loss, o.one_path)
class GapBlocksOverlap(Says):
    """Two gap blocks overlap."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn, a_rwnd, [gaps[0]] + gaps, duplicates) if gaps and gaps[0][0] < gaps[0][1] else None


@row(["RFC 9260 3.3.4"], SHOULD, "A", PACKETS, o.receives_bulk, lambda draft: draft.lose(draft.peer, None, loss=0.15), o.one_path)
class GapBlocksNotAscending(Says):
    """Gap blocks do not ascend."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn, a_rwnd, gaps[::-1], duplicates) if len(gaps) > 1 else None


@row(["RFC 9260 3.3.4", "RFC 9260 6.2"], SHOULD, "D", FACTS, o.receives, o.duplicated, o.one_path)
class DuplicatesNotReported(Says):
    """Duplicate TSNs are not reported that came after a SACK had covered them: others may be one frame that was captured twice."""

    said_cum = -1

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        shown = any(tsn <= self.said_cum for tsn in duplicates)
        return (cum_tsn, a_rwnd, gaps, []) if shown else None

    def acknowledged(self, sack):
        self.said_cum = self.cum_tsn
        super().acknowledged(sack)


@row(["RFC 9260 3.3.4"], MUST, "C", FACTS, o.receives)
class DuplicatesInvented(Says):
    """TSNs are reported as duplicates that came once."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        return (cum_tsn, a_rwnd, gaps, duplicates + [cum_tsn]) if cum_tsn > self.peer_initial_tsn else None


@row(["RFC 9260 3.3.4"], MUST, "C", PACKETS, o.receives, o.duplicated, o.one_path)
class DuplicatesNotForgotten(Says):
    """Duplicates that were reported are reported with each SACK."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        known = self.known = (getattr(self, "known", []) + duplicates)[-20:]
        return (cum_tsn, a_rwnd, gaps, known) if len(known) > len(duplicates) else None


@row(["RFC 9260 6.2"], MUST, "C", FACTS, o.own_reads_late)
class WindowNeverShrinks(Says):
    """a_rwnd is always the whole buffer, though the user reads nothing."""

    def says(self, cum_tsn, a_rwnd, gaps, duplicates):
        full = self.policy.receive_buffer_bytes
        return (cum_tsn, full, gaps, duplicates) if a_rwnd < full - 3000 else None


@row(["RFC 9260 6.2"], MUST, "C", PACKETS, o.receives_bulk, o.receives_bulk, o.own_given(receive_buffer_bytes=65536))
class WindowNeverFreed(Decisions):
    """What the user has read still counts as held: a_rwnd falls to 0 and stays there."""

    def free(self, tsns):
        for tsn in tsns:
            self.held_in.pop(tsn, 0)

    def has_room_for(self, tsn, data):
        return True

    said = None

    def encode_sack(self, cum_tsn, a_rwnd, gaps, duplicates):
        """A user who reads nothing closes the window, too: it shows where data is taken at a closed one, which stays closed."""
        chunk = super().encode_sack(cum_tsn, a_rwnd, gaps, duplicates)
        before, self.said = self.said, (cum_tsn, a_rwnd)
        is_taken = before is not None and a_rwnd == before[1] == 0 and cum_tsn > before[0]
        return self.deviates_with(chunk) if is_taken else chunk


@row(["RFC 9260 6.2"], SHOULD, "D", FACTS, o.own_reads_late)
class NoWindowUpdate(Decisions):
    """The window opens again, and no SACK says so of itself: only the one for the next DATA does."""

    untold = None

    def window_update_is_due(self):
        if super().window_update_is_due():
            self.untold = self.untold or self.endpoint.last_sent
        return False

    def acknowledged(self, sack):
        if self.untold is not None:
            self.deviates_now(self.untold)
            self.deviates_with(sack)
            self.untold = None
        super().acknowledged(sack)


@row(["RFC 9260 6.2"], MUST, "D", PACKETS, o.own_reads_late)
class DroppedDataNotAnswered(Decisions):
    """DATA that is dropped because the window is closed gets no SACK."""

    def end_received_packet(self):
        if self.packet_was_dropped and not self.packet_has_new:
            self.deviates_now()
            return
        super().end_received_packet()


@row(["RFC 9260 6.2"], MUST, "C", FACTS, o.receives, o.one_path)
class DataNeverReceived(Decisions):
    """DATA that arrives is treated as if it had been lost, and never acknowledged."""

    def receive_data(self, chunk):
        tsn = wire.unwrap(word(chunk, 0), self.cum_tsn)
        if tsn == self.peer_initial_tsn + 3:
            self.deviates_now()
            self.packet_has_data = True
            self.last_data_path = self.arrival_path
            return None
        return super().receive_data(chunk)
