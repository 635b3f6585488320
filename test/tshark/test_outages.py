# SPDX-License-Identifier: GPL-2.0-or-later
"""Paths that stopped answering HEARTBEATs: reports, JSON, events and series say the same of them."""

import csv
import io
import json
import pathlib
import re

import pytest

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
ASSERTED = ("-o", "sctp_analysis.endpoint_parameters:* Path.Max.Retrans=3")


@pytest.fixture(params=["linux/mh-hb-idle/A", "linux/mh-hb-idle/B", "usrsctp/mh-hb-idle/A"])
def idle(request):
    return CAPTURES / f"{request.param}.pcapng.gz"


def report(tshark, idle, name):
    result = tshark("-r", idle, "-n", "-q", *ASSERTED, "-z", f"sctp,{name}")
    assert result.returncode == 0, result.stderr
    return result.stdout


def outages(tshark, idle):
    association, = json.loads(report(tshark, idle, "json"))["associations"]
    assert association["outages"]
    return association, association["outages"]


def between(change):
    return f"between {change['earliest_s']:.3f} and {change['latest_s']:.3f} s"


def test_triage_has_a_sentence_of_each(tshark, idle):
    text = " ".join(report(tshark, idle, "triage").split())
    for outage in outages(tshark, idle)[1]:
        assert f"stopped answering at {outage['since_s']:.3f} s: {outage['heartbeats']} HEARTBEAT" in text
        for change, words in ((outage["potentially_failed"], "potentially failed "), (outage["inactive"], "inactive ")):
            assert not change or words + between(change) in text
        assert (f"answered again at {outage['answered_s']:.3f} s in frame {outage['answered_frame']}" if outage["answered_frame"]
                else "no answer since") in text


def test_paths_report_has_a_row_of_each(tshark, idle):
    lines = report(tshark, idle, "paths").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("Paths that stopped answering"))
    rows = [line.split() for line in lines[begin:] if re.match(r"\d +\d", line)]
    wanted = [[str(outage["endpoint"]), str(outage["path"]), f"{outage['since_s']:.3f}", str(outage["heartbeats"])]
              for outage in outages(tshark, idle)[1]]
    assert [row[:4] for row in rows] == wanted and all(len(line) <= 80 for line in lines)


def test_events_stand_at_the_frames_of_the_changes(tshark, idle):
    association, found = outages(tshark, idle)
    events = {(event["endpoint"], event["path"], event["kind"], event["frame"]) for event in association["events"]}
    for outage in found:
        where = outage["endpoint"], outage["path"]
        for key in ("potentially_failed", "inactive"):
            assert not outage[key] or (*where, f"path_{key}", outage[key]["frame"]) in events
        assert not outage["answered_frame"] or (*where, "path_recovered", outage["answered_frame"]) in events


def test_series_have_the_heartbeats_without_answer(tshark, idle):
    rows = list(csv.DictReader(io.StringIO(report(tshark, idle, "series,0"))))
    for path in outages(tshark, idle)[0]["paths"]:
        lost = [row for row in rows if row["series"] == "heartbeat_lost" and
                (row["endpoint"], row["path"]) == (str(path["from"]), str(path["index"]))]
        assert len(lost) == path["heartbeats_lost"]
