# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures for measuring: bulk transfers and many small associations, of any size, quickly written. Every checksum is valid."""

import random

from replay import extract
from scenarios.generate import chunks, packet
from scenarios.generate.merge import START_NS
from scenarios.generate.pcapng import Pcapng

SERVER = packet.packed("172.16.0.1")
PAYLOAD = bytes(1452)
SMALL = bytes(24)
LOADS = {"bulk": (PAYLOAD, 0), "cut": (PAYLOAD, 128), "small": (SMALL, 0)}  # user data, bytes captured of a frame


class Peer:
    """One association between an address of its own and the server; makes its packets in turn: two DATA, one SACK."""

    __slots__ = ("address", "ports", "tags", "tsn", "turn", "payload", "setup", "ssn")

    def __init__(self, number, rng, payload, has_setup=True, port=5001):
        self.address = (0x0A000001 + number).to_bytes(4, "big")
        self.ports = (port, 5001)
        self.tags = (rng.randrange(1, 1 << 32), rng.randrange(1, 1 << 32))
        self.tsn = rng.randrange(1 << 32)
        self.turn = 0
        self.payload = payload
        self.setup = 4 if has_setup else 0
        self.ssn = 0

    def next(self):
        """(sender, IP packet)"""
        if self.setup:
            sender, vtag, parts = self._setup_packet()
            self.setup -= 1
        elif self.turn < 2:
            header = chunks.data(self.tsn, b"", ssn=self.ssn)
            sender, vtag, parts = 0, self.tags[1], (header[:2] + (16 + len(self.payload)).to_bytes(2, "big") + header[4:], self.payload)
            self.tsn, self.ssn = self.tsn + 1 & 0xFFFFFFFF, self.ssn + 1 & 0xFFFF
            self.turn += 1
        else:
            sender, vtag, parts = 1, self.tags[0], (chunks.sack(self.tsn - 1),)
            self.turn = 0
        ends = (self.address, SERVER)
        return sender, packet.ipv4(ends[sender], ends[1 - sender], packet.sctp(self.ports[sender], self.ports[1 - sender], vtag, *parts), identification=self.tsn & 0xFFFF)

    def _setup_packet(self):
        return ((1, self.tags[0], (chunks.cookie_ack(),)), (0, self.tags[1], (chunks.cookie_echo(),)),
                (1, self.tags[0], (chunks.init_ack(self.tags[1], 1),)), (0, 0, (chunks.init(self.tags[0], self.tsn),)))[self.setup - 1]


def write(path, packets, associations, payload=SMALL, gap_ns=10_000, snap=0, at_once=None, own_ports=False):
    """`packets` packets of `associations` associations in turn, frames cut to snap bytes unless that is 0; of at_once of them at a time, one group
    after the other, unless that is None. own_ports: no two of the peers (up to 55,000) have the same port. About 20 us per packet."""
    rng = random.Random(7)
    peers = [Peer(number, rng, payload, port=10_000 + number if own_ports else 5001) for number in range(associations)]
    with Pcapng(path, snap=snap) as capture:
        for number in range(packets):
            group = number * associations // packets // at_once * at_once if at_once else 0
            sender, content = peers[group + number % (at_once or associations)].next()
            capture.write(START_NS + number * gap_ns, packet.ethernet(content, None, 1 - sender))
    path.chmod(0o644)


def extracted(folder, load, packets):
    """A load of LOADS, small with 10 packets an association, as the core alone reads it."""
    payload, snap = LOADS[load]
    capture, found = folder / "load.pcapng", folder / "load.packets"
    write(capture, packets, max(packets // 10, 1) if load == "small" else 1, payload, snap=snap)
    extract.write(capture, found)
    return found
