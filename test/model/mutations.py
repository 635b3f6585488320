"""Breaks one rule in one place of a real capture, and leaves the rest as it was: what the model must then find.

A mutation takes a Scene and returns the sender (address bytes) of what is now wrong, or None when the capture holds no place for it.
Mutations register by the rule they break. Checksums are made right again.
"""

import collections
import random
import struct

import plays  # noqa: F401  (sets the module path)
from generate import crc32c

HEADER = 12
DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN, SHUTDOWN_ACK, ERROR, COOKIE_ECHO, COOKIE_ACK = range(12)
ALL = collections.OrderedDict()


def breaks(rule):
    def register(mutate):
        ALL.setdefault(rule, []).append(mutate)
        return mutate
    return register


def chunks_of(sctp):
    """[(type, offset, length field)] of a whole packet."""
    found, at = [], HEADER
    while at + 4 <= len(sctp):
        length = int.from_bytes(sctp[at + 2:at + 4], "big")
        if length < 4:
            break
        found.append((sctp[at], at, length))
        at += (length + 3) // 4 * 4
    return found


def with_checksum(sctp):
    checksum = crc32c.crc32c(sctp[:8], bytes(4), sctp[12:])
    return sctp[:8] + checksum.to_bytes(4, "little") + sctp[12:]


class Scene:
    """The packets of a capture, to be changed. packets: dicts as extract.packets gives them."""

    def __init__(self, packets, seed=1):
        self.packets = [dict(packet) for packet in packets]
        self.rng = random.Random(seed)

    def whole(self, packet):
        return len(packet["sctp"]) == packet["wire"]

    def each(self, kind, alone=False):
        """(index, packet, offset, length) of whole chunks of a type; alone: only in packets with no other chunk."""
        for index, packet in enumerate(self.packets):
            if not self.whole(packet):
                continue
            found = chunks_of(packet["sctp"])
            for type_, at, length in found:
                if type_ == kind and (not alone or len(found) == 1):
                    yield index, packet, at, length

    def some(self, kind, alone=False, after=0.0):
        """One such chunk, drawn at random from those in the part of the capture after a share of it; None: there is none."""
        places = [place for place in self.each(kind, alone) if place[0] >= after * len(self.packets)]
        return self.rng.choice(places) if places else None

    def edit(self, packet, at, value):
        """Overwrites bytes of the packet."""
        sctp = packet["sctp"]
        packet["sctp"] = with_checksum(sctp[:at] + value + sctp[at + len(value):])

    def replace(self, packet, sctp):
        """Another content, of any length."""
        packet["sctp"] = with_checksum(sctp)
        packet["wire"] = len(sctp)

    def add_chunk(self, packet, chunk, first=False):
        sctp = packet["sctp"] + bytes(-len(packet["sctp"]) % 4)
        self.replace(packet, sctp[:HEADER] + chunk + sctp[HEADER:] if first else sctp + chunk)

    def insert(self, index, packet, after_ns=1000):
        """A packet of its own behind packet index, from the same sender unless changed."""
        new = {**packet, "time_ns": self.packets[index]["time_ns"] + after_ns, "identification": packet["identification"] + 1 & 0xFFFF}
        self.packets.insert(index + 1, new)
        return new

    def drop(self, index):
        del self.packets[index]

    def peer_of(self, packet):
        return packet["destination"]


def u32(sctp, at):
    return struct.unpack_from("!I", sctp, at)[0]


@breaks("FMT-018")
def bundle_init(scene):
    place = scene.some(INIT)
    if place is None:
        return None
    _, packet, _, _ = place
    scene.add_chunk(packet, struct.pack("!BBH", HEARTBEAT, 0, 12) + struct.pack("!HHI", 1, 8, 7))
    return packet["source"]


@breaks("FMT-018")
def bundle_shutdown_complete(scene):
    place = scene.some(14)
    if place is None:
        return None
    _, packet, _, _ = place
    scene.add_chunk(packet, struct.pack("!BBH", ERROR, 0, 8) + struct.pack("!HH", 7, 4))
    return packet["source"]
