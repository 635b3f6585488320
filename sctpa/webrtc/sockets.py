# SPDX-License-Identifier: GPL-2.0-or-later
"""Which sockets of a log are the two endpoints of one association, as where a page calls itself: each packet is in the log of either, and who reads
both would take the second sighting for a retransmission. Goes by verification tags; leaves everything else in the packets to the plugin."""


class Sockets:
    """The sockets whose packets were added, in the order of their first packets."""

    def __init__(self):
        self._tags = {}

    def add(self, packet):
        """A log.Packet. Memory: its tag, where the socket had no packet with it."""
        sent_and_received = self._tags.setdefault(packet.socket, (set(), set()))
        tag = packet.data[4:8]
        if any(tag):
            sent_and_received[not packet.is_sent].add(tag)

    def names(self):
        return list(self._tags)

    def far_ends(self):
        """{socket: the one before it in the log that is the other endpoint of its associations}. Cost: a step for each tag of each socket."""
        far, near = {}, []
        # {tag: place in near of the first socket that sent it, or received it}
        sent_by, received_by = {}, {}
        for name, (sent, received) in self._tags.items():
            places = [
                seen[tag] for tags, seen in ((sent, received_by), (received, sent_by)) for tag in tags if tag in seen
            ]
            if places:
                far[name] = near[min(places)]
                continue
            for tags, seen in ((sent, sent_by), (received, received_by)):
                for tag in tags:
                    seen.setdefault(tag, len(near))
            near.append(name)
        return far
