# SPDX-License-Identifier: GPL-2.0-or-later
"""The documents about rules say what the table says, and every rule and candidate is accounted for once."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import accusations  # noqa: E402
import chapters  # noqa: E402
import documents  # noqa: E402
import scenario_builder  # noqa: E402


@pytest.mark.parametrize("name", documents.DOCUMENTS)
def test_document_is_current(name):
    assert (documents.FOLDER / name).read_text(encoding="utf-8") == documents.DOCUMENTS[name](), \
        "write it anew with test/model/documents.py"


def test_no_candidate_is_both_rule_and_left_out():
    assert not set(documents.rules()) & set(chapters.left_out())


def test_every_number_is_a_rule_or_listed_as_left_out():
    known = sorted({*documents.rules(), *chapters.left_out()})
    for group in documents.GROUPS:
        numbers = [int(rule.partition("-")[2]) for rule in known if documents.group(rule) == group]
        assert numbers == list(range(1, len(numbers) + 1)), \
            f"{group}: a number that is gone stands in LEFT_OUT of its chapter, so that no other rule gets it"


def test_every_rule_is_described():
    """What is quoted from no RFC is a note."""
    for rule, row in documents.rules().items():
        may_lack = {"needs"} | ({"quote"} if row["level"] == "heuristic" else set())
        assert all(row[column].strip() for column in documents.COLUMNS if column not in may_lack), rule
        assert documents.group(rule) in documents.GROUPS, rule


def test_each_clause_names_rules_or_says_why_none_tells_it():
    for row in documents.clauses():
        told_by = row["told_by"].split()
        assert row["shown_by"] in ("packets", "facts", "packets, facts", "never"), row
        assert set(told_by) <= set(documents.rules()), row
        assert not told_by and row["why"].strip() if row["shown_by"] == "never" else told_by, row


def test_rows_of_what_is_not_accused_name_rules_and_reasons():
    for row in accusations.not_accused():
        assert row["rule"] in {**documents.rules(), **chapters.left_out()}, row
        assert row["what"].strip() and row["why"].strip(), row


def test_proven_rows_name_rules_and_captures():
    captures = [accusations.name_of(path) for path in sorted(accusations.CAPTURES.glob("*/**/*.pcap*"))]
    for row in accusations.proven():
        assert row["rule"] in documents.rules(), row
        assert row["captures"].startswith("public/") or accusations.fnmatch.filter(captures, row["captures"]), row
        assert row["proof"].strip(), row
