# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run against what an operator may meet: signals and kills of its processes, full disks, readers that go away, captures that change.

Leaves what is kept of many captures to test/triage.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

from test_run import AS_ROOT, DEMO, SCTP, TOP, complaints, run, wait_until

sys.path += [str(TOP), str(TOP / "test" / "sequence")]

from capture_bytes import pcap  # noqa: E402
from cutting import cut  # noqa: E402
from sctpa.sequence import blocks, stream  # noqa: E402

MARK = "SCTPA_TEST_RUN"
FULL = pathlib.Path("/dev/full")


def processes(mark):
    """{pid: words} of what a run with this mark has started, in whatever session."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
    return found


def start(*arguments, mark):
    variables = {key: value for key, value in os.environ.items() if not key.startswith("SUDO_")}
    return subprocess.Popen([TOP / "run", *map(str, arguments)], cwd="/", env={**variables, MARK: str(mark)}, stdin=subprocess.DEVNULL, encoding="utf-8",
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def said(text):
    return [line for line in text.splitlines() if "no plugins for root" not in line]


def is_reading(mark):
    return any("tshark" in words and "-z" in words for words in processes(mark).values())


def folders_of_runs():
    return set(pathlib.Path("/tmp").glob("sctp_analysis-run.*"))


@pytest.fixture
def many(tmp_path):
    """A folder of captures that take some time."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(30):
        shutil.copy(DEMO, folder / f"{number}.pcapng.gz")
    return folder


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("command, words", [("triage", "interrupted; the same call goes on from here"), ("check", "interrupted")])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_shell_alone_ends_all_at_once(tmp_path, many, command, words, number):
    options = ["--out", tmp_path / "out"] if command == "triage" else []
    with start(command, *options, many, mark=tmp_path) as running:
        wait_until(lambda: is_reading(tmp_path))
        begin = time.monotonic()
        running.send_signal(number)
        _, text = running.communicate(timeout=60)
    assert (running.returncode, said(text)) == (128 + number, [f"run: {words}"]) and time.monotonic() - begin < 10
    wait_until(lambda: not processes(tmp_path), 20)


def test_a_shell_that_is_killed_leaves_nothing_running_and_its_folder_goes_with_the_next_run(tmp_path, many):
    before = folders_of_runs()
    with start("triage", "--out", tmp_path / "out", many, mark=tmp_path) as running:
        wait_until(lambda: is_reading(tmp_path))
        running.kill()
        _, text = running.communicate(timeout=60)
    assert said(text) == ["run: interrupted; the same call goes on from here"]
    wait_until(lambda: not processes(tmp_path), 20)
    left = folders_of_runs() - before
    assert run(DEMO).returncode == 0 and not [path for path in left if path.exists()]


@pytest.mark.parametrize("follow", [False, True])
def test_a_shell_that_is_killed_amid_a_sequence_leaves_nothing_running(tmp_path, follow):
    cut(DEMO, tmp_path, 3, seed=1)
    names = sorted(tmp_path.glob("ring_*"))
    with start(*["--follow", "100"] * follow, *["--sequence"] * (not follow), "-z", "sctp,json", *names, mark=tmp_path) as running:
        wait_until(lambda: is_reading(tmp_path))
        running.kill()
        running.communicate(timeout=60)
    wait_until(lambda: not processes(tmp_path), 20)


def test_a_killed_reader_of_a_sequence_is_said(tmp_path):
    cut(DEMO, tmp_path, 3, seed=1)
    with start("--follow", "100", *sorted(tmp_path.glob("ring_*")), mark=tmp_path) as running:
        def reader():
            return [pid for pid, words in processes(tmp_path).items() if "sctpa.sequence" in words and "--name" not in words]
        wait_until(lambda: is_reading(tmp_path) and reader())
        time.sleep(1)
        os.kill(reader()[0], signal.SIGKILL)
        text, errors = running.communicate(timeout=60)
    assert running.returncode == 1 and "SCTP triage" in text
    # Killed amid a packet it is also said that this was cut short.
    assert said(errors)[-1] == f"run: {said(errors)[1].split(': ')[1]}: the process that reads the files ended by signal 9; the report covers what it had read"


def test_a_capture_that_grows_while_it_is_read_is_said(tmp_path):
    capture, tools = tmp_path / "grows.pcap", tmp_path / "tools"
    capture.write_bytes(SCTP)
    capture.chmod(0o666)
    tools.mkdir()
    (tools / "tshark").write_text(f'#!/bin/bash\n[[ " $* " != *" -r "* ]] || printf x >>{capture}\nexec {shutil.which("tshark")} "$@"\n')
    (tools / "tshark").chmod(0o755)
    tmp_path.chmod(0o777)
    result = run("-z", "sctp,json", capture, environment={"PATH": f"{tools}:{os.environ['PATH']}"})
    assert complaints(result) == [f"run: {capture}: changed while it was read; the report covers what was there"] and result.returncode == 1
    assert len(json.loads(result.stdout)["associations"]) == 1


@pytest.mark.parametrize("words, status", [(("check", DEMO), 1), (("explain", "SD-002", "SD-001"), 0), ((DEMO,), 0)])
def test_who_reads_a_line_only_gets_it_without_complaints(tmp_path, words, status):
    with start(*words, mark=tmp_path) as running:
        assert running.stdout.readline()
        running.stdout.close()
        errors = running.stderr.read()
    assert (running.returncode, said(errors)) == (status, [])


@pytest.mark.skipif(not FULL.is_char_device(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [("check", DEMO), ("check", "--format", "json", DEMO), ("explain", "SD-002"), ("matrix", "--format", "json", DEMO)])
def test_a_result_that_cannot_be_written_is_one_line_and_status_3(words):
    with FULL.open("wb") as full:
        result = run(*words, stdout=full)
    assert (complaints(result), result.returncode) == (["run: the result: no space left on device"], 3)


def test_a_packet_log_takes_the_place_of_nothing_else(tmp_path):
    log, older = tmp_path / "log", tmp_path / "older.pcapng"
    log.write_text("no packets\n")
    older.write_bytes(b"older")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    keeper = os.open(fifo, os.O_RDWR)
    for target, words in ((older, "has no SCTP_PACKET lines"), (fifo, "has no SCTP_PACKET lines"), (log, "is the log itself")):
        result = run("webrtc", log, target)
        assert words in complaints(result)[0] and len(complaints(result)) == 1 and result.returncode == 1
    os.close(keeper)
    assert older.read_bytes() == b"older" and fifo.is_fifo() and log.read_text() == "no packets\n" and len(os.listdir(tmp_path)) == 3


def test_a_pipe_among_the_files_of_a_sequence_keeps_nobody(tmp_path):
    os.mkfifo(tmp_path / "pipe.pcap")
    with pytest.raises(blocks.Fault, match="is no regular file"):
        next(blocks.read(str(tmp_path / "pipe.pcap")))


def test_a_killed_editcap_is_not_taken_for_a_bad_file(tmp_path, monkeypatch):
    (tmp_path / "editcap").write_text("#!/bin/sh\nkill -9 $$\n")
    (tmp_path / "editcap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "other").write_bytes(b"neither of both")
    (tmp_path / "good").write_bytes(pcap([1]))
    one = stream.Stream(lambda _: None)
    reads = [one.add(stream.Part(str(tmp_path / name), name)) for name in ("other", "gone", "good")]
    assert [(read.message, read.is_passing) for read in reads] == [
        ("editcap, which converts it, ended by signal 9", True), ("there is no such file", True), (None, False)]


@AS_ROOT
@pytest.mark.skipif(subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0, reason="needs a namespace of its own")
@pytest.mark.parametrize("words", [(DEMO,), ("triage", "--out", "/var/tmp/none", DEMO), ("check", DEMO), ("report", "--out", "/var/tmp/none", DEMO)])
def test_temporary_files_that_do_not_fit_are_one_line(words):
    # The checkout may lie in /tmp itself.
    script = 'mount --bind "$1" /mnt && mount -t tmpfs -o size=2m tmpfs /tmp && mkdir -p "$1" && mount --bind /mnt "$1" && shift && exec "$@"'
    result = subprocess.run(["unshare", "-m", "bash", "-c", script, "-", TOP, TOP / "run", *words], cwd="/", capture_output=True, encoding="utf-8", check=False)
    assert complaints(result) == ["run: temporary files cannot be written in /tmp: No space left on device"] and result.returncode == 3


@pytest.mark.thorough
def test_a_report_that_fails_leaves_the_one_before(tmp_path):
    out, capture = tmp_path / "out", TOP / "test/captures/dcsctp/abort/A.pcap.gz"
    assert run("report", "--out", out, capture).returncode == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "editcap").write_text("#!/bin/sh\nkill -9 $$\n")
    (tools / "editcap").chmod(0o755)
    tmp_path.chmod(0o755)
    result = run("report", "--out", out, DEMO, environment={"PATH": f"{tools}:{os.environ['PATH']}"})
    assert len(complaints(result)) == 1 and result.returncode == 1
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_what_the_build_is_for_is_asked_of_no_other_program(tmp_path):
    """One that is killed would have the build made anew, without its windows."""
    (tmp_path / "build/release").mkdir(parents=True)
    for text, status in (("/there 4.0.17 dialogs\n", 0), ("/there 4.0.17\n", 1), (None, 1)):
        path = tmp_path / "build/release/built_for"
        path.write_text(text) if text else path.unlink()
        asked = ["bash", "-uc", 'top=$1 gui="" install="" only_build=""; . "$2/packaging/checkout.bash"; PATH=/nonexistent; wants_dialogs', "-", tmp_path, TOP]
        assert subprocess.run(asked, check=False).returncode == status
