# SPDX-License-Identifier: GPL-2.0-or-later
"""Explicit congestion notification, and chunks of drafts."""

import struct

from generate import chunks
from scenario_builder import MS, ScenarioBuilder
from register import fires, silent

CAPABLE = chunks.tlv(chunks.ECN)
CE = 3
NEAR_1 = {"near_ns": 20 * MS, "far_ns": MS // 10}


def listed(*kinds):
    return chunks.tlv(chunks.EXTENSIONS, bytes(kinds), last=True)


def marked(n_sacks, echoed):
    """The tap is near end 1, which receives data marked CE."""
    scenario = ScenarioBuilder(**NEAR_1).set_up((CAPABLE, CAPABLE)).exchange(2)
    scenario.data(0, tos=CE)
    first = scenario.ends[0].tsn - 1
    for _ in range(n_sacks):
        parts = (chunks.ecne(first),) if echoed else ()
        scenario.send(1, *parts, chunks.sack(scenario.ends[0].tsn - 1)).data(0, gap_ns=60 * MS)
    return scenario


@fires("EC-002", accused=1)
def mark_not_echoed():
    return marked(4, False)


@silent("EC-002", accused=1)
@silent("EC-010", accused=1)
def mark_echoed():
    return marked(4, True)


@fires("EC-010")
def ecne_of_length_16():
    return ScenarioBuilder().set_up().send(0, chunks.chunk(chunks.ECNE, 0, bytes(12)))


@fires("DX-001")
def pktdrop_not_listed():
    return ScenarioBuilder().set_up().send(0, chunks.pktdrop(bytes(20)))


@silent("DX-001")
def pktdrop_listed():
    return ScenarioBuilder().set_up((b"", listed(chunks.PKTDROP))).send(0, chunks.pktdrop(bytes(20)))


@fires("DX-003")
def dtls_chunk_without_parameter():
    return ScenarioBuilder().set_up().send(0, chunks.chunk(chunks.DTLS, 0, bytes(20)))


@silent("DX-003")
def dtls_chunk_with_parameter():
    keys = chunks.tlv(0x8006, struct.pack("!IBB", 1, 0, 1))
    return ScenarioBuilder().set_up((keys, keys)).send(0, chunks.chunk(chunks.DTLS, 0, bytes(20)))
