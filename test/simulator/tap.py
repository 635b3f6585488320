# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures of a simulated network: where they are taken, by which clock, and what they miss or alter; frames as bytes, files in pcapng.

A tap has one or more places of the network, each an interface of the file. What it saw is kept as datagrams and made into frames when the file is
written.
Left out: why a datagram passed a place (network.py); captures of other formats; GSO and GRO, which SCTP captures show no trace of here.
"""

import dataclasses
import struct
from random import Random

from sctpa import pcapng

from .network import AT_HOST, IPV4_BYTES, IPV6_BYTES, QUOTED_SCTP_BYTES, UDP_BYTES, Icmp
from .wire import address_bytes

ETHERNET, RAW_IP, SLL, SLL2 = 1, 101, 113, 276  # tcpdump.org/linktypes.html
# What the simulation's time 0 is in every capture whose clock is right.
EPOCH_NS = 1_700_000_000_123_456_789
IPPROTO_ICMP, IPPROTO_UDP, IPPROTO_FRAGMENT, IPPROTO_ICMPV6, IPPROTO_SCTP = 1, 17, 44, 58, 132
ETHERTYPE = {4: 0x0800, 6: 0x86DD}
IPV6_FRAGMENT_BYTES = 8
ETHERNET_BYTES_MIN = 60  # what is received is padded, what is sent is seen before that
DONT_FRAGMENT, MORE_FRAGMENTS = 0x4000, 0x2000
# Type and code by kind of Icmp: RFC 792, RFC 4443.
ICMP_CODES = {"too big": (3, 4), "prohibited": (3, 13), "host unreachable": (3, 1), "protocol unreachable": (3, 2)}
ICMPV6_CODES = {"too big": (2, 0), "prohibited": (1, 1), "host unreachable": (1, 3), "protocol unreachable": (4, 1)}


@dataclasses.dataclass(slots=True)
class Settings:
    """How a tap captures.

    offset_ns, drift_ppm: of its clock. step_ns: its stamps are whole multiples of this. digits: of seconds in the file, 0, 3, 6 or 9. snap_bytes: of
    each frame.
    drop: share of frames missed. drop_bursts: (probability that one begins at a frame, frames at most). duplicate: share of frames captured twice.
    swap: share of frames that stand behind their successor, with their own stamps. direction: "outward", "inward" or None for both; port: only
    packets from or
    to this SCTP port; from_ns, until_ns: of the simulation. has_offload: what leaves the host bears no checksum yet. vlan: its number, of Ethernet.
    tunnel: UDP ports of a tunnel that the packets are in at this place. udp_has_checksum: whether UDP encapsulation computes one, IPv6 always.
    tells_direction: the file says of each frame whether it was inbound.
    """

    offset_ns: int = 0
    drift_ppm: float = 0.0
    step_ns: int = 1
    digits: int = 9
    snap_bytes: int = 0
    drop: float = 0.0
    drop_bursts: tuple | None = None
    duplicate: float = 0.0
    swap: float = 0.0
    direction: str | None = None
    port: int | None = None
    from_ns: int = 0
    until_ns: int | None = None
    has_offload: bool = False
    link_type: int = ETHERNET
    vlan: int | None = None
    tunnel: tuple | None = None
    udp_has_checksum: bool = True
    tells_direction: bool = False


class _Place:
    """One place of a tap: what the network calls."""

    __slots__ = ("tap", "number", "is_at_host")

    def __init__(self, tap, number, is_at_host):
        self.tap, self.number, self.is_at_host = tap, number, is_at_host

    def see(self, now_ns, datagram, ttl, is_outward, fragment_bytes):
        self.tap.seen.append((now_ns, datagram, ttl, is_outward, fragment_bytes, self))


class Tap:
    """A capture that runs from the start. places: (interface, AT_HOST, BEYOND_LINK or OUTSIDE)."""

    def __init__(self, simulation, name, places, settings=None):
        self.simulation, self.name, self.settings = simulation, name, settings or Settings()
        self.seen = []
        self.interfaces = len(places)
        for number, (interface, place) in enumerate(places):
            getattr(interface, place).append(_Place(self, number, place == AT_HOST))

    def stamp_ns(self, time_ns):
        """What its clock says, since the epoch."""
        at_ns = EPOCH_NS + time_ns + self.settings.offset_ns + int(self.settings.drift_ppm * time_ns) // 1_000_000
        step_ns = max(self.settings.step_ns, 10 ** (9 - self.settings.digits))
        return at_ns // step_ns * step_ns

    def frames(self, has_ipv6_fragments=True):
        """has_ipv6_fragments: else IPv6 datagrams are whole, as if put together. ([(stamp_ns, frame bytes, place number, is_outward, datagram
        number, what)], {cause: numbers missed}). what: None, duplicate, fragment or icmp."""
        settings, random = self.settings, Random(f"{self.simulation.seed}/tap/{self.name}")  # the same frames each time that they are made
        frames, missed, to_drop = [], {"drop": [], "filter": []}, 0
        for time_ns, datagram, ttl, is_outward, fragment_bytes, place in self.seen:
            if not self._keeps(time_ns, datagram, is_outward):
                missed["filter"].append(datagram.number)
                continue
            if settings.drop_bursts and not to_drop and random.random() < settings.drop_bursts[0]:
                to_drop = random.randint(1, settings.drop_bursts[1])
            if to_drop or settings.drop and random.random() < settings.drop:
                to_drop = max(to_drop - 1, 0)
                missed["drop"].append(datagram.number)
                continue
            stamp_ns, what = self.stamp_ns(time_ns), "icmp" if isinstance(datagram, Icmp) else None
            if not has_ipv6_fragments and ":" in datagram.source:
                fragment_bytes = None
            made = self._made(datagram, ttl, is_outward, fragment_bytes, place)
            for frame in made:
                frames.append((stamp_ns, frame, place.number, is_outward, datagram.number, "fragment" if len(made) > 1 else what))
            if settings.duplicate and random.random() < settings.duplicate:
                later_ns = self.stamp_ns(time_ns + random.randrange(1, 50_000))
                frames.append((later_ns, made[-1], place.number, is_outward, datagram.number, "duplicate"))
        frames.sort(key=lambda frame: frame[0])
        if settings.swap:
            _swap(frames, settings.swap, random)
        return frames, missed

    def _keeps(self, time_ns, datagram, is_outward):
        """Whether its filter lets a datagram pass."""
        settings = self.settings
        if time_ns < settings.from_ns or settings.until_ns is not None and time_ns >= settings.until_ns:
            return False
        if settings.direction is not None and (settings.direction == "outward") != is_outward:
            return False
        return settings.port is None or not isinstance(datagram, Icmp) and settings.port in struct.unpack_from("!HH", datagram.sctp)

    def _made(self, datagram, ttl, is_outward, fragment_bytes, place):
        """The frames of a datagram, most often one."""
        settings = self.settings
        has_no_checksum = settings.has_offload and place.is_at_host and is_outward
        is_received = place.is_at_host and not is_outward
        packets = ip_packets(datagram, ttl, fragment_bytes, settings.tunnel, has_no_checksum, settings.udp_has_checksum)
        return [framed(packet, settings.link_type, datagram, is_outward, is_received, settings.vlan) for packet in packets]


def _swap(frames, share, random):
    """Puts that share of them behind their successor."""
    at = 0
    while at + 1 < len(frames):
        if random.random() < share:
            frames[at], frames[at + 1] = frames[at + 1], frames[at]
            at += 1
        at += 1


# --- files -----------------------------------------------------------------------------------------------------------


def capture(taps, truth=None, file_number=None, now_ns=0):
    """The bytes of a pcapng file of one or more taps, each with its places as interfaces, ordered by stamps as mergecap does. Tells truth which
    frame is what."""
    made, rows, first = [pcapng.section()], [], 0
    for tap in taps:
        settings = tap.settings
        for number in range(tap.interfaces):
            interface = pcapng.Interface(settings.link_type, settings.snap_bytes or 262_144, f"{tap.name}{number or ''}".encode(), settings.digits)
            made.append(pcapng.interface_block(interface))
        frames, missed = tap.frames()
        rows.append((tap, first, frames, missed))
        first += tap.interfaces
    order = _merged([frames for _, _, frames, _ in rows])
    shown = [[] for _ in rows]
    for frame_number, (which, at) in enumerate(order, 1):
        tap, first, frames, _ = rows[which]
        stamp_ns, frame, place, is_outward, number, what = frames[at]
        settings = tap.settings
        more = (
            pcapng.options_of([(pcapng.FLAGS, struct.pack("<I", pcapng.OUTBOUND if is_outward else pcapng.INBOUND))])
            if settings.tells_direction
            else b""
        )
        kept = frame[: settings.snap_bytes] if settings.snap_bytes else frame
        made.append(pcapng.packet(first + place, stamp_ns // 10 ** (9 - settings.digits), kept, len(frame), more))
        shown[which].append([frame_number, number, what])
    if truth is not None:
        for (tap, _, _, missed), frames in zip(rows, shown):
            truth.record(
                "frames",
                now_ns,
                tap=tap.name,
                file=file_number,
                frames=frames,
                offset_ns=EPOCH_NS + tap.settings.offset_ns,
                drift_ppm=tap.settings.drift_ppm,
                resolution_ns=max(tap.settings.step_ns, 10 ** (9 - tap.settings.digits)),
                missed=missed,
            )
    return b"".join(made)


def _merged(lists):
    """(list, place in it) of frames of several taps: the earliest stamp first, each list in its own order."""
    at, order = [0] * len(lists), []
    if len(lists) == 1:
        return [(0, place) for place in range(len(lists[0]))]
    while True:
        left = [which for which, frames in enumerate(lists) if at[which] < len(frames)]
        if not left:
            return order
        which = min(left, key=lambda one: lists[one][at[one]][0])
        order.append((which, at[which]))
        at[which] += 1


# --- frames ----------------------------------------------------------------------------------------------------------


def internet_checksum(data):
    """RFC 1071."""
    rest = int.from_bytes(data + bytes(len(data) & 1), "big") % 0xFFFF
    return 0xFFFF - (rest or (0xFFFF if any(data) else 0))


def ip_packets(datagram, ttl, fragment_bytes=None, tunnel=None, has_no_checksum=False, udp_has_checksum=True):
    """The IP packets that a datagram is at a place: one, or its fragments."""
    if isinstance(datagram, Icmp):
        return [icmp_packet(datagram)]
    sctp = datagram.sctp
    if has_no_checksum:
        sctp = sctp[:8] + bytes(4) + sctp[12:]
    ports, protocol, payload = datagram.udp_ports or tunnel, IPPROTO_SCTP, sctp
    if ports:
        protocol, payload = IPPROTO_UDP, udp(datagram, ports, sctp, udp_has_checksum)
    is_ipv6 = ":" in datagram.source
    if fragment_bytes is not None and len(payload) + (IPV6_BYTES if is_ipv6 else IPV4_BYTES) > fragment_bytes:
        return (ipv6_fragments if is_ipv6 else ipv4_fragments)(datagram, ttl, protocol, payload, fragment_bytes)
    if is_ipv6:
        return [ipv6_header(datagram, ttl, protocol, len(payload)) + payload]
    return [ipv4_header(datagram, ttl, protocol, len(payload), 0 if datagram.notes.get("may_fragment") else DONT_FRAGMENT) + payload]


def parts_of(payload, each):
    """(offset, bytes, whether more follow) of fragments."""
    return [(at, payload[at : at + each], at + each < len(payload)) for at in range(0, len(payload), each)]


def ipv4_fragments(datagram, ttl, protocol, payload, fragment_bytes):
    """RFC 791 3.2."""
    each = fragment_bytes - IPV4_BYTES & ~7
    return [
        ipv4_header(datagram, ttl, protocol, len(part), (MORE_FRAGMENTS if more else 0) | at >> 3) + part
        for at, part, more in parts_of(payload, each)
    ]


def ipv6_fragments(datagram, ttl, protocol, payload, fragment_bytes):
    """RFC 8200 4.5: only hosts make them."""
    each = fragment_bytes - IPV6_BYTES - IPV6_FRAGMENT_BYTES & ~7
    return [
        ipv6_header(datagram, ttl, IPPROTO_FRAGMENT, IPV6_FRAGMENT_BYTES + len(part))
        + struct.pack("!BxHI", protocol, at | more, datagram.number)
        + part
        for at, part, more in parts_of(payload, each)
    ]


def ipv4_header(datagram, ttl, protocol, payload_bytes, flags):
    head = struct.pack(
        "!BBHHHBBH4s4s",
        0x45,
        datagram.tos,
        IPV4_BYTES + payload_bytes,
        datagram.identification or 0,
        flags,
        ttl,
        protocol,
        0,
        address_bytes(datagram.source),
        address_bytes(datagram.destination),
    )
    return head[:10] + internet_checksum(head).to_bytes(2, "big") + head[12:]


def ipv6_header(datagram, ttl, protocol, payload_bytes):
    addresses = address_bytes(datagram.source) + address_bytes(datagram.destination)
    return struct.pack("!IHBB", 6 << 28 | datagram.tos << 20, payload_bytes, protocol, ttl) + addresses


def pseudo_header(datagram, protocol, length):
    """What checksums of UDP and ICMPv6 begin with (RFC 768, RFC 8200 8.1)."""
    addresses = address_bytes(datagram.source) + address_bytes(datagram.destination)
    return addresses + struct.pack("!IHH", length, 0, protocol)


def udp(datagram, ports, payload, has_checksum):
    """With its UDP header (RFC 6951 5.3)."""
    length = UDP_BYTES + len(payload)
    head = struct.pack("!HHHH", *ports, length, 0)
    if not has_checksum and ":" not in datagram.source:
        return head + payload
    checksum = internet_checksum(pseudo_header(datagram, IPPROTO_UDP, length) + head + payload) or 0xFFFF
    return head[:6] + checksum.to_bytes(2, "big") + payload


def icmp_packet(message):
    """The IP packet of an Icmp."""
    quoted = message.quoted
    if ":" in quoted.source:
        kind, code = ICMPV6_CODES[message.kind]
        body = struct.pack("!BBHI", kind, code, 0, message.mtu_bytes) + (ipv6_header(quoted, 60, IPPROTO_SCTP, len(quoted.sctp)) + quoted.sctp)[:1232]
        checksum = internet_checksum(pseudo_header(message, IPPROTO_ICMPV6, len(body)) + body)
        return ipv6_header(message, message.ttl, IPPROTO_ICMPV6, len(body)) + body[:2] + checksum.to_bytes(2, "big") + body[4:]
    kind, code = ICMP_CODES[message.kind]
    body = struct.pack("!BBHHH", kind, code, 0, 0, message.mtu_bytes) + ipv4_header(quoted, 60, IPPROTO_SCTP, len(quoted.sctp), DONT_FRAGMENT)
    body += quoted.sctp[:QUOTED_SCTP_BYTES]
    body = body[:2] + internet_checksum(body).to_bytes(2, "big") + body[4:]
    return ipv4_header(message, message.ttl, IPPROTO_ICMP, len(body), 0) + body


def mac(address):
    """A locally administered address for an IP address."""
    return b"\x02\x00" + address_bytes(address)[-4:]


def framed(packet, link_type, datagram, is_outward, is_received, vlan=None):
    """With the header of its link type. is_received: at the host that it is for."""
    protocol = ETHERTYPE[packet[0] >> 4]
    if link_type == RAW_IP:
        return packet
    if link_type == SLL:
        return struct.pack("!HHH6s2xH", 4 if is_outward else 0, 1, 6, mac(datagram.source), protocol) + packet
    if link_type == SLL2:
        return struct.pack("!HHIHBB6s2x", protocol, 0, 2, 1, 4 if is_outward else 0, 6, mac(datagram.source)) + packet
    tag = struct.pack("!HH", 0x8100, vlan) if vlan is not None else b""
    frame = mac(datagram.destination) + mac(datagram.source) + tag + struct.pack("!H", protocol) + packet
    return frame + bytes(ETHERNET_BYTES_MIN - len(frame)) if is_received and len(frame) < ETHERNET_BYTES_MIN else frame
