# SPDX-License-Identifier: GPL-2.0-or-later
"""Handovers: what JSON says of where new data went, who asked for it and when it was acked, against a walk over the built-in dissector's fields,
and against what the scenario did."""

import json

import pytest

from conftest import CAPTURES
from data_walk import packets

# Frames of the ASCONF and its ASCONF-ACK by the built-in's fields: type 0xc1 and 0x80, parameters 0xc001 (add), 0xc002 (delete).
CASES = {"linux/asconf-auth/A": [("0→1", "add", 167, 168)],
         "usrsctp/asconf-auth/A": [("0→1", "add", 172, 173), ("1", "delete", 371, 375)],
         "linux/asconf-noauth/A": [("0", "delete", 70, 72), ("0", "delete", 92, 95)],
         "usrsctp/asconf-noauth/A": [("0", "delete", 75, 84), ("0", "delete", 92, None)],
         "linux/mh-failover/A": [("0→1", "failover", None, None), ("1→0", None, None, None)],
         "usrsctp/mh-failover/A": [("0→1", "failover", None, None), ("1→0", None, None, None)]}


def capture(name):
    return CAPTURES / f"{name}.pcapng.gz"


def association(tshark, name):
    done = tshark("-q", "-r", capture(name), "-z", "sctp,json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["associations"][0]


def walk(tshark, name, port):
    """{TSN: [packets that it went in]}, {TSN: packet that first acked it}."""
    sent, acked = {}, {}
    for packet in packets(tshark, capture(name)):
        if packet.port == port:
            for tsn in packet.tsns:
                sent.setdefault(tsn, []).append(packet)
        else:
            acked.update({tsn: packet for tsn in sent if tsn not in acked and packet.acks(tsn)})
    return sent, acked


def way_text(handover):
    return str(handover["to"]) if handover["path"] == handover["to"] else f"{handover['path']}→{handover['to']}"


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_each_handover_has_who_asked_and_who_answered(tshark, name):
    handovers = association(tshark, name)["directions"][0]["handovers"]
    assert [(way_text(each), each["by"], each["asked_frame"], each["request_acked_frame"]) for each in handovers] == CASES[name]


def longest_wait(sent, acked, since, until):
    """The longest that a SACK which acks something was waited for: from the one before, or from the oldest that it acks; of those after since up to until."""
    oldest = {}
    for tsn, packet in acked.items():
        oldest.setdefault(packet.frame, [packet.time, sent[tsn][0].time])
        oldest[packet.frame][1] = min(oldest[packet.frame][1], sent[tsn][0].time)
    waits, before = [], None
    for frame in sorted(oldest):
        time, first = oldest[frame]
        if before is not None and since < time and frame <= until:
            waits.append(time - max(before, first))
        before = time
    return max(waits)


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_new_data_goes_the_new_way_and_is_acked_when_it_says(tshark, name):
    found = association(tshark, name)
    destinations = {path["index"]: path["destination"] for path in found["paths"] if path["from"] == 0}
    sent, acked = walk(tshark, name, found["ports"][0])
    handovers = found["directions"][0]["handovers"]
    for handover, following in zip(handovers, [*handovers[1:], {"frame": 1 << 32}]):
        old, new = (handover["source"], destinations[handover["path"]]), (handover["to_source"], destinations[handover["to"]])
        first = {tsn: copies[0] for tsn, copies in sent.items()}
        before = max((tsn for tsn in first if first[tsn].frame < handover["frame"]), default=None)
        begins = min(tsn for tsn in first if first[tsn].frame == handover["frame"])
        assert begins == before + 1
        assert (first[begins].source, first[begins].destination) == new
        assert first[before].destination == old[1] and (handover["path"] != handover["to"] or first[before].source == old[0])
        there = [acked[tsn] for tsn in acked if len(sent[tsn]) == 1 and handover["frame"] <= first[tsn].frame < following["frame"]
                 and (first[tsn].source, first[tsn].destination) == new]
        ack = min(there, key=lambda packet: packet.frame)
        assert handover["acked_frame"] == ack.frame
        assert float(handover["acked_after_s"]) == pytest.approx(ack.time - first[begins].time, abs=2e-6)
        if handover["by"] in ("add", None):
            assert float(handover["gap_s"]) == pytest.approx(longest_wait(sent, acked, first[begins].time, ack.frame), abs=2e-6)


def link_times(name, words):
    """Seconds since the epoch of the lines in links.txt with a word in them."""
    return [float(line.split()[0].replace(".%N", "")) for line in (capture(name).parent / "links.txt").read_text().splitlines() if words in line]


@pytest.mark.parametrize("name", ["linux/mh-failover/A", "usrsctp/mh-failover/A"])
def test_a_failover_stands_still_as_long_as_the_pause_that_it_ends(tshark, name):
    direction = association(tshark, name)["directions"][0]
    failover, back = direction["handovers"]
    pause = max(direction["pauses"]["list"], key=lambda each: each["length_s"])
    assert failover["gap_s"] == pause["length_s"] and pause["cause"] == "path_dead"
    assert (failover["from_frame"], failover["to_frame"]) == (pause["from_frame"], pause["to_frame"])
    assert failover["retransmissions"] >= 8
    # The old path answers once it is up again, and data goes back there.
    assert failover["frame"] < failover["answered_frame"] < back["frame"]
    assert back["answered_frame"] > back["frame"]


def test_triage_says_it_with_the_move(tshark):
    text = " ".join(tshark("-q", "-r", capture("linux/mh-failover/A"), "-z", "sctp,triage").stdout.split())
    assert "from 10.1.1.1 to 10.2.1.1 at frame 386 after 1 timeout (first acked after 88.71 ms, longest wait for an ack 414.2 ms)" in text
    text = " ".join(tshark("-q", "-r", capture("linux/asconf-noauth/A"), "-z", "sctp,triage").stdout.split())
    assert "new data left from 10.2.0.1 instead of 10.1.0.1 at frame 70 (old address deleted in frame 70; first acked after 40.06 ms)" in text


@pytest.mark.parametrize("name", ["usrsctp/us-cmt/A", "linux/bidir/A"])
def test_there_are_none_where_new_data_stays_or_goes_everywhere(tshark, name):
    assert all(direction["handovers"] == [] for direction in association(tshark, name)["directions"])
