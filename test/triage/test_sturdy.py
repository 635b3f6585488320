# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects batch work against what an operator may meet: kept results that are damaged, files that grow, vanish or are none, two runs at once, signals,
a system that gives no more. Each is one line, loses nothing and counts nothing twice.

Leaves the owner of the results and full disks to test_triage_results.py, more kills to the program killed.
"""

import fcntl
import gzip
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

import pytest

from triage_runs import CAPTURES, complaints, gather, triage  # noqa: F401
from conftest import TOP
from test_triage_command import SMALL, is_running, wait_until

sys.path += [str(TOP), str(TOP / "test" / "sequence")]

from cutting import cut  # noqa: E402
from sctpa import whole_files  # noqa: E402

ABORT = "dcsctp_abort_A.pcap.gz"


def results(triage):  # noqa: F811
    """Files that people take away, without the minute of the page."""
    return {path.name: path.read_bytes().partition(b", made ")[0] for path in triage.out.iterdir() if path.is_file()}


def kept(triage, suffix):  # noqa: F811
    """Files of resume/ with this suffix; the key of the pseudonyms is none."""
    return sorted((triage.out / "resume").glob(f"*[0-9a-f]{suffix}"))


HEADS = {"empty": b"", "list": b"[1]", "no words": b"{}", "garbage": b"\xff\x00\x1f\x8b" * 50, "deep": b"[" * 200_000,
         "of an older version": json.dumps({"file": "x", "bytes": 1, "message": None, "capture": None, "associations": 0}).encode()}


def copies(folder, count):
    """A folder with so many captures that are alike, in the order of their names."""
    gather(folder, SMALL[2])
    for number in range(1, count):
        shutil.copy(folder / ABORT, folder / f"{number}.pcap.gz")
    return folder


def by_file(triage, suffix):  # noqa: F811
    """Files of resume/ with this suffix in the order of the names of their captures."""
    heads = {json.loads(path.read_bytes())["file"]: path for path in kept(triage, ".json")}
    return [heads[name].with_name(heads[name].stem + suffix) for name in sorted(heads)]


@pytest.mark.thorough
def test_kept_heads_that_are_damaged_are_read_anew_without_a_word(triage, tmp_path):  # noqa: F811
    folder = copies(tmp_path / "in", len(HEADS) + 3)
    triage(folder)
    expected, reads, heads = results(triage), len(triage.reads()), by_file(triage, ".json")
    whole = [path.read_bytes() for path in heads]
    forms = [*HEADS.values(), whole[-3][:-20], whole[-2].replace(b'"associations":1', b'"associations":0')]
    for path, form in zip(heads, forms):
        path.write_bytes(form)
    result = triage(folder)
    assert (result.returncode, len(complaints(result)), len(triage.reads()) - reads) == (0, 1, len(forms)), result.stderr
    assert results(triage) == expected and [path.read_bytes() for path in heads] == whole


@pytest.mark.thorough
def test_kept_heads_that_are_huge_take_no_memory(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", SMALL[2])
    triage(folder)
    with open(kept(triage, ".json")[0], "r+b") as head:
        head.truncate(8 << 30)
    with triage.start(folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))) as run:
        run.stderr.read()
    assert run.returncode == 0 and kept(triage, ".json")[0].stat().st_size < 10_000


@pytest.mark.thorough
def test_kept_lines_that_are_damaged_are_said_and_read_anew(triage, tmp_path):  # noqa: F811
    folder = copies(tmp_path / "in", 6)
    triage(folder)
    expected, lines = results(triage), by_file(triage, ".ndjson.gz")
    one_more = gzip.compress(gzip.decompress(lines[0].read_bytes()) * 2)
    forms = [b"", gzip.compress(b""), gzip.compress(b"[1]\n"), gzip.compress(b'{"a":1}\n'), one_more]
    for path, form in zip(lines, forms):
        path.write_bytes(form)
    first = triage(folder)
    damaged = sorted(map(str, folder.iterdir()))[:len(forms)]
    assert complaints(first)[:-1] == [f"{path}: its results in resume/ were damaged; the next run reads it again" for path in damaged]
    assert first.returncode == 1 and triage(folder).returncode == 0 and results(triage) == expected


@pytest.mark.thorough
def test_kept_plots_that_are_damaged_are_drawn_anew(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", SMALL[2])
    triage(folder)
    before = triage.output("report.html").partition(" UTC, plugin")[2]
    for path in kept(triage, ".plots"):
        path.write_bytes(gzip.compress(b"[1]"))
    assert triage(folder).returncode == 0 and triage.output("report.html").partition(" UTC, plugin")[2] == before


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("key", [b"", b"short", bytes(33)])
def test_without_a_sound_key_nothing_is_anonymised_or_written(triage, tmp_path, key):  # noqa: F811
    folder = gather(tmp_path / "in", SMALL[2])
    triage("--anonymise", "--no-report", folder)
    (triage.out / "resume" / "key").write_bytes(key)
    result = triage("--anonymise", folder)
    assert complaints(result) == [f"{triage.out}/resume/key: is damaged: remove it, and pseudonyms will be others than before"] and result.returncode == 2
    assert results(triage) == {}


def test_a_capture_that_is_gone_when_it_is_read_is_read_once_it_is_back(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", *SMALL[1:])
    triage.trick(f'[[ $capture != *dcsctp* ]] || mv "$capture" {tmp_path}')
    folder.chmod(0o777)
    tmp_path.chmod(0o777)
    result = triage(folder)
    assert complaints(result)[0] == f"{folder / ABORT}: there is no such file" and result.returncode == 1
    os.rename(tmp_path / ABORT, folder / ABORT)
    triage.trick("")
    assert triage(folder).returncode == 0 and {row["state"] for row in triage.captures().values()} == {"read"}


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("sequence", [False, True])
def test_a_capture_that_grows_while_it_is_read_is_said_and_read_again(triage, tmp_path, sequence):  # noqa: F811
    folder = gather(tmp_path / "in")
    cut(CAPTURES / SMALL[2], folder, 3, seed=3)
    whole = pathlib.Path(sorted(folder.iterdir())[-1])
    data, options = whole.read_bytes(), ["--sequence"] if sequence else []
    for path in folder.iterdir():
        path.chmod(0o666)
    triage(*options, folder)
    expected, triage.out = results(triage), tmp_path / "grown"
    whole.write_bytes(data[:len(data) // 2])
    tail = tmp_path / "tail"
    tail.write_bytes(data[len(data) // 2:])
    tail.chmod(0o644)
    triage.trick(f'[[ {"-" if sequence else whole} != "$capture" ]] || cat {tail} >>{whole}')
    result = triage(*options, folder)
    told = [line for line in complaints(result) if "changed while it was read" in line]
    assert len(told) == 1 and result.returncode == 1, result.stderr
    assert told[0].endswith(f"{whole}: changed while it was read; the report covers what was there")
    assert any(path.stat().st_size > 1000 for path in triage.out.glob("associations.ndjson"))
    triage.trick("")
    assert triage(*options, folder).returncode == 0 and results(triage) == expected


@pytest.mark.thorough
def test_a_file_of_a_ring_that_is_gone_when_it_is_read_is_read_once_it_is_back(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in")
    cut(CAPTURES / "demo.pcapng.gz", folder, 3, seed=3)
    for path in (tmp_path, folder):
        path.chmod(0o777)
    words = ("--sequence", "--sections", "0", folder)
    triage(*words)
    expected, triage.out = results(triage), tmp_path / "again"
    second = sorted(folder.iterdir())[1]
    # It is opened when tshark has read the first, which is more than a pipe holds.
    triage.trick(f"mv {second} {tmp_path}/second")
    result = triage(*words)
    assert [line for line in complaints(result) if "no such file" in line] == [complaints(result)[1]] and result.returncode == 1, result.stderr
    triage.trick("")
    (tmp_path / "second").rename(second)
    assert triage(*words).returncode == 0 and results(triage) == expected


def test_captures_of_a_folder_that_lead_nowhere_are_said(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", SMALL[2])
    (folder / "gone.pcap").symlink_to("nowhere")
    (folder / "loop.pcap").symlink_to("loop.pcap")
    (folder / "notes.txt").symlink_to("nowhere")
    (folder / "folder.pcap").mkdir()
    os.mkfifo(folder / "pipe.pcap")
    result = triage(folder)
    assert sorted(complaints(result))[:2] == [f"{folder}/gone.pcap: there is no such file", f"{folder}/loop.pcap: too many levels of symbolic links"]
    assert result.returncode == 1 and set(triage.captures()) == {"gone.pcap", "loop.pcap", ABORT}


def test_what_a_killed_run_left_goes_with_the_next_and_what_another_is_writing_stays(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", SMALL[2])
    triage(folder)
    begun = subprocess.Popen([sys.executable, "-c", f"""
import os, sys
from sctpa import whole_files
begun = [whole_files.unfinished(os.open(folder, os.O_RDONLY), 0o600) for folder in {[str(triage.out), str(triage.out / "resume")]!r}]
for each in begun:
    each.__enter__()
print(flush=True)
sys.stdin.read()
"""], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    begun.stdout.readline()
    triage(folder)
    assert len(list(triage.out.rglob(".unfinished-*"))) == 2
    begun.kill()
    begun.communicate()
    assert len(list(triage.out.rglob(".unfinished-*"))) == 2
    triage(folder)
    assert list(triage.out.rglob(".unfinished-*")) == []


def test_a_file_that_is_written_survives_those_who_clear_at_that_moment(tmp_path):
    """Of 300 files begun while another process clears all the time none is lost."""
    clearing = f"import os\nfrom sctpa import whole_files\nfolder = os.open({str(tmp_path)!r}, os.O_RDONLY)\nwhile True: whole_files.clear(folder)"
    other = subprocess.Popen([sys.executable, "-c", clearing], cwd=TOP)
    try:
        folder = os.open(tmp_path, os.O_RDONLY)
        for number in range(300):
            with whole_files.whole(folder, str(number), 0o600) as file:
                file.write(b"x" * 10)
        os.close(folder)
    finally:
        other.kill()
        other.wait()
    assert {path.stat().st_size for path in tmp_path.iterdir()} == {10} and len(os.listdir(tmp_path)) == 300


def test_what_is_cleared_goes_while_its_lock_is_held(tmp_path, monkeypatch):
    """Else one who waits for that lock takes the file that goes the moment after for his own."""
    folder = os.open(tmp_path, os.O_RDONLY)
    name, handle = whole_files._made(folder)
    os.close(handle)
    waiting, unlink, went = os.open(tmp_path / name, os.O_RDONLY), os.unlink, []

    def unlink_and_look(path, **where):
        went.append(whole_files.locked(waiting, False))
        unlink(path, **where)

    monkeypatch.setattr(os, "unlink", unlink_and_look)
    whole_files.clear(folder)
    assert went == [False] and os.listdir(tmp_path) == []
    os.close(waiting)
    os.close(folder)


def test_who_ends_at_any_moment_leaves_no_file_that_is_not_whole(tmp_path):
    ending = f"""
import os, random, sys, threading, time
from sctpa import whole_files
sys.setswitchinterval(1e-6)
def write():
    folder = os.open({str(tmp_path)!r}, os.O_RDONLY)
    while True:
        with whole_files.unfinished(folder, 0o600):
            pass
for _ in range(4):
    threading.Thread(target=write, daemon=True).start()
time.sleep(random.random() / 20)
whole_files.drop_all()
os._exit(0)"""
    for _ in range(20):
        subprocess.run([sys.executable, "-c", ending], cwd=TOP, check=True, timeout=60)
        assert os.listdir(tmp_path) == []


def test_of_two_runs_at_once_one_waits_and_the_results_are_of_one(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", SMALL[2])
    triage(folder)
    with open(triage.out / "resume" / "writing", "r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        before = {path.name: path.stat().st_mtime_ns for path in triage.out.iterdir() if path.is_file()}
        with triage.start("-o", "sctp_analysis.rules:None", folder) as run:
            assert run.stderr.readline() == f"run: {triage.out}: another run is writing its results there; waiting for it\n"
            assert {path.name: path.stat().st_mtime_ns for path in triage.out.iterdir() if path.is_file()} == before
            fcntl.flock(other, fcntl.LOCK_UN)
            said = run.stderr.read()
    assert run.returncode == 0 and len(said.splitlines()) == 1


@pytest.mark.thorough
def test_two_same_runs_at_once_give_what_one_gives(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", *SMALL[1:])
    triage(folder)
    expected, triage.out = results(triage), tmp_path / "both"
    with triage.start(folder) as first, triage.start(folder) as second:
        said = [first.stderr.read(), second.stderr.read()]
    assert (first.returncode, second.returncode) == (0, 0), said
    assert results(triage) == expected and list(triage.out.rglob(".unfinished-*")) == []


def test_a_hangup_ends_a_run_as_an_interrupt_does(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", *SMALL)
    triage.trick("exec sleep 100")
    with triage.start(folder, start_new_session=True) as run:
        wait_until(lambda: triage.reads())
        os.kill(run.pid, signal.SIGHUP)
        said = run.stderr.read()
    assert run.returncode == 129 and said == "run: interrupted; the same call goes on from here\n"
    wait_until(lambda: list(triage.out.rglob(".unfinished-*")) == [], 20)


def test_a_tshark_ends_with_the_worker_that_is_killed(triage, tmp_path):  # noqa: F811
    folder, log = gather(tmp_path / "in", SMALL[2]), tmp_path / "pids"
    log.touch()
    log.chmod(0o666)
    triage.trick(f"echo $PPID $$ >>{log}; exec sleep 100")
    with triage.start("--jobs", "1", folder) as run:
        for count in (1, 2):
            wait_until(lambda: len(log.read_text().splitlines()) == count)
            worker, reader = map(int, log.read_text().splitlines()[-1].split())
            os.kill(worker, signal.SIGKILL)
            wait_until(lambda: not is_running(reader), 10)
        said = run.stderr.read()
    assert run.returncode == 1 and "was killed" in said


@pytest.mark.thorough
@pytest.mark.parametrize("limit, words", [(("NOFILE", 12), "the system gives no more: too many open files"), (("AS", 60 << 20), "out of memory")])
def test_a_system_that_gives_no_more_is_one_line(triage, tmp_path, limit, words):  # noqa: F811
    folder = gather(tmp_path / "in", *SMALL)
    number = getattr(resource, f"RLIMIT_{limit[0]}")
    with triage.start(folder, preexec_fn=lambda: resource.setrlimit(number, (limit[1], limit[1]))) as run:
        said = run.stderr.read().splitlines()
    assert run.returncode == 1 and len(said) == 1 and said[0].startswith(f"run: {words}"), said
    assert triage(folder).returncode == 0


@pytest.mark.thorough
def test_kills_at_random_cost_nothing(tmp_path):
    loader = importlib.machinery.SourceFileLoader("killed", str(TOP / "test" / "triage" / "killed"))
    killed = importlib.util.module_from_spec(importlib.util.spec_from_loader("killed", loader))
    loader.exec_module(killed)
    loop = killed.Loop("triage-sequence", tmp_path)
    for seed in range(2):
        loop.once(seed)
