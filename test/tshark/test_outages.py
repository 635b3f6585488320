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


def test_formulas_say_when_each_stack_gives_an_idle_path_up(tshark, idle):
    """HB.interval 5 s, RTO.Min 1 s, two paths, Path.Max.Retrans 3: each interval is 5 s and an RTO, half an RTO more or less,
    and timers are late by up to an eighth."""
    text = " ".join(report(tshark, idle, "paths").split())
    found = re.findall(r"by formula inactive after ([\d.]+) s \(RFC\), ([\d.]+) s \(FreeBSD\), ([\d.]+) s \(Solaris\)", text)
    assert len(found) == sum(outage["inactive"] is not None for outage in outages(tshark, idle)[1])
    rtos_s, jitter_s, interval_s = 1 + 2 + 4 + 8, 4 * 0.128, 5
    off_s = 0.5 + interval_s / 8
    for rfc_s, freebsd_s, solaris_s in (map(float, times) for times in found):
        assert rfc_s == pytest.approx(3 * interval_s + rtos_s, abs=3 * off_s)
        assert freebsd_s == pytest.approx(3 * 2 * interval_s + rtos_s + jitter_s, abs=6 * off_s)
        assert solaris_s == pytest.approx(interval_s + rtos_s, abs=off_s)
