# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the clock of a capture is set back, the first screen tells of no wait across the step."""

import pytest
from timed_scenario import TimedScenario, page_of


def delayed(sender, step_s, follows_after):
    """Lone chunks whose SACKs are delayed; the one after the last SACK follows so much later, by a clock that was set by step_s then."""
    scenario = TimedScenario()
    for number in range(6):
        scenario.data_at(0.1 + 0.7 * number, sender, number)
        scenario.sack_at(0.13 + 0.7 * number + (0.19 if number == 5 else 0), 1 - sender, number)
    scenario.data_at(3.79 + follows_after + step_s, sender, 6)
    scenario.sack_at(3.82 + follows_after + step_s, 1 - sender, 6)
    return scenario


@pytest.mark.parametrize("sender, step_s, follows_after", [(0, -2.2, 0.4), (1, -1.5, 0.9)])
def test_what_follows_behind_a_clock_that_was_set_back_waited_for_nothing(tshark, tmp_path, sender, step_s, follows_after):
    page = page_of(tshark, tmp_path, delayed(sender, step_s, follows_after))
    assert "the clock stepped, times are not reliable there" in page
    assert "delayed SACK" not in page and "Not found: failures, violations, pauses" in page


def test_what_follows_at_once_waited(tshark, tmp_path):
    assert "delayed SACK" in page_of(tshark, tmp_path, delayed(0, 0, 0.031))
