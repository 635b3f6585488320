# SPDX-License-Identifier: GPL-2.0-or-later
"""Addresses and ports that are many, mixed, hidden or changing while the association stays the same; and the reverse: a new
association that looks like an old one."""

import dataclasses

from . import chunks
from .merge import Case
from .pcapng import ETHERNET
from .association import Flow, Association, host, host6

SECOND_NS = 1_000_000_000


def _flows(count, make):
    result = []
    for number in range(count):
        flow = Flow(f"association{number}")
        make(flow, number)
        result.append(flow)
    return result


def _two_addresses(number):
    return [host(4 * number + 1), host(4 * number + 2)], [host(4 * number + 3), host(4 * number + 4)]


def _listed(addresses):
    return b"".join(chunks.address(text) for text in addresses)


def case_multihomed_known(rng, count=40):
    """All addresses are in INIT and INIT ACK; packets use every pair, also crosswise."""
    def one(flow, number):
        ends = _two_addresses(number)
        association = Association(flow, rng, ends).set_up([_listed(addresses) for addresses in ends])
        for source, destination in ((1, 1), (0, 1), (1, 0), (0, 0)):
            association.data(0, source=source, destination=destination).sack(1, source=destination, destination=1 - source)
            association.heartbeat(1, source, destination)
        association.shut_down(0, source=1, destination=1)
    return Case("", _flows(count, one))


def case_multihomed_unknown(rng, count=40):
    """The alternates are in no packet that was captured: the tag and the ports tell."""
    def one(flow, number):
        association = Association(flow, rng, _two_addresses(number)).set_up().exchange()
        association.data(0, source=1, destination=1).sack(1, source=1, destination=1).data(1, source=1, destination=0)
        association.heartbeat(0, 1, 1).exchange().shut_down(1, source=1, destination=1)
    return Case("", _flows(count, one))


def case_mixed_families(rng, count=40):
    """IPv4 and IPv6 addresses in one association."""
    def one(flow, number):
        ends = ([host(number + 1), host6(number + 1)], [host(number + 1, 172), host6(number + 1 << 16)])
        association = Association(flow, rng, ends).set_up([_listed(addresses) for addresses in ends] if number % 2 else (b"", b""))
        association.exchange().data(0, source=1, destination=1).sack(1, source=1, destination=1)
        association.heartbeat(1, 1, 1).exchange(1, source=1, destination=1).shut_down()
    return Case("", _flows(count, one))


def case_udp_rebinding(rng, count=40):
    """SCTP over UDP 9899; the NAT of end 0 gives it another UDP port and, sometimes, another address (RFC 6951 5.4)."""
    def one(flow, number):
        association = Association(flow, rng, ("203.0.113.%d" % (number % 5 + 1), "192.0.2.1"), (5000, 5000), udp=(30_000 + number, 9899))
        association.set_up().exchange()
        association.udp[0] = 40_000 + number
        association.exchange()
        if number % 2:
            association.ends[0].addresses[0] = "203.0.113.%d" % (number % 5 + 100)
        association.udp[0] = 50_000 + number
        association.exchange().shut_down()
    return Case("", _flows(count, one))


def case_udp_other_port(rng, count=20):
    """SCTP over a UDP port that only Decode As knows, and the ports change on both sides."""
    def one(flow, number):
        association = Association(flow, rng, (host(number + 1), host(1, 172)), udp=(9900, 30_000 + number)).set_up().exchange()
        association.udp[1] = 31_000 + number
        association.exchange()
    return Case("", _flows(count, one), options=("-d", "udp.port==9900,sctp"))


def case_asconf(rng, count=20):
    """ASCONF adds an address, traffic comes from it, it is made primary, the old one is deleted; wildcard: the source address."""
    def one(flow, number):
        association = Association(flow, rng, (host(number + 1), host(1, 172))).set_up().exchange()
        old, new, wildcard = host(number + 1), host(number + 1, 11), number % 2
        named = "0.0.0.0" if wildcard else new
        add = chunks.asconf_param(chunks.ADD_IP, 1, chunks.address(named))
        association.send(0, chunks.asconf(7, old, add), source=new if wildcard else 0)
        association.send(1, chunks.asconf_ack(7), destination=new if wildcard else 0)
        association.data(0, source=new).sack(1, destination=new)
        primary = chunks.asconf_param(chunks.SET_PRIMARY, 2, chunks.address(named))
        association.send(0, chunks.asconf(8, new, primary), source=new).send(1, chunks.asconf_ack(8), destination=new)
        delete = chunks.asconf_param(chunks.DELETE_IP, 3, chunks.address("0.0.0.0" if wildcard else old))
        association.send(0, chunks.asconf(9, new, delete), source=new).send(1, chunks.asconf_ack(9), destination=new)
        association.ends[0].addresses[0] = new
        association.exchange().shut_down()
        association.expect.events = ("address_added", "primary_set", "address_deleted")
    return Case("", _flows(count, one))


def _seen_behind_nat(flow, public, port):
    """Every packet of the flow once more, 50 us later on interface 1, with the NAT's address and, if port, its SCTP port."""
    result = []
    for item in flow.items:
        inside = item.sender == 0
        changes = {"source" if inside else "destination": public}
        if port:
            changes["sport" if inside else "dport"] = port
        copy = dataclasses.replace(item, interface=1, gap_ns=50_000, ttl=item.ttl - 1, is_copy=True, **changes)
        if not inside:
            copy, item = dataclasses.replace(copy, is_copy=False, gap_ns=item.gap_ns, ttl=64), \
                dataclasses.replace(item, is_copy=True, gap_ns=50_000, ttl=63)
            result += [copy, item]
        else:
            result += [item, copy]
    flow.items = result


def case_nat_both_sides(rng, count=20):
    """Captured on both sides of a NAT that changes addresses only, as draft-ietf-tsvwg-natsupp wants it."""
    def one(flow, number):
        Association(flow, rng, (host(number + 1), "192.0.2.1")).set_up().exchange(3).shut_down()
        _seen_behind_nat(flow, "203.0.113.9", None)
    return Case("", _flows(count, one), (ETHERNET, ETHERNET))


def case_nat_both_sides_ports(rng, count=20):
    """The same with SCTP ports translated as well."""
    def one(flow, number):
        Association(flow, rng, (host(number + 1), "192.0.2.1")).set_up().exchange(3).shut_down()
        _seen_behind_nat(flow, "203.0.113.9", 20_000 + number)
    return Case("", _flows(count, one), (ETHERNET, ETHERNET))


def case_reuse_after_end(rng, count=20):
    """Same ports after the end, by SHUTDOWN or ABORT: new tags, or even the same tags and TSNs: a new association each time."""
    def one(flow, number):
        association = Association(flow, rng, (host(number + 1), host(1, 172))).set_up().exchange()
        for repetition in range(3):
            if (number + repetition) % 2:
                association.shut_down()
            else:
                association.abort()
            same = [end.tag for end in association.ends] if number % 4 >= 2 else None
            association = association.successor(tags=same)
            association.set_up(gap_ns=10 * SECOND_NS).exchange()
    return Case("", _flows(count, one))


def case_ports_reversed(rng, count=10):
    """A host pair whose associations use each other's ports: 5001 to 6001 and 6001 to 5001."""
    def one(flow, number):
        ports = (5001, 6001) if number % 2 else (6001, 5001)
        association = Association(flow, rng, (host(1), host(2)), ports, tags=(number + 1, number + 1)).set_up().exchange().shut_down()
        association.expect.check_restart, association.expect.end = False, {"shutdown", "restarted"}
    return Case("", _flows(count, one))


def case_equal_tags_both_ways(rng, count=20):
    """Both ends drew the same tag: both directions carry it."""
    def one(flow, number):
        tag = rng.randrange(1, 1 << 32)
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2)), tags=(tag, tag))
        if number % 2:
            association.set_up()
        else:
            association.data(0).sack(1)
        association.exchange(2).shut_down()
    return Case("", _flows(count, one))


def case_loopback(rng, count=10):
    """A host that associations to itself: one address on both sides; ports tell, or, where they are equal too, tags."""
    def one(flow, number):
        ports = (5001, 6001) if number % 2 else (5001, 5001)
        association = Association(flow, rng, (f"127.0.0.{number + 1}",) * 2, ports)
        association.set_up().exchange(2).shut_down()
    return Case("", _flows(count, one))


def case_gtp_u(rng, count=30):
    """SCTP inside GTP-U: the inner addresses count; the same inner addresses in two tunnels differ by tags."""
    def one(flow, number):
        association = Association(flow, rng, (host(number // 2 + 1), host(1, 172)), gtp=number + 1)
        association.set_up().exchange()
        association.expect.check_restart, association.expect.end = False, {"open", "restarted"}
    return Case("", _flows(count, one))
