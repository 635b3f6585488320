# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run triage --sequence: the files of a ring are one capture in every result; how they were grouped is said. Leaves what makes a ring to
test/sequence."""

import json
import sys

import pytest

from triage_runs import CAPTURES, TOP, complaints, gather, triage  # noqa: F401

sys.path.append(str(TOP / "test" / "sequence"))

from cutting import cut  # noqa: E402

PARTS = 4
DEMO = CAPTURES / "demo.pcapng.gz"


@pytest.fixture
def folder(tmp_path):
    """The demo in four files, and a capture that is none of them."""
    made = gather(tmp_path / "captures", "dcsctp/abort/A.pcap.gz")
    cut(DEMO, made, PARTS, seed=3)
    return made


def lines(triage):  # noqa: F811
    """The associations without the name of their capture."""
    return [{**assoc, "capture": {**assoc["capture"], "file": ""}} for assoc in triage.associations()]


@pytest.mark.thorough
def test_a_ring_is_one_capture_and_said_to_be(triage, folder, tmp_path):  # noqa: F811
    result = triage("--sequence", folder)
    assert result.returncode == 0, result.stderr
    grouped, told = complaints(result)[0], complaints(result)[-1]
    assert grouped.endswith(f"ring_00001_20240101000001.pcapng and {PARTS - 1} more files: read as one capture, grouped by name, in the order of their numbers")
    assert told.startswith("2 captures, 0 not read to the end; 12 associations")
    joined = [line for line in lines(triage) if len(line["endpoints"]) == 2]
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "demo.pcapng.gz").write_bytes(DEMO.read_bytes())
    assert triage(tmp_path / "whole", folder / "dcsctp_abort_A.pcap.gz").returncode == 0
    key = json.dumps
    assert sorted(map(key, lines(triage))) == sorted(map(key, joined))


def test_without_sequence_each_file_is_a_capture(triage, folder):  # noqa: F811
    triage(folder)
    assert len(triage.captures()) == PARTS + 1 and not (triage.out / "files.csv").exists()


def test_files_csv_and_the_page_tell_which_frames_are_of_which_file(triage, folder):  # noqa: F811
    triage("--sequence", folder)
    rows = triage.table("files.csv")
    assert len(rows) == PARTS and [row["first_frame"] for row in rows][0] == "1" and rows[-1]["last_frame"] == "7179"
    assert all(int(after["first_frame"]) == int(before["last_frame"]) + 1 for before, after in zip(rows, rows[1:]))
    assert {row["capture"] for row in rows} <= {row["capture"] for row in triage.table("captures.csv")}
    assert "in the files: ring_0000" in triage.output("report.html") and "(ring_00001_20240101000001.pcapng:1 to " in triage.output("report.html")


def test_what_is_wrong_with_files_is_said_at_every_run_and_costs_no_other(triage, folder):  # noqa: F811
    (folder / "ring_00002_20240101000002.pcapng").unlink()
    last = folder / "ring_00004_20240101000004.pcapng"
    last.write_bytes(last.read_bytes()[:-10])
    for _ in range(2):
        result = triage("--sequence", "--sections", "0", folder)
        said = "\n".join(complaints(result))
        assert "file 00002 is missing before it" in said and f"{last}: cut short in the middle of a packet" in said and result.returncode == 1
    assert sum(row["state"] == "read in part" for row in triage.table("captures.csv")) == 1
    rows = triage.table("files.csv")
    assert [row["gap_before"] for row in rows] == ["", "file 00002 is missing", ""] and rows[-1]["whole"] == "False"
    assert triage.reads().count("-") == 1


@pytest.mark.thorough
def test_what_rests_on_complete_is_doubted_where_a_file_before_the_last_was_cut(triage, folder):  # noqa: F811
    cut_short = folder / "ring_00002_20240101000002.pcapng"
    cut_short.write_bytes(cut_short.read_bytes()[:-10])
    said = [line for line in complaints(triage("--sequence", "--complete", "--sections", "0", folder)) if "rest on --complete" in line]
    assert said == [f"{cut_short}: was not read to its end: findings that rest on --complete may be wrong"]
    assert "rest on --complete" not in triage("--sequence", "--sections", "0", folder).stderr


@pytest.mark.thorough
def test_a_file_more_is_another_sequence_and_what_was_done_is_not_done_again(triage, folder):  # noqa: F811
    assert triage("--sequence", "--sections", "0", folder).returncode == 0
    done = len(triage.reads())
    assert triage("--sequence", "--sections", "0", folder).returncode == 0 and len(triage.reads()) == done
    more = folder / "ring_00005_20240101000005.pcapng"
    more.write_bytes((folder / "ring_00004_20240101000004.pcapng").read_bytes())
    result = triage("--sequence", "--sections", "0", folder)
    assert "and 4 more files" in complaints(result)[0] and len(triage.reads()) == done + 1
    assert any("the files overlap" in line for line in complaints(result))


def test_anonymised_results_name_no_file(triage, folder):  # noqa: F811
    (folder / "ring_00002_20240101000002.pcapng").unlink()
    (folder / "ring_00004_20240101000004.pcapng").write_bytes(b"")
    assert triage("--sequence", "--anonymise", folder).returncode == 1
    for name, content in triage.everything().items():
        assert b"ring_0" not in content, name
    rows = triage.table("files.csv")
    assert len(rows) == 3 and all(row["file"].startswith("capture-") for row in rows)


def test_plots_of_later_associations_are_of_the_whole_sequence(triage, folder):  # noqa: F811
    assert triage("--sequence", "--sections", "20", folder).returncode == 0
    assert triage.reads().count("-") == 2 and triage.output("report.html").count("<article") == 12


def test_nobody_can_assert_that_files_that_lack_one_are_complete(triage, folder):  # noqa: F811
    (folder / "ring_00002_20240101000002.pcapng").unlink()
    triage("--sequence", "--complete", "--sections", "0", folder)
    asserted = {("ring" in assoc["capture"]["file"], assoc["capture"]["asserted"]["complete"]) for assoc in triage.associations()}
    assert asserted == {(True, False), (False, True)}
