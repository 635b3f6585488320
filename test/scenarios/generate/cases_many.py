# SPDX-License-Identifier: GPL-2.0-or-later
"""Ten thousand associations at a time that share ports, hosts or tags."""

from .merge import Case
from .association import Flow, Association, host

MANY = 10_000


def _flows(count, make):
    result = []
    for number in range(count):
        flow = Flow(f"association{number}")
        make(flow, number)
        result.append(flow)
    return result


def case_many_hosts_same_ports(rng, count=MANY):
    """Every association has the same two ports, as S1AP has; the addresses differ."""
    def one(flow, number):
        Association(flow, rng, (host(number + 1), host(1, 172)), (36412, 36412)).set_up().exchange().shut_down()
    return Case("", _flows(count, one))


def case_many_behind_one_server(rng, count=MANY):
    """WebRTC behind one server: same addresses, SCTP ports 5000 on both sides, only the UDP ports differ. Both sides may send
    INIT, also at the same time; a neighbour's INIT is no collision."""
    def one(flow, number):
        association = Association(flow, rng, ("203.0.113.7", "192.0.2.1"), (5000, 5000), udp=(20_000 + number, 9899))
        if number % 3 == 0:
            association.set_up()
        elif number % 3 == 1:
            association.ends.reverse()
            association.udp.reverse()
            association.set_up()
        else:
            collide(association)
        association.exchange()
        association.expect.restart_of = None
    return Case("", _flows(count, one))


def case_many_same_pair(rng, count=MANY):
    """Same addresses, same ports, only the tags differ. A stack would call the later ones restarts; so their ends are not judged."""
    tags = rng.sample(range(1, 1 << 32), 2 * count)

    def one(flow, number):
        association = Association(flow, rng, (host(1), host(2)), tags=tags[2 * number:2 * number + 2]).set_up().exchange()
        association.expect.end, association.expect.check_restart = None, False
    return Case("", _flows(count, one))


def case_equal_tags(rng, count=600):
    """Predictable tags: many hosts count theirs 1, 2, 3, so tags and ports are equal everywhere and only addresses differ."""
    def one(flow, number):
        tags = (number % 3 + 1, number // 3 % 3 + 1)
        Association(flow, rng, (host(number + 1), host(number % 7 + 1, 172)), tags=tags).set_up().exchange(2).shut_down()
    return Case("", _flows(count, one))


def case_equal_tags_and_tsns(rng, count=60):
    """The same with equal TSNs: every packet but those with cookies has twins that differ in addresses and IP identification only."""
    def one(flow, number):
        Association(flow, rng, (host(number + 1), host(1, 172)), tags=(1, 2), tsns=(1, 1)).set_up().exchange(2).shut_down()
    return Case("", _flows(count, one))


def collide(association):
    """RFC 9260 5.2.1 and 5.2.4 action D: both send INIT, both answer with the tag of their own INIT."""
    association.init(0).init(1).init_ack(1).init_ack(0)
    association.cookie_echo(0).cookie_echo(1).cookie_ack(1).cookie_ack(0)
    association.expect.setup, association.expect.initiator, association.expect.events = "complete", 0, ("collision",)
    return association
