# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run check: each exit status, baseline, severities, coverage and formats. Leaves fingerprints to test_fingerprints.py."""

import datetime
import gzip
import json
import os
import re
import shlex
import shutil
import struct
import subprocess

import jsonschema
import junitparser
import pytest
import yaml

from conftest import TOP, is_open, unprivileged

CAPTURES = TOP / "test" / "captures"
CLEAN = CAPTURES / "dcsctp/abort/A.pcap.gz"
IDATA = CAPTURES / "linux/idata/A.pcapng.gz"
# Its longest pause is 1.539 s; 0.495 % of its DATA chunks are retransmissions.
PAUSE = CAPTURES / "linux/bulk-loss1/A.pcapng.gz"
SHOULDS = CAPTURES / "usrsctp/bulk-burstloss/A.pcapng.gz"
SARIF = json.loads((TOP / "test/check/sarif-2.1.0-rtm.4.json").read_text(encoding="utf-8"))
ID_012 = "ID-012/initiator/2ec19181"


def run(*arguments, folder=TOP):
    variables = {key: value for key, value in os.environ.items() if not key.startswith("SUDO_")}
    return subprocess.run([TOP / "run", *map(str, arguments)], cwd=folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          timeout=600, check=False)


def check(*arguments, **options):
    return run("check", *arguments, **options)


def said(result):
    return [line for line in result.stderr.splitlines() if "no plugins for root" not in line]


def pcap(path, *packets):
    """A capture of IPv4 packets, one second apart."""
    path.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101) + b"".join(
        struct.pack("<IIII", 1_700_000_000 + n, 0, len(each), len(each)) + each for n, each in enumerate(packets)))
    return path


def ip(payload, protocol):
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0) + bytes([192, 0, 2, 1, 192, 0, 2, 2]) + payload


def without(path, target, *frames):
    """A capture without some of its frames."""
    subprocess.run(["editcap", path, target, *map(str, frames)], check=True, capture_output=True)
    return target


# --- status ----------------------------------------------------------------------------------------------------------


def test_0_where_nothing_is_new():
    result = check(CLEAN)
    assert result.returncode == 0 and result.stdout.startswith("Nothing new: 1 capture, 2 endpoints, ") and said(result) == []


def test_1_where_a_must_is_violated():
    result = check(IDATA)
    assert result.returncode == 1 and ID_012 in result.stdout and result.stdout.startswith("Violations\n")
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


@pytest.mark.parametrize("limits, path, status", [
    ("must", SHOULDS, 0), ("should", SHOULDS, 1), ("pause=3", PAUSE, 1), ("pause=3.1", PAUSE, 0), ("rtx=0.9", PAUSE, 1), ("rtx=1", PAUSE, 0),
])
def test_fails_on_what_is_asked_for(limits, path, status):
    result = check("--fail-on", limits, path)
    assert result.returncode == status, result.stdout


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("arguments, words", [
    ([], "which captures?"),
    (["--nonsense", CLEAN], "--nonsense"),
    (["--fail-on", "musts", CLEAN], "musts"),
    (["--fail-on", "pause=much", CLEAN], "much"),
    (["--endpoint", "10.0.0", CLEAN], "10.0.0"),
    (["--rules", "XX-*", CLEAN], "no rule is called XX-*"),
    (["--not", "RX-999", CLEAN], "no rule is called RX-999"),
    (["--rules", "RX-*", "--not", "CC-*", CLEAN], "not allowed with"),
    (["--require-exercised", "RX-9*", CLEAN], "no rule is called RX-9*"),
    (["--baseline", "/nonexistent", CLEAN], "there is no such file"),
    (["--severities", "/nonexistent", CLEAN], "/nonexistent"),
    (["--update-baseline", CLEAN], "--baseline"),
    (["--format", "xml", CLEAN], "xml"),
    (["--format", "json", "--format", "text", CLEAN], "=FILE"),
    (["--taken-at", "nowhere", CLEAN], "nowhere"),
    (["-o", "sctp_analysis.rules:XX-*", CLEAN], "no rule is called XX-*"),
])
def test_2_for_wrong_usage_in_one_line(arguments, words):
    result = check(*arguments)
    line, = said(result)
    assert line.startswith("run: ") and words in line and result.returncode == 2


@pytest.fixture
def unjudged(tmp_path):
    """{name: a capture in which nothing can be judged}."""
    (tmp_path / "empty.pcap").touch()
    (tmp_path / "text.pcap").write_text("no capture at all\n" * 50)
    (tmp_path / "cut.pcap").write_bytes(gzip.decompress(CLEAN.read_bytes())[:-10])
    lacking = without(IDATA, tmp_path / "lacking.pcapng", *range(40, 46))
    return {"missing": tmp_path / "none.pcap", "empty": tmp_path / "empty.pcap", "text": tmp_path / "text.pcap", "cut": tmp_path / "cut.pcap",
            "lacking": lacking, "udp": pcap(tmp_path / "udp.pcap", ip(struct.pack(">HHHH", 1, 2, 8, 0), 17)),
            "esp": pcap(tmp_path / "esp.pcap", ip(os.urandom(60), 50)), "nothing": pcap(tmp_path / "nothing.pcap")}


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name, words", [
    ("missing", "there is no such file"), ("empty", "is empty"), ("text", "is not a capture file"), ("cut", "cut short"), ("udp", "has no SCTP packets"),
    ("esp", "encrypted"), ("nothing", "has no SCTP packets"), ("lacking", "lacks packets"),
])
def test_3_where_nothing_was_judged(unjudged, name, words):
    result = check("--rules", "FMT-*", unjudged[name])
    assert result.returncode == 3 and "Not judged" in result.stdout and words in " ".join(result.stdout.split()), result


def test_3_where_the_endpoint_is_absent_or_complete_is_refuted_or_no_rule_was_checked(unjudged):
    assert check("--endpoint", "192.0.2.99", CLEAN).returncode == 3
    assert check("--endpoint", "10.0.0.1:9", CLEAN).returncode == 3
    assert check("--complete", "--allow-drops", "--rules", "FMT-*", unjudged["lacking"]).returncode == 3
    assert check("--rules", "AS-001", CLEAN).returncode == 3
    assert check("-o", "sctp_analysis.rules:off", CLEAN).returncode == 3


def test_3_where_one_of_many_was_not_judged_and_1_where_another_violates(unjudged, tmp_path):
    folder = tmp_path / "several"
    folder.mkdir()
    assert check(folder).returncode == 3
    shutil.copy(CLEAN, folder)
    shutil.copy(unjudged["udp"], folder)
    assert check(folder).returncode == 3
    shutil.copy(IDATA, folder / "idata.pcapng.gz")
    assert check(folder).returncode == 1


def test_packets_that_are_missing_can_be_allowed(unjudged):
    assert check("--allow-drops", "--rules", "FMT-*", unjudged["lacking"]).returncode == 0


def test_results_that_cannot_be_written_are_no_green():
    assert check("--format", "json=/nonexistent/x.json", CLEAN).returncode == 3


# --- what is looked at -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, status", [
    (["--endpoint", "initiator"], 1), (["--endpoint", "responder"], 1), (["--rules", "ID-*"], 1), (["--not", "ID-*"], 0),
    (["--rules", "fmt-*,rx-*"], 0), (["--endpoint", "responder", "--not", "ID-012"], 0),
])
def test_looks_at_the_rules_and_endpoints_chosen(arguments, status):
    assert check(*arguments, IDATA).returncode == status


def test_an_endpoint_is_chosen_by_address_and_port():
    document = json.loads(check("--format", "json", IDATA).stdout)
    end = document["captures"][0]["endpoints"][1]
    for text in (end["addresses"][0], f"{end['addresses'][0]}:{end['port']}"):
        found = json.loads(check("--format", "json", "--endpoint", text, IDATA).stdout)["captures"][0]["endpoints"]
        assert [(each["association"], each["endpoint"]) for each in found] == [(0, end["endpoint"])]


def test_severities_change_levels(tmp_path):
    file = tmp_path / "severities"
    file.write_text("# ours\nID-* = note\nID-005 = must  # but this\n")
    result = check("--severities", file, IDATA)
    assert result.returncode == 1 and re.findall(r"^  (ID-\d+)/", result.stdout, re.M) == ["ID-005"]
    file.write_text("ID-* = off\n")
    assert check("--severities", file, IDATA).returncode == 0
    file.write_text("ID-* = sometimes\n")
    assert check("--severities", file, IDATA).returncode == 2


# --- baseline --------------------------------------------------------------------------------------------------------


def test_a_baseline_is_written_kept_and_accepts(tmp_path):
    file = tmp_path / "baseline"
    file.write_text(f"# ours\n{ID_012} - ticket 7: not before the next version")
    assert check("--baseline", file, IDATA).returncode == 1
    result = check("--baseline", file, "--update-baseline", IDATA)
    lines = file.read_text().splitlines()
    assert result.returncode == 0 and lines[:2] == ["# ours", f"{ID_012} - ticket 7: not before the next version"] and len(lines) == 5
    assert check("--baseline", file, IDATA).returncode == 0
    assert check("--baseline", file, "--update-baseline", IDATA).returncode == 0 and file.read_text().splitlines() == lines


@pytest.mark.thorough
def test_a_baseline_of_one_capture_accepts_the_same_in_others(tmp_path):
    file = tmp_path / "baseline"
    check("--baseline", file, "--update-baseline", CAPTURES / "pion/bigmsg")
    others = [path for path in (CAPTURES / "pion").glob("*/A.pcap.gz")][:6]
    assert check("--rules", "SD-002", "--baseline", file, *others).returncode == 0
    assert check("--rules", "SD-002", *others).returncode == 1


COLLISION = CAPTURES / "pion/initcollision"


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("role", ["either", "initiator", "responder"])
def test_the_finding_of_a_collision_is_accepted_as_that_of_either_role(tmp_path, role):
    """Also by baselines written when it had the role of the first INIT."""
    assert set(re.findall(r"^  (\S+/\S+/\S+)", check(COLLISION).stdout, re.M)) == {"SD-002/either/f346ebf1"}
    (tmp_path / "baseline").write_text(f"SD-002/{role}/f346ebf1 - accepted\n")
    result = check("--baseline", tmp_path / "baseline", "--format", "sarif", COLLISION)
    suppressed = [each["suppressions"][0]["justification"] for each in json.loads(result.stdout)["runs"][0]["results"]]
    assert result.returncode == 0 and suppressed == ["accepted"] * 2
    assert "Unused" not in check("--baseline", tmp_path / "baseline", COLLISION).stdout


def test_the_finding_of_an_initiator_is_not_accepted_as_that_of_a_collision(tmp_path):
    (tmp_path / "baseline").write_text("SD-002/either/f346ebf1 - accepted\n")
    assert check("--baseline", tmp_path / "baseline", CAPTURES / "pion/bigmsg").returncode == 1
    (tmp_path / "baseline").write_text("SD-002/unknown/f346ebf1 - accepted\n")
    assert check("--baseline", tmp_path / "baseline", COLLISION).returncode == 1


def test_in_a_collision_both_endpoints_have_either_role():
    for name in ("initiator", "responder"):
        captures = json.loads(check("--endpoint", name, "--format", "json", COLLISION).stdout)["captures"]
        assert [end["role"] for capture in captures for end in capture["endpoints"]] == ["either"] * 4


def test_unused_and_expired_lines_are_reported(tmp_path):
    file = tmp_path / "baseline"
    yesterday = datetime.date.today() - datetime.timedelta(days=1)
    file.write_text(f"{ID_012}  {yesterday}  until yesterday\nRX-013/responder/01234567 - gone\n")
    result = check("--baseline", file, "--rules", "ID-012", "--endpoint", "initiator", IDATA)
    assert result.returncode == 1 and "Expired in the baseline" in result.stdout and "RX-013/responder/01234567 (line 2): gone" in result.stdout
    file.write_text(f"{ID_012}  {datetime.date.today()}  until today\n")
    assert check("--baseline", file, "--rules", "ID-012", "--endpoint", "initiator", IDATA).returncode == 0


@pytest.mark.parametrize("line", ["ID-012/initiator/2ec19181", "ID-012/initiator/2ec19181 - ", "ID-012 - why", "ID-012/initiator/2ec19181 soon why",
                                  "ID-012/initiator/2ec19181 - a\nID-012/initiator/2ec19181 - b"])
def test_a_wrong_line_of_a_baseline_is_wrong_usage(tmp_path, line):
    (tmp_path / "baseline").write_text(line + "\n")
    result = check("--baseline", tmp_path / "baseline", CLEAN)
    assert result.returncode == 2 and re.search(r"baseline:\d: ", said(result)[0])


# --- coverage --------------------------------------------------------------------------------------------------------


def test_coverage_is_written_and_required(tmp_path):
    file = tmp_path / "coverage.tsv"
    assert check("--coverage", file, CLEAN).returncode == 0
    head, *rows = [line.split("\t") for line in file.read_text().splitlines()]
    assert head == ["rule", "role", "checked", "violated", "occurrences", "undecided", "occasions", "lacks"] and len(rows) > 80
    assert check("--require-exercised", f"@{file}", CLEAN).returncode == 0
    result = check("--require-exercised", f"@{file}", CAPTURES / "linux/aborts/A.pcapng.gz", "--not", "ID-*")
    assert result.returncode == 1 and "Required rules that were not decided" in result.stdout
    assert check("--require-exercised", "AS-001", CLEAN).returncode == 1


def test_coverage_counts_endpoints_violations_and_what_lacked():
    rows = {(row["rule"], row["role"]): row for row in json.loads(check("--format", "json", IDATA).stdout)["coverage"]}
    assert rows["ID-005", "initiator"]["violated"] == 1 and rows["ID-005", "initiator"]["occurrences"] == 44
    undecided = [row for row in rows.values() if row["undecided"]]
    assert undecided and all(row["lacks"] for row in undecided)


# --- formats ---------------------------------------------------------------------------------------------------------


def test_sarif_fits_its_schema(tmp_path, unjudged):
    file = tmp_path / "baseline"
    file.write_text(f"{ID_012} - accepted\n")
    result = check("--format", "sarif", "--baseline", file, IDATA, unjudged["udp"])
    document = json.loads(result.stdout)
    jsonschema.Draft4Validator(SARIF).validate(document)
    results = document["runs"][0]["results"]
    assert {each["partialFingerprints"]["sctpFinding/v1"] for each in results if "suppressions" in each} == {ID_012}
    assert len(results) == 4 and document["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert all(document["runs"][0]["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"] for each in results)


def test_junit_is_read_by_its_library_and_counts_are_right(tmp_path, unjudged):
    check("--format", f"junit={tmp_path / 'check.xml'}", IDATA, unjudged["udp"])
    suites = list(junitparser.JUnitXml.fromfile(str(tmp_path / "check.xml")))
    assert [(suite.failures, suite.errors) for suite in suites] == [(4, 0), (0, 1)] and suites[0].tests == len(list(suites[0])) > 80
    failed = {(case.classname, case.name) for case in suites[0] if any(isinstance(each, junitparser.Failure) for each in case.result)}
    assert failed == {("sctp.initiator", "ID-005"), ("sctp.initiator", "ID-012"), ("sctp.responder", "ID-012"), ("sctp.initiator", "ID-015")}


def test_annotations_are_workflow_commands(tmp_path):
    odd = tmp_path / "a,b:c%.pcapng.gz"
    shutil.copy(IDATA, odd)
    lines = check("--format", "github", odd).stdout.splitlines()
    assert len(lines) == 4 and all(re.fullmatch(r"::error file=[^,:]+%2Cb%3Ac%25\.pcapng\.gz,title=ID-\d+/\w+/[0-9a-f]{8}::.+", line) for line in lines)


def test_several_formats_at_once(tmp_path):
    result = check("--format", "text", "--format", f"json={tmp_path / 'a.json'}", CLEAN)
    assert result.stdout.startswith("Nothing new") and json.loads((tmp_path / "a.json").read_text())["status"] == 0


def test_hostile_names_reach_no_terminal(tmp_path):
    name = tmp_path / "a\x1b[31m\n.pcapng.gz"
    shutil.copy(IDATA, name)
    assert "\x1b" not in check(name).stdout and "\x1b" not in check("--format", "github", name).stdout
    check("--format", f"junit={tmp_path / 'x.xml'}", name)
    junitparser.JUnitXml.fromfile(str(tmp_path / "x.xml"))
    jsonschema.Draft4Validator(SARIF).validate(json.loads(check("--format", "sarif", name).stdout))


# --- the kin of check ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "compare", "explain"])
def test_help_fits_a_terminal(command):
    result = run(command, "--help")
    assert result.returncode == 0 and all(len(line) <= 80 for line in result.stdout.splitlines()) and "Exit status: 0" in result.stdout


def test_explain_prints_the_row_and_known_stacks():
    result = run("explain", "rx-013")
    assert result.returncode == 0 and all(len(line) <= 80 for line in result.stdout.splitlines())
    for words in ("RX-013: ", "MUST, RFC 9260 6.2", "MUST NOT generate more than one SACK", "Evidence: ", "Possible false positive: ", "Needs: ", "Known in linux/prsctp/"):
        assert words in result.stdout
    assert run("explain", "RX-999").returncode == 2


def test_the_table_of_rules_is_data(tshark):
    head, *rows = [line.split("\t") for line in tshark("-q", "-r", CLEAN, "-z", "sctp,rules").stdout.splitlines()]
    assert head[:6] == ["id", "level", "since", "clause", "title", "needs"] and len(rows) > 250 and {len(row) for row in rows} == {len(head)}
    assert len({row[0] for row in rows}) == len(rows) and {row[1] for row in rows} == {"MUST", "SHOULD", "heuristic"}


# --- the examples of docs/ci.md --------------------------------------------------------------------------------------


@pytest.fixture
def job(tmp_path):
    """A checkout as the examples expect it: runs/, ci/baseline, ci/coverage.tsv of what runs/ held."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "ci").mkdir()
    shutil.copy(CAPTURES / "pion/reorder-dup/B.pcap.gz", tmp_path / "runs/reorder.pcap.gz")
    check("--endpoint", "responder", "--baseline", tmp_path / "ci/baseline", "--update-baseline", "--coverage", tmp_path / "ci/coverage.tsv", tmp_path / "runs")
    return tmp_path


def example(language):
    return re.search(rf"```{language}\n(.*?)```", (TOP / "docs/ci.md").read_text(encoding="utf-8"), re.S)[1]


def test_the_workflow_of_the_document_fits_the_schema_of_workflows():
    document = yaml.safe_load(example("yaml"))
    document["on"] = document.pop(True)  # YAML 1.1 takes the word for a yes
    jsonschema.Draft7Validator(json.loads((TOP / "test/check/github-workflow.json").read_text(encoding="utf-8"))).validate(document)


def test_the_workflow_of_the_document_passes_and_fails_as_it_should(job):
    steps = yaml.safe_load(example("yaml"))["jobs"]["conformance"]["steps"]
    script, = [step["run"] for step in steps if "run check" in step.get("run", "")]
    written = {str(step["with"].get("sarif_file", step["with"].get("path", ""))) for step in steps if "with" in step}
    for status, baseline in ((0, (job / "ci/baseline").read_text()), (1, "")):
        (job / "ci/baseline").write_text(baseline)
        # As the service does: bash -e, in the checkout.
        result = subprocess.run(["bash", "-e", "-c", script.replace("/tmp/sctp_analysis", str(TOP))], cwd=job, capture_output=True, encoding="utf-8", timeout=600)
        assert result.returncode == status, result.stderr
        assert ("::error file=runs/reorder.pcap.gz,title=RX-014/responder/" in result.stdout) == bool(status)
        assert all((job / name).exists() for names in written for name in names.split()) and {"check.sarif", "runs\ncheck.xml"} <= written


@pytest.mark.skipif(not is_open(TOP / "run"), reason="not every user may run what is in the folder of the checkout")
def test_the_command_of_the_container_runs_as_a_user_who_cannot_write(job):
    words = shlex.split(re.search(r"docker run .* sctp-check (.*)", (TOP / "docs/ci.md").read_text(encoding="utf-8"))[1])
    entry, = re.findall(r'ENTRYPOINT \["/opt/sctp_analysis/run", "(\w+)"\]', example("dockerfile"))
    words = [word.replace("/ci/", f"{job}/ci/").replace("/runs", f"{job}/runs") for word in words]
    for path in (job, *job.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    result = subprocess.run([*unprivileged(), "env", "HOME=/nonexistent", TOP / "run", entry, *words], cwd="/", capture_output=True, encoding="utf-8", timeout=600)
    assert result.returncode == 0 and result.stdout.startswith("Nothing new: 1 capture, 1 endpoint, "), result.stderr
