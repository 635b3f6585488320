# SPDX-License-Identifier: GPL-2.0-or-later
"""User messages to DATA and I-DATA chunks (RFC 9260 6.5, 6.9; RFC 8260 2.2.2), and which message is next (RFC 8260 3).

Leaves out when a chunk may be sent: sender.py.
"""

import collections

from .. import wire


class Message:
    """A message of the user on its way."""

    __slots__ = (
        "number", "stream", "ppid", "data", "is_ordered", "expires_ns", "retransmissions_max", "priority", "is_immediate", "offset", "next_fsn",
        "ssn",
        "unacked_chunks", "is_abandoned", "chunks", "retransmissions", "handed_over_ns",
    )  # fmt: skip

    def __init__(self, number, stream, ppid, data, is_ordered, expires_ns, retransmissions_max, priority, is_immediate):
        self.number = number
        self.stream = stream
        self.ppid = ppid
        self.data = data
        self.is_ordered = is_ordered
        self.expires_ns = expires_ns
        self.retransmissions_max = retransmissions_max
        self.priority = priority
        self.is_immediate = is_immediate
        self.offset = 0
        self.next_fsn = 0
        self.ssn = None
        self.unacked_chunks = 0
        self.is_abandoned = False
        self.chunks = []
        self.retransmissions = 0

    @property
    def is_begun(self):
        return self.next_fsn > 0

    @property
    def is_chunked(self):
        """All of it has been put into chunks."""
        return self.next_fsn > 0 and self.offset == len(self.data)


class OutStream:
    """An outgoing stream."""

    __slots__ = ("number", "queue", "next_ssn", "next_mid", "next_unordered_mid", "is_resetting", "barrier", "sent_bytes")

    def __init__(self, number):
        self.number = number
        self.queue = collections.deque()
        self.next_ssn = self.next_mid = self.next_unordered_mid = 0
        self.is_resetting = False
        self.barrier = 0
        self.sent_bytes = 0


# Of an endpoint that fragments to fill a packet: what is worth a fragment.
FRAGMENT_BYTES_MIN = 8


class OutChunk:
    """A DATA or I-DATA chunk that has a TSN. size_bytes: in the packet, padding included (7.2); is_in_flight: counts as outstanding on its path."""

    __slots__ = (
        "tsn", "message", "chunk", "size_bytes", "user_bytes", "path", "first_sent_ns", "sent_ns", "transmissions", "misses", "is_gap_acked",
        "is_in_flight",
        "is_fast_retransmitted", "cause", "next_path", "next_cause", "is_abandoned", "is_probe", "went_to_several_paths", "is_acked_for_good",
        "next_tsn_at_sending",
    )  # fmt: skip

    def __init__(self, tsn, message, chunk, user_bytes, path):
        self.tsn = tsn
        self.message = message
        self.chunk = chunk
        self.size_bytes = chunk.size_bytes
        self.user_bytes = user_bytes
        self.path = path
        self.first_sent_ns = self.sent_ns = None
        self.transmissions = 0
        self.misses = 0
        self.is_gap_acked = False
        self.is_in_flight = False
        self.is_fast_retransmitted = False
        self.cause = "first"
        self.next_path = self.next_cause = None
        self.is_abandoned = False
        self.is_probe = False
        self.went_to_several_paths = False
        self.is_acked_for_good = False
        self.next_tsn_at_sending = tsn + 1


class Fragmentation:
    """The association's part."""

    def begin_streams(self):
        """5.1.1: what the user handed over for streams that there are not, after all, is given back to him."""
        for number in [number for number in self.busy_streams if number >= self.outbound_streams]:
            for message in list(self.busy_streams[number].queue):
                self.queued_bytes -= len(message.data)
                self.dequeue(message)
                self.release(message, "failed")
                self.application.send_failed(self, message.number, "no such stream")

    def out_stream(self, number):
        """Made when it is used first: there may be 65535."""
        stream = self.out_streams.get(number)
        if stream is None:
            stream = self.out_streams[number] = OutStream(number)
            if self.barrier_of_all is not None:
                stream.is_resetting, stream.barrier = True, self.barrier_of_all
        return stream

    # Sizes.
    def pmdcs(self, path):
        """PMDCS (1.4): the largest DATA chunk that fits into the PMTU of a path."""
        return (path.pmtu - path.header_bytes() - self.auth_bytes_of_data()) & ~3

    def amdcs(self):
        """AMDCS (1.4, 7.3): the smallest PMDCS of all paths."""
        return min([self.pmdcs(path) for path in self.paths.values()])

    def data_header_bytes(self):
        return wire.I_DATA_HEADER_BYTES if self.uses_interleaving else wire.DATA_HEADER_BYTES

    def fragment_bytes(self, message):
        """User data of the next chunk of a message (6.9)."""
        limit = self.amdcs() - self.data_header_bytes()
        if self.policy.data_bytes_max is not None:
            limit = min(limit, self.policy.data_bytes_max)
        return min(len(message.data) - message.offset, limit)

    def fitted_bytes(self, message, path, room_bytes):
        """As fragment_bytes(), by policy cut to what packet, cwnd and the peer's window have room for."""
        user_bytes = self.fragment_bytes(message)
        if not self.policy.fills_packets or not path.flight_bytes:
            return user_bytes
        room_bytes = min(room_bytes, path.cwnd - path.flight_bytes, self.peer_rwnd)
        fits_bytes = (room_bytes & ~3) - self.data_header_bytes()
        return min(user_bytes, fits_bytes) if fits_bytes >= FRAGMENT_BYTES_MIN else user_bytes

    # The scheduler (RFC 8260 3).
    def next_message(self, packet_stream):
        """The message whose chunk is next, None if there is none. packet_stream: the stream of the packet that is being filled, None at its
        beginning."""
        if self.unfinished is not None and not self.uses_interleaving:
            return self.unfinished
        streams = [s for s in self.busy_streams.values() if s.queue and not (s.is_resetting and s.queue[0].number >= s.barrier)]
        if not streams or self.assignment_is_suspended():
            return None
        return self.scheduled_stream(streams, packet_stream).queue[0]

    def scheduled_stream(self, streams, packet_stream):
        scheduler = self.policy.scheduler
        if scheduler == "fcfs":
            return min(streams, key=lambda stream: stream.queue[0].number)
        if scheduler == "prio":
            return min(streams, key=lambda stream: (stream.queue[0].priority or 0, stream.queue[0].number))
        if scheduler == "fc":
            return min(streams, key=lambda stream: (stream.sent_bytes, stream.number))
        if scheduler == "rr_packet" and packet_stream is not None:
            for stream in streams:
                if stream.number == packet_stream:
                    return stream
        return min(streams, key=lambda stream: ((stream.number - self.last_stream - 1) % 65536, stream.number))

    def enqueue(self, message):
        stream = self.out_stream(message.stream)
        stream.queue.append(message)
        self.busy_streams[stream.number] = stream
        self.queued_bytes += len(message.data)

    def dequeue(self, message):
        """All of it has been chunked, or it is abandoned."""
        stream = self.out_streams[message.stream]
        stream.queue.remove(message)
        if not stream.queue:
            self.busy_streams.pop(stream.number, None)
        if self.unfinished is message:
            self.unfinished = None

    # Chunks.
    def make_chunk(self, message, user_bytes, path):
        """The next chunk of a message, with the next TSN (6.5, 6.9; RFC 8260 2.2.2)."""
        stream = self.out_streams[message.stream]
        if not message.is_begun:
            self.assign_sequence_number(message, stream)
        data = message.data[message.offset : message.offset + user_bytes]
        beginning = not message.is_begun
        message.offset += user_bytes
        ending = message.offset == len(message.data)
        tsn = self.next_tsn
        self.next_tsn += 1
        immediate = self.immediate_bit(message, ending) or path.cwnd < self.policy.immediate_below_cwnd_packets * self.pmdcs(path)
        chunk = self.encode_data(tsn, message, data, beginning, ending, immediate)
        message.next_fsn += 1
        out = OutChunk(tsn, message, chunk, len(data), path)
        message.chunks.append(out)
        message.unacked_chunks += 1
        self.queued_bytes -= user_bytes
        stream.sent_bytes += user_bytes
        self.last_stream = stream.number
        if ending:
            self.dequeue(message)
        else:
            self.unfinished = message
        return out

    def assign_sequence_number(self, message, stream):
        """6.5: from 0, one more for each ordered message."""
        if self.uses_interleaving:
            self.assign_mid(message, stream)
        elif message.is_ordered:
            message.ssn = stream.next_ssn
            stream.next_ssn += 1
        else:
            message.ssn = self.ssn_of_unordered(stream)

    def ssn_of_unordered(self, stream):
        """6.6: any value; the next one here."""
        return stream.next_ssn

    def encode_data(self, tsn, message, data, beginning, ending, immediate):
        if self.uses_interleaving:
            return self.encode_i_data(tsn, message, data, beginning, ending, immediate)
        return wire.data_chunk(tsn, message.stream, message.ssn, message.ppid, data, beginning, ending, not message.is_ordered, immediate)

    def immediate_bit(self, message, ending):
        """6.1, RFC 7053 4: asked for by the user, or by policy while shutting down."""
        if message.is_immediate and ending:
            return True
        return ending and self.state == "SHUTDOWN-PENDING" and self.policy.immediate_bit in ("shutdown", "both") and len(self.busy_streams) <= 1
