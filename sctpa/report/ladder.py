# SPDX-License-Identifier: GPL-2.0-or-later
"""A ladder of few packets as SVG: a lane per address, a line per packet, downwards in the order of the capture.

Steps downwards are even, not to scale: times stand beside them. Where a packet was at its other end a capture does not show, so lines only
slant. Leaves which packets to page.py.
"""

from typing import NamedTuple

from markupsafe import Markup, escape

from sctpa import records
from sctpa.tshark import Run

LEFT, WIDTH, RIGHT, TOP, STEP, SLANT = 170, 620, 24, 34, 30, 9
INFO_MAX = 84


class Row(NamedTuple):
    """A packet: its frame in the whole capture, seconds from the start of that, addresses, what Wireshark says of it."""

    frame: int
    time_s: float
    source: str
    destination: str
    info: str


class Gap(NamedTuple):
    """Packets of the association that are not shown between two that are."""

    packets: int


def rows(host, path, frames, start_epoch_s, timeout_s):
    """{frame: Row} of a capture of the evidence whose packets have these numbers in the whole capture."""
    fields = [
        word
        for name in ("frame.time_epoch", "ip.src", "ipv6.src", "ip.dst", "ipv6.dst", "_ws.col.Info")
        for word in ("-e", name)
    ]
    run = Run(host, path, ["-n", "-T", "fields", "-E", "occurrence=l", *fields], timeout_s, prints_packets=True)
    found = {}
    for frame, line in zip(frames, (line for lines in records.rest(run.stdout) for line in lines)):
        epoch, *ends, info = line.decode("utf-8", "replace").split("\t")
        found[frame] = Row(frame, float(epoch) - start_epoch_s, ends[0] or ends[1], ends[2] or ends[3], info)
    run.drain()
    run.end()
    return found


def _lanes(shown, assoc):
    """Addresses from left to right: those of endpoint 0, others, those of endpoint 1."""
    addresses = list(
        dict.fromkeys(address for row in shown if isinstance(row, Row) for address in (row.source, row.destination))
    )
    first, second = (set(end["addresses"]) for end in assoc["endpoints"])
    return sorted(addresses, key=lambda address: 0 if address in first else 2 if address in second else 1)


def _line(row, top, lanes, is_evidence):
    begin, end = (lanes[address] for address in (row.source, row.destination))
    tip = -7 if end > begin else 7
    style = "evidence" if is_evidence else "packet"
    info = row.info if len(row.info) <= INFO_MAX else row.info[: INFO_MAX - 3] + "..."
    middle, below = (begin + end) / 2, top + SLANT
    return (
        f'<g class="{style}"><text class="tick" x="{LEFT - 60}" y="{top + 4}" text-anchor="end">{row.time_s:.6f} s</text>'
        f'<text class="tick" x="8" y="{top + 4}">{row.frame}</text>'
        f'<path d="M{begin:.0f} {top}L{end:.0f} {below}l{tip} -5m{-tip} 5l{tip} 4"/>'
        f'<text class="info" x="{middle:.0f}" y="{top - 2}" text-anchor="middle">{escape(info)}</text></g>'
    )


def _gap(gap, top):
    more = f"{gap.packets:,} more packet{'' if gap.packets == 1 else 's'}"
    return f'<text class="tick" x="{LEFT + WIDTH / 2}" y="{top + 4}" text-anchor="middle">... {more} ...</text>'


def draw(shown, evidence, assoc, name):
    """SVG of Rows in order, with Gaps; evidence: the frames among them that show the finding. name: of the ids, unique in the page."""
    addresses = _lanes(shown, assoc)
    step = WIDTH / max(len(addresses) - 1, 1)
    lanes = {address: LEFT + number * step for number, address in enumerate(addresses)}
    height = TOP + STEP * len(shown) + 14
    said = "; ".join(
        f"frame {row.frame} at {row.time_s:.6f} s from {row.source} to {row.destination}: {row.info}"
        for row in shown
        if isinstance(row, Row)
    )
    heads = "".join(
        f'<path class="lane" d="M{x:.0f} {TOP - 14}V{height - 4}"/>'
        f'<text class="tick" x="{x:.0f}" y="14" text-anchor="{"start" if x == LEFT else "end" if x == LEFT + WIDTH else "middle"}">'
        f"{escape(address)}</text>"
        for address, x in lanes.items()
    )
    lines = "".join(
        _gap(row, TOP + STEP * number + 8)
        if isinstance(row, Gap)
        else _line(row, TOP + STEP * number + 8, lanes, row.frame in evidence)
        for number, row in enumerate(shown)
    )
    return Markup(
        f'<svg class="plot ladder" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">Ladder of the packets</title><desc id="{name}-d">{escape(said)}</desc>{heads}{lines}</svg>'
    )
