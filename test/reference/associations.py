# SPDX-License-Identifier: GPL-2.0-or-later
"""Splits a capture's packets by its ground truth (NAME.assocs.tsv beside it) and says which end sent each.

End 0 is the source of the first INIT, or without INIT of the first packet. Tags tell who sent a packet; addresses and then
ports where the tag is not known yet."""

import gzip
import re

from lab import read_capture

from . import chunks


def truth_table(capture):
    """The path of a capture's table, None where it has none."""
    stem = re.sub(r"\.(pcap|pcapng)(\.gz)?$", "", capture.name)
    return next((path for name in (".assocs.tsv", ".assocs.tsv.gz") if (path := capture.with_name(stem + name)).exists()), None)


def grouping(capture):
    """frame -> association number; frames that belong to none are left out."""
    table = truth_table(capture)
    with gzip.open(table, "rt") if table.suffix == ".gz" else open(table) as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    return {int(frame): int(assoc) for frame, assoc in rows if assoc != "-"}


def by_association(packets, assoc_of_frame):
    """Association number -> its packets."""
    result = {}
    for packet in packets:
        if packet.frame in assoc_of_frame:
            result.setdefault(assoc_of_frame[packet.frame], []).append(packet)
    return result


def is_init(packet):
    return bool(packet.chunks) and packet.chunks[0].type == chunks.INIT


def reflects_tag(packet):
    """The T bit: the packet carries the tag that its sender's peer should have used."""
    return any(chunk.type in (chunks.ABORT, chunks.SHUTDOWN_COMPLETE) and chunk.flags & chunks.T_BIT for chunk in packet.chunks)


class Ends:
    """Who is who in one association. Feed every packet in order through sender()."""

    def __init__(self, packets):
        first = next((packet for packet in packets if is_init(packet)), packets[0])
        self.addresses = [{first.src}, {first.dst}]
        self.ports = (first.sport, first.dport)
        self.tag_owners = {}

    def sender(self, packet):
        """0 or 1."""
        end = self._by_tag(packet)
        if end is None:
            end = self._by_address(packet)
        if end is None:
            end = self._by_port(packet)
        self.addresses[end].add(packet.src)
        self.addresses[1 - end].add(packet.dst)
        self._learn_tags(packet, end)
        return end

    def _by_tag(self, packet):
        if is_init(packet):
            return next((self.tag_owners[said.tag] for said in chunks.parse(packet)[:1] if said.tag in self.tag_owners), None)
        owner = self.tag_owners.get(packet.vtag)
        return owner if owner is None or reflects_tag(packet) else 1 - owner

    def _by_address(self, packet):
        forth = packet.src in self.addresses[0] or packet.dst in self.addresses[1]
        back = packet.src in self.addresses[1] or packet.dst in self.addresses[0]
        return None if forth == back else int(back)

    def _by_port(self, packet):
        if self.ports[0] == self.ports[1]:
            raise ValueError(f"frame {packet.frame}: neither tag nor addresses nor ports tell who sent it")
        return int(packet.sport != self.ports[0])

    def _learn_tags(self, packet, end):
        for said in chunks.parse(packet):
            if isinstance(said, chunks.Init):
                self.tag_owners.setdefault(said.tag, end)
        if packet.vtag and not reflects_tag(packet):
            self.tag_owners.setdefault(packet.vtag, 1 - end)


def is_corrupted(packet):
    """A wrong CRC32c: its receiver drops the packet, and what it says may be wrong."""
    return read_capture.is_corrupted(packet)
