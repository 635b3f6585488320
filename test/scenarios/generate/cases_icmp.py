# SPDX-License-Identifier: GPL-2.0-or-later
"""ICMP and ICMPv6 errors that quote SCTP: events of the association that they quote, never traffic."""

from . import chunks, packet
from .merge import Case
from .association import Flow, Item, Association, host, host6


def _error(flow, association, content, towards=0):
    """Adds the ICMP packet `content` (IP packet) behind the last one."""
    flow.items.append(Item("", "", 0, 0, 0, (), 1 - towards, None, ip_packet=content))


def _quote(flow, quoted_bytes):
    whole = flow.items[-1].to_ip()
    header = 20 if whole[0] >> 4 == 4 else 40
    return whole[:header + quoted_bytes]


def case_icmp(rng, count=12):
    """Port and protocol unreachable and fragmentation needed, quoting 8 bytes, the common header, or the whole packet."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2))).set_up().exchange()
        code, rest, kind = ((3, 0, "icmp_unreachable"), (2, 0, "icmp_unreachable"), (4, 1400, "packet_too_big"))[number % 3]
        association.data(0, size=400)
        error = packet.icmp(3, code, _quote(flow, (8, 12, 428, 40)[number // 3]), rest)
        _error(flow, association, packet.ip(host(2 * number + 2), host(2 * number + 1), error, packet.ICMP, 77))
        association.exchange()
        association.expect.events = (kind,)
        flows.append(flow)
    return Case("", flows)


def case_icmp_init(rng, count=9):
    """Nobody serves SCTP there: the errors quote the INIT, whose tag is 0."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2))).init()
        error = packet.icmp(3, number % 2 + 2, _quote(flow, (8, 20, 32)[number // 3]))
        _error(flow, association, packet.ip(host(2 * number + 2), host(2 * number + 1), error, packet.ICMP, 77))
        association.expect.events = ("icmp_unreachable",)
        association.expect.end, association.expect.setup, association.expect.initiator = {"no_answer", "refused", "failed"}, "partial", 0
        flows.append(flow)
    return Case("", flows, end_gap_ns=600_000_000_000)


def case_icmpv6(rng, count=8):
    """The same with ICMPv6; the reporter is a router on the way."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        ends = (host6(2 * number + 1), host6(2 * number + 2))
        association = Association(flow, rng, ends).set_up().exchange().data(0, size=400)
        kind, code, rest = ((1, 4, 0), (2, 0, 1280))[number % 2]
        error = packet.icmpv6(host6(0xFFFFFF), ends[0], kind, code, _quote(flow, (12, 428)[number // 4]), rest)
        _error(flow, association, packet.ip(host6(0xFFFFFF), ends[0], error, packet.ICMPV6))
        association.exchange()
        association.expect.events = (("icmp_unreachable", "packet_too_big")[number % 2],)
        flows.append(flow)
    return Case("", flows)


def case_icmp_of_strangers(rng, count=4):
    """Errors that quote what was never seen, or other tags, or fewer than 8 bytes: no events, no association."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2))).set_up().exchange()
        stranger = packet.sctp(5001, 5001, rng.randrange(1, 1 << 32), chunks.data(1, b"stranger"))
        content = packet.ip(*((host(1), host(2)) if number % 2 else (host(900), host(901))), stranger)
        error = packet.icmp(3, 2, content[:20 + (8, 12, 4, 0)[number]])
        _error(flow, association, packet.ip(host(999), host(1), error, packet.ICMP, 77))
        association.exchange().shut_down()
        association.expect.no_events = ("icmp_unreachable", "packet_too_big")
        flows.append(flow)
    return Case("", flows)
