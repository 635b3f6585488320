# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run check --test: which tests fail, and that nothing counts as passed that was not decided. The captures are the simulator's."""

import json
import os
import shutil
import subprocess
import struct
import sys
import types

import junitparser
import pytest

import simulated_tests
from conftest import TOP, unprivileged

sys.path[:0] = [path for path in (str(TOP),) if path not in sys.path]

from sctpa.check import cases, junit  # noqa: E402
from test_check import CLEAN, IDATA, SHOULDS, check, ip, pcap, run, said

# Deviations of the simulated endpoint, with the rule that must be named.
FAILURES = {
    "init-ack-tag-zero": "HS-003", "init-ack-no-inbound-streams": "HS-006", "no-init-ack": "HS-062", "no-cookie-ack": "HS-016", "cookie-ack-late": "HS-016",
    "padding-not-zero": "FMT-008", "sack-count-lies": "FMT-016", "tag-of-sack": "SM-001", "tag-of-cookie-ack": "SM-001", "no-sack": "RX-035",
    "sack-delayed-too-long": "RX-010", "acks-never-sent": "RX-003", "gap-not-reported": "RX-007", "no-heartbeat-ack": "PM-002",
    "heartbeat-info-altered": "PM-001", "heartbeat-ack-unasked": "PM-030", "no-shutdown-ack": "SD-005", "no-shutdown-complete": "SD-009",
    "abort-answered-with-abort": "SM-011", "data-for-i-data": "ID-002",
}  # fmt: skip
TAKEN_AT = simulated_tests.taken_at()


class Runs:
    """Folders of tests that fail and of their twins, what was said of each, and the JUnit file."""

    def __init__(self, folder):
        self.failing, self.passing = folder / "failing", folder / "passing"
        for each in (self.failing, self.passing):
            each.mkdir()
            each.chmod(0o755)
        simulated_tests.write(FAILURES, self.failing, self.passing)
        self.of = {name: Outcome(folder, getattr(self, name)) for name in ("failing", "passing")}


class Outcome:
    """A run of ./run check --test on a folder: status, text, JSON by capture, {capture: {rule: case of JUnit}}."""

    def __init__(self, folder, captures, *options):
        formats = [f"--format={name}={folder / captures.name}.{name}" for name in ("json", "junit")]
        result = check("--test", *TAKEN_AT, "--format=text", *formats, *options, captures)
        self.status, self.text = result.returncode, result.stdout
        document = json.loads((folder / f"{captures.name}.json").read_text())
        self.captures = {name_of(each["capture"]): each for each in document["captures"]}
        suites = junitparser.JUnitXml.fromfile(str(folder / f"{captures.name}.junit"))
        self.cases = {name_of(suite.name): {case.name: case for case in suite} for suite in suites}


def name_of(path):
    return os.path.basename(path).removesuffix(".pcapng")


def has(case, kind):
    return any(isinstance(each, kind) for each in case.result)


def passed(cases):
    return {name for name, case in cases.items() if not case.result and not name.startswith("the capture")}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tests")
    folder.chmod(0o777)
    return Runs(folder)


def test_twenty_tests_with_one_failure_each_fail_and_junit_names_the_rules(runs):
    outcome = runs.of["failing"]
    assert outcome.status == 1 and len(outcome.cases) == 20
    for name, rule in FAILURES.items():
        assert has(outcome.cases[name][rule], junitparser.Failure), name
        assert outcome.captures[name]["result"] == "failed" and f"{rule}/responder" in outcome.captures[name]["cases"]["failed"], name
    assert "20 tests (20 failed)" in outcome.text and all(len(line) <= 80 for line in outcome.text.splitlines())


def test_their_twins_pass(runs):
    outcome = runs.of["passing"]
    assert outcome.status == 0 and outcome.text.startswith("Nothing new: 20 tests (20 passed), 20 endpoints, ")
    assert not [name for cases in outcome.cases.values() for name, case in cases.items() if has(case, (junitparser.Failure, junitparser.Error))]


@pytest.mark.parametrize("which", ["failing", "passing"])
def test_passed_is_what_was_decided_and_no_more(runs, tshark, which):
    """By the JSON of tshark itself: in the list of rules checked, without a violation, reported or not; all other rules are there and skipped."""
    rules = {line.split("\t")[0] for line in tshark("-q", "-r", CLEAN, "-z", "sctp,rules").stdout.splitlines()[1:]}
    options = ["-o", "sctp_analysis.capture_complete:TRUE", "-o", f"sctp_analysis.taken_at:{','.join(simulated_tests.UNDER_TEST)}"]
    for name, cases in runs.of[which].cases.items():
        told = json.loads(tshark("-q", "-r", getattr(runs, which) / f"{name}.pcapng", *options, "-z", "sctp,json").stdout)
        held = set()
        violated = set()
        for assoc in told["associations"]:
            end = next(number for number, each in enumerate(assoc["endpoints"]) if set(each["addresses"]) & set(simulated_tests.UNDER_TEST))
            judged = assoc["endpoints"][end]["rules"]
            held |= set(told["rule_sets"][judged["checked"]])
            violated |= {each["rule"] for each in judged["unreported"]} | {each["rule"] for each in assoc["findings"] if each["accused"] == end}
        assert passed(cases) == held - violated, name
        skipped = {rule for rule, case in cases.items() if has(case, junitparser.Skipped)}
        failed = {rule for rule, case in cases.items() if has(case, junitparser.Failure)}
        assert failed <= violated and passed(cases) | skipped | failed == rules, name
        assert all(case.result[0].message for case in cases.values() if has(case, junitparser.Skipped))


def test_a_rule_without_an_occasion_is_skipped(runs):
    case = runs.of["passing"].cases["no-init-ack"]["AS-006"]
    assert (
        case.result[0].message == "no occasion"
        and runs.of["passing"].captures["no-init-ack"]["cases"]["skipped"]["AS-006/responder"] == "no occasion"
    )


# --- what was seen once ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """Two SACKs for one packet, once: RX-013 reports from the second time on, unless the capture is asserted to be whole."""
    folder = tmp_path_factory.mktemp("once")
    folder.chmod(0o777)
    for name in ("failing", "passing"):
        (folder / name).mkdir()
    simulated_tests.write(["two-sacks"], folder / "failing", folder / "passing", is_once=True)
    return folder / "failing" / "two-sacks.pcapng"


def test_what_is_seen_too_rarely_is_undecided_and_says_its_frames(once, tmp_path):
    result = check(
        "--format=text", f"--format=json={tmp_path / 'x.json'}", f"--format=junit={tmp_path / 'x.xml'}", f"--coverage={tmp_path / 'x.tsv'}", once
    )
    (capture,) = json.loads((tmp_path / "x.json").read_text())["captures"]
    (unreported,) = (each for each in capture["unreported"] if each["rule"] == "RX-013")
    assert unreported["level"] == "MUST" and unreported["count"] == 1 < unreported["reported_from"] and len(unreported["frames"]) == 1
    frame = unreported["frames"][0]
    assert result.returncode == 0 and capture["result"] == "undecided"
    assert result.stdout.startswith("Undecided: seen too rarely to be reported\n  RX-013/responder  MUST\n")
    assert f"association 0, frame {frame}" in " ".join(result.stdout.split()) and all(len(line) <= 80 for line in result.stdout.splitlines())
    (suite,) = junitparser.JUnitXml.fromfile(str(tmp_path / "x.xml"))
    case = next(case for case in suite if case.name == "RX-013" and case.classname == "sctp.responder")
    assert has(case, junitparser.Skipped) and case.result[0].message.startswith("undecided: ") and f"frames {frame}" in case.result[0].message
    row = next(line.split("\t") for line in (tmp_path / "x.tsv").read_text().splitlines() if line.startswith("RX-013\tresponder"))
    assert row[2] == "0" and row[5] == "1" and row[7] == "occurrences:1"


def test_what_is_seen_too_rarely_fails_where_that_is_asked_for_and_is_never_all_that_was_judged(once):
    result = check("--fail-on", "undecided", once)
    assert result.returncode == 1 and "RX-013 of the responder" in " ".join(result.stdout.split())
    assert check("--rules", "RX-013", "--endpoint", "responder", once).returncode == 3
    assert check("--require-exercised", "RX-013", "--endpoint", "responder", once).returncode == 1
    annotations = check("--format", "github", once).stdout
    assert annotations.startswith("::notice file=") and "RX-013/responder undecided" in annotations


def test_with_what_a_test_asserts_once_is_a_violation(once):
    result = check("--test", *TAKEN_AT, once)
    assert result.returncode == 1 and "RX-013/responder/" in result.stdout


@pytest.mark.parametrize("options, words", [([], "does not fail this gate"), (["--baseline"], "accepted by the baseline")])
def test_what_is_violated_and_does_not_fail_is_skipped(tmp_path, options, words):
    """A SHOULD, and what a baseline accepts."""
    if options:
        options = ["--fail-on=should", f"--baseline={tmp_path / 'baseline'}"]
        check(*options, "--update-baseline", SHOULDS)
    result = check(*options, f"--format=junit={tmp_path / 'x.xml'}", SHOULDS)
    (suite,) = junitparser.JUnitXml.fromfile(str(tmp_path / "x.xml"))
    assert result.returncode == 0 and suite.failures == 0
    assert [case.name for case in suite if has(case, junitparser.Skipped) and words in case.result[0].message and "frames" in case.result[0].message]


# --- which endpoint, and what is asserted ----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ["--endpoint", "responder"], ["--endpoint", "stack=dcSCTP"]])
def test_asks_which_endpoint_is_under_test(options):
    result = check("--test", *options, CLEAN)
    (line,) = said(result)
    assert result.returncode == 2 and "which endpoint is under test?" in line and "--taken-at ADDR" in line


def test_a_place_that_is_none_is_wrong_usage():
    assert check("--test", "--taken-at", "10.0.0", CLEAN).returncode == 2


@pytest.mark.parametrize(
    "options, endpoint",
    [
        (["--taken-at=10.9.1.1"], "10.9.1.1"),
        (["--endpoint=10.9.1.1"], "10.9.1.1"),
        (["--endpoint=10.9.0.1:5000"], "10.9.0.1"),
        (["--taken-at=10.9.0.0/24, 10.8.0.1"], "10.9.0.1"),
        (["--taken-at=10.9.0.0/16", "--endpoint=initiator"], "10.9.0.1"),
    ],
)
def test_only_the_endpoint_under_test_is_judged(options, endpoint):
    (capture,) = json.loads(check("--test", *options, "--format=json", CLEAN).stdout)["captures"]
    assert capture["not_judged"] is None and [end["addresses"] for end in capture["endpoints"]] == [[endpoint]]


@pytest.mark.parametrize(
    "options, words",
    [
        (["--taken-at=10.9.0.0/16"], "both endpoints of association 0 are at 10.9.0.0/16: name the one under test"),
        (["--taken-at=192.0.2.9"], "has no endpoint at 192.0.2.9"),
    ],
)
def test_3_where_the_endpoint_under_test_is_not_one(options, words):
    result = check("--test", *options, CLEAN)
    assert (
        result.returncode == 3
        and words in " ".join(result.stdout.split())
        and "1 test (1 not judged), 0 endpoints" in " ".join(result.stdout.split())
    )


def test_an_answer_that_is_missing_at_the_end_fails_where_nothing_came_for_long_enough(tmp_path):
    end = tmp_path / "end.pcapng"
    subprocess.run(["editcap", "-r", CLEAN, end, "1-3"], check=True, capture_output=True)
    assert check("--test", "--taken-at=10.9.1.1", end).returncode == 0
    assert check("--test", "--taken-at=10.9.1.1", "--quiet-until=0.2", end).returncode == 0
    result = check("--test", "--taken-at=10.9.1.1", "--quiet-until=1", end)
    assert result.returncode == 1 and "HS-016/responder" in result.stdout


def test_3_where_nothing_of_a_test_could_be_judged(tmp_path):
    """An INIT alone: the endpoint under test sent nothing, and it may still answer."""
    alone = tmp_path / "alone.pcapng"
    subprocess.run(["editcap", "-r", CLEAN, alone, "1"], check=True, capture_output=True)
    result = check("--test", "--taken-at=10.9.1.1", alone)
    assert result.returncode == 3 and "no rule was checked" in " ".join(result.stdout.split())
    assert check("--test", "--taken-at=10.9.1.1", "--quiet-until=30", alone).returncode == 1


def test_that_a_test_is_complete_can_be_taken_back(runs):
    """A missing answer may then be one that the capture lacks."""
    result = check("--test", *TAKEN_AT, "-o", "sctp_analysis.capture_complete:FALSE", runs.failing / "no-init-ack.pcapng")
    assert result.returncode in (0, 3) and "1 test" in result.stdout and "HS-062" not in result.stdout


@pytest.mark.parametrize("limits, status", [(["must"], 0), (["must,undecided"], 0), (["pause=100"], 1), ([], 1), (["should"], 1)])
def test_a_test_fails_on_a_should_unless_must_is_named(runs, limits, status):
    """HS-016 is one."""
    assert check("--test", *TAKEN_AT, *(f"--fail-on={each}" for each in limits), runs.failing / "no-cookie-ack.pcapng").returncode == status


# --- bad input -------------------------------------------------------------------------------------------------------


def test_bad_captures_are_named_and_cost_no_result_of_the_others(runs, tmp_path):
    folder = tmp_path / "tests"
    folder.mkdir(mode=0o755)
    shutil.copy(runs.failing / "no-sack.pcapng", folder / "red.pcapng")
    shutil.copy(runs.passing / "no-sack.pcapng", folder / "green.pcapng")
    (folder / "zero.pcapng").touch()
    (folder / "text.pcap").write_text("no capture at all\n" * 50)
    (folder / "cut.pcapng").write_bytes((runs.passing / "no-sack.pcapng").read_bytes()[:-10])
    pcap(folder / "udp.pcap", ip(struct.pack(">HHHH", 1, 2, 8, 0), 17))
    (folder / "gone.pcap").symlink_to("nowhere")
    shutil.copy(runs.passing / "no-sack.pcapng", folder / "secret.pcapng")
    (folder / "secret.pcapng").chmod(0)
    words = [*unprivileged(), "env", "HOME=/nonexistent", TOP / "run", "check", "--test", *TAKEN_AT, folder]
    result = subprocess.run(words, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=600, check=False)
    text = " ".join(result.stdout.split())
    assert result.returncode == 1 and "RX-035/responder" in text and "8 tests (1 failed, 1 passed, 6 not judged)" in text
    for each in (
        "zero.pcapng: is empty",
        "text.pcap: is not a capture file",
        "cut.pcapng: cut short",
        "udp.pcap: has no SCTP packets",
        "gone.pcap: there is no such file",
        "secret.pcapng: no permission to read it",
    ):
        assert each in text
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_3_where_there_are_no_tests(tmp_path):
    result = check("--test", "--taken-at=10.9.1.1", tmp_path)
    assert result.returncode == 3 and "no captures in what was named" in said(result)[0] and "no tests" in result.stdout


def test_a_violation_of_the_tester_is_nobodys_failure():
    """The initiator and the responder of this capture violate ID-012; of ID-005 the initiator alone."""
    document = json.loads(check("--endpoint=initiator", "--format=json", IDATA).stdout)
    tester = document["captures"][0]["endpoints"][0]["addresses"]
    both = json.loads(check("--format=json", IDATA).stdout)["captures"][0]["endpoints"]
    (other,) = (end["addresses"] for end in both if end["addresses"] != tester)
    found = json.loads(check("--test", *(f"--taken-at={each}" for each in other), "--format=json", IDATA).stdout)["captures"][0]
    assert {each["rule"] for each in found["new"]} & {"ID-012"} and "ID-005" not in {each["rule"] for each in found["new"]}


def test_the_commands_of_a_matrix_assert_the_same(tmp_path):
    result = run("matrix", "--complete", "--quiet-until=1.25", f"--format=html={tmp_path / 'matrix.html'}", f"dcsctp={CLEAN}")
    assert result.returncode == 0 and "--quiet-until=1.250" in (tmp_path / "matrix.html").read_text(encoding="utf-8")


def test_junit_counts_the_cases_of_a_capture_twice_at_most(monkeypatch):
    """Once for the suite, once for all: else each case costs a walk over those before it."""
    counted = []
    count = junitparser.TestSuite.update_statistics
    monkeypatch.setattr(junitparser.TestSuite, "update_statistics", lambda suite: (counted.append(suite), count(suite))[1])
    captures = [types.SimpleNamespace(name=f"{number}.pcap", why_not=None, troubles=()) for number in range(3)]
    made = [cases.Case("responder", f"RX-{number}", cases.SKIPPED, cases.NO_OCCASION) for number in range(50)]
    text = junit.write(types.SimpleNamespace(captures=captures, unexercised=("RX-1", "RX-2")), [made] * 3)
    assert len(counted) <= 2 * 4 and text.count("<testcase") == 3 * 51 + 2
