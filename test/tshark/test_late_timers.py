# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of retransmission timers that expire later than any RTO of their sender is: each right after a packet of the peer, or
alone; and of those that are only backed off."""

import pytest
from timed_scenario import TimedScenario, page_of


def losses(sender, waits, before=None, after_ms=0.4, near_ns=100_000, rounds=4, **options):
    """Each of the lone chunks is lost and retransmitted after so many seconds, right after a packet of the peer that before sends."""
    ways_ns = (near_ns, 20_000_000)[::-1 if sender else 1]
    scenario, now = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1], **options), 0.1
    for number in range(rounds):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now := now + 0.03, 1 - sender, number)
        now += 0.1
    for number, wait in enumerate(waits, rounds):
        scenario.data_at(now, sender, number)
        if before:
            before(scenario, now + wait, number)
        now += wait + after_ms / 1000
        scenario.data_at(now, sender, number)
        scenario.sack_at(now := now + 0.03, 1 - sender, number)
        now += 0.1
    scenario.wait(10**9).heartbeat(1 - sender)
    return scenario


def heartbeat(sender):
    return lambda scenario, at, _: scenario.heartbeat_at(at, 1 - sender)


def data(sender):
    return lambda scenario, at, number: scenario.data_at(at, 1 - sender, number - 4)


@pytest.mark.parametrize("sender, waits, before, frames", [(0, (11, 17, 25), heartbeat(0), "14, 18, 22"), (1, (19, 8), data(1), "14, 18")])
def test_timers_that_run_only_when_a_packet_comes_are_said_to(tshark, tmp_path, sender, waits, before, frames):
    page = page_of(tshark, tmp_path, losses(sender, waits, before))
    assert f"{sum(waits)}" in page.split("late timer")[0]
    assert f"all {len(waits)} such retransmissions left right after a packet of endpoint {1 - sender} (frames {frames})" in page
    assert f"most likely the timers of endpoint {sender} run only when it receives one" in page
    assert "tail loss" not in page


@pytest.mark.parametrize("sender, wait", [(0, 5.5), (1, 40)])
def test_a_timer_without_a_timeout_before_that_is_later_than_any_rto_is_late(tshark, tmp_path, sender, wait):
    page = page_of(tshark, tmp_path, losses(sender, (wait,)))
    assert "frame 13 or its ack was lost, and the timer retransmitted it late, in frame 14" in page
    assert "though by the parameters of the RFC its RTO was at most 3.000 s" in page
    assert "run only" not in page


def test_timers_of_which_only_some_follow_a_packet_do_not_run_on_receipt_only(tshark, tmp_path):
    def some(scenario, at, number):
        if number != 5:
            scenario.heartbeat_at(at, 1)
    page = page_of(tshark, tmp_path, losses(0, (11, 17, 25), some))
    assert "late timer" in page and "run only" not in page


@pytest.mark.parametrize("waits", [(1, 2, 4, 8, 16), (3, 6, 12, 24, 48), (1,), (3,)])
def test_a_timer_that_is_backed_off_and_never_computed_anew_is_not_late(tshark, tmp_path, waits):
    page = page_of(tshark, tmp_path, losses(0, waits))
    assert "tail loss" in page and "late" not in page.split("Contents:")[0]


def test_a_timer_is_not_late_where_retransmissions_may_be_lost_before_the_capture(tshark, tmp_path):
    far = losses(0, (9,), near_ns=15_000_000, rounds=40)
    assert "late timer" in page_of(tshark, tmp_path, far)
    unnumbered = losses(0, (9,), near_ns=15_000_000, rounds=40, identification=0)
    assert "late timer" not in page_of(tshark, tmp_path, unnumbered)


def test_the_asserted_rto_min_counts(tshark, tmp_path):
    losses(0, (9,)).write_capture(tmp_path / "capture.pcapng")
    result = tshark("-q", "-r", tmp_path / "capture.pcapng", "-o", "sctp_analysis.endpoint_parameters:* RTO.Min=9000", "-z", "sctp,triage")
    assert "late timer" not in result.stdout and "tail loss" in result.stdout
