# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the queries of docs/commands.md: DuckDB runs each as it stands there over results of ours, and they say what the results say.

Leaves what stands in the results to test_triage_tables.py.
"""

import csv
import importlib.util
import json
import os
import sys

import pytest

import machines
from triage_runs import TOP, Triage, gather

sys.path.append(str(TOP / "build/python"))
pytestmark = pytest.mark.skipif(not importlib.util.find_spec("duckdb"), reason="duckdb is not in build/python (docs/commands.md)")
FIRST = ("dcsctp/bulk-loss5/A.pcap.gz", "dcsctp/outage/A.pcap.gz", "linux/aborts/A.pcapng.gz")
SECOND = ("usrsctp/restart/A.pcapng.gz",)
OF_SEVERAL = "'*/"


def documented():
    """The statements of the document, in its order: (of one FOLDER, of several)."""
    text = machines.DOCUMENT.read_text(encoding="utf-8")
    section = text[text.index("## Querying the results"):text.index("## More than one machine")]
    lines = [line for line in section.splitlines() if line.startswith("    ") and not line.lstrip().startswith("--")]
    statements = [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]
    return [each for each in statements if OF_SEVERAL not in each], [each for each in statements if OF_SEVERAL in each]


def rows(path):
    """The rows of a CSV."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def answers(folder, statements):
    """What each statement answers in this folder."""
    import duckdb
    before = os.getcwd()
    os.chdir(folder)
    try:
        with duckdb.connect() as database:
            return [database.execute(statement).fetchall() for statement in statements]
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def folders(tshark, tmp_path_factory):
    """A folder with three FOLDERs side by side: one capture is in two of them, the last has one that cannot be read."""
    work = tmp_path_factory.mktemp("queries")
    work.chmod(0o777)
    triage = Triage(tshark, work)
    first, second = gather(work / "one", *FIRST), gather(work / "other \x01'\"{\t", *SECOND)
    none = gather(work / "none") / "empty.pcap"
    none.touch()
    above = work / "results"
    above.mkdir(mode=0o777)
    for name, captures in (("a monday", (first,)), ("b", (second, first / FIRST[0].replace("/", "_"))), ("c", (none,))):
        triage("--out", above / name, *captures)
    return above


def test_each_query_of_one_folder_answers_from_what_lies_there(folders):
    folder = folders / "a monday"
    rules, pauses, hours, streams, copied = answers(folder, documented()[0])
    findings, associations = (rows(folder / name) for name in ("findings.csv", "associations.csv"))
    assert sum(row[3] for row in rules) == sum(row["certainty"] == "proven" for row in findings) > 0
    assert sum(row[1] for row in pauses) == len(rows(folder / "pauses.csv")) > 0
    assert sum(row[2] for row in hours) == len(associations) > 0 and sum(row[1] for row in hours) == sum(row["end"] == "abort" for row in associations) > 0
    assert streams and all(delay is not None for *_, delay in streams)
    assert copied == [(len(findings),)] and (folder / "findings.parquet").stat().st_size > 0


def test_what_has_no_rows_is_queried_as_well(folders):
    statements = [statement for statement in documented()[0] if "ndjson" not in statement]
    assert answers(folders / "c", statements) == [[], [], [], [(0,)]]


def test_merged_folders_have_each_capture_once_and_every_line_as_it_was(folders):
    answers(folders, documented()[1])
    of_b = {row["capture"] for row in rows(folders / "b" / "captures.csv")}
    kept = [row for row in rows(folders / "a monday" / "findings.csv") if row["capture"] not in of_b]
    expected = kept + rows(folders / "b" / "findings.csv")
    merged = rows(folders / "all_findings.csv")
    assert kept and len(merged) == len(expected) and {row["folder"] for row in merged} == {"a monday", "b"}
    assert sorted((row["capture"], row["rule"], row["fingerprint"]) for row in merged) == sorted((row["capture"], row["rule"], row["fingerprint"]) for row in expected)
    lines = [line for line in (folders / "a monday" / "associations.ndjson").read_bytes().splitlines() if json.loads(line)["capture"]["file"] not in of_b]
    lines += (folders / "b" / "associations.ndjson").read_bytes().splitlines()
    assert sorted((folders / "all_associations.ndjson").read_bytes().splitlines()) == sorted(lines)
