# SPDX-License-Identifier: GPL-2.0-or-later
"""The waits of a set-up at the end that opens an association: from its first INIT until INIT ACK, from its first COOKIE
ECHO until COOKIE ACK, and what was lost meanwhile, as both taps show it. Leaves out which of these waits are pauses
(pauses.py).

A COOKIE ECHO of the peer ends such a wait as well (both opened at once), as do ABORT, an ERROR for a stale cookie and a
SACK for data beside the COOKIE ECHO, by which usrsctp takes the association for set up.
"""

from dataclasses import dataclass, field

from flow import ABORT, COOKIE_ACK, COOKIE_ECHO, ERROR, INIT, INIT_ACK
from tap import SACK

NAMES = {INIT: "INIT", INIT_ACK: "INIT ACK", COOKIE_ECHO: "COOKIE ECHO", COOKIE_ACK: "COOKIE ACK", ABORT: "ABORT",
         ERROR: "ERROR", SACK: "SACK"}
ANSWER = {INIT: INIT_ACK, COOKIE_ECHO: COOKIE_ACK}
ENDS = {INIT: (INIT_ACK, COOKIE_ECHO, ABORT), COOKIE_ECHO: (COOKIE_ACK, COOKIE_ECHO, SACK, ERROR, ABORT)}
PEER_SILENT = "peer silent"


@dataclass(eq=False)
class SetupWait:
    """`asked`: the packets with INIT or COOKIE ECHO (`kind`); `last`: what ended it or, when nothing did, the
    association's last packet; `ended_by`: the name of the chunk that did."""

    kind: int
    asked: list
    last: object = None
    ended_by: str = "-"
    seconds: dict = field(default_factory=dict)
    evidence: list = field(default_factory=list)

    @property
    def start(self):
        return self.asked[0].time

    @property
    def until(self):
        return self.last.time

    @property
    def cause(self):
        """The step that cost most time."""
        return max(self.seconds, key=self.seconds.get)

    @property
    def address(self):
        return self.asked[-1].destination


def waits(flow):
    """Every SetupWait of the association in which this end asked at least twice, or for nothing."""
    waiting, result = {}, []
    for packet in flow.packets:
        for kind in (INIT, COOKIE_ECHO):
            ends = [end for end in ENDS[kind] if end in packet.kinds]
            if packet.sent and kind in packet.kinds:
                waiting.setdefault(kind, SetupWait(kind, [])).asked.append(packet)
            elif kind in waiting and ends and (not packet.sent or ABORT in ends):
                wait = waiting.pop(kind)
                wait.last, wait.ended_by = packet, NAMES[ends[0]]
                result.append(wait)
    for wait in waiting.values():
        wait.last = flow.packets[-1]
        result.append(wait)
    for wait in result:
        explain(flow, wait)
    return sorted((wait for wait in result if wait.seconds), key=lambda wait: wait.start)


def explain(flow, wait):
    """Seconds by what was lost, for each transmission that brought no answer before the next one."""
    following = [packet.time for packet in wait.asked[1:]] + ([wait.until] if wait.ended_by in ("-", "ABORT") else [])
    for packet, until in zip(wait.asked, following):
        step = lost_step(flow, wait.kind, packet, until)
        wait.seconds[step] = wait.seconds.get(step, 0) + until - packet.time
        wait.evidence.append(f"{packet.frame} {step}")


def lost_step(flow, kind, packet, until):
    arrival = flow.arrivals.get(packet.frame)
    if arrival is None:
        return f"{NAMES[kind]} lost"
    answered = any(ANSWER[kind] in answer.kinds and arrival <= answer.time < until for answer in flow.lost_answers)
    return f"{NAMES[ANSWER[kind]]} lost" if answered else PEER_SILENT


def round_trip(flow, wait):
    """Of the transmission that was answered, as far as it arrived; 0 without an answer."""
    departure = flow.departures.get(wait.last.frame)
    there = [flow.arrivals[packet.frame] - packet.time for packet in wait.asked if packet.frame in flow.arrivals]
    return wait.until - departure + min(there) if there and departure is not None else 0
