# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects that a capture cut into files and read with --sequence gives what the whole gives, byte for byte but for the names of files.

A sample of the captures here; test/sequence/cut_all does the same with each of them. Leaves bad files to test_odd_files.py.
"""

import itertools
import json

import pytest

from conftest import CAPTURES, capture_files, capture_id, one_in
from cutting import cut
from joined_reports import json_of, without_files

PIECES = (2, 5, 20)
CASES = list(zip(one_in(16, capture_files([CAPTURES])), itertools.cycle(PIECES)))


@pytest.mark.parametrize("path, pieces", CASES, ids=[f"{capture_id(path)}-in-{pieces}" for path, pieces in CASES])
def test_a_capture_in_pieces_is_judged_as_the_whole(tshark, tmp_path, path, pieces):
    written, counts = cut(path, tmp_path, pieces, seed=capture_id(path))
    report = json_of(tshark, written, tmp_path)
    assert without_files(report) == without_files(tshark.json_report(path))
    files = json.loads(report)["capture"]["files"]
    ends = list(itertools.accumulate(counts))
    assert [(each["first_frame"], each["last_frame"]) for each in files] == [(end - count + 1, end) for end, count in zip(ends, counts)]
    assert all(each["whole"] and each["message"] is None and each["gap_before"] is None for each in files)
