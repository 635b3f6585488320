# SPDX-License-Identifier: GPL-2.0-or-later
"""Set-ups in which one value is another, that are repeated, and that follow each other between the same endpoints; in scenarios and in
captures."""

from generate import chunks
from scenario_builder import S, ScenarioBuilder
from packet_editor import NoPlace
from captured_associations import is_set_up_once, params_of


def said(sender, vtag=None, make=None, **values):
    """A set-up whose INIT (sender 0) or INIT ACK (1) has other values."""
    scenario = ScenarioBuilder()
    ends = scenario.ends
    tag = values.pop("tag", ends[sender].tag)
    if sender == 0:
        return scenario.send(0, chunks.init(tag, ends[0].tsn, **values), vtag=0 if vtag is None else vtag)
    return scenario.init().send(1, chunks.init_ack(tag, ends[1].tsn, **values))


TWO = (("10.0.0.1", "10.1.0.1"), ("10.0.0.2", "10.1.0.2"))


def repeated(scenario, times, part, **options):
    for number in range(times):
        scenario.send(0, part, gap_ns=(number + 1) * S, **options)
    return scenario


def next_of(scenario, tags):
    """The next association of the two ends, in the same scenario."""
    again = ScenarioBuilder([end.addresses for end in scenario.ends], *scenario.gaps_ns, tags=tags)
    again.flow = scenario.flow
    return again


def long_established():
    """Long enough for identifications to show that no packet is missing."""
    return ScenarioBuilder().set_up().exchange(20)


def with_new_tags(scenario):
    """What follows is of another association of the same endpoints."""
    for end in scenario.ends:
        end.tag, end.initial_tsn, end.ssn = scenario.rng.randrange(1 << 20, 1 << 32), scenario.rng.randrange(1 << 32), 0
        end.tsn = end.initial_tsn
    return scenario


def answered_twice(echoed=b"cookie 1", has_second_before=True, params=b"", make=ScenarioBuilder, **options):
    """The INIT is retransmitted; the responder, which keeps nothing, answers each with another tag and Initial TSN. Up to the COOKIE ECHO."""
    scenario = make(**options)
    end = scenario.ends[1]
    first, second = (end.tag, end.initial_tsn - 5000), (0x2222_0002, end.initial_tsn)
    acks = [chunks.init_ack(*values, cookie, params) for values, cookie in ((first, b"cookie 1"), (second, b"cookie 2"))]
    end.tag, end.initial_tsn = first if echoed == b"cookie 1" else second
    end.tsn = end.initial_tsn
    scenario.init(params=params).init(params=params, gap_ns=3 * S).send(1, acks[0])
    if has_second_before:
        return scenario.send(1, acks[1]).cookie_echo(cookie=echoed)
    return scenario.cookie_echo(cookie=echoed).send(1, acks[1])


COOKIE = 7


def edit_said(editor, end, at, value, where=is_set_up_once):
    """Another value in the INIT (end 0) or INIT ACK."""
    association = editor.association(where)
    place = (association.init, association.init_ack)[end]
    editor.edit(place.packet, place.at + at, value)
    return association, place


def announces(editor, param, end=None):
    """One more parameter in INIT (end 0) or INIT ACK, or in either; returns the end."""
    association = editor.association(is_set_up_once)
    end = editor.rng.randrange(2) if end is None else end
    editor.add_param((association.init, association.init_ack)[end], param)
    return end


def cookie_of(association):
    """(offset of the parameter in the packet of the INIT ACK, length)."""
    for kind, at, length in params_of(association.init_ack):
        if kind == COOKIE:
            return at, length
    raise NoPlace


def elsewhere(address):
    return address[:-1] + bytes([address[-1] ^ 0x40])


def as_in_set_up(continuation):
    """What follows goes between the addresses of the INIT."""
    association = continuation.association
    continuation.like = [association.init.packet, association.init_ack.packet]
    for end, key in enumerate(("source", "destination")):
        continuation.ends[end].addresses.insert(0, association.init.packet[key])


def restart_in_capture(continuation, tags, tsns=(7, 9)):
    """A set-up anew between the same endpoints, up to COOKIE ACK; tags of both."""
    as_in_set_up(continuation)
    continuation.send(0, chunks.init(tags[0], tsns[0]), vtag=0).send(1, chunks.init_ack(tags[1], tsns[1], cookie=b"cookie%d" % tags[0]), vtag=tags[0])
    continuation.send(0, chunks.cookie_echo(b"cookie%d" % tags[0]), vtag=tags[1])
    return continuation.send(1, chunks.cookie_ack(), vtag=tags[0])
