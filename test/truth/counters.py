# SPDX-License-Identifier: GPL-2.0-or-later
"""Counters of the JSON report beside what both taps of a scenario show: duplicates that SACKs reported, retransmissions that
were not needed (another copy reached the receiver's host), retransmissions seen at the far tap for the first time."""

from collections import Counter, defaultdict
from dataclasses import dataclass, fields

import truth
from plugin_fields import document
from tap import is_address_of_a, read_tap

OTHER = {"A": "B", "B": "A"}


@dataclass
class Numbers:
    """Of what one end sent. At its own tap: `duplicates` that the SACKs it received reported, its `retransmissions` and how
    many of them were `spurious`. At the other end's tap: `unseen`, TSNs sent again of which a copy was lost before."""

    duplicates: int = 0
    retransmissions: int = 0
    spurious: int = 0
    unseen: int = 0

    def __add__(self, more):
        return Numbers(*(getattr(self, field.name) + getattr(more, field.name) for field in fields(self)))


def sendings(packets, sent):
    """(association, TSN) -> (time, destination) of each copy that passed."""
    result = defaultdict(list)
    for packet in packets:
        for data in packet.data if packet.sent == sent else ():
            result[packet.assoc, data.tsn].append((packet.time, packet.destination))
    return {key: sorted(copies) for key, copies in result.items()}


def number_here(there, here):
    """Association numbers of the other tap -> of this: the association that sent most of those TSNs before."""
    of_tsn, votes = defaultdict(list), defaultdict(Counter)
    for (assoc, tsn), copies in here.items():
        of_tsn[tsn].append((assoc, copies[0][0]))
    for (assoc, tsn), copies in there.items():
        for candidate, time in of_tsn.get(tsn, ()):
            votes[assoc][candidate] += time <= copies[0][0]
    return {assoc: counted.most_common(1)[0][0] for assoc, counted in votes.items()}


def shortest_ways(sent, arrived):
    """Destination -> the shortest time that a TSN sent once took to the other tap."""
    result = {}
    for key, copies in sent.items():
        if len(copies) == 1 and key in arrived:
            time, destination = copies[0]
            result[destination] = min(result.get(destination, 1e9), arrived[key][0][0] - time)
    return result


def measure(folder, end):
    """Numbers from the packets at both taps, which have one clock."""
    packets, far = read_tap(folder, end), sendings(read_tap(folder, OTHER[end]), False)
    sent, result = sendings(packets, True), Numbers()
    number = number_here(far, sent)
    arrived = {(number[assoc], tsn): copies for (assoc, tsn), copies in far.items() if assoc in number}
    way = shortest_ways(sent, arrived)
    for key, copies in sent.items():
        there = arrived.get(key, [])
        result.retransmissions += len(copies) - 1
        had_it = sum(bool(there) and there[0][0] < time + way.get(to, 0) for time, to in copies[1:])
        # A queue may delay the first arrival beyond the shortest way; each arrival after it was of no use all the same.
        result.spurious += len(copies) - 1 if len(there) >= len(copies) else max(had_it, len(there) - 1)
        result.unseen += 0 < len(there) < len(copies)
    result.duplicates = sum(len(sack.duplicates) for packet in packets if not packet.sent for sack in packet.sacks)
    return result


def numbers(folder, end):
    return truth.kept(f"counters-{end}", folder, lambda: measure(folder, end))


def sent_by(report, end):
    """(association, its JSON direction of what this end sent)."""
    for association in report["associations"]:
        for number, endpoint in enumerate(association["endpoints"]):
            if endpoint["addresses"] and is_address_of_a(endpoint["addresses"][0]) == (end == "A"):
                yield association, association["directions"][number]


def said(tshark, folder, end):
    """Numbers by the plugin."""
    result = Numbers()
    for _, direction in sent_by(document(tshark, folder, end), end):
        result += Numbers(direction["duplicates_reported"], sum(direction["retransmissions"].values()), direction["spurious"])
    for _, direction in sent_by(document(tshark, folder, OTHER[end]), end):
        result.unseen += direction["resent_unseen"]
    return result
