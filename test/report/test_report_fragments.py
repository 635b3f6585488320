# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what --anonymise makes of IP fragments: the same as of the whole packet, in whatever order and however often they are captured."""

import io
import random
import struct

import pytest

from sctpa import pcapng
from sctpa.crc32c import crc32c
from sctpa.report import capture_rewriter
from sctpa.report.checksums import internet
from sctpa.report.fragments import PACKETS_MAX
from sctpa.report.packet_rewriter import LINK_RAW, PacketRewriter
from sctpa.report.pseudonyms import Pseudonyms

ADDRESSES = {4: (b"\x0a\x01\x02\x03", b"\x0a\x01\x02\x04"), 6: (b"\x2a" + bytes(14) + b"\x01", b"\x2a" + bytes(14) + b"\x02")}


def sctp_packet(chance, size):
    """DATA chunks with user data, and the right checksum."""
    chunks = b""
    while len(chunks) < size:
        data = chance.randbytes(4 * chance.randrange(10, 300))
        chunks += struct.pack(">BBHIHHI", 0, 3, 16 + len(data), len(chunks), 0, 0, 46) + data
    packet = bytearray(struct.pack(">HHII", 5000, 5001, 77, 0) + chunks)
    packet[8:12] = crc32c(bytes(packet)).to_bytes(4, "little")
    return bytes(packet)


def ip_packet(version, content, number, offset=0, more=False):
    source, destination = ADDRESSES[version]
    if version == 4:
        header = bytearray(struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(content), number, offset // 8 | more << 13, 64, 132, 0) + source + destination)
        header[10:12] = internet(bytes(header)).to_bytes(2, "big")
        return bytes(header) + content
    fragment = struct.pack(">BBHI", 132, 0, offset | more, number)
    return struct.pack(">IHBB", 6 << 28, len(content) + 8, 44, 64) + source + destination + fragment + content


def fragments(version, content, number, size):
    return [ip_packet(version, content[at:at + size], number, at, at + size < len(content)) for at in range(0, len(content), size)]


def payload(version, packet):
    return packet[20 if version == 4 else 48:]


def rewritten(packets):
    """The packets as they come out of a pcapng."""
    made = pcapng.section() + pcapng.interface_block(pcapng.Interface(min(LINK_RAW), 0))
    made += b"".join(pcapng.packet(0, 0, packet) for packet in packets)
    target = io.BytesIO()
    capture_rewriter.rewrite(io.BytesIO(made), target, PacketRewriter(Pseudonyms(bytes(32))))
    blocks = list(pcapng.blocks(io.BytesIO(target.getvalue())))[2:]
    return [body[20:20 + struct.unpack_from("<IIIII", body)[3]] for _, body, _, _ in blocks]


def is_right(sctp):
    return crc32c(sctp[:8] + bytes(4) + sctp[12:]) == int.from_bytes(sctp[8:12], "little")


@pytest.mark.parametrize("version", [4, 6])
@pytest.mark.parametrize("seed", range(8))
def test_fragments_become_what_the_whole_becomes(version, seed):
    chance = random.Random(seed)
    content = sctp_packet(chance, chance.randrange(2000, 20000))
    whole, = rewritten([ip_packet(version, content, 9)])
    assert is_right(payload(version, whole)) and content[-200:] not in whole
    pieces = fragments(version, content, 9, 8 * chance.randrange(20, 180))
    order = [index for index in range(len(pieces)) for _ in range(chance.choice((1, 1, 2)))]
    chance.shuffle(order)
    made = rewritten([pieces[index] for index in order])
    parts = {}
    for index, packet in zip(order, made):
        assert parts.setdefault(index, packet) == packet, "copies of a fragment differ"
    assert b"".join(payload(version, parts[index]) for index in range(len(pieces))) == payload(version, whole)


def test_without_its_last_fragment_a_packet_keeps_nothing_of_the_user_data():
    content = sctp_packet(random.Random(1), 5000)
    made = rewritten(fragments(4, content, 9, 1480)[:-1])
    assert all(not any(payload(4, packet)) for packet in made[1:]) and not any(content[100 + at:130 + at] in made[0] for at in range(0, 1300, 30))


def test_an_identification_that_comes_again_is_another_packet():
    first, second = (sctp_packet(random.Random(seed), 3000) for seed in (1, 2))
    made = rewritten([*fragments(4, first, 9, 1480), *fragments(4, second, 9, 1480)])
    count = len(fragments(4, first, 9, 1480))
    assert all(is_right(b"".join(payload(4, packet) for packet in packets)) for packets in (made[:count], made[count:]))


def test_overlapping_fragments_are_left_as_they_are_and_many_at_a_time_forget_the_first():
    content = sctp_packet(random.Random(1), 3000)
    overlapping = [ip_packet(4, content[:1480], 9, 0, True), ip_packet(4, content[800:], 9, 800)]
    assert not any(payload(4, rewritten(overlapping)[1]))
    begun = [fragments(4, content, number, 1480)[0] for number in range(PACKETS_MAX + 1)]
    rest = [fragments(4, content, number, 1480)[1:] for number in (0, PACKETS_MAX)]
    made = rewritten(begun + rest[0] + rest[1])
    assert not any(payload(4, made[len(begun)])) and is_right(b"".join(payload(4, packet) for packet in [made[PACKETS_MAX], *made[-len(rest[1]):]]))
