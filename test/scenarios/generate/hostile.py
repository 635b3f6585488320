# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures made to hurt: contents that no stack sends, as many, as long and as deep as they fit into a packet."""

import random
import struct

from . import chunks, packet
from .merge import START_NS
from .pcapng import Pcapng
from .association import Flow, Association, host

IP_BYTES = 65_515
ROOM = IP_BYTES - 12

TEXTS = [b"\x1b[2J\x1b[31mred\x1b]0;title\x07\x1b[6n", b"\xff\xfe\xc0\x80\xed\xa0\x80 not UTF-8 \xf5\x80", b"line\r\nline\nassoc 99\n\n",
         b"nul\0nul", b"=1+1\",\"a'b\\", b"\xe2\x80\xae right to left \xe2\x80\x8f\xc2\x9b31m", b"%s%n%x" * 50, b"", b"x" * 60_000, b"\x7f\x9b\x90\x01",
         b'"},{"index":7,"', b"<script>&amp;\\u0000"]


def _whole(association, *parts):
    return association.send(0, *parts)


def texts(rng, flow):
    """ABORT reasons and protocol violations with control characters, escapes, formulas, invalid UTF-8."""
    for number, text in enumerate(TEXTS):
        association = Association(flow, rng, (host(number + 1), host(1, 172))).set_up()
        association.send(1, chunks.error(chunks.tlv(13, text)))
        association.abort(0, causes=(chunks.user_abort(text),))
        association = Association(flow, rng, (host(number + 1), host(2, 172)))
        association.init(params=chunks.tlv(chunks.HOST_NAME, text)).init_ack(cookie=text)


def many_chunks(rng, flow):
    """16,000 chunks in one packet, of one kind or all kinds."""
    association = Association(flow, rng, (host(1), host(2))).set_up()
    for kind in (chunks.COOKIE_ACK, chunks.ABORT, 0x77, chunks.ERROR, chunks.HEARTBEAT, chunks.SHUTDOWN_ACK):
        _whole(association, chunks.chunk(kind) * (ROOM // 4))
    _whole(association, b"".join(chunks.chunk(kind & 255) for kind in range(ROOM // 4)))
    _whole(association, chunks.data(association.ends[0].tsn, b"") * (ROOM // 16))
    _whole(association, chunks.sack(7) * (ROOM // 16))
    _whole(association, chunks.init(5, 6) * (ROOM // 20))
    _whole(association, chunks.shutdown(5) * (ROOM // 8))


def long_tlvs(rng, flow):
    """Lengths of 65,535 that are true, nearly true, or lies; lengths under 4."""
    association = Association(flow, rng, (host(1), host(2))).set_up()
    for kind in (*range(17), 0x40, 0x41, 0x80, 0x81, 0x82, 0x84, 0xC0, 0xC1, 0xC2, 0xFF):
        _whole(association, chunks.chunk(kind, 255, rng.randbytes(ROOM - 4)))
        for length in (0, 1, 2, 3, 4, 5, 7, 0xFFFF):
            _whole(association, chunks.chunk(kind, 0, rng.randbytes(24), length))
            _whole(association, chunks.chunk(kind, 0, b"", length))
    for kind in (*range(1, 0x13), *range(0x8000, 0x8009), *range(0xC000, 0xC009), 0x7777):
        _whole(association, chunks.chunk(chunks.INIT, 0, bytes(16) + chunks.tlv(kind, rng.randbytes(ROOM - 24))))
        for length in (0, 1, 3, 4, 5, 6, 0xFFFF):
            _whole(association, chunks.chunk(chunks.INIT_ACK, 0, bytes(16) + chunks.tlv(kind, b"12345678", length)))
            _whole(association, chunks.chunk(chunks.ASCONF, 0, bytes(4) + chunks.tlv(kind, b"12345678", length)))
            _whole(association, chunks.re_config(chunks.tlv(kind, b"", length)))
    for cause in (*range(14), *range(0xA0, 0xA5), 0xB0, 0xB1, 0xB2, 0x105, 0x7777):
        _whole(association, chunks.error(chunks.tlv(cause, rng.randbytes(ROOM - 8))))
        for length in (0, 3, 4, 5, 6, 7, 0xFFFF):
            _whole(association, chunks.abort(chunks.tlv(cause, b"12345678", length)))


def nested(rng, flow):
    """PKTDROP in PKTDROP, parameter in parameter, chunk in cause in chunk, as deep as a packet allows."""
    association = Association(flow, rng, (host(1), host(2))).set_up()
    for levels in (5, 50, 2000):
        inner = packet.sctp(1, 2, 3, chunks.data(1, b"deep"), checksum=bytes(4))
        for _ in range(levels):
            inner = packet.sctp(1, 2, 3, chunks.pktdrop(inner), checksum=bytes(4))
        _whole(association, inner[12:])
        inner = b""
        for _ in range(levels * 4):
            inner = chunks.tlv(chunks.UNRECOGNIZED, inner)
        _whole(association, chunks.init_ack(1, 2, params=inner))
        inner = b""
        for _ in range(levels * 4):
            inner = chunks.error(chunks.tlv(6, inner))
        _whole(association, inner)
        inner = chunks.address("192.0.2.1")
        for level in range(levels):
            inner = chunks.asconf_param((chunks.ADD_IP, chunks.DELETE_IP, chunks.SET_PRIMARY)[level % 3], level, inner)
        _whole(association, chunks.asconf(1, "192.0.2.2", inner))
        inner = b""
        for level in range(levels):
            inner = chunks.asconf_param(chunks.ERROR_INDICATION, level, chunks.tlv(0xA0, inner))
        _whole(association, chunks.asconf_ack(1, inner))


def many_causes(rng, flow):
    """16,000 causes or parameters in one chunk; each may be an event."""
    association = Association(flow, rng, (host(1), host(2))).set_up()
    for cause in (3, 4, 6, 10, 12):
        _whole(association, chunks.error(chunks.tlv(cause) * (ROOM // 4 - 2)))
    _whole(association, chunks.init(1, 2, chunks.address("10.1.1.1") * (ROOM // 8 - 4)))
    _whole(association, chunks.init(1, 2, b"".join(chunks.address(host(number)) for number in range(ROOM // 8 - 4))))
    adds = b"".join(chunks.asconf_param(chunks.ADD_IP, number, chunks.address(host(number))) for number in range(ROOM // 16 - 2))
    _whole(association, chunks.asconf(1, "10.0.0.1", adds)).send(1, chunks.asconf_ack(1))
    _whole(association, chunks.re_config(chunks.tlv(chunks.OUTGOING_RESET, struct.pack("!III", 1, 2, 3) + bytes(ROOM - 40))))
    _whole(association, chunks.forward_tsn(1 << 31, [(number & 0xFFFF, 1) for number in range(16_000)]))
    _whole(association, chunks.i_forward_tsn(5, [(number & 0xFFFF, 1, 1) for number in range(8_000)]))


def wild_sacks(rng, flow):
    """Gap blocks that overlap, run backwards, number 16,000 or are announced and missing; cumulative acks that jump."""
    association = Association(flow, rng, (host(1), host(2))).set_up().exchange(3)
    for _ in range(30):
        gaps = [(rng.randrange(65536), rng.randrange(65536)) for _ in range(16_000)]
        association.send(1, chunks.sack(rng.randrange(1 << 32), rng.randrange(1 << 32), gaps))
        association.send(1, chunks.nr_sack(rng.randrange(1 << 32), 0, gaps[:8000], gaps[8000:]))
    for announced in (1, 1000, 0xFFFF):
        association.send(1, chunks.chunk(chunks.SACK, 0, struct.pack("!IIHH", 1, 2, announced, announced)))
        association.send(1, chunks.chunk(chunks.NR_SACK, 0, struct.pack("!IIHHHH", 1, 2, announced, announced, announced, 0)))
    for _ in range(3000):
        association.data(0, size=1)
        association.ends[0].tsn = rng.randrange(1 << 32)
        association.send(1, chunks.sack(rng.randrange(1 << 32), 0, [(1, 65535)]))


def many_addresses(rng, flow):
    """One association whose packets come from 40,000 addresses, and go to as many."""
    association = Association(flow, rng, (host(1), host(2, 172))).set_up()
    for number in range(20_000):
        association.data(0, size=4, source=host(number + 2)).sack(1, destination=host(number + 2), source=host(number + 3, 172))


def many_events(rng, flow):
    """100,000 errors and restarts: nothing may keep them all."""
    association = Association(flow, rng, (host(1), host(2))).set_up()
    part = chunks.error(chunks.tlv(1, bytes(4)))
    for _ in range(50_000):
        association.send(1, part)


def strange_headers(rng, flow):
    """Tag 0 where it must not be, INIT with a tag, INIT bundled, tag 0 announced, equal ports and port 0, multicast and broadcast."""
    for number, addresses in enumerate(((host(1), host(2)), ("224.0.0.1", host(2)), ("255.255.255.255", "255.255.255.255"), ("0.0.0.0", "0.0.0.0"))):
        for ports in ((5001, 5001), (0, 0), (0, 1)):
            association = Association(flow, rng, addresses, ports).init().init_ack()
            association.data(0, vtag=0)
            association.send(0, chunks.init(0, 1), vtag=0).send(1, chunks.init_ack(0, 1))
            association.send(0, chunks.init(5, 1), vtag=9).send(0, chunks.init(5, 1), chunks.data(1, b"bundled"), vtag=0)
            association.send(0, chunks.data(1, b"before"), chunks.init(6, 1), vtag=0).send(1, chunks.init_ack(6, 1), vtag=0)
            association.send(0, chunks.abort(t=True), vtag=0).send(0, chunks.shutdown_complete(True), vtag=0).send(0, vtag=5).send(0, vtag=0)
            association.send(0, b"\0").send(0, b"\0\0\0")


def noise(rng, flow):
    """Random bytes behind valid common headers."""
    association = Association(flow, rng, (host(1), host(2))).set_up()
    for number in range(3000):
        _whole(association, rng.randbytes(rng.randrange(200)))


KINDS = {function.__name__: function for function in (texts, many_chunks, long_tlvs, nested, many_causes, wild_sacks, many_addresses, many_events,
                                                      strange_headers, noise)}


def write(kind, path, seed=1):
    """Writes the capture of one kind; returns the number of frames."""
    rng = random.Random(f"{kind} {seed}")
    flow = Flow(kind)
    KINDS[kind](rng, flow)
    with Pcapng(path) as capture:
        for number, item in enumerate(flow.items):
            capture.write(START_NS + number * 1_000_000, packet.ethernet(item.to_ip()))
    path.chmod(0o644)
    return capture.frames


def flip(source, target, seed, share=0.01):
    """Copies a pcap or pcapng file of ours, flipping bytes of packets behind their first 14 bytes; other blocks stay whole."""
    rng = random.Random(f"flip {seed}")
    content = bytearray(source.read_bytes())
    position = 0
    while position + 12 <= len(content):
        kind, size = struct.unpack_from("<II", content, position)
        if kind == 6:
            captured = struct.unpack_from("<I", content, position + 20)[0]
            for _ in range(max(1, int((captured - 14) * share)) if captured > 14 and rng.random() < 0.5 else 0):
                content[position + 28 + rng.randrange(14, captured)] ^= 1 << rng.randrange(8)
        position += size
    target.write_bytes(content)
    target.chmod(0o644)
