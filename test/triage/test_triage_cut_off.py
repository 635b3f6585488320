# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects triage where a process is killed at an unlucky moment: tshark in the middle of a line, or one that reads what another run has read by then,
and a worker between two captures. Leaves kills at random to the program killed.
"""

import multiprocessing
import os
import sys

import pytest

from triage_runs import complaints, cut_off, gather, triage  # noqa: F401
from conftest import TOP
from test_triage_command import SMALL, wait_until
from test_sturdy import results

sys.path.append(str(TOP))

from sctpa import whole_files, workers  # noqa: E402

@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("bytes_missing", [1, 30, 5_000])
def test_what_is_cut_off_amid_a_line_is_no_result_and_stops_no_other(triage, tmp_path, bytes_missing):  # noqa: F811
    folder = gather(tmp_path / "in", *SMALL[1:])
    triage.trick(f"[[ $capture != *dcsctp* ]] || {{ {cut_off(bytes_missing)}; }}")
    result = triage(folder)
    assert result.returncode == 1 and complaints(result)[0].endswith(": tshark ended by signal 9"), result.stderr
    rows = triage.captures()
    assert [row["message"] for row in rows.values()].count("") == len(SMALL[1:]) - 1 and "Traceback" not in result.stderr
    triage.trick("")
    assert triage(folder).returncode == 0
    healed, triage.out = results(triage), tmp_path / "whole"
    triage(folder)
    assert healed == results(triage)


def test_a_reading_that_is_killed_leaves_what_another_run_has_read_meanwhile(triage, tmp_path):  # noqa: F811
    folder, go = gather(tmp_path / "in", SMALL[0]), tmp_path / "go"
    triage.trick(f"if (($(wc -l <{triage._log}) == 1)); then while [[ ! -e {go} ]]; do sleep 0.1; done; {cut_off(30)}; fi")
    with triage.start("--no-report", folder) as slow:
        wait_until(triage.reads)
        assert triage("--no-report", folder).returncode == 0
        before = {name: content for name, content in triage.everything().items() if not name.startswith(whole_files.UNFINISHED)}
        go.touch()
        said = slow.stderr.read()
    assert slow.returncode == 0, said
    assert triage.everything() == before
    reads = len(triage.reads())
    assert triage(folder).returncode == 0 and len(triage.reads()) == reads and triage.associations()


def test_a_worker_that_is_killed_between_two_captures_costs_none():
    pool = workers.Pool(1)

    def arguments():
        yield ()
        wait_until(multiprocessing.active_children)
        for worker in multiprocessing.active_children():
            worker.kill()
        wait_until(lambda: pool._pool._broken)
        yield ()

    pids = [pid for _, pid in pool.run(os.getpid, arguments())]
    assert len(pids) == 2 and None not in pids
