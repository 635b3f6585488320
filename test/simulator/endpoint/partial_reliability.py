# SPDX-License-Identifier: GPL-2.0-or-later
"""Partial reliability (RFC 3758; RFC 7496 4.1, 4.2; RFC 8260 2.3.1): abandoned messages, FORWARD-TSN and I-FORWARD-TSN, both ends.

Leaves out priorities of RFC 7496 4.2 as a ground for abandoning (priority only orders messages here).
"""

from .. import wire
from .fragmentation import OutChunk

STATES_THAT_FORWARD = ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED")


class PartialReliability:
    """The association's part."""

    def begin_partial_reliability(self):
        self.advanced_ack_point = self.cum_acked
        self.forward_tsn_is_due = False
        self.has_abandoned = False
        self.forward_tsn_sent_ns = None
        self.forward_tsn_sent_for = None
        self.lifetime_timer = self.new_timer("lifetime", self.lifetime_timer_expired)
        self.forward_tsn_timer = self.new_timer("FORWARD-TSN", self.forward_tsn_timer_expired)

    # When a message is abandoned.
    def is_expired(self, message):
        """RFC 3758 TR2 to TR4; without the extension only what has no TSN yet (RFC 9260 11.1.5, life time)."""
        if message.expires_ns is None or self.simulation.now_ns < message.expires_ns:
            return False
        return self.uses_forward_tsn or not message.is_begun

    def is_stale(self, out):
        """TR4: before a retransmission; True: it was abandoned just now."""
        return self.abandon_before_retransmission(out)

    def abandon_before_retransmission(self, out):
        """True: the life of its message is over (TR4), or it was retransmitted as often as it may be (RFC 7496 4.1)."""
        message = out.message
        if not self.uses_forward_tsn or message.is_abandoned:
            return message.is_abandoned
        limit = message.retransmissions_max
        if self.is_expired(message) or (limit is not None and out.transmissions > limit):
            self.abandon(message)
            return True
        return False

    def abandon_at_timeout(self, chunks):
        for out in chunks:
            self.abandon_before_retransmission(out)

    def watch_lifetimes(self):
        """TR5: by policy a message is abandoned when its life ends."""
        if not self.policy.lifetime_timer or not self.uses_forward_tsn:
            return
        ends = [
            out.message.expires_ns
            for out in self.outstanding.values()
            if out.message.expires_ns is not None and not out.is_abandoned and not out.is_gap_acked
        ]
        if not ends:
            self.lifetime_timer.stop()
        elif not self.lifetime_timer.is_running or self.lifetime_timer.expires_ns != min(ends):
            self.lifetime_timer.start(max(0, min(ends) - self.simulation.now_ns))

    def lifetime_timer_expired(self):
        self.flush()

    def abandon_expired(self):
        """TR5, where the policy looks at lives at any time."""
        if not self.policy.lifetime_timer or not self.uses_forward_tsn:
            return
        for out in list(self.outstanding.values()):
            if not out.is_abandoned and not out.is_gap_acked and self.is_expired(out.message):
                self.abandon(out.message)

    def abandon(self, message):
        """RFC 3758 3.5 A2, A3: all its chunks count as acked, none is outstanding; what has no TSN is dropped."""
        was_partly_sent = message.is_begun and not message.is_chunked
        message.is_abandoned = self.has_abandoned = True
        for out in message.chunks:
            if out.tsn in self.outstanding:
                if not out.is_gap_acked:
                    out.path.unacked -= 1
                self.end_flight(out)
                self.marked.pop(out.tsn, None)
                out.is_abandoned = True
        if not message.is_chunked:
            self.queued_bytes -= len(message.data) - message.offset
            self.dequeue(message)
        if was_partly_sent and self.policy.abandon_ends_message:
            self.take_tsn_of_missing_end(message)
        self.release(message, "abandoned")
        self.application.send_failed(self, message.number, "abandoned")

    def take_tsn_of_missing_end(self, message):
        """A TSN for the end that is never sent: the receiver then misses a fragment below the New Cumulative TSN, and drops the rest (RFC 3758 3.6;
        see disagreements.md)."""
        chunk = self.encode_data(self.next_tsn, message, b"\0", False, True, False)
        out = OutChunk(self.next_tsn, message, chunk, 1, self.data_path())
        out.is_abandoned = True
        message.chunks.append(out)
        self.outstanding[self.next_tsn] = out
        self.next_tsn += 1

    # FORWARD-TSN, sender.
    def advance_peer_ack_point(self, by_sack):
        """C1 to C3."""
        self.has_abandoned = False
        point = max(self.advanced_ack_point, self.cum_acked)
        while point + 1 in self.outstanding and self.outstanding[point + 1].is_abandoned:
            point += 1
        self.advanced_ack_point = point
        if point > self.cum_acked and self.uses_forward_tsn and self.repeats_forward_tsn(by_sack):
            delay_ns = self.policy.forward_tsn_delay_ns
            if delay_ns and by_sack:
                if not self.forward_tsn_timer.is_running:
                    self.forward_tsn_timer.start(delay_ns)
            else:
                self.forward_tsn_is_due = True

    def repeats_forward_tsn(self, by_sack):
        """C3 and the note below F2: for each SACK; or, for the same point, once in a round trip."""
        if not by_sack or self.policy.forward_tsn_repeats == "sack" or self.forward_tsn_sent_for != self.advanced_ack_point:
            return True
        path = self.data_path()
        return self.simulation.now_ns - self.forward_tsn_sent_ns >= (path.srtt_ns or path.rto_ns)

    def forward_tsn_timer_expired(self):
        self.forward_tsn_is_due = True
        self.flush()

    def queue_due_forward_tsn(self):
        """C3 to C5, F2: with the DATA that leaves now."""
        if self.has_abandoned:
            self.advance_peer_ack_point(by_sack=False)
        if self.forward_tsn_timer.is_running and (self.marked or self.busy_streams):
            self.forward_tsn_is_due = True
        if self.state not in STATES_THAT_FORWARD or self.advanced_ack_point <= self.cum_acked or not self.uses_forward_tsn:
            return
        if not self.forward_tsn_is_due:
            self.keep_t3_for_forward_tsn()
            return
        self.forward_tsn_is_due = False
        self.forward_tsn_timer.stop()
        path = self.data_path()
        self.queue_control(self.make_forward_tsn(path), path)
        self.forward_tsn_sent_ns, self.forward_tsn_sent_for = self.simulation.now_ns, self.advanced_ack_point
        self.keep_t3_for_forward_tsn()

    def keep_t3_for_forward_tsn(self):
        """C5: at least one T3-rtx runs."""
        if not any(path.t3.is_running for path in self.paths.values()) and not self.forward_tsn_timer.is_running:
            self.start_t3(self.data_path())

    def make_forward_tsn(self, path):
        """C4: each stream once, with the highest number abandoned; of unordered messages only in I-FORWARD-TSN. As much as fits into one packet."""
        room = self.room_bytes(path, []) - 8
        rows, row_bytes = {}, 8 if self.uses_interleaving else 4
        point = self.cum_acked
        while point < self.advanced_ack_point:
            out = self.outstanding[point + 1]
            message = out.message
            if message.is_ordered or self.uses_interleaving:
                key = message.stream, not message.is_ordered
                if key not in rows and (len(rows) + 1) * row_bytes > room:
                    break
                rows[key] = max(rows.get(key, 0), message.ssn)
            point += 1
        self.advanced_ack_point = point
        if self.uses_interleaving:
            return wire.i_forward_tsn_chunk(point, [(stream, unordered, number) for (stream, unordered), number in rows.items()])
        return wire.forward_tsn_chunk(point, [(stream, number) for (stream, _), number in rows.items()])

    # FORWARD-TSN, receiver.
    def receive_forward_tsn(self, chunk):
        """RFC 3758 3.6; RFC 8260 2.3.1: the type that goes with the DATA type, else ABORT."""
        if self.state not in ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-SENT"):
            return None
        if (chunk.type == wire.I_FORWARD_TSN) != self.uses_interleaving:
            return self.receive_wrong_forward_type(chunk)
        forward = wire.read_forward_tsn(chunk)
        if forward is None:
            return self.receive_malformed_chunk(chunk)
        cum_tsn = wire.unwrap(forward.cum_tsn, self.cum_tsn)
        self.packet_has_data = True
        self.last_data_path = self.arrival_path
        if cum_tsn <= self.cum_tsn:
            return self.receive_old_forward_tsn(forward)
        self.packet_has_new = True
        self.skip_streams(forward.streams, cum_tsn)
        self.advance_cum_tsn(cum_tsn)
        self.release_deferred()
        return None

    def receive_old_forward_tsn(self, forward):
        """3.6: out of date; a SACK at once (SHOULD), for the last one may have been lost."""
        self.packet_wants_ack = True
