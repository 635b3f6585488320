# SPDX-License-Identifier: GPL-2.0-or-later
"""The installed command sctp-analysis: all that ./run does in a checkout, without one.

Leaves where its files are to test_install.py, what the reports say to the tests of each.
"""

import os
import shutil
import subprocess

import pytest
from conftest import CAPTURES, TOP, unprivileged

DEMO = CAPTURES / "demo.pcapng.gz"
WORDS = ("triage", "check", "compare", "matrix", "explain", "report", "webrtc", "watch")


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """command(ARGUMENTS..., status=0) runs it in an empty folder of a user for whom it was installed; .folder is that folder; .captures: some
    that this user can read, .healthy is one of them."""
    home = tmp_path_factory.mktemp("home")
    subprocess.run(["cmake", "--install", TOP / "build/release", "--component", "personal", "--prefix", home / ".local"], check=True, capture_output=True)
    work = home / "work"
    work.mkdir()
    # Not every user may read what is below the folder of the checkout.
    for name in ("linux/ecn", "usrsctp/prsctp"):
        shutil.copytree(CAPTURES / name, home / "captures" / name)
    subprocess.run(["chmod", "-R", "a+rwX", home], check=True)
    variables = {"PATH": f"{home}/.local/bin:/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def run(*words, status=0):
        result = subprocess.run([*unprivileged(), "sctp-analysis", *map(str, words)], env=variables, cwd=work, stdin=subprocess.DEVNULL,
                                capture_output=True, encoding="utf-8", check=False)
        assert result.returncode == status, result.stdout + result.stderr
        return result
    run.folder, run.captures, run.healthy = work, home / "captures", home / "captures/linux/ecn/A.pcapng.gz"
    return run


@pytest.mark.parametrize("words", [(), *((word,) for word in WORDS)])
def test_its_help_names_it(command, words):
    shown = command(*words, "--help").stdout
    assert "usage: sctp-analysis" in shown and "./run" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_its_messages_name_it(command):
    assert command("no such file", status=1).stderr == "sctp-analysis: no such file: there is no such file\n"
    assert command("triage", "--no-such", status=2).stderr.endswith("(sctp-analysis triage --help)\n")
    for option in ("--install", "--build"):
        assert command(option, status=2).stderr == f"sctp-analysis: {option} is for a checkout; sctp-analysis is installed (sctp-analysis --help)\n"


def test_a_report_is_that_of_tshark(command, tshark):
    expected = tshark("-q", "-o", "sctp_analysis.messages:TRUE", "-r", DEMO, "-z", "sctp,triage").stdout
    shutil.copy(DEMO, command.folder)
    shown = command(DEMO.name).stdout
    assert shown == expected.replace("SCTP triage\n", f"SCTP triage: {DEMO.name}\n", 1) != expected
    assert command().stdout.splitlines()[2:] == shown.splitlines()[2:]


def test_many_captures(command):
    command("triage", "--out", "out", command.captures / "linux/ecn", command.captures / "usrsctp/prsctp")
    assert {"report.html", "associations.csv"} <= set(os.listdir(command.folder / "out"))


def test_a_gate(command):
    assert command("check", command.healthy).stdout.startswith("Nothing new: 1 capture, 2 endpoints, ")
    assert command("explain", "RX-023").stdout.startswith("RX-023")
    command("matrix", "--format", "html=matrix.html", command.captures / "linux/ecn")
    assert "<code>sctp-analysis explain</code>" in (command.folder / "matrix.html").read_text(encoding="utf-8")


def test_a_report_for_others(command):
    command("report", "--out", "handed", command.healthy)
    assert "sctp-analysis report" in (command.folder / "handed/report.html").read_text(encoding="utf-8")


def test_files_that_are_one_capture(command):
    subprocess.run(["editcap", "-c", "200", command.healthy, command.folder / "ring.pcapng"], check=True)
    parts = sorted(command.folder.glob("ring_*"))
    for part in parts:
        part.chmod(0o644)
    assert len(parts) > 1
    parts_shown, whole_shown = (command(*words).stdout.splitlines() for words in (("--sequence", *parts), (command.healthy,)))
    assert parts_shown[-5:] == whole_shown[-5:]


def test_what_is_missing_is_named_and_nothing_is_installed(command):
    hidden = command.folder.parent / ".local/share/sctp-analysis/plugin_folder"
    was = hidden.read_text()
    hidden.write_text("nowhere\n")
    try:
        assert "sctp_analysis.so is not where it was installed" in command(command.healthy, status=3).stderr
    finally:
        hidden.write_text(was)
