# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects how files become one capture: every format, what a bad file leaves of the others, interfaces, counters. Leaves names to test_rings.py,
what the plugin makes of the capture to test_cut_captures.py and test_reported_files.py."""

import gzip
import random
import shutil
import struct
import subprocess
import time

import pytest

from capture_bytes import ETHERNET, PACKET, block, enhanced, interface, pcap, pcapng, section, statistics
from joined_reports import frames_of, joined_bytes
from python_steps import steps_of
from sctpa.sequence import blocks

SECOND = 1_000_000_000


def test_pcap_of_either_order_and_resolution_and_pcapng_gzipped_or_not_are_one_capture(tshark, tmp_path):
    forms = [pcap([1], "<", 6), pcap([2], ">", 6), pcap([3], "<", 9), pcap([4], ">", 9), pcapng([5], "<"), pcapng([6], ">"), gzip.compress(pcap([7])),
             gzip.compress(pcapng([8]))]
    data, reads = joined_bytes(tmp_path, forms)
    assert [(read.frames, read.whole, read.message) for read in reads] == [(1, True, None)] * 8
    frames = frames_of(tshark, tmp_path, data, "frame.time_epoch", "ip.id", "frame.len")
    assert [float(time) for time, _, _ in frames] == [1_700_000_000 + number for number in range(1, 9)]
    assert {(length, int(number, 16)) for _, number, length in frames} == {(str(len(PACKET)), 7)}


def test_a_format_that_only_wireshark_knows_goes_through_editcap(tshark, tmp_path):
    (tmp_path / "in.pcap").write_bytes(pcap([2], link_type=1, packet=ETHERNET))
    result = tshark("-F", "snoop", tmp_path / "in.pcap", tmp_path / "out.snoop", program="editcap")
    assert result.returncode == 0, result.stderr
    data, reads = joined_bytes(tmp_path, [pcap([1]), (tmp_path / "out.snoop").read_bytes(), pcap([3])])
    assert [(read.frames, read.message) for read in reads] == [(1, None)] * 3
    assert [float(time) for time, in frames_of(tshark, tmp_path, data, "frame.time_epoch")] == [1_700_000_001, 1_700_000_002, 1_700_000_003]


def test_nanoseconds_and_the_offset_of_an_interface_stay(tshark, tmp_path):
    late = interface(resolution=9, offset_s=1_000_000_000)
    data, _ = joined_bytes(tmp_path, [section() + late + enhanced(0, 700_000_000 * SECOND + 123456789), pcap([1])])
    assert [time for time, in frames_of(tshark, tmp_path, data, "frame.time_epoch")] == ["1700000000.123456789", "1700000001.000000000"]


def test_other_link_types_are_other_interfaces(tshark, tmp_path):
    data, reads = joined_bytes(tmp_path, [pcap([1]), pcap([2], link_type=1, packet=ETHERNET), pcap([3])])
    assert [read.message for read in reads] == [None] * 3
    assert frames_of(tshark, tmp_path, data, "frame.interface_id", "frame.protocols") == [
        ["0", "raw:ip:sctp"], ["1", "eth:ethertype:ip:sctp"], ["0", "raw:ip:sctp"]]


def test_interfaces_are_told_apart_by_name_whatever_their_order(tshark, tmp_path):
    a, b = interface(name=b"eth0"), interface(name=b"eth1")
    forms = [section() + a + b + enhanced(0) + enhanced(1), section() + b + a + enhanced(0) + enhanced(1), section() + b + enhanced(0)]
    data, _ = joined_bytes(tmp_path, forms)
    assert frames_of(tshark, tmp_path, data, "frame.interface_id", "frame.interface_name") == [
        ["0", "eth0"], ["1", "eth1"], ["1", "eth1"], ["0", "eth0"], ["1", "eth1"]]


def test_interfaces_of_the_same_name_are_told_apart_by_their_numbers(tshark, tmp_path):
    two = section() + interface(name=b"a1") + interface(name=b"a1")
    data, _ = joined_bytes(tmp_path, [two + enhanced(1) + enhanced(0), two + enhanced(0) + enhanced(1)])
    assert [number for number, in frames_of(tshark, tmp_path, data, "frame.interface_id")] == ["1", "0", "0", "1"]


@pytest.mark.parametrize("order", "<>")
def test_the_direction_of_a_packet_and_its_comment_stay(tshark, tmp_path, order):
    said = [(1, b"seen twice"), (2, struct.pack(order + "I", 2))]
    data, _ = joined_bytes(tmp_path, [pcap([1]), section(order) + interface(order) + enhanced(0, order=order, options=said)])
    assert frames_of(tshark, tmp_path, data, "frame.packet_flags_direction", "frame.comment")[1] == ["0x00000002", "seen twice"]


@pytest.mark.parametrize("order", "<>")
def test_packets_of_old_and_simple_blocks_are_frames(tshark, tmp_path, order):
    high, low = divmod(1_700_000_009 * 1_000_000, 1 << 32)
    padding = bytes(-len(PACKET) % 4)
    old = block(2, struct.pack(order + "HHIIII", 0, 0, high, low, len(PACKET), len(PACKET)) + PACKET + padding, order)
    simple = block(3, struct.pack(order + "I", len(PACKET)) + PACKET + padding, order)
    data, reads = joined_bytes(tmp_path, [pcap([1]), section(order) + interface(order) + old + simple])
    assert [read.frames for read in reads] == [1, 2]
    assert [float(time) for time, in frames_of(tshark, tmp_path, data, "frame.time_epoch")][1] == 1_700_000_009
    assert len(frames_of(tshark, tmp_path, data, "ip.id")) == 3


def test_without_editcap_a_file_says_so_and_the_next_one_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    _, reads = joined_bytes(tmp_path, [b"neither of both", pcap([1])])
    assert [read.message for read in reads] == ["is neither pcap nor pcapng, and editcap cannot be started to convert it", None]


def test_a_zstd_file_is_read_where_wireshark_reads_such(tshark, tmp_path):
    zstd = shutil.which("zstd")
    if not zstd:
        pytest.skip("no zstd")
    packed = subprocess.run([zstd, "-c"], input=pcap([2]), capture_output=True, check=True).stdout
    _, reads = joined_bytes(tmp_path, [pcap([1]), packed, pcap([3])])
    assert reads[1].frames == 1 or reads[1].message == "is not a capture file that Wireshark understands"


BAD = {
    "empty": (b"", 0, "is empty (0 bytes)"),
    "text": (b"no capture at all\n" * 50, 0, "is not a capture file that Wireshark understands"),
    "cut-pcap": (pcap([2, 3])[:-10], 1, "cut short in the middle of a packet"),
    "cut-pcapng": (pcapng([2, 3])[:-10], 1, "cut short in the middle of a packet"),
    "cut-head": (pcap([])[:10], 0, "cut short in the middle of a packet"),
    "cut-gzip": (gzip.compress(pcap([2]) + pcap([3], packet=random.Random(0).randbytes(5000))[24:])[:-3000], 1,
                 "cut short in the middle of a packet"),
    "damaged-gzip": (gzip.compress(pcap([2, 3]))[:10] + b"\xff" * 40, 0, "is damaged: invalid compressed data"),
    "huge-packet": (pcap([2]) + struct.pack("<IIII", 1, 0, 1 << 30, 1 << 30), 1, "is damaged: packet of 1073741824 bytes"),
    "huge-block": (pcapng([2]) + struct.pack("<II", 6, 1 << 30), 1, "is damaged: block of 1073741824 bytes"),
    "two-lengths": (pcapng([2]) + struct.pack("<III", 6, 12, 16), 1, "is damaged: the two lengths of a block differ"),
    "no-interface": (section() + enhanced(0), 0, "is damaged: packet of interface 0, which has no description"),
    "short-block": (pcapng([2]) + block(6, bytes(8)), 1, "is damaged: a block is too short for what it holds"),
    "long-packet": (pcapng([2]) + block(6, struct.pack("<IIIII", 0, 0, 0, 100, 100)), 1, "is damaged: packet of 100 bytes in a block of 32"),
    "no-order": (struct.pack("<III", 0x0A0D0D0A, 28, 0x12345678) + bytes(16), 0, "is damaged: section header without byte order"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_keeps_what_can_be_read_says_why_and_the_next_one_goes_on(tshark, tmp_path, name):
    form, frames, cause = BAD[name]
    data, (before, bad, after) = joined_bytes(tmp_path, [pcap([1]), form, pcap([9])])
    assert (bad.frames, bad.whole) == (frames, False) and bad.message.startswith(cause)
    assert (before.whole, after.whole, before.gap) == (True, True, None) and after.gap == f"2 {bad.message}"
    assert len(frames_of(tshark, tmp_path, data, "frame.number")) == frames + 2


def test_bytes_that_are_wrong_anywhere_cost_no_file_behind_them(tmp_path):
    chance = random.Random(1)
    forms = [pcapng([2, 3, 4], "<"), pcapng([2, 3, 4], ">"), pcap([2, 3, 4]), section() + interface() + enhanced(0) + statistics(0, 5, 6)]
    for _ in range(600):
        broken = bytearray(chance.choice(forms))
        for _ in range(chance.randint(1, 6)):
            broken[chance.randrange(4, len(broken))] = chance.randrange(256)
        _, reads = joined_bytes(tmp_path, [bytes(broken[:chance.randint(4, len(broken))]), pcap([9])])
        assert reads[1].frames == 1 and reads[1].whole


def test_files_that_overlap_are_named_with_how_much(tmp_path):
    _, reads = joined_bytes(tmp_path, [pcap([1, 10]), pcap([4, 11]), pcap([20])])
    assert [read.message for read in reads] == [None, "begins 6.000 s before 1 ends: the files overlap, or are not in order", None]
    assert all(read.whole for read in reads)


def test_packets_of_several_queues_at_the_border_are_no_overlap(tmp_path):
    _, reads = joined_bytes(tmp_path, [pcap([1, 2]), pcap([1.5, 3])])
    assert [read.message for read in reads] == [None, None]


def test_dropped_packets_are_those_since_the_file_before(tmp_path):
    head = section() + interface(name=b"a") + interface(name=b"b")
    forms = [head + enhanced(0) + statistics(0, 3, 1) + statistics(1, 2, 0), head + enhanced(0) + statistics(0, 3, 1) + statistics(1, 12, 0),
             head + enhanced(0), head + statistics(0, 1, 0) + statistics(1, 0, 0)]
    _, reads = joined_bytes(tmp_path, forms)
    assert [read.dropped for read in reads] == [6, 10, None, 1]


def test_a_file_that_grows_is_read_on_until_nothing_comes(tmp_path):
    path, whole = tmp_path / "grows", pcap([1, 2, 3])
    ends = iter([len(whole) // 2, len(whole)])
    path.write_bytes(whole[:30])

    def wait():
        end = next(ends, None)
        if end:
            path.write_bytes(whole[:end])
        return end is not None

    assert sum(each.type in blocks.FRAMES for each in blocks.read(path, wait=wait)) == 3


MANY_INTERFACES = {
    "alike": lambda count: [section() + interface(name=b"a1") * count] * 2,
    "different": lambda count: [section() + b"".join(interface(name=b"%d" % number) for number in range(count))] * 2,
    "turned round": lambda count: [section() + b"".join(interface(name=b"%d" % number) for number in numbers) for numbers in (range(count), range(count)[::-1])],
    "shifted": lambda count: [section() + interface(name=b"a1") * count, section() + interface(name=b"b1") + interface(name=b"a1") * count],
}


@pytest.mark.parametrize("kind", MANY_INTERFACES)
def test_twice_as_many_interfaces_take_twice_as_many_steps(tmp_path, kind):
    small, large = (steps_of(joined_bytes, tmp_path, [form + enhanced(0) for form in MANY_INTERFACES[kind](count)]) for count in (200, 400))
    assert large < 2.2 * small


@pytest.mark.thorough
def test_a_file_of_4_mb_of_descriptions_of_interfaces_is_read_in_seconds(tmp_path):
    described = block(1, struct.pack("<HHI", 101, 0, 65535))
    began_s = time.process_time()
    data, reads = joined_bytes(tmp_path, [section() + described * (4_000_000 // len(described)) + enhanced(199_999)] * 2)
    assert time.process_time() - began_s < 60 and [read.frames for read in reads] == [1, 1] and data.count(enhanced(199_999)) == 2
