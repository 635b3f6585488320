# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects docs/commands.md: GNU parallel runs the job on several workers, through its ssh, and a last run on one writes the report.

The workers are folders of this machine, reached by a program that stands in for ssh. Leaves what a job does to test_triage_command.py.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

import machines
from triage_runs import complaints, gather, triage  # noqa: F401
from conftest import NOBODY, TOP, unprivileged

SCENARIOS = [f"{stack}/{scenario}/A.pcapng.gz" for stack in ("linux", "usrsctp") for scenario in ("aborts", "restart")]
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
PARALLEL = pytest.mark.skipif(shutil.which("parallel") is None, reason="needs GNU parallel")


@pytest.mark.thorough
@PARALLEL
def test_several_workers_share_the_captures_and_a_last_run_reports(triage, tmp_path):
    folder = gather(tmp_path / "in", *SCENARIOS)
    (folder / "broken.pcap").write_text("no capture")
    (folder / "broken.pcap").chmod(0o644)
    hosts = tmp_path / "machines"
    hosts.write_text("1/worker1\n1/worker2\n1/worker3\n")
    command = machines.by_parallel(machines.run(tmp_path, triage.command()), folder, triage.out, hosts, 1)
    environment = {**os.environ, "HOME": str(tmp_path), "SHELL": "/bin/bash"}
    result = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    # parallel's status is the number of jobs that failed: the one with the broken file.
    assert result.returncode == 1, result.stderr
    assert {"worker1", "worker2", "worker3"} == set((tmp_path / "called").read_text().split())
    reads = triage.reads()
    assert sorted(reads) == sorted(os.listdir(folder))
    final = triage(folder)
    assert final.returncode == 1 and [line for line in complaints(final) if "broken.pcap" in line]
    assert triage.reads() == reads, "the last run reads nothing again"
    assert {pathlib.Path(assoc["capture"]["file"]).name for assoc in triage.associations()} == set(reads) - {"broken.pcap"}


@pytest.mark.parametrize("way", ["as the caller", pytest.param("by sudo", marks=AS_ROOT), pytest.param("in theirs", marks=AS_ROOT)])
def test_jobs_that_start_at_once_make_the_folder_together(tmp_path, way):
    program = "import pathlib, sys\nfrom sctpa.triage import results\n" \
              "for number in range(300): results.Folder(pathlib.Path(sys.argv[1]) / str(number) / 'out').make()"
    command = ["/usr/bin/python3", "-c", program, tmp_path]
    environment = {**os.environ, "PYTHONPATH": str(TOP)}
    if way == "by sudo":
        environment |= {"SUDO_UID": str(NOBODY), "SUDO_GID": str(NOBODY)}
    if way == "in theirs":
        subprocess.run([*unprivileged(), "mkdir", "-p", *(tmp_path / str(number) / "out" for number in range(300))], check=True)
    jobs = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [job.communicate(timeout=60)[1] for job in jobs] == [""] * len(jobs)
    assert (tmp_path / "299" / "out" / "resume").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_uid for path in tmp_path.rglob("*")} == {os.geteuid() if way == "as the caller" else NOBODY}
