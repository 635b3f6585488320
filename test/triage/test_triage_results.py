# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the folder of results: who owns OUT owns nothing else by it, a full disk is said and costs no result, what is kept and cannot be
read is made anew.

Leaves what the results say to test_triage_command.py.
"""

import os
import pickle
import resource
import signal
import subprocess

import pytest

from triage_runs import OUTPUTS, complaints, gather, triage  # noqa: F401
from conftest import NOBODY, unprivileged
from test_triage_command import SMALL, wait_until

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
STRANGER = 12345
ENOUGH_BYTES = 20_000


def owners(folder):
    return {path.lstat().st_uid for path in folder.rglob("*")}


def prepare_out(out):
    """OUT as a user other than root has it."""
    out.mkdir()
    os.chown(out, NOBODY, NOBODY)


@AS_ROOT
def test_root_gives_nothing_away_through_a_link_of_the_owner_of_the_results(triage, tmp_path):
    folder, target = gather(tmp_path / "in", SMALL[2]), tmp_path / "target"
    target.mkdir(mode=0o700)
    (target / "file").write_text("root's")
    prepare_out(triage.out)
    (triage.out / "resume").symlink_to(target)
    os.chown(triage.out / "resume", NOBODY, NOBODY, follow_symlinks=False)
    result = triage(folder)
    assert complaints(result) == [f"{triage.out}/resume: is a symbolic link, or no folder"] and result.returncode == 2
    assert target.stat().st_uid == 0 and owners(target) == {0} and os.listdir(target) == ["file"]
    assert os.listdir(triage.out) == ["resume"] and triage.reads() == []


@AS_ROOT
@pytest.mark.parametrize("owner", [STRANGER, 0])
def test_root_neither_uses_nor_gives_away_a_folder_of_somebody_else(triage, tmp_path, owner):
    """Nor one of root's own, which the owner of the results may have renamed."""
    folder = gather(tmp_path / "in", SMALL[2])
    prepare_out(triage.out)
    (triage.out / "root's").mkdir(mode=0o700)
    os.chown(triage.out / "root's", owner, owner)
    subprocess.run([*unprivileged(), "mv", triage.out / "root's", triage.out / "resume"], check=True)
    result = triage(folder)
    assert result.returncode == 2 and triage.reads() == []
    assert complaints(result) == [f"{triage.out}/resume: belongs to user {owner}, not to user {NOBODY}, who owns the folder above"]
    assert (triage.out / "resume").stat().st_uid == owner and os.listdir(triage.out / "resume") == []


@pytest.mark.thorough_but_one_in(2)
@AS_ROOT
@pytest.mark.parametrize("mode, owner", [(0o777, STRANGER), (0o755, 0)], ids=["their_place", "a_place_of_root's"])
def test_new_results_belong_to_who_called_sudo_where_that_user_may_make_them(triage, tmp_path, mode, owner, monkeypatch):
    monkeypatch.setenv("SUDO_UID", str(STRANGER))
    monkeypatch.setenv("SUDO_GID", str(STRANGER))
    folder, place = gather(tmp_path / "in", SMALL[2]), tmp_path / "place"
    place.mkdir()
    place.chmod(mode)
    triage.out = place / "some" / "out"
    for _ in range(2):
        assert triage(folder).returncode == 0
    assert owners(place) == {owner} and len(triage.reads()) == 1


@AS_ROOT
@pytest.mark.parametrize("moment", ["reading", "writing"])
def test_who_owns_the_results_gains_nothing_by_changing_them_amid_a_run(triage, tmp_path, moment):
    """A worker that starts later, and the parent that is at it, both keep to the folders they began with."""
    folder, target = gather(tmp_path / "in", *SMALL[:2]), tmp_path / "target"
    target.mkdir(mode=0o755)
    prepare_out(triage.out)
    go = tmp_path / "go"
    triage.trick(f"until [[ -e {go} ]]; do sleep 0.1; done")
    with triage.start("--jobs", "1", folder) as run:
        wait_until(lambda: triage.reads())
        if moment == "reading":
            (triage.out / "resume").rename(tmp_path / "moved")
            (triage.out / "resume").symlink_to(target)
        else:
            triage.out.rename(tmp_path / "moved")
            triage.out.symlink_to(target)
        go.touch()
        said = run.stderr.read()
    assert "Traceback" not in said
    assert os.listdir(target) == [] and target.stat().st_uid == 0


@pytest.mark.thorough
@AS_ROOT
def test_root_takes_nothing_from_behind_a_link_for_what_was_read(triage, tmp_path):
    folder = gather(tmp_path / "in", SMALL[2])
    prepare_out(triage.out)
    assert triage("--anonymise", folder).returncode == 0
    expected = triage.associations()
    for suffix in (".json", ".ndjson.gz"):
        kept, = (triage.out / "resume").glob(f"*[0-9a-f]{suffix}")
        kept.rename(tmp_path / f"elsewhere{suffix}")
        kept.symlink_to(tmp_path / f"elsewhere{suffix}")
        reads = len(triage.reads())
        first = triage("--anonymise", folder)
        assert first.returncode == (0 if suffix == ".json" else 1), first.stderr
        assert triage("--anonymise", folder).returncode == 0 and triage.associations() == expected
        assert len(triage.reads()) == reads + 1 and not kept.is_symlink()
    key = triage.out / "resume" / "key"
    key.unlink()
    key.symlink_to("/etc/hostname")
    assert triage("--anonymise", folder).returncode == 2


def test_a_full_disk_is_one_line_and_what_was_done_is_kept(triage, tmp_path):
    """The limit of a file's size stands for it: the same calls fail."""
    folder = gather(tmp_path / "in", *SMALL)
    assert triage("--no-report", folder).returncode == 0
    done, reads = triage.heads(), triage.reads()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with triage.start(folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (ENOUGH_BYTES, ENOUGH_BYTES))) as run:
        said = run.stderr.read()
    line, = [line for line in said.splitlines() if not line.startswith("run: 3 of 3")]
    assert line == f"run: {triage.out}: file too large" and run.returncode == 1
    assert triage.heads() == done and not any((triage.out / name).exists() for name in OUTPUTS)
    assert [path.name for path in triage.out.rglob(".unfinished-*")] == []
    assert triage(folder).returncode == 0 and triage.reads() == reads


@pytest.mark.thorough
def test_a_disk_full_amid_reading_ends_the_run_at_once(triage, tmp_path):
    folder = gather(tmp_path / "in", "demo.pcapng.gz", *SMALL)
    with triage.start(folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))) as run:
        said = run.stderr.read()
    assert [line for line in said.splitlines() if " captures, " not in line] == [f"run: {triage.out}: file too large"] and run.returncode == 1
    assert triage(folder).returncode == 0


def test_failures_of_tshark_go_from_a_worker_to_its_parent_as_they_are():
    from sctpa.tshark import Failed
    copy = pickle.loads(pickle.dumps(Failed(3, "tshark did not load the plugin: x")))
    assert (type(copy), copy.status, str(copy)) == (Failed, 3, "tshark did not load the plugin: x")


@pytest.mark.parametrize("options", [[], ["-o", "sctp_analysis.decode:all"]])
def test_a_plugin_that_is_not_loaded_amid_a_run_is_said_so(triage, tmp_path, options):
    folder = gather(tmp_path / "in", *SMALL)
    triage.trick("export WIRESHARK_PLUGIN_DIR=/nonexistent")
    result = triage(*options, folder)
    assert complaints(result) == ["tshark did not load the plugin: no cause given"] and result.returncode == 3
    assert triage.heads() == {}


def test_an_interrupt_of_the_terminal_does_not_reach_tshark(triage, tmp_path):
    """It goes to the whole group of processes; tshark would end with what it has read, and status 0, as if that were all."""
    folder, log = gather(tmp_path / "in", SMALL[0]), tmp_path / "group"
    log.touch()
    log.chmod(0o666)
    triage.trick(f"ps -o pgid= -p $$ >{log}")
    with triage.start(folder, start_new_session=True) as run:
        run.stderr.read()
    assert run.returncode == 0 and int(log.read_text()) != run.pid
