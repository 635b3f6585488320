# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations of the sender of DATA (RFC 9260 3.3.1, 5.1.1, 6.1, 6.3, 6.5, 6.9). Leaves out cwnd and Fast Retransmit (congestion.py)."""

from .. import occasions as o
from .. import wire
from ..clock import MILLISECOND_NS as MS
from ..clock import SECOND_NS as S
from ..deviation import FACTS, MUST, PACKETS, SHOULD, Decisions, latest_ns, row, with_value, with_word, word


# --- TSN, SSN, stream -------------------------------------------------------------------------------------------------


class Numbered(Decisions):
    """Makes a chunk as the endpoint does, and notes the packet that bears it where wrong() changed something."""

    def make_chunk(self, message, user_bytes, path):
        is_wrong = self.before_chunk(message) if self.turn() else False
        out = super().make_chunk(message, user_bytes, path)
        if is_wrong:
            self.deviates_with(out.chunk)
        return out

    def before_chunk(self, message):
        """Changes a number; True: it did."""


@row(["RFC 9260 3.3.1"], SHOULD, "C", PACKETS, o.sends)
class TsnSkipped(Numbered):
    """A TSN is left out between two messages."""

    def before_chunk(self, message):
        if self.next_tsn == self.initial_tsn or message.is_begun or getattr(self, "has_skipped", False):
            return False
        self.has_skipped = True
        self.next_tsn += 1
        return True


@row(["RFC 9260 3.3.1", "RFC 9260 5.1"], MUST, "C", PACKETS, o.sends)
class TsnBeginsElsewhere(Numbered):
    """The first TSN is not the Initial TSN of the own INIT or INIT ACK."""

    def before_chunk(self, message):
        if self.next_tsn != self.initial_tsn:
            return False
        self.next_tsn += 1
        return True


@row(["RFC 9260 6.5", "RFC 9260 3.3.1"], MUST, "C", PACKETS, o.sends)
class SsnSkipped(Numbered):
    """A Stream Sequence Number is left out."""

    def before_chunk(self, message):
        if message.is_begun or not message.is_ordered or not self.out_streams[message.stream].next_ssn:
            return False
        self.out_streams[message.stream].next_ssn += 1
        return True


@row(["RFC 9260 6.5"], MUST, "C", PACKETS, o.sends)
class SsnRepeated(Numbered):
    """Two ordered messages have the same Stream Sequence Number."""

    def before_chunk(self, message):
        if message.is_begun or not message.is_ordered or not self.out_streams[message.stream].next_ssn:
            return False
        self.out_streams[message.stream].next_ssn -= 1
        return True


@row(["RFC 9260 6.5"], MUST, "C", PACKETS, o.sends)
class SsnBeginsAtOne(Numbered):
    """The first Stream Sequence Number of a stream is 1."""

    def before_chunk(self, message):
        stream = self.out_streams[message.stream]
        if message.is_begun or not message.is_ordered or stream.next_ssn:
            return False
        stream.next_ssn = 1
        return True


@row(["RFC 9260 5.1.1", "RFC 9260 6.5"], MUST, "C", PACKETS, o.sends)
class StreamOutOfRange(Decisions):
    """DATA on a stream that was not negotiated."""

    def encode_data(self, tsn, message, data, beginning, ending, immediate):
        chunk = super().encode_data(tsn, message, data, beginning, ending, immediate)
        return self.deviates_with(with_word(chunk, 4, self.outbound_streams + 7, 2)) if self.turn() else chunk


class Fragmenting(Decisions):
    """encode_data of fragments, changed by fragment(chunk, number, ending)."""

    def encode_data(self, tsn, message, data, beginning, ending, immediate):
        chunk = super().encode_data(tsn, message, data, beginning, ending, immediate)
        if beginning and ending:
            return chunk
        other = self.fragment(chunk, message.next_fsn, ending)
        if other is None or not self.turn():
            return chunk
        return self.deviates_with(other)


@row(["RFC 9260 6.9", "RFC 9260 3.3.1"], MUST, "C", PACKETS, o.sends_fragments)
class FragmentWithOtherSsn(Fragmenting):
    """A fragment of an ordered message has another Stream Sequence Number."""

    def fragment(self, chunk, number, ending):
        return with_word(chunk, 6, word(chunk, 6, 2) + 1, 2) if number else None


@row(["RFC 9260 6.9"], MUST, "C", PACKETS, o.sends_fragments)
class FragmentOnOtherStream(Fragmenting):
    """A fragment of a message stands in another stream."""

    def fragment(self, chunk, number, ending):
        return with_word(chunk, 4, word(chunk, 4, 2) ^ 1, 2) if number else None


@row(["RFC 9260 6.9"], MUST, "A", PACKETS, o.sends_fragments)
class FragmentWithSecondBeginning(Fragmenting):
    """A fragment that is not the first has the B bit."""

    def fragment(self, chunk, number, ending):
        return with_value(chunk, chunk.value, chunk.flags | wire.FLAG_B) if number else None


@row(["RFC 9260 6.9"], MUST, "A", PACKETS, o.sends_fragments)
class LastFragmentWithoutEnd(Fragmenting):
    """The last fragment of a message has no E bit."""

    def fragment(self, chunk, number, ending):
        return with_value(chunk, chunk.value, chunk.flags & ~wire.FLAG_E) if ending else None

    def make_chunk(self, message, user_bytes, path):
        """It shows in the chunk that follows as well."""
        follows, self.follows = getattr(self, "follows", False), False
        out = super().make_chunk(message, user_bytes, path)
        self.follows = message.is_chunked and message.next_fsn > 1
        if follows:
            self.deviates_with(out.chunk)
        return out


@row(["RFC 9260 6.9"], MUST, "A", PACKETS, o.sends_fragments)
class FirstFragmentWithoutBeginning(Fragmenting):
    """The first fragment of a message has no B bit."""

    def fragment(self, chunk, number, ending):
        return with_value(chunk, chunk.value, chunk.flags & ~wire.FLAG_B) if not number else None


@row(["RFC 9260 6.9", "RFC 9260 3.3.1"], MUST, "C", PACKETS, o.sends_fragments)
class FragmentUnordered(Fragmenting):
    """A fragment of an ordered message has the U bit."""

    def fragment(self, chunk, number, ending):
        return with_value(chunk, chunk.value, chunk.flags ^ wire.FLAG_U) if number else None


@row(["RFC 9260 3.3.1", "RFC 9260 6.9"], MUST, "C", PACKETS, o.sends_fragments, lambda draft: draft.steps[draft.own].append(o.Send(20, (50, 100))))
class FragmentsTornApart(Decisions):
    """Between the fragments of a message there are TSNs of other messages."""

    torn, has_torn = None, False

    def next_message(self, packet_stream):
        """Once, while a message is unfinished, the first one of another stream."""
        if self.unfinished is not None and self.torn is None and not self.has_torn:
            others = [stream for stream in self.busy_streams.values() if stream.queue and stream.queue[0] is not self.unfinished]
            if others:
                return others[0].queue[0]
        return super().next_message(packet_stream)

    def make_chunk(self, message, user_bytes, path):
        """It shows in what comes between, and in the fragment after that."""
        if self.unfinished is not None and message is not self.unfinished:
            self.torn = self.unfinished
        out = super().make_chunk(message, user_bytes, path)
        if self.torn is not None:
            self.deviates_with(out.chunk)
            if message is self.torn:
                self.torn, self.has_torn = None, True
            elif message.is_chunked:
                self.unfinished = self.torn
        return out


@row(["RFC 9260 6.9"], MUST, "A", PACKETS, o.sends)
class WholeMessageWithoutEnd(Decisions):
    """A message in one chunk has no E bit."""

    is_unfinished = False

    def encode_data(self, tsn, message, data, beginning, ending, immediate):
        """It shows in the chunk that follows as well."""
        chunk = super().encode_data(tsn, message, data, beginning, ending, immediate)
        follows, self.is_unfinished = self.is_unfinished, beginning and ending and self.turn()
        if self.is_unfinished:
            chunk = with_value(chunk, chunk.value, chunk.flags & ~wire.FLAG_E)
        return self.deviates_with(chunk) if self.is_unfinished or follows else chunk


# --- retransmissions --------------------------------------------------------------------------------------------------


class Again(Decisions):
    """Changes the chunk of a retransmission by again(chunk)."""

    def chunk_of_retransmission(self, out):
        return self.deviates_with(self.again(out.chunk)) if self.turn() else out.chunk


@row(["RFC 9260 6.9", "RFC 9260 6.3.3"], MUST, "C", PACKETS, o.sends, o.own_loss)
class RetransmissionWithOtherData(Again):
    """A retransmission bears other bytes than the first transmission."""

    def again(self, chunk):
        return with_value(chunk, chunk.value[:12] + bytes(byte ^ 0x5A for byte in chunk.value[12:]))


@row(["RFC 9260 6.9", "RFC 9260 6.3.3"], MUST, "C", PACKETS, o.sends, o.own_loss)
class RetransmissionCut(Again):
    """A retransmission is shorter than the first transmission."""

    def again(self, chunk):
        return with_value(chunk, chunk.value[: 12 + (len(chunk.value) - 12 + 1) // 2])


@row(["RFC 9260 6.5", "RFC 9260 6.3.3"], MUST, "C", PACKETS, o.sends, o.own_loss)
class RetransmissionWithOtherSsn(Again):
    """A retransmission has another Stream Sequence Number."""

    def again(self, chunk):
        return with_word(chunk, 6, word(chunk, 6, 2) + 3, 2)


@row(["RFC 9260 3.3.1", "RFC 9260 6.3.3"], MUST, "C", PACKETS, o.sends, o.own_loss)
class RetransmissionWithOtherPpid(Again):
    """A retransmission has another Payload Protocol Identifier."""

    def again(self, chunk):
        return with_word(chunk, 8, word(chunk, 8) + 1)


@row(["RFC 9260 6.2.1", "RFC 9260 6.3.3"], SHOULD, "F", PACKETS, o.sends, o.one_path)
class RetransmitsAcked(Decisions):
    """DATA that is cumulatively acked is retransmitted."""

    def ack_up_to(self, cum):
        first = self.outstanding.get(self.cum_acked + 1)
        acked = super().ack_up_to(cum)
        if first is not None and first.tsn <= cum and not first.is_abandoned and self.state == "ESTABLISHED" and self.turn():
            self.simulation.after(first.path.rto_ns // 2, self.send_once_more, first)
        return acked

    def send_once_more(self, out):
        if self.state == "ESTABLISHED" and not out.path.is_removed:
            self.note_packet(self.emit(out.path, [out.chunk]))


@row(["RFC 9260 6.2.1", "RFC 9260 6.3.3"], SHOULD, "F", PACKETS, o.sends_bulk, o.own_loss, o.one_path)
class RetransmitsGapAcked(Decisions):
    """At a timeout chunks that gap blocks have acked are retransmitted as well."""

    def begin_fast_retransmit(self, lost):
        """Leaves all to T3-rtx."""

    def t3_expired(self, path):
        known = [out for out in self.outstanding.values() if out.is_gap_acked][:2]
        super().t3_expired(path)
        if known and not self.is_gone:
            self.note_packet(self.emit(path, [out.chunk for out in known]))


@row(["RFC 9260 6.4", "RFC 9260 6.4.1"], SHOULD, "C", PACKETS, o.sends, o.dead_primary)
class RetransmitsToSamePath(Decisions):
    """After each timeout DATA goes to the address that did not answer, though another one is active."""

    def timeout_path(self, path):
        self.is_same = True
        return path

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(out.cause == "timeout" for out in data) and self.answering_path(path) is not None:
            self.deviates_now(datagram.number)
        return datagram


@row(
    ["RFC 9260 6.1"],
    MUST,
    "C",
    PACKETS,
    o.sends_bulk,
    o.own_loss,
    never_shows="What is marked goes first as far as cwnd has room for it (6.1 C), and new data may exceed cwnd by a packet (6.1 B): a chunk that does not fit "
    "may wait while new data goes. Which chunks are marked, and how large cwnd is, is inside the sender.",
)
class NewBeforeRetransmission(Decisions):
    """New DATA leaves before DATA that is marked for retransmission."""

    def take_data(self, path, room_bytes, ignores_cwnd=False):
        if self.marked and self.busy_streams and not ignores_cwnd and self.turn():
            data = []
            self.take_new(path, room_bytes, data)
            if data:
                self.note_sent(path, data)
                self.deviates_with(data[0].chunk)
                return data
        return super().take_data(path, room_bytes, ignores_cwnd)


# --- T3-rtx -----------------------------------------------------------------------------------------------------------


class Timed(Decisions):
    """Notes packets with DATA retransmitted for a timeout, with the last packet that bore the chunk."""

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        where = self.endpoint.__dict__.setdefault("sent_where", {})
        for out in data:
            before = where.get(out.tsn)
            if out.cause == "timeout" and before is not None and self.is_wrong(out):
                self.deviates_now(before, datagram.number)
            where[out.tsn] = datagram.number
        return datagram

    def is_wrong(self, out):
        return True


@row(["RFC 9260 6.3.3", "RFC 9260 6.3.2"], MUST, "D", FACTS, o.sends, o.own_outage)
class NeverRetransmits(Timed):
    """T3-rtx expires, and nothing is retransmitted."""

    def t3_expired(self, path):
        earliest = self.earliest_unacked(path)
        self.deviates_now(self.endpoint.last_sent, self.endpoint.sent_where.get(earliest.tsn) if earliest else None)

    def begin_fast_retransmit(self, lost):
        self.deviates_now()


@row(["RFC 9260 6.3.3"], MUST, "E", FACTS, o.sends_slowly, o.own_outage)
class T3WithoutBackoff(Timed):
    """The RTO is not doubled when T3-rtx expires."""

    def back_off_rto(self, path):
        """E2 is not done."""

    def is_wrong(self, out):
        return out.transmissions > 2


@row(["RFC 9260 6.3.1", "RFC 9260 6.3.2"], SHOULD, "E", FACTS, o.sends_slowly, o.own_outage)
class T3Early(Timed):
    """T3-rtx expires after 100 ms, far below RTO.Min."""

    def t3_delay_ns(self, path):
        return 100 * MS


@row(["RFC 9260 6.3.2", "RFC 9260 6.3.1"], MUST, "E", FACTS, o.sends_slowly, o.own_outage)
class T3Late(Timed):
    """T3-rtx expires after four times the RTO."""

    def t3_delay_ns(self, path):
        return 4 * path.rto_ns + S


@row(["RFC 9260 6.3.1"], MUST, "E", FACTS, o.sends_slowly, o.long_outage)
class RtoWithoutMaximum(Timed):
    """The RTO grows beyond RTO.Max."""

    def back_off_rto(self, path):
        path.rto_ns *= 4

    def is_wrong(self, out):
        return out.transmissions > 2


@row(["RFC 9260 6.3.2"], SHOULD, "E", FACTS, o.sends_bulk, o.slow_link, o.one_path)
class T3NotRestarted(Timed):
    """The acknowledgement of the earliest TSN does not restart T3-rtx."""

    def restarts_t3_at_progress(self):
        return False

    def t3_delay_ns(self, path):
        """Short enough that a transfer lasts longer, long enough that each chunk is acked before."""
        return max(path.rto_ns // 2, 600 * MS)


@row(["RFC 9260 6.3.2"], MUST, "E", FACTS, o.sends_slowly, o.one_path)
class T3NotStopped(Decisions):
    """T3-rtx runs on after everything is acked, and what was sent last is retransmitted."""

    def update_t3(self, earliest):
        for path, out in earliest.items():
            if path.unacked == 0 and not path.is_removed:
                self.last_out = out

    def t3_expired(self, path):
        out = getattr(self, "last_out", None)
        if path.unacked or out is None or self.state != "ESTABLISHED":
            super().t3_expired(path)
            return
        self.note_packet(self.emit(path, [out.chunk]))


@row(["RFC 9260 6.3.2", "RFC 9260 7.2.4"], MUST, "E", FACTS, o.sends_bulk, o.own_loss, o.one_path)
class TimerPerChunk(Timed):
    """Each chunk has a timer of its own, which starts when it is sent; all that expire are retransmitted, one packet each, and nothing before."""

    def note_sent(self, path, data):
        super().note_sent(path, data)
        path.t3.stop()
        for out in data:
            self.simulation.after(path.rto_ns, self.chunk_timer_expired, out, out.transmissions)

    def start_t3(self, path):
        """There is none."""

    def begin_fast_retransmit(self, lost):
        """Leaves all to the timers."""
        self.deviates_now()

    def chunk_timer_expired(self, out, transmissions):
        if self.outstanding.get(out.tsn) is not out or out.is_gap_acked or out.is_abandoned or out.transmissions != transmissions or self.is_gone:
            return
        self.mark(out, "timeout", out.path)
        del self.marked[out.tsn]
        self.note_retransmission(out, out.path)
        self.note_sent(out.path, [out])
        self.emit(out.path, [], [out])


@row(["RFC 9260 6.3.3"], MUST, "E", FACTS, o.sends_slowly, o.own_outage, o.receives_slowly)
class TimersOnlyOnReceipt(Timed):
    """Timers are looked at only when a packet comes: T3-rtx expires late."""

    def t3_expired(self, path):
        self.due = path

    def begin_received_packet(self, packet, datagram):
        super().begin_received_packet(packet, datagram)
        path, self.due = getattr(self, "due", None), None
        if path is not None and not path.is_removed:
            self.is_late = self.simulation.now_ns - path.t3.started_ns > latest_ns(path.t3.rto_ns)
            self.simulation.after(1, super().t3_expired, path)

    def is_wrong(self, out):
        return self.is_late


@row(["RFC 9260 8.1"], SHOULD, "F", FACTS, o.sends_slowly, o.long_outage, o.own_given(rto_max_ns=2 * S))
class NeverGivesUp(Timed):
    """Goes on retransmitting beyond Association.Max.Retrans."""

    def count_association_error(self):
        self.errors += 1
        return False

    def is_wrong(self, out):
        return self.errors > self.policy.association_retransmissions_max


@row(["RFC 9260 8.1"], SHOULD, "D", FACTS, o.sends_slowly, o.own_outage)
class GivesUpEarly(Decisions):
    """Gives up the association after one timeout, with an ABORT."""

    def count_association_error(self):
        self.errors += 1
        if self.errors > 1:
            self.send_abort([])
            self.close("error count")
            self.deviates_now(self.endpoint.last_sent)
            return True
        return False


# --- the peer's window ------------------------------------------------------------------------------------------------


@row(["RFC 9260 6.1"], MUST, "C", PACKETS, o.peer_reads_late)
class IgnoresWindow(Decisions):
    """New DATA is sent though the peer's window has no room for it."""

    def window_allows(self, user_bytes):
        self.is_beyond = not super().window_allows(user_bytes)
        return True

    def make_chunk(self, message, user_bytes, path):
        out = super().make_chunk(message, user_bytes, path)
        if getattr(self, "is_beyond", False):
            self.deviates_with(out.chunk)
        return out


@row(["RFC 9260 6.1"], MUST, "D", FACTS, o.peer_reads_late)
class NeverProbes(Decisions):
    """A closed window is never probed."""

    def may_probe(self, data):
        if self.probe_is_due:
            self.deviates_now(self.endpoint.last_sent)
        return False

    def receive_sack(self, chunk):
        result = super().receive_sack(chunk)
        if self.peer_rwnd == 0 and self.busy_streams:
            self.deviates_now()
        return result


@row(["RFC 9260 6.1"], SHOULD, "E", PACKETS, o.peer_reads_late)
class ProbesWithoutPause(Decisions):
    """A closed window is probed every 30 ms."""

    def watch_window(self):
        super().watch_window()
        if self.probe_timer.is_running:
            self.probe_timer.start(30 * MS)
        for path in self.paths.values():
            probe = self.earliest_unacked(path)
            if probe is not None and probe.is_probe and not path.t3.is_running:
                path.t3.start(30 * MS)

    def t3_delay_ns(self, path):
        earliest = self.earliest_unacked(path)
        return 30 * MS if earliest is not None and earliest.is_probe else super().t3_delay_ns(path)

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(out.is_probe for out in data):
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 9260 6.1"], MUST, "C", PACKETS, o.peer_reads_late)
class SeveralProbes(Decisions):
    """Several zero window probes are outstanding."""

    def may_probe(self, data):
        if self.flight_user_bytes or data:
            return self.flight_user_bytes < 4000
        return super().may_probe(data)

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(out.is_probe for out in data) and sum(out.is_in_flight for out in self.outstanding.values()) > 1:
            self.deviates_now(datagram.number)
        return datagram
