# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations read from the packets of a capture, as far as mutations must know them: tags, ends, tap, what was said last.

Only those with a whole set-up, without collision and without restart, of which the capture missed no data.
"""

import collections
import struct

HEADER = 12
DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN = range(8)
SHUTDOWN_ACK, ERROR, COOKIE_ECHO, COOKIE_ACK, ECNE, CWR, SHUTDOWN_COMPLETE, AUTH = range(8, 16)
I_DATA, ASCONF_ACK, RE_CONFIG, FORWARD_TSN, ASCONF, I_FORWARD_TSN = 0x40, 0x80, 0x82, 0xC0, 0xC1, 0xC2
CLOSING = {ABORT, SHUTDOWN, SHUTDOWN_ACK, SHUTDOWN_COMPLETE}
RANDOM, CHUNKS, HMACS, EXTENSIONS, FORWARD_TSN_SUPPORTED = 0x8002, 0x8003, 0x8004, 0x8008, 0xC000
NEAR_NS, FAR_NS, TIMEOUT_NS = 2_000_000, 16_000_000, 300_000_000

Place = collections.namedtuple("Place", "packet at length")


def u16(data, at):
    return int.from_bytes(data[at:at + 2], "big")


def u32(data, at):
    return int.from_bytes(data[at:at + 4], "big")


def pieces(data, at, end, head=1):
    """[(type, offset, length field)] of chunks (head 1: a byte of type) or parameters (head 2)."""
    found = []
    while at + 4 <= end:
        length = u16(data, at + 2)
        if length < 4:
            break
        found.append((int.from_bytes(data[at:at + head], "big"), at, length))
        at += (length + 3) // 4 * 4
    return found


def chunks_of(sctp):
    return pieces(sctp, HEADER, len(sctp))


def params_of(place, fixed=20):
    """Parameters of a chunk with `fixed` bytes before them: [(type, offset in packet, length)]."""
    return pieces(place.packet["sctp"], place.at + fixed, place.at + place.length, 2)


def tsn_of(place):
    return u32(place.packet["sctp"], place.at + 4)


def flags_of(place):
    return place.packet["sctp"][place.at + 1]


def is_later(tsn, other):
    return 0 < (tsn - other & 0xFFFFFFFF) < 1 << 31


class CapturedAssociation:
    """ends: 0 sent the INIT. tags[e]: that e announced; near: the end at the tap, None when neither is; rtt_ns: shortest answer of the other."""

    def __init__(self, init, tag):
        self.init, self.tags, self.packets, self.steps = init, [tag, None], [], collections.Counter()
        self.near, self.rtt_ns = None, 20_000_000
        self.init_ack = None

    def sender(self, packet):
        """Which end sent it; ABORT and SHUTDOWN COMPLETE with T bit included."""
        tag, kind = u32(packet["sctp"], 4), packet["sctp"][HEADER]
        reflected = kind in (ABORT, SHUTDOWN_COMPLETE) and packet["sctp"][HEADER + 1] & 1
        return (0 if kind == INIT else 1 - self.tags.index(tag)) ^ bool(reflected)

    def places(self, end=None, kind=DATA, alone=False):
        for packet in self.packets:
            if end is None or self.sender(packet) == end:
                found = chunks_of(packet["sctp"])
                for type_, at, length in found:
                    if type_ == kind and (len(found) == 1 or not alone):
                        yield Place(packet, at, length)

    def first(self, end, kind):
        return next(self.places(end, kind), None)

    def has(self, *kinds):
        return any(type_ in kinds for packet in self.packets for type_, _, _ in chunks_of(packet["sctp"]))

    def param(self, end, kind):
        """Value of a parameter of INIT or INIT ACK, None."""
        place = (self.init, self.init_ack)[end]
        for type_, at, length in params_of(place):
            if type_ == kind:
                return place.packet["sctp"][at + 4:at + length]
        return None

    def demands(self, end):
        """Chunk types that this end wants authenticated."""
        return set(self.param(end, CHUNKS) or b"")

    def extensions(self, end):
        return set(self.param(end, EXTENSIONS) or b"")

    def value(self, end, at, size=4):
        place = (self.init, self.init_ack)[end]
        return int.from_bytes(place.packet["sctp"][place.at + at:place.at + at + size], "big")

    def initial_tsn(self, end):
        return self.value(end, 16)

    def is_partial(self):
        """Messages were given up."""
        return self.has(FORWARD_TSN, I_FORWARD_TSN)

    def acked(self, end):
        """The last cum_tsn of this end."""
        return max((u32(place.packet["sctp"], place.at + 4) for place in self.places(end, SACK)),
                   key=lambda tsn: tsn - self.initial_tsn(1 - end) & 0xFFFFFFFF, default=self.initial_tsn(1 - end) - 1)

    def has_timeouts(self, end):
        """It sent a TSN again 0.3 s or more after the first time."""
        first_ns = {}
        return any(place.packet["time_ns"] - first_ns.setdefault(u32(place.packet["sctp"], place.at + 4), place.packet["time_ns"]) > TIMEOUT_NS
                   for place in self.places(end))

    def is_complete(self):
        """Every TSN that was acknowledged was seen."""
        for end in (0, 1):
            first = self.initial_tsn(end)
            seen = {u32(place.packet["sctp"], place.at + 4) - first & 0xFFFFFFFF
                    for kind in (DATA, I_DATA) for place in self.places(end, kind)}
            acked = self.acked(1 - end) - first + 1 & 0xFFFFFFFF
            if not self.is_partial() and acked > sum(offset < acked for offset in seen):
                return False
        return True

    def end_after(self, last):
        self.packets = self.packets[:next(index for index, packet in enumerate(self.packets) if packet is last) + 1]

    def is_clean(self, end):
        """It sent little data again."""
        tsns = [u32(place.packet["sctp"], place.at + 4) for place in self.places(end)]
        return 20 * (len(tsns) - len(set(tsns))) <= len(tsns)

    def pairs(self, end):
        return {(packet["source"], packet["destination"]) for packet in self.packets if self.sender(packet) == end}

    def is_single(self):
        return all(len(self.pairs(end)) == 1 for end in (0, 1))

    def quiet(self):
        """Packets behind which all data is acknowledged, both ways, and nothing is being closed."""
        sent, acked = [self.initial_tsn(end) - 1 & 0xFFFFFFFF for end in (0, 1)], [self.initial_tsn(end) - 1 & 0xFFFFFFFF for end in (0, 1)]
        for packet in self.packets:
            end, rounds = self.sender(packet), False
            for kind, at, _ in chunks_of(packet["sctp"]):
                if kind in CLOSING:
                    return
                tsn = u32(packet["sctp"], at + 4)
                if kind in (DATA, I_DATA) and is_later(tsn, sent[end]):
                    sent[end] = tsn
                elif kind == SACK and is_later(tsn, acked[1 - end]):
                    acked[1 - end] = tsn
                    rounds = True
            if sent == acked and rounds:
                yield packet

    def young(self):
        """The COOKIE ACK, when no data passed up to it and each step of the set-up was sent once."""
        for packet in self.packets:
            kinds = [kind for kind, _, _ in chunks_of(packet["sctp"])]
            if DATA in kinds or max(self.steps[kind] for kind in (INIT, INIT_ACK, COOKIE_ECHO, COOKIE_ACK)) > 1:
                return
            if COOKIE_ACK in kinds:
                yield packet


def has_distant_tsns(association):
    """So far apart that no TSN of one end can be one of the other."""
    return (1 << 22) < (association.initial_tsn(0) - association.initial_tsn(1) & 0xFFFFFFFF) < (1 << 32) - (1 << 22)


def is_set_up_once(association):
    """Each step of the set-up was sent once."""
    return all(association.steps[kind] == 1 for kind in (INIT, INIT_ACK, COOKIE_ECHO, COOKIE_ACK))


def is_straight(association):
    """The INIT ACK came from where the INIT went."""
    return is_set_up_once(association) and association.init.packet["destination"] == association.init_ack.packet["source"]


def is_multihomed(association):
    return all(len(association.pairs(end)) > 1 for end in (0, 1))


def _find_tap(association):
    """By the set-up: the near end answers at once, the far one after a round trip."""
    times = [place.packet["time_ns"] for place in (association.init, association.init_ack, association.first(0, COOKIE_ECHO), association.first(1, COOKIE_ACK))]
    steps = [after - before for before, after in zip(times, times[1:])]
    answers = [steps[1], min(steps[0], steps[2])]
    near = 0 if answers[0] < answers[1] else 1
    if 0 <= answers[near] < NEAR_NS and FAR_NS < answers[1 - near] < TIMEOUT_NS:
        association.near, association.rtt_ns = near, answers[1 - near]


def read_associations(packets):
    by_tag, associations, ends_seen = {}, [], collections.Counter()
    for packet in packets:
        sctp = packet["sctp"]
        if len(sctp) < HEADER + 4:
            continue
        kind, tag = sctp[HEADER], u32(sctp, 4)
        if kind == INIT and len(sctp) >= 32:
            tag = u32(sctp, 16)
            if tag not in by_tag:
                by_tag[tag] = CapturedAssociation(Place(packet, HEADER, u16(sctp, 14)), tag)
                associations.append(by_tag[tag])
        association = by_tag.get(tag)
        if association is None:
            continue
        if kind == INIT_ACK and len(sctp) >= 32:
            if association.steps[COOKIE_ECHO]:
                continue
            association.init_ack, association.tags[1] = Place(packet, HEADER, u16(sctp, 14)), u32(sctp, 16)
            by_tag[association.tags[1]] = association
        if kind != INIT and u32(sctp, 4) not in association.tags:
            continue
        association.packets.append(packet)
        association.steps[kind] += 1
    ends = lambda association: frozenset((association.init.packet["sctp"][:2], association.init.packet["sctp"][2:4]))  # noqa: E731
    for association in associations:
        ends_seen[ends(association)] += 1
    whole = [association for association in associations if association.init_ack and association.steps[COOKIE_ECHO] and association.steps[COOKIE_ACK] and ends_seen[ends(association)] == 1
             and association.tags[0] != association.tags[1]]
    for association in whole:
        _find_tap(association)
    return [association for association in whole if association.is_complete()]


def pack(*values):
    return b"".join(struct.pack("!I", value & 0xFFFFFFFF) for value in values)
