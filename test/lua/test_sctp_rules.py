# SPDX-License-Identifier: GPL-2.0-or-later
"""lua/sctp_rules.lua: the examples of site_rules.lua, rules of one's own, the form of the report, and files that are wrong.

Leaves out the plugin's own rules.
"""

import csv
import io
import json
import pathlib
import sys

import pytest
from lua_script import capture, options, run_script, scripts  # noqa: F401

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test" / "model")]

import scenario_builder  # noqa: E402

HOSTILE = 'rule { id = "X", level = "MUST", title = "t", clause = "c", finish = function(a, accuse)' \
          ' accuse { endpoint = 1, expected = "=1+1", seen = "a\\27[31m\\195\\40" } end }\n'


@pytest.fixture
def own_rules(tmp_path):
    def write(text):
        path = tmp_path / "own.lua"
        path.write_text(text)
        path.chmod(0o644)
        return f"rules={path}"

    return write


def found(run_script, path, *arguments, passes=1):
    text = run_script("sctp_rules.lua", path, "format=ndjson", *arguments, passes=passes)
    return [json.loads(line) for line in text.splitlines()]


def changed_example(scripts, *changes):
    text = (scripts / "site_rules.lua").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def test_heartbeats_closer_than_the_profile_are_found_with_both_frames(run_script):
    first, *_ = [row for row in found(run_script, capture("linux/mh-hb-idle/A")) if row["rule"] == "SITE-002"]
    assert (first["accused"], first["level"], first["frames"][:2]) == (1, "SHOULD", [15, 23])
    assert (first["expected"], first["seen"]) == ("10 s or more between HEARTBEATs to an address", "6.400 s to 10.2.0.1")


def test_an_interval_that_is_kept_breaks_no_rule(run_script, own_rules, scripts):
    rules = own_rules(changed_example(scripts, ("hb_interval_s = 10", "hb_interval_s = 5")))
    assert not [row for row in found(run_script, capture("linux/mh-hb-idle/A"), rules) if row["rule"] == "SITE-002"]


@pytest.mark.parametrize("rto_min, times", [("0.3", 0), ("0.4", 8)])
def test_timeouts_sooner_than_rto_min_are_found(rto_min, times, run_script, own_rules, scripts):
    """In mh-failover the timer retransmits 0.356 s after the first transmission that was lost."""
    rules = own_rules(changed_example(scripts, ("rto_min_s = 0.2", f"rto_min_s = {rto_min}")))
    rows = [row for row in found(run_script, capture("linux/mh-failover/A"), rules) if row["rule"] == "SITE-001"]
    assert sum(row["count"] for row in rows) == times


@pytest.mark.parametrize("ports, breaches", [("{ [38412] = true }", 0), ("{ [5000] = true }", 1)])
def test_a_ppid_on_an_ngap_port_must_be_60(ports, breaches, run_script, own_rules, scripts):
    rules = own_rules(changed_example(scripts, ("{ [38412] = true }", ports)))
    rows = [row for row in found(run_script, capture("linux/mh-failover/A"), rules) if row["rule"] == "SITE-003"]
    assert len(rows) == breaches
    if rows:
        assert (rows[0]["accused"], rows[0]["count"], rows[0]["seen"]) == (0, 2209, "PPID 0 on stream 0")
        assert len(rows[0]["frames"]) == 32


@pytest.fixture
def streams_capture(tmp_path):
    """Both ends may send on the same number of streams; end 0 uses one."""
    path = tmp_path / "streams.pcapng"
    scenario_builder.ScenarioBuilder().set_up().exchange(6).shut_down().write_capture(path)
    return path


def test_streams_without_traffic_are_counted(streams_capture, run_script, own_rules, scripts):
    rules = own_rules(changed_example(scripts, ("STREAMS_USED_WITHIN_S = 60", "STREAMS_USED_WITHIN_S = 0.05")))
    rows = [row for row in found(run_script, streams_capture, rules) if row["rule"] == "SITE-004"]
    assert rows and all(" of " in row["seen"] for row in rows)


def test_streams_of_a_short_association_are_not_judged(streams_capture, run_script):
    assert not [row for row in found(run_script, streams_capture) if row["rule"] == "SITE-004"]


def test_the_table_is_that_of_the_findings_report(run_script, tshark):
    ours = run_script("sctp_rules.lua", capture("linux/mh-hb-idle/A")).splitlines()
    theirs = tshark("-q", "-r", capture("linux/idata/A"), "-z", "sctp,findings").stdout.splitlines()
    assert ours[0] == theirs[0] == "=" * 80 and ours[2:5] == theirs[2:5]
    assert ours[4] == "Findings, in order of their first packet"
    assert ours[5].split() == [head for head in theirs[5].split() if head != "certainty"] and set(ours[6]) == {"-"}
    assert max(map(len, ours)) <= 80


def test_one_pass_and_two_find_the_same(run_script):
    assert found(run_script, capture("linux/mh-failover/A")) == found(run_script, capture("linux/mh-failover/A"), passes=2)


def test_what_a_rule_says_is_escaped_and_no_formula(run_script, own_rules):
    path = capture("linux/restart/A")
    row, *_ = csv.DictReader(io.StringIO(run_script("sctp_rules.lua", path, own_rules(HOSTILE), "format=csv")))
    assert (row["expected"], row["seen"]) == ("'=1+1", r"a\x1b[31m\xc3(")
    assert "\x1b" not in run_script("sctp_rules.lua", path, own_rules(HOSTILE))


def test_a_rule_that_fails_is_named_and_the_others_go_on(tshark, scripts, own_rules):
    text = 'rule { id = "BAD", level = "MUST", title = "t", clause = "c", packet = function() nothing.at = 1 end }\n' + HOSTILE
    result = tshark("-q", "-r", capture("linux/restart/A"), *options(scripts / "sctp_rules.lua", own_rules(text)))
    assert result.stderr.count("\n") == 1 and "rule BAD failed at frame 3:" in result.stderr and "own.lua:1:" in result.stderr
    assert " X " in result.stdout


@pytest.mark.parametrize("text, said", [("rule {", "own.lua"), ("", "no rule in"), ('rule { id = "A" }', "a rule without level: A"),
                                        ('rule { id = "A", level = "NEVER", title = "", clause = "", finish = print }', "none of")])
def test_a_wrong_file_of_rules_is_one_line(text, said, tshark, scripts, own_rules):
    result = tshark("-q", "-r", capture("linux/restart/A"), *options(scripts / "sctp_rules.lua", own_rules(text)))
    assert result.returncode == 2 and result.stdout == ""
    assert said in result.stderr and result.stderr.count("\n") == 1


def test_a_missing_file_of_rules_is_one_line(tshark, scripts):
    result = tshark("-q", "-r", capture("linux/restart/A"), *options(scripts / "sctp_rules.lua", "rules=/nowhere/x.lua"))
    assert result.returncode == 2 and "/nowhere/x.lua" in result.stderr and result.stderr.count("\n") == 1


def test_findings_of_a_long_address_stand_in_a_legend(run_script, own_rules):
    text = run_script("sctp_rules.lua", capture("linux/mh-v4v6/A"), own_rules(HOSTILE))
    assert "\nA = " in text or ":5000" in text
