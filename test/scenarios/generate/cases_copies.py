# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets that a capture holds twice, and packets that really were sent or delivered twice."""

import dataclasses

from . import packet
from .merge import Case
from .pcapng import COOKED, COOKED_2, ETHERNET
from .association import Flow, Association, host, host6

MILLISECOND_NS = 1_000_000


def _talks(rng, count, v6=False, rounds=10):
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        make = host6 if v6 else host
        Association(flow, rng, (make(number + 1), make((number + 1) << 16))).set_up().exchange(rounds).shut_down()
        flows.append(flow)
    return flows


def _doubled(flows, **changes):
    """Behind every packet its copy, with changes."""
    for flow in flows:
        flow.items = [entry for item in flow.items for entry in (item, dataclasses.replace(item, is_copy=True, **changes))]
    return flows


def case_copies_cooked(rng, count=8):
    """The "any" device of a router: every packet comes in and goes out again, the TTL one less."""
    return Case("", _doubled(_talks(rng, count), gap_ns=8_000, direction=packet.SENT, ttl=63), (COOKED,))


def case_copies_cooked_2(rng, count=8):
    """The same with Linux cooked v2, which names the interface."""
    return Case("", _doubled(_talks(rng, count), gap_ns=8_000, direction=packet.SENT, ttl=63), (COOKED_2,))


def case_copies_two_interfaces(rng, count=8):
    """Two interfaces of a pcapng see every packet, the second one 30 us later."""
    return Case("", _doubled(_talks(rng, count), gap_ns=30_000, interface=1), (ETHERNET, ETHERNET))


def case_copies_two_interfaces_v6(rng, count=8):
    """The same with IPv6, which has no identification."""
    return Case("", _doubled(_talks(rng, count, v6=True), gap_ns=30_000, interface=1), (ETHERNET, ETHERNET))


def case_copies_vlan(rng, count=8):
    """The VLAN device and its parent: with and without the tag."""
    flows = _talks(rng, count)
    for flow in flows:
        flow.items = [dataclasses.replace(item, vlan=100) for item in flow.items]
    return Case("", _doubled(flows, gap_ns=2_000, vlan=None))


def case_copies_mirror_port(rng, count=8):
    """A mirror port that copies what comes in and what goes out: every packet twice, byte for byte, on one interface."""
    return Case("", _doubled(_talks(rng, count, rounds=30), gap_ns=3_000))


def _both_ends(flow, rng, delay_ns, loss, v6):
    """Each packet at its sender's interface and, unless lost, after delay_ns at the other one; lost DATA is sent again."""
    rows, now = [], 0
    for item in flow.items:
        now += MILLISECOND_NS
        has_data = item.chunks[0][0] == 0
        rows.append((now, item.sender, item))
        lost = has_data and rng.random() < loss
        if lost:
            again = dataclasses.replace(item, identification=item.identification ^ 0x8000)
            rows.append((now + 200 * MILLISECOND_NS, item.sender, again))
            rows.append((now + 200 * MILLISECOND_NS + delay_ns, 1 - item.sender, dataclasses.replace(again, is_copy=True, ttl=60)))
        else:
            rows.append((now + delay_ns, 1 - item.sender, dataclasses.replace(item, is_copy=True, ttl=60)))
        if item.chunks[0][0] in (1, 2, 10, 11, 7, 8, 14):
            now += delay_ns
    rows.sort(key=lambda row: row[0])
    flow.items, before = [], 0
    for moment, interface, item in rows:
        flow.items.append(dataclasses.replace(item, interface=interface, gap_ns=moment - before))
        before = moment


def case_both_ends(rng, count=4, v6=False):
    """Captures of both ends merged: one-way delay 20 ms, 1 % of the DATA lost between; repetitions are no copies."""
    flows = _talks(rng, count, v6, rounds=60)
    for flow in flows:
        _both_ends(flow, rng, 20 * MILLISECOND_NS, 0.01, v6)
    return Case("", flows, (ETHERNET, ETHERNET))


def case_both_ends_v6(rng, count=4):
    """The same with IPv6, where a repetition looks like the lost packet byte for byte."""
    return case_both_ends(rng, count, True)


def case_network_duplicates(rng, count=8):
    """2 % of the packets were duplicated by the network: same identification, same interface. They are packets."""
    flows = _talks(rng, count, rounds=40)
    for flow in flows:
        items = []
        for item in flow.items:
            items.append(item)
            if rng.random() < 0.02:
                items.append(dataclasses.replace(item, gap_ns=20_000))
        flow.items = items
    return Case("", flows)


def case_retransmissions(rng, count=8, v6=False):
    """10 % of the DATA packets again, 300 ms later: a new identification, or, with IPv6, the same bytes. They are packets."""
    flows = _talks(rng, count, v6, rounds=20)
    for flow in flows:
        items = []
        for item in flow.items:
            items.append(item)
            if item.chunks[0][0] == 0 and rng.random() < 0.1:
                items.append(dataclasses.replace(item, gap_ns=300 * MILLISECOND_NS, identification=item.identification ^ 0x8000))
        flow.items = items
    return Case("", flows)


def case_retransmissions_v6(rng, count=8):
    return case_retransmissions(rng, count, True)


def case_repeated_sacks(rng, count=8):
    """SACKs and HEARTBEATs of equal bytes in a row, 10 ms apart, IPv4 identification 0 as some stacks set it with DF."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(number + 1), host(1, 172)), identification=0).set_up().data(0)
        for _ in range(20):
            association.sack(1, gap_ns=10 * MILLISECOND_NS)
        association.exchange(3).shut_down()
        flows.append(flow)
    return Case("", flows)
