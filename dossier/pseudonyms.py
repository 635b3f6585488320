# SPDX-License-Identifier: GPL-2.0-or-later
"""Other addresses and bytes for those of a capture: the same original has the same replacement, and nobody without the key can compare a guess.

An address stays one of its kind (private, global, link-local), since rules ask for that. Leaves finding them in packets to sctp_rewriter.py.
"""

import hashlib
import hmac
import ipaddress

# What replaces addresses of a kind: the private one of RFC 1918, benchmarking (RFC 2544), documentation (RFC 3849), unique local (RFC 4193).
PRIVATE, GLOBAL, LINK_LOCAL = (ipaddress.ip_network(text) for text in ("10.0.0.0/8", "198.18.0.0/15", "169.254.0.0/16"))
PRIVATE6, GLOBAL6, LINK_LOCAL6 = (ipaddress.ip_network(text) for text in ("fd00::/8", "2001:db8::/32", "fe80::/64"))
LOCAL_MAC = 0x02


class Pseudonyms:
    """Under a secret key. Memory: two entries per address."""

    def __init__(self, key):
        self._key = key
        self._new, self._taken = {}, {}

    def bytes(self, kind, original, length):
        """Bytes of that length that follow from the original alone."""
        parts, number = b"", 0
        while len(parts) < length:
            parts += hmac.new(self._key, b"%s\0%d\0%s" % (kind, number, original), hashlib.sha256).digest()
            number += 1
        return parts[:length]

    @staticmethod
    def _network(address):
        """The addresses that may stand for one; None: it tells nothing and stays."""
        if address.is_loopback or address.is_unspecified or address.is_multicast or address == ipaddress.IPv4Address(0xFFFFFFFF):
            return None
        is_v4 = address.version == 4
        if address.is_link_local:
            return LINK_LOCAL if is_v4 else LINK_LOCAL6
        return (PRIVATE if is_v4 else PRIVATE6) if address.is_private else GLOBAL if is_v4 else GLOBAL6

    def address(self, original):
        """4 or 16 bytes for as many. No two originals share one."""
        if original in self._new:
            return self._new[original]
        address = ipaddress.ip_address(original)
        if address.version == 6 and address.ipv4_mapped:
            new = original[:12] + self.address(original[12:])
        elif network := self._network(address):
            number = int.from_bytes(self.bytes(b"address", original, 16), "big")
            hosts = network.num_addresses - 2
            while (new := (network.network_address + 1 + number % hosts).packed) in self._taken:
                number += 1
        else:
            new = original
        self._new[original] = new
        self._taken[new] = original
        return new

    def text(self, text):
        """An address, or a network, as text; other text stays."""
        head, slash, prefix = text.partition("/")
        try:
            address = ipaddress.ip_address(head)
        except ValueError:
            return text
        return str(ipaddress.ip_address(self.address(address.packed))) + (f"/{address.max_prefixlen}" if slash and int(prefix) == address.max_prefixlen else slash + prefix)

    def mac(self, original):
        """A hardware address of 6 bytes; of another length, bytes."""
        if len(original) != 6:
            return self.bytes(b"mac", original, len(original))
        if original[0] & 1 or not any(original):
            return original
        return bytes((LOCAL_MAC,)) + self.bytes(b"mac", original, 5)
