# SPDX-License-Identifier: GPL-2.0-or-later
"""Middleboxes of the simulated network: translators, load balancers, firewalls, and devices that alter what they should leave alone.

Each has take(trip, is_outward): None lets the datagram pass, a text says why it does not; what it alters is a changed copy (network.changed).
is_outward: from
the host behind it. `addresses`: those that lead to it from the core. Left out: everything that a device would have to know of an association beyond
its
tags, and devices that answer in the place of an endpoint.
"""

import struct

from sctpa.crc32c import crc32c

from . import wire
from .datagram import TOS_ECN_MASK
from .network import Icmp, changed


class Middlebox:
    """Lets everything pass. network: set where it is put up (Network.add_box)."""

    addresses = ()
    network = None

    def __init__(self, name):
        self.name = name

    def take(self, trip, is_outward):
        """None, or why the datagram is not passed on."""

    def tell(self, event, detail=None):
        """Tells truth what it does."""
        self.network.truth.record("network", self.network.simulation.now_ns, event=event, where=self.name, detail=detail)


def chunk_types(sctp):
    """Types of the chunks of a packet, as far as their lengths can be followed."""
    at = wire.COMMON_HEADER_BYTES
    while at + 4 <= len(sctp):
        kind, _, length = struct.unpack_from("!BBH", sctp, at)
        yield kind
        at += wire.padded(max(length, 4))


def checksum(sctp):
    """The one that a packet should have (RFC 9260 6.8)."""
    return struct.pack("<I", crc32c(sctp[:8] + bytes(4) + sctp[12:]))


def with_ports(sctp, source_port, destination_port, is_checksum_renewed=True):
    """The packet with other ports. A checksum that was wrong, or zero, stays as it is."""
    changes = is_checksum_renewed and sctp[8:12] == checksum(sctp)
    sctp = struct.pack("!HH", source_port, destination_port) + sctp[4:]
    return sctp[:8] + checksum(sctp) + sctp[12:] if changes else sctp


class Nat(Middlebox):
    """Translates the address of the hosts behind it, and their ports where it keeps them not (RFC 6951 1 tells why that is rare without UDP).

    outer: its addresses, used in turn by each new mapping. life_ns: without outward packets a mapping lasts so long, then it is forgotten: what comes
    inward is dropped, what goes outward gets a new mapping. forgets_at_ns: times at which it forgets all (it restarts). keeps_ports: only addresses
    are
    translated. renews_checksum: whether it makes the checksum anew where it changes a port."""

    def __init__(self, name, outer, life_ns=None, forgets_at_ns=(), keeps_ports=True, renews_checksum=True):
        super().__init__(name)
        self.addresses = tuple(outer)
        self.life_ns, self.keeps_ports, self.renews_checksum = life_ns, keeps_ports, renews_checksum
        self.forgets_at_ns = list(forgets_at_ns)
        self.mappings = {}  # (inner address, its SCTP port, its UDP port): [outer address, outer SCTP port, outer UDP port, last used at]
        self.made = 0

    def take(self, trip, is_outward):
        now_ns = self.network.simulation.now_ns
        self._forget(now_ns)
        datagram = trip.datagram
        source_port, destination_port = struct.unpack_from("!HH", datagram.sctp)
        if is_outward:
            mapping = self._mapping(datagram, source_port, now_ns)
            mapping[3] = now_ns
            self._translate(trip, {"source": mapping[0]}, mapping[1], destination_port, datagram.udp_ports and (mapping[2], datagram.udp_ports[1]))
            return None
        udp_port = datagram.udp_ports[1] if datagram.udp_ports else None
        for (address, port, inner_udp_port), mapping in self.mappings.items():
            if mapping[:3] == [datagram.destination, destination_port, udp_port]:
                self._translate(trip, {"destination": address}, source_port, port, datagram.udp_ports and (datagram.udp_ports[0], inner_udp_port))
                return None
        return "no mapping"

    def _forget(self, now_ns):
        """Mappings that are too old; all, when it restarts."""
        if self.forgets_at_ns and now_ns >= self.forgets_at_ns[0]:
            self.forgets_at_ns.pop(0)
            self.mappings.clear()
            self.tell("nat_forgets", "all")
        if self.life_ns is not None:
            for key in [key for key, mapping in self.mappings.items() if now_ns - mapping[3] > self.life_ns]:
                del self.mappings[key]
                self.tell("nat_forgets", f"{key[0]}:{key[1]}")

    def _mapping(self, datagram, port, now_ns):
        """That of the source of a datagram; a new one where there is none. One SCTP port of an address is one mapping: destinations share it."""
        udp_port = datagram.udp_ports[0] if datagram.udp_ports else None
        key = datagram.source, port, udp_port
        if key not in self.mappings:
            outer_port = port if self.keeps_ports else 20_000 + self.made * 7 % 40_000
            outer_udp_port = udp_port and (udp_port if not self.made else 30_000 + self.made)
            self.mappings[key] = [self.addresses[self.made % len(self.addresses)], outer_port, outer_udp_port, now_ns]
            self.made += 1
            self.tell("nat_mapping", f"{key[0]}:{port} as {self.mappings[key][0]}:{outer_port}")
        return self.mappings[key]

    def _translate(self, trip, addresses, source_port, destination_port, udp_ports):
        sctp = trip.datagram.sctp
        if (source_port, destination_port) != struct.unpack_from("!HH", sctp):
            sctp = with_ports(sctp, source_port, destination_port, self.renews_checksum)
        trip.datagram = changed(trip.datagram, sctp=sctp, udp_ports=udp_ports, **addresses)


class LoadBalancer(Middlebox):
    """Several replicas behind one address. switches: (time_ns, index): the replica from then on, for all; without, each pair of source address and
    port keeps
    the replica that the sum of its numbers names."""

    def __init__(self, name, replicas, switches=()):
        super().__init__(name)
        self.replicas, self.switches = replicas, tuple(switches)

    def take(self, trip, is_outward):
        if is_outward:
            return
        port = int.from_bytes(trip.datagram.sctp[:2], "big")
        chosen = (port + sum(wire.address_bytes(trip.datagram.source))) % len(self.replicas)
        for time_ns, index in self.switches:
            if trip.network.simulation.now_ns >= time_ns:
                chosen = index
        trip.host = self.replicas[chosen]


class Firewall(Middlebox):
    """Drops packets. types: those that bear a chunk of one of these types. idle_ns: without packets for so long, it lets only INITs pass.
    inward_only: what goes
    outward passes always. from_ns, until_ns: when it does so. says: by ICMP that it is prohibited."""

    def __init__(self, name, types=(), idle_ns=None, inward_only=False, from_ns=0, until_ns=None, says=False):
        super().__init__(name)
        self.types, self.idle_ns, self.inward_only = frozenset(types), idle_ns, inward_only
        self.from_ns, self.until_ns, self.says = from_ns, until_ns, says
        self.last_ns = None

    def take(self, trip, is_outward):
        now_ns = self.network.simulation.now_ns
        types = list(chunk_types(trip.datagram.sctp))
        if self.idle_ns is not None:
            is_forgotten = self.last_ns is None or now_ns - self.last_ns > self.idle_ns
            if is_forgotten and wire.INIT not in types:
                return self._refuses(trip, "no state")
            self.last_ns = now_ns
        if now_ns < self.from_ns or self.until_ns is not None and now_ns >= self.until_ns or is_outward and self.inward_only:
            return None
        for kind in types:
            if kind in self.types:
                return self._refuses(trip, f"drops {wire.CHUNK_NAMES.get(kind, hex(kind))}")
        return None

    def _refuses(self, trip, why):
        if self.says:
            self.network.send_icmp(trip, Icmp("prohibited", trip.datagram))
        return why


class Bleacher(Middlebox):
    """Sets the DSCP to zero and the ECN field to Not-ECT, as old routers do."""

    def take(self, trip, is_outward):
        if trip.datagram.tos:
            trip.datagram = changed(trip.datagram, tos=0)


class EcnBleacher(Middlebox):
    """Sets the ECN field to Not-ECT."""

    def take(self, trip, is_outward):
        if trip.datagram.tos & TOS_ECN_MASK:
            trip.datagram = changed(trip.datagram, tos=trip.datagram.tos & ~TOS_ECN_MASK)


class PortRewriter(Middlebox):
    """Changes the SCTP port of the hosts behind it without making the checksum anew: everything that it touches is discarded at its destination."""

    def __init__(self, name, port, from_ns=0, until_ns=None):
        super().__init__(name)
        self.port, self.from_ns, self.until_ns = port, from_ns, until_ns

    def take(self, trip, is_outward):
        now_ns = self.network.simulation.now_ns
        if not is_outward or now_ns < self.from_ns or self.until_ns is not None and now_ns >= self.until_ns:
            return
        destination_port = int.from_bytes(trip.datagram.sctp[2:4], "big")
        trip.datagram = changed(trip.datagram, sctp=with_ports(trip.datagram.sctp, self.port, destination_port, is_checksum_renewed=False))
