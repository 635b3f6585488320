# SPDX-License-Identifier: GPL-2.0-or-later
"""No statement about a timer, an ending, a loss, what was given up or a head-of-line delay is false in the lab's captures."""

import pytest

import statements
import truth
from statement import FALSE


@pytest.mark.thorough_but_one_in(16)
@pytest.mark.parametrize("folder", truth.scenarios(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_no_statement_is_false(folder, tshark):
    assert [str(statement) for statement in statements.of(tshark, folder) if statement.verdict == FALSE] == []
