# SPDX-License-Identifier: GPL-2.0-or-later
"""Frames at random around SCTP: IP options and extension headers, UDP, GTP-U, GRE, IP in IP, fragments, ICMP quotes, copies at other
interfaces, cuts, wrong lengths and times. The same seed makes the same capture. What the SCTP packets say is mostly well formed, between a few
endpoints, so that it reaches the analysis.
"""

import random
import struct

from . import chunks, packet
from .merge import START_NS
from .pcapng import ETHERNET, Pcapng

IPIP, IPV6_IN_IP, GRE = 4, 41, 47
HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION = 0, 43, 44, 60
SCTP_OVER_UDP, GTP_U = 9899, 2152
IP_PACKET_MOST = 65_000
V4 = [packet.packed(f"10.0.0.{number}") for number in range(1, 5)]
V6 = [packet.packed(f"2001:db8::{number}") for number in range(1, 5)]
PARAMS = [1, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 0x8000, 0x8002, 0x8003, 0x8004, 0x8008, 0xC000, 0xC001, 0xC002, 0xC003, 0xC004, 0xC006, 0x7777]
TIMES = [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 62, 253_402_300_799 * 10**9]


class Frames:
    """Makes frames one after the other; what it holds makes them belong together."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.tsns = {}
        self.now_ns = START_NS
        self.waiting = []

    def one_in(self, n):
        return self.rng.randrange(n) == 0

    def value(self, most):
        return self.rng.randbytes(self.rng.randrange(most))

    # --- SCTP ---

    def params(self):
        parts = []
        for _ in range(self.rng.randrange(6)):
            kind = self.rng.choice(PARAMS)
            if kind in (5, 6):
                parts.append(self.address_param())
            elif 0xC001 <= kind <= 0xC004:
                parts.append(chunks.tlv(kind, self.rng.randrange(8).to_bytes(4, "big") + self.address_param()))
            else:
                parts.append(chunks.tlv(kind, self.value(40), length=self.rng.randrange(70) if self.one_in(20) else None))
        return b"".join(parts)

    def address_param(self):
        return chunks.tlv(5, self.rng.choice(V4)) if self.one_in(2) else chunks.tlv(6, self.rng.choice(V6))

    def near(self, end):
        return self.tsns.setdefault(end, 1000 * end) - self.rng.randrange(8) & 0xFFFFFFFF

    def gaps(self):
        return sorted((first, first + self.rng.randrange(3)) for first in self.rng.sample(range(2, 200), self.rng.randrange(12)))

    def chunk(self, end):
        rng, near, far = self.rng, self.near(end), self.near(end ^ 1)
        tag = 0x11111111 * (1 + end)
        kind = rng.choice((0, 0, 0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0x40, 0x80, 0x81, 0x82, 0xC0, 0xC1, 0xC2, 0x77))
        if self.one_in(15):
            return chunks.chunk(rng.choice((kind, rng.randrange(256))), rng.randrange(256), self.value(60), rng.randrange(80) if self.one_in(3) else None)
        if kind in (0, 0x40):
            self.tsns[end] = near + rng.randrange(1, 10) & 0xFFFFFFFF
            make = chunks.data if kind == 0 else chunks.i_data
            return make(self.tsns[end], self.value(30) or b"x", rng.randrange(4), rng.randrange(4), rng.randrange(70), rng.randrange(16))
        made = {
            1: lambda: chunks.init(tag, near, self.params()), 2: lambda: chunks.init_ack(tag, near, self.value(30), self.params()),
            3: lambda: chunks.sack(far, rng.choice((0, 1, 65536)), self.gaps(), [far] * rng.randrange(3)),
            4: lambda: chunks.heartbeat(self.value(20)), 5: lambda: chunks.heartbeat_ack(self.value(20)),
            6: lambda: chunks.abort(chunks.tlv(rng.randrange(15), self.value(20)), t=self.one_in(2)), 7: lambda: chunks.shutdown(far),
            8: chunks.shutdown_ack, 9: lambda: chunks.error(chunks.tlv(rng.randrange(15), self.value(20))),
            10: lambda: chunks.cookie_echo(self.value(30)), 11: chunks.cookie_ack, 12: lambda: chunks.ecne(far), 13: lambda: chunks.cwr(near),
            14: chunks.shutdown_complete, 15: lambda: chunks.auth(rng.randrange(2), rng.choice((1, 3)), rng.randbytes(20)),
            16: lambda: chunks.nr_sack(far, 65536, self.gaps(), self.gaps()),
            0x80: lambda: chunks.asconf_ack(rng.randrange(4), self.params()), 0xC1: lambda: chunks.asconf(rng.randrange(4), "10.0.0.1", self.params()),
            0x81: lambda: chunks.pktdrop(self.value(60)), 0x82: lambda: chunks.re_config(self.params()),
            0xC0: lambda: chunks.forward_tsn(near, [(rng.randrange(4), rng.randrange(4))]),
            0xC2: lambda: chunks.chunk(0xC2, 0, near.to_bytes(4, "big") + bytes(8)), 0x77: lambda: chunks.chunk(0x77, 0, self.value(30)),
        }
        return made[kind]()

    def sctp(self, end):
        rng = self.rng
        many = rng.randrange(60, 200) if self.one_in(40) else rng.randrange(5)
        tag = rng.choice((0, 7, 0xFFFFFFFF)) if self.one_in(8) else 0x11111111 * (1 + (end ^ 1))
        made = packet.sctp(1000 + end % 2, 1000 + (end ^ 1) % 2, tag, *(self.chunk(end) for _ in range(many)),
                           checksum=rng.randbytes(4) if self.one_in(10) else None)
        if self.one_in(12):
            made = bytearray(made)
            for _ in range(rng.randrange(1, 6)):
                made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
        return bytes(made)[:rng.randrange(len(made)) if self.one_in(20) else None]

    # --- IP ---

    def ipv4(self, pair, payload, protocol):
        """With options at random, seldom with a wrong header or total length."""
        rng = self.rng
        made = bytearray(packet.ipv4(V4[pair[0]], V4[pair[1]], payload, protocol, rng.randrange(65536), rng.choice((1, 63, 64)), rng.randrange(256)))
        if self.one_in(4):
            options = rng.choice((b"\x94\x04\x00\x00", b"\x07\x07\x04" + bytes(4) + b"\x00", b"\x01" * 40, rng.randbytes(4 * rng.randrange(1, 11))))
            made[20:20] = options
            made[0] = 0x45 + len(options) // 4
            made[2:4] = (len(made) & 0xFFFF).to_bytes(2, "big")
        if self.one_in(25):
            made[rng.choice((0, 2, 3, 6, 9))] = rng.randrange(256)
        return bytes(made)

    def ipv6(self, pair, payload, protocol):
        """Behind extension headers at random."""
        rng = self.rng
        for _ in range(rng.randrange(4) if self.one_in(3) else 0):
            kind = rng.choice((HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION))
            if kind == FRAGMENT:
                header = struct.pack("!BBHI", protocol, 0, 0, rng.randrange(4))
            else:
                words = rng.randrange(3)
                header = bytes((protocol, words)) + rng.choice((bytes((1, 8 * words + 4)) + bytes(8 * words + 4), rng.randbytes(8 * words + 6)))
            payload, protocol = header + payload, kind
        made = bytearray(packet.ipv6(V6[pair[0]], V6[pair[1]], payload, protocol, rng.choice((1, 64)), rng.randrange(256)))
        if self.one_in(25):
            made[rng.choice((0, 4, 5, 6))] = rng.randrange(256)
        return bytes(made)

    def ip(self, pair, payload, protocol, is_v6=None):
        is_v6 = self.one_in(3) if is_v6 is None else is_v6
        return (self.ipv6 if is_v6 else self.ipv4)(pair, payload[:IP_PACKET_MOST], protocol)

    def tunnelled(self, inner):
        """An IP packet in one more header, or in several."""
        rng, pair = self.rng, self.rng.sample(range(4), 2)
        kind = rng.choice(("gtp", "gre", "ip", "udp"))
        if kind == "gtp":
            outer = self.ip(pair, packet.udp(GTP_U, GTP_U, packet.gtp_u(rng.randrange(3), inner)), packet.UDP)
        elif kind == "gre":
            flags = rng.choice((0, 0x2000, 0x1000, 0x3000))
            fields = rng.randbytes(4 * (flags >> 13 & 1) + 4 * (flags >> 12 & 1))
            outer = self.ip(pair, struct.pack("!HH", flags, 0x86DD if inner[0] >> 4 == 6 else 0x0800) + fields + inner, GRE)
        elif kind == "ip":
            outer = self.ip(pair, inner, IPV6_IN_IP if inner[0] >> 4 == 6 else IPIP)
        else:
            outer = self.ip(pair, packet.udp(SCTP_OVER_UDP, rng.choice((SCTP_OVER_UDP, 5000)), inner[20:]), packet.UDP)
        return self.tunnelled(outer) if self.one_in(6) else outer

    def fragments(self, pair, payload, protocol):
        """Of IPv4 or IPv6: in order or not, seldom overlapping, twice or with one missing."""
        rng, parts, at, identification, is_v6 = self.rng, [], 0, self.rng.randrange(65536), self.one_in(2)
        step = 8 * rng.randrange(1, 12)
        while at < len(payload) and len(parts) < 20:
            piece, more = payload[at:at + step], at + step < len(payload)
            offset = max(0, at - (8 if self.one_in(20) else 0))
            if is_v6:
                header = struct.pack("!BBHI", protocol, 0, offset | more, identification)
                parts.append(packet.ipv6(V6[pair[0]], V6[pair[1]], header + piece, FRAGMENT))
            else:
                parts.append(packet.ipv4(V4[pair[0]], V4[pair[1]], piece, protocol, identification, flags=more << 13 | offset >> 3))
            at += step
        if self.one_in(3):
            rng.shuffle(parts)
        if self.one_in(5) and parts:
            parts.pop(rng.randrange(len(parts)))
        return parts

    def quoted(self, pair, inner):
        """An ICMP error about an IP packet, whole or cut, with another in it at times."""
        rng, quote = self.rng, inner[:self.rng.choice((20, 28, 32, 40, 68, 128, 1232))]
        back = (pair[1], pair[0])
        if inner[0] >> 4 == 6:
            return self.ipv6(back, packet.icmpv6("2001:db8::9", "2001:db8::1", rng.choice((1, 2, 3, 4)), rng.randrange(5), quote, rng.randrange(1500)), packet.ICMPV6)
        return self.ipv4(back, packet.icmp(rng.choice((3, 3, 4, 11, 12)), rng.randrange(16), quote, rng.randrange(1500)), packet.ICMP)

    # --- frames ---

    def ip_packets(self):
        """One packet, or the fragments of one."""
        rng = self.rng
        end = rng.randrange(4)
        pair, payload, protocol = (end, end ^ 1), self.sctp(end), packet.SCTP
        if self.one_in(6):
            payload, protocol = packet.udp(SCTP_OVER_UDP, rng.choice((SCTP_OVER_UDP, 6000)), payload), packet.UDP
        if self.one_in(8):
            return self.fragments(pair, payload, protocol)
        made = self.ip(pair, payload, protocol)
        if self.one_in(8):
            made = self.quoted(pair, made)
        while self.one_in(5):
            made = self.tunnelled(made)
        return [made]

    def next(self):
        """(time, frame, interface, captured bytes)"""
        rng = self.rng
        while not self.waiting:
            self.waiting = [packet.ethernet(made, rng.choice((None, None, None, 5)), rng.randrange(2)) for made in self.ip_packets()]
            if self.one_in(10):
                self.waiting += self.waiting
        frame = self.waiting.pop(0)
        self.now_ns += rng.randrange(-2_000_000, 50_000_000) if self.one_in(50) else rng.randrange(2_000_000)
        time_ns = rng.choice(TIMES) if self.one_in(100) else self.now_ns
        return time_ns & 0xFFFFFFFFFFFFFFFF, frame, rng.randrange(3), rng.randrange(len(frame)) if self.one_in(10) else len(frame)


def write(path, frames, seed):
    """A capture of so many frames, seen at three interfaces."""
    source = Frames(seed)
    with Pcapng(path, (ETHERNET,) * 3) as capture:
        for _ in range(frames):
            time_ns, frame, interface, captured = source.next()
            capture.write(time_ns, frame[:captured], interface, len(frame))
    path.chmod(0o644)
