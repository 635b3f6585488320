# SPDX-License-Identifier: GPL-2.0-or-later
"""What identifications of IPv4 prove of captures: a span in which the tap claims to hold every packet of an endpoint does, whatever was
lost on the way to it, and whatever is dropped from the capture. Leaves out the counting itself (test/unit/test_ip_ids.c)."""

import random
import subprocess

import pytest

import scenario_builder
from conftest import one_in
from replay import extract

CAPTURES = scenario_builder.TOP / "test" / "captures"
PROGRAM = scenario_builder.PROGRAM.with_name("tap_core")
FOLDERS = sorted(folder for folder in CAPTURES.glob("*/*") if list(folder.glob("A.pcap*")) and list(folder.glob("B.pcap*")))
DROPS = 25
# Of the packets of captures of both ends: the rest come before 15 are counted, or have no identification.
PROVEN_AT_LEAST = 0.9


def packets_of(folder, end):
    return list(extract.packets(str(next(folder.glob(f"{end}.pcap*")))))


def spans(stored):
    """(first frame, last frame, packets) of every span claimed, of all endpoints."""
    result = subprocess.run([PROGRAM, stored], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in result.stdout.splitlines() if line.startswith("span")]
    return [(int(first), int(last), int(count)) for _, _, _, first, last, count in rows]


def spans_of(packets, folder):
    stored = folder / "packets"
    stored.write_bytes(b"".join(extract.pack(**packet) for packet in packets))
    return spans(stored)


def identity(packet):
    """What a packet keeps on its way, damaged or not."""
    return packet["source"], packet["destination"], packet["identification"], packet["wire"]


def sender(packet):
    """Of packets of one socket the same, whichever of its addresses they come from."""
    ports = packet["sctp"][:2], packet["sctp"][2:4]
    return ports if ports[0] != ports[1] else (*ports, packet["source"])


def lost_within(first, last, sent, arrived):
    """The packets that the sender of first sent from it to last and that did not arrive."""
    own = [packet for packet in sent if sender(packet) == sender(first)]
    at = [identity(packet) for packet in own]
    if identity(first) not in at or identity(last) not in at:
        return []
    return [packet for packet in own[at.index(identity(first)):at.index(identity(last)) + 1] if identity(packet) not in arrived]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("folder", one_in(4, FOLDERS), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_nothing_was_lost_before_the_tap_where_it_claims_so(folder, tmp_path):
    near, far = packets_of(folder, "A"), packets_of(folder, "B")
    for sent, taken in ((near, far), (far, near)):
        by_frame, arrived = {packet["frame"]: packet for packet in taken}, {identity(packet) for packet in taken}
        for first, last, _ in spans_of(taken, tmp_path):
            lost = lost_within(by_frame[first], by_frame[last], sent, arrived)
            assert not lost, f"span {first} .. {last}: {[packet['frame'] for packet in lost][:5]} of the other tap did not arrive"


def in_order_of_sending(packets, first, last):
    """Those of one endpoint from its packet at frame first to the one at last, each once."""
    of_span = [packet for packet in packets if first <= packet["frame"] <= last]
    own = {identity(packet): packet for packet in reversed(of_span) if sender(packet) == sender(of_span[0])}
    start = of_span[0]["identification"]
    return sorted(own.values(), key=lambda packet: (packet["identification"] - start + 0x8000) & 0xFFFF)


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("folder", one_in(8, FOLDERS), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_no_packet_can_be_dropped_unnoticed(folder, tmp_path):
    packets, drawn, dropped = packets_of(folder, "A"), random.Random(folder.name), 0
    long = [span for span in spans_of(packets, tmp_path) if span[2] >= 3]
    for first, last, _ in drawn.choices(long, k=DROPS) if long else ():
        own = in_order_of_sending(packets, first, last)
        at = drawn.randrange(1, len(own) - 1)
        gone = own[at]
        if sum(identity(packet) == identity(gone) for packet in packets) > 1:
            continue
        claimed = spans_of([packet for packet in packets if packet is not gone], tmp_path)
        place = {packet["frame"]: number for number, packet in enumerate(own)}
        wrong = [span for span in claimed if place.get(span[0], at) < at < place.get(span[1], -1)]
        assert not wrong, f"without frame {gone['frame']}"
        dropped += 1
    assert dropped or not long


def test_most_packets_lie_in_such_a_span(tmp_path):
    proven = total = 0
    for folder in one_in(8, FOLDERS):
        packets = packets_of(folder, "A")
        counts = [count for _, _, count in spans_of(packets, tmp_path)]
        proven, total = proven + sum(counts), total + len(packets)
    assert proven >= PROVEN_AT_LEAST * total, f"{proven} of {total}"
