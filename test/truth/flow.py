# SPDX-License-Identifier: GPL-2.0-or-later
"""One direction of an association at its sender's tap: each DATA chunk with all its transmissions, which of them
arrived, the SACKs that the receiver sent, and the waits: the times in which something was outstanding without progress.
What a receiver reneges on stays acked. Leaves out which waits are pauses (pauses.py) and why (pause_causes.py).
"""

from collections import defaultdict
from dataclasses import dataclass, field

from tap import before, is_other_range, signed32

INIT, INIT_ACK, ABORT, SHUTDOWN, SHUTDOWN_ACK, ERROR, COOKIE_ECHO, COOKIE_ACK = 1, 2, 6, 7, 8, 9, 10, 11
SHUTDOWN_COMPLETE = 14
AT_ONCE_S = 0.01


@dataclass(eq=False)
class Sending:
    """A transmission of a chunk; `arrival`: when it reached the receiver's tap, None when it was lost."""

    packet: object
    arrival: float

    @property
    def time(self):
        return self.packet.time


@dataclass(eq=False)
class Chunk:
    """A DATA chunk with all its `sendings`; `acked`, `given_up`: the packet that acked it or said FORWARD_TSN."""

    tsn: int
    size: int
    sendings: list = field(default_factory=list)
    acked: object = None
    given_up: object = None


@dataclass(eq=False)
class Answer:
    """A SACK that the receiver sent at `sent`; `packet`: the one that brought it here, None where it was lost."""

    sent: float
    packet: object
    sack: object


@dataclass(eq=False)
class Wait:
    """From packet `first` to packet `last` something was outstanding, or a closed window held what was to be sent
    (until `opened`, when the next chunk went out); only `last` brought progress. `outstanding`: the chunks just before,
    `acked` the ones it acked. `end`: "ack", "given up", "abort", "reset"; None: nothing ended it, `last` is the
    association's last."""

    first: object
    last: object
    outstanding: list
    acked: list
    end: str
    opened: float = None

    @property
    def start(self):
        return self.first.time

    @property
    def until(self):
        return self.last.time


@dataclass(eq=False)
class Flow:
    """The direction. `sender`: 0 when it sent the first INIT (without INIT the first packet), else 1. `chunks`: TSN ->
    the last Chunk with it. `progress`: (time, highest newly acked TSN) of each ack. `up`, `over`: when data could first
    be sent, and the end of that; `busy`: the seconds between with anything outstanding or held by a closed window.
    `arrivals`, `departures`: of its packets (crossing.Crossing), `lost_answers`: what the peer sent and never came."""

    assoc: int
    packets: list
    sender: int
    arrivals: dict
    departures: dict
    lost_answers: list
    chunks: dict = field(default_factory=dict)
    answers: list = field(default_factory=list)
    waits: list = field(default_factory=list)
    progress: list = field(default_factory=list)
    first_sendings: list = field(default_factory=list)
    up: float = None
    over: float = None
    busy: float = 0.0

    def sends_new_data(self, time):
        """Did a chunk go out for the first time right after?"""
        return any(time <= sending.time <= time + AT_ONCE_S for sending in self.first_sendings)

    def was_free(self, start, until):
        """Did a chunk go out for the first time in the second half? Then nothing kept the sender from it."""
        return any((start + until) / 2 <= sending.time < until for sending in self.first_sendings)

    def misses(self, tsn, start, until):
        """The acks of later TSNs that came between (RFC 9260 7.2.4, HTNA)."""
        return sum(start < time <= until and before(tsn, highest) for time, highest in self.progress)


class Walk:
    """Follows the packets of one association at its sender's tap; the result is `flow`."""

    def __init__(self, flow):
        self.flow = flow
        self.outstanding, self.given_up, self.newest, self.cum = {}, {}, None, None
        self.first = self.emptied = None
        self.window, self.widened, self.opened = None, None, None
        self.sets_up = any(kind in packet.kinds for packet in flow.packets for kind in (INIT, COOKIE_ECHO, COOKIE_ACK))
        for packet in flow.packets:
            self.take(packet)
        if self.outstanding and self.first:
            self.close(flow.packets[-1], [], None)
        flow.over = flow.packets[-1].time if flow.over is None else flow.over

    def take(self, packet):
        flow = self.flow
        if flow.up is None and (not self.sets_up or COOKIE_ACK in packet.kinds or packet.sacks):
            flow.up = packet.time
            self.first = packet if self.outstanding else None
        if packet.sent:
            for data in packet.data:
                self.send(packet, data)
            self.give_up(packet)
        else:
            for sack in packet.sacks:
                self.ack(packet, sack)
        if ABORT in packet.kinds or SHUTDOWN_COMPLETE in packet.kinds:
            self.drop(packet, "abort")
        closes = packet.sent and (SHUTDOWN in packet.kinds or SHUTDOWN_ACK in packet.kinds)
        if flow.over is None and (ABORT in packet.kinds or closes):
            flow.over = packet.time

    def send(self, packet, data):
        if self.newest is not None and is_other_range(self.newest, data.tsn):
            self.drop(packet, "reset")
            self.cum = None
        sending = Sending(packet, self.flow.arrivals.get(packet.frame))
        chunk = self.flow.chunks.get(data.tsn)
        is_newest = self.newest is None or before(self.newest, data.tsn)
        if is_newest or chunk is None:
            chunk = self.flow.chunks[data.tsn] = Chunk(data.tsn, data.size)
            self.flow.first_sendings.append(sending)
            self.newest = data.tsn if is_newest else self.newest
            if not self.outstanding:
                self.begin(packet, data)
            self.outstanding[data.tsn] = chunk
            self.flow.over = None
        chunk.sendings.append(sending)

    def begin(self, packet, data):
        """The first chunk after nothing was outstanding. It waited for the window when that was too small since."""
        self.first, self.opened = packet if self.flow.up is not None else None, None
        if self.emptied is None or self.emptied[1] >= data.size:
            return
        is_at_once = self.widened is not None and packet.time - self.widened <= AT_ONCE_S
        if not data.begins or self.window < data.size or is_at_once:
            self.first, self.opened = self.emptied[0], packet.time

    def ack(self, packet, sack):
        flow, acked, highest, moved = self.flow, [], sack.highest(), self.cum is not None and before(self.cum, sack.cum)
        for tsn in [tsn for tsn in self.outstanding if not before(highest, tsn) and sack.covers(tsn)]:
            chunk = self.outstanding.pop(tsn)
            chunk.acked = packet
            acked.append(chunk)
        answered = [tsn for tsn in self.given_up if sack.covers(tsn)]
        for tsn in answered:
            del self.given_up[tsn]
        if acked or answered or moved and self.outstanding:
            newest = max((chunk.tsn for chunk in acked), key=lambda tsn: signed32(tsn - sack.cum), default=sack.cum)
            flow.progress.append((packet.time, newest))
            if self.first:
                self.close(packet, acked, "ack")
        if self.cum is None or moved:
            self.cum = sack.cum
        self.take_window(packet, sack)

    def take_window(self, packet, sack):
        if sack.is_shutdown:
            return
        if self.window is not None and sack.a_rwnd > self.window:
            self.widened = packet.time
        self.window = sack.a_rwnd
        if self.emptied and self.emptied[0] is packet:
            self.emptied = packet, sack.a_rwnd

    def give_up(self, packet):
        if packet.forward is None:
            return
        gone = [tsn for tsn in self.outstanding if not before(packet.forward, tsn)]
        for tsn in gone:
            self.given_up[tsn] = chunk = self.outstanding.pop(tsn)
            chunk.given_up = packet
        if gone and not self.outstanding and self.first:
            self.close(packet, [], "given up", gone=[self.given_up[tsn] for tsn in gone])

    def drop(self, packet, end):
        if self.outstanding and self.first:
            self.close(packet, [], end, gone=list(self.outstanding.values()))
        self.outstanding, self.given_up, self.first, self.emptied = {}, {}, None, None

    def close(self, packet, acked, end, gone=()):
        """A wait ends; the next one begins when anything is still outstanding."""
        outstanding = sorted([*acked, *gone, *self.outstanding.values()], key=lambda chunk: chunk.sendings[0].time)
        wait = Wait(self.first, packet, outstanding, acked, end, self.opened)
        self.flow.waits.append(wait)
        self.flow.busy += wait.until - wait.start
        self.opened, self.first = None, packet if self.outstanding else None
        self.emptied = None if self.outstanding else (packet, self.window if self.window is not None else 1 << 32)


def answers(flow):
    """Every SACK that the receiver sent, in the order of sending."""
    came = [Answer(flow.departures.get(packet.frame, packet.time), packet, sack)
            for packet in flow.packets if not packet.sent for sack in packet.sacks]
    lost = [Answer(packet.time, None, sack) for packet in flow.lost_answers for sack in packet.sacks]
    return sorted(came + lost, key=lambda answer: answer.sent)


def follow(assoc, packets, arrivals, departures, lost_answers):
    """The Flow of an association's packets at its sender's tap, in order of time."""
    opener = next((packet for packet in packets if INIT in packet.kinds), packets[0])
    flow = Flow(assoc, packets, 0 if opener.sent else 1, arrivals, departures, lost_answers)
    flow.answers = answers(flow)
    Walk(flow)
    return flow


def flows(crossed):
    """The Flow of every association that a crossing.Crossing shows."""
    packets, lost = defaultdict(list), defaultdict(list)
    for packet in crossed.packets:
        packets[packet.assoc].append(packet)
    for packet, assoc in crossed.lost_answers:
        lost[assoc].append(packet)
    return [follow(assoc, mine, crossed.arrivals, crossed.departures, lost[assoc])
            for assoc, mine in sorted(packets.items())]
