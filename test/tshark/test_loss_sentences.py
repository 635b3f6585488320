# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says was lost, and what it leaves open: a SACK that its receiver may have held back, data that it may have discarded after its
SHUTDOWN, packets that the network may have doubled, HEARTBEATs whose answer may come when the capture has ended."""

import pytest
from timed_scenario import TimedScenario, chunks, page_of

ROUND_S = 0.1


def retransmitted_after(wait, before=lambda scenario, now: None, **options):
    """Three chunks with their SACKs; the fourth is retransmitted after so many seconds."""
    scenario, now = TimedScenario(**options), ROUND_S
    for number in range(3):
        scenario.data_at(now, 0, number)
        scenario.sack_at(now + 0.02, 1, number)
        now += ROUND_S
    before(scenario, now)
    scenario.data_at(now + 0.01, 0, 3)
    scenario.data_at(now := now + 0.01 + wait, 0, 3)
    scenario.sack_at(now + 0.02, 1, 3)
    scenario.wait(10**9).heartbeat(1)
    return scenario


@pytest.mark.parametrize("wait, is_open", [(0.35, True), (0.45, True), (0.7, False), (1.0, False)])
def test_a_chunk_is_lost_for_sure_only_after_the_longest_delay_of_a_sack(tshark, tmp_path, wait, is_open):
    page = page_of(tshark, tmp_path, retransmitted_after(wait))
    assert "frame 11 or its ack was lost" in page
    assert (", or its SACK was held back" in page) == is_open


def shutdown(scenario, now):
    scenario.at(now, 1, chunks.shutdown(scenario.tsn(0, 2)))


@pytest.mark.parametrize("before, is_open", [(shutdown, True), (lambda scenario, now: scenario.heartbeat_at(now, 1), False)])
def test_after_its_shutdown_a_receiver_may_have_discarded_what_it_got(tshark, tmp_path, before, is_open):
    page = page_of(tshark, tmp_path, retransmitted_after(1.0, before))
    assert "frame 12 or its ack was lost" in page
    assert (", or it was discarded" in page) == is_open


def again(**options):
    """Of eight chunks three pass twice within a millisecond."""
    scenario, now = TimedScenario(**options), ROUND_S
    for number in range(8):
        scenario.data_at(now, 0, number)
        if number % 3 == 1:
            scenario.data_at(now + 0.001, 0, number)
        scenario.sack_at(now + 0.02, 1, number)
        now += ROUND_S
    return scenario


def test_what_may_have_been_doubled_is_no_retransmission_for_sure(tshark, tmp_path):
    page = page_of(tshark, tmp_path, again(identification=0))
    assert "at most 3 of 11 transmissions were retransmissions (27.3 %): 3 unknown (retransmitted, or doubled on the way)" in page
    assert "spurious" not in page


def test_what_has_another_identification_was_retransmitted(tshark, tmp_path):
    page = page_of(tshark, tmp_path, again())
    assert "3 of 11 transmissions were retransmissions (27.3 %): 3 unknown" in page
    assert "at most 3" not in page and "doubled on the way" not in page


@pytest.mark.parametrize("asked, unanswered", [(3, 2), (5, 4)])
def test_the_last_heartbeat_may_be_answered_later(tshark, tmp_path, asked, unanswered):
    scenario = TimedScenario()
    scenario.heartbeat_at(ROUND_S, 0, after=0.02)
    for number in range(1, asked + 1):
        scenario.heartbeat_at(number, 0)
    assert f"no answer captured to {unanswered} of {asked + 1} HEARTBEATs to 10.10.0.2" in page_of(tshark, tmp_path, scenario)


def test_what_a_damaged_packet_holds_did_not_happen(tshark, tmp_path):
    """A flipped bit makes a COOKIE ACK of a SACK, and an ABORT ended nothing: their receiver discards them."""
    scenario = TimedScenario()
    for number in range(3):
        scenario.data_at(number + ROUND_S, 0, number)
        scenario.sack_at(number + 2 * ROUND_S, 1, number)
    scenario.at(3, 1, chunks.cookie_ack(), checksum=b"\x12\x34\x56\x78")
    scenario.at(4, 1, chunks.abort(), checksum=b"\x12\x34\x56\x78")
    scenario.data_at(5, 0, 3)
    scenario.sack_at(5 + ROUND_S, 1, 3)
    page = page_of(tshark, tmp_path, scenario)
    assert "2 packets with a wrong checksum" in page and "all 4 DATA chunks were acknowledged" in page
    assert "COOKIE_ACK 2 times" not in page and "Failures:" not in page


@pytest.mark.parametrize("sender, later", [(0, 4), (1, 5)])
def test_what_gap_acks_had_shown_before_is_not_retransmitted_for_misses(sender, later, tshark, tmp_path):
    """SACKs that report the first TSN missing are lost behind the tap, and a timer repeats what they acknowledge as soon as the sender may have had them."""
    scenario, now = TimedScenario(near_ns=20_000_000, far_ns=20_000_000), 0.5
    for number in range(later + 1):
        scenario.data_at(now, sender, number)
        now += 0.001
        if number > 0:
            scenario.sack_at(now, 1 - sender, -1, gaps=[(2, number + 1)])
        now += 0.001
    scenario.data_at(now + 0.0195, sender, *range(1, later - 2))
    scenario.data_at(now + 0.41, sender, 0)
    scenario.sack_at(now + 0.43, 1 - sender, later)
    page = page_of(tshark, tmp_path, scenario)
    assert f"{later - 2} of" in page and " fast" not in page and "reordered" not in page


@pytest.mark.parametrize("sender, is_known", [(0, False), (1, False), (0, True)])
def test_an_answer_by_a_path_of_no_known_round_trip_shows_no_earlier_copy(sender, is_known, tshark, tmp_path):
    """The other path takes 60 ms, the new one 8 ms: its answer is that to the retransmission."""
    scenario, now = TimedScenario(2), 0.5
    if is_known:
        for at in (0.1, 0.2, 0.3):
            scenario.heartbeat_at(at, sender, path=1, after=0.05)
    for number in range(0, 12, 2):
        scenario.data_at(now, sender, number)
        scenario.data_at(now + 0.0001, sender, number + 1)
        scenario.sack_at(now + 0.06, 1 - sender, number + 1)
        now += 0.1
    scenario.data_at(now, sender, 12)
    scenario.data_at(now + 1.1, sender, 12, path=1)
    scenario.sack_at(now + 1.108, 1 - sender, 12, path=1)
    page = page_of(tshark, tmp_path, scenario)
    assert "1 of 14 transmissions was a retransmission" in page and ("spurious" in page) == is_known


@pytest.mark.parametrize("sender", [0, 1])
def test_answers_to_heartbeats_before_the_last_two_are_answers(sender, tshark, tmp_path):
    scenario = TimedScenario(2)
    for at in (1, 2, 3, 4):
        scenario.heartbeat_at(at, sender, path=1)
    for at in (1, 2, 3, 4):
        scenario.at(3 + at / 2 + 1, 1 - sender, chunks.heartbeat_ack((at * 1000).to_bytes(8, "big")), path=1)
    scenario.heartbeat_at(7, sender, path=1, after=0.02)
    page = page_of(tshark, tmp_path, scenario)
    assert "no answer captured" not in page
