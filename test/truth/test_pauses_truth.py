# SPDX-License-Identifier: GPL-2.0-or-later
"""The truth of pauses itself: the committed table is current, pauses are where links were down and timers expired, and
every cause is found in packets written by hand. Leaves out the plugin, of which this truth must know nothing.

Captures: one scenario of eight, and some with outages; with SCTPA_ALL_CAPTURES=1 all."""

import os

import pytest

import pauses
import setup_waits
import timeouts
import truth
from crossing import crossing, match
from flow import COOKIE_ACK, COOKIE_ECHO, INIT, INIT_ACK, flows
from links import downs, downs_of_table, path_number
from packet_list import HERE, LOST, THERE, Script, down
from pause_causes import (ACKS_LOST, CLOSED_WINDOW, CWND, DELAYED_SACK, LEFT_TO_TIMER, LOST_AGAIN, PATH_DEAD, TAIL_LOSS,
                          UNDECIDED)
from tap import CAPTURES, TapPacket, start_time

HAS_ALL = bool(os.environ.get("SCTPA_ALL_CAPTURES"))
WITH_OUTAGES = ["linux/outages", "linux/mh-failover", "usrsctp/mh-failover", "interop/interop-mh", "dcsctp/outage",
                "pion/vantage-outage"]
SCENARIOS = truth.scenarios() if HAS_ALL else truth.scenarios()[::8] + [CAPTURES / name for name in WITH_OUTAGES]
LONG_DOWN_S = 1.0
LONG_WAIT_S = 0.2
LATE_MARK_S = 0.001
# T3 of the kernel in no pause of DATA: how many, and why.
TIMEOUTS_OUTSIDE = {
    ("linux/asconf-noauth", "B"): (2, "T4 of an ASCONF, which the kernel marks like T3; this end sends no DATA"),
    ("linux/mh-loss-rtxalt", "A"): (1, "gap acks came until then, so there was progress: only the lowest TSN waited"),
    ("linux/zerowin", "A"): (1, "a gap ack 40 ms before: the window probe alone waited"),
}


def name_of(folder):
    return f"{folder.parent.name}/{folder.name}"


def each_end(folders):
    ends = [(folder, end) for folder in dict.fromkeys(folders) for end in truth.taps(folder)]
    return pytest.mark.parametrize("folder, end", ends, ids=[f"{name_of(folder)}/{end}" for folder, end in ends])


def committed():
    head, *lines = pauses.TABLE.read_text().splitlines()
    assert head.split("\t") == list(pauses.COLUMNS)
    return lines


@pytest.mark.parametrize("folder", dict.fromkeys(SCENARIOS), ids=name_of)
def test_table_is_current(folder):
    kept = [line for line in committed() if line.startswith(name_of(folder) + "\t")]
    assert kept == list(pauses.rows(folder)), "python3 test/truth/pauses.py --write"


def test_table_names_only_scenarios_that_exist():
    assert {line.split("\t")[0] for line in committed()} <= {name_of(folder) for folder in truth.scenarios()}


@each_end(SCENARIOS)
def test_pauses_of_a_direction_are_long_and_apart(folder, end):
    last = {}
    for pause in pauses.pauses(folder, end):
        assert pause.length > pauses.SHORTEST_PAUSE_S
        assert pause.from_time >= last.get(pause.assoc, 0)
        last[pause.assoc] = pause.to_time


@pytest.mark.thorough_but_one_in(4)
@each_end(SCENARIOS)
def test_idle_time_is_no_pause(folder, end):
    packets = crossing(folder, end).packets
    for quiet in pauses.idle(folder, end):
        times = [packet.time for packet in packets if packet.assoc == quiet.assoc]
        paused = sum(pause.length for pause in pauses.pauses(folder, end) if pause.assoc == quiet.assoc)
        assert quiet.idle + quiet.delayed_sack + paused <= max(times) - min(times) + 1e-3


def taken_by(down, flow, end):
    """Chunks outstanding of which the link took a transmission and which waited long enough for a pause."""
    for chunk in flow.chunks.values():
        for sending in chunk.sendings:
            acked = chunk.acked.time if chunk.acked else float("inf")
            if (sending.arrival is None and down.may_hold(end, sending.packet.destination, sending.time)
                    and acked - sending.time > LONG_WAIT_S):
                yield sending


@pytest.mark.thorough_but_one_in(4)
@each_end([folder for folder in SCENARIOS if downs(folder)])
def test_data_that_a_dead_link_took_waits_in_a_pause_for_a_dead_path(folder, end):
    found = [pause for pause in pauses.pauses(folder, end) if pause.cause == PATH_DEAD]
    for link in downs(folder):
        if link.surely_until - link.maybe_from <= LONG_DOWN_S or link.sender != end:
            continue
        for flow in flows(crossing(folder, end)):
            for sending in taken_by(link, flow, end):
                assert any(pause.assoc == flow.assoc and sending.time < pause.to_time
                           and pause.from_time < link.maybe_until
                           and link.path in (None, path_number(pause.address)) for pause in found), sending.packet.frame


@each_end([folder for folder in SCENARIOS if downs(folder)])
def test_what_waits_for_a_link_that_is_surely_down_waits_for_a_dead_path(folder, end):
    for link in downs(folder):
        for pause in pauses.pauses(folder, end):
            inside = link.surely_from <= pause.from_time and pause.to_time <= link.surely_until
            if inside and pause.kind == "data" and link.path in (None, path_number(pause.address)):
                assert pause.cause in (PATH_DEAD, DELAYED_SACK), pause


@each_end([folder for folder in SCENARIOS if folder.parent.name == "linux"])
def test_timeouts_of_the_kernel_lie_in_pauses(folder, end):
    found = pauses.pauses(folder, end)
    outside = [timeout for timeout in timeouts.timeouts(folder, end)
               if not any(pause.from_time < timeout.time <= pause.to_time + LATE_MARK_S
                          and timeout.assoc in (None, pause.assoc) for pause in found)]
    times = [f"{timeout.time - start_time(folder, end):.3f}" for timeout in outside]
    assert len(outside) == TIMEOUTS_OUTSIDE.get((name_of(folder), end), (0, ""))[0], times


def test_outages_of_the_lab_are_as_long_as_the_script_made_them():
    found = [pause for pause in pauses.pauses(CAPTURES / "usrsctp/outages", "A") if pause.cause == PATH_DEAD]
    assert [round(pause.length) for pause in found] == [2, 3, 6]
    assert [pause.ended_by for pause in found] == ["path came back"] * 3
    assert [pause.rto for pause in found] == [1.0, 2.0, 4.0]


# Packets written by hand: round trips of 40 ms, RTO 1 s


def cause(script, links=()):
    return script.longest(links)[1].cause


def some_acked():
    """TSNs 1 and 2 are acked."""
    return Script().send(0, 1).send(0.001, 2).answer(0.041, 2)


def test_tail_loss():
    script = some_acked().send(0.05, 3).send(0.051, 4, way=LOST).answer(0.09, 3).send(1.09, 4).answer(1.13, 4)
    wait, verdict = script.longest()
    assert (verdict.cause, verdict.ended_by, wait.first.frame, wait.last.frame) == (TAIL_LOSS, "timeout", 6, 8)


def with_misses(count):
    script = some_acked().send(0.05, 3, way=LOST)
    for tsn in range(4, 4 + count):
        script.send(0.05 + tsn / 1000, tsn)
    for tsn in range(4, 4 + count):
        script.answer(0.09 + tsn / 1000, 2, (4, tsn))
    return script


@pytest.mark.parametrize("misses, expected", [(2, TAIL_LOSS), (3, LEFT_TO_TIMER)])
def test_misses_that_the_timer_did_not_need(misses, expected):
    assert cause(with_misses(misses).send(1.1, 3).answer(1.14, 3 + misses)) == expected


def test_late_fast_retransmission_is_undecided():
    assert cause(with_misses(3).send(0.5, 3, kind="fast").answer(0.54, 6)) == UNDECIDED


@pytest.mark.parametrize("kind", ["fast", "timeout"])
def test_lost_retransmission(kind):
    script = with_misses(3).send(0.1, 3, way=LOST, kind=kind).send(1.1, 3).answer(1.14, 6)
    wait, verdict = script.longest()
    assert (verdict.cause, verdict.ended_by) == (LOST_AGAIN, "timeout")


def test_acks_lost():
    script = some_acked().send(0.05, 3).send(0.051, 4).answer(0.09, 4, way=LOST).send(1.05, 3).answer(1.09, 4)
    wait, verdict = script.longest()
    assert (verdict.cause, verdict.ended_by, wait.start) == (ACKS_LOST, "timeout", 0.05)


def test_a_lost_ack_beside_lost_data_is_not_what_the_sender_waited_for():
    script = some_acked().send(0.05, 3, way=LOST).send(0.051, 4).answer(0.09, 2, (4, 4), way=LOST)
    assert cause(script.send(1.05, 3).answer(1.09, 4)) == TAIL_LOSS


def test_lost_misses_are_acks_lost():
    script = some_acked().send(0.05, 3, way=LOST)
    for tsn in (4, 5, 6):
        script.send(0.05 + tsn / 1000, tsn)
    script.answer(0.094, 2, (4, 4), way=LOST).answer(0.095, 2, (4, 5), way=LOST).answer(0.096, 2, (4, 6))
    assert cause(script.send(1.1, 3).answer(1.14, 6)) == ACKS_LOST


def dead_for_two(address="10.1.1.1", back_at=3.05):
    script = some_acked().send(0.05, 3, way=LOST).send(0.051, 4, way=LOST).send(1.05, 3, way=LOST)
    return script.send(back_at, 3, address=address).answer(back_at + 0.04, 3, address=address).send(back_at + 0.05, 4)


def test_path_dead_until_it_came_back():
    wait, verdict = dead_for_two().longest([down(0.045, 2)])
    assert (verdict.cause, verdict.ended_by, verdict.address) == (PATH_DEAD, "path came back", "10.1.1.1")


def test_path_dead_until_failover():
    wait, verdict = dead_for_two("10.2.1.1").longest([down(0.045, 9)])
    assert (verdict.cause, verdict.ended_by, verdict.address) == (PATH_DEAD, "failover to 10.2.1.1", "10.1.1.1")


def test_path_dead_on_the_way_back():
    script = some_acked().send(0.05, 3).answer(0.09, 3, way=LOST).send(1.05, 3).answer(1.09, 3, way=LOST)
    script.send(3.05, 3).answer(3.09, 3)
    assert cause(script, [down(0.06, 3, "B")]) == PATH_DEAD
    assert cause(script) == ACKS_LOST


@pytest.mark.parametrize("links", [[], [down(0.9, 1)], [down(0.045, 2, "B")]])
def test_losses_without_a_link_that_was_down_are_none_of_a_dead_path(links):
    assert cause(dead_for_two(), links) == LOST_AGAIN


def test_path_dead_for_ever():
    script = some_acked().send(0.05, 3, way=LOST).send(1.05, 3, way=LOST)
    wait, verdict = script.longest([down(0.045, float("inf"))])
    assert (verdict.cause, verdict.ended_by, wait.end) == (PATH_DEAD, "-", None)


def test_delayed_sack_with_more_to_send():
    script = some_acked().send(0.05, 3).answer(0.29, 3).send(0.291, 4).answer(0.331, 4)
    wait, verdict = script.longest()
    assert (verdict.cause, verdict.is_idle) == (DELAYED_SACK, False)


def test_delayed_sack_of_an_idle_application():
    script = some_acked().send(0.05, 3).answer(0.29, 3).send(0.9, 4).answer(0.94, 4)
    wait, verdict = script.longest()
    assert (verdict.cause, verdict.is_idle) == (DELAYED_SACK, True)


def test_closed_window_with_a_probe_that_is_refused():
    script = Script().send(0, 1).answer(0.04, 1, a_rwnd=0).send(1.04, 2).answer(1.08, 1, a_rwnd=0).send(3.04, 2)
    wait, verdict = script.answer(3.08, 2, a_rwnd=9000).longest()
    assert (verdict.cause, wait.start) == (CLOSED_WINDOW, 0.04)


@pytest.mark.parametrize("begins, next_at, expected", [(False, 0.9, 0.04), (True, 0.505, 0.04), (True, 0.9, 0.9)])
def test_closed_window_with_nothing_outstanding(begins, next_at, expected):
    """A pause where the next chunk continues a message, or goes out with the update; else the application was idle."""
    script = Script().send(0, 1).answer(0.04, 1, a_rwnd=0).answer(0.5, 1, a_rwnd=9000)
    wait = script.send(next_at, 2, begins=begins).answer(next_at + 0.041, 2).longest()[0]
    assert wait.start == expected


def test_cwnd_where_the_round_trip_grew():
    script = some_acked().send(0.05, 3, way=0.4).answer(0.47, 3).send(0.471, 4).answer(0.511, 4)
    assert cause(script) == CWND


def test_longer_round_trip_of_an_idle_application_is_undecided():
    assert cause(some_acked().send(0.05, 3, way=0.4).answer(0.47, 3)) == UNDECIDED


def test_receiver_that_acks_nothing_is_undecided():
    script = some_acked().send(0.05, 3).send(1.05, 3).send(3.05, 3)
    wait, verdict = script.longest()
    assert (verdict.cause, wait.end) == (UNDECIDED, None)


def test_giving_up_ends_a_wait():
    wait, verdict = some_acked().send(0.05, 3, way=LOST).send(1.05, forward=3).longest()
    assert (verdict.cause, verdict.ended_by, wait.end, wait.until) == (TAIL_LOSS, "FORWARD_TSN", "given up", 1.05)


def test_gap_acks_are_progress():
    waits = with_misses(3).flow().waits
    assert max(wait.until - wait.start for wait in waits[:-1]) < 0.1


def set_up(script):
    return setup_waits.waits(script.flow())


@pytest.mark.parametrize("kind, answer, lost, expected", [
    (INIT, INIT_ACK, "there", "INIT lost"), (INIT, INIT_ACK, "back", "INIT ACK lost"),
    (INIT, INIT_ACK, "none", "peer silent"),
    (COOKIE_ECHO, COOKIE_ACK, "there", "COOKIE ECHO lost"), (COOKIE_ECHO, COOKIE_ACK, "back", "COOKIE ACK lost"),
    (COOKIE_ECHO, COOKIE_ACK, "none", "peer silent")])
def test_set_up(kind, answer, lost, expected):
    script = Script().send(0, kinds=[kind], way=LOST if lost == "there" else 0.02)
    if lost == "back":
        script.answer(0.04, 0, kinds=[answer], way=LOST)
    found = set_up(script.send(1, kinds=[kind]).answer(1.04, 0, kinds=[answer]))
    assert [(wait.cause, wait.start, wait.until) for wait in found] == [(expected, 0, 1.04)]


def test_data_beside_a_cookie_echo_waits_for_the_set_up_first():
    script = Script().send(0, 1, kinds=[COOKIE_ECHO], way=LOST).send(1, 1, kinds=[COOKIE_ECHO])
    script.answer(1.04, 0, kinds=[COOKIE_ACK]).answer(1.3, 1)
    assert [wait.start for wait in script.flow().waits] == [1.04]


def packets(times, sent, content, first=1):
    return [TapPacket(frame, time, HERE, THERE, sent, 0, [], content=content)
            for frame, time in enumerate(times, first)]


def test_of_equal_packets_the_one_that_fits_the_way_arrived():
    sent = packets([0], True, content=1, first=9) + packets([1, 2, 4], True, content=7)
    came = packets([0.02], False, content=1, first=9) + packets([2.021, 4.02], False, content=7)
    there = match(sent, came)
    assert [there[frame].time for frame in (1, 2)] == [2, 4]


def test_links_of_a_table():
    lines = ["1767225605.%N path 1 A->B: loss 100%", "1767225605.%N path 1 B->A: delay 20ms",
             "1767225609.%N path 1 A->B: delay 20ms", "1767225610.%N path 2 M..B both directions: loss 100%"]
    first, *both = downs_of_table(lines)
    assert (first.sender, first.surely_from, first.surely_until) == ("A", 1767225606, 1767225609)
    assert [(link.sender, link.path) for link in both] == [("A", 2), ("B", 2)]
    assert first.may_hold("A", "10.1.1.1", 1767225605.5) and not first.may_hold("A", "10.2.1.1", 1767225607)
