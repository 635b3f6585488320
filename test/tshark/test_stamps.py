# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures whose stamps are coarse: the page says how coarse, and rules that need to know whether the tap is near an endpoint are not checked."""

import dataclasses

import pytest
from report_text import split_reports

from reference import thin
from reference.cases import Script


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


def test_nobody_knows_by_whole_seconds_whether_the_tap_is_near(tshark, tmp_path):
    def undecided(unit_ns):
        entry, = reports_of(tshark, tmp_path, unit_ns)["json"]["associations"]
        return entry["endpoints"][1]["undecided_rules"]
    assert undecided(10**9) > undecided(1000)
