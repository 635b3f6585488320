# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says, beside the receiver, of data that was lost before the capture: IPv4 identifications show that what passes late is a
retransmission, and the wait for it is a pause."""

import pytest
from timed_scenario import TimedScenario, page_of


def lost_before(sender, wait, gap=False, behind=3, is_late_original=False, **options):
    """A packet does not pass; those behind it do, and so does the lost one, so much later."""
    ways_ns = (20_000_000, 100_000)[::-1 if sender else 1]
    scenario, now = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1], **options), 0.1
    for number in range(20):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.0001, 1 - sender, number)
        now += 0.03
    missing = scenario.new_id(sender)
    for place in range(behind):
        scenario.data_at(now, sender, 21 + place)
        scenario.sack_at(now + 0.0001, 1 - sender, 19, gaps=((2, 2 + place),) if gap else ())
        now += 0.001
    late = {"identification": missing} if is_late_original else {}
    scenario.data_at(now := now + wait, sender, 20, **{**late, **options})
    scenario.sack_at(now + 0.0001, 1 - sender, 20 + behind)
    scenario.wait(10**9).heartbeat(1 - sender)
    return scenario


@pytest.mark.parametrize("sender, wait, gap, behind", [(0, 1, True, 2), (1, 0.4, True, 2), (1, 2.5, False, 1)])
def test_what_left_behind_higher_tsns_is_a_retransmission_and_ends_a_pause(tshark, tmp_path, sender, wait, gap, behind):
    page = page_of(tshark, tmp_path, lost_before(sender, wait, gap, behind))
    frame = 4 + 40 + 2 * behind + 1
    assert f"data was lost before the capture, and too few acks reported it missing: it was retransmitted in frame {frame}; " in page
    assert "1 lost before the capture and first seen as a retransmission" in page
    assert "tail loss" in page.split("Pauses:")[0]
    assert not {"pauses", "retransmissions"} & set(page.split("Not found: ")[1].split(" Contents:")[0].split(", "))


def test_where_the_receiver_reports_no_gaps_the_wait_is_for_that(tshark, tmp_path):
    page = page_of(tshark, tmp_path, lost_before(0, 1, gap=False, behind=9))
    assert "gaps not reported" in page and "tail loss" not in page
    assert "data was lost before the capture, and 9 SACKs for later packets say the same without a gap" in page


def test_what_three_acks_reported_missing_is_no_tail_loss(tshark, tmp_path):
    page = page_of(tshark, tmp_path, lost_before(0, 1, gap=True, behind=4))
    assert "not decidable" in page and "tail loss" not in page
    assert "data was lost before the capture, and retransmitted in frame 53" in page


def test_a_packet_that_was_delayed_on_its_way_is_no_retransmission(tshark, tmp_path):
    page = page_of(tshark, tmp_path, lost_before(0, 0.3, is_late_original=True))
    assert "lost before the capture" not in page and "tail loss" not in page


def test_without_identifications_nothing_is_said_of_it(tshark, tmp_path):
    assert "lost before the capture" not in page_of(tshark, tmp_path, lost_before(0, 1, identification=0))
