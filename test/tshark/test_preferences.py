# SPDX-License-Identifier: GPL-2.0-or-later
"""The preferences of the protocol sctp_analysis: enabled, decode, auth_keys, capture_name."""

import hashlib
import hmac
import json
import struct

import pytest
from conftest import TOP
from test_wrapper import A, B, TAG, directed, document, fields, setup_packets, write

from scenarios.generate import chunks, packet

PEER_TAG = 0x0A0A0A0A
SHA256 = 3
DEMO = TOP / "test/captures/demo.pcapng.gz"
LACKING = [0x8001, 0x8005, 0x8006, 0xC007, 0xC008]


def test_enabled_off_leaves_everything_to_the_built_in(tshark, tmp_path):
    path = write(tmp_path / "plain.pcapng", directed(setup_packets(), A, B))
    rows = fields(tshark, path, "sctp.srcport", "sctp.analysis.assoc", "sctp.analysis.checksum", options=("-o", "sctp_analysis.enabled:FALSE"))
    assert rows == [("5001", "", ""), ("5000", "", ""), ("5001", "", "")]


def every_lacking_item():
    """An INIT with every parameter, an ABORT with every cause, and a chunk that Wireshark 4.0 does not decode; known ones between."""
    params = chunks.address(A) + b"".join(chunks.tlv(kind, bytes(12)) for kind in LACKING) + chunks.tlv(chunks.ECN)
    causes = [chunks.tlv(code) for code in (100, 101, 102, 103, 0xB0, 0xA3)] + [chunks.tlv(7, b"abcd"), chunks.tlv(3, bytes(4))]
    return [packet.sctp(5001, 5000, 0, chunks.init(PEER_TAG, 100, params)),
            packet.sctp(5000, 5001, PEER_TAG, chunks.chunk(chunks.DTLS, 0, bytes(13))),
            packet.sctp(5001, 5000, TAG, chunks.abort(*causes))]


def types(tshark, path, decode):
    names = [f"sctp.analysis.chunk.{name}" for name in ("type", "param.type", "cause.code")]
    options = ("-o", f"sctp_analysis.decode:{decode}") if decode else ()
    return [[[int(value, 0) for value in column.split(",") if value] for column in row] for row in fields(tshark, path, *names, options=options)]


@pytest.mark.parametrize("decode", [None, "lacking"])
def test_decode_lacking_is_the_default_and_shows_only_what_wireshark_lacks(decode, tshark, tmp_path):
    path = write(tmp_path / "lacking.pcapng", directed(every_lacking_item(), A, B))
    assert types(tshark, path, decode) == [[[], LACKING, []], [[0x41], [], []], [[], [], [100, 101, 102, 103, 0xB0, 0xA3, 7]]]


def test_decode_all_shows_every_chunk(tshark, tmp_path):
    path = write(tmp_path / "all.pcapng", directed(every_lacking_item(), A, B))
    assert types(tshark, path, "all") == [[[1], [5, *LACKING, 0x8000], []], [[0x41], [], []], [[6], [], [100, 101, 102, 103, 0xB0, 0xA3, 7, 3]]]


def test_decode_off_shows_none(tshark, tmp_path):
    path = write(tmp_path / "off.pcapng", directed(every_lacking_item(), A, B))
    assert types(tshark, path, "off") == [[[], [], []]] * 3


def key_vector(fill):
    """RANDOM, CHUNKS (DATA) and HMAC-ALGO parameters, padded for an INIT, and the vector of RFC 4895 6.1 made of them."""
    parts = [(chunks.RANDOM, bytes([fill]) * 32), (chunks.CHUNKS, bytes([chunks.DATA])), (chunks.HMACS, struct.pack("!H", SHA256))]
    return b"".join(chunks.tlv(*part) for part in parts), b"".join(struct.pack("!HH", kind, 4 + len(value)) + value for kind, value in parts)


def auth_chunk(key, key_id, rest):
    """An AUTH chunk made with key over itself and the chunks after it."""
    head = struct.pack("!BBHHH", chunks.AUTH, 0, 40, key_id, SHA256)
    vectors = key_vector(1)[1] + key_vector(2)[1]
    return head + hmac.new(key + vectors, head + bytes(32) + rest, hashlib.sha256).digest()


def authenticated(key, key_id, again=0):
    """Set-up with AUTH, then DATA behind an AUTH chunk made with key, and behind as many more of the same key as again says."""
    rest = chunks.data(100, b"secret..")
    for _ in range(1 + again):
        rest = auth_chunk(key, key_id, rest) + rest
    return [packet.sctp(5001, 5000, 0, chunks.init(PEER_TAG, 100, key_vector(1)[0])),
            packet.sctp(5000, 5001, PEER_TAG, chunks.init_ack(TAG, 900, params=key_vector(2)[0])),
            packet.sctp(5001, 5000, TAG, rest)]


def keys(*rows):
    return [part for row in rows for part in ("-o", "uat:sctp_analysis_auth_keys:" + ",".join(f'"{cell}"' for cell in row))]


@pytest.mark.parametrize("rows, word", [
    ((), "unverified"),
    (((7, "6b6579", ""),), "good"),
    (((7, "6b6578", ""),), "bad"),
    (((7, "6b6579", B),), "good"),
    (((7, "6b6579", f"192.0.2.1, {A}"),), "good"),
    (((7, "6b6579", "192.0.2.1"),), "unverified"),
    (((8, "00", ""), (7, "6b6579", "")), "good"),
])
def test_auth_keys_verify(rows, word, tshark, tmp_path):
    path = write(tmp_path / "auth.pcapng", directed(authenticated(b"key", 7), A, B))
    found = fields(tshark, path, "sctp.analysis.auth", "sctp.analysis.auth.bad", options=keys(*rows))
    assert found[:2] == [("", ""), ("", "")]
    assert found[2][0] == word
    assert bool(found[2][1]) == (word == "bad")


def test_the_empty_key_needs_no_row(tshark, tmp_path):
    path = write(tmp_path / "auth.pcapng", directed(authenticated(b"", 0), A, B))
    assert fields(tshark, path, "sctp.analysis.auth")[2] == ("good",)


def test_the_empty_key_is_that_of_identifier_zero(tshark, tmp_path):
    path = write(tmp_path / "auth.pcapng", directed(authenticated(b"", 7), A, B))
    assert fields(tshark, path, "sctp.analysis.auth")[2] == ("unverified",)


@pytest.mark.parametrize("key, rows, word", [(b"", (), "unverified"), (b"key", ((0, "6b6579", ""),), "unverified"),
                                             (b"key", ((0, "6b6578", ""),), "bad")])
def test_one_auth_chunk_of_a_packet_is_verified(key, rows, word, tshark, tmp_path):
    path = write(tmp_path / "auth.pcapng", directed(authenticated(key, 0, again=2), A, B))
    assert fields(tshark, path, "sctp.analysis.auth", options=keys(*rows))[2] == (word,)


@pytest.mark.parametrize("row, cause", [((70000, "00", ""), "70000"), ((1, "00", "nonsense"), "nonsense"), ((1, "xyz", ""), "xyz")])
def test_a_wrong_row_is_refused(row, cause, tshark, tmp_path):
    path = write(tmp_path / "plain.pcapng", directed(setup_packets(), A, B))
    result = tshark("-r", path, *keys(row))
    assert result.returncode != 0 and cause in result.stderr


def test_capture_name_stands_in_the_report(tshark, tmp_path):
    path = write(tmp_path / "plain.pcapng", directed(setup_packets(), A, B))
    assert document(tshark, path, ("-o", "sctp_analysis.capture_name:that.pcap"))["capture"]["file"] == "that.pcap"
    assert document(tshark, path)["capture"]["file"] is None


@pytest.mark.parametrize("argument, cause", [("sctp,json,foo==", "is invalid"), ("sctp,jsonx", "Invalid -z argument"),
                                             ("sctp,assocs,nonsense.field", "nonsense.field")])
def test_a_wrong_report_or_filter_is_one_line_and_status_1(argument, cause, tshark, tmp_path):
    path = write(tmp_path / "plain.pcapng", directed(setup_packets(), A, B))
    result = tshark("-r", path, "-q", "-z", argument)
    assert result.returncode == 1 and result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1 and cause in result.stderr


def test_a_filter_selects_what_is_counted(tshark, tmp_path):
    path = write(tmp_path / "plain.pcapng", directed(setup_packets(), A, B))
    result = tshark("-r", path, "-q", "-z", "sctp,json,frame.number==3")
    report = json.loads(result.stdout)
    assert report["capture"]["filter"] == "frame.number==3"
    assert report["associations"][0]["chunks"] == {"DATA": [1, 0]}


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("written, levels", [
    ("all", {"MUST", "heuristic"}), ("All, with notes", {"MUST", "heuristic"}), ("should", {"MUST"}), ("MUST and SHOULD", {"MUST"}), ("must", {"MUST"}),
    ("MUST", {"MUST"}), ("off", set()), ("None", set()), ("ID-*", {"MUST"}), ("rc-025", {"heuristic"}), ("!ID-*", {"heuristic"}), ("RC-025 must,!ID-005", {"MUST", "heuristic"}),
])
def test_rules_are_chosen_by_level_and_name_and_by_what_older_profiles_hold(written, levels, tshark):
    told = document(tshark, DEMO, ["-o", f"sctp_analysis.rules:{written}"])
    assert {finding["level"] for assoc in told["associations"] for finding in assoc["findings"]} == levels


def test_a_name_that_no_rule_has_is_said_and_every_rule_is_judged(tshark):
    result = tshark("-q", "-r", DEMO, "-o", "sctp_analysis.rules:XX-1", "-z", "sctp,json")
    assert "sctp_analysis.rules: no rule is called XX-1; every rule is judged" in result.stderr
    assert any(assoc["findings"] for assoc in json.loads(result.stdout)["associations"])
