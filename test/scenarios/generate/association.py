# SPDX-License-Identifier: GPL-2.0-or-later
"""Two endpoints and what they say to each other, packet by packet, with the association that each packet truly belongs to.

A Flow is a list of packets in their order; a Association is one association that adds packets to a flow. Several associations in one flow
keep their order (a restart), packets of different flows are interleaved by merge.py.
"""

import copy
import dataclasses

from . import packet
from .conversation import DEFAULT_GAP, Conversation, End


@dataclasses.dataclass
class Item:
    """One frame. `assoc` is the true association's key, None for a frame that belongs to none."""

    source: str
    destination: str
    sport: int
    dport: int
    vtag: int
    chunks: tuple
    sender: int
    assoc: object
    gap_ns: object = DEFAULT_GAP        # since the item before it in its flow
    udp: object = None                  # (source port, destination port)
    identification: int = 0
    ttl: int = 64
    tos: int = 2
    interface: int = 0
    direction: int = packet.RECEIVED    # for Linux cooked links
    vlan: object = None
    gtp: object = None                  # TEID
    is_copy: bool = False               # of a packet that the capture already holds
    half: object = None                 # label while nothing shows yet to which other half this direction belongs; "any": may be in any
    ip_packet: object = None            # these bytes instead of SCTP
    checksum: object = None

    def to_ip(self):
        if self.ip_packet is not None:
            return self.ip_packet
        content = packet.sctp(self.sport, self.dport, self.vtag, *self.chunks, checksum=self.checksum)
        protocol = packet.SCTP
        if self.udp:
            content, protocol = packet.udp(*self.udp, content), packet.UDP
        result = packet.ip(self.source, self.destination, content, protocol, self.identification, self.ttl, self.tos)
        if self.gtp is not None:
            tunnelled = packet.udp(2152, 2152, packet.gtp_u(self.gtp, result))
            result = packet.ip(*("192.0.2.1", "192.0.2.2")[::1 if self.sender == 0 else -1], tunnelled, packet.UDP)
        return result


@dataclasses.dataclass
class Expect:
    """What the JSON must say of an association. None: not checked; a set: one of these."""

    end: object = "open"
    setup: object = "missing"
    restart_of: object = None           # key, None for null
    check_restart: bool = True
    initiator: object = "unchecked"
    encapsulation: object = None
    events: tuple = ()                  # kinds that must occur
    no_events: tuple = ()               # kinds that must not
    check_packets: bool = True


class Flow:
    def __init__(self, name):
        self.name = name
        self.items = []
        self.expect = {}


class Association(Conversation):
    """One association. ends[0] is the initiator where there is a set-up.

    addresses: one text or list per end; ports, tags, tsns: per end, random where not given; udp: port per end."""

    def __init__(self, flow, rng, addresses, ports=(5001, 5001), tags=None, tsns=None, udp=None, **item_options):
        self.flow = flow
        self.rng = rng
        tags = tags or (rng.randrange(1, 1 << 32), rng.randrange(1, 1 << 32))
        tsns = tsns or (rng.randrange(1 << 32), rng.randrange(1 << 32))
        self.ends = [End(addresses[end], ports[end], tags[end], tsns[end], rng.randrange(1 << 16)) for end in (0, 1)]
        self.udp = list(udp) if udp else None
        self.options = item_options
        self.key = (flow.name, len(flow.expect))
        self.expect = flow.expect[self.key] = Expect(encapsulation="udp" if udp else "ip")

    def successor(self, **options):
        """Another association of the same two endpoints, with new tags unless given."""
        options.setdefault("ports", [end.port for end in self.ends])
        options.setdefault("udp", self.udp)
        return Association(self.flow, self.rng, [end.addresses for end in self.ends], **{**self.options, **options})

    def send(self, sender, *parts, source=0, destination=0, way=None, vtag=None, gap_ns=DEFAULT_GAP, **options):
        """A packet of `parts`; source and destination: index in the ends' addresses, or text; way: index in both."""
        one, other = self.ends[sender], self.ends[1 - sender]
        source, destination = (source, destination) if way is None else (way, way)
        one.identification = one.identification + 1 & 0xFFFF or 1
        self.flow.items.append(Item(
            one.addresses[source] if isinstance(source, int) else source,
            other.addresses[destination] if isinstance(destination, int) else destination,
            one.port, other.port, other.tag if vtag is None else vtag, parts, sender, self.key, gap_ns,
            udp=(self.udp[sender], self.udp[1 - sender]) if self.udp else None,
            **{"identification": one.identification, **self.options, **options}))
        return self

    def again(self, **changes):
        """The last packet once more, with changes: a retransmission when the identification changes, else a copy."""
        self.flow.items.append(dataclasses.replace(copy.copy(self.flow.items[-1]), **changes))
        return self

    def new_id(self, sender):
        self.ends[sender].identification = self.ends[sender].identification + 1 & 0xFFFF or 1
        return self.ends[sender].identification

    def set_up(self, *words, **options):
        super().set_up(*words, **options)
        self.expect.setup, self.expect.initiator = "complete", 0
        return self

    def shut_down(self, *words, **options):
        super().shut_down(*words, **options)
        self.expect.end = "shutdown"
        return self

    def abort(self, *words, **options):
        super().abort(*words, **options)
        self.expect.end = "abort"
        return self


def host(number, network=10):
    """Text of the IPv4 address number in network.0.0.0/8."""
    return "%d.%d.%d.%d" % (network, number >> 16 & 255, number >> 8 & 255, number & 255)


def host6(number):
    return "2001:db8::%x:%x" % (number >> 16, number & 0xFFFF)
