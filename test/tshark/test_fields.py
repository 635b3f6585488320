# SPDX-License-Identifier: GPL-2.0-or-later
"""The fields below sctp.analysis: they exist, say when they are known, and are the same in every pass and way of asking.
Leaves carriers to test_wrapper.py and what the decoded fields hold to the differential test."""

import pathlib
import re

import pytest
from test_unchanged import name_of, sample
from test_wrapper import A, B, TAG, directed, fields, setup_packets, write

from scenarios.generate import chunks, packet

PAST = ("assoc", "from", "path", "setup_frame", "restart_of", "checksum", "auth", "capture")
TYPES = {"assoc": "FT_UINT32", "from": "FT_UINT8", "path": "FT_UINT32", "setup_frame": "FT_FRAMENUM", "restart_of": "FT_UINT32",
         "capture": "FT_STRING", "checksum": "FT_STRING", "auth": "FT_STRING", "chunk.type": "FT_UINT8", "chunk.flags": "FT_UINT8",
         "chunk.length": "FT_UINT16", "chunk": "FT_NONE"}


def registered(tshark):
    """abbreviation -> (type, parent, blurb)"""
    lines = [line.split("\t") for line in tshark("-G", "fields").stdout.splitlines()]
    return {line[2]: (line[3], line[4], line[7]) for line in lines if line[0] == "F" and line[2].startswith("sctp.analysis")}


def test_fields_have_the_types_of_the_interface(tshark):
    known = registered(tshark)
    assert {name: known["sctp.analysis." + name][0] for name in TYPES} == TYPES


def test_fields_belong_to_sctp_and_say_their_pass(tshark):
    for name, (_, parent, blurb) in registered(tshark).items():
        assert parent == "sctp", name
        if not re.search(r"\.(fault\.|rule\.|checksum\.bad|auth\.bad)", name):
            assert re.search(r"\((past|final)\)$", blurb), name


def test_registering_says_nothing(tshark):
    result = tshark("-G", "protocols")
    assert result.stderr == ""
    assert re.search(r"\tsctp_analysis\b", result.stdout)


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("capture_path", sample(), ids=name_of)
def test_past_fields_are_the_same_in_two_passes(capture_path, tshark):
    names = ["sctp.analysis." + name for name in PAST]
    assert fields(tshark, capture_path, *names) == fields(tshark, capture_path, *names, options=("-2",))


def test_a_filter_needs_no_visible_tree(tshark, tmp_path):
    path = write(tmp_path / "two.pcapng", directed(setup_packets(), A, B) + directed(setup_packets(1), A, B))
    result = tshark("-r", path, "-Y", "sctp.analysis.assoc == 1 && sctp.analysis.from == 0", "-T", "fields", "-e", "frame.number")
    assert result.stdout.split() == ["4", "6"]


def test_one_node_per_chunk_in_order_whatever_is_decoded(tshark, tmp_path):
    bundle = packet.sctp(5001, 5000, TAG, chunks.sack(900), chunks.data(101, b"y" * 7), chunks.heartbeat())
    path = write(tmp_path / "bundle.pcapng", directed([*setup_packets(), bundle], A, B))
    for decode in ("off", "lacking", "all"):
        text = tshark("-r", path, "-o", f"sctp_analysis.decode:{decode}", "-Y", "frame.number==4", "-V").stdout
        nodes = re.findall(r"^        (\w.* chunk \(0x..\))$", text, re.M)
        assert nodes == ["SACK chunk (0x03)", "DATA chunk (0x00)", "HEARTBEAT chunk (0x04)"], decode


def test_setup_frame_is_known_from_the_init_on(tshark, tmp_path):
    path = write(tmp_path / "setup.pcapng", directed(setup_packets(), A, B))
    assert fields(tshark, path, "sctp.analysis.setup_frame") == [("1",)] * 3


@pytest.mark.parametrize("checksum, word", [(None, "crc32c"), (bytes(4), "zero"), (b"\1\2\3\4", "bad")])
def test_checksum_is_named(checksum, word, tshark, tmp_path):
    odd = packet.sctp(5001, 5000, TAG, chunks.data(101, b"y" * 8), checksum=checksum)
    path = write(tmp_path / "checksum.pcapng", directed([*setup_packets(), setup_packets()[1], odd], A, B))
    rows = fields(tshark, path, "sctp.analysis.checksum", "sctp.analysis.checksum.bad")
    assert rows[4][0] == word
    assert bool(rows[4][1]) == (word == "bad")


FAULTS = {
    "length_below_header": chunks.chunk(chunks.SACK, 0, b"", length=3),
    "length_beyond_end": chunks.chunk(chunks.HEARTBEAT, 0, bytes(8), length=200),
    "length_below_minimum": chunks.chunk(chunks.SACK, 0, bytes(4)),
    "padding_not_zero": chunks.chunk(chunks.COOKIE_ECHO, 0, b"abc", length=6),
}


@pytest.mark.parametrize("name", FAULTS)
def test_malformed_chunks_are_experts(name, tshark, tmp_path):
    path = write(tmp_path / "fault.pcapng", directed([*setup_packets(), packet.sctp(5000, 5001, 0x0A0A0A0A, FAULTS[name])], A, B))
    result = tshark("-r", path, "-Y", f"sctp.analysis.fault.{name}", "-T", "fields", "-e", "frame.number")
    assert result.stdout.split() == ["4"], result.stderr


@pytest.mark.parametrize("decode", ["off", "lacking", "all"])
def test_conforming_packets_have_no_experts_of_ours(decode, tshark, tmp_path):
    path = write(tmp_path / "fine.pcapng", directed(setup_packets(), A, B))
    text = tshark("-r", path, "-o", f"sctp_analysis.decode:{decode}", "-V").stdout
    assert "Malformed" not in text and "Expert" not in text


def test_an_event_stands_where_it_became_certain_in_every_pass(tshark):
    """The failover of this capture is seen in frame 386; that new data stays away is certain with 387."""
    capture = pathlib.Path(__file__).parent.parent / "captures" / "linux" / "mh-failover" / "A.pcapng.gz"
    names = ("sctp.analysis.event", "sctp.analysis.event.frame", "sctp.analysis.event.endpoint", "sctp.analysis.event.path")
    once, twice = (fields(tshark, capture, "frame.number", *names, options=options) for options in ((), ("-2",)))
    assert once == twice
    assert once[386] == ("387", "path_failed,failover,primary_changed", "386,386,386", "0,0,0", "0,1,1")
