# SPDX-License-Identifier: GPL-2.0-or-later
"""Addresses that are translated between an endpoint and the tap: the endpoint sends from one and is sent to at another, which nothing
names; or its peer's Linux has another address for it than the packets. The reports say so, and accuse nobody of sending there."""

import dataclasses
import ipaddress
import json
import struct

import pytest
from application_messages import ScenarioBuilder
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


def to_outside(frame):
    data = frame.data[:IPV4_SOURCE + 4] + OUTSIDE + frame.data[IPV4_SOURCE + 8:]
    return dataclasses.replace(frame, data=data[:IPV4_SOURCE - 2] + bytes(2) + data[IPV4_SOURCE:])


def test_a_host_that_translates_shows_each_packet_under_both_addresses(tshark, tmp_path):
    """Captured on all its interfaces at once: the inner address, which the set-up began with, is no second home."""
    frames = []
    for frame in exchange():
        frame = dataclasses.replace(frame, time_ns=frame.time_ns + 123_457)
        copy = dataclasses.replace(from_outside(frame) if is_by_0(frame) else to_outside(frame), time_ns=frame.time_ns + 3000)
        frames += [frame, copy] if is_by_0(frame) else [dataclasses.replace(copy, time_ns=frame.time_ns), dataclasses.replace(frame, time_ns=copy.time_ns)]
    reports = reports_of(tshark, tmp_path, [dataclasses.replace(frame, number=number) for number, frame in enumerate(frames, 1)])
    entry, = reports["json"]["associations"]
    assert [end["translated"] for end in entry["endpoints"]] == [True, False]
    assert not {"HS-010", "PM-004", "PM-022"} & {finding["rule"] for finding in entry["findings"]}
    assert f"{len(frames) // 2} packets were captured twice (first: frame 2)" in " ".join(reports["triage"].split())


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


def sockaddr(text, port, order="<"):
    """union sctp_addr of Linux, the family in the kernel's byte order."""
    address = ipaddress.ip_address(text)
    head = struct.pack(f"{order}H", 2 if address.version == 4 else 10) + struct.pack("!H", port)
    return head + (address.packed + bytes(20) if address.version == 4 else bytes(4) + address.packed + bytes(4))


def linux_cookie(own_tag, peer_tag, address, order="<"):
    """struct sctp_signed_cookie as far as the peer's address, and what follows of it."""
    return bytes(36) + struct.pack(f"{order}II", own_tag, peer_tag) + bytes(24) + address + bytes(40)


def translated_ends(tshark, folder, scenario):
    scenario.write_capture(folder / "capture.pcapng")
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    entry, = json.loads(result.stdout)["associations"]
    return [end["translated"] for end in entry["endpoints"]]


ADDRESSES, ADDRESSES6 = ("10.0.0.1", "10.0.0.2"), ("2001:db8::1", "2001:db8::2")


@pytest.mark.parametrize("addresses, named, port, order, is_translated", [
    (ADDRESSES, "10.0.0.2", 5001, "<", False), (ADDRESSES, "192.0.2.7", 5001, "<", True), (ADDRESSES, "192.0.2.7", 5001, ">", True),
    (ADDRESSES, "192.0.2.7", 5002, "<", False), (ADDRESSES6, "2001:db8::2", 5001, "<", False), (ADDRESSES6, "2001:db8::7", 5001, "<", True)],
    ids=["the same", "another", "another, big endian", "of another port: no address", "IPv6, the same", "IPv6, another"])
def test_the_destination_that_linux_writes_into_heartbeats_is_compared(addresses, named, port, order, is_translated, tshark, tmp_path):
    info = sockaddr(named, port, order) + bytes(24)
    scenario = ScenarioBuilder(addresses).set_up().send(0, chunks.heartbeat(info)).send(1, chunks.heartbeat_ack(info))
    assert translated_ends(tshark, tmp_path, scenario) == [False, is_translated]


@pytest.mark.parametrize("named, is_own, order, is_translated", [
    ("10.0.0.1", True, "<", False), ("192.0.2.7", True, "<", True), ("192.0.2.7", True, ">", True), ("192.0.2.7", False, "<", False)],
    ids=["the same", "another", "another, big endian", "of other tags: no address"])
def test_the_source_that_linux_writes_into_cookies_is_compared(named, is_own, order, is_translated, tshark, tmp_path):
    scenario = ScenarioBuilder(ADDRESSES)
    tag = scenario.ends[1].tag if is_own else scenario.ends[1].tag ^ 1
    cookie = linux_cookie(tag, scenario.ends[0].tag, sockaddr(named, 5001, order), order)
    scenario.init().init_ack(cookie=cookie).cookie_echo(cookie=cookie).cookie_ack()
    assert translated_ends(tshark, tmp_path, scenario) == [is_translated, False]
