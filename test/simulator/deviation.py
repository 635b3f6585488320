# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations: named changes of behaviour that break one clause, and how they are put into an endpoint and told to the truth.

A row (deviations/*.py has them, by subject) is a class put before Association, one put before Endpoint, or both. What a deviation does it notes: the
truth gets a record of the kind deviation each time, with the numbers of the packets that it shows in: the packet that is wrong, late or too many, and
the one that it answers; where a packet is missing, the one that should have been answered. Left out: in which context a deviation has an occasion
(occasions.py), and who tells it (recall).
"""

import collections
import importlib

from .clock import SECOND_NS
from .wire import Chunk

MUST, SHOULD = "MUST", "SHOULD"
# Classes of deviations.
CLASSES = {
    "A": "a field or the format of one chunk",
    "B": "a wrong Verification Tag",
    "C": "contents that other packets refute",
    "D": "an answer or retransmission is missing, or another chunk stands in its place",
    "E": "time: late, early, no backoff, a timer that is not restarted",
    "F": "an answer or chunk though silence was due",
}
# Whether the packets of a whole capture, taken anywhere on the way, prove it, or make it probable where it happens again and again, as it does with
# this row; or whether facts about the capture or the endpoint are needed however often it happens.
PACKETS, FACTS = "packets", "facts"


class Facts(str):
    """FACTS, and the conforming history that gives the same packets."""

    def __new__(cls, why):
        made = super().__new__(cls, FACTS)
        made.why = why
        return made


LOST_BEHIND = Facts("What came was lost between the tap and the endpoint, and nothing asks for it again; or the tap holds one packet twice.")
OUTAGE = Facts("For a moment nothing passed between the tap and the endpoint: all that came, or all of the answers, was lost in one burst.")
STOPPED = Facts("The host of the endpoint stopped, or nothing passes between it and the tap any more: nothing of it comes later.")
ASKED_UNSEEN = Facts("What asked for it, or made it right, went between other addresses, elsewhere than by the tap.")
PARAMETER = Facts("A parameter of the endpoint (RFC 9260 16), such as RTO.Min, may be as short.")
OF_USER = Facts("The user of the endpoint had asked for it before the packet came, or has not asked for it yet; what users ask for is not on the wire.")
DISORDER = Facts("Packets of the same moment stand in the capture in another order than they left.")

# Of a deviation in a run: of which of its occasions it makes use.
SHARES = (1.0, 1.0, 0.5, 0.2)
SUBJECTS = ("setup", "format", "tags", "sending", "congestion", "acknowledging", "paths", "ending", "extensions")
NOTES_MAX = 2000
# What a host that conforms takes, however busy it is: what is later than that is late. For what is due at once, and for timers, which also run
# slower by a share of their time.
HOST_AT_ONCE_NS = SECOND_NS // 10
HOST_TIMER_NS, HOST_TIMER_SHARE = SECOND_NS * 55 // 100, 1 / 16
SACK_LATEST_NS = HOST_TIMER_NS  # RFC 9260 6.2: 500 ms

# never_shows: why nothing that any capture holds can show it, whatever is known of the capture and the endpoint; None: it can be shown.
Row = collections.namedtuple("Row", "name words clauses level kind proof occasions association endpoint never_shows", defaults=[None])
ROWS = {}


def rows():
    """{name: Row} of all subjects."""
    for subject in SUBJECTS:
        importlib.import_module(f"{__package__}.deviations.{subject}")
    return ROWS


def add(name, words, clauses, level, kind, proof, occasions, association=None, endpoint=None, never_shows=None):
    """A new Row; association, endpoint: classes put before those of the endpoint."""
    if name in ROWS or kind not in CLASSES or level not in (MUST, SHOULD) or proof not in (PACKETS, FACTS):
        raise ValueError(f"deviation {name} is there already, or its class, level or proof is unknown")
    ROWS[name] = Row(name, words, clauses, level, kind, proof, occasions, association, endpoint, never_shows)


def row(clauses, level, kind, proof, *occasions, never_shows=None):
    """Makes a class of decisions a row: its name with hyphens, its docstring says what the endpoint does. Is put before Endpoint where it is a
    subclass of EndpointDecisions, else before Association."""

    def made(decisions):
        name = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in decisions.__name__)[1:]
        words = " ".join(decisions.__doc__.split())
        if issubclass(decisions, EndpointDecisions):
            add(name, words, clauses, level, kind, proof, occasions, endpoint=decisions, never_shows=never_shows)
        else:
            add(name, words, clauses, level, kind, proof, occasions, association=decisions, never_shows=never_shows)
        return decisions

    return made


class Deviation:
    """A row in one run: what Endpoint takes as its deviation. times: how often it happened."""

    def __init__(self, row_, world):
        self.row, self.world = row_, world
        self.endpoint_name = None
        self.random = world.simulation.random("deviation")
        self.share = self.random.choice(SHARES)
        self.times = 0
        self.packets = set()
        self.pending = []
        self.association_mixin = row_.association
        own = (row_.endpoint,) if row_.endpoint else ()
        self.endpoint_mixin = type("Watching", own + (EndpointWatch,), {})

    def turn(self):
        """Whether it makes use of this occasion: the first one always."""
        return self.times == 0 or self.random.random() < self.share

    def note(self, packets):
        """It happened, and shows in these packets."""
        self.times += 1
        if self.times > NOTES_MAX:
            return
        numbers = sorted({number for number in packets if number is not None})
        self.packets.update(numbers)
        row_ = self.row
        self.world.truth.record(
            "deviation", self.world.simulation.now_ns, endpoint=self.endpoint_name, name=row_.name, clause="; ".join(row_.clauses), level=row_.level,
            packets=numbers,
        )  # fmt: skip


class Outgoing:
    """A packet that is about to leave, for an EndpointDecisions.alter. delay_ns: leaves so much later; is_kept_back: never leaves; deviates: it is
    noted; with_packets: numbers of others that it shows in as well. It leaves by the interface of its first source, whatever source it gets."""

    __slots__ = (
        "source",
        "destination",
        "tag",
        "chunks",
        "checksum",
        "tos",
        "delay_ns",
        "is_kept_back",
        "deviates",
        "with_packets",
        "copies",
        "association",
    )

    def __init__(self, source, destination, tag, chunks, checksum, tos, association):
        self.source, self.destination, self.tag, self.chunks, self.checksum, self.tos = source, destination, tag, list(chunks), checksum, tos
        self.delay_ns, self.is_kept_back, self.deviates, self.with_packets, self.copies = 0, False, False, [], 0
        self.association = association

    def has(self, types):
        return any(chunk.type in types for chunk in self.chunks)


def leaving_by(datagram, address):
    """The datagram, which leaves by the interface of this address."""
    datagram.notes["interface"] = address
    return datagram


class EndpointWatch:
    """Stands nearest to Endpoint: knows which packet is being dealt with, and what leaves."""

    receiving = None
    last_sent = None
    last_to = None

    def receive(self, datagram, now_ns=None):
        self.receiving = datagram.number
        super().receive(datagram, now_ns)
        self.receiving = None

    def alter(self, packet):
        """Nothing, unless EndpointDecisions say otherwise."""

    def send_packet(self, source, destination, destination_port, tag, chunks, notes=None, checksum=None, tos=None, udp_ports=None):
        """Lets the deviation alter, delay or keep back the packet; notes it where it is one, or holds a chunk that is (deviates)."""
        made = self.deviation
        made.endpoint_name = self.name
        packet = Outgoing(source, destination, tag, chunks, checksum, tos, self.associations.get((destination, destination_port)))
        self.alter(packet)
        waiting = [chunk for chunk in packet.chunks if any(chunk is one for one in made.pending)]
        if not packet.chunks:
            packet.is_kept_back = True
        if packet.chunks != list(chunks):
            notes = None
        transmit = self.transmit
        if packet.is_kept_back:
            self.transmit = lambda datagram: None
        elif packet.delay_ns:
            self.transmit = lambda datagram: self.simulation.after(packet.delay_ns, transmit, datagram)
        elif packet.source != source:
            self.transmit = lambda datagram: transmit(leaving_by(datagram, source))
        datagram = super().send_packet(
            packet.source, packet.destination, destination_port, packet.tag, packet.chunks or chunks, notes, packet.checksum, packet.tos, udp_ports
        )
        self.transmit = transmit
        shown = [] if packet.is_kept_back else [datagram.number]
        for _ in range(packet.copies):
            copy = datagram.copy(self.simulation.number("datagram"))
            copy.notes.pop("copy_of")
            transmit(copy)
            shown.append(copy.number)
        if packet.deviates or waiting:
            datagram.notes["deviation"] = made.row.name
            made.pending = [one for one in made.pending if all(one is not chunk for chunk in waiting)]
            made.note(shown + [self.receiving] + packet.with_packets)
        self.last_sent = datagram.number
        self.last_to = {**(self.last_to or {}), packet.destination: datagram.number}
        return datagram


def latest_ns(rto_ns):
    """When a timer that should take rto_ns has expired on any host."""
    return int(rto_ns * (1 + HOST_TIMER_SHARE)) + HOST_TIMER_NS


class EndpointDecisions:
    """What a deviation puts before Endpoint: alter(packet), or a decision of Endpoint."""

    def turn(self):
        return self.deviation.turn()

    def deviates_now(self, *packets):
        """What is being done is the deviation, with the packet that is being dealt with."""
        self.deviation.endpoint_name = self.name
        self.deviation.note([self.receiving, *packets])


class Decisions:
    """What a deviation puts before Association."""

    def turn(self):
        return self.endpoint.deviation.turn()

    def deviates_now(self, *packets):
        """What is being done, or is not, is the deviation; it shows in the packet that is being dealt with."""
        made = self.endpoint.deviation
        made.endpoint_name = self.endpoint.name
        made.note([self.endpoint.receiving, *packets])

    def deviates_unless(self, delay_ns, is_excused, *packets):
        """What is left out now is the deviation, unless is_excused() after so long: nothing shows before a busy host would have done it."""
        made = self.endpoint.deviation
        made.endpoint_name = self.endpoint.name
        shown = [self.endpoint.receiving, *packets]
        self.simulation.after(delay_ns, lambda: None if is_excused() else made.note(shown))

    def deviates_with(self, chunk):
        """The deviation shows in the packet that will bear this chunk."""
        self.endpoint.deviation.pending.append(chunk)
        return chunk

    def answering_path(self, path):
        """An active path other than this one from which a round trip was measured; None: there is none. An address from which nothing ever came is
        unconfirmed, unless the user named it (5.4), which no packet shows."""
        other = self.other_path(path)
        return other if other is not None and other.srtt_ns is not None else None

    def note_packet(self, datagram):
        """The deviation shows in this datagram."""
        self.deviates_now(datagram.number)
        return datagram


# --- families ---------------------------------------------------------------------------------------------------------


def altering(name, words, clauses, level, kind, proof, types, change, *occasions, never_shows=None):
    """Chunks of these types leave as change(chunk, endpoint, packet) has them; None: as they are."""

    class Altering(EndpointDecisions):
        def alter(self, packet):
            for at, chunk in enumerate(packet.chunks):
                if chunk.type in types and self.turn():
                    other = change(chunk, self, packet)
                    if other is not None:
                        packet.chunks[at] = other
                        packet.deviates = True

    add(name, words, clauses, level, kind, proof, occasions, endpoint=Altering, never_shows=never_shows)


def changing_packet(name, words, clauses, level, kind, proof, types, change, *occasions):
    """Packets with chunks of these types leave as change(packet, endpoint) leaves them; False: it changed nothing."""

    class Changing(EndpointDecisions):
        def alter(self, packet):
            if packet.has(types) and self.turn() and change(packet, self) is not False:
                packet.deviates = True

    add(name, words, clauses, level, kind, proof, occasions, endpoint=Changing)


def omitting(name, words, clauses, level, kind, proof, types, *occasions, always=False):
    """Chunks of these types never leave, or only now and then (Deviation.share), unless always."""

    class Omitting(EndpointDecisions):
        def alter(self, packet):
            if packet.has(types) and (always or self.turn()):
                packet.chunks = [chunk for chunk in packet.chunks if chunk.type not in types]
                packet.deviates = True

    add(name, words, clauses, level, kind, proof, occasions, endpoint=Omitting)


def delaying(name, words, clauses, level, proof, types, delays_ns, *occasions, only=None):
    """Packets with chunks of these types leave late, by one of the delays. only: holds of the packet's chunks."""

    class Delaying(EndpointDecisions):
        def alter(self, packet):
            if packet.has(types) and (only is None or only(packet.chunks)) and self.turn():
                packet.delay_ns = self.deviation.random.choice(delays_ns)
                packet.deviates = True

    add(name, words, clauses, level, "E", proof, occasions, endpoint=Delaying)


def ignoring(name, words, clauses, level, kind, proof, handlers, *occasions, only=None, result=None):
    """What comes to these methods of Association is not dealt with. only(association, argument): of those."""

    def ignored(handler):
        def method(self, *arguments):
            if (only is None or only(self, *arguments)) and self.turn():
                self.deviates_now()
                return result
            return getattr(super(made, self), handler)(*arguments)

        return method

    made = type("Ignoring", (Decisions,), {})
    for handler in handlers:
        setattr(made, handler, ignored(handler))
    add(name, words, clauses, level, kind, proof, occasions, association=made)


def with_bytes(chunk, data):
    """The chunk, with these bytes in the place of its own."""
    other = Chunk(chunk.type, chunk.flags, chunk.value, chunk.length)
    other._bytes = data
    return other


def with_value(chunk, value, flags=None):
    return Chunk(chunk.type, chunk.flags if flags is None else flags, value)


def with_word(chunk, at, number, size=4):
    """The chunk with another number at this place of its value."""
    return with_value(chunk, chunk.value[:at] + (number % (1 << 8 * size)).to_bytes(size, "big") + chunk.value[at + size :])


def word(chunk, at, size=4):
    return int.from_bytes(chunk.value[at : at + size], "big")


LATE_NS = (2 * SECOND_NS, 5 * SECOND_NS)
