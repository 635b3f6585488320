# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects -z sctp,watch: what happens is told at once and once; every association is told of as -z sctp,json has it, then forgotten; parts add up."""

import json
import re
import sys

import pytest

from conftest import CAPTURES

sys.path.insert(0, str(CAPTURES.parent / "bench"))
import traffic  # noqa: E402

TOLD = ("forgotten", "continues", "start_epoch_s")
S = 1_000_000_000


def watched(tshark, path, words=""):
    result = tshark("-n", "-q", "-r", path, "-z", f"sctp,watch{words}")
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def of(lines, record):
    return [line for line in lines if line["record"] == record]


def told(line):
    return {name: line[name] for name in TOLD}


def without(line):
    return {name: value for name, value in line.items() if name not in (*TOLD, "record")}


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """600 associations, twenty at a time for forty seconds each, that nobody ends."""
    path = tmp_path_factory.mktemp("watch") / "short.pcapng"
    traffic.write(path, 12_000, 600, gap_ns=100_000_000, at_once=20)
    return path


@pytest.mark.parametrize("name", ["demo.pcapng.gz", "linux/mh-failover/A.pcapng.gz", "linux/init-fail/A.pcapng.gz", "usrsctp/idata/A.pcapng.gz"])
def test_associations_are_those_of_the_document(tshark, name):
    document = json.loads(tshark.json_report(CAPTURES / name))
    lines = watched(tshark, CAPTURES / name)
    assert [without(line) for line in of(lines, "association")] == document["associations"]
    assert all(told(line)["forgotten"] is None and told(line)["continues"] is None for line in of(lines, "association"))
    assert lines[-2]["capture"] == document["capture"] and lines[-1]["record"] == "rules"


def test_what_wakes_somebody_is_told(tshark):
    lines = watched(tshark, CAPTURES / "demo.pcapng.gz")
    events = of(lines, "event")
    kinds = [(event["kind"], event["association"]) for event in events]
    for kind in (("setup_failed", 1), ("setup_failed", 6), ("path_failed", 0), ("path_recovered", 0), ("abort", 5), ("restart", 4)):
        assert kinds.count(kind) == 1, kind
    pause, ended = (next(event for event in events if event["kind"] == kind) for kind in ("pause", "pause_ended"))
    assert pause["pause"]["cause"] == ended["pause"]["cause"] == "closed_window"
    assert pause["pause"]["to_frame"] is None and ended["pause"]["to_frame"] == 1919
    assert float(pause["pause"]["length_s"]) >= 3 > 0 and "window" in pause["text"]


def test_each_proven_finding_is_told_once(tshark):
    name = CAPTURES / "demo.pcapng.gz"
    found = {(a["index"], f["rule"], f["accused"]) for a in json.loads(tshark.json_report(name))["associations"] for f in a["findings"]
             if f["certainty"] == "proven" and f["level"] in ("MUST", "SHOULD")}
    events = [event for event in of(watched(tshark, name), "event") if event["kind"] == "finding"]
    assert sorted(found) == sorted((e["association"], e["finding"]["rule"], e["finding"]["accused"]) for e in events) and found


def test_a_limit_of_pauses_is_heeded(tshark):
    lines = watched(tshark, CAPTURES / "demo.pcapng.gz", ",pause=1")
    assert [event["association"] for event in of(lines, "event") if event["kind"] == "pause"].count(2) == 2


def test_idle_associations_are_told_of_and_forgotten(tshark, short):
    """All but the last are told of long before the end, as the document of the whole capture has them."""
    document = json.loads(tshark.json_report(short))
    lines = watched(tshark, short, ",idle=120")
    associations = of(lines, "association")
    assert sorted((without(line) for line in associations), key=lambda line: line["index"]) == document["associations"]
    early = [line for line in associations if line["forgotten"] == "idle"]
    assert 100 <= len(early) < 600 and {line["forgotten"] for line in associations} == {"idle", None}
    kept = of(watched(tshark, short), "counts")[-1]
    counts = of(lines, "counts")
    assert kept["watched"] == kept["associations"] == counts[-1]["associations"] == 600
    assert max(line["watched"] for line in counts) < 400 and max(line["held_bytes"] for line in counts) < kept["held_bytes"] * 0.7


def test_parts_add_up(tshark, tmp_path):
    """Three associations that hold more than a MiB: their parts follow each other and have the counts of the whole."""
    path = tmp_path / "long.pcapng"
    traffic.write(path, 60_000, 3)
    whole = json.loads(tshark.json_report(path))["associations"]
    lines = of(watched(tshark, path, ",memory=1"), "association")
    assert len(lines) > 6 and {line["forgotten"] for line in lines} == {"part", None}
    by_number = {line["index"]: line for line in lines}

    def first_of(line):
        while line["continues"] is not None:
            line = by_number[line["continues"]]
        return line["index"]

    packets, chunks = dict.fromkeys(range(3), 0), dict.fromkeys(range(3), 0)
    for line in lines:
        packets[first_of(line)] += line["packets"]
        chunks[first_of(line)] += sum(line["chunks"].get("DATA", [0]))
    assert packets == {line["index"]: line["packets"] for line in whole}
    assert chunks == {line["index"]: sum(line["chunks"]["DATA"]) for line in whole}
    assert not any(line["findings"] for line in lines)


@pytest.mark.parametrize("words, cause", [
    (("-2", "-z", "sctp,watch"), "leave out -2"),
    (("-z", "sctp,watch", "-z", "sctp,json"), "cannot be combined"),
    (("-z", "sctp,series,0", "-z", "sctp,watch"), "cannot be combined"),
    (("-z", "sctp,watch", "-z", "sctp,watch"), "cannot be combined"),
    (("-z", "sctp,watch,pause=0"), "Invalid -z argument"),
    (("-z", "sctp,watch,idle=x"), "Invalid -z argument"),
    (("-z", "sctp,watch,memory=99999999"), "Invalid -z argument"),
    (("-z", "sctp,watched"), "Invalid -z argument"),
])
def test_what_cannot_be_watched_is_refused(tshark, words, cause):
    result = tshark("-n", "-q", "-r", CAPTURES / "demo.pcapng.gz", *words)
    assert result.returncode == 1 and cause in result.stderr and result.stdout == ""


def test_the_document_has_the_defaults_of_the_source():
    """Nothing prints them: the source has them, and a reader of the document relies on them."""
    plugin = CAPTURES.parent.parent / "plugins" / "sctp_analysis"
    source = (plugin / "epan" / "stats" / "stats.c").read_text() + (plugin / "report" / "watch" / "watch.c").read_text()
    document = (CAPTURES.parent.parent / "docs" / "reports.md").read_text()
    for name, told in (("PAUSE_S", "longer than `pause=` ({} s:"), ("IDLE_S", "for `idle=` ({} s)"), ("MEMORY_MIB", "than `memory=` ({} MiB)"),
                       ("COUNTS_S", "| `counts` | every {} s of the capture |")):
        value = int(re.search(rf"\b{name} = (\d+)\b", source)[1])
        assert told.format(f"{value:,}") in document, name
