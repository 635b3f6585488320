# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the clock of a capture is set back or forward, the first screen tells of no wait across the step."""

import pytest
from timed_scenario import TimedScenario, chunks, page_of
from report_text import split_reports


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


FORWARD = r"Nothing passed for {} s before frame {}, while data was outstanding, and no timer retransmitted it: most likely the clock stepped " \
          r"forward by about that, or the host of the capture was suspended"


def steady(sender, step_s, before, gap_s=0.1, pairs=20, ack_s=0.0001, way_ns=20_000_000):
    """Packets in steady intervals, of which the first and then every second one is acknowledged; the clock is set by step_s before packet `before`, whose number counts from
    0, or before its SACK where that is a fraction."""
    scenario = TimedScenario(**dict(zip(("near_ns", "far_ns"), (100_000, way_ns)[::-1 if sender else 1])))
    frame = None
    for number in range(2 * pairs + 1):
        now_s = 0.1 + gap_s * number + (step_s if number >= before else 0)
        sent = scenario.data_at(now_s, sender, number)
        frame = sent if number == before else frame
        if number % 2 == 0:
            acked_s = now_s + ack_s + (step_s if before == number + 0.5 else 0)
            acked = scenario.sack_at(acked_s, 1 - sender, number)
            frame = acked if before == number + 0.5 else frame
        if before == number + 0.5:
            before = -1
    return scenario, frame


@pytest.mark.parametrize("sender, step_s, before, gap_s, ack_s", [(0, 35, 22, 0.1, 0.0001), (1, 8, 12, 0.25, 0.03), (0, 61, 10.5, 0.1, 0.03), (1, 4, 14.5, 0.2, 0.05)])
def test_a_clock_that_is_set_forward_is_named_and_no_wait_for_an_ack_is_told_across(tshark, tmp_path, sender, step_s, before, gap_s, ack_s):
    scenario, frame = steady(sender, step_s, before, gap_s, ack_s=ack_s)
    page = page_of(tshark, tmp_path, scenario)
    silent_s = step_s + (ack_s if before % 1 else gap_s)
    assert "Capture: read with care" in page and FORWARD.format(f"{silent_s:#.4g}", frame) in page
    slowest_s = gap_s + ack_s
    assert f"the slowest after {slowest_s * 1000:.1f} ms" in page and "Not found: failures, violations, pauses" in page


def test_a_clock_that_is_set_forward_twice_is_told_once(tshark, tmp_path):
    scenario, frames = TimedScenario(), []
    for number in range(41):
        now_s = 0.1 + 0.1 * number + (9 if number > 9 else 0) + (12 if number > 21 else 0)
        frames.append(scenario.data_at(now_s, 0, number))
        if number % 2 == 0:
            scenario.sack_at(now_s + 0.03, 1, number)
    page = page_of(tshark, tmp_path, scenario)
    assert f"Nothing passed for 9.100 s before frame {frames[10]}, and so 1 more time, while" in page
    result = tshark("-q", "-r", tmp_path / "capture.pcapng", "-z", "sctp,json")
    assert split_reports(result.stdout)["json"]["capture"]["quality"] == [{"kind": "clock_ahead", "count": 2, "first_frame": frames[10]}]


def lone(sender, idle_s, ack_s, after):
    """A message before the silence; after: what ends it."""
    scenario, _ = steady(sender, 0, -1, pairs=10)
    now_s = 2.5
    scenario.data_at(now_s, sender, 21)
    if ack_s is not None:
        scenario.sack_at(now_s + ack_s, 1 - sender, 21)
    now_s += idle_s
    after(scenario, sender, now_s)
    return scenario


def goes_on(scenario, sender, now_s):
    for number in range(22, 32):
        scenario.data_at(now_s + 0.1 * number, sender, number)
        if number % 2:
            scenario.sack_at(now_s + 0.1 * number + 0.0001, 1 - sender, number)


def goes_on_with_a_lone_one(scenario, sender, now_s):
    scenario.data_at(now_s, sender, 22)
    scenario.sack_at(now_s + 0.2, 1 - sender, 22)


def retransmits(scenario, sender, now_s):
    scenario.data_at(now_s, sender, 21)
    scenario.sack_at(now_s + 0.0002, 1 - sender, 21, duplicates=[21])


def gives_up(scenario, sender, now_s):
    scenario.at(now_s, sender, chunks.forward_tsn(scenario.tsn(sender, 21)))
    scenario.sack_at(now_s + 0.0002, 1 - sender, 21)


def acks_with_more_room(scenario, sender, now_s):
    scenario.sack_at(now_s, 1 - sender, 21, a_rwnd=200_000)


@pytest.mark.parametrize("sender", [0, 1])
@pytest.mark.parametrize("ack_s, after", [(0.2, goes_on), (None, goes_on_with_a_lone_one), (None, retransmits), (None, gives_up), (None, acks_with_more_room)])
def test_silences_that_have_another_reason_are_no_steps(tshark, tmp_path, sender, ack_s, after):
    """Nothing outstanding; an ack that the capture lacks; a timer that is late, or an outage, with a retransmission or without; a window update behind such an ack."""
    assert "stepped forward" not in page_of(tshark, tmp_path, lone(sender, 20, ack_s, after))


def test_a_clock_of_whole_seconds_shows_none(tshark, tmp_path):
    scenario = TimedScenario(near_ns=10_000, far_ns=10_000)
    for number in range(30):
        scenario.data_at(3 * number + 1, 0, number)
        scenario.sack_at(3 * number + 2 + number % 4 // 3, 1, number)
    assert "stepped forward" not in page_of(tshark, tmp_path, scenario)


def test_the_time_that_a_timer_runs_is_no_step(tshark, tmp_path):
    scenario, _ = steady(0, 0.85, 12)
    assert "stepped forward" not in page_of(tshark, tmp_path, scenario)
