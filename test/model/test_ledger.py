# SPDX-License-Identifier: GPL-2.0-or-later
"""What the model says of the captures of the lab changes only on purpose: ledger.tsv is written anew (test/model/ledger --update), and its
difference shows what a commit changed."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import ledger  # noqa: E402


def test_nothing_changed_unsaid():
    changed = ledger.difference(ledger.read(ledger.LEDGER), ledger.rows(ledger.lab_captures()))
    assert not changed, "test/model/ledger --update, where this is meant:\n" + "\n".join(changed)
