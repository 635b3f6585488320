# SPDX-License-Identifier: GPL-2.0-or-later
"""ICMP and ICMPv6 errors that quote SCTP are events of the quoted association and no packets of it. What the JSON says of the
generated cases is in test_setup_outcomes.py; here are the events themselves."""

import pytest

from reference import thin
from reference.frames import Frame
from scenarios.generate import chunks, compare, merge, packet
from scenarios.generate.cases import make


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
    """The page of a capture that holds ICMP errors about INITs and not the INITs: `attempts` of (client, server) pairs of 10.0.0.x."""
    frames = []
    for number, (client, server) in enumerate(attempts, 1):
        init = packet.ip(client, server, packet.sctp(5000, 36412, 0, chunks.init(0x1234 + number, 7)), identification=number)
        error = packet.ip(server, client, packet.icmp(3, 2, init[:28]), packet.ICMP, number)
        frame = packet.ethernet(error, towards=0)
        frames.append(Frame(number, 1_700_000_000_000_000_000 + number * 1_000_000_000, 0, 1, frame, len(frame)))
    path = folder / "refused.pcapng"
    thin.write(path, frames)
    result = tshark("-q", "-r", path, "-z", "sctp,triage")
    assert result.returncode in (0, 2), result.stderr
    return " ".join(result.stdout.split())


def test_inits_that_only_icmp_errors_show_are_failures_with_addresses(tshark, tmp_path):
    text = report_of_refused_inits(tshark, tmp_path, [("10.0.0.1", "10.0.0.9")] * 3 + [("10.0.0.2", "10.0.0.9")])
    assert "Failures: " in text
    assert "10.0.0.1, port 5000, to 10.0.0.9, port 36412: INIT refused by ICMP (protocol unreachable) from 10.0.0.9, 3 errors, the first in frame 1" in text
    assert "10.0.0.2, port 5000, to 10.0.0.9" in text
    assert "of no association in this capture" not in text


def test_icmp_errors_about_other_packets_stay_a_remark(tshark, tmp_path):
    case = make("icmp_of_strangers")
    path = tmp_path / "strangers.pcapng"
    merge.write(case, path)
    text = " ".join(tshark("-q", "-r", path, "-z", "sctp,triage").stdout.split())
    assert "refused by ICMP" not in text and "of no association in this capture" in text
