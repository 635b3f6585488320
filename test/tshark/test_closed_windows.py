# SPDX-License-Identifier: GPL-2.0-or-later
"""Why a window was closed: captures of a slow reader, of a lost TSN that keeps a full buffer from being read, of both, and of what nobody
can tell. The triage says which, the windows report and the JSON have the times."""

import re

import pytest
from report_text import split_reports

from reference import thin
from reference.cases import Script

REST = (2, 4)               # the gap block of the chunks above the lost one


def sent():
    """Five chunks of which the second is lost behind the tap."""
    script = Script()
    for tsn in range(5):
        script.data(tsn)
    return script


def closing(script, *gaps, cum=0, a_rwnd=0):
    script.send(1, script.sack_chunk(cum, *gaps, a_rwnd=a_rwnd))


def slow_reader(a_rwnd=0):
    script = sent()
    closing(script, cum=4, a_rwnd=a_rwnd)
    script.pause(2)
    closing(script, cum=4, a_rwnd=5000)
    return script


def lost_tsn():
    script = sent()
    closing(script, REST)
    for _ in range(2):
        script.pause(1)
        script.data(1)
    closing(script, cum=4, a_rwnd=5000)
    return script


def both():
    script = sent()
    closing(script, REST)
    script.pause(1)
    script.data(1)
    closing(script, cum=4)
    script.pause(2)
    closing(script, cum=4, a_rwnd=5000)
    return script


def two_lost_tsns():
    """TSN 1 is lost twice, for two seconds; TSN 2 arrives with it, all but a moment."""
    script = sent()
    closing(script, (3, 4))
    for _ in range(2):
        script.pause(1)
        script.data(1)
    closing(script, (2, 3), cum=1)
    script.data(2)
    closing(script, cum=4, a_rwnd=5000)
    return script


def not_decidable():
    """The reader is slow when the window closes; then a TSN is missing, too."""
    script = sent()
    closing(script)
    closing(script, REST)
    script.pause(1)
    script.data(1)
    closing(script, cum=4, a_rwnd=5000)
    return script


def reports_of(tshark, script, tmp_path):
    thin.write(tmp_path / "made.pcapng", script.frames)
    result = tshark("-q", "-r", tmp_path / "made.pcapng", "-z", "sctp,triage", "-z", "sctp,windows", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return split_reports(result.stdout)


def cause(triage):
    """What the triage says behind the frames."""
    text = " ".join(triage.split("\nReceiver windows: ")[1].split("\n\n")[0].split())
    return re.search(r"from frame \d+ to \d+(?:: (.*?))?(?:;|$)", text)[1]


@pytest.mark.parametrize("make, words, times", [
    (slow_reader, "endpoint 1 reads too slowly, with no TSN missing", (2.01, 2.01, 0)),
    (lambda: slow_reader(a_rwnd=1), "endpoint 1 reads too slowly, with no TSN missing", (2.01, 2.01, 0)),
    (lost_tsn, "endpoint 1 waits for TSN 1, lost 2 times, with 300 of 10,000 bytes gap-acked", (2.03, 0, 2.03)),
    (two_lost_tsns, "endpoint 1 waits for TSN 1, lost 2 times, with 200 of 10,000 bytes gap-acked", (2.05, 0, 2.05)),
    (both, "endpoint 1 reads too slowly (2.010 s), with no TSN missing and waits for TSN 1, lost 1 time (1.020 s), with 300 of 10,000 bytes gap-acked",
     (3.03, 2.01, 1.02)),
    (not_decidable, "not decidable whether endpoint 1 reads too slowly or a loss kept it from reading (1.020 s)", (1.03, 0.01, 0)),
], ids=["slow_reader", "a_rwnd_of_1", "lost_tsn", "two_lost_tsns", "both", "not_decidable"])
def test_the_cause_of_a_closed_window_is_what_the_capture_proves(tshark, tmp_path, make, words, times):
    reports = reports_of(tshark, make(), tmp_path)
    assert cause(reports["triage"]) == words
    closed = reports["json"]["associations"][0]["directions"][0]["closed_windows"]
    assert closed["times"] == 1
    assert (closed["total_s"], closed["slow_reader_s"], closed["waiting_for_tsn_s"]) == pytest.approx(times)
    assert ("slow reader" in reports["windows"]) == (times[1] > 0)
    assert ("waits for TSN 1" in reports["windows"]) == (times[2] > 0)


def longest_row(windows):
    """The cells of the longest closed window."""
    rows = windows.split("\nThe longest closed windows")[1].split("\n\n")[0].splitlines()[3:]
    return re.split(r"  +", rows[0].strip())


@pytest.mark.parametrize("make, gap_bytes, opened_by", [
    (slow_reader, "0", "reader"), (lost_tsn, "300", "TSN"), (two_lost_tsns, "200", "TSN"), (both, "300", "reader"), (not_decidable, "0", "reader"),
])
def test_each_closure_has_its_proof_and_what_ended_it(tshark, tmp_path, make, gap_bytes, opened_by):
    assert longest_row(reports_of(tshark, make(), tmp_path)["windows"])[6:8] == [gap_bytes, opened_by]


def test_a_window_that_is_closed_throughout_is_told(tshark, tmp_path):
    """Begun and ended while a receiver announces 1, the silly-window value of FreeBSD."""
    script = Script(set_up=False)
    script.data(0)
    for _ in range(3):
        script.pause(1)
        closing(script, cum=0, a_rwnd=1)
    assert "\nReceiver windows: " in reports_of(tshark, script, tmp_path)["triage"]
