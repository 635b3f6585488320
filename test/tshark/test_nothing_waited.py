# SPDX-License-Identifier: GPL-2.0-or-later
"""Waits for an ack that are no pauses, since nothing shows that anything waited for it; and those that are."""

import pytest
from timed_scenario import TimedScenario, page_of


def delayed(sender, follow_s=0.0002, skipped=0, size=100, more=0, ack_s=0.2):
    """Lone messages, acknowledged late; a next one follows each ack. skipped: TSNs before it that the capture lacks. more: chunks
    sent with the message that the ack leaves out."""
    ways_ns = (100_000, 20_000_000)[::-1 if sender else 1]
    scenario, now, number = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1, 0
    for _ in range(3):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now := now + 0.03, 1 - sender, number)
        number, now = number + 1, now + 0.1
    for _ in range(2):
        scenario.data_at(now, sender, *range(number, number + 1 + more), size=size)
        scenario.sack_at(now := now + ack_s, 1 - sender, number)
        number += 1 + more + skipped
        scenario.data_at(now := now + follow_s, sender, number, size=size)
        scenario.sack_at(now := now + 0.03, 1 - sender, number)
        number, now = number + 1, now + 0.5
    return scenario


@pytest.mark.parametrize("sender", [0, 1])
def test_a_small_message_that_follows_the_ack_waited_for_it(tshark, tmp_path, sender):
    assert "delayed SACK" in page_of(tshark, tmp_path, delayed(sender))


@pytest.mark.parametrize("skipped", [1, 300])
def test_messages_between_which_the_capture_lacks_others_do_not(tshark, tmp_path, skipped):
    page = page_of(tshark, tmp_path, delayed(0, skipped=skipped))
    assert "pauses cost" not in page and "delayed SACK" not in page


@pytest.mark.parametrize("more", [1, 3])
def test_an_ack_that_leaves_chunks_out_and_is_followed_by_nothing_kept_nobody(tshark, tmp_path, more):
    page = page_of(tshark, tmp_path, delayed(0, follow_s=0.3, more=more))
    assert "delayed SACK" not in page and "full cwnd" not in page


@pytest.mark.parametrize("sender", [0, 1])
def test_an_ack_that_leaves_a_loss_out_starts_its_timer_anew(tshark, tmp_path, sender):
    scenario = delayed(sender, follow_s=0.3)
    now = scenario.now_ns / 10**9 + 0.5
    number = 7
    scenario.data_at(now, sender, number)
    scenario.data_at(now + 0.0001, sender, number + 1)
    scenario.sack_at(now + 0.2, 1 - sender, number)
    scenario.data_at(now + 1.2, sender, number + 1)
    scenario.sack_at(now + 1.23, 1 - sender, number + 1)
    assert "200.0 ms delayed SACK" in page_of(tshark, tmp_path, scenario)


def relaying(before_s):
    """As delayed; before_s before each message that follows an ack another association of the host gets one."""
    scenario = delayed(0, follow_s=0.002)
    other = TimedScenario(seed=2, ports=(7000, 7001))
    followers = [place for place, item in enumerate(scenario.flow.items) if item.gap_ns == 2_000_000]
    for count, place in enumerate(reversed(followers)):
        item = other.data(1).flow.items[-1]
        item.gap_ns, scenario.flow.items[place].gap_ns = 2_000_000 - round(before_s * 10**9), round(before_s * 10**9)
        scenario.flow.items.insert(place, item)
    scenario.flow.items[:0] = other.flow.items[:4]
    return scenario


def test_a_message_that_another_association_may_have_brought_did_not_wait(tshark, tmp_path):
    page = page_of(tshark, tmp_path, relaying(0.0002))
    assert "delayed SACK" not in page


def test_a_message_of_another_association_before_the_ack_explains_nothing(tshark, tmp_path):
    scenario = relaying(0.0002)
    items = scenario.flow.items
    for place in [place for place, item in enumerate(items) if item.sport == 7001][2:]:
        items[place - 1], items[place] = items[place], items[place - 1]
        items[place - 1].gap_ns, items[place].gap_ns = items[place].gap_ns + 195_000_000 - 1_800_000, 5_000_000 - 195_000
    assert "delayed SACK" in page_of(tshark, tmp_path, scenario)


def test_cwnd_is_not_full_below_the_least_first_one(tshark, tmp_path):
    assert "full cwnd" not in page_of(tshark, tmp_path, cwnd(1))


def test_cwnd_may_be_full_above_it(tshark, tmp_path):
    assert "full cwnd" in page_of(tshark, tmp_path, cwnd(4))


def cwnd(packets):
    scenario, now = TimedScenario(near_ns=100_000, far_ns=20_000_000), 0.1
    for number in range(3):
        scenario.data_at(now, 0, number)
        scenario.sack_at(now := now + 0.07, 1, number)
        now += 0.1
    number = 3
    for _ in range(3):
        for _ in range(packets):
            scenario.data_at(now, 0, number, size=1200)
            number += 1
        scenario.sack_at(now := now + 0.112, 1, number - 1)
        scenario.data_at(now := now + 0.0001, 0, number, size=1200)
        scenario.sack_at(now := now + 0.07, 1, number)
        number, now = number + 1, now + 0.4
    return scenario


def aborted(after_s):
    scenario = TimedScenario(near_ns=100_000, far_ns=20_000_000)
    for number in range(3):
        scenario.data_at(0.1 + number / 5, 0, number)
        scenario.sack_at(0.13 + number / 5, 1, number)
    scenario.data_at(1, 0, 3)
    now = scenario.now_ns / 10**9
    scenario.wait(round((after_s) * 10**9)).abort(1, gap_ns=0)
    scenario.now_ns += round(after_s * 10**9)
    for again in (1.5, 2.5):
        scenario.data_at(now + again, 0, 3)
    return scenario


def test_who_aborts_while_its_sack_is_not_due_kept_nobody_waiting(tshark, tmp_path):
    assert "pauses cost" not in page_of(tshark, tmp_path, aborted(0.16))


def test_who_aborts_long_after_its_sack_was_due_did(tshark, tmp_path):
    assert "pauses cost" in page_of(tshark, tmp_path, aborted(0.9))


def between(sender, follow_s, messages=6):
    """From the capture point to the sender and back it takes 30 ms; each lone message is acknowledged late, and the next one passes so long after."""
    ways_ns = (30_000_000, 1_000_000)[::-1 if sender else 1]
    scenario, now = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1
    for number in range(4):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.002, 1 - sender, number)
        now += 0.4 + 0.07 * number
    for number in range(4, 4 + messages):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now := now + 0.2, 1 - sender, number)
        now += follow_s
    return scenario


@pytest.mark.parametrize("sender", [0, 1])
@pytest.mark.parametrize("follow_s", [0.0047, 0.0202])
def test_what_passes_sooner_than_the_ack_reaches_its_sender_left_before_it(tshark, tmp_path, sender, follow_s):
    page = page_of(tshark, tmp_path, between(sender, follow_s))
    assert "delayed SACK" not in page and "Not found: failures, violations, pauses" in page


@pytest.mark.parametrize("sender", [0, 1])
def test_what_passes_a_round_trip_after_the_ack_waited_for_it(tshark, tmp_path, sender):
    assert "1.000 s delayed SACK" in page_of(tshark, tmp_path, between(sender, 0.0301))


def regular(sender, period_s, late_s, packets, jitter_s=0.0):
    """Bursts in regular intervals; the SACK of the last packet of an odd number comes so late."""
    ways_ns = (30_000_000, 1_000_000)[::-1 if sender else 1]
    scenario, now, number = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1, 0
    for burst, count in enumerate(packets):
        start = now + (jitter_s if burst % 3 else 0)
        for place in range(count):
            scenario.data_at(start + 0.0001 * place, sender, number + place)
        number += count
        if count % 2 == 0 or burst == 0:
            scenario.sack_at(start + 0.002, 1 - sender, number - 1)
        else:
            if count > 1:
                scenario.sack_at(start + 0.002, 1 - sender, number - 2)
            scenario.sack_at(start + late_s, 1 - sender, number - 1)
        now += period_s
    return scenario


@pytest.mark.parametrize("sender, period_s, late_s, packets, jitter_s", [
    (1, 0.25, 0.22, (1, *(2, 3) * 8), 0), (0, 0.5, 0.4695, (1, *(2, 2, 1) * 5), 0.0004), (1, 0.18, 0.149, (1, *(2, 2, 2, 5) * 4), 0.0003)])
def test_an_ack_shortly_before_data_that_comes_at_its_usual_time_kept_nobody(tshark, tmp_path, sender, period_s, late_s, packets, jitter_s):
    page = page_of(tshark, tmp_path, regular(sender, period_s, late_s, packets, jitter_s))
    assert "pauses cost" not in page and "Not found: failures" in page


def irregular(sender):
    """As regular, but behind each late SACK comes what waited for it, at another time than the period has it."""
    scenario = regular(sender, 0.25, 0.2, (1, *(2, 2) * 4))
    now, number = 2.5, 17
    for _ in range(4):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now := now + 0.2, 1 - sender, number)
        number, now = number + 1, now + 0.0301
    return scenario


@pytest.mark.parametrize("sender", [0, 1])
def test_what_follows_an_ack_at_another_time_than_the_usual_one_waited(tshark, tmp_path, sender):
    assert "ms delayed SACK" in page_of(tshark, tmp_path, irregular(sender))


@pytest.mark.parametrize("sender, heartbeats", [(0, True), (1, True), (0, False)])
def test_what_waits_on_a_path_of_which_heartbeats_show_the_round_trip_pauses_as_on_the_first(tshark, tmp_path, sender, heartbeats):
    """The second path has no ack that comes at once."""
    ways_ns = (30_000_000, 1_000_000)[::-1 if sender else 1]
    scenario, now = TimedScenario(paths=2, near_ns=ways_ns[0], far_ns=ways_ns[1]), 0.1
    scenario.data_at(now, sender, 0)
    scenario.sack_at(now + 0.002, 1 - sender, 0)
    now, number = 0.5, 1
    for path in (0, 1):
        if path and heartbeats:
            scenario.heartbeat_at(now := now + 0.3, sender, path=1, after=0.002)
        now += 0.3
        for _ in range(5):
            scenario.data_at(now, sender, number, path=path)
            scenario.sack_at(now := now + 0.2, 1 - sender, number, path=path)
            number, now = number + 1, now + 0.0301
        scenario.data_at(now, sender, number, path=path)
        scenario.sack_at(now := now + 0.2, 1 - sender, number, path=path)
        number += 1
    page = page_of(tshark, tmp_path, scenario)
    assert ("2.000 s delayed SACK" in page) == heartbeats and "s delayed SACK" in page
