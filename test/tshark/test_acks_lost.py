# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of data that arrived and whose acks did not: where they were lost, and that the timer was not too early."""

import pytest
from timed_scenario import TimedScenario, page_of

LOST = "no ack passed the capture point: lost before it, or not sent in time"
RESENT = "for them no ack had passed the capture point: lost before it, or not sent in time"
BEHIND = "too early, or their acks lost between capture point and sender"


def acks_lost(sender, timers, duplicates, rounds=2, near_ns=100_000):
    """Round trips of 20 ms; then, each time, a packet is sent again after each of the timers, and the SACK after the last reports so many copies."""
    scenario, now, number = TimedScenario(near_ns=near_ns), 0, 0
    for _ in range(4):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.02, 1 - sender, number)
        now, number = now + 0.1, number + 1
    for _ in range(rounds):
        scenario.data_at(now, sender, number)
        scenario.data_at(now + 0.3, sender, number + 1)
        for timer in timers:
            now += timer
            scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.02, 1 - sender, number + 1, duplicates=[number] * duplicates)
        now, number = now + 0.5, number + 2
    return scenario


@pytest.mark.parametrize("sender, timers, duplicates", [(1, (1, 2), 1), (0, (1.5, 3, 6), 1), (0, (1, 2), 2), (1, (2,), 1)])
def test_acks_that_no_packet_shows_were_lost_before_the_capture_point(tshark, tmp_path, sender, timers, duplicates):
    page = page_of(tshark, tmp_path, acks_lost(sender, timers, duplicates))
    some = "" if duplicates == len(timers) else ", or a retransmission of it,"
    assert f"{some} had arrived, and {LOST}" in page
    assert "acks lost or late" in page and "repeated loss" not in page and "tail loss" not in page
    assert BEHIND not in page
    if duplicates * 2 >= len(timers):
        assert RESENT in page


def test_copies_of_which_some_were_lost_before_one_whose_ack_was_lost_are_a_repeated_loss(tshark, tmp_path):
    """One duplicate, four copies, nothing else outstanding: the first ones may have been lost."""
    scenario = TimedScenario()
    for number in range(4):
        scenario.data_at(number / 10, 0, number)
        scenario.sack_at(number / 10 + 0.02, 1, number)
    for at in (1, 3, 5, 7):
        scenario.data_at(at, 0, 4)
    scenario.sack_at(7.02, 1, 4, duplicates=[4])
    scenario.wait(10**9).heartbeat(1)
    page = page_of(tshark, tmp_path, scenario)
    assert "repeated loss" in page and "acks lost or late" not in page


def test_data_of_which_one_copy_arrived_was_lost(tshark, tmp_path):
    page = page_of(tshark, tmp_path, acks_lost(0, (1, 2), 0))
    assert "had arrived" not in page and "repeated loss" in page and "acks lost or late" not in page


def test_acks_that_passed_the_capture_point_were_lost_behind_it(tshark, tmp_path):
    """The tap is beside the receiver: its SACKs pass, and the sender, which lacks them, sends again."""
    scenario, now = TimedScenario(near_ns=20_000_000, far_ns=100_000), 0
    for number in range(8):
        scenario.data_at(now, 0, number)
        scenario.sack_at(now + 0.0001, 1, number)
        if number > 3:
            now += 1
            scenario.data_at(now, 0, number)
            scenario.sack_at(now + 0.0001, 1, number, duplicates=[number])
        now += 0.3
    page = page_of(tshark, tmp_path, scenario)
    assert BEHIND in page and LOST not in page and RESENT not in page
