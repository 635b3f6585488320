# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage says nowhere that it found nothing of a kind of which the same page tells, in any capture.

By default every 16th capture and those with outages; with SCTPA_ALL_CAPTURES=1 all. What each kind is told by stands here in the words of the
page, without regard to what the report makes them from."""

import os
import re

import pytest
from report_text import split_reports

from conftest import CAPTURES, MORE_CAPTURES, capture_files
from reference import thin
from reference.cases import TAGS, Script
from scenarios.generate import chunks
from timed_scenario import TimedScenario

STEP = 1 if os.environ.get("SCTPA_ALL_CAPTURES") else 16
WITH_OUTAGES = ["linux/outages/A", "linux/mh-failover/A", "linux/zerowin/A", "linux/init-fail/A", "demo"]
TOLD_BY = {
    "failures": r"^Failures: |associations? (failed|aborted)",
    "violations": r"^Violations: |ignores? (ABORTs|them|it)\b|it ignored them|must be reliable|has to send it again|stays half closed|by \"In progress\""
                  r"|reported none of them|does not report them|the SHUTDOWN in frame \d+ for a closed window|never announced to take"
                  r"|did not announce to take|each packet may have one|unless the network doubled|nobody agreed|no INIT may have|reuses TSNs"
                  r"|without fast retransmission|by the parameters of the RFC",
    "pauses": r"^Pauses: |pauses cost",
    "closed windows": r"^Receiver windows: |closed or full window|window closed",
    "path troubles": r"^Path troubles: |path without answer|\bpath failed\b|\bfailover\b|(reordered|doubled) on the way|the network doubled"
                     r"|frame \d+ (and other transmissions of it |or its ack )?(was|were) lost|tail loss|repeated loss|(lost|dropped) (before|behind|between)"
                     r"|packets between them are lost|acks lost|acks were lost|Lost between|\bICMP (answered|[a-z]+ unreachable)|icmp unreachable"
                     r"|not pass the capture point|do(es)? not reach|a translator changed|: damaged|gave up its peer",
    "set-up repeats": r"^Set-up repeats: |\b([2-9]|[1-9]\d+) (INITs|INIT ACKs|COOKIE ECHOs)\b",
    "loss between interfaces": r"^Lost between interfaces: ",
    "growing queues": r"^Growing queues: ",
    "retransmissions": r"^Retransmissions: |retransmitted (it )?in frame|frame \d+ was retransmitted",
    "troubles of the application": r"^Application: |application asked for it|reads too slowly|its application",
}
OF_TRANSPORT = set(TOLD_BY) - {"troubles of the application", "loss between interfaces"}
RESENT, CLOSED = 5, 7  # columns of "Their data", behind the number of the association and the direction


def paths():
    sample = capture_files((CAPTURES,))[::STEP] + [CAPTURES / f"{name}.pcapng.gz" for name in WITH_OUTAGES]
    return list(dict.fromkeys(sample + capture_files((MORE_CAPTURES,))))


def page_of(tshark, path, report="sctp,triage"):
    result = tshark("-q", "-r", path, "-z", report)
    assert result.returncode == 0, result.stderr
    return split_reports(result.stdout)["triage"]


def statement(page, label):
    """What stands behind a label of the head, in one line."""
    found = re.search(rf"^{label}(.*(?:\n {{5,}}\S.*)*)", page, re.M)
    return " ".join(found[1].split()) if found else ""


def figures(page):
    """The cells of "Their data"."""
    table = page.split("\nTheir data", 1)[1].split("\n\n")[0].splitlines()[3:] if "\nTheir data" in page else []
    return [re.split(r"  +", line.strip()) for line in table]


def told(page):
    """The kinds of which a page tells anywhere but where it says what was not found."""
    head = page.split("\nNot found: ")[0]
    text = re.sub(r"\n +", " ", head)
    kinds = {kind for kind, words in TOLD_BY.items() if re.search(words, text, re.M)}
    for cells in figures(page):
        kinds |= {"retransmissions"} if int(cells[RESENT + 1].replace(",", "")) > 0 else set()
        kinds |= {"closed windows"} if int(cells[CLOSED + 1].replace(",", "")) > 0 else set()
    return kinds


def denied(page):
    """The kinds of which it says that there is nothing."""
    transport = statement(page, "Transport:")
    kinds = set(filter(None, statement(page, "Not found:").split(", ")))
    assert kinds <= set(TOLD_BY)
    kinds |= {"failures", "pauses"} if transport.startswith("no failures and no pauses") else set()
    return kinds | (OF_TRANSPORT if transport.startswith("not to blame") else set())


def contradictions(page):
    return sorted(told(page) & denied(page))


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_no_kind_is_told_and_not_found(tshark, path):
    assert contradictions(page_of(tshark, path)) == []


def test_no_kind_is_told_and_not_found_of_filtered_packets(tshark):
    for name in ("linux/outages/A", "linux/zerowin/A"):
        path = CAPTURES / f"{name}.pcapng.gz"
        assert contradictions(page_of(tshark, path, "sctp,triage,frame.number <= 20")) == []


def written(tshark, tmp_path, script):
    path = tmp_path / "script.pcapng"
    thin.write(path, script.frames)
    return page_of(tshark, path)


def in_one_line(page):
    return " ".join(page.split())


def page_of_scenario(tshark, tmp_path, scenario):
    scenario.write_capture(tmp_path / "scenario.pcapng")
    return page_of(tshark, tmp_path / "scenario.pcapng")


def stall(seconds, answered=True):
    """A SACK that comes after 200 ms, for which a small message waited, in an association that lasts."""
    script = Script()
    for tsn in range(3):
        script.data(tsn)
        script.sack(tsn)
    script.pause(seconds)
    script.data(3)
    script.pause(0.2)
    script.sack(3)
    script.data(4)
    if answered:
        script.sack(4)
    return script


class Fine(Script):
    """Pauses of parts of a second."""

    def pause(self, seconds):
        self.paused_ns += round(seconds * 10**9)


@pytest.mark.parametrize("seconds", [0, 1, 10, 1000])
def test_a_stall_is_told_however_long_the_capture_is(tshark, tmp_path, seconds, monkeypatch):
    monkeypatch.setattr(Script, "pause", Fine.pause)
    page = written(tshark, tmp_path, stall(seconds))
    assert "pauses" in told(page) and "pauses" not in denied(page)
    assert re.search(r"^Pauses: in 1 of 1 association\n  #0 0→1 ", page, re.M)


def test_a_dead_path_is_a_path_trouble(tshark, tmp_path):
    script = Script()
    script.data(0)
    script.sack(0)
    for _ in range(9):
        script.data(1)
        script.pause(1)
    page = written(tshark, tmp_path, script)
    assert "path without answer" in page
    assert "path troubles" not in denied(page)


def test_a_full_window_is_no_window_that_was_not_found_closed(tshark, tmp_path, monkeypatch):
    """Room for less than the chunk that is sent next."""
    monkeypatch.setattr(Script, "pause", Fine.pause)
    script = Script(a_rwnd=250)
    script.data(0)
    script.send(1, script.sack_chunk(0, a_rwnd=250))
    script.data(1, 2)
    script.pause(0.4)
    script.send(1, script.sack_chunk(2, a_rwnd=250))
    script.data(3, 4)
    script.send(1, script.sack_chunk(4, a_rwnd=250))
    page = written(tshark, tmp_path, script)
    assert "closed or full window" in page
    assert "closed windows" not in denied(page)


def test_inits_that_are_repeated_in_vain_are_set_up_repeats(tshark, tmp_path):
    script = Script(set_up=False)
    for _ in range(4):
        script.send(0, chunks.init(TAGS[0], 1000), tag=0)
        script.pause(3)
    page = written(tshark, tmp_path, script)
    assert "set-up repeats" not in denied(page)


def test_nothing_is_told_of_a_transfer_without_trouble(tshark, tmp_path):
    script = Script()
    for tsn in range(5):
        script.data(tsn)
        script.sack(tsn)
    page = written(tshark, tmp_path, script)
    assert told(page) == set()
    assert denied(page) == OF_TRANSPORT

def test_what_passes_late_is_a_path_trouble(tshark, tmp_path):
    scenario = TimedScenario()
    for turn in range(4):
        first = 5 * turn
        scenario.data_at(turn, 1, first)
        for number in range(2, 5):
            scenario.data_at(turn + number / 1000, 1, first + number)
            scenario.sack_at(turn + number / 1000 + 0.0001, 0, first, gaps=((2, number),))
        scenario.data_at(turn + 0.005, 1, first + 1)
        scenario.sack_at(turn + 0.0051, 0, first + 4)
    page = page_of_scenario(tshark, tmp_path, scenario)
    assert "path troubles" not in denied(page) and "lost before the capture" in in_one_line(page)


@pytest.mark.parametrize("sender, seconds", [(0, 12), (1, 3)])
def test_who_ignores_an_abort_violates_something(tshark, tmp_path, sender, seconds):
    scenario = TimedScenario()
    scenario.data_at(0, sender, 0)
    scenario.sack_at(0.02, 1 - sender, 0)
    scenario.at(0.1, 1 - sender, chunks.abort())
    for second in range(1, seconds + 1):
        scenario.data_at(second, sender, second)
        scenario.at(second + 0.02, 1 - sender, chunks.abort())
    page = page_of_scenario(tshark, tmp_path, scenario)
    assert "ignores ABORTs" in in_one_line(page) and "violations" not in denied(page)


def test_who_takes_an_abort_violates_nothing(tshark, tmp_path):
    scenario = TimedScenario()
    scenario.data_at(0, 0, 0)
    scenario.sack_at(0.02, 1, 0)
    scenario.at(0.1, 1, chunks.abort())
    page = page_of_scenario(tshark, tmp_path, scenario)
    assert {"violations", "path troubles"} <= denied(page)


@pytest.mark.parametrize("sender", [0, 1])
def test_a_request_to_open_a_data_channel_that_is_given_up_is_a_violation(tshark, tmp_path, sender):
    scenario = TimedScenario(params=(chunks.tlv(chunks.FORWARD_TSN_SUPPORTED),) * 2)
    scenario.at(0, sender, chunks.data(scenario.tsn(sender, 0), bytes([3, 1] + [0] * 10), sid=sender, ppid=50))
    scenario.at(1, sender, chunks.forward_tsn(scenario.tsn(sender, 0), ((sender, 0),)))
    scenario.sack_at(1.021, 1 - sender, 0)
    scenario.heartbeat_at(13, 1 - sender, after=0.04)
    page = page_of_scenario(tshark, tmp_path, scenario)
    assert "must be reliable" in in_one_line(page) and "violations" not in denied(page)
