# SPDX-License-Identifier: GPL-2.0-or-later
"""Explicit congestion notification: marks and their echo, and the chunks that do it."""

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, MS, ScenarioBuilder, assertions
from register import fires, silent
from mutations import breaks
from continuation import Continuation

CAPABLE = chunks.tlv(chunks.ECN)
CE = 3
NEAR_1 = {"near_ns": 20 * MS, "far_ns": MS // 10}


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


def echoed(answered_after, packets=4, gap_ns=60 * MS, addresses=("10.0.0.1", "10.0.0.2"), params=(b"", b"")):
    """End 0, near the tap, gets an ECNE; CWR is in its packet with data of that number, None: in none."""
    scenario = ScenarioBuilder(addresses=addresses).set_up([CAPABLE + more for more in params]).exchange(2).data(0)
    first = scenario.ends[0].tsn - 1
    scenario.send(1, chunks.ecne(first), chunks.sack(first))
    for number in range(packets):
        end = scenario.ends[0]
        parts = (chunks.cwr(first),) if number == answered_after else ()
        scenario.send(0, *parts, chunks.data(end.tsn, bytes(20), ssn=end.ssn), gap_ns=gap_ns)
        end.tsn, end.ssn = end.tsn + 1, end.ssn + 1
        scenario.sack(1)
    return scenario


@fires("EC-004", asserted=COMPLETE_AT_END_0)
@silent("EC-004", judged=False)
def echo_not_answered():
    return echoed(None)


BOTH_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.0/23"])


@fires("EC-004", asserted=BOTH_AT_END_0)
@silent("EC-004", asserted=COMPLETE_AT_END_0, judged=False)
def echo_not_answered_by_two_addresses():
    return echoed(None, addresses=(("10.0.0.1", "10.0.1.1"), "10.0.0.2"), params=(chunks.address("10.0.1.1"), b""))


@silent("EC-004", asserted=COMPLETE_AT_END_0)
def echo_answered_with_the_first_data():
    return echoed(0)


@silent("EC-004", asserted=COMPLETE_AT_END_0)
def echo_answered_with_the_third_data():
    return echoed(2)


@silent("EC-004", asserted=COMPLETE_AT_END_0, judged=False)
def data_that_was_queued_when_the_echo_came():
    return echoed(None, packets=3, gap_ns=MS)


@fires("EC-010")
def ecne_of_length_16():
    return ScenarioBuilder().set_up().send(0, chunks.chunk(chunks.ECNE, 0, bytes(12)))


ECN = 0x8000


@breaks("EC-002")
def mark_not_echoed_in_capture(editor):
    continuation = Continuation(editor, where=lambda association: all(association.param(end, ECN) is not None for end in (0, 1)))
    for _ in range(5):
        continuation.send(continuation.far, continuation.chunk(continuation.far), tos=CE).sack(continuation.near).wait(60 * MS)
    return continuation.near


@breaks("EC-010")
def ecne_of_length_16_in_capture(editor):
    continuation = Continuation(editor)
    return continuation.send(continuation.near, chunks.chunk(chunks.ECNE, 0, bytes(12))).near


LEFT_OUT = [
    ("EC-001", "left out", "Linux marks every packet: the note would stand at every association"),
    ("EC-003", "left out", "ECNE may be left out of a full packet, CWR may be under way"),
    ("EC-005", "left out", "the mark is set between tap and receiver wherever the tap is not at the receiver"),
    ("EC-006", "left out", "as EC-005"),
    ("EC-007", "left out", "Linux marks every packet: the note would stand at every association"),
    ("EC-008", "dropped", 'App A says "INIT and or INIT ACK"; offering it only in the INIT ACK is not forbidden'),
    ("EC-009", "left out", "the window is judged by CONGESTION; the cut alone is not visible in what an application limits"),
]
