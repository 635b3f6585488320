# SPDX-License-Identifier: GPL-2.0-or-later
"""Which packets of a scenario's two ends reached the other end: what one tap shows beside what the other shows. Both
taps have one clock. Packets are the same where their bytes are; which copy of equal ones arrived follows from how long
the way took just then. Leaves out what the packets mean.
"""

import bisect
from collections import Counter, defaultdict
from dataclasses import dataclass

from tap import read_tap

OTHER = {"A": "B", "B": "A"}
ROUNDING_S = 1e-6


@dataclass(eq=False)
class Crossing:
    """As seen from one end. `packets` of its tap in order of time. `arrivals`: frame of a packet it sent -> when that
    reached the other end, `departures`: frame of a packet it received -> when the other end sent it. `lost_answers`:
    packets of the other end that never came, `time`: when they were sent, with the association number of this tap."""

    packets: list
    arrivals: dict
    departures: dict
    lost_answers: list


def by_time(packets, sent):
    return sorted((packet for packet in packets if packet.sent == sent), key=lambda packet: packet.time)


def unmistakable(copies, arrived):
    """(arrival, duration, destination) of each packet of which there is one copy at either tap, in order of arrival."""
    result = [(there[0].time, there[0].time - copies[content][0].time, there[0].destination)
              for content, there in arrived.items() if len(there) == len(copies.get(content, ())) == 1]
    return sorted(result)


class Ways:
    """How long the way to each address took, as packets without equal ones show."""

    def __init__(self, known):
        self.of = defaultdict(lambda: ([], []))
        for time, duration, destination in known:
            self.of[destination][0].append(time)
            self.of[destination][1].append(duration)

    def at(self, destination, time):
        """The duration nearest before, or else after, this arrival; 0 where nothing is known."""
        times, durations = self.of[destination]
        return durations[max(0, bisect.bisect_right(times, time) - 1)] if times else 0


def match(sent, received):
    """frame received -> packet sent. A packet that the network doubled stands for its original."""
    copies, arrived, result = defaultdict(list), defaultdict(list), {}
    for packet in sent:
        copies[packet.content].append(packet)
    for packet in received:
        arrived[packet.content].append(packet)
    ways = Ways(unmistakable(copies, arrived))
    for content, there in arrived.items():
        free = list(copies.get(content, ()))
        for packet in there:
            usual = ways.at(packet.destination, packet.time)
            fitting = [copy for copy in free or copies.get(content, ()) if copy.time <= packet.time + ROUNDING_S]
            if not fitting:
                continue
            result[packet.frame] = best = min(fitting, key=lambda copy: abs(packet.time - copy.time - usual))
            free = [copy for copy in free if copy is not best]
    return result


def numbers_here(came):
    """Association number at the other tap -> at this one, as most of the packets that both have say; `came`: pairs
    (there, here)."""
    votes = defaultdict(Counter)
    for there, here in came:
        votes[there.assoc][here.assoc] += 1
    return {assoc: counted.most_common(1)[0][0] for assoc, counted in votes.items()}


def crossing(folder, end):
    """The Crossing of a scenario seen from this end."""
    here, there = read_tap(folder, end), read_tap(folder, OTHER[end])
    of_sent = match(by_time(here, True), by_time(there, False))
    of_received = match(by_time(there, True), by_time(here, False))
    packet_here, packet_there = ({packet.frame: packet for packet in packets} for packets in (here, there))
    gone = [(packet_there[frame], packet) for frame, packet in of_sent.items()]
    came = [(packet, packet_here[frame]) for frame, packet in of_received.items()]
    arrivals = {}
    for packet, sent in gone:
        arrivals[sent.frame] = min(packet.time, arrivals.get(sent.frame, packet.time))
    numbers, arrived = numbers_here(gone + came), {packet.frame for packet, _ in came}
    lost = [(packet, numbers.get(packet.assoc)) for packet in by_time(there, True) if packet.frame not in arrived]
    departures = {frame: packet.time for frame, packet in of_received.items()}
    return Crossing(sorted(here, key=lambda packet: packet.time), arrivals, departures, lost)
