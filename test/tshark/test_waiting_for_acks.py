# SPDX-License-Identifier: GPL-2.0-or-later
"""Who waits for a delayed SACK sends as soon as it arrives: what the first screen says of that, and of an application whose timer sends soon after."""

import pytest
from test_dead_paths import measured
from timed_scenario import TimedScenario, page_of


def messages(sender, reach, after, period=None, messages=12):
    """The SACK passes the tap 0.2 s and the way there after each message; the next message so long after it, or each period. reach: RTT from the tap to the sender."""
    near_ns, far_ns = round(reach * 10**9), 10_000_000
    if sender:
        near_ns, far_ns = far_ns, near_ns
    scenario, now = TimedScenario(near_ns=near_ns, far_ns=far_ns), 0.5
    for number in range(messages):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.21, 1 - sender, number)
        now = now + period if period else now + 0.21 + after
    return scenario


@pytest.mark.parametrize("sender, reach, period", [(0, 0.02, 0.2399), (1, 0.012, 0.2325), (0, 0.0001, 0.216)])
def test_messages_of_a_timer_that_pass_later_than_an_answer_waited_for_no_ack(tshark, tmp_path, sender, reach, period):
    page = page_of(tshark, tmp_path, messages(sender, reach, 0, period))
    assert "most likely waited" not in page and "Nagle" not in page and "pauses" in page.split("Not found:")[1]


@pytest.mark.parametrize("sender, reach", [(0, 0.02), (1, 0.012), (0, 0.0001)])
def test_messages_that_leave_as_the_ack_arrives_waited_for_it(tshark, tmp_path, sender, reach):
    page = page_of(tshark, tmp_path, messages(sender, reach, reach + 0.0001))
    assert f"for which endpoint {sender} most likely waited with 1 chunk outstanding, as Nagle's algorithm does" in page


def recovered(sender, delay, next_at_once, chunks=2):
    """Lost chunks are retransmitted one by one, the first by the timer, the next as the SACK comes; the last but one has its SACK delayed. Then the last of
    three, lost as well, follows at once, or new data after 0.8 s."""
    scenario, now = measured(sender, paths=1), 3.0
    for number in range(4, 4 + chunks + next_at_once):
        scenario.data_at(now + number / 10**5, sender, number)
    now += 1
    for number in range(4, 4 + chunks):
        scenario.data_at(now, sender, number)
        now += delay if number == 3 + chunks else 0.02
        scenario.sack_at(now, 1 - sender, number)
        now += 0.0001
    now += 0 if next_at_once else 0.8
    scenario.data_at(now, sender, 4 + chunks)
    scenario.sack_at(now + 0.02, 1 - sender, 4 + chunks)
    return scenario


@pytest.mark.parametrize("delay, chunks", [(0.23, 2), (0.16, 3)])
def test_a_delayed_sack_of_a_retransmission_costs_nothing_where_nothing_follows(tshark, tmp_path, delay, chunks):
    assert "delayed SACK" not in page_of(tshark, tmp_path, recovered(0, delay, False, chunks))


@pytest.mark.parametrize("delay, chunks", [(0.23, 2), (0.16, 3)])
def test_a_delayed_sack_holds_up_what_the_sender_still_has_to_retransmit(tshark, tmp_path, delay, chunks):
    assert f"{1000 * delay:.0f}.1 ms delayed SACK" in page_of(tshark, tmp_path, recovered(0, delay, True, chunks))


@pytest.mark.parametrize("delay", [0.25, 0.2])
def test_a_delayed_sack_of_one_path_leaves_the_timer_of_another_alone(tshark, tmp_path, delay):
    """RFC 9260 6.3.2 R3: the timer of the dead path runs from what went there, whenever the other path acknowledges something."""
    scenario, now, number = measured(0), 3.0, 4
    scenario.data_at(now, 0, 4, 5)
    for rto in (1, 2, 4):
        now += rto
        scenario.data_at(now, 0, number, path=1)
        scenario.sack_at(now + 0.02, 1, number, path=1)
        scenario.data_at(now + 0.0201, 0, number + 1, path=1)
        scenario.data_at(now + 0.0202, 0, number + 2)
        scenario.data_at(now + 0.0203, 0, number + 3)
        scenario.sack_at(now + 0.02 + delay, 1, number + 1, path=1)
        now, number = now + 0.0202, number + 2
    scenario.wait(10**9).heartbeat(1)
    page = page_of(tshark, tmp_path, scenario)
    assert "path dead" in page and "delayed SACK" not in page
