# SPDX-License-Identifier: GPL-2.0-or-later
"""Directions that were stamped by clocks that differ: the reports say so, and by how much. What stands out of order by its stamps, or was sent
again, is not taken for it."""

import dataclasses

import pytest
from report_text import split_reports

from reference import thin
from reference.cases import Script
from scenarios.generate import chunks

MS = 10**6
# From the tap to the endpoints and back: frames of an exchange are 0.1 ms, and 30 ms apart.
NEAR_MS, FAR_MS = 0.1, 30


def exchange():
    """Endpoint 0 is near the tap: what it answers follows at once. (frames, who sent each)"""
    script, times_ns, senders = Script(), [], []
    for tsn in range(8):
        script.data(tsn, end=1)
        script.sack(tsn, end=0)
    script.send(1, chunks.heartbeat(b"a probe of the path"))
    script.send(0, chunks.heartbeat_ack(b"a probe of the path"))
    script.send(1, chunks.data((script.tsns[1] + 8) % 2**32, b"the last"))
    now_ns, before = script.frames[0].time_ns, None
    for frame in script.frames:
        sender = int(frame.data[:6] != script.frames[0].data[:6])
        now_ns += int((NEAR_MS if sender == 0 else FAR_MS) * MS) if before is not None else 0
        times_ns.append(now_ns)
        senders.append(sender)
        before = sender
    return [dataclasses.replace(frame, time_ns=time_ns) for frame, time_ns in zip(script.frames, times_ns)], senders


def reports_of(tshark, folder, frames):
    numbered = [dataclasses.replace(frame, number=number) for number, frame in enumerate(frames, 1)]
    thin.write(folder / "capture.pcapng", numbered)
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,triage", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return split_reports(result.stdout)


def moved(shift_ms, drifts=False):
    """The stamps of endpoint 0 later by so much, at once or little by little; in order of stamps."""
    frames, senders = exchange()
    of = [shift_ms * (number / len(frames) if drifts else 1) for number in range(len(frames))]
    return sorted((dataclasses.replace(frame, time_ns=frame.time_ns + (int(ms * MS) if sender == 0 else 0))
                   for frame, sender, ms in zip(frames, senders, of)), key=lambda frame: frame.time_ns)


@pytest.mark.parametrize("shift_ms", [-5, -20])
def test_a_clock_that_is_early_is_told(shift_ms, tshark, tmp_path):
    reports = reports_of(tshark, tmp_path, moved(shift_ms))
    entry, = reports["json"]["associations"]
    clocks = entry["two_clocks"]
    early_ms = -shift_ms - NEAR_MS
    assert clocks["early_endpoint"] == 0 and clocks["least_ms"] < -shift_ms < clocks["most_ms"]
    assert [clocks["least_ms"], clocks["most_ms"]] == pytest.approx([early_ms, early_ms + FAR_MS + NEAR_MS])
    assert [remark["count"] for remark in reports["json"]["capture"]["quality"] if remark["kind"] == "two_clocks"] == [1]
    page = " ".join(reports["triage"].split())
    assert f"its stamps are early by {early_ms:.3f} ms to {early_ms + FAR_MS + NEAR_MS:.3f} ms" in page


def test_a_clock_that_drifts_is_told(tshark, tmp_path):
    entry, = reports_of(tshark, tmp_path, moved(-5, drifts=True))["json"]["associations"]
    assert entry["two_clocks"]["early_endpoint"] == 0 and 0 < entry["two_clocks"]["least_ms"] < 5


@pytest.mark.parametrize("shift_ms", [0, 5])
def test_what_may_be_one_clock_is_not_accused(shift_ms, tshark, tmp_path):
    reports = reports_of(tshark, tmp_path, moved(shift_ms))
    entry, = reports["json"]["associations"]
    assert entry["two_clocks"] is None and "two clocks" not in reports["triage"]


def test_neighbours_that_stand_out_of_order_by_their_stamps_are_no_second_clock(tshark, tmp_path):
    frames, _ = exchange()
    frames[6:8] = frames[7:5:-1]
    entry, = reports_of(tshark, tmp_path, frames)["json"]["associations"]
    assert entry["two_clocks"] is None


def test_data_that_is_sent_again_behind_the_ack_of_what_the_capture_lacks_is_no_second_clock(tshark, tmp_path):
    script, missed = Script(), set()
    for tsn in range(6):
        missed.add(script.data(tsn))
        script.sack(tsn)
        script.pause(1)
        script.data(tsn)
        script.sack(tsn)
    entry, = reports_of(tshark, tmp_path, [frame for frame in script.frames if frame.number not in missed])["json"]["associations"]
    assert entry["two_clocks"] is None
