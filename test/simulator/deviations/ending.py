# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations in ending an association and in what belongs to none (RFC 9260 8.4, 9.1, 9.2). Leaves out tags and T bits (tags.py)."""

from .. import occasions as o
from .. import wire
from ..clock import MILLISECOND_NS as MS
from ..clock import SECOND_NS as S
from ..deviation import (
    ASKED_UNSEEN,
    FACTS,
    MUST,
    OF_USER,
    OUTAGE,
    PACKETS,
    SHOULD,
    STOPPED,
    Decisions,
    EndpointDecisions,
    altering,
    delaying,
    ignoring,
    omitting,
    row,
    with_word,
    word,
)

SHUTDOWN, SHUTDOWN_ACK, SHUTDOWN_COMPLETE, ABORT = (wire.SHUTDOWN,), (wire.SHUTDOWN_ACK,), (wire.SHUTDOWN_COMPLETE,), (wire.ABORT,)

# --- answers that are missing -----------------------------------------------------------------------------------------

ignoring("shutdown-ignored", "A SHUTDOWN has no effect.", ["RFC 9260 9.2"], MUST, "D", PACKETS, ["receive_shutdown"], o.is_ended)
omitting("no-shutdown-ack", "No SHUTDOWN ACK, though all is acknowledged.", ["RFC 9260 9.2"], MUST, "D", STOPPED, SHUTDOWN_ACK, o.is_ended)
omitting("no-shutdown-complete", "A SHUTDOWN ACK is not answered.", ["RFC 9260 9.2"], MUST, "D", STOPPED, SHUTDOWN_COMPLETE, o.ends_itself)
delaying(
    "shutdown-complete-late",
    "SHUTDOWN COMPLETE comes seconds after the SHUTDOWN ACK.",
    ["RFC 9260 9.2"],
    SHOULD,
    FACTS,
    SHUTDOWN_COMPLETE,
    (2 * S, 4 * S),
    o.ends_itself,
)
ignoring(
    "shutdown-complete-ignored",
    "SHUTDOWN COMPLETE has no effect: SHUTDOWN ACK is repeated.",
    ["RFC 9260 9.2"],
    SHOULD,
    "F",
    PACKETS,
    ["receive_shutdown_complete"],
    o.is_ended,
)
ignoring(
    "shutdown-ack-ignored",
    "A SHUTDOWN ACK has no effect: SHUTDOWN is repeated.",
    ["RFC 9260 9.2"],
    MUST,
    "D",
    PACKETS,
    ["receive_shutdown_ack"],
    o.ends_itself,
)


@row(["RFC 9260 9.2"], MUST, "D", PACKETS, o.is_ended)
class ShutdownAckSkipped(Decisions):
    """A SHUTDOWN is answered by SHUTDOWN COMPLETE."""

    def send_shutdown_ack(self):
        self.shutdown_path = self.reply_path()
        self.queue_control(self.deviates_with(wire.Chunk(wire.SHUTDOWN_COMPLETE)), self.shutdown_path)


@row(["RFC 9260 9.2"], MUST, "D", FACTS, o.ends_itself, o.loses(SHUTDOWN, True, 1))
class ShutdownNeverRepeated(Decisions):
    """A SHUTDOWN that is not answered is never repeated."""

    def t2_shutdown_expired(self):
        self.deviates_now(self.endpoint.last_sent)


@row(["RFC 9260 9.2"], MUST, "D", FACTS, o.is_ended, o.loses(SHUTDOWN_ACK, True, 1))
class ShutdownAckNeverRepeated(Decisions):
    """A SHUTDOWN ACK that is not answered is never repeated, not even for a SHUTDOWN."""

    def t2_shutdown_expired(self):
        self.deviates_now(self.endpoint.last_sent)

    def repeat_shutdown_ack(self):
        self.deviates_now()


@row(["RFC 9260 9.2"], MUST, "D", PACKETS, o.ends_while_receiving)
class DataNotAnsweredWithShutdown(Decisions):
    """In SHUTDOWN-SENT DATA is answered by a SACK alone."""

    def answer_data_while_shutting_down(self, has_gaps_or_duplicates):
        self.deviates_now()
        self.queue_sack(self.reply_path())
        self.start_t2_shutdown()


@row(["RFC 9260 9.2"], MUST, "D", OUTAGE, o.ends_while_receiving)
class DataNotAnsweredWhileShuttingDown(Decisions):
    """In SHUTDOWN-SENT DATA is not answered."""

    def answer_data_while_shutting_down(self, has_gaps_or_duplicates):
        self.deviates_now()


# --- time -------------------------------------------------------------------------------------------------------------


class T2(Decisions):
    """Notes each repetition of SHUTDOWN or SHUTDOWN ACK, with what was sent before."""

    def t2_shutdown_expired(self):
        before = self.endpoint.last_sent
        super().t2_shutdown_expired()
        if not self.is_gone and self.shutdown_retransmissions >= self.noted_from:
            self.deviates_now(before, self.endpoint.last_sent)

    noted_from = 1


@row(["RFC 9260 9.2", "RFC 9260 6.3.3"], MUST, "E", PACKETS, o.ends_itself, o.loses(SHUTDOWN, True, 5))
class ShutdownWithoutBackoff(T2):
    """T2-shutdown does not back off."""

    noted_from = 2

    def backed_off_t2_ns(self, rto_ns):
        return rto_ns


@row(["RFC 9260 9.2", "RFC 9260 6.3.3"], MUST, "E", ASKED_UNSEEN, o.is_ended, o.loses(SHUTDOWN_ACK, True, 5))
class ShutdownAckWithoutBackoff(T2):
    """T2-shutdown of the SHUTDOWN ACK does not back off."""

    noted_from = 2

    def backed_off_t2_ns(self, rto_ns):
        return rto_ns


@row(["RFC 9260 9.2", "RFC 9260 6.3.1"], SHOULD, "E", FACTS, o.ends_itself, o.loses(SHUTDOWN, True, 4))
class ShutdownRepeatedEarly(T2):
    """SHUTDOWN is repeated every 50 ms."""

    def start_t2_shutdown(self):
        super().start_t2_shutdown()
        self.t2_shutdown.start(50 * MS)

    def backed_off_t2_ns(self, rto_ns):
        return 50 * MS


@row(
    ["RFC 9260 9.2"],
    SHOULD,
    "F",
    FACTS,
    o.ends_itself,
    o.loses(SHUTDOWN, True, 60),
    o.own_given(rto_max_ns=2 * S, rto_initial_ns=S, association_retransmissions_max=4, shutdown_guard=False),
)
class ShutdownRepeatedForever(T2):
    """SHUTDOWN is repeated beyond Association.Max.Retrans."""

    def t2_shutdown_expired(self):
        sent = self.endpoint.last_sent
        times = self.times_repeated = getattr(self, "times_repeated", 0) + 1
        self.shutdown_retransmissions = 0
        super(T2, self).t2_shutdown_expired()
        if times > self.policy.association_retransmissions_max:
            self.deviates_now(sent, self.endpoint.last_sent)


# --- what a SHUTDOWN says, and when it is due -------------------------------------------------------------------------


altering(
    "shutdown-acks-never-sent",
    "The Cumulative TSN Ack of a SHUTDOWN lies beyond what the peer has sent.",
    ["RFC 9260 3.3.8", "RFC 9260 9.2"],
    MUST,
    "C",
    PACKETS,
    SHUTDOWN,
    lambda chunk, endpoint, packet: with_word(chunk, 0, word(chunk, 0) + 100),
    o.ends_itself,
    o.receives,
)
altering(
    "shutdown-acks-too-little",
    "The Cumulative TSN Ack of a SHUTDOWN lies before what a SACK has acked.",
    ["RFC 9260 3.3.8", "RFC 9260 9.2"],
    MUST,
    "C",
    PACKETS,
    SHUTDOWN,
    lambda chunk, endpoint, packet: with_word(chunk, 0, word(chunk, 0) - 2),
    o.ends_itself,
    o.receives,
    lambda draft: draft.steps[draft.own].append(o.Wait(4 * S)),
)


@row(["RFC 9260 9.2"], SHOULD, "C", PACKETS, o.sends_bulk, o.slow_link, o.ends_itself)
class ShutdownBeforeAcked(Decisions):
    """SHUTDOWN is sent while own DATA is not acknowledged."""

    def has_unacked_data(self):
        if self.state == "SHUTDOWN-PENDING" and self.outstanding and not self.busy_streams:
            return False
        return super().has_unacked_data()

    def send_shutdown(self):
        super().send_shutdown()
        if self.outstanding:
            self.deviates_with(self.controls[-1][0])


@row(["RFC 9260 9.2"], MUST, "C", PACKETS, o.is_ended_while_sending)
class ShutdownAckBeforeAcked(Decisions):
    """SHUTDOWN ACK is sent while own DATA is not acknowledged."""

    def has_unacked_data(self):
        return False if self.state == "SHUTDOWN-RECEIVED" else super().has_unacked_data()

    def send_shutdown_ack(self):
        super().send_shutdown_ack()
        if self.outstanding:
            self.deviates_with(self.controls[-1][0])


@row(["RFC 9260 9.2"], MUST, "F", PACKETS, o.ends_while_receiving, lambda draft: draft.steps[draft.own].append(o.Send(3, (100, 100))))
class DataAfterShutdown(Decisions):
    """New DATA follows the own SHUTDOWN."""

    def send_shutdown(self):
        super().send_shutdown()
        if not getattr(self, "has_sent", False):
            self.has_sent = True
            self.simulation.after(5 * MS, self.send_late)

    def send_late(self):
        if self.state == "SHUTDOWN-SENT":
            chunk = wire.data_chunk(self.next_tsn, 0, self.out_stream(0).next_ssn, 0, b"after SHUTDOWN")
            self.next_tsn += 1
            self.note_packet(self.emit(self.primary, [chunk]))


@row(["RFC 9260 9.2"], MUST, "F", PACKETS, o.is_ended, o.sends, lambda draft: setattr(draft, "delay_ns", 20 * MS))
class DataAfterShutdownAck(Decisions):
    """New DATA follows the own SHUTDOWN ACK."""

    def send_shutdown_ack(self):
        super().send_shutdown_ack()
        if not getattr(self, "has_sent", False):
            self.has_sent = True
            self.simulation.after(1 * MS, self.send_late)

    def send_late(self):
        if self.state == "SHUTDOWN-ACK-SENT":
            chunk = wire.data_chunk(self.next_tsn, 0, self.out_stream(0).next_ssn, 0, b"after SHUTDOWN ACK")
            self.next_tsn += 1
            self.note_packet(self.emit(self.primary, [chunk]))


@row(["RFC 9260 9.2"], MUST, "F", OF_USER, o.is_ended_while_sending)
class AcceptsDataAfterShutdown(Decisions):
    """A user's messages are taken and sent as new DATA long after a SHUTDOWN came."""

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if self.state == "SHUTDOWN-RECEIVED" and getattr(self, "left", 40):
            self.left = getattr(self, "left", 40) - 1
            self.simulation.after(30 * MS, self.more)
        return datagram

    def more(self):
        if self.state == "SHUTDOWN-RECEIVED":
            chunk = wire.data_chunk(self.next_tsn, 0, self.out_stream(0).next_ssn, 0, b"new after SHUTDOWN" * 20)
            self.out_stream(0).next_ssn += 1
            self.next_tsn += 1
            self.note_packet(self.emit(self.primary, [chunk]))


# --- ABORT ------------------------------------------------------------------------------------------------------------

ignoring("abort-ignored", "An ABORT has no effect.", ["RFC 9260 9.1"], MUST, "F", PACKETS, ["receive_abort"], o.is_aborted, o.sends_slowly)


@row(["RFC 9260 8.4", "RFC 9260 9.1"], MUST, "F", OF_USER, o.is_aborted)
class AbortAnsweredWithAbort(Decisions):
    """An ABORT is answered by an ABORT."""

    def receive_abort(self, chunk):
        self.note_packet(self.emit(self.primary, [wire.causes_chunk(wire.ABORT, [])]))
        super().receive_abort(chunk)


@row(["RFC 9260 9.1"], MUST, "F", PACKETS, o.is_aborted)
class AbortAnsweredWithShutdownComplete(Decisions):
    """An ABORT is answered by SHUTDOWN COMPLETE."""

    def receive_abort(self, chunk):
        self.note_packet(self.emit(self.primary, [wire.Chunk(wire.SHUTDOWN_COMPLETE)]))
        super().receive_abort(chunk)


@row(["RFC 9260 9.1"], MUST, "F", PACKETS, o.sends, o.aborts)
class SendsAfterAbort(Decisions):
    """DATA follows the own ABORT."""

    def send_abort(self, causes):
        super().send_abort(causes)
        self.simulation.after(5 * MS, self.send_late, self.primary, 4)

    def send_late(self, path, left):
        chunk = wire.data_chunk(self.next_tsn, 0, self.out_stream(0).next_ssn, 0, b"after ABORT")
        self.next_tsn += 1
        self.note_packet(self.emit(path, [chunk]))
        if left:
            self.simulation.after(20 * MS, self.send_late, path, left - 1)


# --- out of the blue --------------------------------------------------------------------------------------------------


@row(["RFC 9260 8.4"], SHOULD, "D", FACTS, o.own_forgets)
class OutOfTheBlueIgnored(EndpointDecisions):
    """DATA out of the blue is not answered."""

    def send_abort_out_of_the_blue(self, packet, datagram):
        self.deviates_now()


@row(["RFC 9260 8.4"], MUST, "F", PACKETS, o.peer_forgets)
class OotbAbortAnswered(EndpointDecisions):
    """An ABORT out of the blue is answered by an ABORT."""

    def receive_out_of_the_blue(self, packet, datagram):
        if any(chunk.type == wire.ABORT for chunk in packet.chunks):
            self.send_abort_out_of_the_blue(packet, datagram)
            self.deviates_now(self.last_sent)
        else:
            super().receive_out_of_the_blue(packet, datagram)

    def find_association(self, packet, datagram):
        """An ABORT never finds one, so that each is out of the blue after the first packet."""
        found = super().find_association(packet, datagram)
        if found is not None and any(chunk.type == wire.ABORT for chunk in packet.chunks) and not self.deviation.times:
            found.close("abort received")
            return None
        return found


@row(["RFC 9260 8.4"], MUST, "F", PACKETS, o.is_ended)
class OotbShutdownCompleteAnswered(EndpointDecisions):
    """SHUTDOWN COMPLETE is answered by an ABORT."""

    def receive(self, datagram, now_ns=None):
        packet = wire.parse(datagram.sctp)
        super().receive(datagram, now_ns)
        if packet is not None and packet.chunks and packet.chunks[0].type == wire.SHUTDOWN_COMPLETE:
            self.receiving = datagram.number
            self.send_abort_out_of_the_blue(packet, datagram)
            self.receiving = None
            self.deviates_now(datagram.number, self.last_sent)


@row(["RFC 9260 8.4"], SHOULD, "D", FACTS, o.ends_itself, o.loses(SHUTDOWN_COMPLETE, True, 1))
class OotbShutdownAckIgnored(EndpointDecisions):
    """A SHUTDOWN ACK that is repeated because SHUTDOWN COMPLETE was lost is not answered."""

    def receive_out_of_the_blue(self, packet, datagram):
        if any(chunk.type == wire.SHUTDOWN_ACK for chunk in packet.chunks):
            self.deviates_now()
        else:
            super().receive_out_of_the_blue(packet, datagram)


@row(["RFC 9260 8.4"], MUST, "D", PACKETS, o.ends_itself, o.loses(SHUTDOWN_COMPLETE, True, 1))
class OotbShutdownAckAborted(EndpointDecisions):
    """A SHUTDOWN ACK out of the blue is answered by an ABORT."""

    def receive_out_of_the_blue(self, packet, datagram):
        if any(chunk.type == wire.SHUTDOWN_ACK for chunk in packet.chunks):
            self.send_abort_out_of_the_blue(packet, datagram)
            self.deviates_now(self.last_sent)
        else:
            super().receive_out_of_the_blue(packet, datagram)
