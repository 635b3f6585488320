# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a link that was down made a wait long: two packets or more in a row that one end sent to an address of the
other, or the other from it, were lost, and a link that was down may have taken them. Random loss is none, whatever its
length.
"""

from dataclasses import dataclass

IN_A_ROW = 2
OTHER = {"A": "B", "B": "A"}


@dataclass(eq=False)
class Passage:
    """A packet on its way: sent at `time`; `noticed`: when it came, None where it was lost."""

    time: float
    noticed: float
    packet: object


def sent_to(flow, address):
    return [Passage(packet.time, flow.arrivals.get(packet.frame), packet)
            for packet in flow.packets if packet.sent and packet.destination == address]


def sent_from(flow, address):
    came = [Passage(flow.departures.get(packet.frame, packet.time), packet.time, packet)
            for packet in flow.packets if not packet.sent and packet.source == address]
    lost = [Passage(packet.time, None, packet) for packet in flow.lost_answers if packet.source == address]
    return sorted(came + lost, key=lambda passage: passage.time)


def runs(passages):
    """(lost ones in a row, when the next one came, or infinity) of each such row."""
    row = []
    for passage in passages:
        if passage.noticed is None:
            row.append(passage)
        elif row:
            yield row, passage.noticed
            row = []
    if row:
        yield row, float("inf")


def taken(passages, wait, sender, address, downs):
    """The most packets in a row that a link took in the wait, or before so that it began with them lost."""
    result = []
    for row, over in runs(passages):
        if over <= wait.start or row[0].time >= wait.until:
            continue
        fallen = [passage.packet for passage in row if (passage.time < wait.until or passage.packet is wait.last)
                  and any(down.may_hold(sender, address, passage.time) for down in downs)]
        result = max(result, fallen, key=len)
    return result


def dead(flow, wait, end, address, downs):
    """(words, frames at this end's tap) when the path to this address was dead in the wait; None when it was not."""
    there = taken(sent_to(flow, address), wait, end, address, downs)
    back = taken(sent_from(flow, address), wait, OTHER[end], address, downs)
    if max(len(there), len(back)) < IN_A_ROW:
        return None
    return f"link down: {len(there)} packets in a row lost there, {len(back)} back", [packet.frame for packet in there]
