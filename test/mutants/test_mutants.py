# SPDX-License-Identifier: GPL-2.0-or-later
"""What the labels of captures with one deviation each say is found, and their innocent twins are not accused. What is missed or wrong today
stands in missed.tsv and wrong.tsv, which only shrink."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import labels  # noqa: E402


@pytest.fixture(scope="module")
def made():
    return labels.outcomes()


def difference(name, found):
    """What is new, and what is listed without being so."""
    listed = set(labels.known(name))
    return {"new": sorted(found - listed), "mended: take it out of the list": sorted(listed - found)}


@pytest.mark.thorough
def test_missed_are_known(made):
    assert difference("missed.tsv", labels.missed(made)) == {"new": [], "mended: take it out of the list": []}


def test_wrong_are_known(made):
    assert difference("wrong.tsv", labels.wrong(made)) == {"new": [], "mended: take it out of the list": []}


def test_reasons_are_given():
    assert all(reason.strip() for name in labels.KNOWN for reason in labels.known(name).values())


def test_labels_name_captures():
    named = {row["file"] for name in ("expected.tsv", "innocent.tsv") for row in labels.table(name)}
    assert named == {path.name for path in labels.FOLDER.glob("*.pcap.gz")}
