# SPDX-License-Identifier: GPL-2.0-or-later
"""SCTP packets and the headers around them, down to the link: IPv4, IPv6, UDP, GTP-U, ICMP, Ethernet, VLAN, Linux cooked."""

import functools
import ipaddress
import struct

from .crc32c import crc32c

SCTP, UDP, ICMP, ICMPV6 = 132, 17, 1, 58
SENT, RECEIVED = 4, 0

_common = struct.Struct("!HHI")
_zero = bytes(4)


def sctp(sport, dport, vtag, *chunks, checksum=None):
    """A packet with a valid CRC32c, or with `checksum` in its place: 4 bytes, or what makes them of the packet with zero there."""
    header = _common.pack(sport, dport, vtag)
    if checksum is None:
        checksum = crc32c(header, _zero, *chunks).to_bytes(4, "little")
    elif callable(checksum):
        checksum = checksum(b"".join((header, _zero, *chunks)))
    return b"".join((header, checksum, *chunks))


@functools.lru_cache(maxsize=1 << 18)
def packed(address):
    return ipaddress.ip_address(address).packed


def ones_complement(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def ipv4(source, destination, payload, protocol=SCTP, identification=0, ttl=64, tos=2, flags=0x4000):
    """source, destination: 4 bytes each."""
    header = struct.pack("!BBHHHBBH", 0x45, tos, (20 + len(payload)) & 0xFFFF, identification, flags, ttl, protocol, 0) \
        + source + destination
    return header[:10] + ones_complement(header).to_bytes(2, "big") + header[12:] + payload


def ipv6(source, destination, payload, protocol=SCTP, ttl=64, tos=2):
    return struct.pack("!IHBB", 6 << 28 | tos << 20, len(payload) & 0xFFFF, protocol, ttl) + source + destination + payload


def ip(source, destination, payload, protocol=SCTP, identification=0, ttl=64, tos=2):
    """IPv4 or IPv6 by the addresses, given as text."""
    source, destination = packed(source), packed(destination)
    if len(source) == 4:
        return ipv4(source, destination, payload, protocol, identification, ttl, tos)
    return ipv6(source, destination, payload, protocol, ttl, tos)


def udp(sport, dport, payload):
    """Without checksum, as RFC 6951 4.3 lets IPv4 do."""
    return struct.pack("!HHHH", sport, dport, 8 + len(payload), 0) + payload


def gtp_u(teid, inner):
    """A G-PDU around an IP packet (3GPP TS 29.281)."""
    return struct.pack("!BBHI", 0x30, 0xFF, len(inner), teid) + inner


def icmp(kind, code, quoted, rest=0):
    """rest: the second header word, the next-hop MTU for 3/4."""
    body = struct.pack("!BBHI", kind, code, 0, rest) + quoted
    checksum = ones_complement(body + bytes(len(body) & 1))
    return body[:2] + checksum.to_bytes(2, "big") + body[4:]


def icmpv6(source, destination, kind, code, quoted, rest=0):
    """source, destination: text; they are part of the checksum."""
    body = struct.pack("!BBHI", kind, code, 0, rest) + quoted
    pseudo = packed(source) + packed(destination) + struct.pack("!II", len(body), ICMPV6)
    checksum = ones_complement(pseudo + body + bytes(len(body) & 1))
    return body[:2] + checksum.to_bytes(2, "big") + body[4:]


def _ethertype(packet):
    return b"\x86\xdd" if packet[0] >> 4 == 6 else b"\x08\x00"


def ethernet(packet, vlan=None, towards=1):
    """towards: end that the frame goes to (0 or 1); the other one's address is the source."""
    macs = (b"\x02\0\0\0\0\1\x02\0\0\0\0\0", b"\x02\0\0\0\0\0\x02\0\0\0\0\1")[towards]
    tag = b"" if vlan is None else struct.pack("!HH", 0x8100, vlan)
    return macs + tag + _ethertype(packet) + packet


def cooked(packet, direction):
    """Linux cooked v1; direction SENT or RECEIVED."""
    return struct.pack("!HHH8s", direction, 1, 6, b"\x02\0\0\0\0\0\0\0") + _ethertype(packet) + packet


def cooked_2(packet, direction, interface):
    return _ethertype(packet) + struct.pack("!HIHBB8s", 0, interface, 1, direction, 6, b"\x02\0\0\0\0\0\0\0") + packet
