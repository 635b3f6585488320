# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run --sequence: files that are one capture are reported as one; what it says of each bad file, and its exit status.

Leaves the order of files and what they may hold to test/sequence.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from test_run import AS_ROOT, DEMO, SCTP, TOP, complaints, pcap, run

sys.path.append(str(TOP / "test" / "sequence"))

from cutting import cut  # noqa: E402


@pytest.fixture(scope="module")
def whole():
    """The reports of the demo as one file."""
    return run("-z", "sctp,triage", "-z", "sctp,findings", DEMO)


@pytest.fixture
def pieces(tmp_path):
    """The demo cut in four, as names for arguments in this folder."""
    written, counts = cut(DEMO, tmp_path, 4, seed=7)
    return [path.name for path in written], counts


def ordinary(text):
    """A report but for what names files."""
    text = re.sub(r"\n {6}in the files: .*(?:\n {6}\S*_0000\d_.*)*", "", text)
    return re.sub(r"\n  files {9}.*(?:\n {16}\S.*)*", "", re.sub(r"^(SCTP [^:]*): .*", r"\1", text, flags=re.M))


def test_the_demo_in_four_files_is_reported_as_the_demo(tmp_path, pieces, whole):
    names, counts = pieces
    result = run("--sequence", "-z", "sctp,triage", "-z", "sctp,findings", *reversed(names), folder=tmp_path)
    assert complaints(result) == ["run: reading 4 files as one capture, in the order of their numbers"] and result.returncode == 0
    assert f"SCTP triage: {names[0]} and 3 more files\n" in result.stdout
    assert f"frames 1 to {counts[0]}: {names[0]}" in result.stdout and f"frames {counts[0] + 1} to {counts[0] + counts[1]}: {names[1]}" in result.stdout
    assert ordinary(result.stdout) == ordinary(whole.stdout)


def test_findings_name_the_file_and_its_frame(tmp_path, pieces):
    names, counts = pieces
    result = run("--sequence", "-z", "sctp,json", *names, folder=tmp_path)
    frame = next(finding["frames"][0] for assoc in json.loads(result.stdout)["associations"] for finding in assoc["findings"])
    at = next(number for number in range(4) if sum(counts[:number + 1]) >= frame)
    result = run("--sequence", "-z", "sctp,findings", *names, folder=tmp_path)
    assert f"in the files: {names[at]}:{frame - sum(counts[:at])}" in re.sub(r"\n +", " ", result.stdout)


def test_without_sequence_each_file_is_a_capture_and_the_option_is_named(tmp_path, pieces):
    result = run("-z", "sctp,setup", *pieces[0], folder=tmp_path)
    assert complaints(result) == ["run: some of these files look like parts of one capture; --sequence reads them as one"]
    assert result.stdout.count("ring_0000") == 4 and result.returncode == 0


def test_a_missing_file_is_a_gap_in_message_text_and_json(tmp_path, pieces):
    names, counts = pieces
    del names[1]
    result = run("--sequence", *names, folder=tmp_path)
    assert f"run: {names[1]}: file 00002 is missing before it" in complaints(result) and result.returncode == 0
    assert "Capture: read with care" in result.stdout and "1 gap between the files of the capture" in result.stdout
    described = json.loads(run("--sequence", "-z", "sctp,json", *names, folder=tmp_path).stdout)["capture"]
    assert {"kind": "gap", "count": 1, "first_frame": counts[0] + 1} in described["quality"]
    assert [each["gap_before"] for each in described["files"]] == [None, "file 00002 is missing", None]


@pytest.mark.parametrize("stem, shown", [(b"odd\xff\n", r"odd\xff\x0a"), (b"odd\xff", r"odd\xff")])
def test_names_that_are_no_text_are_shown_escaped(tmp_path, stem, shown):
    names = [os.fsdecode(b"%s_0000%d.pcap" % (stem, number)) for number in (1, 3)]
    for name in names:
        (tmp_path / name).write_bytes(pcap())
    result = run("--sequence", "--complete", "-z", "sctp,json", *names, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    described = json.loads(result.stdout)["capture"]
    assert described["file"] == f"{shown}_00001.pcap and 1 more file"
    # A name with a newline is none of a ring, of which files could be missing.
    assert described["asserted"]["complete"] == (b"\n" in stem)
    said = f"run: {shown}_00003.pcap: file 00002 is missing before it: the capture is incomplete; --complete is ignored"
    assert (said in complaints(result)) == (b"\n" not in stem)


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("bad, is_said", [(2, True), (4, False)])
def test_what_rests_on_complete_is_doubted_where_a_file_before_the_last_was_cut(tmp_path, pieces, bad, is_said):
    names, _ = pieces
    path = tmp_path / names[bad - 1]
    path.write_bytes(path.read_bytes()[:-10])
    result = run("--sequence", "--complete", *names, folder=tmp_path)
    doubt = "run: the capture is incomplete: findings that rest on --complete may be wrong"
    assert result.returncode == 1 and (doubt in complaints(result)) == is_said
    assert doubt not in complaints(run("--sequence", *names, folder=tmp_path))


def bad_files(folder):
    (folder / "r_00001.pcap").write_bytes(pcap())
    (folder / "r_00002.pcap").write_bytes(SCTP)
    (folder / "r_00003.pcap").write_bytes(b"")
    (folder / "r_00004.pcap").write_bytes(b"no capture\n" * 20)
    (folder / "r_00005.pcap").write_bytes(SCTP[:-10])
    return [f"r_0000{number}.pcap" for number in range(1, 7)]


def test_each_bad_file_is_named_with_its_cause_and_the_rest_is_reported(tmp_path):
    names = bad_files(tmp_path)
    result = run("--sequence", "-z", "sctp,json", *names, folder=tmp_path)
    said = [line for line in complaints(result) if "as one capture" not in line]
    assert said[:3] == [f"run: {names[2]}: is empty (0 bytes)", f"run: {names[3]}: is not a capture file that Wireshark understands",
                        f"run: {names[4]}: cut short in the middle of a packet"]
    assert said[3] == f"run: {names[5]}: there is no such file" or said[3].startswith(f"run: {names[4]}: begins")
    described = json.loads(result.stdout)["capture"]
    assert result.returncode == 1 and described["sctp_packets"] == 5
    assert [each["whole"] for each in described["files"]] == [True, True, False, False, False, False]


def test_files_of_which_none_can_be_read_are_no_lost_report(tmp_path):
    result = run("--sequence", "missing1.pcap", "missing2.pcap", folder=tmp_path)
    assert [line for line in complaints(result) if "no such file" in line] == [f"run: missing{number}.pcap: there is no such file" for number in (1, 2)]
    assert result.returncode == 1


@pytest.mark.parametrize("arguments, words", [
    (["--sequence"], "--sequence needs the files"),
    (["--sequence", "-"], "not the standard input"),
    (["--sequence", "--gui", "a.pcap"], "--gui opens one capture"),
])
def test_wrong_usage_is_said_before_anything_is_read(tmp_path, arguments, words):
    result = run(*arguments, folder=tmp_path)
    assert words in result.stderr and result.returncode == 2 and result.stdout == ""


def test_a_wrong_filter_ends_it_in_one_line_and_leaves_no_process(tmp_path, pieces):
    result = run("--sequence", "-Y", "no such field ==", *pieces[0], folder=tmp_path)
    assert any("the filter is not valid" in line for line in complaints(result)) and result.returncode == 2
    assert running(tmp_path) == []


@AS_ROOT
def test_files_that_only_root_can_read_are_read(tmp_path, pieces):
    for name in pieces[0]:
        (tmp_path / name).chmod(0o600)
    result = run("--sequence", "-z", "sctp,setup", *pieces[0], folder=tmp_path)
    assert result.returncode == 0 and "and 3 more files" in result.stdout


def running(folder):
    """Processes with the folder, or a stream of a sequence, in their command lines."""
    listing = subprocess.run(["ps", "-eo", "args="], capture_output=True, encoding="utf-8", check=True).stdout
    return [line for line in listing.splitlines() if str(folder) in line]


def test_an_interrupt_leaves_no_process(tmp_path, pieces):
    paths = [str(tmp_path / name) for name in pieces[0]]
    process = subprocess.Popen([TOP / "run", "--sequence", *paths], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
                               start_new_session=True)
    while "as one capture" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) in (0, 143)
    deadline = time.monotonic() + 20
    while running(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert running(tmp_path) == []


def test_nobody_can_assert_that_files_that_lack_one_are_complete(tmp_path, pieces):
    names = pieces[0]
    asserted = json.loads(run("--sequence", "--complete", "-z", "sctp,json", *names, folder=tmp_path).stdout)["capture"]["asserted"]
    result = run("--sequence", "--complete", "-z", "sctp,json", *names[:1], *names[2:], folder=tmp_path)
    assert asserted["complete"] and not json.loads(result.stdout)["capture"]["asserted"]["complete"]
    assert f"run: {names[2]}: file 00002 is missing before it: the capture is incomplete; --complete is ignored" in complaints(result)
