# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes together in a packet and when packets leave (RFC 9260 6.10): control chunks first, then DATA, up to the PMTU.

Leaves out which DATA may be sent (sender.py, congestion.py) and what a SACK says (receiver.py).
"""

from .. import wire
from ..datagram import TOS_ECT0

# Of control chunks of one packet, those of a lower rank come first (5.1: COOKIE ACK; 6.10: SHUTDOWN and SHUTDOWN ACK follow what they bring to an
# end).
RANKS = {wire.COOKIE_ECHO: 0, wire.COOKIE_ACK: 0, wire.ERROR: 3, wire.SACK: 1, wire.NR_SACK: 1, wire.SHUTDOWN: 5, wire.SHUTDOWN_ACK: 5}
MIDDLE_RANK = 4
SENT_TO_UNCONFIRMED = (wire.HEARTBEAT, wire.HEARTBEAT_ACK, wire.COOKIE_ACK, wire.COOKIE_ECHO, wire.ASCONF_ACK)  # 5.4, RFC 5061 5.3 F1
ENDS_IDLENESS = (wire.INIT, wire.COOKIE_ECHO, wire.HEARTBEAT)  # 8.3: what measures the round trip, beside DATA
STATES_WITH_DATA = ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED")


class Bundling:
    """The association's part."""

    def begin_bundling(self):
        self.controls = []
        self.is_flushing = False
        self.is_corked = False
        self.pause_cause = None
        self.pause_began_ns = 0

    def queue_control(self, chunk, path):
        """To be sent with the next flush(); path None: the primary. To an unconfirmed path only what 5.4 allows, else where data goes."""
        path = path or self.primary
        if not path.is_confirmed and chunk.type not in SENT_TO_UNCONFIRMED:
            path = self.data_path() or path
        self.controls.append((chunk, path))

    def reply_path(self):
        """To where the packet came from that is being dealt with (6.4), unless that is unconfirmed (5.4)."""
        path = self.arrival_path
        if path is not None and path.is_confirmed and not path.is_removed:
            return path
        return self.data_path() or self.primary

    def packet_bytes(self, path, chunks):
        """The size of the IP datagram that holds these chunks."""
        return path.header_bytes() + sum(chunk.size_bytes for chunk in chunks) + self.auth_bytes(chunks)

    def room_bytes(self, path, chunks):
        """What is left of the PMTU, for a chunk that may need AUTH."""
        auth = self.auth_bytes(chunks) or self.auth_bytes_of_data()
        return path.pmtu - path.header_bytes() - sum(chunk.size_bytes for chunk in chunks) - auth

    def source_of(self, path):
        """Answers leave from the address that the packet came to, others from that of the route (6.4)."""
        if path.source is not None:
            return path.source
        if path is self.arrival_path and self.arrival_address in self.own_addresses:
            return self.arrival_address
        source = self.endpoint.source_for(path.address)
        return source if source in self.own_addresses or not self.own_addresses else self.own_addresses[0]

    def verification_tag(self, chunks):
        """8.5: that of the peer."""
        return self.peer_tag

    def emit(self, path, chunks, data=(), tag=None):
        """One packet: control chunks, then DATA (a list of OutChunk), at once."""
        now_ns = self.simulation.now_ns
        sent = self.with_auth(list(chunks) + [out.chunk for out in data])
        notes = {"chunks": [{"type": chunk.name} for chunk in sent]}
        for note, out in zip(notes["chunks"][len(sent) - len(data) :], data):
            note["tsn"], note["cause"] = out.tsn % wire.TSN_MODULUS, out.cause
        if data or any(chunk.type in ENDS_IDLENESS for chunk in chunks):
            path.used_ns = now_ns
        tos = self.policy.tos | (TOS_ECT0 if data and self.uses_ecn else 0)
        tag = self.verification_tag(sent) if tag is None else tag
        datagram = self.endpoint.send_packet(
            self.source_of(path), path.address, self.peer_port, tag, sent, notes, self.checksum_of(sent), tos, self.udp_ports_to(path)
        )
        for out in data:
            self.record(
                "transmission", packet=datagram.number, tsn=out.tsn % wire.TSN_MODULUS, path=path.address, cause=out.cause, bytes=out.user_bytes,
                stream=out.message.stream, message=out.message.number,
            )  # fmt: skip
        return datagram

    def cork(self):
        """The user is about to make several calls: what they come to leaves with uncork()."""
        self.is_corked = True

    def uncork(self):
        self.is_corked = False
        self.flush()

    def flush(self):
        """Sends what is due now: called when a packet has been dealt with, a timer expired or the user did something."""
        if self.is_gone or self.is_flushing or self.is_corked:
            return
        self.is_flushing = True
        self.abandon_expired()
        self.advance_shutdown()
        self.queue_due_sack()
        self.queue_due_forward_tsn()
        self.queue_due_requests()
        self.queue_due_asconf()
        self.send_controls_and_data()
        if self.has_abandoned:
            self.queue_due_forward_tsn()
            self.send_controls_and_data()
        self.due_path = None
        self.watch_window()
        self.watch_lifetimes()
        self.note_pause()
        self.is_flushing = False
        self.offer_room()

    def controls_by_path(self):
        """{path: chunks in their order}, and forgets them."""
        by_path = {}
        for chunk, path in self.controls:
            by_path.setdefault(path, []).append(chunk)
        self.controls = []
        for chunks in by_path.values():
            chunks.sort(key=lambda chunk: RANKS.get(chunk.type, MIDDLE_RANK))
        return by_path

    def send_controls_and_data(self):
        """6.1, 6.10: control chunks to each path, the last packet of them filled with DATA; then more DATA."""
        by_path = self.controls_by_path() if self.controls else {}
        may_send_data = self.state in STATES_WITH_DATA
        data_paths = self.paths_with_data() if may_send_data else []
        for path, chunks in by_path.items():
            rest = self.send_full_control_packets(path, chunks)
            if path in data_paths and not any(chunk.type in (wire.SHUTDOWN, wire.SHUTDOWN_ACK, wire.ABORT) for chunk in rest):
                self.send_data_packets(path, rest)
                data_paths.remove(path)
            else:
                self.emit(path, rest)
        for path in data_paths:
            self.send_data_packets(path, [])

    def send_full_control_packets(self, path, chunks):
        """Sends as many packets as the chunks need but the last; returns what goes into that."""
        packet = []
        for chunk in chunks:
            if packet and (not self.policy.bundles_control or self.packet_bytes(path, packet + [chunk]) > path.pmtu):
                self.emit(path, packet)
                packet = []
            packet.append(chunk)
        return packet

    def send_data_packets(self, path, controls):
        """DATA to one path while windows and Max.Burst allow; a SACK that waits goes with the first (6.1)."""
        packets, limit = 0, self.burst_limit_packets(path)
        while packets < limit:
            is_due = path is self.due_path
            controls, data = self.next_data_packet(path, controls, is_due)
            if is_due and data:
                self.end_retransmission(path)
            if data:
                self.emit(path, controls, data)
                packets += 1
            elif controls:
                self.emit(path, controls)
            else:
                return
            controls = []
        if controls:
            self.emit(path, controls)

    def next_data_packet(self, path, controls, ignores_cwnd):
        """Control chunks with the SACK that waits, if it has room beside the DATA, and the DATA."""
        has_sack = any(chunk.type in (wire.SACK, wire.NR_SACK) for chunk in controls)
        if not has_sack and self.bundles_pending_sack(path):
            sack = self.make_sack(path)
            data = self.take_data(path, self.room_bytes(path, controls + [sack]), ignores_cwnd)
            if data:
                self.acknowledged(sack)
                return self.in_order(controls + [sack]), data
        return controls, self.take_data(path, self.room_bytes(path, controls), ignores_cwnd)

    def in_order(self, chunks):
        return sorted(chunks, key=lambda chunk: RANKS.get(chunk.type, MIDDLE_RANK))

    def note_pause(self):
        """For the truth: since when the sender has something to send and may not, and why."""
        cause = self.why_waiting()
        if cause != self.pause_cause:
            if self.pause_cause is not None and self.simulation.now_ns > self.pause_began_ns and self.endpoint.truth is not None:
                self.endpoint.truth.record(
                    "pause", self.pause_began_ns, endpoint=self.endpoint.name, until_ns=self.simulation.now_ns, cause=self.pause_cause
                )
            self.pause_cause, self.pause_began_ns = cause, self.simulation.now_ns
