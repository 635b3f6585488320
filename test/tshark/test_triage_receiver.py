# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage: what was given up and arrived all the same, and receivers whose SACKs say nothing."""

import struct

import pytest

from application_messages import MS, ScenarioBuilder
from generate import chunks
from report_text import triage_of
from timed_scenario import TimedScenario

PARTIAL = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
S = 1000 * MS


def page_of(tshark, folder, scenario):
    scenario.write_capture(folder / "capture.pcapng")
    return triage_of(tshark, folder / "capture.pcapng")


def given_up_on_the_way(sender, messages, arrives=True, bursts=3):
    """Each burst is given up as a whole with the first SACK for a part of it."""
    scenario = ScenarioBuilder().set_up((PARTIAL, PARTIAL)).data(sender).sack(1 - sender)
    for _ in range(bursts):
        first = scenario.ends[sender].tsn
        for _ in range(messages):
            scenario.data(sender, gap_ns=4 * MS)
        last = scenario.ends[sender].tsn - 1
        if arrives:
            scenario.send(1 - sender, chunks.sack(first + 1), gap_ns=4 * MS)
            scenario.send(sender, chunks.forward_tsn(last, ((0, 9),)), gap_ns=MS // 10)
            for acked in range(first + 3, last + 1, 2):
                scenario.send(1 - sender, chunks.sack(acked), gap_ns=MS // 10)
            scenario.send(1 - sender, chunks.sack(last), gap_ns=MS // 10)
        else:
            scenario.send(sender, chunks.forward_tsn(last, ((0, 9),)), gap_ns=3 * S)
        scenario.send(1 - sender, chunks.sack(last), gap_ns=21 * MS)
    return scenario


@pytest.mark.parametrize("messages, bursts", [(6, 3), (6, 7)])
def test_chunks_that_a_lower_cum_tsn_acknowledges_after_the_forward_tsn_arrived(tshark, tmp_path, messages, bursts):
    page = page_of(tshark, tmp_path, given_up_on_the_way(0, messages, bursts=bursts))
    all_of, abandoned = bursts * messages + 1, bursts * (messages - 2)
    assert f"all {all_of} DATA chunks were acknowledged" in page
    assert f"{bursts} FORWARD-TSNs of endpoint 0 gave up {abandoned} chunks: {abandoned} were on the way" in page
    assert f"{abandoned} arrived all the same" in page and "not decidable" not in page


def test_whether_chunks_arrived_that_only_the_forward_tsn_may_have_acknowledged_is_open(tshark, tmp_path):
    page = page_of(tshark, tmp_path, given_up_on_the_way(0, 2, arrives=False))
    assert "1 of 7 DATA chunks was acknowledged" in page
    assert "3 FORWARD-TSNs of endpoint 0 gave up 6 chunks; whether they arrived is not decidable" in page
    assert "on the way" not in page and "all the same" not in page


def test_beside_the_receiver_what_was_given_up_most_likely_arrived(tshark, tmp_path):
    page = page_of(tshark, tmp_path, given_up_on_the_way(1, 2, arrives=False))
    assert "6 were given up and most likely arrived" in page


@pytest.mark.parametrize("times, wait_s", [(2, 1), (3, 2)])
def test_what_passed_beside_the_receiver_and_was_lost_did_not_most_likely_arrive(tshark, tmp_path, times, wait_s):
    """Each of two chunks passes several times, while the receiver answers HEARTBEATs and acknowledges none: the page has one opinion of them."""
    scenario = ScenarioBuilder().set_up((PARTIAL, PARTIAL)).data(1).sack(0)
    first = scenario.ends[1].tsn
    scenario.data(1).data(1)
    for turn in range(1, times):
        scenario.wait(wait_s * turn * S).heartbeat(0)
        scenario.send(1, chunks.data(first, bytes(20), ssn=1)).send(1, chunks.data(first + 1, bytes(20), ssn=2))
    scenario.send(1, chunks.forward_tsn(first + 1, ((0, 2),)), gap_ns=3 * S).send(0, chunks.sack(first + 1))
    page = page_of(tshark, tmp_path, scenario)
    assert "whether they arrived is not decidable" in page and "most likely arrived" not in page
    assert "acked none of" not in page or "discarded by the receiver, or lost between capture point and receiver" in page


def given_up_by_the_far_end(gap_ms, lost, bursts=3):
    """The tap is beside the receiver; of each burst the first chunks are lost before it, and all is given up gap_ms after the last passed."""
    scenario = ScenarioBuilder().set_up((PARTIAL, PARTIAL)).data(1).sack(0)
    for _ in range(bursts):
        scenario.ends[1].tsn += lost
        for _ in range(4):
            scenario.data(1, gap_ns=MS)
        last = scenario.ends[1].tsn - 1
        scenario.send(1, chunks.forward_tsn(last, ((0, 9),)), gap_ns=gap_ms * MS)
        scenario.send(0, chunks.sack(last), gap_ns=MS // 10)
    return scenario


@pytest.mark.parametrize("gap_ms, lost, bursts", [(6, 2, 3), (12, 1, 5), (6, 0, 3)])
def test_what_is_given_up_sooner_than_a_round_trip_was_on_the_way(tshark, tmp_path, gap_ms, lost, bursts):
    """The answer passes the tap at once, but reaches the sender a way later."""
    page = page_of(tshark, tmp_path, given_up_by_the_far_end(gap_ms, lost, bursts))
    assert f"gave up {4 * bursts} chunks: {4 * bursts} were on the way (an answer takes 20." in page
    assert (f"{lost * bursts} more never passed: lost before the capture point, or not captured" in page) == (lost > 0)


def test_what_is_given_up_after_a_round_trip_may_have_been_answered(tshark, tmp_path):
    page = page_of(tshark, tmp_path, given_up_by_the_far_end(40, 0))
    assert "gave up 12 chunks" in page and "on the way" not in page and "never passed" not in page


def test_who_gives_nothing_up_hears_nothing_of_it(tshark, tmp_path):
    page = page_of(tshark, tmp_path, ScenarioBuilder().set_up((PARTIAL, PARTIAL)).exchange(3))
    assert "iven up" not in page and "gave up" not in page


@pytest.mark.parametrize("sender", [0, 1])
def test_a_request_to_open_a_data_channel_that_was_given_up_is_named(tshark, tmp_path, sender):
    scenario = ScenarioBuilder().set_up((PARTIAL, PARTIAL))
    tsn = scenario.ends[sender].tsn
    scenario.send(sender, chunks.data(tsn, struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), sid=sender, ppid=50))
    scenario.send(sender, chunks.forward_tsn(tsn, ((sender, 0),)), gap_ns=S)
    scenario.send(1 - sender, chunks.sack(tsn), gap_ns=21 * MS).wait(12 * S).heartbeat(1 - sender)
    page = page_of(tshark, tmp_path, scenario)
    assert "the one in frame 5 opens a data channel, which must be reliable (RFC 8832 6)" in page


def answered_without_gaps(sacks, gaps=(), sender=0):
    """A chunk is lost; the receiver answers what comes behind it, and nothing moves on."""
    scenario = ScenarioBuilder().set_up()
    for _ in range(4):
        scenario.data(sender).sack(1 - sender)
    cum_tsn = scenario.ends[sender].tsn - 1
    for _ in range(4):
        scenario.data(sender)
    for _ in range(sacks):
        scenario.send(1 - sender, chunks.sack(cum_tsn, gaps=gaps), gap_ns=50 * MS)
    return scenario


@pytest.mark.parametrize("sacks, sender", [(9, 0), (14, 1)])
def test_sacks_that_say_the_same_without_a_gap_are_no_loss_on_the_network(tshark, tmp_path, sacks, sender):
    page = page_of(tshark, tmp_path, answered_without_gaps(sacks, sender=sender))
    assert f"SACKs of endpoint {1 - sender} say the same without a gap: it got packets and reported none of them" in page
    assert "lost between capture point and receiver" not in page and "tail loss" not in page


def test_sacks_that_report_a_gap_are_nothing_of_that(tshark, tmp_path):
    page = page_of(tshark, tmp_path, answered_without_gaps(9, gaps=((2, 2),)))
    assert "without a gap" not in page


def left_to_the_timer(sender, later, answered, waits, seen=True):
    """A chunk is lost for each of the seconds after which its timer sends it again; of the packets behind it so many are answered, without a gap."""
    scenario, now_s, number = TimedScenario(), 0.0, 0
    scenario.data_at(0, sender, 0)
    scenario.sack_at(0.02, 1 - sender, 0)
    for wait_s in waits:
        now_s += 1
        number += 1
        if seen:
            scenario.data_at(now_s, sender, number)
        for behind in range(1, later + 1):
            scenario.data_at(now_s + behind * wait_s / (later + 1), sender, number + behind)
            if behind <= answered:
                scenario.sack_at(now_s + behind * wait_s / (later + 1) + 0.001, 1 - sender, number - 1)
        now_s += wait_s
        scenario.data_at(now_s, sender, number)
        number += later
        scenario.sack_at(now_s + 0.02, 1 - sender, number)
    return scenario


@pytest.mark.parametrize("sender, later, answered, waits", [(0, 9, 7, (1,)), (1, 4, 3, (3, 6, 12)), (1, 1, 1, (1,) * 8)])
def test_a_receiver_that_reports_no_gaps_leaves_losses_to_the_timer(tshark, tmp_path, sender, later, answered, waits):
    page = page_of(tshark, tmp_path, left_to_the_timer(sender, later, answered, waits))
    assert f"{answered} SACK" in page and "for later packets" in page and "the same without a gap" in page
    assert f"most likely endpoint {1 - sender} gets packets and does not report them (RFC 9260 6.2); the timer retransmitted it" in page
    assert "s gaps not reported" in page and "tail loss" not in page and "was lost" not in page


def test_what_was_lost_before_the_capture_is_left_to_the_timer_as_well(tshark, tmp_path):
    page = page_of(tshark, tmp_path, left_to_the_timer(0, 8, 7, (1,), seen=False))
    assert "data was lost before the capture, and 7 SACKs for later packets say the same without a gap" in page


def test_one_silent_sack_shows_no_tail_loss(tshark, tmp_path):
    page = page_of(tshark, tmp_path, left_to_the_timer(0, 2, 1, (1,)))
    assert "nothing shows whether the data arrived" in page and "tail loss" not in page
    assert "1 SACK of endpoint 1 says the same without a gap: it got packets and reported none of them, or packets were doubled on the way" in page


@pytest.mark.parametrize("sender, later, waits", [(0, 2, (1,)), (1, 0, (1, 1, 2))])
def test_a_tail_loss_of_which_no_sack_says_anything_remains_one(tshark, tmp_path, sender, later, waits):
    page = page_of(tshark, tmp_path, left_to_the_timer(sender, later, 0, waits))
    assert "s tail loss" in page and "gaps not reported" not in page and "without a gap" not in page


def updated(updates, step, sender=1):
    scenario = ScenarioBuilder().set_up().data(sender).sack(1 - sender).data(sender).sack(1 - sender)
    for number in range(updates):
        scenario.send(1 - sender, chunks.sack(scenario.ends[sender].tsn - 1, a_rwnd=131072 + step * (number + 1)), gap_ns=MS)
    return scenario


@pytest.mark.parametrize("updates, step, sender", [(30, 16, 1), (12, 100, 0)])
def test_a_storm_of_window_updates_is_told(tshark, tmp_path, updates, step, sender):
    page = page_of(tshark, tmp_path, updated(updates, step, sender))
    assert f"endpoint {1 - sender} sent {updates + 2} SACKs for 2 packets with DATA: {updates} only raised its a_rwnd, by {step} bytes" in page


def test_a_few_window_updates_are_not(tshark, tmp_path):
    assert "Needless SACKs" not in page_of(tshark, tmp_path, updated(5, 16))


def test_chunks_that_gap_blocks_alone_acknowledge_are_missed_as_well(tshark, tmp_path):
    scenario = ScenarioBuilder().set_up().data(0).sack(1).data(0)
    cum_tsn = scenario.ends[0].tsn - 1
    scenario.ends[0].tsn += 6
    scenario.data(0).send(1, chunks.sack(cum_tsn, gaps=((3, 7),)))
    page = page_of(tshark, tmp_path, scenario)
    assert "4 chunks acknowledged that the capture does not hold" in page


WINDOW = 131072


def fragments_kept(sender, size, keeps=True, overhead=0):
    """Messages of three fragments, the first of which is lost and given up, until the window is closed; then probes."""
    scenario = ScenarioBuilder().set_up((PARTIAL, PARTIAL)).data(sender).sack(1 - sender)
    end, held = scenario.ends[sender], 0
    while held < WINDOW if keeps else len(scenario.flow.items) < 60:
        for flags in (chunks.BEGIN, 0, chunks.END):
            scenario.send(sender, chunks.data(end.tsn, bytes(size), flags=flags | chunks.UNORDERED))
            end.tsn += 1
        held = min(held + 2 * (size + overhead), WINDOW) if keeps else 0
        scenario.send(1 - sender, chunks.sack(end.tsn - 4, gaps=((2, 3),), a_rwnd=WINDOW - (held if keeps else 2 * size)), gap_ns=20 * MS)
        scenario.send(sender, chunks.forward_tsn(end.tsn - 1), gap_ns=S)
        scenario.send(1 - sender, chunks.sack(end.tsn - 1, a_rwnd=WINDOW - held), gap_ns=20 * MS)
    if not keeps:
        scenario.data(sender).send(1 - sender, chunks.sack(end.tsn - 1, a_rwnd=0), gap_ns=20 * MS)
    probe = chunks.data(end.tsn, bytes(20), ssn=9)
    for seconds in (1, 2, 4, 8):
        scenario.send(sender, probe, gap_ns=seconds * S).send(1 - sender, chunks.sack(end.tsn - 1, a_rwnd=0), gap_ns=20 * MS)
    return scenario


@pytest.mark.parametrize("sender, size", [(0, 4096), (1, 1024)])
def test_a_window_that_falls_with_each_given_up_message_is_no_slow_reader(tshark, tmp_path, sender, size):
    page = page_of(tshark, tmp_path, fragments_kept(sender, size))
    messages = WINDOW // (2 * size)
    assert f"the window of endpoint {1 - sender} fell by {2 * size:,} bytes with each of {messages} messages that were given up, by just what" in page
    assert "had arrived of them, and stayed" in page and "too slowly" not in page


@pytest.mark.parametrize("sender, size", [(0, 6000), (1, 1000)])
def test_a_window_falls_by_less_with_the_last_message_that_it_has_no_room_for(tshark, tmp_path, sender, size):
    page = page_of(tshark, tmp_path, fragments_kept(sender, size))
    messages, rest = WINDOW // (2 * size) + 1, WINDOW % (2 * size)
    assert f"the window of endpoint {1 - sender} fell by {rest:,} to {2 * size:,} bytes with each of {messages} messages that were given up" in page
    assert "by just what had arrived of them and the window had room for, and stayed" in page


def test_who_counts_more_than_user_data_may_also_read_too_slowly(tshark, tmp_path):
    page = page_of(tshark, tmp_path, fragments_kept(0, 4096, overhead=1))
    assert "not decidable whether endpoint 1 reads too slowly or keeps what arrived of" in page


def test_who_frees_what_was_given_up_reads_too_slowly(tshark, tmp_path):
    page = page_of(tshark, tmp_path, fragments_kept(0, 4096, keeps=False))
    assert "endpoint 1 reads too slowly" in page and "fell by" not in page
