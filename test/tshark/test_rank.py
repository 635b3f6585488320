# SPDX-License-Identifier: GPL-2.0-or-later
"""How bad associations are: the page of triage and `rank` of the JSON have one order, which the reports on many captures take from there."""

import json
import pathlib
import re

import pytest
from application_messages import MS, ScenarioBuilder
from generate import chunks, pcapng
from report_text import split_reports

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
WITH_SEVERAL = sorted({path for name in ("linux/aborts", "linux/init-fail", "linux/restart", "linux/vantage-setup", "usrsctp/aborts", "linux/initcollision")
                       for path in (CAPTURES / name).glob("*.pcap*")})
USER_ABORT = chunks.abort(chunks.tlv(chunks.USER_ABORT, b"done"))


def reports_of(tshark, path):
    result = tshark("-n", "-q", "-r", path, "-z", "sctp,json", "-z", "sctp,triage")
    assert result.returncode in (0, 2), result.stderr
    reports = split_reports(result.stdout)
    return reports["json"], reports["triage"]


def order_of(page):
    """Numbers of the associations in the table of the worst."""
    table = page[page.index("\nAssociations, the worst first"):].split("\n\n")[0]
    return [int(number) for number in re.findall(r"^ *(\d+)  \S.* set-up ", table, re.M)]


def severities(document):
    return [association["rank"]["severity"] for association in document["associations"]]


@pytest.mark.parametrize("path", WITH_SEVERAL, ids=lambda path: f"{path.parent.name}/{path.name[0]}")
def test_the_page_and_the_json_have_one_order(tshark, path):
    document, page = reports_of(tshark, path)
    ranks = {each["index"]: (each["rank"]["place"], -each["rank"]["weight"], each["index"]) for each in document["associations"]}
    shown = order_of(page)
    assert len(shown) > 1 or len(ranks) == 1
    assert [ranks[number] for number in shown] == sorted(ranks[number] for number in shown)
    failed = sum(each["failed"] for each in document["associations"])
    said = re.search(r"^Failures: (\d+) of", page, re.M)
    assert failed + len(document["capture"]["refused_inits"]) == int(said[1] if said else 0)
    assert all(document["words"]["rank"][each["rank"]["place"]] == each["rank"]["severity"] for each in document["associations"])


def capture_of(folder, scripts):
    path = folder / "capture.pcapng"
    with pcapng.Pcapng(path, [pcapng.RAW_IP]) as file:
        for number, script in enumerate(scripts):
            for time_ns, item in script.times_ns():
                file.write(time_ns + 60_000 * number * MS, item.to_ip())
    return path


def begun(number):
    script = ScenarioBuilder(("10.0.0.1", f"10.0.0.{number + 2}"), ports=(5001 + number, 7000), seed=number)
    script.set_up()
    return script


def lost_for(script, wait_ms):
    """Data that is retransmitted once, after so long, and then acknowledged."""
    script.data(0)
    script.again(identification=script.new_id(0), gap_ns=wait_ms * MS)
    script.sack(1)
    return script


def test_what_the_application_aborted_stands_below_what_waited_and_above_what_is_open(tshark, tmp_path):
    scripts = [begun(0), begun(1).send(0, USER_ABORT), lost_for(begun(2), 1500), lost_for(begun(3), 4000).send(0, USER_ABORT)]
    document, page = reports_of(tshark, capture_of(tmp_path, scripts))
    assert severities(document) == ["open", "aborted by the application", "paused", "paused"]
    assert order_of(page) == [3, 2, 1, 0]
    assert [each["failed"] for each in document["associations"]] == [False, True, False, True]


def test_the_same_trouble_is_alike_whatever_the_hosts(tshark, tmp_path):
    scripts = [begun(0), lost_for(begun(1), 1500), lost_for(begun(2), 4000), begun(3).send(0, USER_ABORT)]
    alike = [each["alike"] for each in reports_of(tshark, capture_of(tmp_path, scripts))[0]["associations"]]
    assert alike[1] == alike[2] and len(set(alike)) == 3


@pytest.mark.parametrize("path", WITH_SEVERAL[:3], ids=lambda path: f"{path.parent.name}/{path.name[0]}")
def test_violations_are_the_findings_that_affect_a_verdict(tshark, path):
    for association in reports_of(tshark, path)[0]["associations"]:
        counted = [finding for finding in association["findings"] if finding["affects_verdict"]]
        assert sum(association["violations"].values()) == len(counted)
        assert association["violations"]["must"] == sum((each["level"], each["certainty"]) == ("MUST", "proven") for each in counted)


def test_a_filter_changes_no_rank(tshark):
    path = next((CAPTURES / "linux/outages").glob("A.pcap*"))
    ranks = []
    for report in ("sctp,json", "sctp,json,sctp.chunk_type == 3"):
        document = json.loads(tshark("-n", "-q", "-r", path, "-z", report).stdout)
        ranks.append([each["rank"] for each in document["associations"]])
    assert ranks[0] == ranks[1] and ranks[0][0]["severity"] == "paused"
