# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what ./run report --anonymise leaves of a packet: the numbers that its chunks, parameters and causes have by the tables of the plugin, and
nothing else. Every other byte is a mark here, and none of them may be left."""

import re
import struct
import sys

import pytest

from conftest import TOP

sys.path.append(str(TOP))

from sctpa.report.packet_rewriter import LINK_ETHERNET, LINK_SCTP, LINK_SLL, LINK_SLL2, PacketRewriter  # noqa: E402
from sctpa.report.pseudonyms import Pseudonyms  # noqa: E402

MARK, NUMBER = 0xEE, 0x01
# Random bytes are a mark by chance, but not with each of three keys.
KEYS = (bytes(32), b"1" * 32, b"2" * 32)
WIRE = TOP / "plugins" / "sctp_analysis" / "core" / "wire"
ROW = re.compile(r"^SCTPA_\w+\(\w+, +0x([0-9A-F]+), +\"(\w+)\", +\"[^\"]*\", +(\d+), (\d+), (\w+),", re.MULTILINE)
ADDRESSES = ("IPV4_ADDRESS", "IPV6_ADDRESS")
COUNTED = {"SACK": (12, 2), "NR_SACK": (12, 3)}


def rows(name):
    """{word: (value, bytes always there, bytes of each part behind them, what its body is)} of a table."""
    return {word: (int(value, 16), int(fixed), int(unit), body) for value, word, fixed, unit, body in ROW.findall((WIRE / f"{name}.def").read_text())}


CHUNKS, PARAMS, CAUSES = (rows(name) for name in ("chunks", "params", "causes"))


def marks(count):
    return bytes((MARK,)) * count


def framed(head, body):
    """With its length, and marks as padding."""
    return head + struct.pack(">H", 4 + len(body)) + body + marks(-len(body) % 4)


def numbers(word, row):
    """What a row has of numbers behind type and length: one of each that may follow, two of a list."""
    _, fixed, unit, body = row
    data = bytearray((NUMBER,) * (fixed - 4))
    if word in COUNTED:
        at, counts = COUNTED[word]
        data[at - 4:at - 4 + 2 * counts] = bytes((0, 1)) * counts
        return bytes(data) + bytes((NUMBER,)) * 4 * counts
    if word == "MISSING_MANDATORY_PARAMETER":
        return bytes((0, 0, 0, 2)) + bytes((NUMBER,)) * 4
    return bytes(data) + bytes((NUMBER,)) * unit * {"LIST": 2, "RECORDS": 2}.get(body, 1)


def body_of(word, row, depth):
    """The same with what follows, all of it marks but the numbers in what is nested."""
    _, _, unit, body = row
    has = numbers(word, row)
    if body == "PARAMS":
        return has + b"".join(param(each, depth + 1) for each in PARAMS) if depth < 2 else has
    if body == "CAUSES":
        return has + b"".join(cause(each, depth + 1) for each in CAUSES) if depth < 2 else has
    if body == "CHUNK":
        return has + (chunk("SACK", depth + 1) if depth < 2 else b"")
    if body == "PACKET":
        return has + bytes((NUMBER,)) * 8 + marks(4) + (chunk("SACK", depth + 1) if depth < 2 else b"")
    return has + marks({"LIST": unit - 1, "RECORDS": unit - 1}.get(body, 7))


def chunk(word, depth=0):
    return framed(bytes((CHUNKS[word][0], 0)), body_of(word, CHUNKS[word], depth))


def param(word, depth=1):
    if word in ADDRESSES:
        # As bytes that tell one kind of address from another; those of another length are none.
        return framed(struct.pack(">H", PARAMS[word][0]), bytes((NUMBER,)) * (PARAMS[word][1] - 4)) + framed(struct.pack(">H", PARAMS[word][0]), marks(PARAMS[word][1]))
    return framed(struct.pack(">H", PARAMS[word][0]), body_of(word, PARAMS[word], depth))


def cause(word, depth=1):
    return framed(struct.pack(">H", CAUSES[word][0]), body_of(word, CAUSES[word], depth))


def sctp(*chunks):
    return struct.pack(">HHI", 5000, 5001, NUMBER) + bytes(4) + b"".join(chunks)


def left(link, data, original_bytes=None):
    """Places of marks that are left."""
    made = [PacketRewriter(Pseudonyms(key)).packet(link, data, original_bytes or len(data)) for key in KEYS]
    assert all(len(each) == len(data) for each in made)
    return [at for at, byte in enumerate(data) if byte == MARK and all(each[at] == MARK for each in made)]


def test_the_tables_are_read():
    assert len(CHUNKS) >= 26 and len(PARAMS) >= 29 and len(CAUSES) >= 25


@pytest.mark.parametrize("word", CHUNKS)
def test_a_chunk_keeps_its_numbers_only(word):
    data = sctp(chunk(word))
    assert data.count(MARK) > 2 and left(LINK_SCTP, data) == []


@pytest.mark.parametrize("word", PARAMS)
def test_a_parameter_keeps_its_numbers_only(word):
    for holder in ("INIT", "ASCONF", "RE_CONFIG"):
        _, fixed, _, _ = CHUNKS[holder]
        held = framed(bytes((CHUNKS[holder][0], 0)), bytes((NUMBER,)) * (fixed - 4) + param(word) + marks(3))
        assert left(LINK_SCTP, sctp(held)) == []


@pytest.mark.parametrize("word", CAUSES)
def test_a_cause_keeps_its_numbers_only(word):
    held = framed(bytes((CHUNKS["ERROR"][0], 0)), cause(word) + marks(3))
    assert left(LINK_SCTP, sctp(held)) == []


@pytest.mark.parametrize("value", [0x11, 0x42, 0x83, 0xC9, 0xFF])
def test_a_chunk_of_a_type_that_nobody_knows_keeps_none(value):
    assert left(LINK_SCTP, sctp(framed(bytes((value, 0)), marks(9)))) == []


@pytest.mark.parametrize("word", CHUNKS)
def test_a_chunk_that_is_cut_short_keeps_no_more(word):
    data = sctp(chunk(word))
    for length in range(12, len(data), max(1, len(data) // 60)):
        assert left(LINK_SCTP, data[:length], len(data)) == []


@pytest.mark.parametrize("word", CHUNKS)
def test_numbers_stay(word):
    has = framed(bytes((CHUNKS[word][0], 3)), numbers(word, CHUNKS[word]))
    if CHUNKS[word][3] in ("NONE", "SACK", "NR_SACK", "RECORDS"):
        assert PacketRewriter(Pseudonyms(KEYS[0])).packet(LINK_SCTP, sctp(has), 12 + len(has)) == sctp(has)


def test_the_checksum_of_a_packet_that_is_cut_short_becomes_another():
    data = struct.pack(">HHI", 5000, 5001, NUMBER) + marks(4) + chunk("DATA")
    assert left(LINK_SCTP, data, len(data) + 10) == []


def ipv4(protocol, body, options=b"", trailer=b""):
    return struct.pack(">BBHHHBBH", 0x45 + len(options) // 4, 0, 20 + len(options) + len(body), 1, 0, 64, protocol, 0) + bytes((10, 0, 0, 1, 10, 0, 0, 2)) \
        + options + body + trailer


def icmp(kind, code, numbers_at):
    rest = bytearray(marks(4))
    for at in numbers_at:
        rest[at - 4] = NUMBER
    return ipv4(1, bytes((kind, code, 0, 0)) + bytes(rest) + ipv4(132, sctp(chunk("INIT"))))


ETHERNET = bytes(12) + b"\x08\x00"
BELOW = {
    "options and a trailer": (LINK_ETHERNET, ETHERNET + ipv4(132, sctp(), marks(8), marks(6))),
    "another protocol": (LINK_ETHERNET, ETHERNET + ipv4(6, marks(30))),
    "another EtherType": (LINK_ETHERNET, bytes(12) + b"\x88\xcc" + marks(20)),
    "a cooked header": (LINK_SLL, struct.pack(">HHH", 0, 1, 6) + bytes(6) + marks(2) + b"\x08\x00" + ipv4(132, sctp())),
    "a cooked header without an address": (LINK_SLL, struct.pack(">HHH", 0, 1, 0) + marks(8) + b"\x08\x00" + ipv4(132, sctp())),
    "a cooked header with a long address": (LINK_SLL, struct.pack(">HHH", 0, 1, 20) + marks(8) + b"\x08\x00" + ipv4(132, sctp())),
    "the second cooked header": (LINK_SLL2, b"\x08\x00" + marks(2) + struct.pack(">IHBB", 1, 1, 0, 6) + bytes(6) + marks(2) + ipv4(132, sctp())),
    "ICMP, unreachable": (LINK_ETHERNET, ETHERNET + icmp(3, 2, [5])), "ICMP, too big": (LINK_ETHERNET, ETHERNET + icmp(3, 4, [5, 6, 7])),
    "ICMP, time exceeded": (LINK_ETHERNET, ETHERNET + icmp(11, 0, [5])), "ICMP, a wrong parameter": (LINK_ETHERNET, ETHERNET + icmp(12, 0, [4, 5])),
    "ICMP, an echo": (LINK_ETHERNET, ETHERNET + ipv4(1, bytes((8, 0, 0, 0)) + marks(20))),
}


@pytest.mark.parametrize("where", BELOW)
def test_what_is_below_sctp_keeps_its_numbers_only(where):
    assert left(*BELOW[where]) == []
