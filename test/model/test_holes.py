# SPDX-License-Identifier: GPL-2.0-or-later
"""What one packet that is known to be missing withdraws: what it may explain, not what happened before or after. The finding is of HEARTBEATs that
stay unanswered while data flows both ways: a packet with DATA is left out at each place, SACKs show that it is missing."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import sweeps  # noqa: E402
from replay import extract  # noqa: E402

NAME, RULE = "PM-002-1", "PM-002"
# Frames of the first, the third and the last unanswered HEARTBEAT, and of the last packet before SHUTDOWN.
FIRST, THIRD, LAST, END = 59, 73, 87, 97


def is_data(packet):
    return packet["sctp"][12] == 0


@pytest.fixture(scope="module")
def packets():
    return list(extract.packets(str(sweeps.labels.FOLDER / f"{NAME}.pcap.gz")))


def kept(packets, frames, folder):
    """{frame: is the finding proven or probable without it}."""
    whole = sweeps._write(packets, folder / "whole", {})
    told = {}
    for frame in frames:
        copy = sweeps._write([packet for packet in packets if packet["frame"] != frame], folder / "copy", {})
        result = sweeps.subprocess.run([sweeps.PROGRAMS["asan"], "--profile", "9260", whole, copy], capture_output=True, text=True, check=True)
        (of_rule,) = [told for (rule, _), told in sweeps._read(result.stdout, {})[2].items() if rule == RULE]
        told[frame] = of_rule.all_kept == 1
    return told


def data_frames(packets, first, last):
    return [packet["frame"] for packet in packets if is_data(packet) and first <= packet["frame"] <= last]


@pytest.mark.parametrize("first, last, is_kept", [(8, FIRST - 8, True), (FIRST + 1, THIRD, False), (LAST + 4, END, True)], ids=["before", "inside", "after"])
def test_a_hole_withdraws_what_it_lies_in(packets, first, last, is_kept, tmp_path):
    told = kept(packets, data_frames(packets, first, last), tmp_path)
    assert told and set(told.values()) == {is_kept}, told


def test_a_packet_of_the_setup_has_its_place_at_the_beginning(packets, tmp_path):
    (init_ack,) = [packet["frame"] for packet in packets if packet["sctp"][12] == 2]
    late = data_frames(packets, LAST, END)[-1:]
    assert kept(packets, [init_ack, *late], tmp_path) == {init_ack: False, **dict.fromkeys(late, True)}


def behind(packets, frame):
    """The packet stands behind the next one, each with its stamp."""
    at = [packet["frame"] for packet in packets].index(frame)
    return [*packets[:at], packets[at + 1], packets[at], *packets[at + 2:]]


def told_of(packets, copy, folder):
    """{(rule, end): certainty} of the whole, and the new findings of the copy."""
    files = [sweeps._write(those, folder / name, {}) for name, those in (("whole", packets), ("copy", copy))]
    result = sweeps.subprocess.run([sweeps.PROGRAMS["asan"], "--profile", "9260", *files], capture_output=True, text=True, check=True)
    new, _, whole = sweeps._read(result.stdout, {})
    return {key: told.all_kept for key, told in whole.items()}, new


def test_stamps_give_what_is_out_of_order_its_place(packets, tmp_path):
    """DATA behind the SACK of it: it withdraws what it lies in."""
    frames = [packet["frame"] for packet, next_one in zip(packets, packets[1:]) if is_data(packet) and next_one["sctp"][12] == 3]
    for first, last, is_kept in ((8, FIRST - 8, True), (FIRST + 1, THIRD, False), (LAST + 4, END, True)):
        chosen = [frame for frame in frames if first <= frame <= last]
        assert chosen
        for frame in chosen:
            whole, _ = told_of(packets, behind(packets, frame), tmp_path)
            assert {kept for (rule, _), kept in whole.items() if rule == RULE} == {int(is_kept)}, frame


def test_an_answer_before_its_request_accuses_nobody(tmp_path):
    """The first ASCONF behind its ASCONF-ACK: the second seems to be sent before the first is answered."""
    packets = list(extract.packets(str(sweeps.labels.FOLDER / "AU-006-innocent-1.pcap.gz")))
    first = next(packet["frame"] for packet in packets if b"\xc1\x00" in packet["sctp"][12:] and len(packet["sctp"]) < 120 and packet["sctp"][12] == 15)
    _, new = told_of(packets, behind(packets, first), tmp_path)
    assert new == []


def test_what_a_packet_out_of_order_completes_is_withdrawn(tmp_path):
    """The COOKIE ACK behind the packet after it, which is not early by its stamp."""
    packets = list(extract.packets(str(sweeps.labels.FOLDER / "HS-002-innocent-1.pcap.gz")))
    cookie_ack = next(packet["frame"] for packet in packets if packet["sctp"][12] == 11)
    _, new = told_of(packets, behind(packets, cookie_ack), tmp_path)
    assert new == []
