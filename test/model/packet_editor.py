# SPDX-License-Identifier: GPL-2.0-or-later
"""The packets of a capture, to be changed in one place, and the associations in them. Checksums are made right again."""

import random

import scenario_builder  # noqa: F401  (sets the module path)
from generate import crc32c
from captured_associations import EXTENSIONS, FORWARD_TSN, FORWARD_TSN_SUPPORTED, I_FORWARD_TSN, INIT, INIT_ACK, params_of, read_associations, tsn_of

HEADER = 12
UNKNOWN = 0xBF00    # a type that no parameter has


class NoPlace(Exception):
    """The capture holds no place where the rule could be broken provably."""


def with_checksum(sctp):
    checksum = crc32c.crc32c(sctp[:8], bytes(4), sctp[12:])
    return sctp[:8] + checksum.to_bytes(4, "little") + sctp[12:]


class PacketEditor:
    """packets: dicts as extract.packets gives them; associations: the associations whose set-up the capture holds."""

    def __init__(self, packets, seed=1):
        self.packets = [dict(packet) for packet in packets]
        self.rng = random.Random(seed)
        self.associations = read_associations(self.packets) if all(len(packet["sctp"]) == packet["wire"] for packet in packets) else []

    def pick(self, places):
        """One of them, by chance."""
        places = list(places)
        if not places:
            raise NoPlace
        return self.rng.choice(places)

    def association(self, where=lambda association: True):
        return self.pick(association for association in self.associations if where(association))

    def near(self, end, where=lambda association: True):
        """An association whose endpoint `end` is near the tap."""
        return self.association(lambda association: association.near == end and where(association))

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

    def replace_chunk(self, place, chunk):
        """Another chunk, with its padding, in the place of one."""
        sctp = place.packet["sctp"]
        self.replace(place.packet, sctp[:place.at] + chunk + sctp[place.at + (place.length + 3) // 4 * 4:])

    def add_param(self, place, param):
        """A parameter, with its padding, behind the last of a chunk."""
        sctp = place.packet["sctp"]
        chunk = sctp[place.at:place.at + place.length]
        chunk += bytes(-len(chunk) % 4) + param
        self.replace_chunk(place, chunk[:2] + len(chunk).to_bytes(2, "big") + chunk[4:] + bytes(-len(chunk) % 4))

    def put(self, packet, like=None, ahead=False):
        """Adds a packet where its time says, behind those of the same time; with `like` right behind that one, or right ahead of it."""
        if like is not None:
            at = next(index for index, one in enumerate(self.packets) if one is like) + (not ahead)
        else:
            at = next((index for index in range(len(self.packets), 0, -1) if self.packets[index - 1]["time_ns"] <= packet["time_ns"]), 0)
        self.packets.insert(at, packet)
        return packet

    def inject(self, like, *chunks, after_ns=0, ahead=False, vtag=None, **changes):
        """A packet of its own of these chunks, from the sender of `like` to the same address unless changed; after_ns behind it, right behind it,
        or right ahead of it."""
        header = like["sctp"][:4] + (like["sctp"][4:8] if vtag is None else vtag.to_bytes(4, "big")) + bytes(4)
        sctp = with_checksum(header + b"".join(chunks))
        return self.again({**like, "sctp": sctp, "wire": len(sctp)}, after_ns, None if after_ns else like, ahead, **changes)

    def again(self, packet, after_ns=0, like=None, ahead=False, **changes):
        """The same content, sent once more."""
        return self.put({**packet, "time_ns": packet["time_ns"] + after_ns, "identification": self.rng.randrange(1, 1 << 16), **changes},
                        packet if like is None and not after_ns else like, ahead)

    def deny_partial(self, association):
        """As if neither end had offered partial reliability."""
        for place in (*association.places(0, INIT), *association.places(1, INIT_ACK)):
            for kind, at, length in params_of(place):
                if kind == FORWARD_TSN_SUPPORTED:
                    self.edit(place.packet, at, b"\xbf\0")
                elif kind == EXTENSIONS:
                    listed = place.packet["sctp"][at + 4:at + length]
                    self.edit(place.packet, at + 4, listed.replace(bytes([FORWARD_TSN]), b"\x84").replace(bytes([I_FORWARD_TSN]), b"\x84"))

    def drop(self, packet):
        self.packets[:] = [one for one in self.packets if one is not packet]

    def end_after(self, packet):
        """The capture ends behind the packet."""
        at = next(index for index, one in enumerate(self.packets) if one is packet)
        del self.packets[at + 1:]

    def end_before(self, packet):
        self.end_after(packet)
        self.packets.pop()


def replace_param(editor, place, at, length, param):
    """Another parameter in the place of one."""
    sctp = place.packet["sctp"]
    chunk = sctp[place.at:at] + param + sctp[at + (length + 3) // 4 * 4:place.at + place.length]
    editor.replace_chunk(place, chunk[:2] + len(chunk).to_bytes(2, "big") + chunk[4:] + bytes(-len(chunk) % 4))


def edit_all(editor, association, end, tsn, at, value):
    """The same change in every transmission of a TSN."""
    for place in list(association.places(end)):
        if tsn_of(place) == tsn:
            editor.edit(place.packet, place.at + at, value)
