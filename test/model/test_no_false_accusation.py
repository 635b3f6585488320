# SPDX-License-Identifier: GPL-2.0-or-later
"""Nobody is accused who did nothing: captures of real stacks, whole and as they might have been taken worse.

By default one capture of eight; with SCTPA_ALL_CAPTURES=1 every one.
"""

import csv
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import accusations  # noqa: E402
import variations  # noqa: E402

SHARE = 1 if os.environ.get("SCTPA_ALL_CAPTURES") else 8


def public_captures():
    """Those that the catalogue marks real; none where the catalogue is not there."""
    catalogue = accusations.MORE_CAPTURES / "catalogue.tsv"
    if not catalogue.exists():
        return []
    with open(catalogue, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [accusations.MORE_CAPTURES / row["file"] for row in rows if row["kind"] == "real"]


def real_captures():
    """Those of the lab, and public ones."""
    return sorted(accusations.CAPTURES.glob("*/**/*.pcap*"))[::SHARE] + public_captures()[::SHARE]


@pytest.mark.parametrize("path", real_captures(), ids=accusations.name_of)
def test_only_proven_deviations(path, tmp_path):
    rows = accusations.proven()
    unproven = [(kind, finding) for name, kind, judged in accusations.judge([path], variations.ALL, tmp_path)
                for finding in judged.findings
                if accusations.weighs(finding) and not accusations.is_proven(name, finding, rows)]
    assert not unproven


def test_silent_where_the_capture_does_not_show_it(tmp_path):
    rows = accusations.not_accused()
    found = accusations.judge([accusations.CAPTURES / row["captures"] for row in rows], ["whole"], tmp_path)
    for row, (name, _, judged) in zip(rows, found, strict=True):
        assert name == row["captures"]
        assert not judged.of(row["rule"]), (name, judged.of(row["rule"]))
