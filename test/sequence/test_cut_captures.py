# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects that a capture cut into files and read with --sequence gives what the whole gives, byte for byte but for the names of files.

Reports of a sample of the captures here, of each of them in test/sequence/cut_all; the stream that tshark reads, of each. Leaves bad files to
test_stream.py.
"""

import itertools
import json
import shutil

import pytest

from conftest import CAPTURES, capture_files, capture_id, one_in
from cutting import cut
from joined_reports import digest_of, json_of, without_files

PIECES = (2, 5, 20)
CASES = list(zip(one_in(16, capture_files([CAPTURES])), itertools.cycle(PIECES)))


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("path, pieces", CASES, ids=[f"{capture_id(path)}-in-{pieces}" for path, pieces in CASES])
def test_a_capture_in_pieces_is_judged_as_the_whole(tshark, tmp_path, path, pieces):
    written, counts = cut(path, tmp_path, pieces, seed=capture_id(path))
    report = json_of(tshark, written, tmp_path)
    assert without_files(report) == without_files(tshark.json_report(path))
    files = json.loads(report)["capture"]["files"]
    ends = list(itertools.accumulate(counts))
    assert [(each["first_frame"], each["last_frame"]) for each in files] == [(end - count + 1, end) for end, count in zip(ends, counts)]
    assert all(each["whole"] and each["message"] is None and each["gap_before"] is None for each in files)


@pytest.mark.thorough
def test_the_stream_of_pieces_is_that_of_the_whole(tmp_path):
    for capture in capture_files([CAPTURES]):
        whole = digest_of([capture])
        for pieces in PIECES:
            (tmp_path / "pieces").mkdir()
            written, _ = cut(capture, tmp_path / "pieces", pieces, seed=f"stream {capture_id(capture)}")
            assert digest_of(written) == whole, (capture, pieces)
            shutil.rmtree(tmp_path / "pieces")
