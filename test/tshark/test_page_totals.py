# SPDX-License-Identifier: GPL-2.0-or-later
"""Totals of the first screen: of which time pauses are a share, and which acknowledgement was the slowest, also where the capture lacks packets."""

import pytest
from timed_scenario import TimedScenario, page_of


@pytest.mark.parametrize("sender, messages, waits, told", [(0, 5, (1, 2, 4), "lost 7.000 s of 9.500 s"), (1, 3, (1, 2), "lost 3.000 s of 4.500 s")])
def test_the_time_that_pauses_are_of_goes_to_their_end(tshark, tmp_path, sender, messages, waits, told):
    """The last chunk is never acknowledged: the pause lasts until the capture ends, behind the last ack."""
    scenario, now = TimedScenario(), 0.5
    for number in range(messages):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.02, 1 - sender, number)
        now += 0.5
    scenario.data_at(now, sender, messages)
    for wait in waits:
        scenario.data_at(now := now + wait, sender, messages)
    assert told in page_of(tshark, tmp_path, scenario)


def lacking(sender, missing, acked_s=16):
    """So many chunks after the second, and their SACKs, passed while the capture held nothing."""
    scenario = TimedScenario()
    for number in (0, 1):
        scenario.data_at(0.1 + number, sender, number)
        if number == 0:
            scenario.sack_at(0.13, 1 - sender, 0)
    scenario.sack_at(acked_s, 1 - sender, 1 + missing)
    scenario.data_at(acked_s + 1, sender, 2 + missing)
    scenario.sack_at(acked_s + 1.02, 1 - sender, 2 + missing)
    return scenario


@pytest.mark.parametrize("sender, missing", [(0, 1), (1, 300)])
def test_an_ack_that_covers_what_never_passed_measures_nothing(tshark, tmp_path, sender, missing):
    assert "the slowest after 30.00 ms (frame 5)" in page_of(tshark, tmp_path, lacking(sender, missing))


def test_a_late_ack_of_all_that_passed_is_the_slowest(tshark, tmp_path):
    assert "the slowest after 950.0 ms (frame 7)" in page_of(tshark, tmp_path, lacking(0, 0, 2.05))


def test_one_that_is_later_than_any_timer_is_not(tshark, tmp_path):
    page = page_of(tshark, tmp_path, lacking(0, 0))
    assert "the slowest after 30.00 ms (frame 5)" in page and "Nothing passed for 14.90 s before frame 8" in page
