# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects what nobody named from what we write: links, pipes and second names that others put where we are told to write lead nowhere."""

import errno
import os
import pathlib
import resource
import signal
import subprocess
import sys

import pytest

from conftest import CAPTURES, TOP

sys.path += [str(TOP), str(TOP / "test/triage"), str(TOP / "test/report"), str(TOP / "test/cli")]

import triage_runs  # noqa: E402
from sctpa import safe_paths, whole_files  # noqa: E402

NOBODY = 65534
OURS = "only root may write this\n"
CAPTURE = CAPTURES / "dcsctp/abort/A.pcap.gz"
LOG = "O 10:00:00.1 0000 13 88 13 88 00 00 00 00 00 00 00 00 01 00 00 14 00 00 00 01 00 01 00 00 00 0a 00 0a 00 00 00 01 # SCTP_PACKET x\n"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")


@pytest.fixture
def theirs(tmp_path):
    """A folder of another user, beside a file of ours."""
    tmp_path.chmod(0o755)
    folder = tmp_path / "theirs"
    folder.mkdir()
    (tmp_path / "ours").write_text(OURS)
    (tmp_path / "links").mkdir()
    (tmp_path / "links").chmod(0o755)
    own(folder)
    return folder


def own(path):
    os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def link(path, target):
    path.symlink_to(target)
    own(path)
    return path


def module(tshark, folder, command, *words, bytes_max=None):
    """The program of a command, as ./run starts it."""
    if bytes_max:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return subprocess.run(["/usr/bin/python3", "-sPB", "-m", f"sctpa.{command}", *map(str, words)], cwd="/", stdin=subprocess.DEVNULL,
                          env=triage_runs.module_environment(tshark, folder / "links"), capture_output=True, encoding="utf-8", timeout=300, check=False,
                          preexec_fn=bytes_max and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max))))


# Every option that names a file, with the words before and behind it.
FILES = {
    "check --coverage": ("check", "check", "--coverage={}", CAPTURE), "check --format junit": ("check", "check", "--format=junit={}", CAPTURE),
    "check --format sarif": ("check", "check", "--format=sarif={}", CAPTURE),
    "check --update-baseline": ("check", "check", "--fail-on=should", "--update-baseline", "--baseline={}", CAPTURES / "usrsctp/bulk-burstloss/A.pcapng.gz"),
    "matrix": ("check", "matrix", "--format=html={}", CAPTURE.parent), "webrtc": ("webrtc", "{log}", "{}"),
    "watch --log": ("watch", "--log={}", "-"), "watch --metrics": ("watch", "--metrics={}", "-"),
}


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("command", FILES)
def test_no_command_writes_through_a_link_of_a_stranger(tshark, tmp_path, theirs, command):
    (tmp_path / "log").write_text(LOG)
    target = link(theirs / "target", tmp_path / "ours")
    if command == "check --update-baseline":
        (tmp_path / "ours").write_text("")
    before = (tmp_path / "ours").read_text()
    result = module(tshark, tmp_path, *(str(word).format(target, log=tmp_path / "log") for word in FILES[command]))
    assert (tmp_path / "ours").read_text() == before and target.is_symlink()
    assert f"{target}: a symbolic link of user {NOBODY} is in the way, who is neither you nor root" in result.stderr and result.returncode > 0


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("command", FILES)
def test_no_command_writes_into_a_folder_behind_a_link_of_a_stranger(tshark, tmp_path, theirs, command):
    (tmp_path / "log").write_text(LOG)
    link(theirs / "way", tmp_path)
    result = module(tshark, tmp_path, *(str(word).format(theirs / "way" / "new", log=tmp_path / "log") for word in FILES[command]))
    assert not (tmp_path / "new").exists() and "a symbolic link of user" in result.stderr and result.returncode > 0


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", ["report.html", "issue.md", "evidence.pcapng"])
def test_a_report_replaces_links_in_its_folder(tshark, tmp_path, theirs, name):
    link(theirs / name, tmp_path / "ours")
    result = module(tshark, tmp_path, "report", "--out", theirs, CAPTURE)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "ours").read_text() == OURS and not (theirs / name).is_symlink() and (theirs / name).stat().st_size > 100


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("command", ["report", "triage"])
@pytest.mark.parametrize("way", ["way", "way/new", "way/new/newer"])
def test_no_folder_of_results_lies_behind_a_link_of_a_stranger(tshark, tmp_path, theirs, command, way):
    (tmp_path / "ours.d").mkdir()
    link(theirs / "way", tmp_path / "ours.d")
    result = module(tshark, tmp_path, command, "--out", theirs / way, CAPTURE)
    assert list((tmp_path / "ours.d").iterdir()) == [] and "a symbolic link of user" in result.stderr and result.returncode > 0


def test_links_of_ours_are_followed_as_ever(tmp_path, theirs):
    (tmp_path / "way").symlink_to("theirs")
    (tmp_path / "way" / "link").symlink_to("../theirs/../ours")
    with whole_files.written(tmp_path / "way" / "link") as file:
        file.write(b"new")
    assert (tmp_path / "ours").read_text() == "new" and (theirs / "link").is_symlink()
    os.write(handle := whole_files.appended(tmp_path / "way" / "link"), b"er")
    os.close(handle)
    assert (tmp_path / "ours").read_text() == "newer"


def test_links_of_who_called_sudo_are_followed(tmp_path, theirs, monkeypatch):
    target = link(theirs / "target", tmp_path / "ours")
    monkeypatch.setenv("SUDO_UID", str(NOBODY))
    with whole_files.written(target) as file:
        file.write(b"new")
    assert (tmp_path / "ours").read_text() == "new"


def test_links_that_lead_in_a_circle_are_an_error(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for call in (safe_paths.place, safe_paths.folder, safe_paths.made_folder):
        with pytest.raises(OSError) as caught:
            call(tmp_path / "a" / "x" if call != safe_paths.place else tmp_path / "a")
        assert caught.value.errno == errno.ELOOP


def test_a_log_is_not_added_to_a_file_of_ours_that_a_stranger_gave_another_name(tmp_path, theirs):
    os.link(tmp_path / "ours", theirs / "log")
    with pytest.raises(OSError, match="more than one name"):
        whole_files.appended(theirs / "log")
    assert (tmp_path / "ours").read_text() == OURS


def test_another_name_of_a_file_of_ours_is_replaced_and_the_file_stays(tmp_path, theirs):
    os.link(tmp_path / "ours", theirs / "target")
    with whole_files.written(theirs / "target") as file:
        file.write(b"new")
    assert (tmp_path / "ours").read_text() == OURS and (theirs / "target").read_text() == "new"


@pytest.mark.parametrize("call", [whole_files.appended, lambda path: whole_files.written(path).__enter__()])
def test_nobody_waits_at_a_pipe_of_a_stranger(theirs, call):
    os.mkfifo(theirs / "pipe")
    own(theirs / "pipe")
    with pytest.raises(OSError, match="is no regular file, and belongs to user"):
        call(theirs / "pipe")


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_a_log_may_be_the_standard_output(target):
    result = subprocess.run([sys.executable, "-c", f"import os\nfrom sctpa import whole_files\nos.write(whole_files.appended({target!r}), b'line')"], cwd=TOP,
                            stdout=subprocess.PIPE, check=True)
    assert result.stdout == b"line"


def test_relative_paths_and_those_with_dots_lead_where_they_lead(tmp_path, monkeypatch):
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    for path in ("x", "./y", "b/../z", "../w", pathlib.Path("b") / "v"):
        with whole_files.written(path) as file:
            file.write(b"new")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("?") if path.is_file()) == ["a/b/v", "a/x", "a/y", "a/z", "w"]
    assert safe_paths.made_folder("b/c/d") and not safe_paths.made_folder("b/c/d") and (tmp_path / "a/b/c/d").is_dir()


def test_a_folder_that_changes_places_with_a_link_all_the_time_leads_nowhere(tmp_path, theirs):
    """The attack in the middle of the way, many times."""
    (tmp_path / "ours.d").mkdir()
    (theirs / "way").mkdir()
    own(theirs / "way")
    link(theirs / "other", tmp_path / "ours.d")
    swap = "import ctypes, os, sys\nrename = ctypes.CDLL(None, use_errno=True).renameat2\nwhile os.getppid() != 1: rename(-100, b'way', -100, b'other', 2)\n"
    swapping = subprocess.Popen([sys.executable, "-c", swap], cwd=theirs)
    try:
        for _ in range(2000):
            try:
                with whole_files.written(theirs / "way" / "file") as file:
                    file.write(b"new")
            except OSError:
                pass
    finally:
        swapping.kill()
        swapping.wait()
    assert os.listdir(tmp_path / "ours.d") == []
