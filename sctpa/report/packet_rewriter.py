# SPDX-License-Identifier: GPL-2.0-or-later
"""A captured packet below SCTP without what tells who spoke: hardware and IP addresses, outer, inner and quoted, become others; all that is no SCTP
becomes zero.

Ethernet with VLANs, Linux cooked (both), raw IP, loopback and bare SCTP; IPv4, IPv6, IP in IP, UDP with SCTP in it, quotes of ICMP. Checksums of headers
are right where they were right. What stands in other tunnels also becomes zero. Leaves chunks to sctp_rewriter.py, fragments to fragments.py.
"""

from sctpa.arguments import STATUS_NOT_READ
from sctpa.tshark import Failed

from .checksums import internet
from .fragments import Fragments
from .sctp_rewriter import SctpRewriter

LINK_NULL, LINK_ETHERNET, LINK_LOOP, LINK_SLL, LINK_SCTP, LINK_SLL2 = 0, 1, 108, 113, 248, 276
LINK_RAW = {12, 14, 101, 228, 229}
ETHER_IPV4, ETHER_IPV6, ETHER_VLANS = 0x0800, 0x86DD, {0x8100, 0x88A8, 0x9100}
IP_ICMP, IP_IPV4, IP_UDP, IP_IPV6, IP_ICMPV6, IP_SCTP = 1, 4, 17, 41, 58, 132
# Hop-by-hop, routing and destination options: 8 bytes and length times 8; fragment: 8 bytes (RFC 8200 4).
EXTENSIONS, ROUTING, FRAGMENT = {0, 43, 60}, 43, 44
ICMP_REDIRECT = 5
ICMP_QUOTES, ICMPV6_QUOTES = {3, 4, ICMP_REDIRECT, 11, 12}, {1, 2, 3, 4}
# Where numbers are in the four bytes before a quote: its length (RFC 4884 4); by type and code also the MTU (RFC 1191 4, RFC 4443 3.2) and the place
# of what is wrong (RFC 792, RFC 4443 3.4).
ICMP_LENGTH, ICMPV6_LENGTH = range(5, 6), range(4, 5)
ICMP_NUMBERS = {(3, 4): range(5, 8), **{(12, code): range(4, 6) for code in range(256)}}
ICMPV6_NUMBERS = {(kind, code): range(4, 8) for kind in (2, 4) for code in range(256)}
# RFC 6951: SCTP over UDP.
UDP_PORT_SCTP = 9899
NESTED_MAX = 4


class PacketRewriter:
    """With the pseudonyms of a capture."""

    def __init__(self, pseudonyms):
        self._pseudonyms = pseudonyms
        self._sctp = SctpRewriter(pseudonyms)
        self._fragments, self._patches, self._position = Fragments(), [], None

    def packet(self, link, captured, original_bytes, position=0):
        """The packet anew, as long as before. position: where it will stand in the file. Raises Failed for a link type that is not known."""
        data = bytearray(captured)
        self._position = position
        if link == LINK_ETHERNET:
            self._ethernet(data)
        elif link == LINK_SLL:
            self._cooked_hardware(data, 6, int.from_bytes(data[4:6], "big"))
            self._network(data, 16, int.from_bytes(data[14:16], "big"))
        elif link == LINK_SLL2:
            _blank(data, 2, min(4, len(data)))
            self._cooked_hardware(data, 12, data[11] if len(data) > 11 else 0)
            self._network(data, 20, int.from_bytes(data[0:2], "big"))
        elif link in LINK_RAW:
            self._ip(data, 0, len(data), 0)
        elif link in (LINK_NULL, LINK_LOOP):
            self._ip(data, 4, len(data), 0)
        elif link == LINK_SCTP:
            self._sctp.packet(data, 0, len(data), len(data) >= original_bytes)
        else:
            raise Failed(STATUS_NOT_READ, f"link type {link} is none that --anonymise knows")
        return bytes(data)

    def take_patches(self):
        """(Position in the file, bytes) of what must be overwritten now, since the last fragment of a packet is known: each once."""
        patches, self._patches = self._patches, []
        return patches

    def _hardware(self, data, at, length):
        if length <= 8 and len(data) >= at + length:
            data[at : at + length] = self._pseudonyms.mac(bytes(data[at : at + length]))

    def _cooked_hardware(self, data, at, length):
        """The address in a field of 8 bytes, whose others may hold anything; longer ones are cut there."""
        _blank(data, at + min(length, 8), min(at + 8, len(data)))
        self._hardware(data, at, min(length, 8))

    def _ethernet(self, data):
        self._hardware(data, 0, 6)
        self._hardware(data, 6, 6)
        at = 12
        while len(data) >= at + 6 and int.from_bytes(data[at : at + 2], "big") in ETHER_VLANS:
            at += 4
        self._network(data, at + 2, int.from_bytes(data[at : at + 2], "big"))

    def _network(self, data, at, ether_type):
        if ether_type in (ETHER_IPV4, ETHER_IPV6):
            self._ip(data, at, len(data), 0)
        else:
            _blank(data, at, len(data))

    def _ip(self, data, at, end, depth):
        version = data[at] >> 4 if at < end else 0
        if depth < NESTED_MAX and version == 4:
            self._ipv4(data, at, end, depth)
        elif depth < NESTED_MAX and version == 6:
            self._ipv6(data, at, end, depth)
        else:
            _blank(data, at, end)

    def _ipv4(self, data, at, end, depth):
        header = (data[at] & 15) * 4
        if header < 20 or end - at < header:
            _blank(data, at, end)
            return
        was_right, before = internet(data[at : at + header]) == 0, bytes(data[at + 12 : at + 20])
        _blank(data, at + 20, at + header)
        for place in (at + 12, at + 16):
            data[place : place + 4] = self._pseudonyms.address(bytes(data[place : place + 4]))
        if was_right:
            data[at + 10 : at + 12] = bytes(2)
            data[at + 10 : at + 12] = internet(data[at : at + header]).to_bytes(2, "big")
        total = int.from_bytes(data[at + 2 : at + 4], "big")
        fragment = int.from_bytes(data[at + 6 : at + 8], "big")
        # A length of 0 is that of a packet that the network adapter cuts into segments.
        last = min(at + total, end) if total >= header else end
        _blank(data, last, end)
        protocol, addresses = data[at + 9], (before, bytes(data[at + 12 : at + 20]))
        if fragment & 0x3FFF:
            self._fragment(
                data,
                at + header,
                last,
                bytes(data[at + 4 : at + 6]),
                protocol,
                depth,
                addresses,
                last - at >= total > header,
                (fragment & 0x1FFF) * 8,
                not fragment & 0x2000,
            )
        else:
            self._above(data, at + header, last, protocol, depth, addresses, last - at >= total)

    def _ipv6(self, data, at, end, depth):
        if end - at < 40:
            _blank(data, at, end)
            return
        before = bytes(data[at + 8 : at + 40])
        for place in (at + 8, at + 24):
            data[place : place + 16] = self._pseudonyms.address(bytes(data[place : place + 16]))
        length, protocol, place = int.from_bytes(data[at + 4 : at + 6], "big"), data[at + 6], at + 40
        last = min(place + length, end) if length else end
        _blank(data, last, end)
        is_whole, fragment = last - place >= length, None
        while protocol in EXTENSIONS | {FRAGMENT} and last - place >= 8:
            size = 8 if protocol == FRAGMENT else 8 + data[place + 1] * 8
            if protocol == FRAGMENT:
                fragment = bytes(data[place + 2 : place + 8])
            else:
                _blank(data, place + (4 if protocol == ROUTING else 2), min(place + size, last))
            protocol, place = data[place], min(place + size, last)
        addresses = before, bytes(data[at + 8 : at + 40])
        if fragment:
            place_and_more = int.from_bytes(fragment[:2], "big")
            self._fragment(
                data,
                place,
                last,
                fragment[2:],
                protocol,
                depth,
                addresses,
                is_whole and length > 0,
                place_and_more & 0xFFF8,
                not place_and_more & 1,
            )
        else:
            self._above(data, place, last, protocol, depth, addresses, is_whole)

    def _fragment(self, data, at, end, identification, protocol, depth, addresses, is_captured, offset, is_last):
        """A fragment of what IP carries: as far as it tells by itself now, by patches when all others are there. is_captured: to its end."""
        content = bytes(data[at:end])
        if offset:
            _blank(data, at, end)
        else:
            self._above(data, at, end, protocol, depth, addresses, False)
        if self._position is None or not is_captured:
            return
        packet = self._fragments.add(
            (addresses[0], identification, protocol), offset, content, is_last, self._position + at
        )
        if packet.made is None and (whole := packet.whole()):
            whole, self._position = bytearray(whole), None
            self._above(whole, 0, len(whole), protocol, depth, addresses, True)
            packet.made = bytes(whole)
        self._patches += packet.patches()

    def _above(self, data, at, end, protocol, depth, addresses, is_whole):
        """What an IP header carries. addresses: both, as they were and as they are."""
        if protocol == IP_SCTP:
            self._sctp.packet(data, at, end, is_whole)
        elif protocol in (IP_IPV4, IP_IPV6):
            self._ip(data, at, end, depth + 1)
        elif protocol == IP_UDP and end - at >= 8:
            self._udp(data, at, end, addresses, is_whole)
        elif protocol in (IP_ICMP, IP_ICMPV6) and end - at >= 8:
            self._icmp(data, at, end, depth, addresses if protocol == IP_ICMPV6 else None, is_whole)
        else:
            _blank(data, at, end)

    def _udp(self, data, at, end, addresses, is_whole):
        ports = {int.from_bytes(data[at + place : at + place + 2], "big") for place in (0, 2)}
        was_right = is_whole and any(data[at + 6 : at + 8]) and _sum(data, at, end, addresses[0], IP_UDP) == 0
        if UDP_PORT_SCTP in ports or (is_whole and self._sctp.is_packet(data, at + 8, end)):
            self._sctp.packet(data, at + 8, end, is_whole)
        else:
            _blank(data, at + 8, end)
        if was_right:
            _put_sum(data, at, end, 6, addresses[1], IP_UDP)

    def _icmp(self, data, at, end, depth, addresses, is_whole):
        """addresses: None for that of IPv4, whose checksum knows none."""
        before, after = addresses or (b"", b"")
        was_right = is_whole and _sum(data, at, end, before, IP_ICMPV6) == 0
        if data[at] in (ICMPV6_QUOTES if addresses else ICMP_QUOTES):
            if data[at] == ICMP_REDIRECT and not addresses:
                data[at + 4 : at + 8] = self._pseudonyms.address(bytes(data[at + 4 : at + 8]))
            else:
                kept = (ICMPV6_NUMBERS if addresses else ICMP_NUMBERS).get(
                    (data[at], data[at + 1]), ICMPV6_LENGTH if addresses else ICMP_LENGTH
                )
                for place in {4, 5, 6, 7}.difference(kept):
                    data[at + place] = 0
            self._ip(data, at + 8, end, depth + 1)
        else:
            _blank(data, at + 4, end)
        if was_right:
            _put_sum(data, at, end, 2, after, IP_ICMPV6)


def _blank(data, begin, end):
    if end > begin:
        data[begin:end] = bytes(end - begin)


def _sum(data, at, end, addresses, protocol):
    """The checksum over addresses, if there are any, and bytes; 0 where that which these hold is right."""
    pseudo_header = addresses and addresses + (end - at).to_bytes(4, "big") + bytes((0, 0, 0, protocol))
    return internet(pseudo_header + bytes(data[at:end]))


def _put_sum(data, at, end, place, addresses, protocol):
    data[at + place : at + place + 2] = bytes(2)
    # A sum of 0 is sent as all ones: 0 says that there is none (RFC 768).
    data[at + place : at + place + 2] = (_sum(data, at, end, addresses, protocol) or 0xFFFF).to_bytes(2, "big")
