# SPDX-License-Identifier: GPL-2.0-or-later
"""Bytes of SCTP chunks, parameters and error causes, named as in the RFCs. Arguments may be as wrong as a test wants."""

import ipaddress
import struct

DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN = range(8)
SHUTDOWN_ACK, ERROR, COOKIE_ECHO, COOKIE_ACK, ECNE, CWR, SHUTDOWN_COMPLETE, AUTH, NR_SACK = range(8, 17)
I_DATA, DTLS = 0x40, 0x41
ASCONF_ACK, PKTDROP, RE_CONFIG, PAD = 0x80, 0x81, 0x82, 0x84
FORWARD_TSN, ASCONF, I_FORWARD_TSN = 0xC0, 0xC1, 0xC2

HEARTBEAT_INFO, IPV4, IPV6, STATE_COOKIE, UNRECOGNIZED = 1, 5, 6, 7, 8
COOKIE_PRESERVATIVE, HOST_NAME, ADDRESS_TYPES = 9, 11, 12
OUTGOING_RESET, INCOMING_RESET, TSN_RESET, RESPONSE, ADD_OUTGOING, ADD_INCOMING = range(0x0D, 0x13)
ECN, ZERO_CHECKSUM, RANDOM, CHUNKS, HMACS, PADDING, EXTENSIONS = 0x8000, 0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8008
FORWARD_TSN_SUPPORTED, ADD_IP, DELETE_IP, ERROR_INDICATION, SET_PRIMARY, SUCCESS, ADAPTATION = range(0xC000, 0xC007)

USER_ABORT, STALE_COOKIE = 12, 3
BEGIN, END, UNORDERED, IMMEDIATE = 2, 1, 4, 8
T_BIT = 1

_padding = (b"", bytes(3), bytes(2), bytes(1))


def chunk(kind, flags=0, value=b"", length=None):
    """A chunk with its padding. `length` overrides the length field."""
    length = len(value) + 4 if length is None else length
    return struct.pack("!BBH", kind, flags, length & 0xFFFF) + value + _padding[len(value) & 3]


def tlv(kind, value=b"", length=None, last=False):
    """A parameter or error cause with its padding (none when it is the last: then the chunk pads)."""
    length = len(value) + 4 if length is None else length
    return struct.pack("!HH", kind, length & 0xFFFF) + value + (b"" if last else _padding[len(value) & 3])


def address(text):
    """IPv4 or IPv6 Address parameter."""
    packed = ipaddress.ip_address(text).packed
    return tlv(IPV4 if len(packed) == 4 else IPV6, packed)


def _setup(kind, tag, tsn, a_rwnd, outbound, inbound, params):
    return chunk(kind, 0, struct.pack("!IIHHI", tag, a_rwnd, outbound, inbound, tsn) + params)


def init(tag, tsn, params=b"", a_rwnd=131072, outbound=10, inbound=10):
    return _setup(INIT, tag, tsn, a_rwnd, outbound, inbound, params)


def init_ack(tag, tsn, cookie=b"cookie..", params=b"", a_rwnd=131072, outbound=10, inbound=10):
    return _setup(INIT_ACK, tag, tsn, a_rwnd, outbound, inbound, params + tlv(STATE_COOKIE, cookie))


def data(tsn, payload, sid=0, ssn=0, ppid=0, flags=BEGIN | END):
    return struct.pack("!BBHIHHI", DATA, flags, 16 + len(payload), tsn & 0xFFFFFFFF, sid, ssn & 0xFFFF, ppid) \
        + payload + _padding[len(payload) & 3]


def i_data(tsn, payload, sid=0, mid=0, ppid_or_fsn=0, flags=BEGIN | END, reserved=0):
    return chunk(I_DATA, flags, struct.pack("!IHHII", tsn & 0xFFFFFFFF, sid, reserved, mid, ppid_or_fsn) + payload)


def sack(cum_tsn, a_rwnd=131072, gaps=(), duplicates=(), flags=0):
    """gaps: (start, end) offsets."""
    body = struct.pack("!IIHH", cum_tsn & 0xFFFFFFFF, a_rwnd, len(gaps), len(duplicates))
    if gaps or duplicates:
        body += b"".join(struct.pack("!HH", *gap) for gap in gaps) + b"".join(struct.pack("!I", tsn) for tsn in duplicates)
    return chunk(SACK, flags, body)


def nr_sack(cum_tsn, a_rwnd=131072, gaps=(), nr_gaps=(), duplicates=(), flags=0, reserved=0):
    body = struct.pack("!IIHHHH", cum_tsn & 0xFFFFFFFF, a_rwnd, len(gaps), len(nr_gaps), len(duplicates), reserved)
    return chunk(NR_SACK, flags, body + b"".join(struct.pack("!HH", *gap) for gap in (*gaps, *nr_gaps))
                 + b"".join(struct.pack("!I", tsn) for tsn in duplicates))


def heartbeat(info=b"heartbeat info"):
    return chunk(HEARTBEAT, 0, tlv(HEARTBEAT_INFO, info, last=True))


def heartbeat_ack(info=b"heartbeat info"):
    return chunk(HEARTBEAT_ACK, 0, tlv(HEARTBEAT_INFO, info, last=True))


def abort(*causes, t=False):
    return chunk(ABORT, T_BIT if t else 0, b"".join(causes))


def error(*causes):
    return chunk(ERROR, 0, b"".join(causes))


def user_abort(reason):
    return tlv(USER_ABORT, reason, last=True)


def shutdown(cum_tsn):
    return chunk(SHUTDOWN, 0, struct.pack("!I", cum_tsn & 0xFFFFFFFF))


def shutdown_ack():
    return chunk(SHUTDOWN_ACK)


def shutdown_complete(t=False):
    return chunk(SHUTDOWN_COMPLETE, T_BIT if t else 0)


def cookie_echo(cookie=b"cookie.."):
    return chunk(COOKIE_ECHO, 0, cookie)


def cookie_ack():
    return chunk(COOKIE_ACK)


def ecne(tsn):
    return chunk(ECNE, 0, struct.pack("!I", tsn))


def cwr(tsn):
    return chunk(CWR, 0, struct.pack("!I", tsn))


def auth(key_id, hmac_id, hmac):
    return chunk(AUTH, 0, struct.pack("!HH", key_id, hmac_id) + hmac)


def asconf(sequence, source, *params):
    """source: text of the Address parameter in front."""
    return chunk(ASCONF, 0, struct.pack("!I", sequence) + address(source) + b"".join(params))


def asconf_ack(sequence, *params):
    return chunk(ASCONF_ACK, 0, struct.pack("!I", sequence) + b"".join(params))


def asconf_param(kind, correlation, *inner):
    """ADD_IP, DELETE_IP, SET_PRIMARY, SUCCESS or ERROR_INDICATION."""
    return tlv(kind, struct.pack("!I", correlation) + b"".join(inner))


def pktdrop(packet, bandwidth=1000, queued=10, truncated=0, flags=0, reserved=0):
    return chunk(PKTDROP, flags, struct.pack("!IIHH", bandwidth, queued, truncated, reserved) + packet)


def re_config(*params):
    return chunk(RE_CONFIG, 0, b"".join(params))


def forward_tsn(tsn, streams=()):
    """streams: (sid, ssn)."""
    return chunk(FORWARD_TSN, 0, struct.pack("!I", tsn & 0xFFFFFFFF) + b"".join(struct.pack("!HH", *s) for s in streams))


def i_forward_tsn(tsn, streams=()):
    """streams: (sid, flags, mid)."""
    return chunk(I_FORWARD_TSN, 0, struct.pack("!I", tsn & 0xFFFFFFFF) + b"".join(struct.pack("!HHI", *s) for s in streams))
