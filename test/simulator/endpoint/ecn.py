# SPDX-License-Identifier: GPL-2.0-or-later
"""Explicit Congestion Notification as RFC 4960 Appendix A had it (RFC 9260 only reserves its codepoints): ECT(0) on DATA, ECNE, CWR.

Leaves out ECN nonces.
"""

import struct

from .. import wire
from ..datagram import TOS_CE, TOS_ECN_MASK


class Ecn:
    """The association's part."""

    def begin_ecn(self):
        self.packet_is_marked = False
        self.ecn_echo_tsn = None
        self.ecn_reduced_at = -1

    def note_ecn(self, datagram):
        """Whether a router marked the packet that is dealt with."""
        self.packet_is_marked = self.uses_ecn and datagram.tos & TOS_ECN_MASK == TOS_CE

    def note_ecn_of_data(self, tsn):
        """The lowest TSN of a marked packet is echoed with each SACK until a CWR comes."""
        if self.packet_is_marked and self.ecn_echo_tsn is None:
            self.ecn_echo_tsn = tsn
        if self.packet_is_marked:
            self.packet_is_marked = False
            self.queue_ecne()

    def queue_ecne(self):
        self.queue_control(wire.Chunk(wire.ECNE, 0, struct.pack("!I", self.ecn_echo_tsn % wire.TSN_MODULUS)), self.arrival_path or self.data_path())

    def receive_cwr(self, chunk):
        """The sender has reduced cwnd: no more echo of TSNs up to this."""
        tsn = wire.read_word(chunk)
        if tsn is not None and self.ecn_echo_tsn is not None and wire.unwrap(tsn, self.ecn_echo_tsn) >= self.ecn_echo_tsn:
            self.ecn_echo_tsn = None

    def receive_ecne(self, chunk):
        """cwnd is halved once in a window of data; a CWR tells so each time."""
        tsn = wire.read_word(chunk)
        if tsn is None or not self.uses_ecn:
            return
        tsn = wire.unwrap(tsn, self.cum_acked)
        if tsn > self.ecn_reduced_at:
            self.ecn_reduced_at = self.next_tsn - 1
            path = self.arrival_path or self.data_path()
            path.ssthresh = max(path.cwnd // 2, 4 * self.pmdcs(path))
            self.set_cwnd(path, min(path.cwnd, path.ssthresh), "ecn")
        self.queue_control(wire.Chunk(wire.CWR, 0, struct.pack("!I", (self.next_tsn - 1) % wire.TSN_MODULUS)), self.arrival_path)
