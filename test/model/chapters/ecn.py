# SPDX-License-Identifier: GPL-2.0-or-later
"""Explicit congestion notification: marks and their echo, and the chunks that do it."""

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, MS, ScenarioBuilder, assertions
from register import fires, silent
from scripts import Setting, violates

CAPABLE = chunks.tlv(chunks.ECN)
CE = 3


ECN_CAPABLE = Setting(params=(CAPABLE, CAPABLE), where=lambda association: all(association.param(end, chunks.ECN) is not None for end in (0, 1)))


def marked(talk, times, echoed):
    """The near end receives data marked CE, so many times."""
    first = talk.ends[talk.far].tsn
    for _ in range(times):
        talk.data(talk.far, tos=CE)
        parts = (chunks.ecne(first),) if echoed else ()
        talk.send(talk.near, *parts, talk.saying(talk.near)).wait(60 * MS)
    return talk


@violates("EC-002", ECN_CAPABLE)
def mark_not_echoed(talk):
    marked(talk, 5, False)


@silent("EC-002")
@silent("EC-010")
def mark_echoed():
    return marked(ECN_CAPABLE.made(), 4, True)


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


def echoes(*answered):
    """As many ECNEs, each with four packets of new data behind it; CWR in the first of these where it is answered."""
    scenario = ScenarioBuilder().set_up([CAPABLE, CAPABLE]).exchange(2)
    for is_answered in answered:
        tsn = scenario.data(0).ends[0].tsn - 1
        scenario.send(1, chunks.ecne(tsn), chunks.sack(tsn))
        for number in range(4):
            parts = (chunks.cwr(tsn),) if is_answered and number == 0 else ()
            scenario.send(0, *parts, scenario.chunk(0), gap_ns=60 * MS).sack(1)
    return scenario


@fires("EC-004")
def three_echoes_in_a_row_not_answered():
    return echoes(False, False, False)


@silent("EC-004")
def two_echoes_not_answered_between_ones_that_are():
    return echoes(False, True, False, True)


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


@violates("EC-010")
def ecne_of_length_16(talk):
    talk.send(talk.near, chunks.chunk(chunks.ECNE, 0, bytes(12)))


LEFT_OUT = [
    ("EC-001", "left out", "Linux marks every packet: the note would stand at every association"),
    ("EC-003", "left out", "ECNE may be left out of a full packet, CWR may be under way"),
    ("EC-005", "left out", "the mark is set between tap and receiver wherever the tap is not at the receiver"),
    ("EC-006", "left out", "as EC-005"),
    ("EC-007", "left out", "Linux marks every packet: the note would stand at every association"),
    ("EC-008", "dropped", 'App A says "INIT and or INIT ACK"; offering it only in the INIT ACK is not forbidden'),
    ("EC-009", "left out", "the window is judged by CONGESTION; the cut alone is not visible in what an application limits"),
]
