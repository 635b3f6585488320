# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations with partial reliability, and messages that they give up."""

from generate import chunks
from scenario_builder import S, ScenarioBuilder

SUPPORTS_PARTIAL = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
FORWARD_TSN_LISTED = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.FORWARD_TSN,)), last=True)


def partially_reliable(params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL)):
    return ScenarioBuilder().set_up(params).exchange(2)


def forward(scenario, streams, ahead=0, **options):
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1 + ahead, streams), **options)


def give_up(scenario, streams, flags=3):
    """Two messages of stream 0 that are reported missing, and the FORWARD-TSN over them."""
    end = scenario.ends[0]
    for _ in range(2):
        scenario.send(0, chunks.data(end.tsn, b"user", ssn=end.ssn, flags=flags))
        end.tsn += 1
        end.ssn += 1
    scenario.send(0, chunks.data(end.tsn, b"user", sid=1))
    scenario.send(1, chunks.sack(end.tsn - 3, gaps=((3, 3),)), gap_ns=S)
    forward(scenario, streams, gap_ns=S)
    end.tsn += 1
    return scenario
