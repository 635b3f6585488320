# SPDX-License-Identifier: GPL-2.0-or-later
"""Each reason why an ending differs from what an application was told is still needed. Leaves out the comparison (test_statements.py)."""

import pytest

import endings
import truth


@pytest.mark.thorough_but_one_in(8)
@pytest.mark.parametrize("folder", truth.scenarios(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_every_reason_explains_a_difference(folder, tshark):
    for tap in truth.taps(folder):
        records = endings.logged(folder, tap)
        if records is None:
            continue
        told_only, shown_only = endings.unmatched(records, endings.shown(tshark, folder, tap))
        assert set(endings.reasons(endings.TOLD_ONLY, folder, tap)) <= {(record.kind, record.end) for record in told_only}, tap
        assert set(endings.reasons(endings.SHOWN_ONLY, folder, tap)) <= {(ending.kind, ending.end) for ending in shown_only}, tap
