#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the true grouping of a capture's packets into associations: for each CAPTURE a table NAME.assocs.tsv beside it
with the columns frame and assoc, numbered from 0 in order of the first packet; - for a packet that was corrupted on
the way so that its ports or tag fit nothing.

Deliberately simple and offline: the whole file is known, nothing here has to be fast. The tags decide. An Initiate Tag
belongs to who drew it; an INIT ACK ties the two tags of one association together; every other packet carries one of
them. So a repeated INIT is the same association, an INIT with a new tag (new attempt, restart) another one. Addresses and
ports decide only where the tags say nothing.

usage: truth_assocs.py CAPTURE..."""
import os
import re
import sys

from read_capture import is_corrupted, sctp_packets

INIT, INIT_ACK, ABORT, SHUTDOWN_COMPLETE = 1, 2, 6, 14
T_BIT = 1


class Groups:
    """Disjoint sets of tags; a tag is (port of its owner, port of the peer, value)."""

    def __init__(self):
        self.parents = {}

    def find(self, tag):
        self.parents.setdefault(tag, tag)
        while self.parents[tag] != tag:
            tag = self.parents[tag]
        return tag

    def join(self, one, other):
        self.parents[self.find(one)] = self.find(other)

    def knows(self, tag):
        return tag in self.parents


def initiate_tag(chunk):
    return int.from_bytes(chunk.value[:4], 'big')


def tag_of_sender(packet, value):
    return packet.sport, packet.dport, value


def tag_of_receiver(packet, value):
    return packet.dport, packet.sport, value


def has_setup_chunk(packet, kind):
    return bool(packet.chunks) and packet.chunks[0].type == kind and len(packet.chunks[0].value) >= 4


def between(packet):
    """Who talks to whom, whatever the direction."""
    return frozenset([(packet.src, packet.sport), (packet.dst, packet.dport)])


def tie_tags(packets, groups):
    for packet in packets:
        if has_setup_chunk(packet, INIT) and not is_corrupted(packet):
            groups.find(tag_of_sender(packet, initiate_tag(packet.chunks[0])))
        elif has_setup_chunk(packet, INIT_ACK) and not is_corrupted(packet):
            groups.join(tag_of_sender(packet, initiate_tag(packet.chunks[0])), tag_of_receiver(packet, packet.vtag))


def join_collisions(packets, groups):
    """Two INITs that cross each other are one association even where no INIT ACK shows it: the unanswered one
    belongs to that of the other direction which began while it was being repeated."""
    spans, answered = {}, set()
    for packet in packets:
        if has_setup_chunk(packet, INIT) and not is_corrupted(packet):
            tag = tag_of_sender(packet, initiate_tag(packet.chunks[0]))
            first = spans.get(tag, (packet.time, 0, packet))[0]
            spans[tag] = (first, packet.time, packet)
        elif packet.vtag:
            answered.add(tag_of_receiver(packet, packet.vtag))
    for tag, (first, last, packet) in spans.items():
        for other, (other_first, other_last, other_packet) in spans.items():
            crossing = first <= other_last and other_first <= last
            if tag not in answered and crossing and (packet.src, packet.dst) == (other_packet.dst, other_packet.src) \
                    and tag[:2] == (other[1], other[0]):
                groups.join(tag, other)


def tag_in(packet):
    """The tag by which the packet names its association."""
    if has_setup_chunk(packet, INIT):
        return tag_of_sender(packet, initiate_tag(packet.chunks[0]))
    last = packet.chunks[-1] if packet.chunks else None
    if last and last.type in (ABORT, SHUTDOWN_COMPLETE) and last.flags & T_BIT:
        return tag_of_sender(packet, packet.vtag)
    return tag_of_receiver(packet, packet.vtag)


def group_of(packet, groups, latest):
    tag = tag_in(packet)
    if groups.knows(tag):
        return groups.find(tag)
    if is_corrupted(packet):
        return None
    return latest.get(between(packet)) or groups.find(tag)


def grouping(packets):
    groups, latest, result = Groups(), {}, []
    tie_tags(packets, groups)
    join_collisions(packets, groups)
    for packet in packets:
        group = group_of(packet, groups, latest)
        if group:
            latest[between(packet)] = group
        result.append((packet.frame, group))
    return result


def write_table(capture):
    numbers = {}
    name = re.sub(r'\.(pcap|pcapng)(\.gz)?$', '', capture) + '.assocs.tsv'
    with open(name, 'w') as table:
        table.write('frame\tassoc\n')
        for frame, group in grouping(list(sctp_packets(capture))):
            assoc = '-' if group is None else numbers.setdefault(group, len(numbers))
            table.write('%d\t%s\n' % (frame, assoc))
    return len(numbers)


def main():
    for capture in sys.argv[1:]:
        print('%s: %d associations' % (os.path.relpath(capture), write_table(capture)))


if __name__ == '__main__':
    main()
