# SPDX-License-Identifier: GPL-2.0-or-later
"""ICMP and ICMPv6 errors that quote SCTP are events of the quoted association and no packets of it. What the JSON says of the
generated cases is in test_setup_outcomes.py; here are the events themselves."""

import json

import pytest

from application_messages import ScenarioBuilder
from scenarios.generate import chunks, compare, merge, packet, pcapng
from scenarios.generate.cases import make
from scenarios.generate.refused_inits import ROUTER, capture_of_refused_inits


ONE, OVER_V6 = ("10.0.0.1", 5000, "10.0.0.9"), ("2001:db8::1", 5001, "2001:db8::9")


def events(tshark, name, folder, kind):
    """(events of that kind over all associations, frames that hold ICMP errors)"""
    case = make(name)
    path = folder / f"{name}.pcapng"
    truth = merge.write(case, path)
    report = compare.document(tshark, path)
    found = [event for entry in report["associations"] for event in entry["events"] if event["kind"] == kind]
    last = max(truth.assoc) if case.end_gap_ns else None
    return found, sorted(frame for frame, key in truth.assoc.items() if key is None and frame != last)


@pytest.mark.parametrize("name", ["icmp", "icmpv6", "icmp_init"])
def test_each_error_is_one_event_in_its_frame(name, tshark, tmp_path):
    unreachable, frames = events(tshark, name, tmp_path, "icmp_unreachable")
    too_big, _ = events(tshark, name, tmp_path, "packet_too_big")
    assert sorted(event["frame"] for event in unreachable + too_big) == frames


@pytest.mark.parametrize("name, mtu", [("icmp", "1400"), ("icmpv6", "1280")])
def test_packet_too_big_names_the_mtu(name, mtu, tshark, tmp_path):
    found, _ = events(tshark, name, tmp_path, "packet_too_big")
    assert found and all(mtu in event["detail"] for event in found)


def test_errors_about_strangers_are_no_events(tshark, tmp_path):
    for kind in ("icmp_unreachable", "packet_too_big"):
        found, _ = events(tshark, "icmp_of_strangers", tmp_path, kind)
        assert found == []


@pytest.mark.parametrize("name", ["icmp", "icmpv6", "icmp_init", "icmp_of_strangers"])
def test_quoted_packets_have_no_analysis(name, tshark, tmp_path):
    case = make(name)
    path = tmp_path / f"{name}.pcapng"
    truth = merge.write(case, path)
    rows = compare.fields(tshark, path, ("frame.number", "sctp.analysis.assoc", "sctp.analysis.from", "sctp.analysis.chunk.type"))
    assert [row for row in rows if truth.assoc[int(row[0][0])] is None and any(row[1:])] == []


def report_of_refused_inits(tshark, folder, attempts):
    result = tshark("-q", "-r", capture_of_refused_inits(folder, attempts), "-z", "sctp,triage")
    assert result.returncode in (0, 2), result.stderr
    return " ".join(result.stdout.split())


def test_inits_that_only_icmp_errors_show_are_failures_with_addresses(tshark, tmp_path):
    text = report_of_refused_inits(tshark, tmp_path, [ONE] * 3 + [("10.0.0.2", 5000, "10.0.0.9")])
    assert "Failures: 2 of 2 associations" in text and "Transport: 2 of 2 associations failed" in text
    assert "10.0.0.1, port 5000, to 10.0.0.9, port 36412: INIT refused by ICMP (protocol unreachable) from 10.0.0.9, 3 errors, the first in frame 1" in text
    assert "10.0.0.2, port 5000, to 10.0.0.9" in text
    assert "of no association in this capture" not in text


def test_icmp_errors_about_other_packets_stay_a_remark(tshark, tmp_path):
    case = make("icmp_of_strangers")
    path = tmp_path / "strangers.pcapng"
    merge.write(case, path)
    text = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "refused by ICMP" not in text and "of no association in this capture" in text


def test_refused_inits_are_in_the_document_once_for_each_pair(tshark, tmp_path):
    capture = compare.document(tshark, capture_of_refused_inits(tmp_path, [ONE, OVER_V6, ONE]))["capture"]
    assert capture["refused_inits_left_out"] == 0 and capture["refused_inits"] == [
        {"source": "10.0.0.1", "source_port": 5000, "destination": "10.0.0.9", "destination_port": 36412, "reporter": "10.0.0.9",
         "reason": "protocol unreachable", "errors": 2, "first_frame": 1},
        {"source": "2001:db8::1", "source_port": 5001, "destination": "2001:db8::9", "destination_port": 36412, "reporter": ROUTER,
         "reason": "administratively prohibited", "errors": 1, "first_frame": 2}]


def test_refused_inits_beyond_those_kept_are_counted(tshark, tmp_path):
    path = capture_of_refused_inits(tmp_path, [(ONE[0], 5000 + nth // 2, ONE[2]) for nth in range(60)])
    capture = compare.document(tshark, path)["capture"]
    assert (len(capture["refused_inits"]), capture["refused_inits_left_out"]) == (16, 14)
    text = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "Failures: 30 of 30 associations" in text and "of no association in this capture" not in text


def watched(tshark, path):
    return [json.loads(line) for line in tshark("-n", "-q", "-r", path, "-z", "sctp,watch").stdout.splitlines()]


def test_a_watch_reports_a_refused_init_once_for_each_pair(tshark, tmp_path):
    lines = watched(tshark, capture_of_refused_inits(tmp_path, [ONE, OVER_V6, ONE, ONE]))
    events = [line for line in lines if line["record"] == "event"]
    assert [(event["kind"], event["association"], event["frame"]) for event in events] == [("setup_failed", None, 1), ("setup_failed", None, 2)]
    assert events[1]["endpoints"] == ["[2001:db8::1]:5001", "[2001:db8::9]:36412"]
    assert events[1]["text"].startswith(f"set-up failed: INIT refused by ICMP (administratively prohibited) from {ROUTER}, 1 error")
    assert [line for line in lines if line["record"] == "counts"][-1]["events"]["setup_failed"] == 2


def test_a_watch_folds_a_flood_of_refused_inits(tshark, tmp_path):
    lines = watched(tshark, capture_of_refused_inits(tmp_path, [(ONE[0], 5000 + nth, ONE[2]) for nth in range(59)] * 4, 100_000_000))
    told = sum(line["record"] == "event" for line in lines)
    folded = [line["count"] for line in lines if line["record"] == "folded" and line["kind"] == "setup_failed"]
    assert told + sum(folded) == [line for line in lines if line["record"] == "counts"][-1]["events"]["setup_failed"]
    assert told < 59 * 4 and folded


@pytest.mark.parametrize("name", ["icmp", "icmp_init", "icmp_of_strangers"])
def test_an_init_that_the_capture_has_is_no_failure_of_its_own(name, tshark, tmp_path):
    path = tmp_path / "known.pcapng"
    merge.write(make(name), path)
    assert compare.document(tshark, path)["capture"]["refused_inits"] == []


def test_a_filtered_page_counts_no_icmp_errors(tshark, tmp_path):
    path = capture_of_refused_inits(tmp_path, [ONE])
    assert "refused by ICMP" not in tshark("-q", "-r", path, "-z", "sctp,triage,sctp.port == 7").stdout


S = 1_000_000_000


def capture_of_a_lost_route(folder, sender, losses, refusing=None):
    """The data of an endpoint is retransmitted `losses` times, with ICMP after each but the last, unless refusing is None."""
    hosts = ("10.0.0.1", "10.0.0.2")
    scenario = ScenarioBuilder(hosts).set_up().exchange(3)
    end = scenario.ends[sender]
    data, first = chunks.data(end.tsn, b"user"), len(scenario.flow.items)
    for nth in range(losses):
        scenario.wait(S << nth if nth else 0).send(sender, data)
    end.tsn += 1
    scenario.sack(1 - sender)
    path, frame, at = folder / "route.pcapng", 0, []
    with pcapng.Pcapng(path, [pcapng.RAW_IP]) as file:
        for nth, (time_ns, item) in enumerate(scenario.times_ns()):
            file.write(time_ns, item.to_ip())
            frame += 1
            if refusing is None or not first <= nth < first + losses - 1:
                continue
            quoted, source = item.to_ip(), hosts[sender]
            file.write(time_ns + 1000, packet.ip(refusing, source, packet.icmp(3, 0, quoted[:28]), packet.ICMP, frame))
            frame += 1
            at.append(frame)
    return path, at


@pytest.mark.parametrize("sender, losses", [(0, 3), (1, 5)])
def test_a_pause_says_that_icmp_answered_what_was_lost(tshark, tmp_path, sender, losses):
    path, at = capture_of_a_lost_route(tmp_path, sender, losses, "10.0.0.254")
    page = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert f"ICMP answered {losses - 1} packets of endpoint {sender} meanwhile, first in frame {at[0]}: network unreachable: to " in page
    assert "from 10.0.0.254" in page


def test_a_pause_without_icmp_says_nothing_of_it(tshark, tmp_path):
    path, _ = capture_of_a_lost_route(tmp_path, 0, 4)
    page = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "Pauses:" in page and "ICMP" not in page
