# SPDX-License-Identifier: GPL-2.0-or-later
"""The network between simulated hosts: interfaces with their access links, middleboxes, hosts, and what becomes of each datagram, which truth is
told.

An interface has an address and two one-way links, outward and inward, each with Conditions. Between the links of two interfaces lies a core that
costs
nothing: a path is the outward link of its source and the inward link of its destination. Middleboxes stand at an interface, beyond its link. Taps see
datagrams at an interface (AT_HOST), beyond its link (BEYOND_LINK), or beyond its middleboxes (OUTSIDE).

Left out: what SCTP does; how a frame looks in a capture (tap.py); routing, link layers and their addresses; IPv6 extension headers; ICMP beyond the
few
messages that a stack acts upon.
"""

import copy
import dataclasses

from . import wire
from .clock import SECOND_NS
from .datagram import TOS_CE, TOS_ECN_MASK

AT_HOST, BEYOND_LINK, OUTSIDE = "at_host", "beyond_link", "outside"
IPV4_BYTES, IPV6_BYTES, UDP_BYTES = 20, 40, 8
# What becomes of a datagram that is larger than a link takes; FRAGMENT where its host allows it, else as ICMP.
ICMP, SILENT, FRAGMENT = "icmp", "silent", "fragment"
ROUTER_ADDRESS = {4: "198.51.100.1", 6: "2001:db8:ffff::1"}
# What a stack takes for each packet that it sends, at the least.
PACKET_NS = (900, 5_000)
# Of a quoted datagram: IP header and at least 8 bytes (RFC 792); routers of today quote more (RFC 1812 4.3.2.3).
QUOTED_SCTP_BYTES = 40


def said(sctp):
    """Fields of truth: what the chunks of a packet are, and what its SACK or SHUTDOWN acknowledges."""
    packet = wire.parse(sctp, check=False)
    if packet is None:
        return {}
    fields = {"chunks": [chunk.name for chunk in packet.chunks]}
    for chunk in packet.chunks:
        sack = wire.read_sack(chunk) if chunk.type == wire.SACK else wire.read_nr_sack(chunk) if chunk.type == wire.NR_SACK else None
        if chunk.type == wire.NR_SACK and sack is not None:
            sack = sack[0]._replace(gap_blocks=sack[0].gap_blocks + sack[1])
        if sack is not None:
            fields["acks"] = [sack.cum_tsn, sack.gap_blocks, sack.a_rwnd]
        elif chunk.type == wire.SHUTDOWN and len(chunk.value) >= 4:
            fields["acks"] = [wire.read_word(chunk), [], None]
    return fields


@dataclasses.dataclass(slots=True)
class Conditions:
    """Of one link in one direction. Probabilities are of each datagram, from 0 to 1; times are the simulation's.

    bursts: (begins, ends, loses): probabilities that a burst begins and that it ends, at each datagram, and of a loss within it (Gilbert and
    Elliott).
    loss_by_size: (bytes, probability) of datagrams of at least so many bytes with their IP header. outages, one_way_outages: (begin_ns, end_ns);
    both lose everything and differ in the word alone. reorder: (probability, extra_ns at most): such a datagram is late and may be overtaken.
    jitter_ns: at most, added to each delay; order is kept. mark_bytes: a queue this long marks CE on what is capable of ECN. framing_bytes: of the
    link layer, which rate and queue count. queue_packets: in the place of queue_bytes, a queue that is full for a datagram when more than so many of
    its own size would wait.
    """

    delay_ns: int = 5_000_000
    jitter_ns: int = 0
    rate_bits_per_s: int | None = None
    queue_bytes: int = 64_000
    queue_packets: int | None = None
    loss: float = 0.0
    bursts: tuple | None = None
    loss_by_size: tuple | None = None
    outages: tuple = ()
    one_way_outages: tuple = ()
    reorder: tuple | None = None
    duplicate: float = 0.0
    corrupt: float = 0.0
    mtu_bytes: int = 1500
    too_big: str = ICMP
    mark_bytes: int | None = None
    framing_bytes: int = 0
    hops: int = 3


def ip_bytes(datagram):
    """Length of a datagram with its IP header, and UDP's where there is one."""
    return (IPV6_BYTES if ":" in datagram.source else IPV4_BYTES) + (UDP_BYTES if datagram.udp_ports else 0) + len(datagram.sctp)


def changed(datagram, **changes):
    """A copy of a datagram with other values: datagrams are never changed themselves, taps keep them."""
    other = copy.copy(datagram)
    for name, value in changes.items():
        setattr(other, name, value)
    return other


class Icmp:
    """A message of ICMP about a datagram. kind: too big, prohibited, host unreachable or protocol unreachable; quoted: the datagram; mtu_bytes: of
    too big."""

    __slots__ = ("number", "source", "destination", "ttl", "tos", "identification", "kind", "mtu_bytes", "quoted")

    def __init__(self, kind, quoted, mtu_bytes=0, source=None):
        self.number, self.kind, self.quoted, self.mtu_bytes = quoted.number, kind, quoted, mtu_bytes
        self.source = source or ROUTER_ADDRESS[6 if ":" in quoted.source else 4]
        self.destination = quoted.source
        self.ttl, self.tos, self.identification = 62, 0xC0, quoted.number & 0xFFFF


class Trip:
    """A datagram on its way. Each of its methods is a place that it has come to."""

    __slots__ = ("network", "datagram", "ttl", "sent_ns", "source", "target", "host", "was", "fragment_bytes")

    def __init__(self, network, datagram, source):
        self.network, self.datagram, self.source = network, datagram, source
        self.ttl, self.sent_ns, self.target, self.host = datagram.ttl, network.simulation.now_ns, None, None
        self.was = said(datagram.sctp) if network.truth.keeps("packet") else {}  # fields for its record: as it was sent, before anything damages it
        self.fragment_bytes = None  # what lies beyond a host or router that fragments sees fragments of this size

    def leave(self):
        """At the interface of its host, outward."""
        if self.source.at_host:
            self.seen(self.source.at_host, True)
        self.source.outward.carry(self, Trip.cross)

    def cross(self):
        """Beyond the source's link: through its middleboxes and those of the destination."""
        source = self.source
        if source.beyond_link:
            self.seen(source.beyond_link, True)
        for box in source.boxes:
            if not self.passes(box, True):
                return
        if source.outside:
            self.seen(source.outside, True)
        target = self.network.reachable(self.datagram.source, self.datagram.destination)
        if target is None:
            self.lose("no_route", "core")
            return
        self.target, self.host = target, target.host
        if target.outside:
            self.seen(target.outside, False)
        for box in reversed(target.boxes):
            if not self.passes(box, False):
                return
        if target.beyond_link:
            self.seen(target.beyond_link, False)
        target.inward.carry(self, Trip.arrive)

    def passes(self, box, is_outward):
        """Whether a middlebox lets it pass; it may have changed it."""
        before = self.datagram
        why = box.take(self, is_outward)
        if why:
            self.lose("middlebox", f"{box.name}: {why}")
            return False
        if self.datagram is not before:
            self.was.setdefault("altered", []).append(box.name)
        return True

    def arrive(self):
        """At the interface of the destination."""
        if self.target.at_host:
            self.seen(self.target.at_host, False)
        if self.was.get("corrupted") and self.datagram.udp_ports:
            self.lose("corrupted_header", "UDP checksum")
        elif self.target.is_down:
            self.lose("no_route", "interface is down")
        else:
            self.host.take(self)

    def seen(self, taps, is_outward):
        for tap in taps:
            tap.see(self.network.simulation.now_ns, self.datagram, self.ttl, is_outward, self.fragment_bytes)

    def lose(self, why, where):
        self.network.record(self, "lost", why=why, where=where)


class Link:
    """One direction of an access link."""

    __slots__ = ("network", "name", "conditions", "random", "free_ns", "last_ns", "in_burst", "entered", "left")

    def __init__(self, network, name, conditions):
        self.network, self.name, self.conditions = network, name, conditions
        self.random = network.simulation.random(f"network/{name}")
        self.free_ns = self.last_ns = 0
        self.in_burst = False
        self.entered = 0
        self.left = []  # numbers of those that left, as they left
        for word, outages in (("outage", conditions.outages), ("one_way_outage", conditions.one_way_outages)):
            for begin_ns, end_ns in outages:
                network.truth.record("network", begin_ns, event=f"{word}_begins", where=name)
                network.truth.record("network", end_ns, event=f"{word}_ends", where=name)

    def carry(self, trip, then):
        """Takes a datagram to the place `then`, a method of Trip, or loses it."""
        conditions, now_ns = self.conditions, self.network.simulation.now_ns
        trip.ttl = max(trip.ttl - conditions.hops, 1)
        size = ip_bytes(trip.datagram)
        why = self._fate(trip, size, now_ns)
        if why:
            trip.lose(why, self.name)
            return
        arrives_ns = self._transmitted_ns(size + conditions.framing_bytes, now_ns) + conditions.delay_ns
        if conditions.jitter_ns:
            arrives_ns += self.random.randrange(conditions.jitter_ns)
        if conditions.reorder and self.random.random() < conditions.reorder[0]:
            arrives_ns += self.random.randrange(1, conditions.reorder[1])
        else:
            arrives_ns = self.last_ns = max(arrives_ns, self.last_ns)
        if conditions.corrupt and self.random.random() < conditions.corrupt:
            self._corrupt(trip)
        self._schedule(trip, then, arrives_ns)
        if conditions.duplicate and self.random.random() < conditions.duplicate:
            self._schedule(self._doubled(trip), then, arrives_ns + self.random.randrange(1, 2_000_000))

    def _fate(self, trip, size, now_ns):
        """Why a datagram is lost; None when it is not."""
        conditions = self.conditions
        for why, outages in (("outage", conditions.outages), ("one_way_outage", conditions.one_way_outages)):
            if outages and any(begin_ns <= now_ns < end_ns for begin_ns, end_ns in outages):
                return why
        if size > conditions.mtu_bytes and not self._fits_in_fragments(trip, size):
            return "too_big"
        if conditions.bursts:
            begins, ends, loses = conditions.bursts
            self.in_burst = self.random.random() >= ends if self.in_burst else self.random.random() < begins
            if self.in_burst and self.random.random() < loses:
                return "burst"
        if conditions.loss and self.random.random() < conditions.loss:
            return "random"
        by_size = conditions.loss_by_size
        if by_size and size >= by_size[0] and self.random.random() < by_size[1]:
            return "size"
        return "queue_full" if self._is_full(size + conditions.framing_bytes, now_ns) else None

    def _fits_in_fragments(self, trip, size):
        """What a router does with a datagram that is too big: it passes on fragments that fit, makes fragments of IPv4, says so by ICMP, or nothing
        (RFC 1191,
        RFC 8201)."""
        conditions = self.conditions
        if trip.fragment_bytes and trip.fragment_bytes <= conditions.mtu_bytes:
            return True
        if conditions.too_big == FRAGMENT and trip.datagram.notes.get("may_fragment"):
            trip.fragment_bytes = min(conditions.mtu_bytes, trip.fragment_bytes or conditions.mtu_bytes)
            return True
        if conditions.too_big != SILENT:
            self.network.send_icmp(trip, Icmp("too big", trip.datagram, conditions.mtu_bytes))
        return False

    def _is_full(self, size, now_ns):
        rate = self.conditions.rate_bits_per_s
        if rate is None:
            return False
        queued_bytes = (self.free_ns - now_ns) * rate // (8 * SECOND_NS)
        if self.conditions.queue_packets is not None:
            return queued_bytes // size > self.conditions.queue_packets
        return queued_bytes + size > self.conditions.queue_bytes

    def _transmitted_ns(self, size, now_ns):
        """When its last bit has left the queue."""
        rate = self.conditions.rate_bits_per_s
        if rate is None:
            return now_ns
        self.free_ns = max(self.free_ns, now_ns) + size * 8 * SECOND_NS // rate
        return self.free_ns

    def _corrupt(self, trip):
        """Turns one to three bits of it: of its SCTP packet; those of the IP header lose it."""
        sctp = bytearray(trip.datagram.sctp)
        for _ in range(self.random.randint(1, 3)):
            bit = self.random.randrange(len(sctp) * 8)
            sctp[bit >> 3] ^= 1 << (bit & 7)
        trip.datagram = changed(trip.datagram, sctp=bytes(sctp))
        trip.was["corrupted"] = True

    def _doubled(self, trip):
        """A second trip of the same datagram, which has a number of its own."""
        other = copy.copy(trip)
        other.was = {**trip.was, "copy_of": trip.datagram.number}
        other.datagram = trip.datagram.copy(self.network.next_number())
        return other

    def _schedule(self, trip, then, arrives_ns):
        if self.conditions.mark_bytes is not None:
            self._mark(trip)
        self.entered += 1
        self.network.under_way[trip] = None
        self.network.simulation.at(arrives_ns, self._leave, trip, then, self.entered)

    def _mark(self, trip):
        """Congestion experienced, where the queue is long and the transport capable of ECN (RFC 3168 5)."""
        rate, tos = self.conditions.rate_bits_per_s, trip.datagram.tos
        queued_bytes = (self.free_ns - self.network.simulation.now_ns) * rate // (8 * SECOND_NS) if rate else 0
        if queued_bytes > self.conditions.mark_bytes and tos & TOS_ECN_MASK not in (0, TOS_CE):
            trip.datagram = changed(trip.datagram, tos=tos | TOS_CE)
            trip.was["marked"] = True

    def _leave(self, trip, then, number):
        self.network.under_way.pop(trip, None)
        if self.left and self.left[-1] > number:
            trip.was["overtaken_by"] = trip.was.get("overtaken_by", 0) + sum(other > number for other in self.left)
            self.left.insert(next(at for at, other in enumerate(self.left) if other > number), number)
        else:
            self.left.append(number)
            del self.left[:-64]
        then(trip)


class Interface:
    """An address of a host, or of several replicas, its links, its middleboxes, and the taps that see it. is_down: what comes is lost, nothing
    leaves."""

    __slots__ = ("host", "address", "outward", "inward", "boxes", "at_host", "beyond_link", "outside", "is_down")

    def __init__(self, host, address, outward, inward):
        self.host, self.address, self.outward, self.inward = host, address, outward, inward
        self.boxes = []  # from the host outward
        self.at_host, self.beyond_link, self.outside = [], [], []
        self.is_down = False


class Host:
    """What lies between an endpoint and its interfaces: the time that it takes, and the identifications of IPv4.

    delay_ns: at most, of each datagram in either direction; order is kept. stalls: (begin_ns, end_ns) in which the host does nothing: what would
    come or
    leave does so at the end. identification: how it numbers IPv4 datagrams to which the endpoint gave no identification: per_host, per_destination,
    random, zero.
    sets_df: whether IPv4 datagrams say Don't Fragment.
    """

    def __init__(self, network, name, delay_ns, stalls, identification, sets_df):
        self.network, self.name, self.delay_ns, self.stalls, self.identification = network, name, delay_ns, stalls, identification
        self.sets_df = sets_df
        self.random = network.simulation.random(f"host/{name}")
        self.endpoints = {}  # by port
        self.last_out_ns = self.last_in_ns = 0
        self.numbers = {}
        self.pmtu_bytes = {}  # by destination, what ICMP said

    def fragment_bytes(self, datagram):
        """Of which size this host makes fragments of a datagram; None where it goes whole. RFC 9260 6.9: what has been fragmented by SCTP and is too
        large now is fragmented
        by IP."""
        pmtu_bytes = self.pmtu_bytes.get(datagram.destination)
        return pmtu_bytes if pmtu_bytes and ip_bytes(datagram) > pmtu_bytes else None

    def attach(self, endpoint, port):
        """The endpoint that has what arrives for this SCTP port; None takes it away."""
        self.endpoints[port] = endpoint

    def transmit(self, datagram):
        """Sends a datagram; what endpoints are given as `transmit`."""
        if datagram.identification is None:
            datagram.identification = self._next_identification(datagram)
        if not self.sets_df and ":" not in datagram.source:
            datagram.notes["may_fragment"] = True
        self.network.send(self, datagram)

    def _next_identification(self, datagram):
        """RFC 6864: unique only where it has to be; all four occur."""
        if self.identification == "zero" or ":" in datagram.source:
            return 0
        if self.identification == "random":
            return self.random.randrange(65536)
        key = datagram.destination if self.identification == "per_destination" else ""
        number = self.numbers[key] = self.numbers.get(key, self.random.randrange(65536)) + 1 & 0xFFFF
        return number

    def out_ns(self):
        """When what its endpoint sends now is on the wire: no two at once."""
        takes_ns = self.random.randrange(*PACKET_NS)
        self.last_out_ns = max(self._after_delay_ns(), self.last_out_ns) + takes_ns
        return self.last_out_ns

    def _after_delay_ns(self):
        now_ns = self.network.simulation.now_ns
        at_ns = now_ns + self.random.randrange(self.delay_ns or 1)
        for begin_ns, end_ns in self.stalls:
            if begin_ns <= at_ns < end_ns:
                return end_ns
        return at_ns

    def take(self, trip):
        """A datagram has come to an interface."""
        self.last_in_ns = at_ns = max(self._after_delay_ns(), self.last_in_ns)
        if at_ns > self.network.simulation.now_ns:
            self.network.under_way[trip] = None
            self.network.simulation.at(at_ns, self.deliver, trip)
        else:
            self.deliver(trip)

    def deliver(self, trip):
        """To the endpoint of its port. Truth has it before the endpoint answers."""
        self.network.under_way.pop(trip, None)
        endpoint = self.endpoints.get(int.from_bytes(trip.datagram.sctp[2:4], "big")) or self.endpoints.get(None)
        if endpoint is None:
            trip.lose("no_endpoint", self.name)
            return
        now_ns = self.network.simulation.now_ns
        self.network.record(trip, "arrived", arrived_ns=now_ns)
        endpoint.receive(trip.datagram, now_ns)

    def take_icmp(self, message):
        """A message of ICMP, to the endpoint whose port the quoted datagram came from. IP keeps what it says of a PMTU."""
        quoted = message.quoted
        if message.mtu_bytes:
            self.pmtu_bytes[quoted.destination] = min(message.mtu_bytes, self.pmtu_bytes.get(quoted.destination, message.mtu_bytes))
        endpoint = self.endpoints.get(int.from_bytes(quoted.sctp[:2], "big")) or self.endpoints.get(None)
        if endpoint is not None:
            endpoint.receive_icmp(message.kind, quoted.destination, quoted.sctp[:QUOTED_SCTP_BYTES], message.mtu_bytes or None)


class Network:
    """Hosts, interfaces, and what becomes of datagrams."""

    def __init__(self, simulation, truth):
        self.simulation, self.truth = simulation, truth
        self.hosts, self.interfaces = {}, {}
        self.owners = {}  # interface by each address that leads to it, those of its middleboxes too
        self.blocked = set()  # (source, destination) between which there is no route
        self.under_way = {}  # trips, in order

    def host(self, name, delay_ns=0, stalls=(), identification="per_host", sets_df=True):
        """A new Host."""
        self.hosts[name] = host = Host(self, name, delay_ns, stalls, identification, sets_df)
        return host

    def interface(self, host, address, outward=None, inward=None, boxes=()):
        """A new Interface of a host. outward, inward: Conditions. boxes: middleboxes beyond its link, the nearest first."""
        links = (Link(self, f"{address} {word}", conditions or Conditions()) for word, conditions in (("outward", outward), ("inward", inward)))
        self.interfaces[address] = self.owners[address] = interface = Interface(host, address, *links)
        for box in boxes:
            self.add_box(interface, box)
        return interface

    def add_box(self, interface, box):
        """A middlebox beyond the link of an interface, and beyond those that are there."""
        box.network = self
        interface.boxes.append(box)
        for address in box.addresses:
            self.owners[address] = interface

    def reachable(self, source, destination):
        """The interface that a datagram comes to; None when there is no route."""
        return None if (source, destination) in self.blocked else self.owners.get(destination)

    def next_number(self):
        """A number for a datagram that the network makes."""
        return self.simulation.number("datagram")

    def send(self, host, datagram):
        """A datagram of a host's endpoint sets out."""
        interface = self.interfaces.get(datagram.notes.get("interface", datagram.source))
        trip = Trip(self, datagram, interface)
        if interface is None or interface.is_down or (":" in datagram.source) != (":" in datagram.destination):
            trip.lose("no_route", f"{host.name}: from {datagram.source}")
            return
        trip.sent_ns, trip.fragment_bytes = host.out_ns(), host.fragment_bytes(datagram)
        self.under_way[trip] = None
        self.simulation.at(trip.sent_ns, self._set_out, trip)

    def _set_out(self, trip):
        self.under_way.pop(trip, None)
        trip.leave()

    def send_icmp(self, trip, message):
        """Sends a message of ICMP to the source of a trip: it is there after the delay of that interface's inward link."""
        interface = self.owners.get(message.destination)
        if interface is not None:
            self.simulation.after(interface.inward.conditions.delay_ns, self._icmp_arrives, interface, message)

    def _icmp_arrives(self, interface, message):
        for tap in interface.at_host:
            tap.see(self.simulation.now_ns, message, message.ttl, False, None)
        if not interface.is_down:
            interface.host.take_icmp(message)

    def record(self, trip, fate, **more):
        """Tells truth the fate of a datagram."""
        if not self.truth.keeps("packet"):
            return
        datagram = trip.datagram
        self.truth.record(
            "packet",
            self.simulation.now_ns,
            number=datagram.number,
            source=datagram.source,
            destination=datagram.destination,
            sent_ns=trip.sent_ns,
            fate=fate,
            bytes=len(datagram.sctp) + (UDP_BYTES if datagram.udp_ports else 0),
            **trip.was,
            **more,
        )

    def finish(self):
        """Records what is still under way at the end of a run."""
        for trip in self.under_way:
            self.record(trip, "in_flight")
        self.under_way.clear()
