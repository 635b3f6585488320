# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects that captures of one run are taken for one: an association that several captures saw is one entry of the page, by keys and times that
both have, and nothing else is."""

import re
from typing import NamedTuple

import pytest

from triage_runs import gather, triage  # noqa: F401
from sctpa.triage import taps

VANTAGE = [f"dcsctp/vantage-bulk/{tap}.pcap.gz" for tap in "ABM"]


class Entry(NamedTuple):
    identity: bytes | None
    number: int
    index: int


def assoc(index=0, start_s=1.0, duration_s=5.0, swapped=False, **changed):
    """An association as taps.py reads it. changed: keys of endpoint 0."""
    ends = [{"vtag": "0x00000001", "initial_tsn": 7, **changed}, {"vtag": "0x00000002", "initial_tsn": 9}]
    return {"index": index, "start_s": start_s, "duration_s": duration_s, "ports": [6000, 5000][::-1 if swapped else 1], "endpoints": ends[::-1] if swapped else ends}


def others(*seen, of=(0, 0)):
    """What the Taps say of the association `of`, after (number, assoc, start of the capture) of each."""
    known = taps.Taps()
    identities = {}
    for number, each, capture_start_s in seen:
        known.add(number, each, capture_start_s)
        identities[number, each["index"]] = taps.identity(each)
    return known.others(Entry(identities[of], *of)), known.count()


@pytest.mark.parametrize("second, start_s", [(assoc(), 100.0), (assoc(swapped=True), 100.0), (assoc(start_s=6.0), 100.0), (assoc(), 160.0), (assoc(index=4), 40.0)])
def test_the_same_keys_at_overlapping_times_are_one_association(second, start_s):
    assert others((0, assoc(), 100.0), (1, second, start_s)) == ([(1, second["index"])], (1, 2))


@pytest.mark.parametrize("second, number, start_s", [
    (assoc(vtag="0x00000003"), 1, 100.0), (assoc(initial_tsn=8), 1, 100.0), (assoc(), 1, 170.0), (assoc(), 1, None), (assoc(index=1), 0, 100.0)])
def test_other_keys_other_times_and_the_same_capture_are_not(second, number, start_s):
    assert others((0, assoc(), 100.0), (number, second, start_s)) == ([], (0, 0))


@pytest.mark.parametrize("unknown", [{"vtag": None}, {"initial_tsn": None}])
def test_an_association_without_all_its_keys_is_nobody_elses(unknown):
    assert others((0, assoc(**unknown), 100.0), (1, assoc(**unknown), 100.0)) == ([], (0, 0))


def test_many_captures_and_a_second_life_of_the_same_keys_are_told_apart():
    seen = [(number, assoc(), 100.0) for number in range(3)] + [(number, assoc(index=9), 9000.0) for number in range(3, 5)]
    assert others(*seen) == ([(1, 0), (2, 0)], (2, 5))
    assert others(*seen, of=(4, 9))[0] == [(3, 9)]


def test_the_page_has_one_entry_and_names_the_other_captures(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", *VANTAGE, "linux/aborts/A.pcapng.gz", "linux/aborts/B.pcapng.gz")
    assert triage(folder).returncode == 0
    page, rows = triage.output("report.html"), triage.table("associations.csv")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))
    keys = [row["identity"] for row in rows]
    known = {key for key in keys if key}
    several = sum(keys.count(key) > 1 for key in known)
    distinct = len(known) + keys.count("")
    assert several >= 4 and distinct < len(rows)
    assert f"{distinct} associations in 5 captures, {several} of them seen by two captures or more" in text and f"{len(rows)} associations." in text
    table = re.search(r'<table class="sortable filtered" id="associations-table".*?</table>', page, re.S)[0]
    assert table.count("<tr") - 1 == page.count("<article") == distinct
    assert table.count("also 0 in dcsctp_vantage-bulk_") == 2 and page.count("The same association is number 0 of <span class=\"file\">dcsctp_vantage-bulk_") == 2


def test_a_section_says_what_only_the_other_capture_shows(triage, tmp_path):  # noqa: F811
    assert triage(gather(tmp_path / "in", *VANTAGE)).returncode == 0
    rules = {row["capture"]: set(row["rules"].split()) for row in triage.table("associations.csv")}
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", triage.output("report.html")))
    shown, = re.findall(r"1\. Association 0 of (\S+)", page)
    of_shown = next(rules[name] for name in rules if name.endswith(shown))
    said = {name: re.search(rf"number 0 of {re.escape(name)} ?, which (?:also shows violations of ([^.]*)|shows violations of no other rule)\.", page)[1]
            for name in (capture.rsplit("/", 1)[1] for capture in rules) if name != shown}
    for name, words in said.items():
        whole = next(rules[each] for each in rules if each.endswith(name))
        assert set(words.split(", ") if words else []) == whole - of_shown
    assert len(said) == 2


def test_the_list_keeps_the_worse_of_both_and_a_kind_counts_runs_not_captures():
    from sctpa.triage.overview import ALIKE_MAX, Overview
    counted = Overview(10)
    for number in range(2 * (ALIKE_MAX + 2)):
        run = number // 2
        counted._of_capture = {"number": number}
        for offered in (counted._assocs, counted._varied):
            entry = type("Row", (), {"number": number, "index": 0, "rank": (0, -(number % 2)), "identity": bytes([run])})
            offered.offer(entry.rank, entry, *(["a kind"] if offered is counted._varied else []))
        counted.taps._seen.execute("INSERT INTO seen VALUES (?, ?, 0, 0, 1)", (bytes([run]), number))
    assert [(entry.number, others) for entry, others in counted.assocs()] == [(number, [(number - 1, 0)]) for number in range(1, 2 * (ALIKE_MAX + 2), 2)]
    assert len(counted.chosen()) == ALIKE_MAX + 2
    assert sum(like == "a kind" for like, _ in counted._varied) == 2 * ALIKE_MAX


def test_a_full_disk_is_one_line_that_says_what_was_written(tmp_path):
    known = taps.Taps()
    known._seen.execute("PRAGMA max_page_count=4")
    with pytest.raises(OSError, match="the temporary file of associations seen by several captures: database or disk is full"):
        for number in range(10_000):
            known.add(number, assoc(initial_tsn=number), 100.0)
