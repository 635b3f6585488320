# SPDX-License-Identifier: GPL-2.0-or-later
"""Receiving data (RFC 9260 6.2, 6.5, 6.7): TSNs, when a SACK is due and what it says, the receive window, dropped and reneged chunks.

Leaves out reassembly and the order of delivery: reordering.py.
"""

import bisect

from .. import wire

STATES_THAT_RECEIVE_DATA = ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-SENT")
GAP_OFFSET_MAX = 65535


class Receiver:
    """The association's part."""

    def begin_receiver(self):
        self.cum_tsn = -1
        self.peer_initial_tsn = 0
        self.ranges = []
        self.duplicates = []
        self.last_data_path = None
        self.unacked_packets = 0
        self.ack_is_due = False
        self.has_acked = False
        self.had_gap = False
        self.last_a_rwnd = self.policy.receive_buffer_bytes
        self.sack_timer = self.new_timer("SACK", self.sack_timer_expired)
        self.begin_counting_packet()

    def begin_counting_packet(self):
        self.packet_has_data = self.packet_has_new = self.packet_has_duplicate = self.packet_wants_ack = self.packet_was_dropped = False

    def set_peer_initial_tsn(self, tsn):
        """3.3.4: before any DATA the Cumulative TSN Ack is the peer's initial TSN minus one."""
        self.peer_initial_tsn = tsn
        self.cum_tsn = tsn - 1
        self.ranges = []

    def begin_received_packet(self, packet, datagram):
        self.arrival_source = datagram.source
        self.stands_alone = len(packet.chunks) == 1
        self.authenticated_from = None
        self.begin_counting_packet()
        self.hear_while_shutting_down()
        self.note_ecn(datagram)

    # TSNs.
    def has_tsn(self, tsn):
        if tsn <= self.cum_tsn:
            return True
        at = bisect.bisect_right(self.ranges, [tsn, 1 << 62]) - 1
        return at >= 0 and self.ranges[at][1] >= tsn

    def highest_tsn(self):
        return self.ranges[-1][1] if self.ranges else self.cum_tsn

    def add_tsn(self, tsn):
        """One that has not been received yet."""
        ranges = self.ranges
        if tsn == self.cum_tsn + 1:
            self.advance_cum_tsn(tsn)
            return
        at = bisect.bisect_right(ranges, [tsn, 1 << 62])
        joins_before = at > 0 and ranges[at - 1][1] == tsn - 1
        joins_after = at < len(ranges) and ranges[at][0] == tsn + 1
        if joins_before and joins_after:
            ranges[at - 1][1] = ranges.pop(at)[1]
        elif joins_before:
            ranges[at - 1][1] = tsn
        elif joins_after:
            ranges[at][0] = tsn
        else:
            ranges.insert(at, [tsn, tsn])

    def advance_cum_tsn(self, tsn):
        """To tsn, and on over what has been received beyond (also RFC 3758 3.6)."""
        ranges = self.ranges
        self.cum_tsn = tsn
        while ranges and ranges[0][0] <= self.cum_tsn + 1:
            self.cum_tsn = max(self.cum_tsn, ranges.pop(0)[1])

    def remove_tsn(self, tsn):
        """Of a chunk that is dropped again; the highest one."""
        last = self.ranges[-1]
        if last[0] == last[1]:
            self.ranges.pop()
        else:
            last[1] -= 1

    # DATA.
    def receive_data(self, chunk):
        """3.3.1, 6.2, 6.5."""
        if self.state not in STATES_THAT_RECEIVE_DATA:
            return None
        data = wire.read_data(chunk)
        if data is None:
            return self.receive_malformed_chunk(chunk)
        if (chunk.type == wire.I_DATA) != self.uses_interleaving:
            return self.receive_wrong_data_type(chunk)
        if not data.user_data:
            return self.receive_empty_data(data)
        self.packet_has_data = True
        self.packet_wants_ack |= data.immediate
        self.last_data_path = self.arrival_path
        tsn = wire.unwrap(data.tsn, self.cum_tsn)
        if self.has_tsn(tsn):
            self.packet_has_duplicate = True
            self.duplicates.append(tsn)
            return None
        if not self.has_room_for(tsn, data):
            self.packet_was_dropped = True
            return None
        self.packet_has_new = True
        self.note_ecn_of_data(tsn)
        if data.stream >= self.inbound_streams:
            self.add_tsn(tsn)
            self.release_deferred()
            return self.receive_invalid_stream(data)
        self.hold(tsn, data)
        self.add_tsn(tsn)
        self.deliver(tsn, data)
        self.release_deferred()
        return None

    def receive_empty_data(self, data):
        """6.2: ABORT with No User Data."""
        self.abort_with([wire.word_cause(wire.NO_USER_DATA, data.tsn)])
        return False

    def receive_invalid_stream(self, data):
        """6.5: acked as any other, ERROR at once, discarded."""
        self.queue_control(wire.causes_chunk(wire.ERROR, [wire.invalid_stream_cause(data.stream)]), self.arrival_path)

    def has_room_for(self, tsn, data):
        """6.2: with a window of 0 what is beyond the highest TSN is dropped; for a lower one the highest held for reordering goes."""
        if self.a_rwnd() > 0 or self.deliver_partially():
            return True
        if tsn > self.highest_tsn():
            return False
        if self.policy.renegs:
            self.renege()
        return True

    def renege(self):
        """6.2: drops the largest TSN held for reordering."""
        tsn = self.highest_tsn()
        if tsn > self.cum_tsn and self.unhold(tsn):
            self.remove_tsn(tsn)

    # The window (6.2 A to D).
    def a_rwnd(self):
        """What a SACK would say now."""
        free = self.policy.receive_buffer_bytes - self.held_in_bytes
        return 0 if free < max(self.policy.receiver_sws_bytes, 1) else free

    def update_window(self):
        """6.2: a SACK tells of a window that the user opened, if it has grown by a quarter of the buffer (or what the policy says)."""
        if self.state in STATES_THAT_RECEIVE_DATA and self.window_update_is_due():
            self.ack_is_due = True
            self.flush()

    def window_update_is_due(self):
        now = self.a_rwnd()
        return now - self.last_a_rwnd >= self.policy.window_update_share * self.policy.receive_buffer_bytes or (
            self.last_a_rwnd == 0 and now >= self.quarter_bytes()
        )

    def quarter_bytes(self):
        return min(self.policy.receive_buffer_bytes, max(1, int(self.policy.window_update_share * self.policy.receive_buffer_bytes)))

    # When a SACK is due.
    def end_received_packet(self):
        """6.2: what the DATA of a packet means for the SACK, once the packet is through."""
        if not self.packet_has_data:
            return
        if self.fragments and self.a_rwnd() < self.policy.receive_buffer_bytes // 2:
            self.deliver_partially()
        has_gap = bool(self.ranges)
        if self.state == "SHUTDOWN-SENT":
            self.answer_data_while_shutting_down(has_gap or self.packet_has_duplicate)
        else:
            self.unacked_packets += 1
            if self.acks_at_once(has_gap):
                self.ack_is_due = True
            elif not self.sack_timer.is_running:
                self.sack_timer.start(self.sack_delay_ns())
        self.had_gap = has_gap

    def acks_at_once(self, has_gap):
        """5.1, 6.2, 6.7: the first DATA, every second packet, gaps, duplicates without new DATA, dropped DATA, the I bit."""
        policy = self.policy
        if self.packet_wants_ack or self.packet_was_dropped or has_gap or self.unacked_packets >= policy.sack_packets:
            return True
        if not self.has_acked and "first" in policy.acks_at_once:
            return True
        if self.had_gap and policy.sack_at_gap_closure:
            return True
        return "duplicates" in policy.acks_at_once and self.packet_has_duplicate and (not self.packet_has_new or policy.sack_with_duplicates_and_new)

    def has_received(self):
        return self.cum_tsn >= self.peer_initial_tsn or bool(self.ranges)

    def sack_delay_ns(self):
        """6.2: SACK.Delay."""
        return self.policy.sack_delay_ns

    def sack_timer_expired(self):
        self.ack_is_due = True
        self.flush()

    def forget_pending_ack(self):
        """What a SHUTDOWN acks needs no SACK (6.2)."""
        self.ack_is_due = False
        self.unacked_packets = 0
        self.has_acked |= self.has_received()
        self.sack_timer.stop()

    def queue_due_sack(self):
        if self.ack_is_due and self.state in STATES_THAT_RECEIVE_DATA + ("SHUTDOWN-RECEIVED",):
            self.queue_sack(self.sack_path())

    def queue_sack(self, path):
        sack = self.make_sack(path)
        self.acknowledged(sack)
        self.queue_control(sack, path)

    def sack_path(self):
        """6.4, 6.7: to where the last DATA came from; by policy another one for duplicates; never to an unconfirmed one (5.4)."""
        path = self.last_data_path
        if path is None or not path.is_confirmed or path.is_removed:
            return self.data_path()
        if self.policy.sack_path == "vary for duplicates" and self.duplicates:
            return self.other_path(path) or path
        return path

    def bundles_pending_sack(self, path):
        """6.1: a delayed SACK goes with DATA."""
        return self.policy.bundles_sack_with_data and self.unacked_packets > 0 and self.state in STATES_THAT_RECEIVE_DATA + ("SHUTDOWN-RECEIVED",)

    def make_sack(self, path):
        """3.3.4."""
        room = path.pmtu - path.header_bytes() - wire.SACK_BYTES - self.auth_bytes_of_data()
        gaps = self.gap_blocks()[: room // 4]
        duplicates = self.duplicates[: max(0, room // 4 - len(gaps))] if self.policy.reports_duplicates else []
        return self.encode_sack(self.reported_cum_tsn(), self.reported_a_rwnd(), gaps, duplicates)

    def reported_cum_tsn(self):
        return self.cum_tsn

    def reported_a_rwnd(self):
        return self.a_rwnd()

    def gap_blocks(self):
        """6.7: isolated, from the lowest on, as far as 16 bits reach."""
        cum = self.cum_tsn
        return [(start - cum, min(end - cum, GAP_OFFSET_MAX)) for start, end in self.ranges if start - cum <= GAP_OFFSET_MAX]

    def encode_sack(self, cum_tsn, a_rwnd, gaps, duplicates):
        if self.uses_nr_sack:
            return wire.nr_sack_chunk(cum_tsn, a_rwnd, *self.split_gaps(cum_tsn, gaps), duplicates)
        return wire.sack_chunk(cum_tsn, a_rwnd, gaps, duplicates)

    def split_gaps(self, cum_tsn, gaps):
        """draft-tuexen-tsvwg-sctp-nr-sack 4: what may still be dropped, and what has gone to the user."""
        held, free = [], []
        for start, end in gaps:
            for offset in range(start, end + 1):
                blocks = held if self.may_renege(cum_tsn + offset) else free
                if blocks and blocks[-1][1] == offset - 1:
                    blocks[-1] = (blocks[-1][0], offset)
                else:
                    blocks.append((offset, offset))
        return held, free

    def acknowledged(self, sack):
        """A SACK is on its way: what it told is not told again."""
        self.ack_is_due = False
        self.unacked_packets = 0
        self.has_acked |= self.has_received()
        self.duplicates = []
        self.sack_timer.stop()
        if self.last_a_rwnd != self.a_rwnd():
            self.last_a_rwnd = self.a_rwnd()
            self.record("window", a_rwnd_bytes=self.last_a_rwnd, held_bytes=self.held_in_bytes, cause=self.why_held())
