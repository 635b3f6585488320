#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The true pauses of every association of the lab: when a sender waited for progress, how long and why, as the taps of
both ends, the stacks' own records and links.txt show them; the table of all is pauses.tsv (`python3
test/truth/pauses.py --write`). Leaves out everything the plugin says, what was a queue's or a rate's limit without a
pause, T2 (SHUTDOWN) and ASCONF or RE-CONFIG timers.

At the tap of the end that sends. **Outstanding**: a TSN from its first transmission until it is acked (cumulatively or
in a gap block; what a receiver reneges on stays acked) or given up (FORWARD_TSN sent). **Progress**: a SACK, NR_SACK or
SHUTDOWN comes that newly acks an outstanding TSN, moves the cumulative TSN while something is outstanding (a cut
capture lacks TSNs), or newly acks what was given up. A **pause**: all the time something was outstanding and there was
no progress, longer than the round trip and 100 ms. Nothing outstanding also counts while a closed window held the next
chunk: that has more bytes than the a_rwnd left, and no B bit, or is a window probe, or goes out within 10 ms after the
window widened. It begins with the last progress, or with the first transmission after nothing was outstanding (not
before the set-up is over), and ends with the next progress, or when all outstanding was given up; without these with
the association's ABORT or last packet: not ended.

**The round trip** is the longest way of a packet to the address plus the longest way back, of packets that arrived
within 10 s before the pause (else the last before), plus 10 ms for both hosts; of several addresses in use the longest.
This is what both taps show. The sender's own samples hold delayed SACKs (200 ms), after which no delayed SACK would be
a pause, and samples that span an outage, after which no pause would be found for 10 s; the smoothed RTT of a stack
follows a growing queue too late, and dcsctp and pion time other TSNs than Linux and usrsctp.

Causes: pause_causes.py. A delayed SACK that let nothing new go out within 10 ms, or in the second half of whose delay new
data went out all the same, is no pause, for the application had no
more to send: `idle()` counts that time by itself. `rto`: after which the last timeout in the pause came, by the stack's
record just before (a HEARTBEAT's timeout since T3 began may have doubled it); of a set-up: how long T1 ran at last.
"""

import argparse
import bisect
import importlib
import pathlib
from collections import defaultdict
from dataclasses import dataclass, field

import setup_waits
import truth
from crossing import crossing
from flow import flows
from links import downs
from pause_causes import UNDECIDED, Case
from tap import start_time
from timeouts import timeouts

TABLE = pathlib.Path(__file__).resolve().parent / "pauses.tsv"
SHORTEST_PAUSE_S = 0.1
HOSTS_S = 0.01
RECENT_S = 10
SHOWN_FRAMES = 8
COLUMNS = ("capture", "end", "assoc", "sender", "kind", "from_frame", "to_frame", "from_s", "to_s", "length_s", "cause",
           "address", "rto_s", "ended_by", "ended", "frames", "evidence")
# What neither tap shows.
KNOWN = {("linux/auth-data", "A", 1): "the receiver's key is another: it discards all DATA, and puts its own HMAC into "
                                      "what its tap shows"}


@dataclass(eq=False)
class Pause:
    """Times in seconds since 1970, frames of this end's capture, `sender` 0: of the first INIT, `kind`: data or
    handshake, `address`: where the data went to, `evidence`: frames that show the cause, `why` the same in words."""

    assoc: int
    sender: int
    kind: str
    from_time: float
    to_time: float
    from_frame: int
    to_frame: int
    cause: str
    address: str
    ended_by: str
    ended: bool
    why: str
    evidence: list = field(default_factory=list)
    rto: float = None

    @property
    def length(self):
        return self.to_time - self.from_time


@dataclass(eq=False)
class Idle:
    """Of one direction, in seconds, while data could be sent: `idle`: nothing outstanding, nothing known queued;
    `delayed_sack`: of the rest, waits beyond the threshold for nothing but a delayed SACK."""

    assoc: int
    sender: int
    idle: float
    delayed_sack: float


class RoundTrips:
    """How long the ways to each address and back were of late."""

    def __init__(self, crossed):
        self.there, self.back = defaultdict(list), defaultdict(list)
        for packet in crossed.packets:
            if packet.sent and packet.frame in crossed.arrivals:
                arrival = crossed.arrivals[packet.frame]
                self.there[packet.destination].append((arrival, arrival - packet.time))
            elif packet.frame in crossed.departures:
                self.back[packet.source].append((packet.time, packet.time - crossed.departures[packet.frame]))
        for ways in (*self.there.values(), *self.back.values()):
            ways.sort()

    def longest(self, ways, time):
        last = bisect.bisect_right(ways, (time, float("inf")))
        first = bisect.bisect_left(ways, (time - RECENT_S,))
        return max((duration for _, duration in ways[max(0, min(first, last - 1)):last]), default=0)

    def at(self, address, time):
        return self.longest(self.there[address], time) + self.longest(self.back[address], time) + HOSTS_S


def threshold(wait, trips):
    """Longer than this is a pause."""
    sendings = [sending for chunk in wait.outstanding for sending in chunk.sendings if sending.time <= wait.until]
    addresses = {sending.packet.destination for sending in sendings}
    return max([SHORTEST_PAUSE_S] + [trips.at(address, wait.start) for address in addresses])


def is_long(wait, trips):
    return wait.until - wait.start > SHORTEST_PAUSE_S and wait.until - wait.start > threshold(wait, trips)


def rto_of(expiries, pause):
    within = [timeout.rto for timeout in expiries if pause.from_time < timeout.time <= pause.to_time
              and timeout.assoc in (None, pause.assoc) and timeout.address in (None, pause.address)]
    return within[-1] if within else None


def data_pause(flow, wait, verdict, where):
    is_ended = wait.end in ("ack", "given up")
    found = Pause(flow.assoc, flow.sender, "data", wait.start, wait.until, wait.first.frame, wait.last.frame,
                  verdict.cause, verdict.address, verdict.ended_by, is_ended, verdict.why, verdict.frames)
    if (*where, flow.assoc) in KNOWN:
        found.cause, found.why = UNDECIDED, KNOWN[(*where, flow.assoc)]
    return found


def setup_pauses(flow):
    for wait in setup_waits.waits(flow):
        if wait.until - wait.start > SHORTEST_PAUSE_S + setup_waits.round_trip(flow, wait):
            timer = wait.asked[-1].time - wait.asked[-2].time if len(wait.asked) > 1 else None
            frames, is_ended = [packet.frame for packet in wait.asked], wait.ended_by not in ("-", "ABORT")
            yield Pause(flow.assoc, flow.sender, "handshake", wait.start, wait.until, frames[0], wait.last.frame,
                        wait.cause, wait.address, wait.ended_by, is_ended, ", ".join(wait.evidence), frames, timer)


def measure(folder, end):
    """(pauses, idle) of what this end sent, from nothing but the files of the scenario."""
    where = f"{folder.parent.name}/{folder.name}", end
    crossed, links, found, sums = crossing(folder, end), downs(folder), [], []
    trips, expiries = RoundTrips(crossed), timeouts(folder, end)
    kinds = {(sent.frame, sent.tsn): sent for sent in truth.kinds(folder, end)}
    for flow in flows(crossed):
        judged = [(wait, Case(flow, wait, kinds, links, end).verdict()) for wait in flow.waits if is_long(wait, trips)]
        waiting = sum(wait.until - wait.start for wait, verdict in judged if verdict.is_idle)
        mine = [data_pause(flow, wait, verdict, where) for wait, verdict in judged if not verdict.is_idle]
        for pause in mine:
            pause.rto = rto_of(expiries, pause)
        found += sorted([*setup_pauses(flow), *mine], key=lambda pause: pause.from_time)
        if flow.first_sendings and flow.up is not None:
            sums.append(Idle(flow.assoc, flow.sender, max(0, flow.over - flow.up - flow.busy), waiting))
    return found, sums


def measured(folder, end):
    return truth.kept(f"pauses-{end}", folder, lambda: measure(folder, end))


def pauses(folder, end):
    """The Pauses of what this end sent, by association and time, as its own tap shows them."""
    return measured(folder, end)[0]


def idle(folder, end):
    """Idle of each association in which this end sent data."""
    return measured(folder, end)[1]


def row(folder, end, pause, start):
    rto = "-" if pause.rto is None else f"{pause.rto:.3f}"
    frames = ",".join(map(str, pause.evidence[:SHOWN_FRAMES])) + (",..." if len(pause.evidence) > SHOWN_FRAMES else "")
    return (f"{folder.parent.name}/{folder.name}", end, pause.assoc, pause.sender, pause.kind, pause.from_frame,
            pause.to_frame, f"{pause.from_time - start:.6f}", f"{pause.to_time - start:.6f}", f"{pause.length:.6f}",
            pause.cause, pause.address, rto, pause.ended_by, "yes" if pause.ended else "no", frames, pause.why)


def rows(folder):
    """The lines of the table about one scenario."""
    for end in truth.taps(folder):
        start = start_time(folder, end)
        for pause in pauses(folder, end):
            yield "\t".join(map(str, row(folder, end, pause, start)))


def table(folders):
    return "\n".join(["\t".join(COLUMNS), *(line for folder in folders for line in rows(folder))]) + "\n"


def summary(folders):
    """Count and seconds by cause and stack, and the idle sums."""
    counts, sums = defaultdict(lambda: [0, 0.0]), defaultdict(lambda: [0.0, 0.0])
    for folder in folders:
        for end in truth.taps(folder):
            for pause in pauses(folder, end):
                cell = counts[folder.parent.name, pause.kind, pause.cause]
                cell[0], cell[1] = cell[0] + 1, cell[1] + pause.length
            for quiet in idle(folder, end):
                cell = sums[folder.parent.name]
                cell[0], cell[1] = cell[0] + quiet.idle, cell[1] + quiet.delayed_sack
    for (stack, kind, cause), (count, seconds) in sorted(counts.items()):
        yield f"{stack:8} {kind:10} {cause:20} {count:4} {seconds:10.3f} s"
    for stack, (quiet, waiting) in sums.items():
        yield f"{stack:8} idle {quiet:.3f} s, waiting for a delayed SACK only {waiting:.3f} s"


def main():
    parser = argparse.ArgumentParser(description="The true pauses of the lab's captures.")
    parser.add_argument("names", nargs="*", metavar="STACK[/SCENARIO]", help="which; all when none is named")
    parser.add_argument("--write", action="store_true", help="write pauses.tsv, of all, instead of printing")
    parser.add_argument("--summary", action="store_true", help="only counts and seconds by cause")
    given = parser.parse_args()
    folders = truth.scenarios(given.names)
    if given.summary:
        print(*summary(folders), sep="\n")
    elif given.write:
        TABLE.write_text(table(truth.scenarios()))
    else:
        print(table(folders), end="")


if __name__ == "__main__":
    # truth.kept() keeps objects of the module, not of the script.
    importlib.import_module("pauses").main()
