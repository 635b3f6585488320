# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,windows: closed windows, as the SACKs of the capture show them, and tables that fit a terminal."""

import pathlib
import re

import pytest

from report_text import number, rows_named, width

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
ZERO = ["linux/zerowin/A", "linux/zerowin/B", "usrsctp/zerowin/A", "usrsctp/zerowin/B"]


def capture_named(name):
    return CAPTURES / f"{name}.pcapng.gz"


def windows(tshark, capture, *options):
    result = tshark("-q", "-r", capture, *options, "-z", "sctp,windows")
    assert result.returncode == 0, result.stderr
    return result.stdout


def closed_by_the_sacks(tshark, capture):
    """(frame that closed, frame that opened or None, seconds) of each window that was closed (0, or 1 as FreeBSD announces), by the built-in's fields."""
    result = tshark("-r", capture, "-Y", "sctp.chunk_type == 3", "-T", "fields", "-e", "frame.number", "-e", "frame.time_relative",
                    "-e", "sctp.sack_a_rwnd")
    found, since = [], None
    for line in result.stdout.splitlines():
        frame, time, a_rwnd = line.split("\t")
        if int(a_rwnd) <= 1 and since is None:
            since = int(frame), float(time)
        elif int(a_rwnd) > 1 and since is not None:
            found.append((since[0], int(frame), float(time) - since[1]))
            since = None
    assert since is None, "a window was never opened: take another capture"
    return found


def section(report, heading):
    """The rows of a table below a heading, as lists of cells."""
    lines = report.split(f"\n{heading}")[1].split("\n\n")[0].splitlines()[3:]
    return [re.split(r"  +", line.strip()) for line in lines if not line.startswith("…")]


@pytest.mark.parametrize("name", ZERO)
def test_closed_windows_are_those_that_the_sacks_announce(tshark, name):
    capture = capture_named(name)
    report, expected = windows(tshark, capture), closed_by_the_sacks(tshark, capture)
    total = section(report, "Closed windows")[0]
    assert total[:3] == ["0", "0→1", str(len(expected))]
    assert float(total[3]) == pytest.approx(sum(seconds for *_, seconds in expected), abs=2e-6)
    assert float(total[5]) == pytest.approx(max(seconds for *_, seconds in expected), abs=2e-6)
    longest = section(report, "The longest closed windows")
    assert sorted((int(row[4]), int(row[5])) for row in longest) == sorted(expected_frames[:2] for expected_frames in expected)
    assert [float(row[0]) for row in longest] == sorted((float(row[0]) for row in longest), reverse=True)


def test_announced_windows_are_those_of_the_sacks(tshark):
    capture = capture_named("linux/slowread-loss/A")
    result = tshark("-r", capture, "-Y", "sctp.chunk_type == 3", "-T", "fields", "-e", "sctp.sack_a_rwnd")
    sacks = [int(line) for line in result.stdout.split()]
    report = windows(tshark, capture)
    assert "No window was closed" in report
    row = section(report, "Windows announced")[0]
    assert list(map(number, row[3:])) == [64000, min(sacks), min(sacks), max(sacks)]


def test_the_highest_flight_is_that_of_the_fields(tshark):
    capture = capture_named("linux/slowread-loss/A")
    result = tshark("-r", capture, "-Y", "sctp.analysis.flight", "-T", "fields", "-e", "frame.number", "-e", "sctp.analysis.flight")
    flights = [tuple(map(int, line.split("\t"))) for line in result.stdout.splitlines()]
    row = section(windows(tshark, capture), "Windows used")[0]
    highest = max(flight for _, flight in flights)
    assert number(row[2]) == highest
    assert int(row[3]) == next(frame for frame, flight in flights if flight == highest)


@pytest.mark.parametrize("name", [*ZERO, "linux/slowread-loss/A", "linux/bidir/A", "linux/manyassoc/A"])
def test_windows_fit_a_terminal_and_need_one_pass(tshark, name):
    capture = capture_named(name)
    report = windows(tshark, capture)
    assert all(width(line) <= 80 and line == line.rstrip(" ") for line in report.split("\n"))
    assert report == windows(tshark, capture, "-2")


def test_a_filter_selects_associations(tshark):
    capture = capture_named("linux/manyassoc/A")
    result = tshark("-q", "-r", capture, "-z", "sctp,windows,sctp.analysis.assoc == 3")
    rows = section(result.stdout, "Windows announced")
    assert rows and {row[0] for row in rows} == {"3"}
    whole = rows_named(windows(tshark, capture), "3")
    assert all(row in whole for row in rows_named(result.stdout, "3"))
