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
        """{socket: the one before it in the log that is the other endpoint of its associations}."""
        far, near = {}, []
        for name, (sent, received) in self._tags.items():
            other = next((before for before in near if sent & self._tags[before][1] or received & self._tags[before][0]), None)
            if other is None:
                near.append(name)
            else:
                far[name] = other
        return far
