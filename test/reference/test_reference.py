# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin's values per TSN, SACK and path are those that a second implementation computes from the definitions (oracle.py), for
captures with ground truth, for public ones where they are present, and for captures with packets missing.

One capture of eight by default, all with SCTPA_ALL_CAPTURES=1."""

import os

import pytest
from conftest import MORE_CAPTURES, capture_files, capture_id

from reference import associations, frames, oracle, shown, thin

STEP = 1 if os.environ.get("SCTPA_ALL_CAPTURES") else 8
NETPERFMETER = MORE_CAPTURES / "wireshark__wireshark__netperfmeter.pcapng.gz"
SHOWN_DIFFERENCES = 20


def lab_captures():
    return [path for path in capture_files() if associations.truth_table(path)]


def public_captures():
    return capture_files([MORE_CAPTURES])


# One packet over and over, packets of several captures one after the other, output of a fuzzer: TSNs and tags fit no association.
MADE_UP = ("pevma__mrp__megaco.pcap", "seladb__PcapPlusPlus__9fc71d08_SctpExamplePackets.pcap",
           "sctplab__usrsctp__RECON_fuzzer_CORPUS_CONNECT_tsctp.pcap")


def each(name, paths):
    return pytest.mark.parametrize(name, paths[::STEP], ids=[capture_id(path) for path in paths[::STEP]])


def check(wrong):
    assert wrong == [], "\n".join([f"{len(wrong)} differences", *wrong[:SHOWN_DIFFERENCES]])


def duplicates(rows):
    return {frame for frame, row in rows.items() if row["is_duplicate"]}


def test_the_plugin_has_every_field_of_the_reference(tshark):
    assert set(oracle.FIELDS) - set(shown.fields_of_plugin(tshark)) == set()


@pytest.mark.thorough_but_one_in(4)
@each("lab_capture", lab_captures())
def test_lab_capture_is_measured_as_by_the_reference(lab_capture, tshark):
    rows = shown.rows(tshark, lab_capture, shown.fields_of_plugin(tshark))
    packets = frames.sctp_packets(frames.frames(lab_capture))
    found = oracle.analyse(packets, associations.grouping(lab_capture), duplicates(rows))
    check(shown.differences(found, rows, shown.fields_of_plugin(tshark)))


@each("public_capture", public_captures())
def test_public_capture_is_measured_as_by_the_reference(public_capture, tshark):
    """These have no ground truth: the grouping is the plugin's own. Only where the lab's reader finds every packet."""
    rows = shown.rows(tshark, public_capture, shown.fields_of_plugin(tshark))
    try:
        packets = frames.sctp_packets(frames.frames(public_capture))
    except KeyError:
        pytest.skip("neither pcap nor pcapng")
    grouped = {frame: row["assoc"] for frame, row in rows.items() if row["assoc"] is not None}
    if not grouped or {packet.frame for packet in packets} != set(grouped):
        pytest.skip("the lab's reader does not find the packets that Wireshark finds")
    if set(grouped.values()) != set(range(max(grouped.values()) + 1)):
        pytest.skip("halves were joined after fields of their packets had been shown")
    if public_capture.name in MADE_UP:
        pytest.skip("no two endpoints sent this")
    found = oracle.analyse(packets, grouped, duplicates(rows))
    check(shown.differences(found, rows, shown.fields_of_plugin(tshark)))


@pytest.mark.thorough_but_one_in(4)
@each("lab_capture", [path for path in lab_captures() if path.name[0] == "A"])
def test_lab_capture_with_packets_missing_is_measured_as_by_the_reference(lab_capture, tshark, tmp_path):
    """One packet in a hundred dropped. Only captures of one association, which no lost INIT can join to another."""
    grouped = associations.grouping(lab_capture)
    if len(set(grouped.values())) > 1:
        pytest.skip("several associations")
    kept = thin.thinned(frames.frames(lab_capture))
    numbers = thin.write(tmp_path / "thin.pcapng", kept)
    rows = shown.rows(tshark, tmp_path / "thin.pcapng", shown.fields_of_plugin(tshark))
    copies = {numbers[frame - 1] for frame in duplicates(rows)}
    found = oracle.analyse(frames.sctp_packets(kept), grouped, copies)
    check(shown.differences(found, rows, shown.fields_of_plugin(tshark), numbers))


@pytest.mark.thorough_but_one_in(4)
@each("lab_capture", [path for path in lab_captures() if path.name[0] == "B"])
def test_cut_lab_capture_is_measured_as_by_the_reference(lab_capture, tshark, tmp_path):
    """A snap length of 96 bytes: payloads, later chunks of a bundle, and the ends of long SACKs are not there."""
    kept = thin.cut(frames.frames(lab_capture), 96)
    thin.write(tmp_path / "cut.pcapng", kept)
    rows = shown.rows(tshark, tmp_path / "cut.pcapng", shown.fields_of_plugin(tshark))
    packets = frames.sctp_packets(kept)
    if {packet.frame for packet in packets} != {frame for frame, row in rows.items() if row["assoc"] is not None}:
        pytest.skip("cut IP fragments: the lab's reader takes none, Wireshark the first")
    found = oracle.analyse(packets, associations.grouping(lab_capture), duplicates(rows))
    check(shown.differences(found, rows, shown.fields_of_plugin(tshark)))


@pytest.mark.more_captures
def test_every_data_packet_of_netperfmeter_is_acknowledged(tshark):
    rows = shown.rows(tshark, NETPERFMETER, ("tsn", "acked_in"))
    sent = {frame: row for frame, row in rows.items() if row["tsn"]}
    assert len(sent) == 590
    assert [frame for frame, row in sent.items() if len(row["acked_in"]) != len(row["tsn"])] == []
