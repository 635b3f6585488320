# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations from extensions: RFC 3758 (PR-SCTP), 4895 (AUTH), 5061 (ASCONF), 6525 (RE-CONFIG), 8260 (I-DATA), 8831 and 8832 (data channels), 9653
(zero checksum). Leaves out RFC 7829, which is of paths.py, and RFC 7053 (acknowledging.py)."""

import struct

from .. import occasions as o
from .. import wire
from ..clock import MILLISECOND_NS as MS
from ..clock import SECOND_NS as S
from ..deviation import (
    ASKED_UNSEEN,
    FACTS,
    MUST,
    OF_USER,
    PACKETS,
    SACK_LATEST_NS,
    SHOULD,
    Decisions,
    EndpointDecisions,
    altering,
    changing_packet,
    ignoring,
    latest_ns,
    omitting,
    row,
    with_value,
    with_word,
    word,
)
from ..wire import Chunk, Tlv
from .setup import parameters, without

INITS = (wire.INIT, wire.INIT_ACK)
FORWARD = (wire.FORWARD_TSN, wire.I_FORWARD_TSN)
RECONFIG, ASCONF, ASCONF_ACK = (wire.RE_CONFIG,), (wire.ASCONF,), (wire.ASCONF_ACK,)


# --- RFC 3758 ---------------------------------------------------------------------------------------------------------


@row(["RFC 3758 3.5"], MUST, "D", FACTS, o.abandons)
class NeverForwards(Decisions):
    """Abandoned DATA is not retransmitted, and no FORWARD-TSN tells so."""

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        self.endpoint.__dict__.setdefault("sent_where", {}).update({out.tsn: datagram.number for out in data})
        return datagram

    def queue_due_forward_tsn(self):
        if self.advanced_ack_point > self.cum_acked and self.forward_tsn_is_due:
            self.forward_tsn_is_due = False
            self.deviates_now(self.endpoint.last_sent, self.endpoint.sent_where.get(self.cum_acked + 1))


@row(["RFC 3758 3.5"], MUST, "D", FACTS, o.abandons, o.loses(FORWARD, True, 1))
class ForwardTsnNeverRepeated(Decisions):
    """A FORWARD-TSN is sent once: what is lost is not repeated."""

    def queue_due_forward_tsn(self):
        if self.advanced_ack_point > self.cum_acked and self.forward_tsn_sent_for == self.advanced_ack_point:
            self.forward_tsn_is_due = False
            self.deviates_now(self.endpoint.last_sent)
            return
        super().queue_due_forward_tsn()


@row(["RFC 3758 3.5", "RFC 3758 3.2"], MUST, "C", FACTS, o.abandons)
class ForwardsReliable(Decisions):
    """A FORWARD-TSN skips DATA that was sent and is reliable, before it is acknowledged."""

    def make_forward_tsn(self, path):
        chunk = super().make_forward_tsn(path)
        highest = max(self.outstanding, default=self.advanced_ack_point)
        if highest > self.advanced_ack_point and self.turn():
            return self.deviates_with(with_word(chunk, 0, highest))
        return chunk


@row(["RFC 3758 3.5", "RFC 3758 3.2"], MUST, "C", PACKETS, o.abandons)
class ForwardTsnBeyond(Decisions):
    """The New Cumulative TSN lies beyond what was sent."""

    beyond = None

    def make_forward_tsn(self, path):
        chunk = super().make_forward_tsn(path)
        if not self.turn():
            return chunk
        self.beyond = self.advanced_ack_point + 500
        return with_word(chunk, 0, self.beyond)

    def emit(self, path, chunks, data=(), tag=None):
        """TSNs may be given up before they were sent: it shows where one of them is sent later."""
        datagram = super().emit(path, chunks, data, tag)
        if any(chunk.type in FORWARD for chunk in chunks):
            self.claimed = datagram.number
        elif self.beyond is not None and any(out.transmissions == 1 and out.tsn <= self.beyond for out in data):
            self.deviates_now(self.claimed, datagram.number)
        return datagram


altering(
    "forward-tsn-without-streams",
    "FORWARD-TSN skips ordered messages and lists no stream.",
    ["RFC 3758 3.5", "RFC 3758 3.2"],
    MUST,
    "C",
    PACKETS,
    FORWARD,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:4]) if len(chunk.value) > 4 else None,
    o.abandons,
)
altering(
    "forward-tsn-wrong-ssn",
    "FORWARD-TSN lists a Stream Sequence Number that was not skipped.",
    ["RFC 3758 3.5", "RFC 3758 3.2"],
    MUST,
    "C",
    PACKETS,
    FORWARD,
    lambda chunk, endpoint, packet: with_word(chunk, 6, word(chunk, 6, 2) + 200, 2) if len(chunk.value) == 8 else None,
    o.abandons,
)
altering(
    "forward-tsn-length",
    "FORWARD-TSN ends within a row of its list.",
    ["RFC 3758 3.2"],
    MUST,
    "A",
    PACKETS,
    FORWARD,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value + b"\0\1"),
    o.abandons,
    o.peer_given(violation_answer="discard"),
)


@row(["RFC 3758 3.3.2", "RFC 3758 3.3.1"], MUST, "F", PACKETS, o.sends, o.peer_given(forward_tsn=False))
class ForwardTsnNotNegotiated(Decisions):
    """FORWARD-TSN is sent to a peer that does not have the extension."""

    def receive_sack(self, chunk):
        result = super().receive_sack(chunk)
        if not getattr(self, "has_sent", False) and self.state == "ESTABLISHED":
            self.has_sent = True
            self.note_packet(self.emit(self.primary, [wire.forward_tsn_chunk(self.cum_acked, [])]))
        return result


@row(["RFC 3758 3.5"], MUST, "C", PACKETS, o.abandons)
class SendsSkippedAgain(Decisions):
    """DATA that a FORWARD-TSN skipped is retransmitted."""

    def make_forward_tsn(self, path):
        first = self.outstanding.get(self.cum_acked + 1)
        if first is not None and first.transmissions:
            self.simulation.after(300 * MS, self.again, first)
        return super().make_forward_tsn(path)

    def again(self, out):
        if self.state == "ESTABLISHED":
            self.note_packet(self.emit(self.primary, [out.chunk]))


ignoring("forward-tsn-ignored", "A FORWARD-TSN has no effect.", ["RFC 3758 3.6"], MUST, "D", PACKETS, ["receive_forward_tsn"], o.peer_abandons)


@row(["RFC 3758 3.6"], MUST, "D", PACKETS, o.peer_abandons)
class ForwardTsnNotAcked(Decisions):
    """A FORWARD-TSN is heeded, but not acknowledged."""

    skipped = frozenset()

    def receive_forward_tsn(self, chunk):
        before, ranges = self.cum_tsn, [tuple(one) for one in self.ranges]
        result = super().receive_forward_tsn(chunk)
        if self.cum_tsn > before:
            self.hidden = before
            self.skipped = {tsn for tsn in range(before + 1, self.cum_tsn + 1) if not any(start <= tsn <= end for start, end in ranges)}
        self.deviates_now()
        self.packet_has_data = self.packet_wants_ack = False
        return result

    def reported_cum_tsn(self):
        hidden = getattr(self, "hidden", None)
        return self.cum_tsn if hidden is None else hidden

    def gap_blocks(self):
        """What came, as if nothing had been skipped."""
        cum, blocks = self.reported_cum_tsn(), []
        for start, end in [(tsn, tsn) for tsn in range(cum + 1, self.cum_tsn + 1) if tsn not in self.skipped] + self.ranges:
            if blocks and blocks[-1][1] == start - cum - 1:
                blocks[-1] = (blocks[-1][0], end - cum)
            else:
                blocks.append((start - cum, end - cum))
        return blocks

    def encode_sack(self, cum_tsn, a_rwnd, gaps, duplicates):
        chunk = super().encode_sack(cum_tsn, a_rwnd, gaps, duplicates)
        return chunk if getattr(self, "hidden", None) is None else self.deviates_with(chunk)


@row(["RFC 3758 3.6"], SHOULD, "D", FACTS, o.peer_abandons, lambda draft: draft.lose(draft.own, None, loss=0.3))
class OldForwardTsnNotAcked(Decisions):
    """A FORWARD-TSN that is out of date is not answered by a SACK, not even by one that is delayed or for something else."""

    acks = 0

    def receive_old_forward_tsn(self, forward):
        if not self.ack_is_due:
            before = self.acks
            self.deviates_unless(SACK_LATEST_NS, lambda: self.is_gone or self.acks > before)
            self.packet_has_data = False

    def acknowledged(self, sack):
        self.acks += 1
        super().acknowledged(sack)

    def forget_pending_ack(self):
        self.acks += 1
        super().forget_pending_ack()


# --- RFC 8260 ---------------------------------------------------------------------------------------------------------


def i_data(name, words, clauses, kind, change, *occasions, level=MUST):
    altering(name, words, clauses, level, kind, PACKETS, (wire.I_DATA,), change, o.interleaving, *occasions)


def as_data(chunk, endpoint, packet):
    """DATA with the numbers of the I-DATA."""
    tsn, stream, _, mid = struct.unpack_from("!IHHI", chunk.value)
    return Chunk(wire.DATA, chunk.flags, struct.pack("!IHHI", tsn, stream, mid & 0xFFFF, 0) + chunk.value[16:])


i_data("data-for-i-data", "DATA is sent though I-DATA was negotiated.", ["RFC 8260 2.2.1"], "D", as_data, o.sends)
i_data(
    "i-data-reserved", "The reserved field of I-DATA is not 0.", ["RFC 8260 2.1"], "A", lambda chunk, e, p: with_word(chunk, 6, 0xBEEF, 2), o.sends
)
i_data(
    "mid-skipped",
    "A Message Identifier is left out.",
    ["RFC 8260 2.1"],
    "C",
    lambda chunk, e, p: with_word(chunk, 8, word(chunk, 8) + 5) if word(chunk, 8) > 1 else None,
    o.sends,
)
i_data(
    "fsn-skipped",
    "A Fragment Sequence Number is left out.",
    ["RFC 8260 2.1"],
    "C",
    lambda chunk, e, p: with_word(chunk, 12, word(chunk, 12) + 1) if not chunk.flags & wire.FLAG_B else None,
    o.sends_fragments,
)
i_data(
    "mid-changes-in-message",
    "The fragments of a message differ in their Message Identifier.",
    ["RFC 8260 2.2.2", "RFC 8260 2.1"],
    "C",
    lambda chunk, e, p: with_word(chunk, 8, word(chunk, 8) + 1) if not chunk.flags & wire.FLAG_B else None,
    o.sends_fragments,
)
i_data("i-data-short", "I-DATA without user data.", ["RFC 8260 2.1"], "A", lambda chunk, e, p: with_value(chunk, chunk.value[:16]), o.sends)


@row(["RFC 8260 2.2.1"], MUST, "F", PACKETS, o.sends)
class IDataNotNegotiated(Decisions):
    """I-DATA is sent though it was not negotiated."""

    def encode_data(self, tsn, message, data, beginning, ending, immediate):
        if not self.turn():
            return super().encode_data(tsn, message, data, beginning, ending, immediate)
        return self.deviates_with(
            wire.i_data_chunk(tsn, message.stream, message.ssn, message.next_fsn, message.ppid, data, beginning, ending, not message.is_ordered)
        )

    def data_header_bytes(self):
        return wire.I_DATA_HEADER_BYTES


def as_forward_tsn(chunk, endpoint, packet):
    return Chunk(wire.FORWARD_TSN, 0, chunk.value[:4])


altering(
    "forward-tsn-for-i-forward-tsn",
    "FORWARD-TSN is sent though I-DATA was negotiated.",
    ["RFC 8260 2.3.1"],
    MUST,
    "D",
    PACKETS,
    (wire.I_FORWARD_TSN,),
    as_forward_tsn,
    o.interleaving,
    o.abandons,
)
altering(
    "i-forward-tsn-length",
    "I-FORWARD-TSN ends within a row of its list.",
    ["RFC 8260 2.3.1"],
    MUST,
    "A",
    PACKETS,
    (wire.I_FORWARD_TSN,),
    lambda chunk, e, p: with_value(chunk, chunk.value + bytes(4)),
    o.interleaving,
    o.abandons,
)


@row(["RFC 8260 2.2.2"], MUST, "C", PACKETS, o.interleaving, o.sends_fragments)
class MessagesOfStreamInterleaved(Decisions):
    """Two messages of one stream are sent alternately."""

    def next_message(self, packet_stream):
        message = super().next_message(packet_stream)
        if message is None:
            return None
        queue = self.out_streams[message.stream].queue
        if len(queue) > 1 and message.is_begun and message.is_ordered == queue[1].is_ordered:
            self.other = queue[1] if self.next_tsn % 2 else message
            return self.other
        return message

    def make_chunk(self, message, user_bytes, path):
        out = super().make_chunk(message, user_bytes, path)
        queue = self.out_streams[message.stream].queue
        if queue and queue[0] is not message and queue[0].is_begun and message.is_begun:
            self.deviates_with(out.chunk)
        return out


# --- RFC 4895 ---------------------------------------------------------------------------------------------------------


class Unsealed(EndpointDecisions):
    """Changes packets with an AUTH chunk."""

    def alter(self, packet):
        if packet.has((wire.AUTH,)) and self.turn() and self.changed(packet) is not False:
            packet.deviates = True


@row(["RFC 4895 6.2"], MUST, "A", PACKETS, o.authenticated, o.sends)
class AuthMissing(Unsealed):
    """Chunks that the peer wants authenticated leave without AUTH."""

    def changed(self, packet):
        packet.chunks = [chunk for chunk in packet.chunks if chunk.type != wire.AUTH]


@row(["RFC 4895 6.2"], MUST, "A", PACKETS, o.authenticated, o.sends)
class AuthTooLate(Unsealed):
    """AUTH stands behind the chunks that it authenticates."""

    def changed(self, packet):
        at = next(number for number, chunk in enumerate(packet.chunks) if chunk.type == wire.AUTH)
        packet.chunks.append(packet.chunks.pop(at))


@row(["RFC 4895 6.2", "RFC 4895 6.3"], MUST, "C", PACKETS, o.authenticated, o.sends)
class HmacWrong(Unsealed):
    """The HMAC is not that of the chunks."""

    def changed(self, packet):
        packet.chunks = [
            with_value(chunk, chunk.value[:4] + bytes(byte ^ 1 for byte in chunk.value[4:])) if chunk.type == wire.AUTH else chunk
            for chunk in packet.chunks
        ]


@row(["RFC 4895 6.2", "RFC 4895 3.3"], MUST, "A", PACKETS, o.authenticated, o.sends)
class HmacNotRequested(Unsealed):
    """AUTH names an HMAC Identifier that the peer has not listed."""

    def changed(self, packet):
        packet.chunks = [with_word(chunk, 2, 2, 2) if chunk.type == wire.AUTH else chunk for chunk in packet.chunks]


@row(["RFC 4895 4.1"], MUST, "A", PACKETS, o.authenticated, o.sends)
class HmacCut(Unsealed):
    """The HMAC is shorter than its algorithm makes it."""

    def changed(self, packet):
        packet.chunks = [with_value(chunk, chunk.value[:-4]) if chunk.type == wire.AUTH else chunk for chunk in packet.chunks]


@row(["RFC 4895 4.1"], MUST, "A", PACKETS, o.authenticated, o.sends)
class TwoAuths(Unsealed):
    """Two AUTH chunks in one packet."""

    def changed(self, packet):
        packet.chunks.insert(0, next(chunk for chunk in packet.chunks if chunk.type == wire.AUTH))


def changed_parameter(type_, change):
    def altered(given):
        if not any(one.type == type_ for one in given):
            return None
        return [Tlv(one.type, change(one.value)) if one.type == type_ else one for one in given]

    return parameters(altered)


altering(
    "random-short",
    "RANDOM has not 32 bytes.",
    ["RFC 4895 6.1", "RFC 4895 3.1"],
    MUST,
    "A",
    PACKETS,
    INITS,
    changed_parameter(wire.RANDOM, lambda value: value[:16]),
    o.plain_auth,
)
altering(
    "chunks-list-init",
    "CHUNKS lists INIT.",
    ["RFC 4895 3.2"],
    MUST,
    "A",
    PACKETS,
    INITS,
    changed_parameter(wire.CHUNK_LIST, lambda value: value + bytes([wire.INIT, wire.AUTH])),
    o.plain_auth,
)
altering(
    "hmac-algo-without-sha1",
    "HMAC-ALGO does not list SHA-1.",
    ["RFC 4895 6.1", "RFC 4895 3.3"],
    MUST,
    "A",
    PACKETS,
    INITS,
    changed_parameter(wire.REQUESTED_HMAC, lambda value: b"\0\3"),
    o.plain_auth,
)
altering(
    "random-without-hmac-algo",
    "RANDOM without HMAC-ALGO.",
    ["RFC 4895 6.1", "RFC 4895 3.3"],
    MUST,
    "A",
    PACKETS,
    INITS,
    without(wire.REQUESTED_HMAC),
    o.plain_auth,
)
altering(
    "random-twice",
    "RANDOM stands twice.",
    ["RFC 4895 3.1"],
    MUST,
    "A",
    PACKETS,
    INITS,
    parameters(lambda given: given + [one for one in given if one.type == wire.RANDOM] if any(one.type == wire.RANDOM for one in given) else None),
    o.plain_auth,
)


# --- RFC 5061 ---------------------------------------------------------------------------------------------------------

omitting(
    "no-asconf-ack", "An ASCONF is not answered.", ["RFC 5061 5.2"], MUST, "D", PACKETS, ASCONF_ACK, o.asconf, o.two_paths, o.peer_deletes_address
)


class BeforeAuth(Decisions):
    """Changes control chunks before they are authenticated: changed(chunk) returns another or None."""

    def queue_control(self, chunk, path):
        other = self.changed(chunk) if chunk.type in self.types and self.turn() else None
        super().queue_control(chunk if other is None else self.deviates_with(other), path)


@row(["RFC 5061 5.2", "RFC 5061 4.1.2"], MUST, "C", PACKETS, o.asconf, o.two_paths, o.peer_deletes_address)
class AsconfAckWrongSerial(BeforeAuth):
    """The ASCONF-ACK bears another Sequence Number than the ASCONF."""

    types = ASCONF_ACK

    def changed(self, chunk):
        return with_word(chunk, 0, word(chunk, 0) + 7)


@row(["RFC 5061 5.2", "RFC 5061 4.2"], MUST, "C", PACKETS, o.asconf, o.two_paths, o.peer_deletes_address)
class AsconfAckWrongCorrelation(BeforeAuth):
    """The ASCONF-ACK reports a correlation ID that the ASCONF does not have."""

    types = ASCONF_ACK

    def changed(self, chunk):
        return with_value(chunk, chunk.value[:4] + wire.correlated(wire.SUCCESS_INDICATION, 777, b"").encode())


@row(["RFC 5061 5.1"], MUST, "C", ASKED_UNSEEN, o.asconf, o.two_paths, o.deletes_address)
class AsconfSerialSkipped(BeforeAuth):
    """The first ASCONF does not bear the Initial TSN as its Sequence Number."""

    types = ASCONF

    def changed(self, chunk):
        return with_word(chunk, 0, word(chunk, 0) + 3)


@row(["RFC 5061 4.1.1"], MUST, "A", PACKETS, o.asconf, o.two_paths, o.deletes_address)
class AsconfWithoutAddress(BeforeAuth):
    """The ASCONF has no Address Parameter."""

    types = ASCONF

    def changed(self, chunk):
        address = wire.parse_tlvs(chunk.value[4:])[0]
        return with_value(chunk, chunk.value[:4] + chunk.value[4 + len(address.encode()) :])


class Bears(Decisions):
    """Knows the last packet with a chunk of the type borne."""

    borne_by = None

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if any(chunk.type == self.borne for chunk in chunks):
            self.borne_by = datagram.number
        return datagram


@row(
    ["RFC 5061 5.1"],
    MUST,
    "D",
    FACTS,
    o.asconf,
    o.two_paths,
    o.deletes_address,
    lambda draft: draft.boxes.append(o.Loses(ASCONF + (wire.AUTH,), draft.own == "A", 1)),
)
class AsconfNeverRepeated(Bears):
    """An ASCONF that is not answered is never repeated."""

    borne = wire.ASCONF

    def t4_expired(self):
        """It is over once SHUTDOWN ACK is sent."""
        shown, states = (self.borne_by, self.endpoint.last_sent), ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-SENT", "SHUTDOWN-RECEIVED")
        late_ns = latest_ns(self.asconf_timer.rto_ns) - self.asconf_timer.rto_ns
        self.deviates_unless(late_ns, lambda: self.state not in states or self.asconf_chunk is None, *shown)


@row(
    ["RFC 5061 5.1"],
    MUST,
    "E",
    PACKETS,
    o.asconf,
    o.two_paths,
    o.own_given(potentially_failed=False),
    o.asks("delete_address", lambda association: association.delete_address(association.own_addresses[0]), more=False),
    lambda draft: draft.lose(draft.peer, None, outages=((700 * MS, 100 * S),)),
)
class AsconfWithoutBackoff(Decisions):
    """T4-RTO does not back off."""

    def t4_expired(self):
        """Shows where the timer ran no longer for a path than for the same path before."""
        before, path, ran_ns = self.endpoint.last_sent, self.asconf_path, self.asconf_timer.rto_ns
        rtos = {path: path.rto_ns for path in self.paths.values()}
        super().t4_expired()
        for other, rto_ns in rtos.items():
            other.rto_ns = rto_ns
        if self.asconf_chunk is not None and not self.is_gone:
            self.asconf_timer.start(self.asconf_path.rto_ns, self.asconf_path.rto_ns)
            ran = self.ran = getattr(self, "ran", {})
            if ran_ns <= ran.get(path, 0):
                self.deviates_now(before, self.endpoint.last_sent)
            ran[path] = ran_ns


@row(["RFC 5061 5.1"], MUST, "F", PACKETS, o.asconf, o.two_paths, o.deletes_address)
class SeveralAsconfs(Decisions):
    """A second ASCONF is sent before the first one is answered."""

    def send_asconf(self):
        super().send_asconf()
        if not getattr(self, "has_sent_two", False):
            self.has_sent_two = True
            self.simulation.after(1, self.send_second, with_word(self.asconf_chunk, 0, self.next_serial), self.asconf_path)
            self.next_serial += 1

    def send_second(self, chunk, path):
        if not self.is_gone:
            self.controls.append((self.deviates_with(chunk), path))
            self.send_controls_and_data()


@row(["RFC 5061 5.3"], MUST, "C", PACKETS, o.asconf, o.two_paths, o.deletes_address, o.sends)
class SendsFromDeletedAddress(Decisions):
    """An address that is deleted is still used as a source."""

    def source_of(self, path):
        deleted = [address for address in self.endpoint.addresses if address not in self.own_addresses]
        return deleted[0] if deleted else super().source_of(path)

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if datagram.source not in self.own_addresses:
            self.deviates_now(datagram.number)
        return datagram


@row(["RFC 5061 5.2", "RFC 5061 5.3"], MUST, "C", PACKETS, o.asconf, o.two_paths, o.peer_deletes_address, o.sends_slowly)
class SendsToDeletedAddress(Decisions):
    """DATA goes to an address that the peer has deleted."""

    def delete_peer_address(self, address, parameter):
        """Answers, and does nothing."""
        self.deleted = address
        return None

    def data_path(self):
        return self.paths.get(getattr(self, "deleted", None)) or super().data_path()

    def emit(self, path, chunks, data=(), tag=None):
        datagram = super().emit(path, chunks, data, tag)
        if path.address == getattr(self, "deleted", None) and data:
            self.deviates_now(datagram.number)
        return datagram


altering(
    "asconf-without-auth-extension",
    "Supported Extensions lists ASCONF, but not AUTH.",
    ["RFC 5061 4.2.7"],
    MUST,
    "A",
    PACKETS,
    INITS,
    changed_parameter(wire.SUPPORTED_EXTENSIONS, lambda value: bytes(one for one in value if one != wire.AUTH)),
    o.asconf,
    o.peer_given(asconf=False),
)


# --- RFC 6525 ---------------------------------------------------------------------------------------------------------


def is_response(chunk):
    return any(parameter.type == wire.RECONFIG_RESPONSE for parameter in wire.parse_tlvs(chunk.value))


def reconfig(name, words, clauses, kind, change, *occasions, level=MUST):
    altering(name, words, clauses, level, kind, PACKETS, RECONFIG, change, o.reconfig, *occasions)


def of_request(change):
    """The first parameter of a RE-CONFIG that is no response, changed."""

    def altered(chunk, endpoint, packet):
        given = wire.parse_tlvs(chunk.value)
        if is_response(chunk) or not given:
            return None
        return with_value(chunk, wire.encode_tlvs([Tlv(given[0].type, change(given[0].value))] + given[1:]))

    return altered


def of_response(change):
    def altered(chunk, endpoint, packet):
        if not is_response(chunk):
            return None
        given = wire.parse_tlvs(chunk.value)
        return with_value(chunk, wire.encode_tlvs([Tlv(p.type, change(p.value)) if p.type == wire.RECONFIG_RESPONSE else p for p in given]))

    return altered


def plus(value, at, add):
    return value[:at] + ((int.from_bytes(value[at : at + 4], "big") + add) % wire.TSN_MODULUS).to_bytes(4, "big") + value[at + 4 :]


omitting(
    "no-reconfig-response",
    "A request of a RE-CONFIG is not answered.",
    ["RFC 6525 5.2.1"],
    MUST,
    "D",
    PACKETS,
    RECONFIG,
    o.reconfig,
    o.peer_resets_streams,
)
reconfig(
    "reconfig-response-wrong-number",
    "The response bears another number than the request.",
    ["RFC 6525 5.2.1", "RFC 6525 4.4"],
    "C",
    of_response(lambda value: plus(value, 0, 9)),
    o.peer_resets_streams,
)
reconfig(
    "reconfig-unknown-result",
    "The response has a result that is not defined.",
    ["RFC 6525 4.4"],
    "A",
    of_response(lambda value: value[:4] + struct.pack("!I", 77) + value[8:]),
    o.peer_resets_streams,
)
reconfig(
    "reconfig-one-tsn",
    "The response has one of the two optional TSNs.",
    ["RFC 6525 4.4"],
    "A",
    of_response(lambda value: value[:8] + bytes(4)),
    o.peer_adds_streams,
)
reconfig(
    "reconfig-wrong-number",
    "The first request does not bear the Initial TSN as its number.",
    ["RFC 6525 5.1.2", "RFC 6525 4.1"],
    "C",
    of_request(lambda value: plus(value, 0, 5)),
    o.resets_streams,
)
reconfig(
    "reset-wrong-last-tsn",
    "Sender's Last Assigned TSN lies beyond what was sent.",
    ["RFC 6525 5.1.2"],
    "C",
    of_request(lambda value: plus(value, 8, 50)),
    o.resets_streams,
)
reconfig(
    "reset-wrong-response-number",
    "An Outgoing SSN Reset Request refers to a request of the peer that there was not.",
    ["RFC 6525 5.1.2"],
    "C",
    of_request(lambda value: plus(value, 4, 30)),
    o.resets_streams,
)
reconfig(
    "reconfig-impossible-pair",
    "Two requests that may not stand together.",
    ["RFC 6525 3.1", "RFC 6525 5.1.2"],
    "A",
    lambda chunk, e, p: None
    if is_response(chunk)
    else with_value(
        chunk, wire.encode_tlvs(wire.parse_tlvs(chunk.value) + [Tlv(wire.SSN_TSN_RESET, plus(wire.parse_tlvs(chunk.value)[0].value[:4], 0, 1))])
    ),
    o.resets_streams,
)
reconfig(
    "reconfig-parameter-short",
    "An Add Outgoing Streams Request is too short.",
    ["RFC 6525 4.5"],
    "A",
    of_request(lambda value: value[:4]),
    o.adds_streams,
    o.peer_given(violation_answer="discard"),
)


@row(["RFC 6525 5.1.1"], MUST, "D", FACTS, o.reconfig, o.resets_streams, o.loses(RECONFIG, True, 1))
class ReconfigNeverRepeated(Bears):
    """A request that is not answered is never repeated."""

    borne = wire.RE_CONFIG

    def reconfig_timer_expired(self):
        self.deviates_now(self.borne_by, self.endpoint.last_sent)


@row(["RFC 6525 5.1.1"], MUST, "E", PACKETS, o.reconfig, o.resets_streams, o.loses(RECONFIG, True, 5))
class ReconfigWithoutBackoff(Decisions):
    """The Re-configuration Timer does not back off."""

    def backed_off_reconfig_ns(self, rto_ns):
        return rto_ns

    def reconfig_timer_expired(self):
        before = self.endpoint.last_sent
        super().reconfig_timer_expired()
        self.reconfig_times = getattr(self, "reconfig_times", 0) + 1
        if self.reconfig_times > 1:
            self.deviates_now(before, self.endpoint.last_sent)


@row(["RFC 6525 5.1.1"], MUST, "F", PACKETS, o.reconfig, o.resets_streams)
class SeveralReconfigs(Decisions):
    """A second request is sent before the first one is answered."""

    def send_requests(self, given, batch):
        super().send_requests(given, batch)
        chunk = Chunk(wire.RE_CONFIG, 0, wire.add_streams_parameter(wire.ADD_OUTGOING_STREAMS, self.next_request, 1).unpadded())
        self.next_request += 1
        self.simulation.after(1, self.second, self.deviates_with(chunk), self.request_path)

    def second(self, chunk, path):
        if not self.is_gone:
            self.emit(path, [chunk])


@row(["RFC 6525 5.1.1"], MUST, "F", PACKETS, o.sends, o.stays_open, o.own_given(reconfig=True), o.peer_given(reconfig=False))
class ReconfigNotNegotiated(Decisions):
    """RE-CONFIG is sent to a peer that does not have the extension."""

    def receive_sack(self, chunk):
        result = super().receive_sack(chunk)
        if self.state == "ESTABLISHED" and not getattr(self, "has_asked", False):
            self.has_asked = True
            self.note_packet(self.emit(self.primary, [Chunk(wire.RE_CONFIG, 0, wire.incoming_reset_parameter(self.next_request, []).unpadded())]))
        return result


@row(["RFC 6525 5.2.7", "RFC 6525 5.1.2"], MUST, "C", PACKETS, o.reconfig, o.resets_streams)
class SsnNotReset(Decisions):
    """After an Outgoing SSN Reset that was performed SSNs go on as before."""

    def reset_out_streams(self, streams):
        self.is_off = True

    def assign_sequence_number(self, message, stream):
        super().assign_sequence_number(message, stream)
        self.is_first = getattr(self, "is_off", False) and message.is_ordered and message.ssn

    def make_chunk(self, message, user_bytes, path):
        out = super().make_chunk(message, user_bytes, path)
        return self.noted(out) if getattr(self, "is_first", False) else out

    def noted(self, out):
        self.is_first = False
        self.deviates_with(out.chunk)
        return out


@row(["RFC 6525 5.2.1"], MUST, "C", PACKETS, o.reconfig, o.peer_resets_streams, o.loses(RECONFIG, True, 1))
class RepeatedRequestAnsweredOtherwise(BeforeAuth):
    """A request that is asked again gets another result."""

    types = RECONFIG

    def changed(self, chunk):
        if not is_response(chunk):
            return None
        number, result = struct.unpack_from("!II", chunk.value, 4)
        results = self.__dict__.setdefault("results", {})
        if number not in results:
            results[number] = result
            return None
        other = wire.DENIED if results[number] != wire.DENIED else wire.WRONG_SSN
        return Chunk(wire.RE_CONFIG, 0, wire.reconfig_response_parameter(number, other).unpadded())


@row(["RFC 6525 5.2.7", "RFC 6525 5.2.4"], MUST, "C", PACKETS, o.reconfig, o.resets_association)
class TsnNotReset(Decisions):
    """After an SSN/TSN Reset that was performed TSNs go on as before."""

    def perform_own_request(self, request, tsns):
        before = self.next_tsn
        super().perform_own_request(request, tsns)
        if request.kind == "association":
            self.is_off = True
            self.next_tsn = before

    def make_chunk(self, message, user_bytes, path):
        out = super().make_chunk(message, user_bytes, path)
        if getattr(self, "is_off", False):
            self.deviates_with(out.chunk)
        return out


@row(["RFC 6525 5.1.5"], MUST, "C", PACKETS, o.reconfig, o.adds_streams)
class UsesStreamsBeforeAnswer(Decisions):
    """Streams that were asked for are used before the response."""

    def send_requests(self, given, batch):
        super().send_requests(given, batch)
        if batch[0].kind == "add outgoing":
            chunk = wire.data_chunk(self.next_tsn, self.outbound_streams + batch[0].count - 1, 0, 0, b"too early")
            self.next_tsn += 1
            self.simulation.after(1, self.use, self.deviates_with(chunk), self.request_path)

    def use(self, chunk, path):
        if not self.is_gone:
            self.emit(path, [chunk])


# --- RFC 9653 ---------------------------------------------------------------------------------------------------------


def zero_sum(packet, endpoint):
    packet.checksum = 0


changing_packet(
    "zero-checksum-not-negotiated",
    "The checksum is 0, though the peer has not announced that it takes that.",
    ["RFC 9653 5.2"],
    MUST,
    "A",
    FACTS,
    (wire.DATA, wire.SACK),
    zero_sum,
    o.sends,
)


def zero_sum_once(packet, endpoint):
    """Where it is 0 in every INIT, the hardware may fill it in behind the tap."""
    return zero_sum(packet, endpoint) if endpoint.deviation.times == 0 else False


changing_packet(
    "zero-checksum-of-init",
    "The checksum of the first packet with INIT is 0, and that of the next one right.",
    ["RFC 9653 5.2"],
    MUST,
    "A",
    PACKETS,
    (wire.INIT,),
    zero_sum_once,
    o.client,
    o.zero_checksum,
    o.one_path,
)
changing_packet(
    "zero-checksum-of-cookie-echo",
    "The checksum of a packet with COOKIE ECHO is 0.",
    ["RFC 9653 5.2"],
    MUST,
    "A",
    PACKETS,
    (wire.COOKIE_ECHO,),
    zero_sum,
    o.client,
    o.zero_checksum,
)
altering(
    "zero-checksum-length",
    "Zero Checksum Acceptable has no method.",
    ["RFC 9653 4"],
    MUST,
    "A",
    PACKETS,
    INITS,
    changed_parameter(wire.ZERO_CHECKSUM_ACCEPTABLE, lambda value: b""),
    o.zero_checksum,
)


# --- RFC 8831, 8832 ---------------------------------------------------------------------------------------------------


def opens_channel(by_own):
    """The user of an endpoint opens a data channel, and sends on it."""

    def occasion(draft):
        o.given(data_channels=True, reconfig=True, outbound_streams=100, inbound_streams=100, forward_tsn=True)(draft)
        who = draft.own if by_own else draft.peer

        def open_one(user, association):
            stream = association.open_channel(b"chat", b"", ordered=False)
            if stream is not None:
                association.send_on_channel(stream, b"hello", True)

        draft.steps[who] += [o.Call("open_channel", open_one), o.Wait(2 * S)]

    return occasion


def is_dcep(message):
    return message.ppid == wire.PPID_DCEP


@row(["RFC 8832 6", "RFC 8832 5.2"], MUST, "D", OF_USER, opens_channel(False))
class ChannelOpenNotAcked(Decisions):
    """A DATA_CHANNEL_OPEN is not answered by a DATA_CHANNEL_ACK."""

    def receive_open(self, message):
        self.deviates_now()


class ChannelMessages(Decisions):
    """Changes messages of DCEP before they are sent: changed(data, kwargs) returns (data, stream add)."""

    def send(self, data, stream=0, ppid=0, ordered=True, *others, **named):
        if ppid != wire.PPID_DCEP or not self.wants(data):
            return super().send(data, stream, ppid, ordered, *others, **named)
        self.is_wrong = True
        data, stream, ordered = self.changed(data, stream)
        result = super().send(data, stream, ppid, ordered, *others, **named)
        self.is_wrong = False
        return result

    def wants(self, data):
        return data[:1] == b"\x03"

    def make_chunk(self, message, user_bytes, path):
        out = super().make_chunk(message, user_bytes, path)
        return self.noted(out) if message.ppid == wire.PPID_DCEP and self.wants(message.data) else out

    def noted(self, out):
        self.deviates_with(out.chunk)
        return out


@row(["RFC 8832 6"], MUST, "C", PACKETS, opens_channel(False))
class ChannelAckOnOtherStream(ChannelMessages):
    """The DATA_CHANNEL_ACK is sent on another stream than the DATA_CHANNEL_OPEN."""

    def wants(self, data):
        return data[:1] == b"\x02"

    def changed(self, data, stream):
        return data, stream + 2, True


@row(["RFC 8832 6"], MUST, "A", PACKETS, opens_channel(True))
class ChannelOpenUnordered(ChannelMessages):
    """The DATA_CHANNEL_OPEN is sent unordered."""

    def changed(self, data, stream):
        return data, stream, False


@row(["RFC 8832 5.1"], MUST, "A", PACKETS, opens_channel(True))
class ChannelLabelLengthLies(ChannelMessages):
    """The DATA_CHANNEL_OPEN counts more bytes of the label than there are."""

    def changed(self, data, stream):
        return data[:8] + struct.pack("!H", 500) + data[10:], stream, True


@row(["RFC 8832 6"], MUST, "C", PACKETS, opens_channel(True), lambda draft: setattr(draft, "delay_ns", 20 * MS))
class ChannelDataUnorderedTooEarly(Decisions):
    """Messages on a channel are sent unordered before the DATA_CHANNEL_ACK has come."""

    def send_on_channel(self, stream, data, is_text=False):
        return self.send(data, stream, wire.PPID_STRING if is_text else wire.PPID_BINARY, False)

    def make_chunk(self, message, user_bytes, path):
        out = super().make_chunk(message, user_bytes, path)
        return self.noted(out) if message.ppid == wire.PPID_STRING and self.is_too_early(message) else out

    def is_too_early(self, message):
        return not message.is_ordered and message.stream in self.channels and self.channels[message.stream].state == "opening"

    def noted(self, out):
        self.deviates_with(out.chunk)
        return out


def closes_channel(draft):
    """The peer's user opens a data channel, sends on it, and closes it."""
    opens_channel(False)(draft)
    close = o.Call("close_channel", lambda user, association: [association.close_channel(stream) for stream in list(association.channels)])
    draft.steps[draft.peer] += [close, o.Wait(5 * S)]


@row(["RFC 8831 6.7"], MUST, "D", FACTS, closes_channel)
class ChannelCloseNotAnswered(Decisions):
    """The peer closes a data channel, and the own stream is not reset."""

    def peer_closed_channels(self, streams):
        self.deviates_now()


# --- ECN (RFC 4960 A) -------------------------------------------------------------------------------------------------


def marks(draft):
    """A router marks what the peer sends."""
    o.ecn(draft)
    o.receives_bulk(draft)
    draft.lose(draft.peer, 0, rate_bits_per_s=2_000_000, queue_bytes=200_000, mark_bytes=3_000)


def marks_own(draft):
    draft.own, draft.peer = draft.peer, draft.own
    marks(draft)
    draft.own, draft.peer = draft.peer, draft.own


@row(["RFC 4960 A"], SHOULD, "D", PACKETS, marks)
class NoEcne(Decisions):
    """Packets that a router marked are not echoed."""

    def queue_ecne(self):
        self.deviates_now()


omitting("no-cwr", "An ECNE is never answered by CWR.", ["RFC 4960 A"], SHOULD, "D", PACKETS, (wire.CWR,), marks_own, always=True)
