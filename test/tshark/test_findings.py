# SPDX-License-Identifier: GPL-2.0-or-later
"""Findings as users of tshark see them: fields, expert infos, report, JSON, preferences; all tell the same."""

import datetime
import json
import pathlib
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test" / "model")]

import scenario_builder  # noqa: E402
from generate import chunks  # noqa: E402

FIELDS = ("finding", "finding.level", "finding.accused", "finding.clause")


def write_broken(tmp_path):
    """A capture whose first packet breaks FMT-018, end 0 is to blame; the association goes on."""
    path = tmp_path / "broken.pcapng"
    scenario = scenario_builder.ScenarioBuilder()
    scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), chunks.chunk(chunks.PAD, 0, bytes(8)), vtag=0)
    scenario.init_ack().cookie_echo().cookie_ack().exchange(2)
    scenario.write_capture(path)
    return path


@pytest.fixture
def broken(tmp_path):
    return write_broken(tmp_path)


@pytest.fixture
def conforming(tmp_path):
    path = tmp_path / "conforming.pcapng"
    scenario_builder.ScenarioBuilder().set_up().exchange(3).shut_down().write_capture(path)
    return path


def fields(tshark, path, *options):
    arguments = [part for name in FIELDS for part in ("-e", f"sctp.analysis.{name}")]
    rows = tshark("-r", path, *options, "-T", "fields", *arguments).stdout.split("\n")[:-1]
    return [tuple(row.split("\t")) for row in rows]


def document(tshark, path, *options, filter_text=""):
    return json.loads(tshark("-q", "-r", path, *options, "-z", "sctp,json" + filter_text).stdout)


@pytest.mark.parametrize("passes", [(), ("-2",)], ids=["one pass", "two passes"])
def test_the_packet_has_the_finding(passes, broken, tshark):
    rows = fields(tshark, broken, *passes)
    assert rows[0] == ("FMT-018", "MUST", "0", "RFC 9260 6.10")
    assert not any(finding for finding, *_ in rows[1:])


def test_the_fields_tell_what_the_json_tells(broken, tshark):
    names = ("title", "path", "expected", "seen")
    row = tshark("-r", broken, "-c", "1", "-T", "fields", *(part for name in names for part in ("-e", f"sctp.analysis.finding.{name}")))
    finding, = document(tshark, broken)["associations"][0]["findings"]
    assert row.stdout.rstrip("\n").split("\t") == [str(finding[name]) if finding[name] is not None else "" for name in names]


def test_the_expert_info_names_rule_and_end(broken, tshark):
    text = tshark("-q", "-r", broken, "-z", "expert").stdout
    assert "FMT-018 by endpoint 0" in text and text.index("Errors") < text.index("FMT-018")
    assert tshark("-r", broken, "-Y", "sctp.analysis.rule.fmt-018").stdout.count("\n") == 1


@pytest.mark.parametrize("condition", ["_ws.expert", "_ws.expert.group == 150994944", '_ws.expert.message contains "FMT-018"',
                                       "sctp.analysis && _ws.expert", "sctp.verification_tag == 0 && _ws.expert"])
def test_filters_for_expert_infos_find_it(condition, broken, tshark):
    result = tshark("-r", broken, "-Y", condition, "-T", "fields", "-e", "frame.number")
    assert result.stdout == "1\n", result.stderr


def test_json_tells_the_finding_and_the_verdicts(broken, tshark):
    assoc, = document(tshark, broken)["associations"]
    finding, = assoc["findings"]
    assert (finding["rule"], finding["level"], finding["accused"], finding["count"], finding["frames"]) == ("FMT-018", "MUST", 0, 1, [1])
    assert finding["expected"] and finding["seen"] and finding["title"] and finding["clause"]
    assert [end["verdict"] for end in assoc["endpoints"]] == ["deviates", "clean"]
    assert all(end["checked_rules"] > 0 for end in assoc["endpoints"])


def test_the_report_and_triage_tell_it(broken, tshark):
    for report in ("findings", "triage"):
        text = tshark("-q", "-r", broken, "-z", f"sctp,{report}").stdout
        assert "FMT-018" in text and "2 chunks" in text
        assert max(map(len, text.split("\n"))) <= 80


@pytest.mark.parametrize("began, is_older", [("1999-06-01", True), ("2023-11-14", False), ("1970-01-02", False)],
                         ids=["before RFC 2960", "after it", "by a clock that was not set"])
def test_a_capture_older_than_the_rfc_says_so(began, is_older, tmp_path, tshark, monkeypatch):
    """FMT-018 first stood in RFC 2960, October 2000."""
    began_s = int(datetime.datetime.fromisoformat(began).replace(tzinfo=datetime.timezone.utc).timestamp())
    monkeypatch.setattr(scenario_builder, "START_NS", began_s * scenario_builder.S)
    path = write_broken(tmp_path)
    finding, = document(tshark, path)["associations"][0]["findings"]
    assert finding["rule"] == "FMT-018" and finding["predates_rfc"] is is_older
    for report in ("findings", "triage"):
        text = " ".join(tshark("-q", "-r", path, "-z", f"sctp,{report}").stdout.split())
        assert "FMT-018" in text and ("the capture is older than RFC 2960 (October 2000)" in text) is is_older


def test_a_filter_counts_what_its_packets_complete(broken, tshark):
    assoc, = document(tshark, broken, filter_text=",frame.number == 1")["associations"]
    assert [finding["rule"] for finding in assoc["findings"]] == ["FMT-018"]
    assoc, = document(tshark, broken, filter_text=",frame.number > 1")["associations"]
    assert assoc["findings"] == []


def test_conforming_endpoints_have_none(conforming, tshark):
    assoc, = document(tshark, conforming)["associations"]
    assert assoc["findings"] == []
    assert [end["verdict"] for end in assoc["endpoints"]] == ["clean", "clean"]
    assert "No violations found" in tshark("-q", "-r", conforming, "-z", "sctp,findings").stdout


def test_rules_that_are_off_find_nothing(broken, tshark):
    off = ("-o", "sctp_analysis.rules:None")
    assert not any(finding for finding, *_ in fields(tshark, broken, *off))
    assoc, = document(tshark, broken, *off)["associations"]
    assert [end["verdict"] for end in assoc["endpoints"]] == ["not_judged", "not_judged"]


def test_rules_by_need_lists_every_rule_that_needs_it(broken, tshark):
    by_need = document(tshark, broken)["rules_by_need"]
    needs = {line.split("\t")[1]: line.split("\t")[5] for line in scenario_builder.listed().splitlines()}
    for need, rules in by_need.items():
        assert rules == [rule for rule, text in needs.items() if need in text.split(",")]


def test_rules_of_an_endpoint_are_listed_by_name(broken, tshark):
    told = document(tshark, broken)
    for end in told["associations"][0]["endpoints"]:
        checked, undecided = (told["rule_sets"][end["rules"][word]] for word in ("checked", "undecided"))
        assert (len(checked), len(undecided)) == (end["checked_rules"], end["undecided_rules"])
        assert checked == sorted(set(checked), key=checked.index) and not set(checked) & set(undecided)
    assert {finding["rule"] for finding in told["associations"][0]["findings"]} <= {rule for rules in told["rule_sets"] for rule in rules}


def test_occasions_are_packets_at_which_a_rule_applied(tshark):
    path = TOP / "test/captures/linux/idata/A.pcapng.gz"
    told = document(tshark, path)
    assoc, = told["associations"]
    for number, end in enumerate(assoc["endpoints"]):
        rules = end["rules"]
        checked, undecided = (told["rule_sets"][rules[word]] for word in ("checked", "undecided"))
        assert len(rules["occasions"]) == len(checked) and min(rules["occasions"]) > 0 and rules["uncounted_packets"] == 0
        assert len(rules["undecided_occasions"]) == len(undecided)
        assert all(len(counts) == len(undecided) and max(counts) <= max(rules["undecided_occasions"]) for counts in rules["lacking"].values())
        assert all(any(counts) for counts in zip(*rules["lacking"].values()))
        occasions = dict(zip(checked, rules["occasions"]))
        for finding in assoc["findings"]:
            if finding["accused"] == number:
                assert 0 < finding["violating_packets"] <= min(finding["count"], occasions[finding["rule"]])
    assert any(end["rules"]["lacking"] for end in told["associations"][0]["endpoints"])
    # By Wireshark's own dissection: FMT-016 is about SACK chunks.
    sacks = tshark("-r", path, "-Y", f"sctp.chunk_type == 3 && ip.src == {assoc['endpoints'][1]['addresses'][0]}", "-T", "fields", "-e", "frame.number").stdout
    rules = assoc["endpoints"][1]["rules"]
    assert dict(zip(told["rule_sets"][rules["checked"]], rules["occasions"]))["FMT-016"] == len(sacks.split()) > 100
