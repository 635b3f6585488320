# SPDX-License-Identifier: GPL-2.0-or-later
"""Many flows become one capture: interleaved in time, each flow keeping its own order. Returns the truth, frame by frame."""

import collections
import dataclasses
import random

from . import packet
from .pcapng import COOKED, COOKED_2, ETHERNET, RAW_IP, Pcapng

START_NS = 1_700_000_000_000_000_000
GAP_NS = 1_000_000
ORDERS = ("one_after_another", "round_robin", "random")


@dataclasses.dataclass
class Case:
    """Flows and how to look at them."""

    name: str
    flows: list
    interfaces: tuple = (ETHERNET,)
    options: tuple = ()                 # for tshark, such as -d
    end_gap_ns: int = 0                 # a last foreign frame so much later: the capture went on


@dataclasses.dataclass
class Truth:
    """What is true of a written capture. Frames count from 1; keys name associations."""

    assoc: dict                         # frame -> key, None: no association
    halves: dict                        # frame -> label, while the two halves of an association may have two numbers
    copies: set                         # frames that are second copies
    expect: dict                        # key -> association.Expect
    sender: dict                        # frame -> end

    @property
    def numbers(self):
        """key -> number, in order of first frames."""
        order = {}
        for frame in sorted(self.assoc):
            key = self.assoc[frame]
            if key is not None:
                order.setdefault(key, len(order))
        return order

    def packets(self):
        """key -> number of its packets, copies not counted."""
        return collections.Counter(key for frame, key in self.assoc.items() if frame not in self.copies)


def _times(flow, order, rng):
    """Time of each item since the start of its flow."""
    now = 0
    for item in flow.items:
        if item.gap_ns is not None:
            now += item.gap_ns
        else:
            now += GAP_NS if order != "random" else 1000 + int(rng.expovariate(1 / GAP_NS))
        yield now


def schedule(flows, order, seed):
    """(time, flow number, item) of all items in capture order."""
    rng = random.Random(f"{order} {seed}")
    flows = list(flows)
    if order != "one_after_another":
        rng.shuffle(flows)
    moment, result = 0, []
    spans = [list(_times(flow, order, rng)) for flow in flows]
    mean = sum(span[-1] for span in spans if span) // max(1, len(spans))
    for number, (flow, span) in enumerate(zip(flows, spans)):
        if order == "round_robin":
            moment = number * GAP_NS // len(flows)
        elif order == "random":
            moment = rng.randrange(mean + 1)
        result += [(moment + time, number, place, item) for place, (time, item) in enumerate(zip(span, flow.items))]
        if order == "one_after_another" and span:
            moment += span[-1] + GAP_NS
    result.sort(key=lambda row: row[:3])
    return result


def to_frame(item, link):
    content = item.to_ip()
    if link == ETHERNET:
        return packet.ethernet(content, item.vlan, 1 - item.sender)
    if link == COOKED:
        return packet.cooked(content, item.direction)
    if link == COOKED_2:
        return packet.cooked_2(content, item.direction, item.interface + 1)
    assert link == RAW_IP
    return content


def write(case, path, order="random", seed=1, snap=0):
    """Writes a case as pcapng and returns its Truth. order: of ORDERS; seed: of the interleaving only."""
    truth = Truth({}, {}, set(), {key: expect for flow in case.flows for key, expect in flow.expect.items()}, {})
    now = START_NS
    with Pcapng(path, case.interfaces, snap) as capture:
        for time, _, _, item in schedule(case.flows, order, seed):
            now = START_NS + time
            frame = capture.write(now, to_frame(item, case.interfaces[item.interface]), item.interface)
            truth.assoc[frame] = item.assoc
            truth.sender[frame] = item.sender
            if item.half is not None:
                truth.halves[frame] = item.half
            if item.is_copy:
                truth.copies.add(frame)
        if case.end_gap_ns:
            foreign = packet.ip("198.51.100.1", "198.51.100.2", packet.udp(9, 9, b""), packet.UDP)
            frame = capture.write(now + case.end_gap_ns, packet.ethernet(foreign))
            truth.assoc[frame] = None
    path.chmod(0o644)
    return truth
