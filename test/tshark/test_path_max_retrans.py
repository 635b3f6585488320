# SPDX-License-Identifier: GPL-2.0-or-later
"""What outages show of Path.Max.Retrans: after how many timeouts new data leaves a path, and after how many errors it is still probed once per RTO.
Senders that leave a path for another reason show nothing."""

import json

import pytest
from test_dead_paths import measured
from timed_scenario import page_of


START_S = 31.0


def timeouts_until_it_leaves(sender, timeouts, rto=1.0, heartbeats=(), interval=10):
    """HEARTBEATs to the second path pass each interval. Each timeout sends the lost chunk again on the first path, the last on the second, where new data
    follows. Then heartbeats of the first path pass, each so many seconds after the one before, which nobody answers."""
    scenario, now = measured(sender), START_S
    for at in range(1, round(START_S), interval):
        scenario.heartbeat_at(at, sender, path=1, after=0.02)
    scenario.data_at(now, sender, 4)
    for number in range(timeouts):
        now += rto * 2**number
        scenario.data_at(now, sender, 4, path=int(number == timeouts - 1))
    now += 0.02
    for number in range(5, 12):
        scenario.data_at(now + number / 1000, sender, number, path=1)
    scenario.sack_at(now + 0.05, 1 - sender, 11, path=1)
    for wait in heartbeats:
        now += wait
        scenario.heartbeat_at(now, sender)
    scenario.heartbeat_at(now + 1, 1 - sender, path=1, after=0.02)
    return scenario


def said(tshark, folder, scenario):
    """(page, outages of the JSON, learned Path.Max.Retrans of both endpoints)."""
    page = page_of(tshark, folder, scenario)
    (association,) = json.loads(tshark.json_report(folder / "capture.pcapng"))["associations"]
    return page, association["outages"], [endpoint["learned"]["path_max_retrans"] for endpoint in association["endpoints"]]


@pytest.mark.parametrize("sender, retrans", [(0, 2), (1, 2), (0, 5), (1, 4)])
def test_timeouts_before_new_data_leaves_a_path_show_path_max_retrans(tshark, tmp_path, sender, retrans):
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(sender, retrans + 1, rto=0.5))
    assert f"after {retrans + 1} timeouts: most likely its Path.Max.Retrans is {retrans} (RFC 9260 8.2), or more where it leaves a path" in page
    assert (outage["left_timeouts"], outage["path_max_retrans_least"], outage["probed_errors"]) == (retrans + 1, retrans, None)
    assert (learned[sender]["value"], learned[sender]["low"], learned[sender]["high"]) == (retrans, retrans, None) and learned[1 - sender] is None


@pytest.mark.parametrize("sender", [0, 1])
def test_one_timeout_is_what_a_path_has_that_is_potentially_failed_too(tshark, tmp_path, sender):
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(sender, 1))
    assert "after 1 timeout: most likely potentially failed (RFC 7829), or its Path.Max.Retrans is 0" in page
    assert (outage["left_timeouts"], outage["path_max_retrans_least"]) == (1, None) and learned == [None, None]


def test_two_timeouts_show_the_least_that_it_is(tshark, tmp_path):
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(0, 2))
    assert "after 2 timeouts: most likely its Path.Max.Retrans is at least 1 (RFC 9260 8.2)" in page
    assert (outage["left_timeouts"], outage["path_max_retrans_least"]) == (2, 1) and learned == [None, None]


@pytest.mark.parametrize("sender, timeouts, retrans", [(0, 1, 2), (1, 1, 5), (0, 3, 5)])
def test_a_path_that_is_still_probed_once_per_rto_is_not_inactive(tshark, tmp_path, sender, timeouts, retrans):
    """It was left as potentially failed; Path.Max.Retrans errors later it is probed like any idle path."""
    probes = (0.5, *(min(2.0**number, 5) for number in range(retrans - timeouts + 1)), 15, 14, 16)
    page, (outage,), learned = said(tshark, tmp_path, timeouts_until_it_leaves(sender, timeouts, heartbeats=probes))
    assert f"still probed once per RTO after {retrans} errors: most likely its Path.Max.Retrans is {retrans} or more (RFC 7829 5)" in page
    assert "potentially failed (RFC 7829); still" in page and f"Path.Max.Retrans is {timeouts - 1}" not in page
    assert (outage["probed_errors"], outage["path_max_retrans_least"]) == (retrans, retrans)
    assert (learned[sender]["value"], learned[sender]["low"], learned[sender]["high"]) == (retrans, retrans, None)


@pytest.mark.parametrize("retrans, says_inactive", [(5, True), (7, False)])
def test_a_path_that_is_probed_after_more_errors_is_not_said_to_be_inactive_by_the_default(tshark, tmp_path, retrans, says_inactive):
    probes = (0.5, *(min(2.0**number, 5) for number in range(retrans)), 15, 14, 16)
    page = said(tshark, tmp_path, timeouts_until_it_leaves(0, 1, heartbeats=probes))[0]
    assert f"most likely its Path.Max.Retrans is {retrans} or more" in page
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
    assert "most likely its Path.Max.Retrans" not in page and learned == [None, None]
