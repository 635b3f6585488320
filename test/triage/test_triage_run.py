# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the words of `./run triage`: usage, exit status, who reads and who writes. Leaves what a triage does to test_triage_command.py."""

import os
import shutil
import stat
import subprocess

import pytest

from triage_runs import OUTPUTS
from conftest import NOBODY, TOP

CAPTURE = TOP / "test" / "captures" / "dcsctp" / "abort" / "A.pcap.gz"
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def run(*arguments, folder, environment=None):
    variables = {key: value for key, value in os.environ.items() if not key.startswith("SUDO_")}
    return subprocess.run([TOP / "run", "triage", *map(str, arguments)], cwd=folder, env={**variables, **(environment or {})}, stdin=subprocess.DEVNULL,
                          capture_output=True, encoding="utf-8", timeout=600, check=False)


def test_help_names_every_option_and_status_and_fits_a_terminal(tmp_path):
    result = run("--help", folder=tmp_path)
    assert result.returncode == 0 and result.stderr == ""
    for word in ("--jobs", "--out", "--sections", "--anonymise", "--timeout", "--no-report", "--option", "Exit status: 0"):
        assert word in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


@pytest.mark.parametrize("arguments, words", [
    ([], "which captures?"),
    (["--jobs"], "--jobs"),
    (["--jobs", "many", "a.pcap"], "many is no number"),
    (["--nonsense", "a.pcap"], "--nonsense"),
    (["--out", "", "a.pcap"], "needs a value"),
    (["--an", "a.pcap"], "--an"),
])
def test_wrong_usage_is_one_line_and_status_2(tmp_path, arguments, words):
    result = run(*arguments, folder=tmp_path)
    line, = result.stderr.splitlines()
    assert line.startswith("run: ") and words in line and result.returncode == 2 and result.stdout == ""


def test_takes_names_from_any_folder_and_writes_there(tmp_path):
    shutil.copy(CAPTURE, tmp_path / "-dash.pcap.gz")
    (tmp_path / "sctpa").mkdir()
    (tmp_path / "sctpa" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong one')")
    result = run("--", "-dash.pcap.gz", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert all((tmp_path / "sctp_triage" / name).stat().st_size > 100 for name in OUTPUTS)
    assert stat.S_IMODE((tmp_path / "sctp_triage" / "resume").stat().st_mode) == 0o700


@AS_ROOT
def test_root_may_triage_what_only_root_can_read_and_gives_the_results_to_who_called_sudo(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    shutil.copy(CAPTURE, closed)
    (closed / CAPTURE.name).chmod(0o600)
    result = run("--out", tmp_path / "mine", closed, folder=tmp_path)
    assert result.returncode == 0 and "not read to the end; 1 association" in result.stderr
    assert {path.stat().st_uid for path in (tmp_path / "mine").rglob("*")} == {0}
    result = run("--out", tmp_path / "theirs", closed, folder=tmp_path, environment={"SUDO_UID": str(NOBODY), "SUDO_GID": str(NOBODY)})
    assert result.returncode == 0, result.stderr
    assert {path.stat().st_uid for path in (tmp_path / "theirs").rglob("*")} == {NOBODY}
    assert (tmp_path / "mine" / "associations.ndjson").read_bytes() == (tmp_path / "theirs" / "associations.ndjson").read_bytes()
