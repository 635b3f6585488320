# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations in the form of packets and chunks (RFC 9260 3.1, 3.2, 3.3, 6.8, 6.10). Leaves out INIT and INIT ACK (setup.py) and what belongs to an
extension (extensions.py)."""

import struct

from .. import occasions as o
from .. import wire
from ..deviation import FACTS, MUST, PACKETS, SHOULD, EndpointDecisions, altering, changing_packet, row, with_bytes, with_value
from ..wire import Chunk

DATA = (wire.DATA,)
EVERY_TYPE = tuple(wire.CHUNK_NAMES)


# --- packets ----------------------------------------------------------------------------------------------------------


def wrong_checksum(packet, endpoint):
    """Where none is right, the hardware may fill it in behind the tap."""
    if endpoint.deviation.times > 0 and endpoint.deviation.random.random() < 0.5:
        return False
    packet.checksum = 0xDEADBEEF
    return True


changing_packet("wrong-checksum", "The checksum is no CRC32c, though that of other packets is right.", ["RFC 9260 6.8"], MUST, "A", FACTS, EVERY_TYPE, wrong_checksum)


@row(["RFC 9260 3.1"], MUST, "A", PACKETS, o.server, o.own_forgets)
class AnswersToPortZero(EndpointDecisions):
    """An ABORT for what is out of the blue bears the source port 0."""

    def send_abort_out_of_the_blue(self, packet, datagram):
        port, self.port = self.port, 0
        super().send_abort_out_of_the_blue(packet, datagram)
        self.port = port
        self.deviates_now(self.last_sent)


# --- flags and padding ------------------------------------------------------------------------------------------------


def reserved_flag(chunk, endpoint, packet):
    return Chunk(chunk.type, chunk.flags | 0x80, chunk.value)


for _type, _occasions in (
    (wire.SACK, (o.receives,)),
    (wire.HEARTBEAT, (o.idle,)),
    (wire.HEARTBEAT_ACK, (o.idle,)),
    (wire.ABORT, (o.aborts,)),
    (wire.SHUTDOWN, (o.ends_itself,)),
    (wire.SHUTDOWN_ACK, (o.is_ended,)),
    (wire.SHUTDOWN_COMPLETE, (o.ends_itself,)),
    (wire.COOKIE_ECHO, (o.client,)),
    (wire.COOKIE_ACK, (o.server,)),
    (wire.INIT, (o.client,)),
    (wire.INIT_ACK, (o.server,)),
    (wire.DATA, (o.sends,)),
):
    _name = wire.CHUNK_NAMES[_type]
    altering(
        f"reserved-flag-{_name.lower().replace(' ', '-')}",
        f"A reserved flag of {_name} is 1.",
        ["RFC 9260 3.2", "RFC 9260 3.3"],
        SHOULD,
        "A",
        PACKETS,
        (_type,),
        reserved_flag,
        *_occasions,
    )


def dirty_padding(chunk, endpoint, packet):
    size = -len(chunk.value) % 4
    return with_bytes(chunk, chunk.encode()[:-size] + b"\xa5" * size) if size else None


def more_padding(chunk, endpoint, packet):
    return with_bytes(chunk, chunk.encode() + bytes(4)) if packet.chunks[-1] is chunk else None


altering("padding-not-zero", "Padding of DATA is not zero.", ["RFC 9260 3.2", "RFC 9260 3.3.1"], MUST, "A", PACKETS, DATA, dirty_padding, o.sends)
altering("padding-too-long", "More than 3 bytes of padding.", ["RFC 9260 3.2", "RFC 9260 3.3.1"], MUST, "A", PACKETS, DATA, more_padding, o.sends)
altering(
    "partial-chunk",
    "A chunk that ends beyond the packet.",
    ["RFC 9260 6.10"],
    MUST,
    "A",
    PACKETS,
    DATA,
    lambda chunk, endpoint, packet: with_bytes(chunk, chunk.encode()[:-8]) if packet.chunks[-1] is chunk and len(chunk.value) > 30 else None,
    o.sends,
)


# --- DATA -------------------------------------------------------------------------------------------------------------

altering(
    "data-empty",
    "DATA without user data.",
    ["RFC 9260 3.3.1", "RFC 9260 6.2"],
    MUST,
    "A",
    PACKETS,
    DATA,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:12]),
    o.sends,
)
altering(
    "data-header-short",
    "DATA shorter than its header.",
    ["RFC 9260 3.3.1"],
    MUST,
    "A",
    PACKETS,
    DATA,
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:8]),
    o.sends,
)


def not_ascending(packet, endpoint):
    at = [number for number, chunk in enumerate(packet.chunks) if chunk.type == wire.DATA]
    if len(at) < 2:
        return False
    packet.chunks[at[0]], packet.chunks[at[-1]] = packet.chunks[at[-1]], packet.chunks[at[0]]
    return True


def data_before_control(packet, endpoint):
    if packet.chunks[0].type == wire.DATA or packet.chunks[-1].type != wire.DATA or packet.has((wire.COOKIE_ECHO, wire.AUTH)):
        return False
    packet.chunks.insert(0, packet.chunks.pop())
    return True


def second_sack(packet, endpoint):
    packet.chunks.insert(0, next(chunk for chunk in packet.chunks if chunk.type == wire.SACK))


changing_packet(
    "data-not-ascending",
    "DATA chunks of a packet are not in the order of their TSNs.",
    ["RFC 9260 6.10"],
    MUST,
    "A",
    PACKETS,
    DATA,
    not_ascending,
    o.sends_small,
)
changing_packet(
    "data-before-control",
    "DATA stands before a control chunk.",
    ["RFC 9260 6.10"],
    MUST,
    "A",
    PACKETS,
    DATA,
    data_before_control,
    o.sends,
    o.receives,
)
changing_packet("two-sacks", "Two SACKs in one packet.", ["RFC 9260 6.2"], MUST, "F", PACKETS, (wire.SACK,), second_sack, o.receives)


def abort_with_data(packet, endpoint):
    packet.chunks.insert(0, wire.data_chunk(12345, 0, 0, 0, b"last words"))


def oversized(packet, endpoint):
    packet.chunks.append(Chunk(wire.PAD, 0, bytes(1460 - sum(chunk.size_bytes for chunk in packet.chunks))))


changing_packet("abort-with-data", "DATA is bundled with an ABORT.", ["RFC 9260 3.3.7"], MUST, "A", PACKETS, (wire.ABORT,), abort_with_data, o.aborts)
changing_packet(
    "shutdown-complete-bundled",
    "SHUTDOWN COMPLETE is not alone in its packet.",
    ["RFC 9260 6.10", "RFC 9260 3"],
    MUST,
    "A",
    PACKETS,
    (wire.SHUTDOWN_COMPLETE,),
    lambda packet, endpoint: packet.chunks.append(Chunk(wire.PAD, 0, bytes(8))),
    o.ends_itself,
)
changing_packet(
    "chunk-after-shutdown-ack",
    "DATA follows a SHUTDOWN ACK in its packet.",
    ["RFC 9260 6.10", "RFC 9260 9.2"],
    MUST,
    "F",
    PACKETS,
    (wire.SHUTDOWN_ACK,),
    lambda packet, endpoint: packet.chunks.append(wire.data_chunk(packet.association.next_tsn if packet.association else 1, 0, 9, 0, b"late")),
    o.is_ended,
)


# --- control chunks ---------------------------------------------------------------------------------------------------


def sack_count(chunk, endpoint, packet):
    """More gap blocks than there are."""
    cum, a_rwnd, gaps, duplicates = struct.unpack_from("!IIHH", chunk.value)
    return with_value(chunk, struct.pack("!IIHH", cum, a_rwnd, gaps + 3, duplicates) + chunk.value[12:])


def heartbeat_without_info(chunk, endpoint, packet):
    return Chunk(wire.HEARTBEAT, 0, b"")


altering(
    "sack-count-lies",
    "A SACK counts more gap blocks than it has.",
    ["RFC 9260 3.3.4"],
    MUST,
    "A",
    PACKETS,
    (wire.SACK,),
    sack_count,
    o.receives,
    o.peer_given(violation_answer="discard"),
)
altering(
    "sack-short",
    "A SACK without its counts.",
    ["RFC 9260 3.3.4"],
    MUST,
    "A",
    PACKETS,
    (wire.SACK,),
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:8]),
    o.receives,
    o.peer_given(violation_answer="discard"),
)
altering(
    "heartbeat-without-info",
    "A HEARTBEAT without Heartbeat Info.",
    ["RFC 9260 3.3.5"],
    MUST,
    "A",
    PACKETS,
    (wire.HEARTBEAT,),
    heartbeat_without_info,
    o.idle,
)
altering(
    "heartbeat-info-type",
    "The parameter of a HEARTBEAT is no Heartbeat Info.",
    ["RFC 9260 3.3.5"],
    MUST,
    "A",
    PACKETS,
    (wire.HEARTBEAT,),
    lambda chunk, endpoint, packet: with_value(chunk, b"\0\x02" + chunk.value[2:]),
    o.idle,
)
altering(
    "shutdown-short",
    "A SHUTDOWN without a Cumulative TSN Ack.",
    ["RFC 9260 3.3.8"],
    MUST,
    "A",
    PACKETS,
    (wire.SHUTDOWN,),
    lambda chunk, endpoint, packet: with_value(chunk, b""),
    o.ends_itself,
    o.peer_given(violation_answer="discard"),
)
for _type, _occasions in ((wire.SHUTDOWN_ACK, (o.is_ended,)), (wire.SHUTDOWN_COMPLETE, (o.ends_itself,)), (wire.COOKIE_ACK, (o.server,))):
    _name = wire.CHUNK_NAMES[_type]
    altering(
        f"{_name.lower().replace(' ', '-')}-long",
        f"{_name} has a value.",
        ["RFC 9260 3.3"],
        MUST,
        "A",
        PACKETS,
        (_type,),
        lambda chunk, endpoint, packet: with_value(chunk, bytes(4)),
        *_occasions,
    )


def cause_length(chunk, endpoint, packet):
    return with_value(chunk, chunk.value[:2] + b"\x7f\xff" + chunk.value[4:]) if len(chunk.value) >= 4 else None


altering("cause-length-lies", "An error cause ends beyond its chunk.", ["RFC 9260 3.3.10"], MUST, "A", PACKETS, (wire.ABORT,), cause_length, o.aborts)
altering(
    "cause-length-short",
    "An error cause with a length below 4.",
    ["RFC 9260 3.3.10"],
    MUST,
    "A",
    PACKETS,
    (wire.ABORT,),
    lambda chunk, endpoint, packet: with_value(chunk, chunk.value[:2] + b"\0\1" + chunk.value[4:]) if len(chunk.value) >= 4 else None,
    o.aborts,
)


@row(["RFC 9260 3.3.10"], MUST, "A", PACKETS, o.receives)
class ErrorWithoutCause(EndpointDecisions):
    """An ERROR chunk without any cause goes with a SACK."""

    def alter(self, packet):
        if packet.has((wire.SACK,)) and self.turn():
            packet.chunks.append(Chunk(wire.ERROR, 0, b""))
            packet.chunks.sort(key=lambda chunk: chunk.type in (wire.DATA, wire.I_DATA))
            packet.deviates = True
