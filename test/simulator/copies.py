# SPDX-License-Identifier: GPL-2.0-or-later
"""Copies of a run's capture as files: whole, as its taps drew it, or worse by a variation of test/model/variations.py; and which frame is which packet.

Left out: what a variation does (variations.py).
"""

import collections
import dataclasses
import pathlib
import sys

from sctpa import pcapng

from . import tap
from .wire import address_bytes

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "model")]

import variations  # noqa: E402

# Addresses are those of the frames' bytes, which stay.
VARIATIONS = {name: make for name, make in {**variations.ALL, **variations.WORSE}.items() if name not in ("whole", "translated")}
WHOLE, DRAWN = "whole", "as its taps drew it"
KEPT = ("link_type", "offset_ns", "drift_ppm", "vlan")  # of a tap's settings: they take nothing from a capture


def written(world, name, seed):
    """(bytes of a pcapng file, [records of the kind frames]) of a copy by its name."""
    before = len(world.truth.records)
    if name == DRAWN:
        data = world.captures()
    else:
        drawn = [one.settings for one in world.taps]
        for one in world.taps:
            one.settings = tap.Settings(**{field: getattr(one.settings, field) for field in KEPT})
        data = world.captures() if name == WHOLE else None
        if data is None:
            data, records = varied(world, VARIATIONS[name], seed)
        for one, settings in zip(world.taps, drawn):
            one.settings = settings
        if name != WHOLE:
            return data, records
    records = [fields for _, _, fields in world.truth.records[before:]]
    del world.truth.records[before:]
    return data, records


def varied(world, make, seed):
    """The same of a variation."""
    made, rows, first = [pcapng.section()], [], 0
    datagrams = {}
    for one in world.taps:
        made += [pcapng.interface_block(pcapng.Interface(one.settings.link_type, 262_144, b"", 9)) for _ in range(one.interfaces)]
        datagrams.update({seen[1].number: seen[1] for seen in one.seen})
        for frame in one.frames()[0]:
            rows.append((frame, first + frame[2], one))
        first += one.interfaces
    rows.sort(key=lambda row: row[0][0])
    packets = [packet_of(place, row, datagrams[row[0][4]]) for place, row in enumerate(rows)]
    changed = make(packets, seed)
    if max((packet["interface"] for packet in changed), default=0) >= first:  # a copy at another interface
        made += [pcapng.interface_block(pcapng.Interface(world.taps[0].settings.link_type, 262_144, b"", 9)) for _ in range(first)]
    shown, seen_frames = {one.name: [] for one in world.taps}, set()
    for number, packet in enumerate(changed, 1):
        frame, _, one = rows[packet["frame"]]
        kept = frame[1][: packet["before"] + len(packet["sctp"])] if len(packet["sctp"]) < packet["bytes"] else frame[1]
        made.append(pcapng.packet(packet["interface"], packet["time_ns"], kept, len(frame[1])))
        shown[one.name].append([number, frame[4], "duplicate" if packet["frame"] in seen_frames else frame[5]])
        seen_frames.add(packet["frame"])
    ticks_ns = {"stamps_of_seconds": 1_000_000_000, "stamps_of_10_ms": 10_000_000}.get(make.__name__, 1)
    records = []
    for one in world.taps:
        left_out = [row[0][4] for place, row in enumerate(rows) if row[2] is one and place not in seen_frames]
        records.append(
            {"tap": one.name, "frames": shown[one.name], "resolution_ns": ticks_ns, "missed": {"drop": left_out}, "offset_ns": 0, "drift_ppm": 0}
        )
    return b"".join(made), records


def packet_of(place, row, datagram):
    """A frame as variations take it."""
    frame, interface, _ = row
    sctp = getattr(datagram, "sctp", b"")
    return {
        "frame": place, "time_ns": frame[0], "interface": interface, "sctp": sctp, "bytes": len(sctp), "before": max(len(frame[1]) - len(sctp), 0),
        "source": address_bytes(datagram.source), "destination": address_bytes(datagram.destination),
    }  # fmt: skip


def replaced(records, frames):
    """Records of a truth with other records of the kind frames."""
    return collections.defaultdict(list, {**records, "frames": [{"time_ns": 0, **fields} for fields in frames]})


def settings_of(world):
    """Texts: what the taps of a run draw."""
    return ["; ".join(f"{field.name}={getattr(one.settings, field.name)}" for field in dataclasses.fields(one.settings)) for one in world.taps]
