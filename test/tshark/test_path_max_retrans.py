# SPDX-License-Identifier: GPL-2.0-or-later
"""What outages show of Path.Max.Retrans: after how many timeouts new data leaves a path, and after how many errors it is still probed once per RTO.
Senders that leave a path for another reason show nothing."""

import json

import pytest
from test_dead_paths import measured
from timed_scenario import page_of


START_S = 31.0


def timeouts_until_it_leaves(sender, timeouts, rto=1.0, heartbeats=(), interval=10, arrived_behind=None):
    """HEARTBEATs to the second path pass each interval. Each timeout sends the lost chunk again on the first path, the last on the second, where new data
    follows. Then heartbeats of the first path pass, each so many seconds after the one before, which nobody answers. After so many timeouts as
    arrived_behind, a SACK by the second path acknowledges what the timer sent and a chunk that the first path had passed before all of them; the next
    chunk is lost there in turn."""
    scenario, now, lost = measured(sender), START_S, 4
    for at in range(1, round(START_S), interval):
        scenario.heartbeat_at(at, sender, path=1, after=0.02)
    scenario.data_at(now, sender, 4)
    if arrived_behind:
        scenario.data_at(now + 0.001, sender, 5)
    for number in range(timeouts):
        now += rto * 2**number
        scenario.data_at(now, sender, lost, path=int(number == timeouts - 1 or number + 1 == arrived_behind))
        if number + 1 == arrived_behind:
            scenario.sack_at(now + 0.02, 1 - sender, 5, path=1)
            now, lost = now + 0.021, 6
            scenario.data_at(now, sender, lost, path=int(number == timeouts - 1))
    if arrived_behind:
        return leaves_after(scenario, sender, now, 7)
    now += 0.02
    for number in range(5, 12):
        scenario.data_at(now + number / 1000, sender, number, path=1)
    scenario.sack_at(now + 0.05, 1 - sender, 11, path=1)
    for wait in heartbeats:
        now += wait
        scenario.heartbeat_at(now, sender)
    scenario.heartbeat_at(now + 1, 1 - sender, path=1, after=0.02)
    return scenario


def leaves_after(scenario, sender, now, number):
    for later in range(number, number + 7):
        scenario.data_at(now + 0.02 + later / 1000, sender, later, path=1)
    scenario.sack_at(now + 0.1, 1 - sender, number + 6, path=1)
    scenario.heartbeat_at(now + 1.02, 1 - sender, path=1, after=0.02)
    return scenario


def said(tshark, folder, scenario):
    """(page, outages of the JSON, learned Path.Max.Retrans of both endpoints)."""
    page = page_of(tshark, folder, scenario)
    (association,) = json.loads(tshark.json_report(folder / "capture.pcapng"))["associations"]
    return page, association["outages"], [endpoint["learned"]["path_max_retrans"] for endpoint in association["endpoints"]]


@pytest.mark.parametrize("sender, retrans", [(0, 2), (1, 2), (0, 5), (1, 4)])
def test_timeouts_before_new_data_leaves_a_path_show_path_max_retrans(tshark, tmp_path, sender, retrans):
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(sender, retrans + 1, rto=0.5))
    assert f"after {retrans + 1} timeouts in a row: Path.Max.Retrans of endpoint {sender} is most likely {retrans} (RFC 9260 8.2); it may be higher if endpoint {sender} leaves a path as soon as it is potentially failed (RFC 7829)" in page
    assert (outage["left_timeouts"], outage["path_max_retrans_least"], outage["probed_errors"]) == (retrans + 1, retrans, None)
    assert (learned[sender]["value"], learned[sender]["low"], learned[sender]["high"]) == (retrans, retrans, None) and learned[1 - sender] is None


@pytest.mark.parametrize("sender, timeouts, cleared", [(0, 6, 1), (1, 5, 2)])
def test_an_ack_of_data_that_a_path_had_passed_clears_its_timeouts(tshark, tmp_path, sender, timeouts, cleared):
    """RFC 9260 8.2: also of data that was sent before they ran out. An endpoint that credits no such ack has counted all of them."""
    scenario = timeouts_until_it_leaves(sender, timeouts, rto=0.5, arrived_behind=cleared)
    page, (outage,), _ = said(tshark, tmp_path, scenario)
    left = timeouts - cleared
    most = f"or {timeouts - 1}" if cleared == 1 else f"to {timeouts - 1}"
    assert f"after {left} timeouts in a row: Path.Max.Retrans of endpoint {sender} is most likely {left - 1} {most} (RFC 9260 8.2)" in page
    assert page.count(f"after {left} timeouts in a row") == 2 and f"after {timeouts} timeouts" not in page
    assert (outage["left_timeouts"], outage["timeouts"], outage["left"]["errors"]) == (left, timeouts, timeouts)


def test_an_ack_that_clears_all_timeouts_does_not_where_new_data_leaves_all_the_same(tshark, tmp_path):
    page, (outage,), _ = said(tshark, tmp_path, timeouts_until_it_leaves(0, 3, rto=0.5, arrived_behind=3))
    assert "after 3 timeouts in a row: Path.Max.Retrans of endpoint 0 is most likely 2 (RFC 9260 8.2)" in page and outage["left_timeouts"] == 3


@pytest.mark.parametrize("sender", [0, 1])
def test_one_timeout_is_what_a_path_has_that_is_potentially_failed_too(tshark, tmp_path, sender):
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(sender, 1))
    assert f"after 1 timeout: most likely potentially failed (RFC 7829), or Path.Max.Retrans of endpoint {sender} is 0" in page
    assert (outage["left_timeouts"], outage["path_max_retrans_least"]) == (1, None) and learned == [None, None]


def test_two_timeouts_show_the_least_that_it_is(tshark, tmp_path):
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(0, 2))
    assert "after 2 timeouts in a row: Path.Max.Retrans of endpoint 0 is most likely at least 1 (RFC 9260 8.2)" in page
    assert (outage["left_timeouts"], outage["path_max_retrans_least"]) == (2, 1) and learned == [None, None]


@pytest.mark.parametrize("sender, timeouts, retrans", [(0, 1, 2), (1, 1, 5), (0, 3, 5)])
def test_a_path_that_is_still_probed_once_per_rto_is_not_inactive(tshark, tmp_path, sender, timeouts, retrans):
    """It was left as potentially failed; Path.Max.Retrans errors later it is probed like any idle path."""
    probes = (0.5, *(min(2.0**number, 5) for number in range(retrans - timeouts + 1)), 15, 14, 16)
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(sender, timeouts, heartbeats=probes))
    assert f"still probed once per RTO after {retrans} errors: Path.Max.Retrans of endpoint {sender} is most likely {retrans} or more (RFC 7829 5)" in page
    assert "potentially failed (RFC 7829); still" in page and f"is most likely {timeouts - 1}" not in page
    assert (outage["probed_errors"], outage["path_max_retrans_least"]) == (retrans, retrans)
    assert (learned[sender]["value"], learned[sender]["low"], learned[sender]["high"]) == (retrans, retrans, None)


@pytest.mark.parametrize("retrans, says_inactive", [(5, True), (7, False)])
def test_a_path_that_is_probed_after_more_errors_is_not_said_to_be_inactive_by_the_default(tshark, tmp_path, retrans, says_inactive):
    probes = (0.5, *(min(2.0**number, 5) for number in range(retrans)), 15, 14, 16)
    page = said(tshark, tmp_path, timeouts_until_it_leaves(0, 1, heartbeats=probes))[0]
    assert f"Path.Max.Retrans of endpoint 0 is most likely {retrans} or more" in page
    assert ("if Path.Max.Retrans is 5 (RFC 9260 8.2)" in page.split("Contents:")[0]) == says_inactive


@pytest.mark.parametrize("heartbeats", [(10, 10, 11, 10), (10, 3, 11, 10)])
def test_heartbeats_at_the_usual_interval_are_no_probes_of_a_failed_path(tshark, tmp_path, heartbeats):
    """Nor is one more that an application asks for."""
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(0, 1, heartbeats=heartbeats))
    assert "still probed" not in page and outage["probed_errors"] is None and learned == [None, None]


def moves(sender, back_and_forth):
    """New data changes paths so many times, each of which answers."""
    scenario, now, number = measured(sender), 3.0, 4
    for turn in range(back_and_forth):
        for _ in range(8):
            scenario.data_at(now, sender, number, path=(turn + 1) % 2)
            scenario.sack_at(now + 0.02, 1 - sender, number, path=(turn + 1) % 2)
            now, number = now + 0.1, number + 1
    return scenario


@pytest.mark.parametrize("sender, back_and_forth", [(0, 1), (1, 4)])
def test_data_that_changes_paths_without_an_error_shows_nothing(tshark, tmp_path, sender, back_and_forth):
    page, outages, learned = said(tshark, tmp_path, moves(sender, back_and_forth))
    assert "Path.Max.Retrans" not in page and outages == [] and learned == [None, None]


def both_paths_at_once(sender, timeouts):
    """New data goes to both paths in turn (CMT); what the first loses is retransmitted there, while the second goes on."""
    scenario, now = measured(sender), 3.0
    scenario.data_at(now, sender, 4)
    number, missing = 5, 4
    for again in range(timeouts):
        for _ in range(6):
            now += 2**again / 8
            scenario.data_at(now, sender, number, path=1)
            scenario.sack_at(now + 0.02, 1 - sender, missing - 1, gaps=((2, number - missing + 1),), path=1)
            number += 1
        now += 2**again / 4
        scenario.data_at(now, sender, missing)
    scenario.sack_at(now + 0.02, 1 - sender, number - 1)
    for _ in range(8):
        now += 0.1
        scenario.data_at(now, sender, number, path=number % 2)
        scenario.sack_at(now + 0.02, 1 - sender, number, path=number % 2)
        number += 1
    return scenario


@pytest.mark.parametrize("sender", [0, 1])
def test_a_sender_that_uses_both_paths_at_once_shows_nothing(tshark, tmp_path, sender):
    page, _, learned = said(tshark, tmp_path, both_paths_at_once(sender, 3))
    assert "Path.Max.Retrans of endpoint" not in page and learned == [None, None]
