# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run --follow: a ring is read while it is written, to its last file, and reported when nothing comes any more or at Ctrl-C."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

from test_run import DEMO, TOP, complaints, run

sys.path.append(str(TOP / "test" / "sequence"))

from cutting import cut, unpacked  # noqa: E402


def write_slowly(pieces, target, lacking=()):
    """Writes pieces into the folder target as a capturing program does: some bytes at a time, the next file when one is whole."""
    for number, piece in enumerate(pieces):
        if number in lacking:
            continue
        data = piece.read_bytes()
        with open(target / piece.name, "ab", buffering=0) as file:
            for begin in range(0, len(data), len(data) // 3 + 1):
                file.write(data[begin:begin + len(data) // 3 + 1])
                time.sleep(0.15)


@pytest.fixture
def pieces(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "ring").mkdir()
    written, _ = cut(DEMO, tmp_path / "whole", 4, seed=5)
    return written


def follow(folder, first, seconds="4"):
    return subprocess.Popen([TOP / "run", "--follow", seconds, "-z", "sctp,json", first], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8", start_new_session=True)


def associations(text):
    return json.loads(text)["associations"]


@pytest.mark.thorough
def test_a_ring_is_read_while_it_is_written(tmp_path, pieces):
    (tmp_path / "ring" / pieces[0].name).write_bytes(pieces[0].read_bytes()[:1000])
    process = follow(tmp_path / "ring", pieces[0].name)
    (tmp_path / "ring" / pieces[0].name).write_bytes(pieces[0].read_bytes())
    writer = threading.Thread(target=write_slowly, args=(pieces[1:], tmp_path / "ring"))
    writer.start()
    out, said = process.communicate(timeout=300)
    writer.join()
    assert process.returncode == 0, said
    assert associations(out) == associations(run("-z", "sctp,json", DEMO).stdout)
    assert [each["file"] for each in json.loads(out)["capture"]["files"]] == [piece.name for piece in pieces]


@pytest.mark.thorough
def test_a_file_that_was_overwritten_unread_is_a_gap(tmp_path, pieces):
    shutil.copy(pieces[0], tmp_path / "ring")
    writer = threading.Thread(target=write_slowly, args=(pieces, tmp_path / "ring", (0, 1)))
    writer.start()
    process = follow(tmp_path / "ring", pieces[0].name)
    out, said = process.communicate(timeout=300)
    writer.join()
    assert process.returncode == 0 and f"{pieces[2].name}: file 00002 is missing before it" in said
    assert [each["gap_before"] for each in json.loads(out)["capture"]["files"]] == [None, "file 00002 is missing", None]


def test_a_last_file_without_a_packet_is_no_fault(tmp_path, pieces):
    shutil.copy(pieces[0], tmp_path / "ring")
    (tmp_path / "ring" / pieces[1].name).touch()
    result = run("--follow", "2", "-z", "sctp,json", pieces[0].name, folder=tmp_path / "ring")
    assert result.returncode == 0 and f"run: {pieces[1].name}: is still being written; read up to its last complete packet" in complaints(result)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_it_and_only_that_of_the_keyboard_reports(tmp_path, pieces, number):
    half = pieces[0].read_bytes()
    (tmp_path / "ring" / pieces[0].name).write_bytes(half[:len(half) // 2])
    process = follow(tmp_path / "ring", pieces[0].name, "600")
    time.sleep(6)
    process.send_signal(number)
    out, said = process.communicate(timeout=60)
    if number == signal.SIGTERM:
        assert process.returncode == 143 and out == ""
    else:
        assert process.returncode == 0 and "is still being written; read up to its last complete packet" in said and associations(out)


@pytest.mark.parametrize("arguments, words", [
    (["--follow", "0", "a_00001.pcap"], "no number of seconds"),
    (["--follow", "5", "a.pcap.gz", "b.pcap"], "--follow needs numbered files of one ring"),
    (["--follow"], "needs a value"),
])
def test_wrong_usage_is_one_line(tmp_path, arguments, words):
    result = run(*arguments, folder=tmp_path)
    line, = complaints(result)
    assert words in line and result.returncode == 2 and result.stdout == ""


def test_what_dumpcap_writes_is_read_as_it_was(tmp_path, pieces):
    dumpcap = shutil.which("dumpcap")
    if not dumpcap:
        pytest.skip("no dumpcap")
    source = tmp_path / "source.pcapng"
    source.write_bytes(unpacked(DEMO))
    with open(source, "rb") as stdin:
        result = subprocess.run([dumpcap, "-q", "-i", "-", "-b", "packets:1500", "-w", tmp_path / "ring" / "r.pcapng"], stdin=stdin, capture_output=True,
                                encoding="utf-8", timeout=120, check=False)
    written = sorted(os.listdir(tmp_path / "ring"))
    if result.returncode or not written:
        pytest.skip(f"dumpcap does not take a capture from a pipe here: {result.stderr[-200:]}")
    assert len(written) == 5
    report = run("--sequence", "-z", "sctp,json", *written, folder=tmp_path / "ring")
    assert report.returncode == 0 and associations(report.stdout) == associations(run("-z", "sctp,json", DEMO).stdout)
