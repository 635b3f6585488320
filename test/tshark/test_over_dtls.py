# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects SCTP inside DTLS, as WebRTC's data channels have it: found without a port to go by, by a key log or keys in the capture, in one pass and
two; through Decode As; and nothing else that DTLS carries is taken for SCTP."""

import json
import pathlib
import struct
import subprocess

import pytest

from conftest import CAPTURES
from dtls_capture import CLIENT, KEY_LOG, dtls_capture

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "lab/webrtc/recorded"
PION, PION_KEYS = RECORDED / "pion.pcap.gz", RECORDED / "pion.keys"
BARE = CAPTURES / "dcsctp/idata/A.pcap.gz"


def keys_of(tshark, path):
    return ("-o", f"tls.keylog_file:{tshark._readable(path)}")


def analysis_of(tshark, *arguments):
    result = tshark("-n", "-q", *arguments, "-z", "sctp,json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def told(analysis):
    """What does not change by what is below SCTP."""
    return [(assoc["ports"], assoc["setup"], assoc["end"], assoc["packets"], assoc["chunks"], [direction["tsns"] for direction in assoc["directions"]])
            for assoc in analysis["associations"]]


def bare_packets(tshark):
    """[(ns since 1970, sent by the first?, SCTP packet)] of a capture of raw IPv4."""
    rows = tshark("-n", "-r", BARE, "-T", "fields", "-e", "frame.time_epoch", "-e", "ip.src", "-e", "ip.len", plugin=False).stdout.splitlines()
    frames = subprocess.run(["gzip", "-dc", BARE], capture_output=True, check=True).stdout
    at, packets = 24, []
    first = rows[0].split("\t")[1]
    for row in rows:
        epoch, source, length = row.split("\t")
        captured = struct.unpack_from("<I", frames, at + 8)[0]
        seconds, fraction = epoch.split(".")
        packets.append((int(seconds) * 10 ** 9 + int(fraction.ljust(9, "0")), source == first, frames[at + 16 + 20:at + 16 + int(length)]))
        at += 16 + captured
    return packets


@pytest.fixture
def made(tshark, tmp_path):
    """A function that writes a capture of DTLS with these packets; its path, and the options that open it."""
    def write(packets):
        (tmp_path / "made.pcap").write_bytes(dtls_capture(packets))
        (tmp_path / "made.keys").write_text(KEY_LOG)
        return tmp_path / "made.pcap", ("-o", f"tls.keylog_file:{tmp_path / 'made.keys'}")
    return write


def test_a_capture_of_pion_shows_its_association(tshark):
    analysis = analysis_of(tshark, "-r", PION, *keys_of(tshark, PION_KEYS))
    assoc, = analysis["associations"]
    assert (assoc["encapsulation"], assoc["setup"], assoc["ports"]) == ("dtls", "complete", [5000, 5000])
    assert analysis_of(tshark, "-r", PION)["associations"] == []


def test_both_passes_show_the_same_packets(tshark):
    rows = [tshark("-n", *passes, "-r", PION, *keys_of(tshark, PION_KEYS), "-Y", "sctp.analysis.assoc == 0", "-T", "fields", "-e", "frame.number",
                   "-e", "sctp.analysis.from", "-e", "sctp.chunk_type").stdout for passes in ((), ("-2",))]
    assert rows[0] == rows[1] and len(rows[0].splitlines()) > 80


def test_keys_in_the_capture_do_as_well(tshark, tmp_path):
    kept = tmp_path / "kept.pcapng"
    subprocess.run(["editcap", "--inject-secrets", f"tls,{PION_KEYS}", PION, kept], check=True, capture_output=True)
    kept.chmod(0o644)
    assert told(analysis_of(tshark, "-r", kept)) == told(analysis_of(tshark, "-r", PION, *keys_of(tshark, PION_KEYS)))


def test_dtls_shows_what_the_bare_packets_show(tshark, made):
    path, keys = made(bare_packets(tshark))
    assert told(analysis_of(tshark, "-r", path, "-d", f"udp.port=={CLIENT[1]},dtls", *keys)) == told(analysis_of(tshark, "-r", BARE))


def test_decode_as_and_the_heuristic_each_find_it(tshark, made):
    path, keys = made(bare_packets(tshark))
    base = ("-r", path, *keys, "-d", f"udp.port=={CLIENT[1]},dtls")
    found, port = told(analysis_of(tshark, *base)), f"dtls.port=={CLIENT[1]}"
    assert found
    assert told(analysis_of(tshark, *base, "--disable-heuristic", "sctp_dtls")) == []
    assert told(analysis_of(tshark, *base, "--disable-heuristic", "sctp_dtls", "-d", f"{port},sctp")) == found


def test_wireshark_offers_sctp_for_a_port_of_dtls(tshark):
    assert "sctp (Stream Control" in tshark("-d", "dtls.port==1,?", "-r", PION).stderr


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("change, is_sctp", [
    (lambda packet: packet, True),
    (lambda packet: packet[:8] + bytes(4) + packet[12:], True),
    (lambda packet: packet[:8] + bytes([packet[8] ^ 1]) + packet[9:], False),
    (lambda packet: packet[:8] + bytes(4) + packet[12:-4], False),
    (lambda packet: packet[:8] + bytes(4) + b"\x3f" + packet[13:], False),
    (lambda packet: bytes(2) + packet[2:8] + bytes(4) + packet[12:], False),
    (lambda packet: packet[:12], False),
    (lambda packet: b"a text of the application that is no SCTP packet", False),
    (lambda packet: bytes(64), False),
], ids=["as_sent", "zero_checksum", "wrong_checksum", "cut_chunk", "unknown_first_chunk", "port_0", "no_chunk", "text", "zeros"])
def test_only_sctp_is_taken_for_sctp(tshark, made, change, is_sctp):
    time_ns, is_first, packet = bare_packets(tshark)[0]
    path, keys = made([(time_ns, is_first, change(packet))])
    base = ("-n", "-r", path, "-d", f"udp.port=={CLIENT[1]},dtls", *keys)
    assert tshark(*base, "-Y", "dtls.app_data", "-T", "fields", "-e", "frame.number").stdout == "5\n"
    assert (tshark(*base, "-Y", "sctp", "-T", "fields", "-e", "frame.number").stdout != "") == is_sctp
    assert bool(told(analysis_of(tshark, *base[1:]))) == is_sctp
