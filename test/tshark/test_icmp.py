# SPDX-License-Identifier: GPL-2.0-or-later
"""ICMP and ICMPv6 errors that quote SCTP are events of the quoted association and no packets of it. What the JSON says of the
generated cases is in test_setup_outcomes.py; here are the events themselves."""

import pytest

from scenarios.generate import compare, merge
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
