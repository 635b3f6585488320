# SPDX-License-Identifier: GPL-2.0-or-later
"""From chunks to the user (RFC 9260 6.6, 6.9): reassembly, the order of streams, the receive buffer, reading, partial delivery.

Leaves out TSNs and SACKs (receiver.py) and the reassembly of I-DATA (interleaving.py).
"""

import collections

from .. import wire
from .interleaving import Assembled


class InStream:
    """An incoming stream: the next SSN or MID, and messages that wait for lower ones."""

    __slots__ = ("next_number", "waiting", "next_unordered")

    def __init__(self):
        self.next_number = 0
        self.waiting = {}
        self.next_unordered = 0


class Reordering:
    """The association's part."""

    def begin_reordering(self):
        self.held_in = {}
        self.held_in_bytes = 0
        self.fragments = {}
        self.assembling = {}
        self.in_streams = {}
        self.inbox = collections.deque()
        self.reading_is_paused = False

    def in_stream(self, number):
        stream = self.in_streams.get(number)
        if stream is None:
            stream = self.in_streams[number] = InStream()
        return stream

    # The buffer.
    def hold(self, tsn, data):
        """6.2 B."""
        size = len(data.user_data) + self.policy.receive_overhead_bytes
        self.held_in[tsn] = size
        self.held_in_bytes += size

    def free(self, tsns):
        """6.2 C."""
        for tsn in tsns:
            self.held_in_bytes -= self.held_in.pop(tsn, 0)

    def unhold(self, tsn):
        """Drops a chunk that waits for reassembly or its turn; False: it has gone to the user (or into a message) already."""
        if tsn in self.fragments:
            data = self.fragments.pop(tsn)
            parts = self.assembling.get(self.assembly_key(data))
            if parts is not None:
                parts.pop(data.fsn, None)
            self.free([tsn])
            return True
        for stream in self.in_streams.values():
            for number, message in stream.waiting.items():
                if message.tsns == [tsn]:
                    del stream.waiting[number]
                    self.free([tsn])
                    return True
        return False

    def may_renege(self, tsn):
        """What waits for fragments or its turn, if the policy ever drops that."""
        if not self.policy.renegs:
            return False
        return tsn in self.fragments or any(tsn in message.tsns for stream in self.in_streams.values() for message in stream.waiting.values())

    def why_held(self):
        """For the truth: what pins the window."""
        if self.inbox:
            return "reader"
        if self.fragments:
            return "fragments"
        return "missing_tsn" if self.held_in_bytes else None

    # Reassembly.
    def deliver(self, tsn, data):
        """One new chunk: what it completes goes to the user."""
        if self.is_deferred(tsn, data):
            return
        if data.beginning and data.ending:
            self.arrange(Assembled(data.stream, data.number, data.ppid, data.user_data, not data.unordered, [tsn]))
            return
        if not self.uses_interleaving and self.policy.checks_fragments and not self.fits_neighbours(tsn, data):
            self.abort_with([wire.Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text)])
            return
        self.fragments[tsn] = data
        message = self.assemble_by_fsn(tsn, data) if self.uses_interleaving else self.assemble_by_tsn(tsn, data)
        if message is not None:
            self.arrange(message)

    def fits_neighbours(self, tsn, data):
        """6.9: within a message stream, SSN and U bit are the same, B only comes first and E last."""
        before, after = self.fragments.get(tsn - 1), self.fragments.get(tsn + 1)
        same = lambda other: (other.stream, other.number, other.unordered) == (data.stream, data.number, data.unordered)
        if before is not None and (before.ending != data.beginning or (not before.ending and not same(before))):
            return False
        return after is None or (data.ending == after.beginning and (data.ending or same(after)))

    def assemble_by_tsn(self, tsn, data):
        """6.9: fragments of a message have TSNs in sequence, from B to E."""
        fragments, first, last = self.fragments, tsn, tsn
        while not fragments[first].beginning:
            first -= 1
            if first not in fragments or fragments[first].ending:
                return None
        while not fragments[last].ending:
            last += 1
            if last not in fragments or fragments[last].beginning:
                return None
        tsns = list(range(first, last + 1))
        parts = [fragments.pop(t) for t in tsns]
        return Assembled(data.stream, data.number, parts[0].ppid, b"".join([p.user_data for p in parts]), not data.unordered, tsns)

    # Order.
    def arrange(self, message):
        """6.6: unordered messages at once, ordered ones in the order of their SSNs (RFC 8260: MIDs)."""
        if not message.ordered:
            self.hand_over(message)
            return
        stream = self.in_stream(message.stream)
        number = wire.unwrap(message.number, stream.next_number, 32 if self.uses_interleaving else 16)
        if number < stream.next_number:
            self.receive_old_sequence_number(message)
            return
        stream.waiting[number] = message
        self.hand_over_in_order(stream)

    def receive_old_sequence_number(self, message):
        """An SSN or MID that has been delivered or skipped: no clause names an answer; it is acked and discarded."""
        self.free(message.tsns)

    def hand_over_in_order(self, stream):
        while stream.next_number in stream.waiting:
            message = stream.waiting.pop(stream.next_number)
            stream.next_number += 1
            self.hand_over(message)

    def hand_over(self, message):
        """To the user, or into the inbox while he does not read."""
        if self.is_channel_message(message):
            self.free(message.tsns)
            self.receive_channel_message(message)
            return
        self.inbox.append(message)
        if not self.reading_is_paused:
            self.read_next()

    # The user's calls.
    def read_next(self):
        message = self.inbox.popleft()
        self.free(message.tsns)
        self.record("message", event="delivered", stream=message.stream, ordered=message.ordered, ppid=message.ppid, bytes=len(message.data))
        self.application.message(self, message.stream, message.ppid, message.data, message.ordered)

    def pause_reading(self):
        """The user reads no more: what arrives stays in the receive buffer."""
        self.reading_is_paused = True

    def resume_reading(self):
        """The user reads again, and what waits at once."""
        self.reading_is_paused = False
        self.read(len(self.inbox))

    def read(self, count=1):
        """RECEIVE (11.1.7): hands over up to count messages that wait; how many these were."""
        done = 0
        while self.inbox and done < count:
            self.read_next()
            done += 1
        if done and not self.is_gone:
            self.update_window()
        return done

    def deliver_partially(self):
        """6.9: out of buffer while a message waits for its fragments: what is there of it from its beginning on goes to the user by the partial
        delivery API, and its room is free. The upcall comes with the whole message; True: there is room now."""
        if self.inbox:
            return False
        for tsn in sorted(self.fragments):
            data = self.fragments[tsn]
            if data.beginning and self.is_next_of_stream(data):
                self.free(self.contiguous_from(tsn, data))
        return self.a_rwnd() > 0

    def is_next_of_stream(self, data):
        if data.unordered:
            return True
        stream = self.in_stream(data.stream)
        return wire.unwrap(data.number, stream.next_number, 32 if self.uses_interleaving else 16) == stream.next_number

    def contiguous_from(self, tsn, data):
        """TSNs of the fragments that follow each other from this first one on, and are acked for good."""
        tsns = []
        if self.uses_interleaving:
            tsns = self.contiguous_fsns(data)
        else:
            while tsn in self.fragments and tsn <= self.cum_tsn:
                tsns.append(tsn)
                tsn += 1
        return tsns

    # What partial reliability and resets do to streams.
    def skip_streams(self, streams, cum_tsn):
        """RFC 3758 3.6, RFC 8260 2.3.1: messages up to the number listed are delivered or given up; the next one is what follows. Then messages are
        removed that still miss a fragment at or below cum_tsn."""
        self.drop_incomplete(cum_tsn, streams)
        for number, unordered, sequence_number in streams:
            if not unordered:
                stream = self.in_stream(number)
                skipped = wire.unwrap(sequence_number, stream.next_number, 32 if self.uses_interleaving else 16)
                for waiting in sorted(n for n in stream.waiting if n <= skipped):
                    self.hand_over(stream.waiting.pop(waiting))
                stream.next_number = max(stream.next_number, skipped + 1)
                self.hand_over_in_order(stream)

    def drop_incomplete(self, cum_tsn, streams):
        """Fragments of messages that cannot be completed."""
        if self.uses_interleaving:
            self.drop_skipped_mids(streams)
            return
        for tsn in sorted(self.fragments):
            if tsn in self.fragments and tsn <= cum_tsn:
                run = self.run_of(tsn)
                if self.misses_fragment_up_to(run, cum_tsn):
                    self.drop_fragments(run)

    def run_of(self, tsn):
        """TSNs of the fragments around this one that belong to its message, as far as they are there."""
        first = last = tsn
        while not self.fragments[first].beginning and first - 1 in self.fragments and not self.fragments[first - 1].ending:
            first -= 1
        while not self.fragments[last].ending and last + 1 in self.fragments and not self.fragments[last + 1].beginning:
            last += 1
        return list(range(first, last + 1))

    def misses_fragment_up_to(self, run, cum_tsn):
        if not self.fragments[run[0]].beginning:
            return True
        return not self.fragments[run[-1]].ending and run[-1] + 1 <= cum_tsn

    def drop_fragments(self, tsns):
        for tsn in tsns:
            self.fragments.pop(tsn, None)
        self.free(tsns)

    def reset_in_streams(self, numbers):
        """RFC 6525 5.2.2 E3: 0 is the next SSN (RFC 8260 2.3.2: and MID); numbers empty: all."""
        for number in numbers or list(self.in_streams):
            stream = self.in_stream(number)
            stream.next_number = stream.next_unordered = 0
