# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures as they might have been taken worse: thinned, cut, begun late, doubled, two clocks, saved through a display filter. A variation takes the packets of a capture
(as extract.packets gives them) and returns others; what a conforming endpoint did stays what it did."""

import random

SNAP_BYTES = 96


def whole(packets, _):
    return packets


def thinned(packets, seed):
    """1 % of the packets are missing."""
    rng = random.Random(seed)
    return [packet for packet in packets if rng.random() >= 0.01]


def cut(packets, _):
    """Frames cut to 96 bytes."""
    return [{**packet, "sctp": packet["sctp"][:max(SNAP_BYTES - packet["before"], 0)]} for packet in packets]


def middle(packets, seed):
    """Begun after a third to two thirds of the packets."""
    return packets[int(len(packets) * random.Random(seed).uniform(1 / 3, 2 / 3)):]


def doubled(packets, _):
    """Every packet twice, at two interfaces."""
    return [{**packet, "interface": interface, "time_ns": packet["time_ns"] + interface * 1000}
            for packet in packets for interface in (0, 1)]


def round_trip_ns(packets):
    """From the first INIT to its INIT ACK, the time that a shift stays below; 40 ms where the set-up is missing."""
    sent = None
    for packet in packets:
        kind = packet["sctp"][12] if len(packet["sctp"]) > 12 else None
        if kind == 1 and sent is None:
            sent = packet["time_ns"]
        if kind == 2 and sent is not None:
            return packet["time_ns"] - sent
    return 40_000_000


def shifted(packets, seed):
    """The clock of one direction is off by up to a round trip, forth or back."""
    if not packets:
        return packets
    rng = random.Random(seed)
    ports = {packet["sctp"][:2] for packet in packets if len(packet["sctp"]) > 4}
    shift_ns = int(round_trip_ns(packets) * rng.uniform(-1, 1))
    one = min({packet["source"] for packet in packets}) if len(ports) < 2 else min(ports)
    moved = [{**packet, "time_ns": packet["time_ns"] + shift_ns} if one in (packet["source"], packet["sctp"][:2]) else packet
             for packet in packets]
    return sorted(moved, key=lambda packet: packet["time_ns"])


def data_only(packets, _):
    """Saved through a display filter on what DATA carries."""
    return [packet for packet in packets if holds_data(packet["sctp"])]


def holds_data(sctp):
    at = 12
    while at + 4 <= len(sctp):
        if sctp[at] in (0x00, 0x40):
            return True
        at += max((int.from_bytes(sctp[at + 2:at + 4], "big") + 3) // 4 * 4, 4)
    return False


ALL = {make.__name__: make for make in (whole, thinned, cut, middle, doubled, shifted, data_only)}
