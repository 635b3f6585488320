# SPDX-License-Identifier: GPL-2.0-or-later
"""The set-up was not captured: two directions, each with its own tag, that have to be recognised as one association."""

from . import chunks
from .merge import Case
from .association import Flow, Association, host

SECOND_NS = 1_000_000_000


def case_no_setup_many_pairs(rng, count=500):
    """DATA one way, SACK and DATA back, between many host pairs on the same ports."""
    flows = []
    for number in range(count):
        flow = Flow(f"pair{number}")
        Association(flow, rng, (host(2 * number + 1), host(2 * number + 2)), (36412, 36412)).data(0).sack(1).exchange(2)
        flows.append(flow)
    return Case("", flows)


def case_no_setup_same_pair(rng, count=8):
    """Several associations of one host pair at a time, same ports: only TSNs and what SACKs ack tell which halves belong together."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        Association(flow, rng, (host(1), host(2)), (36412, 36412)).data(0).sack(1).exchange(5)
        flows.append(flow)
    return Case("", flows)


def case_one_direction(rng, count=40):
    """DATA that nobody is seen to ack, and SACKs for DATA that nobody is seen to send; some of both on the same ports."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2)))
        for _ in range(10):
            if number % 2:
                association.data(0)
            else:
                association.ends[1].tsn += 2
                association.sack(0)
        flows.append(flow)
    return Case("", flows)


def case_two_ways_of_different_associations(rng, count=12):
    """One host pair: one association's packets one way, another's the other way. Addresses and ports fit; from their first SACKs on
    what they say to each other shows that they do not belong together."""
    flows = []
    for number in range(count):
        for way in (0, 1):
            flow = Flow(f"association{number} way{way}")
            association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2)))
            association.expect.check_packets = False
            for turn in range(6):
                association.data(way, half=None if turn else "any")
                association.ends[1 - way].tsn += 3
                association.sack(way, half=None if turn else "any")
            flows.append(flow)
    return Case("", flows)


def case_joined_later_by_tsn(rng, rounds=1000):
    """One direction alone for 1,000 frames; then the other one, first with DATA that proves nothing, then with a SACK. Two
    associations of the same hosts do so at a time."""
    flows = []
    for number in range(2):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(1), host(2)))
        for _ in range(rounds):
            association.data(0, half="forth")
        association.data(1, half="back").data(1, half="back")
        association.sack(1, half="either").exchange(3)
        flows.append(flow)
    return Case("", flows)


def case_joined_later_by_heartbeat(rng, rounds=1000):
    """The same with a HEARTBEAT ACK that echoes the other direction's HEARTBEAT as the only evidence."""
    flows = []
    for number in range(2):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(1), host(2)))
        for _ in range(rounds):
            association.data(0, half="forth")
        association.data(1, half="back")
        info = rng.randbytes(32)
        association.send(0, chunks.heartbeat(info), half="forth").send(1, chunks.heartbeat_ack(info), half="either")
        association.data(0).data(1).data(0).data(1)
        flows.append(flow)
    return Case("", flows)


def case_no_setup_other_pair(rng, count=100):
    """Multihomed: DATA goes from and to the first addresses, SACKs between the second ones. Ports and TSNs alone tell."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        ends = ([host(4 * number + 1), host(4 * number + 2)], [host(4 * number + 3), host(4 * number + 4)])
        association = Association(flow, rng, ends)
        for _ in range(6):
            association.data(0).data(0).sack(1, source=1, destination=1)
        flows.append(flow)
    return Case("", flows)


def case_heartbeats_only(rng, count=30):
    """An idle multihomed association: HEARTBEATs and their answers on two paths, from both sides."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        ends = ([host(4 * number + 1), host(4 * number + 2)], [host(4 * number + 3), host(4 * number + 4)])
        association = Association(flow, rng, ends)
        for _ in range(3):
            association.heartbeat(0, 0, 0).heartbeat(0, 1, 1).heartbeat(1, 0, 0).heartbeat(1, 1, 1)
        flows.append(flow)
    return Case("", flows)


def case_end_without_setup(rng, count=20):
    """Only the end was captured; SHUTDOWN COMPLETE and ABORT with reflected tags name the other direction's half."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2)))
        association.data(0).sack(1)
        if number % 2:
            association.shut_down(0, complete_t=True)
        else:
            association.data(0).abort(1, t=True)
        flows.append(flow)
    return Case("", flows)


def case_setup_partly_missing(rng, count=40):
    """The capture began between the packets of the set-up."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2))).set_up()
        missing = number % 3 + 1
        del flow.items[:missing]
        association.data(0).sack(1).exchange(2).shut_down()
        association.expect.setup = "partial"
        association.expect.initiator = "unchecked"
        flows.append(flow)
    return Case("", flows)


def case_long_silence(rng, count=4):
    """An association that pauses for an hour while others come and go is still the same."""
    flows = []
    for number in range(count):
        flow = Flow(f"association{number}")
        association = Association(flow, rng, (host(2 * number + 1), host(2 * number + 2))).set_up().exchange()
        association.exchange(1, gap_ns=3600 * SECOND_NS)
        flows.append(flow)
    return Case("", flows)
