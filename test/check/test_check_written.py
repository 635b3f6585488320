# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the files that ./run check writes: one that cannot be written whole leaves the one before. Leaves what stands in them to test_check.py."""

import datetime
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from conftest import TOP

sys.path += [str(TOP), str(TOP / "test/triage")]

import triage_runs  # noqa: E402
from sctpa.check import baseline  # noqa: E402
from sctpa import whole_files  # noqa: E402

CAPTURE = TOP / "test/captures/usrsctp/bulk-burstloss/A.pcapng.gz"
BEFORE = "# of an earlier run\n"
OPTIONS = {"coverage": ["--coverage"], "junit": ["--format"], "baseline": ["--fail-on", "should", "--update-baseline", "--baseline"]}


def check(tshark, folder, bytes_max, *words):
    """A check whose files may have so many bytes: the limit stands for a full disk, the same calls fail."""
    (folder / "links").mkdir(exist_ok=True)
    for each in (folder, folder / "links"):
        each.chmod(0o755)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return subprocess.run(["/usr/bin/python3", "-sPB", "-m", "sctpa.check", "check", *map(str, words), CAPTURE], cwd="/", stdin=subprocess.DEVNULL,
                          env=triage_runs.module_environment(tshark, folder / "links"), capture_output=True, encoding="utf-8", timeout=300, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max)))


@pytest.mark.parametrize("name", OPTIONS)
def test_a_file_that_does_not_fit_leaves_the_one_before(tshark, tmp_path, name):
    """A coverage that is cut short would let rules go unexercised, a baseline findings unaccepted."""
    target = tmp_path / "target"
    target.write_text(BEFORE)
    target.chmod(0o640)
    words = [*OPTIONS[name][:-1], OPTIONS[name][-1], f"junit={target}" if name == "junit" else target]
    result = check(tshark, tmp_path, 100, *words)
    assert result.stderr.splitlines()[-1:] == [f"run: {target}: file too large"] and result.returncode == 3
    assert target.read_text() == BEFORE and sorted(os.listdir(tmp_path)) == ["links", "target"]
    result = check(tshark, tmp_path, 1 << 30, *words)
    assert "too large" not in result.stderr and len(target.read_text()) > 120 and target.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_one_and_what_a_killed_run_left_goes(tmp_path):
    (tmp_path / "link").symlink_to("file")
    folder = os.open(tmp_path, os.O_RDONLY)
    name, handle = whole_files._made(folder)
    os.close(handle)
    with whole_files.written(tmp_path / "link") as file:
        file.write(b"whole")
    os.close(folder)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"whole" and not (tmp_path / name).exists()


def test_two_that_add_to_a_baseline_at_once_add_each_finding_once(tmp_path):
    together = [subprocess.Popen([sys.executable, "-c", f"""
import datetime, sys
from sctpa.check import baseline
sys.stdin.read(1)
print(sum(baseline.add({str(tmp_path / "baseline")!r}, {{f"ID-012/initiator/{{each:08x}}": {{"title": "x"}} for each in (number, number + 1)}}, datetime.date.today())
          for number in range(100)))"""], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(3)]
    for each in together:
        each.stdin.write(b"x")
        each.stdin.flush()
    assert sum(int(each.communicate(timeout=60)[0]) for each in together) == 101
    assert len(baseline.read(str(tmp_path / "baseline"))) == 101


def test_lines_of_a_baseline_stay_as_they_are(tmp_path):
    (tmp_path / "baseline").write_bytes(b"# ours\r\n")
    baseline.add(str(tmp_path / "baseline"), {"ID-012/initiator/2ec19181": {"title": "x"}}, datetime.date(2026, 1, 1))
    assert (tmp_path / "baseline").read_bytes().startswith(b"# ours\r\nID-012/")


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_is_written_into_the_standard_output_adds_to_the_file_it_is(tmp_path, target):
    file = tmp_path / "file"
    with open(file, "wb") as stdout:
        stdout.write(b"before ")
        stdout.flush()
        subprocess.run([sys.executable, "-c", f"from sctpa import whole_files\nwith whole_files.written({target!r}) as file: file.write(b'whole')"], cwd=TOP,
                       stdout=stdout, check=True)
        stdout.write(b" after")
    assert file.read_bytes() == b"before whole after" and os.listdir(tmp_path) == ["file"]


def test_who_can_judge_nothing_does_not_wait_for_what_others_read(tshark, tmp_path):
    (tmp_path / "tricked").mkdir()
    tmp_path.chmod(0o755)
    captures = triage_runs.gather(tmp_path / "in", "usrsctp/restart/A.pcapng.gz", "dcsctp/abort/A.pcap.gz")
    environment = triage_runs.Triage(tshark, tmp_path / "tricked").tricked("[[ $capture != *restart* ]] || exec sleep 100")
    began = time.monotonic()
    result = subprocess.run(["/usr/bin/python3", "-sPB", "-m", "sctpa.check", "check", "--jobs", "2", "-o", "sctp_analysis.no_such:1", captures], cwd="/",
                            stdin=subprocess.DEVNULL, env=environment, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert result.returncode == 2 and "is not a preference" in result.stderr and time.monotonic() - began < 60, result.stderr


def test_a_device_is_written_as_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    keeper = os.open(tmp_path / "pipe", os.O_RDWR)
    with whole_files.written(tmp_path / "pipe") as file:
        file.write(b"whole")
    assert os.read(keeper, 10) == b"whole" and os.listdir(tmp_path) == ["pipe"]
    os.close(keeper)
