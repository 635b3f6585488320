# SPDX-License-Identifier: GPL-2.0-or-later
"""A capture in which every chunk, parameter and error cause that Wireshark 4.0 decodes occurs, with a value in every field that
could not be another field's; no conversation makes sense."""

import struct

from . import chunks, packet
from .merge import START_NS
from .pcapng import Pcapng

V4, V6 = chunks.address("192.0.2.77"), chunks.address("2001:db8::77")


def _setup_params():
    u32 = struct.pack
    return b"".join((
        V4, V6, chunks.tlv(chunks.COOKIE_PRESERVATIVE, u32("!I", 61001)), chunks.tlv(chunks.HOST_NAME, b"host.example\0"),
        chunks.tlv(chunks.ADDRESS_TYPES, u32("!HHH", 5, 6, 11)), chunks.tlv(chunks.ECN),
        chunks.tlv(chunks.RANDOM, bytes(range(32))), chunks.tlv(chunks.CHUNKS, b"\x80\xc1\x00"),
        chunks.tlv(chunks.HMACS, u32("!HH", 3, 1)), chunks.tlv(chunks.EXTENSIONS, b"\xc0\xc1\x80\x82\x40"),
        chunks.tlv(chunks.FORWARD_TSN_SUPPORTED), chunks.tlv(chunks.ADAPTATION, u32("!I", 0xADAADAAD)),
        chunks.tlv(chunks.SUCCESS, u32("!I", 0x55555555)), chunks.tlv(0x7ABC, b"unknown"), chunks.tlv(chunks.ZERO_CHECKSUM, u32("!I", 1)),
        chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(0xBABA, b"12345678"))))


def _re_configs():
    pack = struct.pack
    return [chunks.re_config(*params) for params in (
        [chunks.tlv(chunks.OUTGOING_RESET, pack("!IIIHHH", 101, 102, 103, 1, 2, 3))], [chunks.tlv(chunks.INCOMING_RESET, pack("!IHH", 104, 4, 5))],
        [chunks.tlv(chunks.TSN_RESET, pack("!I", 105))], [chunks.tlv(chunks.RESPONSE, pack("!II", 106, 1))],
        [chunks.tlv(chunks.RESPONSE, pack("!IIII", 107, 3, 108, 109))], [chunks.tlv(chunks.ADD_OUTGOING, pack("!IHH", 110, 6, 0xA0A0))],
        [chunks.tlv(chunks.ADD_INCOMING, pack("!IHH", 111, 7, 0xB0B0))],
        [chunks.tlv(chunks.OUTGOING_RESET, pack("!III", 112, 113, 114)), chunks.tlv(chunks.INCOMING_RESET, pack("!I", 115))])]


def _causes():
    pack, tlv = struct.pack, chunks.tlv
    return [tlv(1, pack("!HH", 17, 0xC0C0)), tlv(2, pack("!IHH", 2, 7, 0x8002)), tlv(3, pack("!I", 30303)), tlv(4), tlv(5, chunks.tlv(chunks.HOST_NAME, b"unresolvable")),
            tlv(6, chunks.chunk(0x77, 5, b"what?")), tlv(7), tlv(8, tlv(0xBABA, b"param!")), tlv(9, pack("!I", 909090)), tlv(10), tlv(11, V4 + V6),
            tlv(12, b"user says bye"), tlv(13, b"violation!"), tlv(0xA0, tlv(chunks.DELETE_IP, pack("!I", 0xA0A0A0A0) + V4)), tlv(0xA1, tlv(chunks.ADD_IP, pack("!I", 0xA1A1A1A1) + V4)),
            tlv(0xA2, tlv(chunks.DELETE_IP, pack("!I", 0xA2A2A2A2) + V6)), tlv(0xA3), tlv(0xA4, tlv(chunks.SET_PRIMARY, pack("!I", 0xA4A4A4A4) + V4)),
            tlv(0x105, pack("!H", 9)), tlv(0x7E57, b"unknown cause")]


def _asconfs():
    param = chunks.asconf_param
    return [chunks.asconf(0x5E900001, "192.0.2.9", param(chunks.ADD_IP, 1, V4), param(chunks.DELETE_IP, 2, V6), param(chunks.SET_PRIMARY, 3, V4)),
            chunks.asconf_ack(0x5E900001, param(chunks.SUCCESS, 1), param(chunks.ERROR_INDICATION, 2, chunks.tlv(0xA4, param(chunks.DELETE_IP, 2, V6))))]


def _dropped():
    inner = packet.sctp(5001, 5002, 0x11111111, chunks.data(77, b"dropped data"), checksum=b"\xde\xad\xbe\xef")
    return [chunks.pktdrop(inner, flags=2), chunks.pktdrop(inner, 222, 333, 0, 1, 0xD0D0), chunks.pktdrop(inner[:20], 444, 555, len(inner), 4)]


def packets():
    """Lists of chunks, one list per packet."""
    pack = struct.pack
    yield from ([chunks.init(0xAAAA0001, 1001, _setup_params(), 70001, 11, 12)], [chunks.init_ack(0xBBBB0002, 2002, b"a cookie!", _setup_params(), 70002, 13, 14)],
                [chunks.cookie_echo(b"a cookie!"), chunks.data(1001, b"one", 3, 4, 5)], [chunks.cookie_ack()])
    for flags in range(16):
        yield [chunks.data(1002 + flags, b"x" * (flags + 1), flags, 70 + flags, 80 + flags, flags)]
        yield [chunks.i_data(3002 + flags, b"y" * (flags + 1), flags, 90 + flags, 100 + flags, flags, 0x0E0E)]
    for gaps, duplicates in (((), ()), ([(2, 3), (5, 9)], ()), ((), [8, 9]), ([(2, 2)], [4, 4, 5])):
        yield [chunks.sack(1001, 65001, gaps, duplicates, flags=1)]
        yield [chunks.nr_sack(1001, 65002, gaps, [(start + 20, end + 20) for start, end in gaps], duplicates, 1, 0x0F0F)]
    yield [chunks.nr_sack(1001, 65003, (), [(2, 4)])]
    yield from ([chunks.heartbeat(bytes(range(41)))], [chunks.heartbeat_ack(bytes(range(41)))], [chunks.shutdown(1009)], [chunks.shutdown_ack()])
    yield from ([chunks.shutdown_complete()], [chunks.shutdown_complete(True)], [chunks.abort()], [chunks.abort(t=True)])
    yield from ([chunks.ecne(1010), chunks.cwr(1011)], [chunks.auth(5, 3, bytes(range(32)))], [chunks.auth(6, 1, bytes(range(20))), _asconfs()[0]])
    yield from ([part] for part in (*_asconfs(), *_re_configs(), *_dropped()))
    yield from ([part(cause)] for cause in _causes() for part in (chunks.error, chunks.abort))
    yield [chunks.error(*_causes())]
    yield from ([chunks.chunk(chunks.PAD, 0, b"p" * 7)], [chunks.forward_tsn(1020)], [chunks.forward_tsn(1021, [(1, 2), (3, 4)])])
    yield from ([chunks.i_forward_tsn(1022)], [chunks.i_forward_tsn(1023, [(1, 0, 2), (3, 1, 4), (5, 0xFFFE, 6)])])
    yield from ([chunks.chunk(0x77, 0xA5, b"unknown type")], [chunks.chunk(0xFF, 3, b"unkn")], [chunks.chunk(0x41, 1, b"\0" + b"a DTLS record")])
    yield [chunks.data(1030, b"odd"), chunks.data(1031, b"even"), chunks.sack(1), chunks.heartbeat(b"bundled")]
    yield [pack("!BBHI", 0, 3, 9, 5) + b"pad!" * 2]


def write(path):
    """Writes the capture; returns the number of frames."""
    with Pcapng(path) as capture:
        for number, parts in enumerate(packets()):
            content = packet.sctp(7001, 7002, 0xCAFE0001, *parts)
            capture.write(START_NS + number * 1_000_000, packet.ethernet(packet.ip("192.0.2.1", "192.0.2.2", content, identification=number + 1)))
    path.chmod(0o644)
    return capture.frames
