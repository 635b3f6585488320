# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of packets that are lost for their size, and of large ones that are lost for another reason; and of losses of which
SACKs show that no ack was lost."""

import json

import pytest
from timed_scenario import TimedScenario, page_of


def begun(sender, sizes=(100,)):
    ways_ns = (100_000, 20_000_000)[::-1 if sender else 1]
    scenario, now = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1
    for number in range(4):
        scenario.data_at(now, sender, number, size=sizes[number % len(sizes)])
        scenario.sack_at(now + 0.03, 1 - sender, number)
        now += 0.1
    return scenario, now


def stuck(sender, size, times, small=3, sizes=(100,)):
    """A chunk is sent again and again; small ones behind it arrive each time."""
    scenario, now = begun(sender, sizes)
    number, rto = 5, 1
    for _ in range(times):
        scenario.data_at(now, sender, 4, size=size)
        for _ in range(small):
            scenario.data_at(now := now + 0.1, sender, number)
            scenario.sack_at(now := now + 0.03, 1 - sender, 3, gaps=((2, number - 3),))
            number += 1
        now, rto = now + rto, 2 * rto
    return scenario


def hung(sender, size, turns, interval, answer=0.03, arrives=False):
    """A chunk is lost again and again; before each retransmission two small ones behind it arrive, at equal intervals. Returns also how long
    the SACKs reported the chunk missing."""
    scenario, now = begun(sender)
    scenario.data_at(now, sender, 4, size=size)
    since = now + interval + answer
    for turn in range(turns):
        for number in (5 + 2 * turn, 6 + 2 * turn):
            now += interval * 2 ** turn
            scenario.data_at(now, sender, number)
            scenario.sack_at(now + answer, 1 - sender, *((number,) if arrives and turn > 0 else (3,)), gaps=() if arrives and turn > 0 else ((2, number - 3),))
        if not arrives or turn == 0:
            scenario.data_at(now := now + interval * 2 ** turn, sender, 4, size=size)
        if arrives and turn == 0:
            scenario.sack_at(now + answer, 1 - sender, 6)
    return scenario, now - since


def split(sender, bursts, size):
    """Packets of three chunks are lost, and each chunk arrives when it is sent alone."""
    scenario, now = begun(sender)
    number = 4
    for _ in range(bursts):
        scenario.data_at(now, sender, number, number + 1, number + 2, size=size)
        for small in range(4):
            scenario.data_at(now := now + 0.05, sender, number + 3 + small)
            scenario.sack_at(now + 0.03, 1 - sender, number - 1, gaps=((4, 4 + small),))
        for again in range(3):
            scenario.data_at(now := now + (1 if again == 0 else 0.031), sender, number + again, size=size)
            scenario.sack_at(now + 0.03, 1 - sender, number + again if again < 2 else number + 6)
        number, now = number + 7, now + 0.5
    return scenario


@pytest.mark.parametrize("scenario, told", [
    (stuck(0, 1400, 5), "every packet of 1,448 bytes or more to 10.10.0.2 was lost (4 transmissions), and each smaller one arrived, up to 148 bytes"),
    (split(1, 4, 480), "every packet of 1,520 bytes or more to 10.0.0.1 was lost (4 transmissions), and each smaller one arrived, up to 528 bytes")],
    ids=["one that never arrives", "chunks that arrive alone"])
def test_packets_that_are_lost_for_their_size_are_a_path_trouble(tshark, tmp_path, scenario, told):
    page = page_of(tshark, tmp_path, scenario)
    assert told + ": most likely the path MTU is smaller" in page
    assert "path troubles" not in page.split("Not found: ")[1]
    found = json.loads(tshark.json_report(tmp_path / "capture.pcapng"))["associations"][0]["lost_by_size"]
    assert [f"every packet of {one['lost_least_bytes']:,} bytes" in told and f"up to {one['arrived_most_bytes']:,} bytes" in told for one in found] == [True]
    assert found[0]["lost"] == 4 and found[0]["path"] == 0 and found[0]["first_frame"] < found[0]["last_frame"]


@pytest.mark.parametrize("scenario", [stuck(0, 1400, 5, sizes=(100, 1400)), stuck(0, 1400, 5, small=0), stuck(1, 1400, 2), stuck(1, 100, 5)],
                         ids=["as large a packet arrives", "nothing else is sent", "lost twice", "small"])
def test_large_packets_that_are_lost_for_another_reason_are_none(tshark, tmp_path, scenario):
    page = page_of(tshark, tmp_path, scenario)
    assert "path MTU" not in page and "Path troubles:" not in page


def test_what_sacks_leave_out_was_lost_and_not_its_ack(tshark, tmp_path):
    page = page_of(tshark, tmp_path, stuck(0, 1400, 5))
    assert "and other transmissions of it were lost: " in page and "acks, were lost" not in page


@pytest.mark.parametrize("sender, size, turns, interval", [(0, 1400, 4, 0.6), (1, 900, 5, 0.35)])
def test_what_sacks_report_missing_pauses_all_the_time_though_small_packets_pass(tshark, tmp_path, sender, size, turns, interval):
    scenario, hung_s = hung(sender, size, turns, interval)
    page_of(tshark, tmp_path, scenario)
    directions = json.loads(tshark.json_report(tmp_path / "capture.pcapng"))["associations"][0]["directions"]
    assert max(one["pauses"]["total_s"] for one in directions if one["pauses"]) == pytest.approx(hung_s, abs=0.001)


def test_small_packets_that_pass_after_the_retransmission_arrived_are_no_pauses(tshark, tmp_path):
    scenario, _ = hung(0, 1400, 4, 0.6, arrives=True)
    assert "repeated loss" not in page_of(tshark, tmp_path, scenario)


def test_without_a_sack_the_ack_may_have_been_lost(tshark, tmp_path):
    scenario, now = begun(0)
    scenario.data_at(now, 0, 4)
    scenario.data_at(now + 1, 0, 4)
    scenario.sack_at(now + 1.03, 1, 4)
    assert "or its ack was lost" in page_of(tshark, tmp_path, scenario)
