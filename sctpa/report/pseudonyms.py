# SPDX-License-Identifier: GPL-2.0-or-later
"""Other addresses and bytes for those of a capture: the same original has the same replacement, and nobody without the key can compare a guess.

An address stays one of its kind (private, global, link-local), since rules ask for that. Leaves finding them in packets to sctp_rewriter.py.
"""

import hashlib
import hmac
import ipaddress

from sctpa.arguments import STATUS_NOT_READ
from sctpa.tshark import Failed


class _Kind:
    """Networks whose addresses stand for those of a kind, one after the other, each until half of it is taken, so that a free one is found at the
    second or third look; the last until all are."""

    def __init__(self, *networks):
        self.networks = [ipaddress.ip_network(text) for text in networks]


# What replaces addresses of a kind: the private one of RFC 1918; benchmarking (RFC 2544), then what is reserved for future use (RFC 1112 4);
# link-local (RFC 3927); unique local (RFC 4193), documentation (RFC 3849), link-local (RFC 4291).
PRIVATE, GLOBAL, LINK_LOCAL = _Kind("10.0.0.0/8"), _Kind("198.18.0.0/15", "240.0.0.0/5"), _Kind("169.254.0.0/16")
PRIVATE6, GLOBAL6, LINK_LOCAL6 = _Kind("fd00::/8"), _Kind("2001:db8::/32"), _Kind("fe80::/64")
LOCAL_MAC = 0x02


class Pseudonyms:
    """Under a secret key. Memory: two entries per address."""

    def __init__(self, key):
        self._key = key
        self._new, self._taken, self._counts = {}, set(), {}

    def bytes(self, kind, original, length):
        """Bytes of that length that follow from the original alone."""
        parts, number = b"", 0
        while len(parts) < length:
            parts += hmac.new(self._key, b"%s\0%d\0%s" % (kind, number, original), hashlib.sha256).digest()
            number += 1
        return parts[:length]

    @staticmethod
    def _kind(address):
        """The _Kind that stands for one; None: it tells nothing and stays."""
        if (
            address.is_loopback
            or address.is_unspecified
            or address.is_multicast
            or address == ipaddress.IPv4Address(0xFFFFFFFF)
        ):
            return None
        is_v4 = address.version == 4
        if address.is_link_local:
            return LINK_LOCAL if is_v4 else LINK_LOCAL6
        return (PRIVATE if is_v4 else PRIVATE6) if address.is_private else GLOBAL if is_v4 else GLOBAL6

    def _free(self, kind, original):
        """An address of a kind that stands for none yet. Raises Failed when there is none."""
        number, last = int.from_bytes(self.bytes(b"address", original, 16), "big"), kind.networks[-1]
        for network in kind.networks:
            count = self._counts.get(network, 0)
            if count >= network.num_addresses or (network != last and count >= network.num_addresses // 2):
                continue
            self._counts[network] = count + 1
            while (new := (network.network_address + number % network.num_addresses).packed) in self._taken:
                number += 1
            return new
        raise Failed(STATUS_NOT_READ, f"has more addresses than --anonymise can replace: {last} is used up")

    def address(self, original):
        """4 or 16 bytes for as many. No two originals share one. Raises Failed when no address of the kind is left."""
        if original in self._new:
            return self._new[original]
        address = ipaddress.ip_address(original)
        if address.version == 6 and address.ipv4_mapped:
            new = original[:12] + self.address(original[12:])
        elif kind := self._kind(address):
            new = self._free(kind, original)
        else:
            new = original
        self._new[original] = new
        self._taken.add(new)
        return new

    def text(self, text):
        """An address, or a network, as text; other text stays."""
        head, slash, prefix = text.partition("/")
        try:
            address = ipaddress.ip_address(head)
        except ValueError:
            return text
        return str(ipaddress.ip_address(self.address(address.packed))) + (
            f"/{address.max_prefixlen}" if slash and int(prefix) == address.max_prefixlen else slash + prefix
        )

    def mac(self, original):
        """A hardware address of 6 bytes; of another length, bytes."""
        if len(original) != 6:
            return self.bytes(b"mac", original, len(original))
        if original[0] & 1 or not any(original):
            return original
        return bytes((LOCAL_MAC,)) + self.bytes(b"mac", original, 5)
