# SPDX-License-Identifier: GPL-2.0-or-later
"""What the chunks of a packet say, as far as the reference needs it: TSNs, acknowledgements, set-up, heartbeats, TSN resets.

Chunks that are too short or cut before what matters are left out. Raw TSNs here; unwrapping is transmissions.py's."""

import dataclasses
import struct

DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN = range(8)
COOKIE_ECHO, COOKIE_ACK = 10, 11
SHUTDOWN_COMPLETE, NR_SACK, I_DATA, RE_CONFIG, FORWARD_TSN, I_FORWARD_TSN = 14, 16, 0x40, 0x82, 0xC0, 0xC2
T_BIT = 1
RESPONSE, PERFORMED, RESPONSE_WITH_TSNS_BYTES = 16, 1, 20
HEADER_BYTES = {DATA: 16, I_DATA: 20}


@dataclasses.dataclass(frozen=True)
class Data:
    tsn: int
    bytes: int          # payload, also where the capture cut it


@dataclasses.dataclass(frozen=True)
class Sack:
    cum_tsn: int
    a_rwnd: int
    blocks: tuple       # (start, end) as offsets from cum_tsn; NR_SACK: both kinds of blocks
    is_whole: bool      # False: the capture cut blocks off


@dataclasses.dataclass(frozen=True)
class Shutdown:
    cum_tsn: int


@dataclasses.dataclass(frozen=True)
class Forward:
    cum_tsn: int


@dataclasses.dataclass(frozen=True)
class Init:
    tag: int
    a_rwnd: int
    initial_tsn: int
    is_ack: bool


@dataclasses.dataclass(frozen=True)
class Heartbeat:
    info: bytes
    is_ack: bool
    is_whole: bool


@dataclasses.dataclass(frozen=True)
class TsnReset:
    """A RE_CONFIG response that says the request to reset all TSNs was performed (RFC 6525 4.4)."""
    sender_next: int    # next TSN of who sends this response
    receiver_next: int  # next TSN of who asked


def parse(packet):
    """The chunks of a read_capture.Packet that matter, in order."""
    return [found for chunk, length in zip(packet.chunks, _lengths(packet.body)) for found in _of_chunk(chunk, length)]


def _lengths(body):
    """The length field of each chunk; read_capture.chunk_list gives only the bytes that were captured."""
    position = 12
    while position + 4 <= len(body):
        length = int.from_bytes(body[position + 2:position + 4], "big")
        yield length
        position += (length + 3) // 4 * 4


def _of_chunk(chunk, length):
    value, is_whole = chunk.value, len(chunk.value) == length - 4
    if chunk.type in HEADER_BYTES and len(value) >= 12 and length >= HEADER_BYTES[chunk.type]:
        return [Data(_u32(value), length - HEADER_BYTES[chunk.type])]
    if chunk.type in (INIT, INIT_ACK) and len(value) >= 16:
        return [Init(_u32(value), _u32(value, 4), _u32(value, 12), chunk.type == INIT_ACK)]
    if chunk.type in (SACK, NR_SACK):
        return _sack(value, 12 if chunk.type == SACK else 16)
    if chunk.type in (SHUTDOWN, FORWARD_TSN, I_FORWARD_TSN) and len(value) >= 4:
        return [(Shutdown if chunk.type == SHUTDOWN else Forward)(_u32(value))]
    if chunk.type in (HEARTBEAT, HEARTBEAT_ACK):
        return [Heartbeat(value, chunk.type == HEARTBEAT_ACK, is_whole)]
    if chunk.type == RE_CONFIG:
        return _resets(value)
    return []


def _u32(value, start=0):
    return int.from_bytes(value[start:start + 4], "big")


def _sack(value, fixed):
    """fixed: bytes before the blocks, 16 in an NR_SACK, whose second count is that of its non-renegable blocks."""
    if len(value) < fixed:
        return []
    count, second, = struct.unpack(">HH", value[8:12])
    if fixed == 16:
        count += second
    there = min(count, (len(value) - fixed) // 4)
    blocks = tuple(struct.iter_unpack(">HH", value[fixed:fixed + 4 * there]))
    return [Sack(_u32(value), _u32(value, 4), blocks, there == count)]


def _resets(value):
    found = []
    while len(value) >= 4:
        kind, length = struct.unpack(">HH", value[:4])
        if kind == RESPONSE and length == RESPONSE_WITH_TSNS_BYTES and len(value) >= length and _u32(value, 8) == PERFORMED:
            found.append(TsnReset(_u32(value, 12), _u32(value, 16)))
        value = value[max((length + 3) // 4 * 4, 4):]
    return found
