# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets, chunks, parameters and error causes to bytes and back; the one home of codepoints.

What is malformed is kept as it came: a reader returns None where the fixed part of a chunk is cut off, parse() keeps lengths that lie.
Leaves out every decision about what a chunk means: that is the endpoint's.
"""

import collections
import socket
import struct

from sctpa.crc32c import crc32c

# Chunk types (IANA; RFC 9260 3.2, 3758, 4895, 5061, 6525, 4820, 8260).
DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN = range(8)
SHUTDOWN_ACK, ERROR, COOKIE_ECHO, COOKIE_ACK, ECNE, CWR, SHUTDOWN_COMPLETE, AUTH = range(8, 16)
I_DATA, ASCONF_ACK, RE_CONFIG, PAD, FORWARD_TSN, ASCONF, I_FORWARD_TSN = 0x40, 0x80, 0x82, 0x84, 0xC0, 0xC1, 0xC2
NR_SACK, PKTDROP = 0x10, 0x81
CHUNK_NAMES = {
    DATA: "DATA", INIT: "INIT", INIT_ACK: "INIT ACK", SACK: "SACK", HEARTBEAT: "HEARTBEAT", HEARTBEAT_ACK: "HEARTBEAT ACK", ABORT: "ABORT",
    SHUTDOWN: "SHUTDOWN", SHUTDOWN_ACK: "SHUTDOWN ACK", ERROR: "ERROR", COOKIE_ECHO: "COOKIE ECHO", COOKIE_ACK: "COOKIE ACK", ECNE: "ECNE",
    CWR: "CWR", SHUTDOWN_COMPLETE: "SHUTDOWN COMPLETE", AUTH: "AUTH", I_DATA: "I-DATA", ASCONF_ACK: "ASCONF-ACK", RE_CONFIG: "RE-CONFIG",
    PAD: "PAD", FORWARD_TSN: "FORWARD-TSN", ASCONF: "ASCONF", I_FORWARD_TSN: "I-FORWARD-TSN", NR_SACK: "NR-SACK", PKTDROP: "PKTDROP",
}  # fmt: skip

# Flags of chunks.
FLAG_E, FLAG_B, FLAG_U, FLAG_I = 1, 2, 4, 8
FLAG_T = 1

# Parameter types.
HEARTBEAT_INFO, IPV4_ADDRESS, IPV6_ADDRESS, STATE_COOKIE, UNRECOGNIZED_PARAMETER, COOKIE_PRESERVATIVE = 1, 5, 6, 7, 8, 9
HOST_NAME_ADDRESS, SUPPORTED_ADDRESS_TYPES = 11, 12
OUTGOING_SSN_RESET, INCOMING_SSN_RESET, SSN_TSN_RESET, RECONFIG_RESPONSE, ADD_OUTGOING_STREAMS, ADD_INCOMING_STREAMS = 13, 14, 15, 16, 17, 18
ECN_CAPABLE, ZERO_CHECKSUM_ACCEPTABLE, RANDOM, CHUNK_LIST, REQUESTED_HMAC, PADDING, SUPPORTED_EXTENSIONS = (
    0x8000,
    0x8001,
    0x8002,
    0x8003,
    0x8004,
    0x8005,
    0x8008,
)
FORWARD_TSN_SUPPORTED, ADD_IP_ADDRESS, DELETE_IP_ADDRESS, ERROR_CAUSE_INDICATION = 0xC000, 0xC001, 0xC002, 0xC003
SET_PRIMARY_ADDRESS, SUCCESS_INDICATION, ADAPTATION_LAYER_INDICATION = 0xC004, 0xC005, 0xC006

# Cause codes (RFC 9260 3.3.10, 5061 4.3, 4895 4.2).
INVALID_STREAM, MISSING_PARAMETER, STALE_COOKIE, OUT_OF_RESOURCE, UNRESOLVABLE_ADDRESS, UNRECOGNIZED_CHUNK, INVALID_PARAMETER = range(1, 8)
UNRECOGNIZED_PARAMETERS, NO_USER_DATA, COOKIE_WHILE_SHUTTING_DOWN, RESTART_WITH_NEW_ADDRESSES, USER_INITIATED_ABORT, PROTOCOL_VIOLATION = range(8, 14)
DELETE_LAST_ADDRESS, ASCONF_RESOURCE_SHORTAGE, DELETE_SOURCE_ADDRESS, ILLEGAL_ASCONF_ACK, NO_AUTHORIZATION = 0xA0, 0xA1, 0xA2, 0xA3, 0xA4
UNSUPPORTED_HMAC = 0x0105

# Results of a Re-configuration Response (RFC 6525 4.4).
NOTHING_TO_DO, PERFORMED, DENIED, WRONG_SSN, ALREADY_IN_PROGRESS, BAD_SEQUENCE_NUMBER, IN_PROGRESS = range(7)

# HMAC identifiers (RFC 4895 3.3) and error detection methods (RFC 9653 8), payload protocol identifiers of WebRTC (RFC 8831 8, 8832 8.1).
HMAC_SHA1, HMAC_SHA256 = 1, 3
EDMID_DTLS = 1
PPID_DCEP, PPID_STRING, PPID_BINARY, PPID_STRING_EMPTY, PPID_BINARY_EMPTY = 50, 51, 53, 56, 57

COMMON_HEADER_BYTES = 12
DATA_HEADER_BYTES, I_DATA_HEADER_BYTES = 16, 20
INIT_BYTES, SACK_BYTES = 20, 16
TSN_MODULUS = 1 << 32


def padded(length):
    """length rounded up to a multiple of four (RFC 9260 3.2)."""
    return length + 3 & ~3


def unwrap(value, reference, bits=32):
    """The integer congruent to value modulo 2 ** bits that lies nearest to reference: serial numbers (RFC 9260 1.6, RFC 1982) as plain integers."""
    half = 1 << bits - 1
    return reference + ((value - reference + half) & (2 * half - 1)) - half


def address_bytes(address):
    """Of a text, IPv4 or IPv6."""
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)


def address_text(value):
    """Of 4 or 16 bytes."""
    return socket.inet_ntop(socket.AF_INET6 if len(value) == 16 else socket.AF_INET, value)


class Tlv:
    """A type, a length and a value: what parameters (16-bit type) and error causes (cause code) are.

    length is that of its field, which lies where it differs from 4 + len(value)."""

    __slots__ = ("type", "value", "length")

    def __init__(self, type, value=b"", length=None):
        self.type = type
        self.value = value
        self.length = 4 + len(value) if length is None else length

    @property
    def is_malformed(self):
        return self.length != 4 + len(self.value)

    def encode(self):
        """With padding."""
        return struct.pack("!HH", self.type, self.length) + self.value + bytes(-len(self.value) % 4)

    def unpadded(self):
        """As error causes and Unrecognized Parameter carry it."""
        return struct.pack("!HH", self.type, self.length) + self.value

    def __repr__(self):
        return f"Tlv({self.type:#x}, {self.value.hex()})"


Parameter = Cause = Tlv


def encode_tlvs(tlvs):
    """One after the other, each padded but the last: the length of a chunk does not count the padding of its last parameter (RFC 9260 3.2)."""
    if not tlvs:
        return b""
    return b"".join([tlv.encode() for tlv in tlvs[:-1]]) + tlvs[-1].unpadded()


def parse_tlvs(value):
    """Parameters or causes of these bytes; one whose length lies ends the list, with the bytes that are left as its value; so do one to three
    bytes."""
    tlvs, at = [], 0
    while len(value) - at >= 4:
        type_, length = struct.unpack_from("!HH", value, at)
        whole = 4 <= length <= len(value) - at
        tlvs.append(Tlv(type_, value[at + 4 : at + length if whole else len(value)], length))
        if not whole:
            return tlvs
        at += padded(length)
    if at < len(value):
        tlvs.append(Tlv(int.from_bytes(value[at : at + 2].ljust(2, b"\0"), "big"), b"", 0))
    return tlvs


def parse_tlvs_unpadded(value):
    """Parameters that stand one after the other without padding, as a cookie keeps them."""
    tlvs, at = [], 0
    while at < len(value):
        type_, length = struct.unpack_from("!HH", value, at)
        tlvs.append(Tlv(type_, value[at + 4 : at + length]))
        at += length
    return tlvs


def address_parameter(address):
    value = address_bytes(address)
    return Tlv(IPV4_ADDRESS if len(value) == 4 else IPV6_ADDRESS, value)


class Chunk:
    """One chunk; its bytes are made once. length: of its field if it shall lie. remainder of what was parsed: see parse()."""

    __slots__ = ("type", "flags", "value", "length", "_bytes")

    def __init__(self, type, flags=0, value=b"", length=None):
        self.type = type
        self.flags = flags
        self.value = value
        self.length = 4 + len(value) if length is None else length
        self._bytes = None

    @property
    def is_malformed(self):
        """Its length field is not that of what is there."""
        return self.length != 4 + len(self.value)

    @property
    def name(self):
        return CHUNK_NAMES.get(self.type, f"0x{self.type:02x}")

    def encode(self):
        """With padding."""
        if self._bytes is None:
            self._bytes = struct.pack("!BBH", self.type, self.flags, self.length) + self.value + bytes(-len(self.value) % 4)
        return self._bytes

    def unpadded(self):
        """As error causes carry it."""
        return self.encode()[: 4 + len(self.value)]

    @property
    def size_bytes(self):
        """In a packet, padding included."""
        return padded(4 + len(self.value))

    def __repr__(self):
        return f"Chunk({self.name}, {self.flags:#x}, {self.value[:40].hex()})"


class Packet:
    """What parse() found. chunks end before a chunk whose length lies, which is the last one if is_malformed."""

    __slots__ = ("source_port", "destination_port", "tag", "checksum_is_right", "checksum_is_zero", "chunks")

    def __init__(self, source_port, destination_port, tag, checksum_is_right, checksum_is_zero, chunks):
        self.source_port = source_port
        self.destination_port = destination_port
        self.tag = tag
        self.checksum_is_right = checksum_is_right
        self.checksum_is_zero = checksum_is_zero
        self.chunks = chunks


def packet(source_port, destination_port, tag, chunks, checksum=None):
    """Bytes of a packet with CRC32c (RFC 9260 6.8), or with this checksum (0: RFC 9653)."""
    head = struct.pack("!HHI", source_port, destination_port, tag)
    body = b"".join([chunk.encode() for chunk in chunks])
    if checksum is None:
        checksum = crc32c(head + b"\0\0\0\0" + body)
    return head + struct.pack("<I", checksum) + body


def parse(data, check=True):
    """Packet of these bytes, None if there is no common header. check=False leaves the checksum unchecked: time.

    A chunk whose length is below 4 or beyond the packet is kept with the bytes that are there, as the last one."""
    if len(data) < COMMON_HEADER_BYTES:
        return None
    source_port, destination_port, tag = struct.unpack_from("!HHI", data)
    (checksum,) = struct.unpack_from("<I", data, 8)
    is_right = not check or checksum == crc32c(data[:8] + b"\0\0\0\0" + data[12:])
    chunks, at = [], COMMON_HEADER_BYTES
    while len(data) - at >= 4:
        type_, flags, length = struct.unpack_from("!BBH", data, at)
        whole = 4 <= length <= len(data) - at
        chunks.append(Chunk(type_, flags, data[at + 4 : at + length if whole else len(data)], length))
        if not whole:
            break
        at += padded(length)
    return Packet(source_port, destination_port, tag, is_right, checksum == 0, chunks)


# DATA and I-DATA. number: SSN or MID; fsn is 0 in DATA. ppid of an I-DATA that is not the beginning is None.
Data = collections.namedtuple("Data", "tsn stream number fsn ppid user_data beginning ending unordered immediate")


def data_chunk(tsn, stream, ssn, ppid, user_data, beginning=True, ending=True, unordered=False, immediate=False):
    """RFC 9260 3.3.1."""
    flags = (FLAG_B if beginning else 0) | (FLAG_E if ending else 0) | (FLAG_U if unordered else 0) | (FLAG_I if immediate else 0)
    return Chunk(DATA, flags, struct.pack("!IHHI", tsn % TSN_MODULUS, stream, ssn & 0xFFFF, ppid) + user_data)


def i_data_chunk(tsn, stream, mid, fsn, ppid, user_data, beginning=True, ending=True, unordered=False, immediate=False):
    """RFC 8260 2.1: the last word is the PPID of the first fragment, the FSN of the others."""
    flags = (FLAG_B if beginning else 0) | (FLAG_E if ending else 0) | (FLAG_U if unordered else 0) | (FLAG_I if immediate else 0)
    last = ppid if beginning else fsn
    return Chunk(I_DATA, flags, struct.pack("!IHHII", tsn % TSN_MODULUS, stream, 0, mid % TSN_MODULUS, last % TSN_MODULUS) + user_data)


def read_data(chunk):
    """Data of a DATA or I-DATA chunk, None if its fixed part is not whole."""
    flags, value = chunk.flags, chunk.value
    marks = bool(flags & FLAG_B), bool(flags & FLAG_E), bool(flags & FLAG_U), bool(flags & FLAG_I)
    if chunk.type == DATA:
        if len(value) < DATA_HEADER_BYTES - 4:
            return None
        tsn, stream, ssn, ppid = struct.unpack_from("!IHHI", value)
        return Data(tsn, stream, ssn, 0, ppid, value[12:], *marks)
    if len(value) < I_DATA_HEADER_BYTES - 4:
        return None
    tsn, stream, _, mid, last = struct.unpack_from("!IHHII", value)
    return Data(tsn, stream, mid, 0 if marks[0] else last, last if marks[0] else None, value[16:], *marks)


Init = collections.namedtuple("Init", "tag a_rwnd outbound_streams inbound_streams initial_tsn parameters")


def init_chunk(type_, tag, a_rwnd, outbound_streams, inbound_streams, initial_tsn, parameters):
    """INIT or INIT ACK (RFC 9260 3.3.2, 3.3.3)."""
    value = struct.pack("!IIHHI", tag, a_rwnd, outbound_streams, inbound_streams, initial_tsn % TSN_MODULUS)
    return Chunk(type_, 0, value + encode_tlvs(parameters))


def read_init(chunk):
    """Init of an INIT or INIT ACK, None if its fixed part is not whole."""
    if len(chunk.value) < INIT_BYTES - 4:
        return None
    return Init(*struct.unpack_from("!IIHHI", chunk.value), parse_tlvs(chunk.value[16:]))


Sack = collections.namedtuple("Sack", "cum_tsn a_rwnd gap_blocks duplicates")


def sack_chunk(cum_tsn, a_rwnd, gap_blocks, duplicates):
    """RFC 9260 3.3.4; gap_blocks: (start, end) as offsets from cum_tsn; duplicates: TSNs."""
    value = struct.pack("!IIHH", cum_tsn % TSN_MODULUS, min(max(a_rwnd, 0), 0xFFFFFFFF), len(gap_blocks), len(duplicates))
    value += b"".join([struct.pack("!HH", start, end) for start, end in gap_blocks])
    return Chunk(SACK, 0, value + b"".join([struct.pack("!I", tsn % TSN_MODULUS) for tsn in duplicates]))


def read_sack(chunk):
    """Sack, None if counts and length do not fit each other."""
    value = chunk.value
    if len(value) < SACK_BYTES - 4:
        return None
    cum_tsn, a_rwnd, gaps, duplicates = struct.unpack_from("!IIHH", value)
    if len(value) < 12 + 4 * (gaps + duplicates):
        return None
    blocks = [struct.unpack_from("!HH", value, 12 + 4 * i) for i in range(gaps)]
    return Sack(cum_tsn, a_rwnd, blocks, list(struct.unpack_from(f"!{duplicates}I", value, 12 + 4 * gaps)))


def read_nr_sack(chunk):
    """(Sack, NR gap blocks) of an NR-SACK (draft-tuexen-tsvwg-sctp-nr-sack), None if counts and length do not fit each other."""
    value = chunk.value
    if len(value) < 16:
        return None
    cum_tsn, a_rwnd, gaps, nr_gaps, duplicates, _ = struct.unpack_from("!IIHHHH", value)
    if len(value) < 16 + 4 * (gaps + nr_gaps + duplicates):
        return None
    blocks = [struct.unpack_from("!HH", value, 16 + 4 * i) for i in range(gaps + nr_gaps)]
    return Sack(cum_tsn, a_rwnd, blocks[:gaps], list(struct.unpack_from(f"!{duplicates}I", value, 16 + 4 * (gaps + nr_gaps)))), blocks[gaps:]


def nr_sack_chunk(cum_tsn, a_rwnd, gap_blocks, nr_gap_blocks, duplicates):
    """draft-tuexen-tsvwg-sctp-nr-sack 3.2."""
    value = struct.pack("!IIHHHH", cum_tsn % TSN_MODULUS, min(max(a_rwnd, 0), 0xFFFFFFFF), len(gap_blocks), len(nr_gap_blocks), len(duplicates), 0)
    value += b"".join([struct.pack("!HH", start, end) for start, end in gap_blocks + nr_gap_blocks])
    return Chunk(NR_SACK, 0, value + b"".join([struct.pack("!I", tsn % TSN_MODULUS) for tsn in duplicates]))


def heartbeat_chunk(info):
    """RFC 9260 3.3.5."""
    return Chunk(HEARTBEAT, 0, Tlv(HEARTBEAT_INFO, info).unpadded())


def shutdown_chunk(cum_tsn):
    """RFC 9260 3.3.8."""
    return Chunk(SHUTDOWN, 0, struct.pack("!I", cum_tsn % TSN_MODULUS))


def read_word(chunk, at=0):
    """The 32-bit number at this place of the value, None beyond it."""
    return struct.unpack_from("!I", chunk.value, at)[0] if len(chunk.value) >= at + 4 else None


def causes_chunk(type_, causes, flags=0):
    """ERROR or ABORT (RFC 9260 3.3.7, 3.3.10)."""
    return Chunk(type_, flags, encode_tlvs(causes))


def invalid_stream_cause(stream):
    """RFC 9260 3.3.10.1."""
    return Tlv(INVALID_STREAM, struct.pack("!HH", stream, 0))


def missing_parameter_cause(types):
    """RFC 9260 3.3.10.2."""
    return Tlv(MISSING_PARAMETER, struct.pack("!I", len(types)) + b"".join([struct.pack("!H", t) for t in types]))


def word_cause(code, number):
    """A cause that holds one 32-bit number: STALE_COOKIE (3.3.10.3, microseconds), NO_USER_DATA (3.3.10.9, TSN)."""
    return Tlv(code, struct.pack("!I", number % TSN_MODULUS))


ForwardTsn = collections.namedtuple("ForwardTsn", "cum_tsn streams")


def forward_tsn_chunk(cum_tsn, streams):
    """RFC 3758 3.2; streams: (stream, ssn)."""
    return Chunk(
        FORWARD_TSN, 0, struct.pack("!I", cum_tsn % TSN_MODULUS) + b"".join([struct.pack("!HH", stream, ssn & 0xFFFF) for stream, ssn in streams])
    )


def i_forward_tsn_chunk(cum_tsn, streams):
    """RFC 8260 2.3.1; streams: (stream, unordered, mid)."""
    rows = [struct.pack("!HHI", stream, 1 if unordered else 0, mid % TSN_MODULUS) for stream, unordered, mid in streams]
    return Chunk(I_FORWARD_TSN, 0, struct.pack("!I", cum_tsn % TSN_MODULUS) + b"".join(rows))


def read_forward_tsn(chunk):
    """ForwardTsn of either type with streams as (stream, unordered, ssn or mid), None if it is no whole number of rows."""
    value, row = chunk.value, 4 if chunk.type == FORWARD_TSN else 8
    if len(value) < 4 or (len(value) - 4) % row:
        return None
    (cum_tsn,) = struct.unpack_from("!I", value)
    if row == 4:
        return ForwardTsn(cum_tsn, [(stream, False, ssn) for stream, ssn in struct.iter_unpack("!HH", value[4:])])
    return ForwardTsn(cum_tsn, [(stream, bool(flags & 1), mid) for stream, flags, mid in struct.iter_unpack("!HHI", value[4:])])


def auth_chunk(key_identifier, hmac_identifier, hmac):
    """RFC 4895 4.1."""
    return Chunk(AUTH, 0, struct.pack("!HH", key_identifier, hmac_identifier) + hmac)


def asconf_chunk(type_, serial, parameters, address=None):
    """ASCONF (with the address parameter) or ASCONF-ACK (RFC 5061 4.1)."""
    head = struct.pack("!I", serial % TSN_MODULUS)
    return Chunk(type_, 0, head + (address_parameter(address).encode() if address else b"") + encode_tlvs(parameters))


def correlated(type_, correlation, body):
    """A parameter of ASCONF or ASCONF-ACK: its correlation ID, then body (RFC 5061 4.2)."""
    return Tlv(type_, struct.pack("!I", correlation) + body)


def outgoing_reset_parameter(request, response, last_tsn, streams):
    """RFC 6525 4.1."""
    return Tlv(
        OUTGOING_SSN_RESET,
        struct.pack("!III", request % TSN_MODULUS, response % TSN_MODULUS, last_tsn % TSN_MODULUS)
        + b"".join([struct.pack("!H", s) for s in streams]),
    )


def incoming_reset_parameter(request, streams):
    """RFC 6525 4.2."""
    return Tlv(INCOMING_SSN_RESET, struct.pack("!I", request % TSN_MODULUS) + b"".join([struct.pack("!H", s) for s in streams]))


def add_streams_parameter(type_, request, count):
    """ADD_OUTGOING_STREAMS or ADD_INCOMING_STREAMS (RFC 6525 4.5, 4.6)."""
    return Tlv(type_, struct.pack("!IHH", request % TSN_MODULUS, count, 0))


def reconfig_response_parameter(response, result, sender_next_tsn=None, receiver_next_tsn=None):
    """RFC 6525 4.4; both TSNs or none."""
    value = struct.pack("!II", response % TSN_MODULUS, result)
    if sender_next_tsn is not None:
        value += struct.pack("!II", sender_next_tsn % TSN_MODULUS, receiver_next_tsn % TSN_MODULUS)
    return Tlv(RECONFIG_RESPONSE, value)
