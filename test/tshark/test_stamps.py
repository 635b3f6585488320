# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures whose stamps are coarse: the page says how coarse, and rules that need to know whether the tap is near an endpoint are not checked."""

import dataclasses
import json
import pathlib
import re

import jsonschema
import pytest
from report_text import split_reports, triage_of

from reference import thin
from reference.cases import Script

VALIDATOR = jsonschema.Draft7Validator(json.loads((pathlib.Path(__file__).resolve().parent.parent.parent / "docs/json_schema.json").read_text()))


def reports_of(tshark, folder, unit_ns):
    script = Script()
    for tsn in range(8):
        script.data(tsn)
        script.sack(tsn)
    # An answer follows a tenth of a millisecond after what it answers.
    times_ns = [frame.time_ns - (0 if frame.number % 2 else 9_900_000) + 1_234_567 for frame in script.frames]
    frames = [dataclasses.replace(frame, time_ns=time_ns // unit_ns * unit_ns) for frame, time_ns in zip(script.frames, times_ns)]
    thin.write(folder / "capture.pcapng", frames)
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,triage", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return split_reports(result.stdout)


@pytest.mark.parametrize("unit_ns, words", [
    (10**9, "Timestamps are whole seconds: shorter times are unknown, and so is whether the capture was taken near an endpoint"),
    (10**8, "Timestamps are multiples of 100 ms: shorter times are unknown, and so is whether the capture was taken near an endpoint"),
    (10**7, "Timestamps are multiples of 10 ms: shorter times are unknown"),
    (10**6, "Timestamps are whole milliseconds: shorter times are unknown"), (10**3, None), (1, None)])
def test_how_coarse_stamps_are_is_told(unit_ns, words, tshark, tmp_path):
    reports = reports_of(tshark, tmp_path, unit_ns)
    page = " ".join(reports["triage"].split())
    assert words in page if words else "Timestamps are" not in page
    assert ("and so is whether the capture" in page) == (unit_ns >= 10**8)
    assert reports["json"]["capture"]["stamp_unit_ms"] == max(unit_ns, 1000) / 10**6


@pytest.mark.parametrize("unit_ns", [10**9, 10**7, 10**6])
def test_the_json_of_coarse_stamps_follows_the_schema(unit_ns, tshark, tmp_path):
    """Times that the clock does not tell from none are null."""
    document = reports_of(tshark, tmp_path, unit_ns)["json"]
    assert [error.message for error in VALIDATOR.iter_errors(document)] == []
    spreads = [direction["rtt_ms"] for direction in document["associations"][0]["directions"] if direction["rtt_ms"]]
    assert unit_ns < 10**9 or spreads[0]["median"] is None


def test_nobody_knows_by_whole_seconds_whether_the_tap_is_near(tshark, tmp_path):
    def undecided(unit_ns):
        entry, = reports_of(tshark, tmp_path, unit_ns)["json"]["associations"]
        return entry["endpoints"][1]["undecided_rules"]
    assert undecided(10**9) > undecided(1000)


SECOND = 10**9


def answered_at(times_ns, late_s=1):
    """An exchange of DATA and SACK at each of the times, the SACK so many seconds and 0.2 ms later."""
    script = Script(set_up=False)
    for tsn, _ in enumerate(times_ns):
        script.data(tsn)
        script.sack(tsn)
    stamps = [time_ns + late_ns for time_ns in times_ns for late_ns in (0, late_s * SECOND + 200_000)]
    stamped = sorted(zip(stamps, script.frames), key=lambda pair: pair[0])
    return [dataclasses.replace(frame, number=number, time_ns=time_ns) for number, (time_ns, frame) in enumerate(stamped, 1)]


def page_of(tshark, folder, frames):
    thin.write(folder / "capture.pcapng", frames)
    return triage_of(tshark, folder / "capture.pcapng")


# Stamps near whole seconds: after them, some before, and gaps between them.
NEAR_SECONDS = [[1_700_000_000 * SECOND + second * SECOND + offset for second, offset in zip(seconds, offsets)]
                for seconds, offsets in ((range(6), (417_000, 74_000, 89_000, 1_000, 700_001, 620_000)),
                                         ((0, 0, 0, 1, 1, 3, 7), (-900_000, 3_000, 8_000, -2_000, 499_000, -700_000, 5)))]


@pytest.mark.parametrize("times_ns", NEAR_SECONDS)
def test_a_clock_of_whole_seconds_is_told_though_it_jitters(times_ns, tshark, tmp_path):
    page = page_of(tshark, tmp_path, answered_at(times_ns))
    assert "All timestamps lie within 1 ms of" in page and "whole seconds, and answers take whole seconds" in page
    assert "times below a second mean nothing" in page and "once in" not in page
    assert re.search(r"0→1 +- +- +- +- +0 +0.0 +0 +-", page), "RTT, time to the ack and RTT from tap are not told"


@pytest.mark.parametrize("times_ns", NEAR_SECONDS)
def test_a_timer_of_seconds_that_is_answered_at_once_is_no_clock_of_seconds(times_ns, tshark, tmp_path):
    """Request and answer in one second: their stamps differ in that order, by the time that the answer takes."""
    page = page_of(tshark, tmp_path, answered_at(times_ns, late_s=0))
    assert "whole seconds" not in page and "Capture: read with care" not in page
    assert "0.200" in page


@pytest.mark.parametrize("unit_ns", [10**9, 10**8])
def test_what_the_clock_does_not_tell_apart_is_no_measurement(unit_ns, tshark, tmp_path):
    page = " ".join(reports_of(tshark, tmp_path, unit_ns)["triage"].split())
    assert "set-up complete" in page and "the slowest after" not in page
    assert re.search(r"0→1 +[\d-]+[ \w]* +- +- +- +0 +0.0 +0 +-", page)


@pytest.mark.parametrize("jitter_ns, late_s, slowest", [(0, 2, None), (0, 9, None), (0, 12, "12.00 s"), (200_000, 2, None), (200_000, 3, None)])
def test_by_a_clock_of_whole_seconds_the_slowest_ack_is_told_where_a_second_is_a_tenth_of_it(jitter_ns, late_s, slowest, tshark, tmp_path):
    """A second more or less may lie between two stamps than did: of 1.1 s they may make 2 s."""
    frames = answered_at([(1_700_000_000 + 20 * number) * SECOND + jitter_ns for number in range(6)], late_s)
    if jitter_ns == 0:
        frames = [dataclasses.replace(frame, time_ns=frame.time_ns // SECOND * SECOND) for frame in frames]
    page = page_of(tshark, tmp_path, frames)
    assert "hole seconds" in page and "all 6 DATA chunks were acknowledged" in page
    assert f"the slowest after {slowest}" in page if slowest else "slowest" not in page


TIMES = {"RTT": ("paths", r"^0 +0 +0 +0 +0 +(\S+) +(\S+) +(\S+) +- "), "acks": ("chunks", r"^0→1 .* (\S+) +(\S+)$"),
         "delays": ("delays", r"^0 +0→1 +0 .* 8 +(\S+) +(\S+) +(\S+) +(\S+) +0$"), "set-up": ("setup", r"min (\S+).*, median (\S+).*, max (\S+)")}


def times_in(tshark, capture):
    """By what they time, the cells of tables; the times of JSON, by name."""
    done = tshark("-q", "-r", capture, *(word for name, _ in TIMES.values() for word in ("-z", f"sctp,{name}")), "-z", "sctp,json")
    assert done.returncode == 0, done.stderr
    cells = {what: re.search(pattern, done.stdout, re.M) for what, (_, pattern) in TIMES.items()}
    assert all(cells.values()), cells
    entry, = split_reports(done.stdout)["json"]["associations"]
    sent, = (direction for direction in entry["directions"] if direction["tsns"])
    rtts = [spread[key] for spread in (sent["rtt_ms"], sent["sack_delay_ms"], entry["paths"][0]["rtt_ms"]) for key in ("min", "median", "p95", "max")]
    delays = [sent["message_delay"]["ack_ms"][key] for key in ("median", "p95", "p99", "max")]
    return ([cell.rstrip(",") for found in cells.values() for cell in found.groups()],
            [*rtts, *delays, entry["setup_time_s"], sent["efficiency"]["sack_delay_sum_s"]])


@pytest.mark.parametrize("unit_ns", [10**9, 10**8])
def test_no_report_shows_a_time_below_the_tick_as_measured(unit_ns, tshark, tmp_path):
    reports_of(tshark, tmp_path, unit_ns)
    cells, numbers = times_in(tshark, tmp_path / "capture.pcapng")
    assert set(cells) == {"-"} and set(numbers) == {None}


@pytest.mark.parametrize("unit_ns", [10**5, 1])
def test_every_report_shows_times_of_a_fine_clock(unit_ns, tshark, tmp_path):
    reports_of(tshark, tmp_path, unit_ns)
    cells, numbers = times_in(tshark, tmp_path / "capture.pcapng")
    assert "-" not in cells and None not in numbers


# A timer of one second that began at any time; one stamp that is finer; too few seconds to tell.
@pytest.mark.parametrize("times_ns", [[time_ns + 300_000_000 for time_ns in NEAR_SECONDS[0]], NEAR_SECONDS[0] + [1_700_000_009_500_000_000],
                                      [1_700_000_000 * SECOND + offset for offset in range(0, 600_000, 100_000)]])
@pytest.mark.parametrize("late_s", [0, 1])
def test_what_may_be_a_finer_clock_is_not_told_as_one_of_seconds(times_ns, late_s, tshark, tmp_path):
    assert "whole seconds" not in page_of(tshark, tmp_path, answered_at(times_ns, late_s))


def test_no_pause_is_shorter_than_the_clock_can_tell(tshark, tmp_path):
    """The SACK in the next second may have come at once."""
    script = Script(set_up=False)
    seconds = [1_700_000_000 + number for number in (0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4)]
    for tsn in range(6):
        script.data(tsn)
        script.sack(tsn)
    frames = [dataclasses.replace(frame, time_ns=second * SECOND + 1_000 * frame.number) for frame, second in zip(script.frames, seconds)]
    assert "pauses cost" not in page_of(tshark, tmp_path, frames)
