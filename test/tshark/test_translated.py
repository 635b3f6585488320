# SPDX-License-Identifier: GPL-2.0-or-later
"""Addresses that are translated between an endpoint and the tap: the endpoint sends from one and is sent to at another, which nothing
names. The reports say so, and accuse nobody of sending there."""

import dataclasses
import ipaddress

from report_text import split_reports

from reference import thin
from reference.cases import Script
from scenarios.generate import chunks

IPV4_SOURCE = 14 + 12
OUTSIDE = ipaddress.ip_address("203.0.113.9").packed


def exchange():
    script = Script()
    for tsn in range(4):
        script.data(tsn)
        script.sack(tsn)
    script.send(0, chunks.heartbeat(b"a probe of the path"))
    script.send(1, chunks.heartbeat_ack(b"a probe of the path"))
    return script.frames


def from_outside(frame):
    """The frame with another source address; the capture leaves checksums of IPv4 to the hardware."""
    data = frame.data[:IPV4_SOURCE] + OUTSIDE + frame.data[IPV4_SOURCE + 4:]
    return dataclasses.replace(frame, data=data[:IPV4_SOURCE - 2] + bytes(2) + data[IPV4_SOURCE:])


def reports_of(tshark, folder, frames):
    thin.write(folder / "capture.pcapng", frames)
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,triage", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return split_reports(result.stdout)


def is_by_0(frame):
    return frame.data[IPV4_SOURCE:IPV4_SOURCE + 4] == exchange()[0].data[IPV4_SOURCE:IPV4_SOURCE + 4]


def test_a_translated_address_is_told_and_accuses_nobody(tshark, tmp_path):
    reports = reports_of(tshark, tmp_path, [from_outside(frame) if is_by_0(frame) else frame for frame in exchange()])
    entry, = reports["json"]["associations"]
    assert [end["translated"] for end in entry["endpoints"]] == [True, False]
    assert not {"HS-010", "PM-004", "PM-022"} & {finding["rule"] for finding in entry["findings"]}
    assert {"kind": "translated", "count": 1, "first_frame": 1} in reports["json"]["capture"]["quality"]
    page = " ".join(reports["triage"].split())
    assert "1 association with translated addresses (first: 0)" in page
    assert "multihomed" not in page


def test_without_a_set_up_it_is_not_known(tshark, tmp_path):
    reports = reports_of(tshark, tmp_path, [from_outside(frame) if is_by_0(frame) else frame for frame in exchange()[4:]])
    entry, = reports["json"]["associations"]
    assert [end["translated"] for end in entry["endpoints"]] == [None, False]
    assert "PM-004" not in {finding["rule"] for finding in entry["findings"]}
    assert "translated" not in reports["triage"]


def test_one_answer_to_a_wrong_address_is_no_translation(tshark, tmp_path):
    frames = exchange()
    strays = [dataclasses.replace(frames[-1], data=frames[-1].data[:IPV4_SOURCE + 4] + OUTSIDE + frames[-1].data[IPV4_SOURCE + 8:])]
    reports = reports_of(tshark, tmp_path, frames[:-1] + strays)
    entry, = reports["json"]["associations"]
    assert [end["translated"] for end in entry["endpoints"]] == [False, False]
    assert "PM-004" in {finding["rule"] for finding in entry["findings"]}
