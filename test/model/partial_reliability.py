# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations with partial reliability, and messages that they give up."""

import dataclasses

from generate import chunks
from generate.conversation import WHOLE
from scenario_builder import S, ScenarioBuilder
from scripts import SINGLE

SUPPORTS_PARTIAL = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
FORWARD_TSN_LISTED = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.FORWARD_TSN,)), last=True)


def partially_reliable(params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)):
    return ScenarioBuilder().set_up(params).exchange(2)


def forward(scenario, streams, ahead=0, **options):
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1 + ahead, streams), **options)


def is_offered(association):
    return all(association.param(end, chunks.FORWARD_TSN_SUPPORTED) is not None or chunks.FORWARD_TSN in association.extensions(end)
               for end in (0, 1))


PARTIAL = dataclasses.replace(SINGLE, params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)).also(is_offered).then(lambda talk: talk.rounds(talk.near, 3))


def lose_two(talk, flags=WHOLE):
    """Two messages of the near end's stream are missing, the third one, of another, is not; the chunk of the second."""
    near, far = talk.near, talk.far
    lost = talk.data(near, flags=flags).data(near, flags=flags).sent
    talk.data(near, sid=talk.ends[near].stream + 1).wait(S).sack(far, 3, gaps=((3, 3),)).wait(S)
    return lost


def give_up(talk, *steps, flags=WHOLE, before=()):
    """Two messages are missing, and FORWARD-TSN passes them. It lists `before`, and their stream once for each step from the SSN of the second."""
    end = talk.ends[talk.near]
    lose_two(talk, flags)
    streams = (*before, *((end.stream, end.ssn - 1 + step & 0xFFFF) for step in steps))
    return talk.send(talk.near, chunks.forward_tsn(talk.last_tsn(talk.near) - 1, streams))
