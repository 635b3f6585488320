# SPDX-License-Identifier: GPL-2.0-or-later
"""What a truth file says of packets, TSNs, acks and timers, found by what a report names them by: the frames of a capture.

Left out: what any sentence means (statements.py).
"""

import bisect
import collections

# How far below a Cumulative TSN Ack a TSN of the same association may lie: TSNs of an earlier one are elsewhere (initial TSNs are random).
SAME_ASSOCIATION_TSNS = 1 << 20
TSN_MODULUS = 1 << 32
PLACES = {"A": 0, "middle": 1, "B": 2}  # of taps and endpoints, in order of the way
HOST_NS = 2_010_000  # what a simulated host takes at most for a packet that comes or goes (pairs.drawn, network.PACKET_NS)

# One time that a TSN was sent. fate: of its packet. arrived_ns: None where it did not come, or came damaged.
Sending = collections.namedtuple("Sending", "packet tsn sent_ns arrived_ns path cause message bytes")
# An ack. number: of its packet. arrived_ns: at the sender of the data, None where it never came.
Ack = collections.namedtuple("Ack", "number sent_ns arrived_ns cum gaps a_rwnd")


class Happened:
    """A run by its truth. records: {kind: [fields with time_ns]}; addresses: {address: name of its endpoint}."""

    def __init__(self, records, addresses):
        self.records, self.addresses = records, addresses
        self.packets = {fields["number"]: fields for fields in records["packet"]}
        self.sendings, self.of_packet = collections.defaultdict(list), collections.defaultdict(list)
        for fields in records["transmission"]:
            self._add_sending(fields)
        self.firsts = {name: [] for name in "AB"}
        for (name, _), rows in self.sendings.items():
            self.firsts[name].append(rows[0])
        for rows in self.firsts.values():
            rows.sort(key=lambda one: one.sent_ns)
        self.copies = collections.defaultdict(list)
        for fields in self.packets.values():
            if fields.get("copy_of") is not None:
                self.copies[fields["copy_of"]].append(fields["number"])
        self._add_copies()
        self.acks = collections.defaultdict(list)
        for fields in self.packets.values():
            if "acks" in fields and self.sender(fields["number"]):
                self.acks[self.sender(fields["number"])].append(Ack(fields["number"], fields["sent_ns"], self.came_ns(fields), *fields["acks"]))
        for acks in self.acks.values():
            acks.sort(key=lambda ack: ack.sent_ns)
        self.progress = {name: self._progress_of(name) for name in "AB"}
        self.frames, self.frames_of, self.taps, self.missed = {}, collections.defaultdict(list), [], set()
        self.passed_tap = []
        for tap in records["frames"]:
            self._add_tap(tap)

    def _add_sending(self, fields):
        packet = self.packets.get(fields["packet"])
        if packet is None:
            return
        sending = Sending(
            fields["packet"],
            fields["tsn"],
            packet["sent_ns"],
            self.came_ns(packet),
            fields["path"],
            fields["cause"],
            fields.get("message"),
            fields.get("bytes", 0),
        )
        self.sendings[fields["endpoint"], fields["tsn"]].append(sending)
        self.of_packet[fields["packet"]].append(sending)

    def _add_copies(self):
        """What the network doubled bears what its original bears."""
        for number, copies in self.copies.items():
            for copy in copies:
                for sending in self.of_packet.get(number, ()):
                    came_ns = self.came_ns(self.packets[copy])
                    self.of_packet[copy].append(sending._replace(packet=copy, arrived_ns=came_ns))

    def _add_tap(self, tap):
        self.taps.append(tap)
        for frame, number, what in tap["frames"]:
            self.frames[frame] = (len(self.taps) - 1, number, what)
            self.frames_of[number].append(frame)
        missed = {number for numbers in tap["missed"].values() for number in numbers}
        self.missed |= missed
        self.passed_tap.append(missed | {number for _, number, _ in tap["frames"]})

    def near(self, endpoint):
        """Index of the tap nearest to an endpoint: pages of two taps go by it."""
        return min(range(len(self.taps)), key=lambda tap: abs(PLACES.get(self.taps[tap]["tap"], 1) - PLACES[endpoint]))

    def first_near(self, number, endpoint):
        """The first frame in which the tap nearest to an endpoint has a packet, None: it has none."""
        near = self.near(endpoint)
        return min((frame for frame in self.frames_of.get(number, ()) if self.frames[frame][0] == near), default=None)

    def passed(self, number, endpoint):
        """Whether a packet passed the tap nearest to an endpoint undamaged, held or missed. One that is damaged on its way is so there, unless that
        tap is beside its sender."""
        is_damaged = self.packets[number].get("corrupted") and self.taps[self.near(endpoint)]["tap"] != self.sender(number)
        return number in self.passed_tap[self.near(endpoint)] and not is_damaged

    def came_ns(self, packet):
        """When its host had a packet and took it, None where it did not come or came damaged."""
        return packet["arrived_ns"] if packet["fate"] == "arrived" and not packet.get("corrupted") else None

    def sender(self, number):
        """Name of the endpoint that sent a packet, None of ICMP and what is not known."""
        packet = self.packets.get(number)
        if packet is None:
            return None
        source, destination = (self.addresses.get(packet[key]) for key in ("source", "destination"))
        if source:
            return source
        return {"A": "B", "B": "A"}.get(destination)

    def packet_of(self, frame):
        """Fields of the packet that a frame is, None if there is none."""
        of = self.frames.get(frame)
        return None if of is None else self.packets.get(of[1])

    def tsns_of(self, frame):
        """Sendings in the packet of a frame."""
        of = self.frames.get(frame)
        return [] if of is None else self.of_packet.get(of[1], [])

    def in_frame(self, number):
        """Whether the capture holds a packet, or an image of it."""
        return number in self.frames_of

    def first_frame(self, number):
        frames = self.frames_of.get(number)
        return min(frames) if frames else None

    def covers(self, ack, tsn):
        """Whether an ack acknowledges a TSN."""
        if (ack.cum - tsn) % TSN_MODULUS < SAME_ASSOCIATION_TSNS:
            return True
        offset = (tsn - ack.cum) % TSN_MODULUS
        return any(start <= offset <= end for start, end in ack.gaps)

    def all_copies(self, sending):
        """When a sending, or what the network doubled of it, came first; None: never."""
        times = [sending.arrived_ns] + [self.came_ns(self.packets[copy]) for copy in self.copies.get(sending.packet, ())]
        return min((time for time in times if time is not None), default=None)

    def came_first_ns(self, endpoint, tsn):
        """When the peer had a TSN of an endpoint first, None: never."""
        return min((time for one in self.sendings[endpoint, tsn] if (time := self.all_copies(one)) is not None), default=None)

    def acks_of(self, endpoint, tsn, until_ns=None):
        """Acks of a TSN of an endpoint that its peer sent, up to a time."""
        peer = other(endpoint)
        came_ns = self.came_first_ns(endpoint, tsn)
        if came_ns is None:
            return []
        return [ack for ack in self.acks[peer] if ack.sent_ns >= came_ns and (until_ns is None or ack.sent_ns <= until_ns) and self.covers(ack, tsn)]

    def _progress_of(self, endpoint):
        """[(time, packet number)] at which an endpoint heard that something of its data arrived which it did not know, in order."""
        waiting = sorted((self.sendings[key][0].sent_ns, key[1]) for key in list(self.sendings) if key[0] == endpoint)
        heard, open_tsns, at = [], set(), 0
        for ack in sorted((ack for ack in self.acks[other(endpoint)] if ack.arrived_ns is not None), key=lambda ack: ack.arrived_ns):
            while at < len(waiting) and waiting[at][0] <= ack.arrived_ns:
                open_tsns.add(waiting[at][1])
                at += 1
            new = {tsn for tsn in open_tsns if self.covers(ack, tsn)}
            if new:
                heard.append((ack.arrived_ns, ack.number))
                open_tsns -= new
        return heard

    def progress_between(self, endpoint, since_ns, until_ns):
        """(time, packet) of each progress that an endpoint heard of strictly between two times."""
        rows = self.progress[endpoint]
        begin = bisect.bisect_right(rows, (since_ns, 1 << 62))
        return [row for row in rows[begin:] if row[0] < until_ns]

    def first_after(self, endpoint, since_ns):
        """The next new TSN that an endpoint sent at a time or later, None: it sent none."""
        rows = self.firsts[endpoint]
        at = bisect.bisect_left(rows, since_ns, key=lambda one: one.sent_ns)
        return rows[at] if at < len(rows) else None

    def room(self, endpoint, now_ns):
        """What an endpoint has left of its peer's window at a time: the a_rwnd that it heard last less what is outstanding; None: it heard none."""
        heard = [ack for ack in self.acks[other(endpoint)] if ack.arrived_ns is not None and ack.arrived_ns <= now_ns]
        last = max((ack for ack in heard if ack.a_rwnd is not None), key=lambda ack: ack.arrived_ns, default=None)
        if last is None:
            return None
        out = [one.bytes for one in self.firsts[endpoint] if one.sent_ns <= now_ns and not any(self.covers(ack, one.tsn) for ack in heard)]
        return last.a_rwnd - sum(out)

    def timers(self, endpoint, name, result="expired"):
        return [one for one in self.records["timer"] if one["endpoint"] == endpoint and one["name"] == name and one["result"] == result]

    def waited_ns(self, endpoint, since_ns, until_ns):
        """{cause: ns} of what held an endpoint's data back between two times."""
        spent = collections.Counter()
        for one in self.records["pause"]:
            if one["endpoint"] == endpoint:
                both = min(one["until_ns"], until_ns) - max(one["time_ns"], since_ns)
                if both > 0:
                    spent[one["cause"]] += both
        return spent

    def events(self, endpoint, *names):
        """(time, detail) of what a user did or met."""
        return [(one["time_ns"], one.get("detail")) for one in self.records["application"] if one["endpoint"] == endpoint and one["event"] in names]

    def parameter(self, endpoint, name):
        for one in self.records["parameter"]:
            if one["endpoint"] == endpoint and one["name"] == name:
                return one["value"]
        return None


def other(endpoint):
    return {"A": "B", "B": "A"}[endpoint]


def records_of(truth):
    """{kind: [fields with time_ns]} of a Truth, or of the lines of its file, in order of time."""
    found = collections.defaultdict(list)
    for kind, time_ns, fields in sorted(truth.records, key=lambda record: record[1]):
        found[kind].append({"time_ns": time_ns, **fields})
    return found
