# SPDX-License-Identifier: GPL-2.0-or-later
"""The reference agrees with itself, with a second way of counting, and with what the Linux kernel counted. Needs no Wireshark.

One capture of eight by default, all with SCTPA_ALL_CAPTURES=1."""

import bisect
import gzip
import ipaddress
import os

import pytest
from conftest import CAPTURES, capture_files, capture_id

from reference import associations, chunks, frames, oracle

STEP = 1 if os.environ.get("SCTPA_ALL_CAPTURES") else 8
EVERY = 40                  # packets looked at by the slow second way of counting
CUT = ("bulk10M-loss1-snap", "snap96")
# Linux captures of whole frames in which the kernel never takes bytes out of flight that were not acknowledged (loss marks, abandoned
# chunks), and no SACK waits while it sends.
AS_THE_KERNEL = ("asconf-auth", "auth-data", "dup-corrupt", "ecn", "mh-failover", "mh-pf-oneway", "slowread-loss",
                 "udpencap", "vantage-multihomed")
CLOCKS_APART_NS = 1_000_000


def lab_captures():
    return [path for path in capture_files() if associations.truth_table(path)]


def read(capture):
    """(frame -> packet, associations)"""
    packets = frames.sctp_packets(frames.frames(capture))
    return {packet.frame: packet for packet in packets}, oracle.analyse(packets, associations.grouping(capture))


def is_near(capture, address):
    """True for an address of the endpoint that the capture was made at."""
    packed = ipaddress.ip_address(address).packed
    side = packed[2] if len(packed) == 4 else packed[5]
    return capture.name[0] == "AB"[side]


@pytest.mark.thorough_but_one_in(6)
@pytest.mark.parametrize("lab_capture", lab_captures()[::STEP], ids=capture_id)
def test_reference_is_consistent(lab_capture):
    packets, found = read(lab_capture)
    for association in found:
        check_transmissions(association)
        check_ranges(association)
        for end in (0, 1):
            check_sums(association, end)
            check_second_count(association, end, packets)
        if not any(name in str(lab_capture) for name in CUT):
            check_nothing_is_acked_before_it_is_sent(lab_capture, association, packets)


def check_transmissions(association):
    for direction in association.directions:
        for entry in direction.tsns.values():
            sent_in = [frame for frame, _, _ in entry.transmissions]
            assert sent_in == sorted(sent_in)
            assert entry.tsn >= 0
            if entry.gap_acked_in and entry.acked_in:
                assert entry.gap_acked_in <= entry.acked_in
            if entry.was_reneged:
                assert entry.gap_acked_in


def check_ranges(association):
    """No value is negative, although frames of several interfaces may lie out of order."""
    for frame, shown in association.values.items():
        for field, values in shown.items():
            assert all(value >= 0 for value in values if value not in (None, oracle.UNKNOWN)), f"frame {frame}: {field} {values}"
        for first, sent in zip(shown["first_sent"], shown["transmission"]):
            assert first == frame or first < frame and sent > 1
        for acked in shown["acks"]:
            assert acked < frame


def check_sums(association, end):
    """Every TSN is new in one SACK at most, and in one exactly if it was acknowledged by one."""
    direction = association.directions[end]
    shown = [values for frame, values in association.values.items() if association.senders[frame] != end]
    shutdowns = {frame for frame, said in association.chunks.items() if any(isinstance(chunk, chunks.Shutdown) for chunk in said)}
    acked = [entry for entry in direction.tsns.values() if first_ack(entry) and first_ack(entry) not in shutdowns]
    assert sum(sum(values["sack.new_chunks"]) for values in shown) == len(acked)
    assert sum(sum(values["sack.new_bytes"]) for values in shown) == sum(entry.bytes for entry in acked)


def first_ack(entry):
    return min((frame for frame in (entry.gap_acked_in, entry.acked_in) if frame), default=None)


def check_second_count(association, end, packets):
    """The flight counted anew from the table at the end; not where acknowledgements were withdrawn or TSNs reset."""
    direction = association.directions[end]
    if direction.resets or any(entry.was_reneged for entry in direction.tsns.values()):
        return
    sent = [frame for frame, shown in association.values.items() if shown["tsn"] and association.senders[frame] == end]
    for frame in sent[::EVERY]:
        path = packets[frame].dst
        left = sum(entry.bytes for entry in direction.tsns.values() if is_outstanding(entry, frame, path))
        assert association.values[frame]["flight"] == [left], f"frame {frame}"


def is_outstanding(entry, frame, path):
    before = [sent for sent in entry.transmissions if sent[0] <= frame]
    ends = (first_ack(entry), entry.abandoned_in)
    return bool(before) and before[-1][2] == path and all(end is None or end > frame for end in ends)


def check_nothing_is_acked_before_it_is_sent(capture, association, packets):
    """Of what was captured where it was sent."""
    sent = [-1, -1]
    for frame, said in association.chunks.items():
        end = association.senders[frame]
        for tsn in association.values.get(frame, {}).get("tsn", []):
            sent[end] = max(sent[end], tsn)
        direction = association.directions[1 - end]
        if direction.resets or frame in association.corrupted or not is_near(capture, packets[frame].dst):
            continue
        for chunk in said:
            if isinstance(chunk, chunks.Sack):
                assert max({direction.unwrap(chunk.cum_tsn)} | direction.held(chunk)) <= sent[1 - end], f"frame {frame}"


def kernel_rows(folder):
    """(time in ns, destination, flight after sending) of each packet that the kernel handed to IP."""
    with gzip.open(folder / "gt.tsv.gz", "rt") as lines:
        rows = [line.split("\t") for line in lines]
    return [(int(row[0].replace(".", "")) * 1000, row[3], int(row[7])) for row in rows if row[1] == "xmit"]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", AS_THE_KERNEL)
def test_flight_is_what_the_kernel_counted(name):
    """The kernel handed a packet over up to some 100 us before its capture stamp."""
    capture = CAPTURES / "linux" / name / "A.pcapng.gz"
    packets, found = read(capture)
    rows = kernel_rows(capture.parent)
    times, wrong, compared = [row[0] for row in rows], [], 0
    for association in found:
        for frame, shown in association.values.items():
            packet = packets[frame]
            if not shown["tsn"] or not is_near(capture, packet.src):
                continue
            last = bisect.bisect_right(times, packet.time) - 1
            time, _, flight = next(row for row in reversed(rows[:last + 1]) if row[1] == packet.dst)
            assert packet.time - time < CLOCKS_APART_NS
            compared += 1
            if shown["flight"] != [flight]:
                wrong.append((frame, shown["flight"], flight))
    assert wrong == [] and compared > 50
