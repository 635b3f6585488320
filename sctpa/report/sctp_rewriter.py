# SPDX-License-Identifier: GPL-2.0-or-later
"""An SCTP packet without what tells who spoke and what was said: user data, addresses, cookies, HEARTBEAT information, host names, texts of errors.

Lengths, ports, tags, TSNs, streams, PPIDs, windows, flags and types stay, and so do unknown types, without their contents. What stands behind the
last number that the type of a chunk, parameter or cause has becomes zero. What is equal stays equal: a cookie and its echo, a HEARTBEAT and its
answer. The checksum is right where it was right; of a packet that is cut short it becomes another. HMACs of AUTH become zero: with
no key they verify as little as before. Leaves the layers below to packet_rewriter.py. The same lists as plugins/.../core/wire: RFC 9260 and kin.
"""

from sctpa.crc32c import crc32c

from .checksums import adler32

HEADER_BYTES = 12
# Of values that the capture cannot show to be addresses or words: what these chunks keep after the 4 bytes of type, flags and length.
DATA, INIT, INIT_ACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, ERROR, COOKIE_ECHO, AUTH = 0, 1, 2, 4, 5, 6, 9, 10, 15
I_DATA, ASCONF_ACK, PKTDROP, RE_CONFIG, ASCONF = 0x40, 0x80, 0x81, 0x82, 0xC1
SACK, NR_SACK = 3, 16
# Of what holds numbers alone: bytes up to the end of what is always there, and of each further number, or none.
# SHUTDOWN, SHUTDOWN ACK, COOKIE ACK, CWR, SHUTDOWN COMPLETE, FORWARD-TSN, I-FORWARD-TSN.
ONLY_NUMBERS = {7: (8, 0), 8: (4, 0), 11: (4, 0), 13: (8, 0), 14: (4, 0), 0xC0: (8, 4), 0xC2: (8, 8)}
# Cookie Preservative, Supported Address Types, RE-CONFIG's six but its response, ECN, zero checksum, CHUNKS, HMAC-ALGO, Supported Extensions,
# FORWARD-TSN, Success Indication, Adaptation Layer Indication.
PARAMS_OF_NUMBERS = {
    9: (8, 0),
    12: (4, 2),
    13: (16, 2),
    14: (8, 2),
    15: (8, 0),
    17: (12, 0),
    18: (12, 0),
    0x8000: (4, 0),
    0x8001: (8, 0),
    0x8003: (4, 1),
    0x8004: (4, 2),
    0x8008: (4, 1),
    0xC000: (4, 0),
    0xC005: (8, 0),
    0xC006: (8, 0),
}
# The same of those that may have one more part, once: ECNE the number of packets, a response to RE-CONFIG two TSNs.
ECNE, ECNE_PARTS, PARAM_RESPONSE, RESPONSE_PARTS = 12, (8, 4), 16, (12, 8)
PARAM_IPV4, PARAM_IPV6, PARAM_HEARTBEAT, PARAM_COOKIE, PARAM_UNRECOGNIZED, PARAM_HOST_NAME, PARAM_RANDOM = (
    5,
    6,
    1,
    7,
    8,
    11,
    0x8002,
)
# Add, Delete and Set Primary Address: a correlation id, then an address. Error Cause Indication: the same, then causes.
PARAMS_OF_ASCONF, PARAM_CAUSES = {0xC001, 0xC002, 0xC004}, 0xC003
# Invalid Stream Identifier, Stale Cookie, No User Data, Cookie Received While Shutting Down, Association Aborted Due to Illegal ASCONF-ACK, and
# Unsupported HMAC Identifier. Out of Resource and Invalid Mandatory Parameter have no numbers: stacks put text there.
CAUSES_OF_NUMBERS, CAUSE_MISSING = {1: (8, 0), 3: (8, 0), 9: (8, 0), 10: (4, 0), 0x00A3: (4, 0), 0x0105: (6, 0)}, 2
# Unresolvable Address, Unrecognized Parameters, Restart with New Addresses; those of RFC 5061: parameters. Unrecognized Chunk Type: a chunk.
CAUSES_OF_PARAMS, CAUSE_CHUNK = {5, 8, 11, 0x00A0, 0x00A1, 0x00A2, 0x00A4, 0x00A5}, 6
NESTED_MAX = 8
FILL = ord("x")


class SctpRewriter:
    """With the pseudonyms of a capture."""

    def __init__(self, pseudonyms):
        self._pseudonyms = pseudonyms

    def packet(self, data, begin, end, is_whole):
        """Rewrites data[begin:end], a bytearray, in place; is_whole: it holds the packet to its last byte. Cost: its length."""
        if end - begin < HEADER_BYTES:
            self._blank(data, begin, end)
            return
        kind = _checksum_kind(data, begin, end) if is_whole else None
        self._chunks(data, begin + HEADER_BYTES, end, 0)
        if kind:
            _put_checksum(data, begin, end, kind)
        elif not is_whole and any(data[begin + 8 : begin + 12]):
            # It would tell a right guess of what is replaced from a wrong one.
            self._opaque(data, begin + 8, begin + 12)

    def is_packet(self, data, begin, end):
        """Do these bytes have the checksum of SCTP? For what stands in UDP on other ports."""
        return end - begin > HEADER_BYTES and _checksum_kind(data, begin, end) == "crc32c"

    @staticmethod
    def _blank(data, begin, end, fill=0):
        data[begin:end] = bytes((fill,)) * max(end - begin, 0)

    def _opaque(self, data, begin, end):
        data[begin:end] = self._pseudonyms.bytes(b"opaque", bytes(data[begin:end]), max(end - begin, 0))

    def _after_numbers(self, data, at, last, parts, most=None, fill=0):
        """Blanks what stands behind numbers. parts: as in ONLY_NUMBERS; most: of the further numbers."""
        fixed, each = parts
        count = max(last - at - fixed, 0) // each if each else 0
        self._blank(data, at + fixed + (count if most is None else min(count, most)) * each, last, fill)

    def _each(self, data, begin, end):
        """(begin, end without padding) of each chunk, parameter or cause. Padding that is not zero becomes ones."""
        while end - begin >= 4:
            length = int.from_bytes(data[begin + 2 : begin + 4], "big")
            last = min(begin + max(length, 4), end)
            yield begin, last
            following = min(begin + (max(length, 4) + 3 & ~3), end)
            for at in range(last, following):
                data[at] = min(data[at], 1)
            begin = following
        self._blank(data, begin, end)

    def _chunks(self, data, begin, end, depth):
        for at, last in self._each(data, begin, end):
            self._chunk(data, at, last, depth)

    def _chunk(self, data, at, last, depth):
        kind = data[at]
        if kind in ONLY_NUMBERS:
            self._after_numbers(data, at, last, ONLY_NUMBERS[kind])
        elif kind == ECNE:
            self._after_numbers(data, at, last, ECNE_PARTS, 1)
        elif kind in (SACK, NR_SACK):
            # Two counts of four bytes each, of NR-SACK three.
            fixed, counts = (16, 2) if kind == SACK else (20, 3)
            self._after_numbers(
                data,
                at,
                last,
                (fixed, 4),
                sum(_number(data, at + 12 + 2 * nth, 2) for nth in range(counts)) if last - at >= fixed else 0,
            )
        elif kind in (INIT, INIT_ACK):
            self._params(data, at + 20, last, depth)
        elif kind in (HEARTBEAT, HEARTBEAT_ACK, RE_CONFIG):
            self._params(data, at + 4, last, depth)
        elif kind in (ASCONF, ASCONF_ACK):
            self._params(data, at + 8, last, depth)
        elif kind in (ABORT, ERROR):
            self._causes(data, at + 4, last, depth)
        elif kind == COOKIE_ECHO:
            self._opaque(data, at + 4, last)
        elif kind == PKTDROP and depth < NESTED_MAX:
            inner = min(at + 16, last)
            self._opaque(data, min(inner + 8, last), min(inner + HEADER_BYTES, last))
            self._chunks(data, min(inner + HEADER_BYTES, last), last, depth + 1)
        else:
            kept = {DATA: 16, I_DATA: 20, AUTH: 8}.get(kind, 4)
            self._blank(data, at + kept, last)

    def _params(self, data, begin, end, depth):
        for at, last in self._each(data, begin, end):
            self._param(data, at, last, depth)

    def _param(self, data, at, last, depth):
        kind = int.from_bytes(data[at : at + 2], "big")
        value = at + 4
        if kind in PARAMS_OF_NUMBERS:
            self._after_numbers(data, at, last, PARAMS_OF_NUMBERS[kind])
        elif kind == PARAM_RESPONSE:
            self._after_numbers(data, at, last, RESPONSE_PARTS, 1)
        elif (kind, last - value) in ((PARAM_IPV4, 4), (PARAM_IPV6, 16)):
            data[value:last] = self._pseudonyms.address(bytes(data[value:last]))
        elif kind in (PARAM_HEARTBEAT, PARAM_COOKIE, PARAM_RANDOM):
            self._opaque(data, value, last)
        elif kind == PARAM_UNRECOGNIZED and depth < NESTED_MAX:
            self._params(data, value, last, depth + 1)
        elif kind in PARAMS_OF_ASCONF and depth < NESTED_MAX:
            self._params(data, min(value + 4, last), last, depth + 1)
        elif kind == PARAM_CAUSES and depth < NESTED_MAX:
            self._causes(data, min(value + 4, last), last, depth + 1)
        elif kind == PARAM_HOST_NAME:
            ends_as_text = last > value and data[last - 1] == 0
            self._blank(data, value, last - ends_as_text, FILL)
        else:
            self._blank(data, value, last)

    def _causes(self, data, begin, end, depth):
        for at, last in self._each(data, begin, end):
            code = int.from_bytes(data[at : at + 2], "big")
            if code in CAUSES_OF_NUMBERS:
                self._after_numbers(data, at, last, CAUSES_OF_NUMBERS[code], fill=FILL)
            elif code == CAUSE_MISSING:
                self._after_numbers(data, at, last, (8, 2), _number(data, at + 4, 4) if last - at >= 8 else 0, FILL)
            elif code in CAUSES_OF_PARAMS and depth < NESTED_MAX:
                self._params(data, at + 4, last, depth + 1)
            elif code == CAUSE_CHUNK and depth < NESTED_MAX:
                self._chunks(data, at + 4, last, depth + 1)
            else:
                self._blank(data, at + 4, last, FILL)


def _number(data, at, length):
    return int.from_bytes(data[at : at + length], "big")


def _computed(data, begin, end):
    copy = data[begin:end]
    copy[8:12] = bytes(4)
    return bytes(copy)


def _checksum_kind(data, begin, end):
    """crc32c, adler32, None for zero, which may stay, and "wrong"."""
    said = bytes(data[begin + 8 : begin + 12])
    if said == bytes(4):
        return None
    copy = _computed(data, begin, end)
    if said == crc32c(copy).to_bytes(4, "little"):
        return "crc32c"
    return "adler32" if said == adler32(copy).to_bytes(4, "big") else "wrong"


def _put_checksum(data, begin, end, kind):
    copy = _computed(data, begin, end)
    right = crc32c(copy).to_bytes(4, "little")
    if kind == "adler32":
        right = adler32(copy).to_bytes(4, "big")
    elif kind == "wrong":
        right = bytes(byte ^ 0xFF for byte in right)
    data[begin + 8 : begin + 12] = right
