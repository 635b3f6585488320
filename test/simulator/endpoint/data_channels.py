# SPDX-License-Identifier: GPL-2.0-or-later
"""WebRTC data channels (RFC 8831, 8832): DATA_CHANNEL_OPEN and DATA_CHANNEL_ACK, closing by a reset of the stream.

Leaves out DTLS and ICE, and the priority of channels.
"""

import struct

from .. import wire

MESSAGE_ACK, MESSAGE_OPEN = 0x02, 0x03
RELIABLE, PARTIAL_RELIABLE_REXMIT, PARTIAL_RELIABLE_TIMED, UNORDERED = 0x00, 0x01, 0x02, 0x80


class Channel:
    """One data channel. state: opening, open, closing."""

    __slots__ = ("stream", "label", "protocol", "ordered", "retransmissions_max", "lifetime_ms", "state", "peer_closed", "own_closed")

    def __init__(self, stream, label, protocol, ordered, retransmissions_max, lifetime_ms, state):
        self.stream = stream
        self.label = label
        self.protocol = protocol
        self.ordered = ordered
        self.retransmissions_max = retransmissions_max
        self.lifetime_ms = lifetime_ms
        self.state = state
        self.peer_closed = self.own_closed = False


class DataChannels:
    """The association's part."""

    def begin_data_channels(self):
        self.channels = {}

    # The user's calls.
    def open_channel(self, label=b"", protocol=b"", ordered=True, retransmissions_max=None, lifetime_ms=None, is_even=True):
        """RFC 8832 6: the stream of a new channel, None if none is free; even or odd by the DTLS role of this end."""
        stream = 0 if is_even else 1
        while stream in self.channels:
            stream += 2
        if stream >= min(self.outbound_streams, self.inbound_streams):
            return None
        kind, parameter = RELIABLE, 0
        if retransmissions_max is not None:
            kind, parameter = PARTIAL_RELIABLE_REXMIT, retransmissions_max
        elif lifetime_ms is not None:
            kind, parameter = PARTIAL_RELIABLE_TIMED, lifetime_ms
        kind |= 0 if ordered else UNORDERED
        self.channels[stream] = Channel(stream, label, protocol, ordered, retransmissions_max, lifetime_ms, "opening")
        head = struct.pack("!BBHIHH", MESSAGE_OPEN, kind, 0, parameter, len(label), len(protocol))
        self.send(head + label + protocol, stream, wire.PPID_DCEP)
        return stream

    def send_on_channel(self, stream, data, is_text=False):
        """RFC 8831 6.6: ordered until the ACK has come (RFC 8832 6); an empty message is one zero byte with a PPID of its own."""
        channel = self.channels[stream]
        ppid = wire.PPID_STRING if is_text else wire.PPID_BINARY
        if not data:
            data, ppid = b"\0", wire.PPID_STRING_EMPTY if is_text else wire.PPID_BINARY_EMPTY
        lifetime_ns = None if channel.lifetime_ms is None else channel.lifetime_ms * 1_000_000
        ordered = channel.ordered or channel.state == "opening"
        return self.send(data, stream, ppid, ordered, lifetime_ns, channel.retransmissions_max)

    def close_channel(self, stream):
        """RFC 8831 6.7: resets the outgoing stream."""
        if stream in self.channels:
            self.channels[stream].state = "closing"
            self.reset_streams([stream])

    # DCEP.
    def is_channel_message(self, message):
        return self.policy.data_channels and message.ppid == wire.PPID_DCEP

    def receive_channel_message(self, message):
        """RFC 8832 5."""
        data = message.data
        if data[:1] == bytes([MESSAGE_OPEN]) and len(data) >= 12:
            self.receive_open(message)
        elif data[:1] == bytes([MESSAGE_ACK]) and message.stream in self.channels:
            self.channels[message.stream].state = "open"
            self.application.channel_acked(self, message.stream)

    def receive_open(self, message):
        """RFC 8832 6: the channel is open, ACK on the same stream."""
        _, kind, _, parameter, label_bytes, protocol_bytes = struct.unpack_from("!BBHIHH", message.data)
        label, protocol = message.data[12 : 12 + label_bytes], message.data[12 + label_bytes : 12 + label_bytes + protocol_bytes]
        reliability = kind & ~UNORDERED
        self.channels[message.stream] = Channel(
            message.stream, label, protocol, not kind & UNORDERED, parameter if reliability == PARTIAL_RELIABLE_REXMIT else None,
            parameter if reliability == PARTIAL_RELIABLE_TIMED else None, "open",
        )  # fmt: skip
        self.send(bytes([MESSAGE_ACK]), message.stream, wire.PPID_DCEP)
        self.application.channel_opened(self, message.stream, label, protocol)

    def peer_closed_channels(self, streams):
        """RFC 8831 6.7: the peer has reset its stream: this end resets its own; the channel is gone when both are."""
        for stream in streams or list(self.channels):
            channel = self.channels.get(stream)
            if channel is not None:
                channel.peer_closed = True
                if channel.state != "closing":
                    self.close_channel(stream)
                self.forget_channel(channel)

    def own_channels_closed(self, streams):
        for stream in streams or list(self.channels):
            channel = self.channels.get(stream)
            if channel is not None and channel.state == "closing":
                channel.own_closed = True
                self.forget_channel(channel)

    def forget_channel(self, channel):
        if channel.peer_closed and channel.own_closed:
            self.channels.pop(channel.stream, None)
