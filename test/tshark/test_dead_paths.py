# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of a path that passes nothing for several timeouts while another one passes data, and of timeouts that only look
so."""

import pytest
from timed_scenario import TimedScenario, page_of


def measured(sender, paths=2):
    """Round trips of 20 ms."""
    scenario = TimedScenario(paths)
    for number in range(4):
        scenario.data_at(number / 10, sender, number)
        scenario.sack_at(number / 10 + 0.02, 1 - sender, number)
    return scenario


def timeouts_in_a_row(sender, rtos, comes_back=True, per_timeout=2):
    """Data on the first path is lost; the timer of each loss sends it over the second, where the rest follows it."""
    scenario, now, number = measured(sender), 3, 4
    for rto in rtos:
        for _ in range(per_timeout):
            scenario.data_at(now, sender, number)
            number += 1
        now += rto
        for again in range(number - per_timeout, number):
            scenario.data_at(now, sender, again, path=1)
        scenario.sack_at(now + 0.02, 1 - sender, number - 1, path=1)
        now += 0.03
    if comes_back:
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.02, 1 - sender, number)
    scenario.wait(10**9).heartbeat(1 - sender)
    return scenario


@pytest.mark.parametrize("sender, rtos", [(0, (1, 2)), (1, (1.5, 3, 6))])
def test_timeouts_in_a_row_are_a_dead_path_while_another_one_passes_data(tshark, tmp_path, sender, rtos):
    page = page_of(tshark, tmp_path, timeouts_in_a_row(sender, rtos))
    address = f"10.{10 * (1 - sender)}.0.{2 - sender}"
    cost = {(1, 2): "3.040", (1.5, 3, 6): "10.56"}[rtos]
    assert f"pauses cost {cost} s in 1 direction: {cost} s path without answer" in page
    assert f"path to {address} without answer: no ack of what was sent to it" in page
    assert f"{address} stopped answering at 3.040 s: {len(rtos)} timeouts, answered again at" in page
    assert f"inactive only if Path.Max.Retrans is below {len(rtos)}" in page
    assert "tail loss" not in page and "path troubles" not in page.split("Not found:")[1]


def test_a_path_that_does_not_come_back_has_no_answer_since(tshark, tmp_path):
    page = page_of(tshark, tmp_path, timeouts_in_a_row(0, (1, 2, 4), comes_back=False))
    assert "stopped answering at 3.040 s: 3 timeouts, no answer since" in page


def test_one_timeout_is_a_tail_loss(tshark, tmp_path):
    page = page_of(tshark, tmp_path, timeouts_in_a_row(0, (1,)))
    assert "1.020 s tail loss" in page
    assert "path without answer" not in page and "Path troubles:" not in page


def test_timeouts_between_which_the_path_answers_are_no_dead_path(tshark, tmp_path):
    scenario, now = measured(0), 3
    for number in range(4, 10, 2):
        scenario.data_at(now, 0, number)
        scenario.data_at(now + 1, 0, number, path=1)
        scenario.sack_at(now + 1.02, 1, number, path=1)
        scenario.data_at(now + 1.03, 0, number + 1)
        scenario.sack_at(now + 1.05, 1, number + 1)
        now += 1.1
    page = page_of(tshark, tmp_path, scenario)
    assert "tail loss" in page and "path without answer" not in page
    assert "Path troubles:" not in page


def test_two_paths_that_answer_nothing_are_none_that_another_one_stands_in_for(tshark, tmp_path):
    scenario = measured(0)
    scenario.data_at(3, 0, 4)
    for at, path in ((4, 1), (6, 0), (10, 1)):
        scenario.data_at(at, 0, 4, path=path)
    assert "stopped answering" not in page_of(tshark, tmp_path, scenario)


def all_paths_silent(sender, timeouts, paths=2, rto=1, heard_at=None):
    """HEARTBEATs measure the other paths; then nothing is answered, and each timeout moves the data on, backed off once per round."""
    scenario = measured(sender, paths)
    for path in range(1, paths):
        scenario.heartbeat_at(0.4 + path / 10, sender, path=path, after=0.02)
    now = 3
    scenario.lost = scenario.data_at(now, sender, 4)
    for number in range(timeouts):
        now += rto * 2 ** (number // paths)
        if number == timeouts - 1 and heard_at is not None:
            scenario.data_at(now - heard_at, 1 - sender, 0)
        scenario.data_at(now, sender, 4, path=(number + 1) % paths)
    return scenario


@pytest.mark.parametrize("sender, timeouts, paths, rto, word", [(0, 4, 2, 1, "both"), (1, 7, 2, 1.5, "both"), (1, 6, 3, 1, "all")])
def test_paths_that_all_stop_answering_are_a_trouble_and_dead(tshark, tmp_path, sender, timeouts, paths, rto, word):
    scenario = all_paths_silent(sender, timeouts, paths, rto)
    page = page_of(tshark, tmp_path, scenario)
    assert f"{word} addresses of endpoint {1 - sender} stopped answering, {timeouts} timeouts until the capture ends; " in page
    for path in range(paths):
        assert f"10.{10 * (1 - sender) + path}.0.{2 - sender} stopped answering at" in page
    assert f"no path answers: no ack of what was sent from frame {scenario.lost} on, {timeouts} timeouts in a row" in page
    assert "not decidable" not in page and "path troubles" not in page.split("Not found:")[1]


@pytest.mark.parametrize("timeouts", [1, 2, 3])
def test_a_capture_that_ends_soon_after_timeouts_shows_no_dead_paths(tshark, tmp_path, timeouts):
    page = page_of(tshark, tmp_path, all_paths_silent(0, timeouts))
    assert "stopped answering" not in page and "path without answer" not in page


def test_paths_of_a_peer_that_sends_data_meanwhile_are_not_all_dead(tshark, tmp_path):
    page = page_of(tshark, tmp_path, all_paths_silent(0, 4, heard_at=0.5))
    assert "stopped answering" not in page and "no path answers" not in page


def test_paths_that_come_back_after_all_were_silent_answered_again(tshark, tmp_path):
    scenario = all_paths_silent(1, 4)
    scenario.sack_at(9.02, 0, 4)
    scenario.data_at(10, 1, 5)
    scenario.sack_at(10.02, 0, 5)
    scenario.heartbeat_at(10.1, 1, path=1, after=0.02)
    page = page_of(tshark, tmp_path, scenario)
    assert page.count("2 timeouts, answered again at") == 2
    assert "until the capture ends" not in page


def silent(sent):
    """Two timeouts, and what endpoint 0 sends, with the second before last of them, while endpoint 1 is silent."""
    scenario = measured(0)
    scenario.data_at(3, 0, 4)
    scenario.data_at(4, 0, 4, path=1)
    scenario.sack_at(4.02, 1, 4, path=1)
    scenario.data_at(4.03, 0, 5)
    for part in range(sent):
        scenario.heartbeat_at(4.1 + part / 10, 0, path=0)
    scenario.heartbeat_at(5.9, 1, path=1)
    scenario.data_at(6.03, 0, 5, path=1)
    scenario.sack_at(6.05, 1, 5, path=1)
    return scenario


def test_only_what_is_sent_while_the_peer_is_silent_is_counted(tshark, tmp_path):
    assert "nothing from endpoint 1 for 1.870 s from frame 16 to 19 while endpoint 0 sent 2 packets" in page_of(tshark, tmp_path, silent(2))


def test_neither_endpoint_sends_anything_where_both_are_silent(tshark, tmp_path):
    assert "neither endpoint sent anything for 1.870 s from frame 16 to 17" in page_of(tshark, tmp_path, silent(0))
