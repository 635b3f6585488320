# SPDX-License-Identifier: GPL-2.0-or-later
"""New data that moves to another path is a path trouble after an error alone."""

import pytest
from timed_scenario import TimedScenario, page_of


def moved(sender, timeouts=0, at=8, messages=24, step=0.3, again_s=None):
    """Data goes over the first path, and over the second from message number at on; the last one before is retransmitted there
    after a timeout each, or, though acknowledged, after again_s."""
    scenario, now = TimedScenario(2), 0.5
    for path in (0, 1):
        scenario.heartbeat_at(0.1 + path / 10, sender, path=path, after=0.02)
    for number in range(messages):
        path = 1 if number >= at else 0
        scenario.data_at(now, sender, number, path=path)
        for timeout in range(timeouts if number == at - 1 else 0):
            now += 1 << timeout
            scenario.data_at(now, sender, number, path=1 if timeout == timeouts - 1 else 0)
        scenario.sack_at(now + 0.02, 1 - sender, number, path=path)
        if again_s and number == at - 1:
            scenario.data_at(now + again_s, sender, number, path=1)
            scenario.sack_at(now + again_s + 0.02, 1 - sender, number, path=1, duplicates=(number,))
        now += step
    return scenario


@pytest.mark.parametrize("sender, at, step", [(0, 8, 0.3), (1, 12, 0.25)])
def test_data_that_moves_without_an_error_is_no_path_trouble(tshark, tmp_path, sender, at, step):
    page = page_of(tshark, tmp_path, moved(sender, at=at, step=step))
    changes = page.split("Path changes: in 1 of 1 association")[1]
    address = f"10.{10 * (1 - sender)}.0.{2 - sender}"
    assert f"new data moved from {address} to" in changes and "no timeout of the path before" in changes
    assert "Path troubles" not in page and "path troubles" in page.split("Not found:")[1]


def test_data_that_moves_after_a_timeout_is_a_path_trouble(tshark, tmp_path):
    page = page_of(tshark, tmp_path, moved(0, timeouts=1))
    assert "Path troubles: in 1 of 1 association" in page and "Path changes" not in page
    assert "after 1 timeout" in page


@pytest.mark.parametrize("sender, again_s", [(0, 0.15), (1, 0.28)])
def test_data_that_moves_after_a_retransmission_on_the_other_path_is_not_chosen(tshark, tmp_path, sender, again_s):
    """Its ack was lost behind the capture point; the retransmission comes too soon to be a timeout for certain."""
    page = page_of(tshark, tmp_path, moved(sender, again_s=again_s))
    assert "new data moved from" in page.split("Path troubles:")[1] and "most likely its application" not in page


def seen_far_off(sender, silence_s, messages=8):
    """Data over the first path, and the last message over the second, after a silence; the tap lies far from both, and nothing counts their packets."""
    scenario, now = TimedScenario(2, near_ns=30_000_000, far_ns=40_000_000), 0.5
    for number in range(messages):
        path = int(number == messages - 1)
        now += silence_s if path else 0.3
        scenario.data_at(now, sender, number, path=path)
        scenario.sack_at(now + 0.04, 1 - sender, number, path=path)
    for item in scenario.flow.items:
        item.identification = 0
    return scenario


@pytest.mark.parametrize("sender, silence_s", [(0, 0.3), (1, 3.5)])
def test_data_that_may_have_been_lost_before_the_capture_is_not_called_new(tshark, tmp_path, sender, silence_s):
    """A timer sends again, on another path, what was lost before it (RFC 9260 6.4.1)."""
    page = page_of(tshark, tmp_path, seen_far_off(sender, silence_s))
    assert "new data" not in page and "most likely its application" not in page
    assert ": new, or retransmitted for what was lost or late before the capture point" in page.split("Path troubles:")[1]


@pytest.mark.parametrize("sender, silence_s", [(0, 0.042), (1, 0.045)])
def test_data_that_moves_sooner_than_a_timer_expires_is_most_likely_new(tshark, tmp_path, sender, silence_s):
    page = page_of(tshark, tmp_path, seen_far_off(sender, silence_s))
    assert "new data most likely moved from" in page and "or retransmitted for what was lost or late before the capture point" not in page
    assert "no timeout of the path shows before" in page


@pytest.mark.parametrize("step, timeouts, is_new", [(1.5, 0, False), (0.021, 0, True), (1.5, 1, True)])
@pytest.mark.parametrize("more", [1, 4])
def test_data_beside_its_sender_that_moves_after_a_silence_may_be_what_was_sent_again(tshark, tmp_path, step, timeouts, is_new, more):
    """What the host itself lost left no trace: nothing counts its packets."""
    scenario = moved(0, at=8, messages=8 + more, step=step, timeouts=timeouts)
    for item in scenario.flow.items:
        item.identification = 0
    page = page_of(tshark, tmp_path, scenario)
    assert ("new data most likely moved from" in page) == is_new and ("or retransmitted for what was lost or late before the capture point" in page) != is_new
