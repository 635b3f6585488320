# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the program that the windows start: complete where it lies beside the plugin, its steps, its settings, how it ends when it is told to.
Leaves what it writes to test_report_command.py.
"""

import os
import pathlib
import signal
import subprocess
import time

import pytest

from conftest import PLUGINS
from report_runs import CAPTURES, report

import triage_runs

IDATA = CAPTURES / "linux/idata/A.pcapng.gz"


@pytest.fixture
def beside(tshark, tmp_path):
    """(words that start the program beside the plugin, its environment); results lie in tmp_path/out."""
    (program,) = PLUGINS.glob("*/epan/sctp_analysis/report")
    links = tmp_path / "links"
    links.mkdir()
    links.chmod(0o755)
    environment = {**triage_runs.module_environment(tshark, links), "PYTHONPATH": str(program)}
    return ["/usr/bin/python3", "-sPB", "-m", "sctpa.report", "--out", tmp_path / "out"], environment


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        return False


def test_it_is_complete_beside_the_plugin(beside, tshark, tmp_path):
    words, environment = beside
    ended = subprocess.run([*words, IDATA.name], env=environment, cwd=IDATA.parent, check=False, capture_output=True, encoding="utf-8")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert report(tshark, tmp_path / "out", IDATA).returncode == 0
    ours, other = (folder / "issue.md" for folder in (tmp_path / "out", tmp_path / "out" / "out"))
    assert ours.read_text(encoding="utf-8").replace(f"`{IDATA.name}`", f"`{IDATA}`") == other.read_text(encoding="utf-8")


def test_what_python_lacks_is_said(beside):
    words, environment = beside
    start = "import sys, runpy; sys.modules['jinja2'] = None; runpy.run_module('sctpa.report', run_name='__main__')"
    ended = subprocess.run([*words[:2], "-c", start, IDATA], env=environment, check=False, capture_output=True, encoding="utf-8")
    assert ended.returncode == 3
    assert ended.stderr == "run: the Python package jinja2 is not installed; in Debian it is in python3-jinja2\n"


@pytest.mark.thorough
def test_steps_are_said_where_that_is_asked_for(tshark, tmp_path):
    ended = report(tshark, tmp_path, "--progress", "--anonymise", IDATA)
    steps = [line.removeprefix("run: step: ") for line in ended.stderr.splitlines()]
    assert steps[:3] == ["anonymising the capture", "reading the capture", "listing the packets of association 0"]
    assert steps[3].startswith("writing the evidence: ") and steps[-1] == "writing the page"


@pytest.mark.thorough
def test_settings_count_but_are_in_no_command(tshark, tmp_path):
    """What a window passes on that has its default value here, whatever the preferences file says."""
    ended = report(tshark, tmp_path, "--setting", "sctp_analysis.rules:off", "-o", "sctp_analysis.profile:9260", IDATA)
    assert ended.returncode == 0, ended.stderr
    text = (tmp_path / "out" / "issue.md").read_text(encoding="utf-8")
    assert "### ID-015" not in text
    assert "./run report -o sctp_analysis.profile:9260 --association 0" in text


@pytest.mark.thorough
def test_an_option_comes_after_settings(tshark, tmp_path):
    assert report(tshark, tmp_path, "--setting", "sctp_analysis.rules:off", "-o", "sctp_analysis.rules:all", IDATA).returncode == 0
    assert "### ID-015" in (tmp_path / "out" / "issue.md").read_text(encoding="utf-8")


def test_told_to_end_it_ends_its_tshark_and_leaves_nothing_half_written(beside, tmp_path):
    words, environment = beside
    tools = tmp_path / "tools"
    tools.mkdir()
    slow = tools / "tshark"
    # Heeds no signal but the one that none can ignore, and writes nothing.
    slow.write_text(f"#!/bin/bash\ntrap '' TERM INT\n[[ \" $* \" == *' -r '* ]] || exec /usr/bin/tshark \"$@\"\necho $$ >{tools}/pid\nwhile :; do sleep 0.1; done\n")
    slow.chmod(0o755)
    tools.chmod(0o777)
    process = subprocess.Popen([*words, IDATA], env={**environment, "PATH": f"{tools}:{os.environ['PATH']}"}, stderr=subprocess.PIPE, encoding="utf-8")
    begun = time.monotonic()
    while not (tools / "pid").exists() or not (tools / "pid").read_text():
        assert time.monotonic() - begun < 60
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=30)[1] == "run: interrupted\n"
    assert process.returncode == 128 + signal.SIGTERM
    time.sleep(0.5)
    assert not runs(int((tools / "pid").read_text()))
    assert not list((tmp_path / "out").glob("*"))
