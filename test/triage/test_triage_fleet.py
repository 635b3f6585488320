# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects packaging/fleet/Snakefile and what docs/commands.md says of it: two machines give what one gives, byte for byte, as GNU parallel does; killed at any time
nothing is lost, and nothing that was done is read again.

Leaves what a job does to test_triage_command.py, which files are one capture to test/sequence.
"""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

import machines
from triage_runs import TOP, children, gather, triage  # noqa: F401

sys.path.append(str(TOP / "test" / "sequence"))

from cutting import cut  # noqa: E402

pytestmark = pytest.mark.thorough

SNAKEMAKE = pytest.mark.skipif(shutil.which("snakemake") is None, reason="needs snakemake: test/prepare fleet")
PARALLEL = pytest.mark.skipif(shutil.which("parallel") is None, reason="needs GNU parallel: test/prepare fleet")
NAMES = [f"{stack}/{scenario}/A.pcapng.gz" for stack in ("linux", "usrsctp") for scenario in ("aborts", "restart")]


@pytest.fixture
def folder(tmp_path):
    """Four captures, and one that is damaged."""
    made = gather(tmp_path / "in", *NAMES)
    damaged = made / "damaged.pcapng.gz"
    damaged.write_bytes((made / NAMES[0].replace("/", "_")).read_bytes()[:3000])
    damaged.chmod(0o644)
    return made


@pytest.fixture
def run(triage, tmp_path):  # noqa: F811
    return machines.run(tmp_path, triage.command())


class Fleet:
    """snakemake as the document calls it, with settings of ours."""

    def __init__(self, tmp_path, run, out, captures, **settings):
        self._folder = tmp_path / "working_folder"
        self._folder.mkdir(exist_ok=True)
        self._settings, self._said = tmp_path / "fleet.yaml", tmp_path / "said"
        told = {"captures": [str(captures)], "out": str(out), "run": str(run), "batch": 2, **settings}
        self._settings.write_text("".join(f"{name}: {value!r}\n" for name, value in told.items()))

    def start(self, more):
        command = machines.by_snakemake(self._settings, more)
        with open(self._said, "wb") as said:
            return subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=self._folder, stdin=subprocess.DEVNULL, stderr=said,
                                    env={**os.environ, "HOME": str(self._said.parent)})

    def __call__(self, more="--jobs 2"):
        """(status, what was said) of a call to its end."""
        return self.start(more).wait(timeout=300), self._said.read_text()

    def leftovers(self):
        return {path.name for path in self._folder.iterdir()}


def callers(tmp_path):
    return set((tmp_path / "called").read_text().split())


@SNAKEMAKE
@PARALLEL
def test_two_machines_by_either_engine_and_one_call_give_the_same_bytes(triage, folder, run, tmp_path):  # noqa: F811
    hosts = tmp_path / "hosts"
    hosts.write_text("1/worker1\n1/worker2\n")
    by_parallel = machines.by_parallel(run, folder, tmp_path / "by_parallel", hosts, 2)
    result = subprocess.run(["bash", "-c", by_parallel], cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path), "SHELL": "/bin/bash"},
                            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    # Of the one batch with the damaged capture.
    assert result.returncode == 1 and callers(tmp_path) == {"worker1", "worker2"}, result.stderr
    assert triage("--out", tmp_path / "by_parallel", folder).returncode == 1
    (tmp_path / "called").unlink()
    fleet = Fleet(tmp_path, run, tmp_path / "by_snakemake", folder)
    status, said = fleet(f"--jobs 2 --cluster-sync {machines.submit(tmp_path, ('worker1', 'worker2'))}")
    assert status == 0 and re.search(r"5 captures, 1 not read to the end", said), said
    assert callers(tmp_path) == {"worker1", "worker2"}
    assert fleet.leftovers() == {".snakemake"}
    assert collections.Counter(triage.reads()) == {name: 2 for name in os.listdir(folder)}
    assert triage("--out", tmp_path / "by_one", folder).returncode == 1
    assert "cut short" in (tmp_path / "by_one" / "captures.csv").read_text()
    by_one = machines.results(tmp_path / "by_one")
    assert len(by_one) > 15 and machines.results(tmp_path / "by_parallel") == by_one and machines.results(tmp_path / "by_snakemake") == by_one


def wait_for(path):
    until = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < until, f"{path} is not there"
        time.sleep(0.05)


def hang_at(tmp_path, *reads):
    """A trick for tshark: at the reads with these numbers, it says so by a file and hangs."""
    cases = "|".join(map(str, reads))
    return f"""number=$(grep -c gz {tmp_path}/reads)
  case $number in {cases}) touch {tmp_path}/hangs$number; exec sleep 200 ;; esac"""


@SNAKEMAKE
def test_a_killed_job_is_tried_again_and_after_a_killed_snakemake_the_same_call_goes_on(triage, folder, run, tmp_path):  # noqa: F811
    fleet = Fleet(tmp_path, run, triage.out, folder)
    triage.trick(hang_at(tmp_path, 2, 4))
    process = fleet.start("--jobs 1")
    wait_for(tmp_path / "hangs2")
    reading = [pid for pid in children(process.pid) if b"-m\0sctpa.triage" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(reading[0], signal.SIGKILL)
    wait_for(tmp_path / "hangs4")
    done, left = set(triage.heads()), children(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert len(done) == 2 and not (triage.out / "report.html").exists()
    try:
        status, said = fleet("--jobs 1")
    finally:
        for pid in left:
            subprocess.run(["kill", "-KILL", str(pid)], stderr=subprocess.DEVNULL, check=False)
    assert status == 0, said
    reads = collections.Counter(triage.reads())
    assert set(reads) == set(os.listdir(folder)) and sum(reads.values()) == len(reads) + 2, "only what was being read is read again"
    assert {name for name, count in reads.items() if count > 1} == {triage.reads()[1], triage.reads()[3]}
    triage.trick("")
    assert triage("--out", tmp_path / "plain", folder).returncode == 1
    results = {name: content for name, content in machines.results(triage.out).items() if not name.startswith("resume/.unfinished-")}
    assert results == machines.results(tmp_path / "plain")


@SNAKEMAKE
def test_a_ring_is_one_capture_of_one_job_and_what_is_never_read_stops_nothing(triage, run, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", *NAMES[:2])
    cut(TOP / "test" / "captures" / "demo.pcapng.gz", folder, 3, seed=3)
    fleet = Fleet(tmp_path, run, triage.out, folder, options="--sequence --sections 3", batch=1, tries=2)
    triage.trick("[[ $capture != *restart* ]] || kill -KILL $$")
    status, said = fleet()
    assert status == 0, said
    unread = next(name for name in os.listdir(folder) if "restart" in name)
    assert triage.reads().count(unread) == 3, "two tries, and one when the report is written"
    assert {name: row["state"] for name, row in triage.captures().items()} == {
        NAMES[0].replace("/", "_"): "read", unread: "not read", "ring_00001_20240101000001.pcapng and 2 more files": "read"}
    assert [row["first_frame"] for row in triage.table("files.csv")][0] == "1" and len(triage.table("files.csv")) == 3
    triage.trick("")
    assert fleet()[0] == 0 and triage.reads().count(unread) == 4
    assert triage("--out", tmp_path / "plain", "--sequence", "--sections", "3", folder).returncode == 0
    assert machines.results(triage.out) == machines.results(tmp_path / "plain")


def test_what_is_unread_is_listed_and_such_a_list_keeps_captures_apart(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", NAMES[1])
    for number, second in ((1, 1), (1, 2), (5, 3), (3, 4)):
        shutil.copy(folder / NAMES[1].replace("/", "_"), folder / f"ring_{number:05}_2024010100000{second}.pcapng.gz")
    (folder / "empty.pcap").touch()
    listed = triage("--sequence", "--list-unread", folder).stdout
    assert [[name.rpartition("/")[2] for name in capture.split("\0")] for capture in listed.split("\0\0")[:-1]] == [
        ["linux_restart_A.pcapng.gz"], ["ring_00001_20240101000001.pcapng.gz"],
        ["ring_00001_20240101000002.pcapng.gz", "ring_00005_20240101000003.pcapng.gz"], ["ring_00003_20240101000004.pcapng.gz"]]
    assert not triage.reads()
    batch = tmp_path / "batch"
    # By their names alone, without the run between them, the first and the last would be one capture.
    captures = listed.split("\0\0")
    batch.write_text(f"{captures[1]}\0\0{captures[3]}\0\0")
    assert triage("--sequence", "--no-report", "--files-from", batch).returncode == 0
    assert [capture for capture in captures[:-1] if capture not in (captures[1], captures[3])] == triage("--sequence", "--list-unread", folder).stdout.split("\0\0")[:-1]
    triage("--sequence", "--no-report", folder)
    assert len(triage.reads()) == 4 and triage("--sequence", "--list-unread", folder).stdout == ""


@SNAKEMAKE
@pytest.mark.parametrize("settings, told", [({"bach": 3}, "there is no setting bach (known: batch, "), ({"tries": "many"}, "tries: many is no whole number from 1 on"),
                                            ({"options": ["--anonymous"]}, "ended with status 2")])
def test_settings_that_are_wrong_are_said_in_a_line(run, folder, tmp_path, settings, told):
    status, said = Fleet(tmp_path, run, tmp_path / "out", folder, **settings)()
    assert status == 1 and told in said and not (tmp_path / "out").exists()
