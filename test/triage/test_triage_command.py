# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what a triage of many captures says and survives: every association in every output, bad files, kills, changed files.

Leaves hostile contents to test_triage_hostile.py, the page to test_triage_page.py, other machines to test_triage_machines.py.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import jsonschema
import pytest

from triage_runs import OUTPUTS, children, complaints, gather, triage  # noqa: F401
from conftest import TOP
from scenarios.generate import merge
from scenarios.generate.cases import make

SMALL = ("linux/aborts/A.pcapng.gz", "usrsctp/restart/A.pcapng.gz", "dcsctp/abort/A.pcap.gz")
SCHEMA = json.loads((TOP / "docs" / "json_schema.json").read_text())


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def test_each_association_is_a_line_as_tshark_has_it(triage, tshark, tmp_path):
    folder = gather(tmp_path / "in", *SMALL)
    result = triage(folder)
    assert result.returncode == 0, result.stderr
    lines = triage.associations()
    expected = []
    for path in sorted(folder.iterdir()):
        document = json.loads(tshark("-q", "-r", path, "-z", "sctp,json").stdout)
        expected += [(str(path), assoc) for assoc in document["associations"]]
    assert len(expected) > 3
    for line, (path, assoc) in zip(lines, expected, strict=True):
        assert line.pop("capture")["file"] == path and line.pop("schema") == "sctp-analysis/2" and line.pop("generator")["plugin"]
        assert line == assoc
    validator = jsonschema.Draft7Validator({**SCHEMA, **SCHEMA["definitions"]["association"]})
    assert [error.message for line in lines for error in validator.iter_errors(line)] == []


def test_the_start_of_a_capture_keeps_its_nanoseconds(triage, tshark, tmp_path):
    folder = gather(tmp_path / "in", SMALL[0])
    triage(folder)
    text = tshark("-q", "-r", folder / "linux_aborts_A.pcapng.gz", "-z", "sctp,json").stdout
    start = text.split('"start_epoch_s": ')[1].split(",")[0]
    assert len(start.split(".")[1]) == 9 and f'"start_epoch_s":{start}}}' in triage.output("associations.ndjson")


def test_tables_have_a_row_per_association_and_per_capture(triage, tmp_path):
    triage(gather(tmp_path / "in", *SMALL))
    lines, rows = triage.associations(), triage.table("associations.csv")
    assert [(row["capture"], int(row["association"]), row["end"], int(row["packets"])) for row in rows] == \
        [(line["capture"]["file"], line["index"], line["end"], line["packets"]) for line in lines]
    assert [row["stack_0"] for row in rows] == [line["endpoints"][0]["stack"]["name"] if line["endpoints"][0]["stack"] else "" for line in lines]
    captures = triage.captures()
    assert sum(int(row["associations"]) for row in captures.values()) == len(lines) and {row["state"] for row in captures.values()} == {"read"}


def test_one_run_of_tshark_per_capture(triage, tmp_path):
    folder = gather(tmp_path / "in", *SMALL)
    triage(folder)
    assert sorted(triage.reads()) == sorted(os.listdir(folder))


def test_bad_files_are_named_with_their_cause_and_stop_nobody(triage, tmp_path, wireshark_version):
    folder = gather(tmp_path / "in", SMALL[2])
    whole = tmp_path / "whole.pcapng"
    merge.write(make("restart"), whole)
    (folder / "cut.pcapng").write_bytes(whole.read_bytes()[:-10])
    (folder / "empty.pcap").write_bytes(b"")
    (folder / "text.pcap").write_text("no capture at all\n" * 50)
    with open(folder / "sparse.pcap", "wb") as sparse:
        sparse.truncate(300 << 20)
    os.mkfifo(folder / "pipe.pcap")
    for path in folder.glob("*.pcap*"):
        path.chmod(0o644)
    result = triage(folder, folder / "missing.pcap", folder / "pipe.pcap")
    assert result.returncode == 1
    said = {pathlib.Path(line.split(": ")[0]).name: line.split(": ", 1)[1] for line in complaints(result)}
    sparse_is = "is not a capture file" if wireshark_version >= (4, 4) else "is damaged or corrupt"
    for name, cause in (("cut.pcapng", "cut short in the middle of a packet"), ("empty.pcap", "is empty"), ("text.pcap", "is not a capture file"),
                        ("sparse.pcap", sparse_is), ("missing.pcap", "there is no such file"), ("pipe.pcap", "is no regular file")):
        assert cause in said[name], name
    captures = triage.captures()
    assert {name: row["state"] for name, row in captures.items()} == {
        "cut.pcapng": "read in part", "dcsctp_abort_A.pcap.gz": "read", "empty.pcap": "not read", "text.pcap": "not read", "sparse.pcap": "not read",
        "missing.pcap": "not read", "pipe.pcap": "not read"}
    assert {pathlib.Path(line["capture"]["file"]).name for line in triage.associations()} == {"cut.pcapng", "dcsctp_abort_A.pcap.gz"}


def test_other_files_of_a_folder_are_left_out_and_captures_of_any_name_found(triage, tmp_path):
    folder = gather(tmp_path / "in", SMALL[0])
    merge.write(make("restart"), folder / "capture.0001")
    (folder / "capture.0001").chmod(0o644)
    (folder / "notes.txt").write_text("no capture\n")
    result = triage(folder)
    assert result.returncode == 0 and "left out 1 file" in result.stderr
    assert set(triage.captures()) == {"linux_aborts_A.pcapng.gz", "capture.0001"}


def test_what_was_done_is_not_done_again(triage, tmp_path):
    folder = gather(tmp_path / "in", *SMALL)
    triage(folder)
    before = {name: triage.output(name) for name in OUTPUTS if name != "report.html"}
    reads = triage.reads()
    triage(folder)
    assert triage.reads() == reads
    assert {name: triage.output(name) for name in before} == before


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("change", ["time", "option", "damage"])
def test_what_changed_is_read_again(triage, tmp_path, change):
    folder = gather(tmp_path / "in", *SMALL[:2])
    triage(folder)
    lines, reads, options = triage.associations(), len(triage.reads()), []
    if change == "time":
        os.utime(folder / "linux_aborts_A.pcapng.gz", (1, 1))
    elif change == "option":
        options = ["-o", "sctp_analysis.rules:None"]
    else:
        for path in (triage.out / "resume").glob("*.ndjson.gz"):
            path.write_bytes(path.read_bytes()[:-20])
        result = triage(folder)
        assert result.returncode == 1 and result.stderr.count("were damaged") == 2
    result = triage(folder, *options)
    assert result.returncode == 0, result.stderr
    assert len(triage.reads()) - reads == (1 if change == "time" else 2)
    assert len(triage.associations()) == len(lines) and (triage.associations() == lines) == (change != "option")


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.thorough
def test_a_killed_run_goes_on_where_it_was(triage, tmp_path):
    names = [f"{stack}/{scenario}/{tap}.pcapng.gz" for stack in ("linux", "usrsctp") for scenario in ("aborts", "restart") for tap in "AB"][:6]
    folder = gather(tmp_path / "in", *names)
    triage.trick("sleep 0.2")
    with triage.start("--jobs", "2", folder) as run:
        wait_until(lambda: len(triage.heads()) >= 3)
        family = children(run.pid)
        os.kill(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    wait_until(lambda: not any(map(is_running, family)), 20)
    done, reads = set(triage.heads()), len(triage.reads())
    assert 3 <= len(done) < len(names)
    assert not (triage.out / "report.html").exists()
    triage.trick("")
    assert triage(folder).returncode == 0
    again = triage.reads()[reads:]
    assert not done & set(again) and sorted(done | set(again)) == sorted(os.listdir(folder)) and len(again) == len(set(again))
    interrupted = triage.associations()
    triage.out = tmp_path / "fresh"
    triage(folder)
    assert interrupted == triage.associations()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_at_once_and_says_so(triage, tmp_path, number):
    folder = gather(tmp_path / "in", *SMALL)
    triage.trick("[[ $capture == *dcsctp* ]] || exec sleep 100")
    with triage.start("--jobs", "2", folder, start_new_session=True) as run:
        wait_until(lambda: len(triage.reads()) >= 2)
        family, begin = children(run.pid), time.monotonic()
        os.killpg(run.pid, number)
        said = run.stderr.read()
    assert run.returncode == 128 + number and time.monotonic() - begin < 30
    assert [line for line in said.splitlines() if "interrupted" not in line] == []
    wait_until(lambda: not any(map(is_running, family)), 20)


STARTING = """
import os, pathlib, subprocess, sys, threading, time
from sctpa import tshark

class SlowHost:
    links, options = None, ()
    def may_read(self, path): return False
    def preferences(self): return []
    def start(self, *_):
        process = subprocess.Popen(["sleep", "100"], stdout=subprocess.PIPE, start_new_session=True)
        print(process.pid, flush=True)
        time.sleep(1)
        return process

threading.excepthook = lambda what: (sys.__excepthook__(what.exc_type, what.exc_value, what.exc_traceback), os._exit(2))
threading.Thread(target=tshark.Run, args=(SlowHost(), os.devnull, [], 60), daemon=True).start()
sys.stdin.readline()
tshark.end_all()
os._exit(1)
"""


def test_a_tshark_that_is_being_started_ends_with_its_worker():
    with subprocess.Popen([sys.executable, "-c", STARTING], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
        started = int(worker.stdout.readline())
        worker.stdin.write("\n")
        worker.stdin.flush()
        assert worker.wait(30) == 1
    wait_until(lambda: not is_running(started), 5)


@pytest.mark.thorough
def test_a_killed_worker_costs_its_capture_only(triage, tmp_path):
    folder = gather(tmp_path / "in", *SMALL)
    workers = tmp_path / "workers"
    workers.touch()
    workers.chmod(0o666)
    triage.trick(f'[[ $capture != *usrsctp* ]] || {{ echo $PPID >>{workers}; exec sleep 100; }}')
    with triage.start("--jobs", "2", folder) as run:
        for count in (1, 2):
            # Killed together with others it is not known who took the memory: each is tried again alone.
            wait_until(lambda: len(workers.read_text().split()) == count)
            os.kill(int(workers.read_text().split()[-1]), signal.SIGKILL)
        said = run.stderr.read()
    assert run.returncode == 1
    assert [line for line in said.splitlines() if "was killed" in line and "usrsctp" in line]
    assert {name: row["state"] for name, row in triage.captures().items()} == {
        "linux_aborts_A.pcapng.gz": "read", "usrsctp_restart_A.pcapng.gz": "not read", "dcsctp_abort_A.pcap.gz": "read"}
    triage.trick("")
    assert triage(folder).returncode == 0


@pytest.mark.thorough
def test_a_capture_that_takes_too_long_is_given_up_and_tried_again_next_time(triage, tmp_path):
    folder = gather(tmp_path / "in", *SMALL[:2])
    triage.trick("[[ $capture != *usrsctp* ]] || exec sleep 100")
    result = triage("--timeout", "15", folder)
    assert result.returncode == 1 and "given up after 15 s" in result.stderr
    triage.trick("")
    assert triage(folder).returncode == 0


def test_workers_fill_and_a_last_run_reports(triage, tmp_path):
    folder = gather(tmp_path / "in", *SMALL)
    assert triage("--no-report", folder).returncode == 0
    assert not any((triage.out / name).exists() for name in OUTPUTS)
    reads = len(triage.reads())
    assert triage(folder).returncode == 0 and len(triage.reads()) == reads
    assert all((triage.out / name).exists() for name in OUTPUTS)


@pytest.mark.parametrize("arguments, words, status", [
    (["-o", "sctp_analysis.nonsense:1"], "sctp_analysis.nonsense", 2),
    (["-o", 'uat:sctp_analysis_auth_keys:"1","c0ffeec0ffee","bad address"'], "uat", 2),
    (["--jobs", "0"], "is no number from 1", 2),
    (["--nonsense"], "--nonsense", 2),
])
def test_wrong_usage_is_one_line_and_status_2(triage, tmp_path, arguments, words, status):
    result = triage(*arguments, gather(tmp_path / "in", SMALL[0]))
    line, = complaints(result)
    assert words in line and "c0ffee" not in line and result.returncode == status


def test_memory_of_the_overview_is_bounded():
    """Whatever the number of associations, no more than the lists hold stays."""
    from sctpa.triage.overview import ALIKE_MAX, KINDS_MAX
    from sctpa.rank import Varied, Worst
    worst, varied = Worst(10), Varied(ALIKE_MAX, KINDS_MAX)
    for number in range(50_000):
        worst.offer((number % 13, -(number % 7)), number)
        varied.offer((number % 13, 0), number, f"kind {number % 20_000}")
    assert list(worst) == [number for number in range(50_000) if number % 13 == 0 and number % 7 == 6][:10]
    assert sum(len(kind._heap) for kind in varied._kinds.values()) <= (KINDS_MAX + 1) * ALIKE_MAX
