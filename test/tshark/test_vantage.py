# SPDX-License-Identifier: GPL-2.0-or-later
"""The same association seen at its sender, in the middle and at its receiver: what passed each tap, and the same kinds everywhere.

A packet at one tap is found at the next by its bytes and by time: it is the latest with these bytes that passed before.
"""

import bisect
import pathlib

import pytest

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
SCENARIOS = sorted(path.parent for path in CAPTURES.glob("*/vantage-*/M.pcap*"))
FIELDS = ("frame.time_epoch", "ip.src", "ip.dst", "sctp.verification_tag", "sctp.data_tsn_raw", "sctp.data_sid", "sctp.checksum", "ip.id",
          "sctp.analysis.transmission", "sctp.analysis.retransmission")
LONGEST_TRANSIT_S = 0.6


def capture_of(folder, tap):
    return next(path for path in sorted(folder.glob(f"{tap}.pcap*")))


def data_packets(tshark, path):
    """(time, content, transmissions, kinds by transmission > 1 in order) of each packet with DATA; content is all but the time."""
    arguments = [argument for field in FIELDS for argument in ("-e", field)]
    lines = tshark("-r", path, "-Y", "sctp.analysis.transmission", "-T", "fields", *arguments).stdout.splitlines()
    packets = []
    for line in lines:
        time, *content, transmissions, kinds = line.split("\t")
        kinds = iter(kinds.split(",")) if kinds else iter(())
        told = [next(kinds) if number != "1" else None for number in transmissions.split(",")]
        packets.append((float(time), tuple(content), transmissions.split(","), told))
    return packets


def paired(near, far):
    """Packets at far with the packet at near that they are."""
    times = {}
    for packet in near:
        times.setdefault(packet[1], []).append(packet)
    for packet in far:
        same = times.get(packet[1], [])
        at = bisect.bisect_left([other[0] for other in same], packet[0]) - 1
        if at >= 0 and packet[0] - same[at][0] < LONGEST_TRANSIT_S:
            yield same[at], packet


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_kinds_agree_at_every_tap(folder, tshark):
    taps = {tap: data_packets(tshark, capture_of(folder, tap)) for tap in "AMB"}
    compared = 0
    for near, far in (("A", "M"), ("M", "B"), ("A", "B"), ("B", "M"), ("M", "A"), ("B", "A")):
        for one, other in paired(taps[near], taps[far]):
            for here, there in zip(one[3], other[3]):
                if None not in (here, there):
                    compared += 1
                    assert here == there or "unknown" in (here, there), (near, far, one, other)
    print(folder, compared)
    assert compared > 0 or "setup" in folder.name
