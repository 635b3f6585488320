# SPDX-License-Identifier: GPL-2.0-or-later
"""Texts for people use the words of words.tsv: those of its rows with a pattern are found here, the others need a reader.

Leaves out identifiers in the sources.
"""

import csv
import re

import pytest

import project_files
import texts

WORDS = project_files.TOP / "test/documents/words.tsv"


def rows():
    with WORDS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.fixture(scope="module")
def all_texts():
    return list(texts.texts())


@pytest.mark.parametrize("row", [row for row in rows() if row["pattern"]], ids=lambda row: row["not"])
def test_texts_do_not_say(row, all_texts):
    pattern = re.compile(row["pattern"], re.I)
    found = {f"{path}: ...{text[max(0, match.start() - 40):match.end() + 40]}..." for path, text in all_texts for match in pattern.finditer(text)}
    assert not found, f"say: {row['say']}\n" + "\n".join(sorted(found))


def test_texts_of_every_kind_are_read(all_texts):
    paths = {str(path) for path, _ in all_texts}
    for name in ("README.md", "docs/guide.md", "docs/man/sctp-analysis.7", "run", "sctpa/report/usage.txt", "sctpa/triage/templates/report.html", "test/run",
                 "test/update_all", "plugins/sctp_analysis/ui/dialogs/findings_window.cpp", "plugins/sctp_analysis/core/model/chapters/setup.c",
                 "lua/profile/SCTP Analysis/dfilter_buttons", "lua/sctp_window.lua", "sctpa/rank.py", "packaging/debian/control"):
        assert name in paths, name
    assert len(all_texts) > 5000


def test_quotations_code_and_names_are_no_texts():
    read = [list(part) for part in (texts._of_markdown("a `in flight` b\n```\nin flight\n```\n> in flight\nend\n"),
                                    texts._of_c('.quote = "in" " flight", .why = "so" "me" /* "in flight" */'),
                                    texts._of_python('"""Some."""\nx = "text"\n', docstring_only=True))]
    assert [re.sub(r"\s+", " ", part[0]).strip() for part in read] == ["a ` b end", "some", "Some."]


def test_each_pattern_finds_what_its_row_says():
    for row in rows():
        if row["pattern"]:
            assert any(re.search(row["pattern"], f"{word.strip()}.", re.I) for word in [*row["not"].split(","), ", too"]), row["not"]
    assert sum(not row["pattern"] for row in rows()) > 5
