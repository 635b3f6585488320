# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run report --sequence: the report of files that hold one capture is that of the whole, and says which file shows what."""

import re
import sys

import pytest

from conftest import TOP
from report_runs import CAPTURES, report

sys.path.append(str(TOP / "test" / "sequence"))

from cutting import cut  # noqa: E402

IDATA = CAPTURES / "linux/idata/A.pcapng.gz"


@pytest.fixture
def ring(tmp_path):
    folder = tmp_path / "ring"
    folder.mkdir()
    cut(IDATA, folder, 4, seed=5)
    return sorted(folder.iterdir())


def issue(folder):
    """issue.md up to the page of triage, without what names the capture."""
    text = (folder / "out/issue.md").read_text().split("```")[0]
    return [line for line in text.splitlines() if not re.search("^Association|In the files|./run report", line)]


@pytest.mark.thorough
def test_the_report_is_that_of_the_whole_with_the_places_in_the_files(ring, tshark, tmp_path):
    (tmp_path / "whole").mkdir()
    whole, one = report(tshark, tmp_path / "whole", IDATA), report(tshark, tmp_path, "--sequence", *reversed(ring))
    assert whole.returncode == one.returncode == 0, one.stderr
    assert "run: reading 4 files as one capture, in the order of their numbers" in one.stderr
    assert issue(tmp_path) == issue(tmp_path / "whole")
    for name in ("issue.md", "report.html"):
        text = (tmp_path / "out" / name).read_text()
        assert re.search(rf"In the files.*{re.escape(ring[0].name[:10])}", text), name
        assert "--sequence ring_0000" in text
        assert all(path.name in text for path in ring) and "joined.pcapng" not in text


def test_a_gap_is_said_and_nobody_can_assert_that_there_is_none(ring, tshark, tmp_path):
    result = report(tshark, tmp_path, "--sequence", "--complete", ring[0], *ring[2:])
    assert "file 00002 is missing before it" in result.stderr and "--complete is ignored" in result.stderr


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("number, is_said", [(1, True), (-1, False)])
def test_complete_is_ignored_where_a_file_before_the_last_was_cut(ring, tshark, tmp_path, number, is_said):
    ring[number].write_bytes(ring[number].read_bytes()[:-10])
    result = report(tshark, tmp_path, "--sequence", "--complete", *ring)
    assert result.returncode == 1 and ("--complete is ignored" in result.stderr) == is_said


def test_a_cut_file_is_said_and_the_rest_reported(ring, tshark, tmp_path):
    ring[-1].write_bytes(ring[-1].read_bytes()[:-10])
    result = report(tshark, tmp_path, "--sequence", *ring)
    assert result.returncode == 1 and "cut short in the middle of a packet" in result.stderr and (tmp_path / "out/report.html").exists()


def test_anonymised_it_names_no_file(ring, tshark, tmp_path):
    result = report(tshark, tmp_path, "--sequence", "--anonymise", *ring)
    assert result.returncode == 0, result.stderr
    text = "".join((tmp_path / "out" / name).read_text() for name in ("issue.md", "report.html"))
    assert "ring_0000" not in text and "In the files" not in text


def test_several_files_need_the_option(ring, tshark, tmp_path):
    result = report(tshark, tmp_path, *ring)
    assert result.returncode == 2 and "--sequence reads its files as one" in result.stderr
