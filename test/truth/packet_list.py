# SPDX-License-Identifier: GPL-2.0-or-later
"""A few packets of one association at its sender's tap, written by hand: what a test of pauses needs to judge one of
them. Leaves out captures, and what no cause depends on."""

from dataclasses import dataclass

import pause_causes
from flow import follow
from links import Down
from tap import DATA, SACK, Data, Retransmission, Sack, TapPacket

HERE, THERE = "10.1.0.1", "10.1.1.1"
WAY_S = 0.02
HOST_S = 0.0001
BYTES = 1000
LOST = None


@dataclass(eq=False)
class Script:
    """Packets in order of time; frames are counted from 1. `way` says how long a packet takes, None: it is lost."""

    def __post_init__(self):
        self.packets, self.arrivals, self.departures, self.lost_answers, self.kinds = [], {}, {}, [], {}
        self.frame, self.sent_before = 0, {}

    def packet(self, time, sent, kinds, address=THERE, **more):
        self.frame += 1
        source, destination = (HERE, address) if sent else (address, HERE)
        return TapPacket(self.frame, time, source, destination, sent, 0, list(kinds), **more)

    def send(self, time, *tsns, way=WAY_S, address=THERE, kind="timeout", begins=True, forward=None, kinds=()):
        """DATA with these TSNs; what was sent before is sent again, which the stack did for `kind`."""
        data = [Data(tsn, BYTES, 0, begins) for tsn in tsns]
        packet = self.packet(time, True, [*kinds, *([DATA] * len(data))], address, data=data, forward=forward)
        self.packets.append(packet)
        if way is not LOST:
            self.arrivals[packet.frame] = time + way
        for tsn in tsns:
            if tsn in self.sent_before:
                again = Retransmission(packet.frame, time, 0, tsn, BYTES, address, 2, 0, 0, address, 0, kind)
                self.kinds[packet.frame, tsn] = again
            self.sent_before[tsn] = packet
        return self

    def answer(self, time, cum, *blocks, a_rwnd=100000, way=WAY_S, address=THERE, kinds=(SACK,)):
        """A SACK or another answer that came at `time`, or would have come."""
        sacks = [Sack(cum, a_rwnd, list(blocks), [])] if SACK in kinds else []
        packet = self.packet(time if way is not LOST else time - WAY_S + HOST_S, False, kinds, address, sacks=sacks)
        if way is LOST:
            self.lost_answers.append(packet)
        else:
            self.packets.append(packet)
            self.departures[packet.frame] = time - way + HOST_S
        return self

    def flow(self):
        return follow(0, self.packets, self.arrivals, self.departures, self.lost_answers)

    def longest(self, downs=()):
        """(the longest wait, its verdict)."""
        flow = self.flow()
        wait = max(flow.waits, key=lambda wait: wait.until - wait.start)
        return wait, pause_causes.Case(flow, wait, self.kinds, downs, "A").verdict()


def down(since, until, sender="A"):
    return Down(1, sender, since, since, until, until)
