# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run report: the page, the capture of the evidence, the text of an issue, statuses. Leaves --anonymise to test_report_anonymised.py."""

import json
import os
import re
import shutil
import subprocess

import pytest

from triage_runs import cut_off
from report_runs import CAPTURES, report

import browser

IDATA, OUTAGE, FAILOVER = (CAPTURES / name for name in ("linux/idata/A.pcapng.gz", "dcsctp/outage/A.pcap.gz", "linux/mh-failover/A.pcapng.gz"))


@pytest.fixture(scope="module")
def made(tshark, tmp_path_factory):
    """make(capture, *options): the folder of results, made once."""
    known = {}

    def make(capture, *options):
        if (capture, options) not in known:
            folder = tmp_path_factory.mktemp("report")
            result = report(tshark, folder, *options, capture)
            assert (result.returncode, result.stderr) == (0, "")
            known[capture, options] = folder / "out", result.stdout
        return known[capture, options]
    return make


def findings(tshark, path):
    document = json.loads(tshark("-r", path, "-q", "-z", "sctp,json").stdout)
    return {(finding["rule"], finding["certainty"], finding["count"]) for assoc in document["associations"] for finding in assoc["findings"]}


def comments(path):
    lines = subprocess.run(["tshark", "-r", path, "-T", "fields", "-e", "frame.number", "-e", "frame.time_epoch", "-e", "frame.comment"],
                           capture_output=True, encoding="utf-8", check=True).stdout.splitlines()
    return [line.split("\t") for line in lines]


def test_evidence_read_alone_shows_the_findings(made, tshark):
    out, said = made(IDATA)
    assert "lacks" not in said
    whole, alone = ({rule for rule, _, _ in findings(tshark, path)} for path in (IDATA, out / "evidence.pcapng"))
    assert whole == {"ID-005", "ID-012", "ID-015"}
    assert whole <= alone
    # What the packets between would refute is said.
    page = (out / "report.html").read_text(encoding="utf-8")
    assert all(re.search(rf"It also shows [^.]*{rule}", page) for rule in alone - whole)


@pytest.mark.thorough
def test_what_needs_the_packets_between_gets_them(made, tshark):
    """The timeouts of this capture are judged by what the sender had outstanding."""
    out, said = made(OUTAGE)
    assert "lacks" not in said
    assert {rule for rule, _, _ in findings(tshark, out / "evidence.pcapng")} == {rule for rule, _, _ in findings(tshark, OUTAGE)}


def test_comments_name_frames_of_the_whole_capture(made):
    whole = {number: time for number, time, _ in comments(IDATA)}
    noted = [(time, comment) for _, time, comment in comments(made(IDATA)[0] / "evidence.pcapng") if comment]
    assert len(noted) > 60
    for time, comment in noted:
        assert whole[re.match(r"Frame (\d+) of the whole capture\. ", comment)[1]] == time
    assert any("ID-012 (MUST, proven, RFC 8260 2): I-DATA and partial reliability announced" in comment for _, comment in noted)


def test_evidence_of_a_pause_holds_its_ends(made):
    texts = [comment for _, _, comment in comments(made(FAILOVER)[0] / "evidence.pcapng") if comment]
    assert [re.sub(r"Frame \d+ of the whole capture. ", "", text) for text in texts] == [
        f"Pause {what}: 0.414 s without progress of 10.1.0.1:50308 (0): path without answer." for what in ("begins", "ends")]


def test_text_of_the_issue(made):
    text = (made(IDATA)[0] / "issue.md").read_text(encoding="utf-8")
    assert "### ID-015: I-FORWARD-TSN without negotiation" in text
    assert "> only if both endpoints indicated their support of user message interleaving and the I-FORWARD-TSN chunk" in text
    assert "- Frames: 3 (1)\n" in text and "| 10.1.0.1:60407 (0) | Linux | deviates |" in text
    assert "    ./run report --association 0 A.pcapng.gz" in text


def test_commands_say_what_was_asserted(made):
    out, _ = made(IDATA, "--complete", "--taken-at", "10.1.0.1", "-o", "uat:sctp_analysis_auth_keys:\"1\",\"c0ffeec0ffee\",\"\"")
    for name in ("issue.md", "report.html"):
        text = (out / name).read_text(encoding="utf-8")
        assert "-o sctp_analysis.capture_complete:TRUE -o sctp_analysis.taken_at:10.1.0.1" in text
        assert "c0ffeec0ffee" not in text


@pytest.mark.thorough
def test_association_is_the_worst_or_the_one_asked_for(made):
    demo = CAPTURES / "demo.pcapng.gz"
    titles = [re.search(r"<h1>(.*)</h1>", (made(demo, *options)[0] / "report.html").read_text(encoding="utf-8"))[1]
              for options in ((), ("--association", "0"), ("--association", "1"))]
    assert len(set(titles[1:])) == 2


@pytest.mark.parametrize("words, status, said", [
    (("--association", "7", IDATA), 1, "has no association 7"),
    (("/nonexistent.pcap",), 1, "/nonexistent.pcap: there is no such file"),
    (("/tmp",), 1, "/tmp: is a folder, not a capture"),
    ((), 2, "which capture? (./run report --help)"),
    ((IDATA, OUTAGE), 2, "one capture at a time; --sequence reads its files as one (./run report --help)"),
    (("--association", "x", IDATA), 2, "argument --association: x is no number from 0 to 4294967295 (./run report --help)"),
    (("-o", "sctp_analysis.no_such:1", IDATA), 2, "is not a preference"),
])
def test_statuses(tshark, tmp_path, words, status, said):
    result = report(tshark, tmp_path, *words)
    lines = result.stderr.splitlines()
    assert (result.returncode, len(lines)) == (status, 1), result.stderr
    assert said in lines[0] and lines[0].startswith("run: ")
    assert not (tmp_path / "out" / "report.html").exists()


def test_a_capture_that_is_cut_short_is_reported_as_far_as_it_goes(tshark, tmp_path):
    cut = tmp_path / "cut.pcapng"
    subprocess.run(["editcap", "-F", "pcapng", IDATA, cut], check=True)
    cut.write_bytes(cut.read_bytes()[:-40])
    result = report(tshark, tmp_path, cut)
    assert result.returncode == 1 and "cut short in the middle of a packet" in result.stderr
    assert "cut short in the middle of a packet" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.thorough_but_one_in(6)
@pytest.mark.parametrize("of_run, bytes_missing, words", [
    ("sctp,ndjson", 9, ()), ("sctp,series", 30, ()), ("sctp.chunk_type", 3, ()), ("_ws.col.Info", 20, ()), ("-F pcapng -w -", 50, ("--anonymise",)),
    ("-F pcapng -w -", 3, ("--anonymise",))])
def test_a_tshark_killed_amid_a_line_or_block_is_said(tshark, tmp_path, of_run, bytes_missing, words):
    trick = f"[[ \"$*\" != *'{of_run}'* ]] || {{ {cut_off(bytes_missing)}; }}"
    result = report(tshark, tmp_path, *words, IDATA, trick=trick)
    assert (result.returncode, result.stderr) == (1, f"run: {IDATA}: tshark ended by signal 9\n")
    assert list(tmp_path.glob("out/*")) == []


def test_a_name_that_is_no_text_is_shown_as_text(tshark, tmp_path):
    capture = tmp_path / os.fsdecode(b"\xff.pcapng.gz")
    shutil.copy(IDATA, capture)
    capture.chmod(0o644)
    assert report(tshark, tmp_path, capture).returncode == 0
    assert all(r"\xff.pcapng.gz" in (tmp_path / "out" / name).read_text(encoding="utf-8") for name in ("report.html", "issue.md"))


# --- the page in a browser -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[IDATA, FAILOVER], ids=["findings", "pause"])
def page(request, made):
    if not browser.is_there():
        pytest.skip("needs chromium and chromedriver")
    with browser.Browser() as shown:
        shown.report = made(request.param)[0] / "report.html"
        shown.open(shown.report)
        yield shown


@pytest.mark.thorough
def test_opens_without_a_message_and_without_the_network(page):
    assert page.console() == []
    assert page.run("return performance.getEntriesByType('resource').map(each => each.name)") == []


def test_links_and_ids(page):
    assert page.run("""return [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(a.hash.slice(1))).map(a => a.hash)""") == []
    assert page.run("const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.length - new Set(ids).size") == 0


def test_ladders_are_named_for_those_who_cannot_see_them(page):
    assert page.run("return document.querySelectorAll('svg.ladder').length") > 0
    assert page.run("return document.querySelectorAll('svg.ladder[role=img][aria-labelledby] > title + desc').length") == page.run(
        "return document.querySelectorAll('svg.ladder').length")
    assert page.run("return document.querySelectorAll('th:not([scope]), figure:not(:has(figcaption)), .scroll:not([tabindex=\"0\"][role=region][aria-label])').length") == 0


@pytest.mark.parametrize("is_dark", [False, True])
def test_text_has_contrast(page, is_dark):
    page.dark(is_dark)
    assert page.low_contrast() == {}
    page.dark(False)


def test_narrow_page_does_not_scroll_sideways(page):
    page.tool("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    page.open(page.report)
    assert page.run("return document.documentElement.scrollWidth") == 390
    page.tool("Emulation.clearDeviceMetricsOverride")


def test_prints(page, tmp_path):
    page.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
