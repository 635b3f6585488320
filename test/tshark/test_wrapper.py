# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets reach the analysis from wherever SCTP can be carried, whole, cut, in pieces or several to a frame, and the built-in
dissector goes on as before. Leaves what must not change to test_unchanged.py."""

import json
import struct

import pytest

from scenarios.generate import chunks, packet
from scenarios.generate.pcapng import ETHERNET, Pcapng

A, B, C, D = "10.1.0.1", "10.1.1.1", "2001:db8::1", "2001:db8::2"
SCTP_LINK, PPP_LINK = 248, 9
TAG = 0x12345678


def setup_packets(number=0):
    """An INIT, its INIT ACK, and DATA of 40 bytes from the initiator; tags and port of each number are its own."""
    sport, dport, tag, peer_tag = 5001 + number, 5000, TAG + number, 0x0A0A0A0A + number
    return [packet.sctp(sport, dport, 0, chunks.init(peer_tag, 100)),
            packet.sctp(dport, sport, peer_tag, chunks.init_ack(tag, 900)),
            packet.sctp(sport, dport, tag, chunks.data(100, b"x" * 40))]


def directed(packets, source, destination, wrap=lambda payload, towards: payload, protocol=packet.SCTP):
    """IP packets; every second one goes back."""
    ends = (source, destination), (destination, source)
    return [packet.ip(*ends[number % 2], wrap(payload, number % 2), protocol, identification=number + 1)
            for number, payload in enumerate(packets)]


def write(path, frames, link=ETHERNET, wrap=packet.ethernet, **options):
    with Pcapng(path, (link,), **options) as capture:
        for number, frame in enumerate(frames):
            capture.write(1_700_000_000_000_000_000 + number * 1_000_000, wrap(frame))
    path.chmod(0o644)
    return path


def fields(tshark, path, *names, options=()):
    """One tuple per frame; values of a field joined by commas."""
    arguments = [part for name in names for part in ("-e", name)]
    result = tshark("-r", path, *options, "-T", "fields", *arguments)
    assert result.returncode == 0, result.stderr
    return [tuple(line.split("\t")) for line in result.stdout.splitlines()]


def document(tshark, path, options=()):
    result = tshark("-r", path, "-q", *options, "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


WHO = ("sctp.analysis.assoc", "sctp.analysis.from", "sctp.analysis.checksum")
EXPECTED = [("0", "0", "crc32c"), ("0", "1", "crc32c"), ("0", "0", "crc32c")]


def over_udp(port):
    return lambda payload, towards: packet.udp(port, port, payload)


def inside_gtp(inner):
    return packet.ip("192.0.2.1", "192.0.2.2", packet.udp(2152, 2152, packet.gtp_u(7, inner)), packet.UDP)


CARRIERS = {
    "ip": (directed(setup_packets(), A, B), ETHERNET, packet.ethernet, (), "ip"),
    "ipv6": (directed(setup_packets(), C, D), ETHERNET, packet.ethernet, (), "ip"),
    "udp": (directed(setup_packets(), A, B, over_udp(9899), packet.UDP), ETHERNET, packet.ethernet, (), "udp"),
    "udp over ipv6": (directed(setup_packets(), C, D, over_udp(9899), packet.UDP), ETHERNET, packet.ethernet, (), "udp"),
    "decode as": (directed(setup_packets(), A, B, over_udp(9900), packet.UDP), ETHERNET, packet.ethernet,
                  ("-d", "udp.port==9900,sctp"), "udp"),
    "port preference": (directed(setup_packets(), A, B, over_udp(9901), packet.UDP), ETHERNET, packet.ethernet,
                        ("-o", "sctp.udp.port:9901"), "udp"),
    "gtp-u": ([inside_gtp(inner) for inner in directed(setup_packets(), A, B)], ETHERNET, packet.ethernet, (), "ip"),
    "vlan": (directed(setup_packets(), A, B), ETHERNET, lambda frame: packet.ethernet(frame, vlan=7), (), "ip"),
    "link type sctp": (setup_packets(), SCTP_LINK, bytes, (), "other"),
}


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("name", CARRIERS)
def test_every_carrier_reaches_the_analysis(name, tshark, tmp_path):
    frames, link, wrap, options, encapsulation = CARRIERS[name]
    path = write(tmp_path / "carrier.pcapng", frames, link, wrap)
    assert fields(tshark, path, *WHO, options=options) == EXPECTED
    assocs = document(tshark, path, options)["associations"]
    assert [assoc["encapsulation"] for assoc in assocs] == [encapsulation]


@pytest.mark.parametrize("name, ip_header", [("ip", 20), ("udp", 28), ("udp over ipv6", 48), ("ipv6", 40), ("gtp-u", 20)])
def test_lengths_are_those_of_the_ip_packets(name, ip_header, tshark, tmp_path):
    frames, link, wrap, options, _ = CARRIERS[name]
    paths = document(tshark, write(tmp_path / "carrier.pcapng", frames, link, wrap), options)["associations"][0]["paths"]
    assert sum(path["wire_bytes"] for path in paths) == sum(len(payload) + ip_header for payload in setup_packets())


def fragments(whole, size):
    """An IPv4 packet in pieces of size bytes."""
    payload = whole[20:]
    for offset in range(0, len(payload), size):
        more = 0x2000 if offset + size < len(payload) else 0
        yield packet.ipv4(whole[12:16], whole[16:20], payload[offset:offset + size], identification=9, flags=more | offset // 8)


def test_fragments_are_analysed_once_where_they_are_reassembled(tshark, tmp_path):
    first, second, third = directed(setup_packets(), A, B)
    path = write(tmp_path / "fragments.pcapng", [first, second, *fragments(third, 24)])
    rows = fields(tshark, path, *WHO)
    assert rows[:2] == EXPECTED[:2]
    assert rows[2:] == [("", "", "")] * (len(rows) - 3) + EXPECTED[2:]


def test_a_first_fragment_alone_is_a_cut_packet_and_not_a_malformed_one(tshark, tmp_path):
    frames = directed(setup_packets(), A, B)
    piece = next(fragments(frames[2], 32))
    path = write(tmp_path / "first.pcapng", [*frames[:2], piece])
    rows = fields(tshark, path, "sctp.analysis.checksum", "sctp.analysis.fault.length_beyond_end", options=("-o", "ip.defragment:FALSE"))
    assert rows[2] == ("unverified", "")


def multiplexed(packets):
    """A PPP frame with several IPv4 packets (RFC 3153), each with its protocol field and a two-byte length."""
    parts = [struct.pack("!HH", 0xC000 | len(content) + 2, 0x0021) + content for content in packets]
    return b"\xff\x03" + struct.pack("!H", 0x0059) + b"".join(parts)


def test_several_packets_in_one_frame_are_told_apart(tshark, tmp_path):
    packets = directed(setup_packets(), A, B)
    others = directed(setup_packets(1), A, B)
    path = write(tmp_path / "mux.pcapng", [multiplexed([*packets, others[0]]), multiplexed(others[1:])], PPP_LINK, bytes)
    rows = fields(tshark, path, "sctp.analysis.assoc", "sctp.analysis.from")
    assert rows == [("0,0,0,1", "0,1,0,0"), ("1,1", "1,0")]
    assert rows == fields(tshark, path, "sctp.analysis.assoc", "sctp.analysis.from", options=("-2",))
    assert document(tshark, path)["capture"]["sctp_packets"] == 6


def test_each_node_holds_its_own_analysis(tshark, tmp_path):
    packets = directed(setup_packets(), A, B) + directed(setup_packets(1), A, B)
    path = write(tmp_path / "mux.pcapng", [multiplexed(packets)], PPP_LINK, bytes)
    text = tshark("-r", path, "-V").stdout
    nodes = text.split("Stream Control Transmission Protocol")[1:]
    assert ["Association: %d" % (number // 3) in node for number, node in enumerate(nodes)] == [True] * 6
    assert all(node.count("[SCTP analysis]") == 1 for node in nodes)


@pytest.mark.parametrize("kept", [8, 11])
def test_packets_without_a_whole_header_have_no_node_but_count(kept, tshark, tmp_path):
    path = write(tmp_path / "cut.pcapng", directed(setup_packets(), A, B), snap=14 + 20 + kept)
    assert fields(tshark, path, *WHO) == [("", "", "")] * 3
    assert document(tshark, path)["capture"]["sctp_packets"] == 3


@pytest.mark.parametrize("kept", [12, 14, 16, 30])
def test_cut_packets_are_analysed_although_the_built_in_gives_up(kept, tshark, tmp_path):
    path = write(tmp_path / "cut.pcapng", directed(setup_packets(), A, B), snap=14 + 20 + kept)
    rows = fields(tshark, path, "sctp.analysis.checksum", "sctp.analysis.capture")
    assert rows == [("unverified", "truncated")] * 3


def test_quoted_packets_are_no_traffic(tshark, tmp_path):
    frames = directed(setup_packets(), A, B)
    error = packet.ip(B, A, packet.icmp(3, 4, frames[2][:28], 1300), packet.ICMP)
    path = write(tmp_path / "icmp.pcapng", [*frames, error])
    assert fields(tshark, path, *WHO)[3] == ("", "", "")
    report = document(tshark, path)
    assert report["capture"]["sctp_packets"] == 3
    assert [(event["kind"], event["frame"]) for event in report["associations"][0]["events"] if "big" in event["kind"]] == [("packet_too_big", 4)]


def test_one_error_is_one_event_in_two_passes_too(tshark, tmp_path):
    frames = directed(setup_packets(), A, B)
    error = packet.ip(B, A, packet.icmp(3, 4, frames[2][:28], 1300), packet.ICMP)
    path = write(tmp_path / "icmp.pcapng", [*frames, error])
    assert document(tshark, path, ("-2",)) == document(tshark, path)


def test_disabling_sctp_disables_the_analysis(tshark, tmp_path):
    path = write(tmp_path / "plain.pcapng", directed(setup_packets(), A, B))
    assert fields(tshark, path, *WHO, options=("--disable-protocol", "sctp")) == [("", "", "")] * 3


def test_exported_pdus_are_left_to_the_built_in(tshark, tmp_path):
    """Callers that hold the built-in's handle by its name are out of reach (epan/dissector/hook.c says why); nothing breaks."""
    dump, path = tmp_path / "packet.txt", tmp_path / "pdu.pcapng"
    dump.write_text("0000 " + " ".join(f"{byte:02x}" for byte in setup_packets()[0]) + "\n")
    assert tshark("-P", "sctp", dump, path, program="text2pcap").returncode == 0
    assert fields(tshark, path, "sctp.srcport", "sctp.analysis.checksum") == [("5001", "")]


def test_faults_are_experts_without_a_tree(tshark, tmp_path):
    broken = packet.sctp(5001, 5000, TAG, chunks.chunk(chunks.SACK, 0, b"1234567890"), checksum=b"\1\2\3\4")
    path = write(tmp_path / "broken.pcapng", directed([*setup_packets(), broken], A, B))
    text = tshark("-r", path, "-q", "-z", "expert").stdout
    assert "Bad checksum: neither CRC32c nor Adler-32 nor zero" in text
    assert "Malformed: shorter than the fixed part of its type" in text
    assert [line for line in text.splitlines() if "Bad checksum: neither" in line and "SCTP" in line]
