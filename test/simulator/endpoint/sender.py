# SPDX-License-Identifier: GPL-2.0-or-later
"""Sending data (RFC 9260 6.1, 6.2.1, 6.3.2, 6.3.3): SEND, what may be sent, SACKs, T3-rtx, retransmissions, zero window probes.

Leaves out cwnd and Fast Retransmit (congestion.py), fragmentation and schedulers (fragmentation.py), abandoned data (partial_reliability.py).
"""

from .. import wire
from .fragmentation import Message

STATES_THAT_TAKE_DATA = ("COOKIE-WAIT", "COOKIE-ECHOED", "ESTABLISHED")
STATES_WITH_SACKS = ("COOKIE-ECHOED", "ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED")


class Sender:
    """The association's part."""

    def begin_sender(self):
        self.initial_tsn = self.next_tsn = 0
        self.cum_acked = -1
        self.outstanding = {}
        self.marked = {}
        self.marked_waits = False
        self.due_path = None
        self.due_after_timeout = False
        self.out_streams = {}
        self.busy_streams = {}
        self.unfinished = None
        self.last_stream = -1
        self.queued_bytes = 0
        self.held_bytes = 0
        self.messages = 0
        self.refused_message = False
        self.peer_rwnd = self.peer_rwnd_max = 0
        self.flight_user_bytes = 0
        self.probe_timer = self.new_timer("zero-window-probe", self.probe_timer_expired)
        self.probe_is_due = False
        self.probe_rto_ns = 0
        self.heard_since_probe = False
        self.primary_changed = False
        self.begin_recovery()

    def set_initial_tsn(self, tsn):
        """3.3.2, 5.1: the Cumulative TSN Ack Point is the initial TSN minus one."""
        self.initial_tsn = self.next_tsn = tsn
        self.cum_acked = self.advanced_ack_point = tsn - 1

    # The user's call.
    def send(self, data, stream=0, ppid=0, ordered=True, lifetime_ns=None, retransmissions_max=None, priority=None, immediate=False):
        """SEND (11.1.5): the message's number; None while the send buffer has no room (sendable() is called later), in a state that takes no data
        (9.2), or for a stream that there is not (5.1.1) or that was closed.

        lifetime_ns, retransmissions_max: partial reliability (RFC 3758 4.1, 7496). priority: lower goes first. immediate: the I bit (RFC 7053)."""
        if self.state not in STATES_THAT_TAKE_DATA or self.shutdown_is_wanted or not data or not 0 <= stream < self.outbound_streams:
            return None
        if self.held_bytes and self.held_bytes + len(data) > self.policy.send_buffer_bytes:
            self.refused_message = True
            return None
        number = self.messages
        self.messages += 1
        expires_ns = None if lifetime_ns is None else self.simulation.now_ns + lifetime_ns
        message = Message(number, stream, ppid, data, ordered, expires_ns, retransmissions_max, priority, immediate)
        self.held_bytes += len(data)
        self.enqueue(message)
        self.record("message", event="handed_over", message=number, stream=stream, ordered=ordered, ppid=ppid, bytes=len(data))
        self.flush()
        return number

    def has_unacked_data(self):
        """RFC 3758 3.5 A2: what is abandoned counts as acked; by policy only once the peer has acked the FORWARD-TSN (see disagreements.md)."""
        if self.policy.shutdown_waits_for_forward_tsn:
            return bool(self.busy_streams or self.outstanding)
        return bool(self.busy_streams) or any(not out.is_abandoned for out in self.outstanding.values())

    def release(self, message, event):
        """A message is acked or abandoned: its room in the send buffer is free."""
        self.held_bytes -= len(message.data)
        self.record("message", event=event, message=message.number, stream=message.stream, bytes=len(message.data))

    def offer_room(self):
        if self.refused_message and self.held_bytes < self.policy.send_buffer_bytes and self.state in STATES_THAT_TAKE_DATA:
            self.refused_message = False
            self.application.sendable(self)

    def fail_messages(self, reason):
        """11.2.2: what was not acked when the association ends."""
        messages = {out.message.number: out.message for out in self.outstanding.values() if not out.message.is_abandoned}
        for stream in self.busy_streams.values():
            messages.update({message.number: message for message in stream.queue})
        for number in sorted(messages):
            message = messages[number]
            self.record("message", event="failed", message=number, stream=message.stream, bytes=len(message.data))
            self.application.send_failed(self, number, reason)

    # What may be sent (6.1).
    def paths_with_data(self):
        """Paths to which something may go: those of chunks marked for retransmission, then that of new data."""
        paths = []
        for tsn in sorted(self.marked):
            path = self.marked[tsn].next_path
            if path not in paths:
                paths.append(path)
        if self.busy_streams:
            path = self.data_path()
            if path not in paths:
                paths.append(path)
        return paths

    def take_data(self, path, room_bytes, ignores_cwnd=False):
        """The DATA chunks of one packet to a path, taken as sent now: marked ones first (rule C), in the order of TSNs, then new ones (rule E)."""
        data = self.take_marked(path, room_bytes, ignores_cwnd)
        room_bytes -= sum(out.size_bytes for out in data)
        if (not self.marked or self.only_waiting_marks()) and not (ignores_cwnd and data) and path is self.data_path():
            self.take_new(path, room_bytes, data)
        if data:
            self.note_sent(path, data)
        return data

    def only_waiting_marks(self):
        """Marked chunks that wait for a SACK hold back new data, too (rule C)."""
        return False

    def take_marked(self, path, room_bytes, ignores_cwnd):
        """Rule C: limited by cwnd; the first packet after a timeout or of a fast retransmission is not."""
        data, used = [], 0
        if self.marked_waits and not ignores_cwnd:
            return data
        for tsn in sorted(self.marked):
            out = self.marked.get(tsn)  # gone with another fragment of its message, where that was stale
            if out is None or out.next_path is not path or self.is_stale(out):
                continue
            if used + out.size_bytes > room_bytes and not (not data and out.size_bytes > self.pmdcs(path)):
                break
            ignores = ignores_cwnd or (out.next_cause == "fast" and self.policy.fast_ignores_cwnd == "all")
            if not ignores and not self.cwnd_allows(path, used, out.size_bytes, is_new=False):
                break
            del self.marked[tsn]
            self.note_retransmission(out, path)
            used += out.size_bytes
            data.append(out)
            if not self.policy.bundles_data:
                break
        return data

    def take_new(self, path, room_bytes, data):
        """Rules A, B and E: new chunks behind those that the packet has."""
        used = sum(out.size_bytes for out in data)
        while True:
            message = self.next_unexpired_message(data[-1].message.stream if data else None)
            if message is None:
                return
            user_bytes = self.fitted_bytes(message, path, room_bytes)
            size = wire.padded(self.data_header_bytes() + user_bytes)
            is_probe = False
            if size > room_bytes or not self.cwnd_allows(path, used, size) or (data and not self.policy.bundles_data):
                return
            if not self.window_allows(user_bytes):
                if not self.may_probe(data):
                    return
                is_probe = True
            if self.waits_to_bundle(message, user_bytes, data):
                return
            out = self.make_chunk(message, user_bytes, path)
            self.outstanding[out.tsn] = out
            path.unacked += 1
            out.is_probe = is_probe
            if is_probe:
                out.cause = "zero_window_probe"
            self.begin_flight(out, path)
            data.append(out)
            used += size
            room_bytes -= size
            if is_probe:
                return

    def next_unexpired_message(self, packet_stream):
        """RFC 3758 TR3: a message whose life is over gets no TSN."""
        while True:
            message = self.next_message(packet_stream)
            if message is None or not self.is_expired(message):
                return message
            self.abandon(message)

    def window_allows(self, user_bytes):
        """Rule A."""
        return user_bytes <= self.peer_rwnd

    def may_probe(self, data):
        """Rule A: one chunk while nothing is outstanding, after an RTO (SHOULD) or, by policy, at once."""
        if self.flight_user_bytes or data or self.outstanding_is_unacked():
            return False
        return self.probe_is_due or not self.policy.zero_window_probe_after_rto

    def outstanding_is_unacked(self):
        return any(not out.is_abandoned for out in self.outstanding.values())

    def waits_to_bundle(self, message, user_bytes, data):
        """Nagle: less than a full packet waits while something is outstanding, unless the user is in a hurry."""
        if not self.policy.nagle or data or not self.outstanding or message.is_immediate or self.state != "ESTABLISHED":
            return False
        return self.queued_bytes < self.amdcs() - self.data_header_bytes() and not message.is_begun

    # Bookkeeping.
    def begin_flight(self, out, path):
        out.is_in_flight = True
        path.flight_bytes += out.size_bytes
        self.flight_user_bytes += out.user_bytes
        self.peer_rwnd -= out.user_bytes

    def end_flight(self, out):
        if out.is_in_flight:
            out.is_in_flight = False
            out.path.flight_bytes -= out.size_bytes
            self.flight_user_bytes -= out.user_bytes

    def note_sent(self, path, data):
        """After take_data(): times, counters, RTT measurement (C4, C5), T3 (R1; restarted by 6.1 if the earliest is retransmitted)."""
        now_ns = self.simulation.now_ns
        self.probe_timer.stop()
        self.probe_is_due = False
        self.heard_since_probe = False
        earliest = self.earliest_unacked(path)
        is_earliest_again = False
        for out in data:
            if out.transmissions:
                is_earliest_again |= out is earliest
            else:
                out.first_sent_ns = now_ns
                if path.rtt_tsn is None:
                    path.rtt_tsn, path.rtt_started_ns = out.tsn, now_ns
            out.transmissions += 1
            out.sent_ns = now_ns
            out.next_tsn_at_sending = self.next_tsn
        path.sent_data_ns = now_ns
        if not path.t3.is_running or (is_earliest_again and self.restarts_t3_for_earliest()):
            self.start_t3(path)

    def restarts_t3_for_earliest(self):
        """6.1: the timer is restarted if the earliest outstanding chunk of the address is retransmitted."""
        return True

    def note_retransmission(self, out, path):
        """The chunk moves to its next path (6.4); RTT measurements that it spoils end (C5)."""
        out.cause = out.next_cause
        out.chunk = self.chunk_of_retransmission(out)
        if out.path is not path:
            out.path.unacked -= 1
            path.unacked += 1
            out.path = path
            out.went_to_several_paths = True
        out.next_path = out.next_cause = None
        self.begin_flight(out, path)
        for other in self.every_path:
            if other.rtt_tsn is not None and out.tsn <= other.rtt_tsn:
                other.rtt_tsn = None

    def chunk_of_retransmission(self, out):
        """The very chunk that was sent first: TSN, stream, SSN and data are those of the message (6.9)."""
        return out.chunk

    def earliest_unacked(self, path):
        """The outstanding chunk of a path with the lowest TSN, None if there is none."""
        if path.unacked:
            for out in self.outstanding.values():
                if out.path is path and not out.is_gap_acked and not out.is_abandoned:
                    return out
        return None

    def start_t3(self, path):
        path.t3.start(self.t3_delay_ns(path), path.rto_ns)

    def t3_delay_ns(self, path):
        """R1: the RTO of the path."""
        return path.rto_ns

    def mark(self, out, cause, path):
        """For retransmission on a path; what is marked is not in flight (6.2.1 C)."""
        if out.is_in_flight:
            self.end_flight(out)
            self.peer_rwnd += out.user_bytes
        out.next_path, out.next_cause = path, cause
        self.marked[out.tsn] = out

    def mark_data_of_removed_path(self, path):
        """RFC 5061 5.3.2, and addresses that the INIT ACK does not list."""
        for out in list(self.outstanding.values()):
            if out.path is path and not out.is_gap_acked and not out.is_abandoned:
                self.mark(out, "address_removed", self.data_path())
            elif out.next_path is path:
                out.next_path = self.data_path()

    def take_back_data(self):
        """DATA that went with a COOKIE ECHO in vain is sent once the association is up."""
        for out in self.outstanding.values():
            self.mark(out, "timeout", self.data_path())
        for path in self.every_path:
            path.t3.stop()

    def retransmit_after_pmtu(self, path):
        """7.3: what was too big for the path is sent again, fragmented by IP if a chunk alone is (6.9)."""
        for out in self.outstanding.values():
            if out.path is path and out.is_in_flight and out.size_bytes > self.pmdcs(path):
                self.mark(out, "pmtu", path)
        self.flush()

    # SACK.
    def receive_sack(self, chunk):
        """3.3.4, 6.2.1."""
        if self.state not in STATES_WITH_SACKS:
            return None
        sack = wire.read_sack(chunk)
        if sack is None:
            return self.receive_malformed_chunk(chunk)
        return self.take_sack(sack, chunk)

    def receive_nr_sack(self, chunk):
        """draft-tuexen-tsvwg-sctp-nr-sack 4: as a SACK whose gap blocks are both lists; what stands in the NR list is never missing again."""
        if self.state not in STATES_WITH_SACKS:
            return None
        read = wire.read_nr_sack(chunk)
        if read is None:
            return self.receive_malformed_chunk(chunk)
        sack, nr_blocks = read
        cum = wire.unwrap(sack.cum_tsn, self.cum_acked)
        for start, end in nr_blocks:
            for tsn in range(cum + start, min(cum + end, self.next_tsn - 1) + 1):
                if tsn in self.outstanding:
                    self.outstanding[tsn].is_acked_for_good = True
        return self.take_sack(sack._replace(gap_blocks=sorted(sack.gap_blocks + nr_blocks)), chunk)

    def take_sack(self, sack, chunk):
        """6.2.1 D, then 7.2.1 to 7.2.4, the timers (R2, R3), and partial reliability (RFC 3758 3.5 A4)."""
        cum = wire.unwrap(sack.cum_tsn, self.cum_acked)
        highest = cum + max([end for _, end in sack.gap_blocks], default=0)
        if cum < self.cum_acked:
            return None
        if cum >= self.next_tsn or (highest >= self.next_tsn and self.policy.impossible_gap_answer == "abort"):
            return self.receive_impossible_cum_tsn(chunk)
        highest = min(highest, self.next_tsn - 1)
        self.heard_since_probe = True
        earliest = {path: self.earliest_unacked(path) for path in self.every_path if path.unacked}
        flight_before = {path: path.flight_bytes for path in earliest}
        advances = cum > self.cum_acked
        acked = self.ack_up_to(cum)
        newly = self.ack_gaps(sack.gap_blocks, acked)
        self.peer_rwnd = sack.a_rwnd - self.flight_user_bytes
        self.adjust_cwnd(acked, flight_before, advances)
        self.leave_fast_recovery(cum)
        self.count_misses(newly, highest, advances)
        self.update_t3(earliest)
        if acked:
            self.marked_waits = False
        self.advance_peer_ack_point(by_sack=True)
        self.acked_some()
        return None

    def take_cum_tsn_ack(self, cum_tsn):
        """The Cumulative TSN Ack of a SHUTDOWN (9.2), which has no a_rwnd: what is acked is room again (see disagreements.md). False: it acks what was
        never sent."""
        cum = wire.unwrap(cum_tsn, self.cum_acked)
        if cum >= self.next_tsn:
            return False
        window = self.peer_rwnd + self.flight_user_bytes
        if cum > self.cum_acked:
            earliest = {path: self.earliest_unacked(path) for path in self.every_path if path.unacked}
            flight_before = {path: path.flight_bytes for path in earliest}
            acked = self.ack_up_to(cum)
            self.peer_rwnd = window - self.flight_user_bytes
            self.adjust_cwnd(acked, flight_before, True)
            self.leave_fast_recovery(cum)
            self.update_t3(earliest)
            self.marked_waits = False
            self.advance_peer_ack_point(by_sack=True)
            self.acked_some()
        return True

    def acked_some(self):
        self.note_reset_progress()

    def ack_up_to(self, cum):
        """Removes what is cumulatively acked (6.7); {path: bytes newly acked}."""
        acked = {}
        for tsn in range(self.cum_acked + 1, cum + 1):
            out = self.outstanding.pop(tsn, None)
            if out is None:
                continue
            self.marked.pop(tsn, None)
            if out.is_abandoned:
                out.path.one_packet = False
            else:
                if not out.is_gap_acked:
                    self.ack_chunk(out, acked)
                message = out.message
                message.unacked_chunks -= 1
                if message.unacked_chunks == 0 and message.is_chunked:
                    self.release(message, "acked")
                    self.application.acked(self, message.number)
        self.cum_acked = max(self.cum_acked, cum)
        return acked

    def ack_chunk(self, out, acked):
        """Newly acked, by the Cumulative TSN Ack or a gap block: RTT (6.3.1), error counters (8.1, 8.2), flight."""
        path = out.path
        acked[path] = acked.get(path, 0) + out.size_bytes
        path.unacked -= 1
        self.end_flight(out)
        self.clear_errors_by_ack(out)
        path.one_packet = False
        if path.rtt_tsn is not None and out.tsn >= path.rtt_tsn:
            if out.tsn == path.rtt_tsn:
                self.measure_rtt(path, self.simulation.now_ns - path.rtt_started_ns)
            path.rtt_tsn = None

    def ack_gaps(self, blocks, acked):
        """Gap blocks (6.2.1); returns the TSNs newly acked by them or by the Cumulative TSN Ack as HTNA needs: the highest one, None if none."""
        newest = self.cum_acked if acked else None
        if not blocks and not self.has_gap_acks:
            return newest
        ranges = sorted((self.cum_acked + start, self.cum_acked + end) for start, end in blocks)
        at, self.has_gap_acks = 0, bool(blocks)
        for tsn, out in self.outstanding.items():
            while at < len(ranges) and ranges[at][1] < tsn:
                at += 1
            is_acked = at < len(ranges) and ranges[at][0] <= tsn
            if out.is_abandoned:
                continue
            if is_acked and not out.is_gap_acked:
                self.marked.pop(tsn, None)
                self.ack_chunk(out, acked)
                out.next_path = None
                out.is_gap_acked = True
                newest = tsn
            elif not is_acked and out.is_gap_acked and not out.is_acked_for_good:
                self.chunk_was_reneged(out)
        return newest

    def chunk_was_reneged(self, out):
        """6.2.1 D iii, 6.3.2 R4."""
        out.is_gap_acked = False
        out.path.unacked += 1
        self.begin_flight(out, out.path)
        out.misses += 1
        if not out.path.t3.is_running:
            self.start_t3(out.path)

    def update_t3(self, earliest):
        """R2: nothing is outstanding; R3: the earliest of the path was acked."""
        for path, out in earliest.items():
            if self.policy.t3_runs_on and path.srtt_ns is not None and (out.tsn not in self.outstanding or out.is_gap_acked):
                path.rto_ns = self.bounded_rto_ns(path.srtt_ns + 4 * path.rttvar_ns)
            if path.unacked == 0 or (self.policy.t3_runs_on and not path.flight_bytes):
                path.t3.stop()
            elif out.tsn not in self.outstanding or out.is_gap_acked or out.is_abandoned:
                if not path.is_removed and self.restarts_t3_at_progress():
                    self.start_t3(path)

    def restarts_t3_at_progress(self):
        """R3."""
        return not self.policy.t3_runs_on

    # T3-rtx (6.3.3).
    def t3_expired(self, path):
        """E1 to E4; RFC 3758 3.5 A5."""
        if self.is_gone or path.is_removed:
            return
        chunks = [out for out in self.outstanding.values() if out.path is path and not out.is_gap_acked and not out.is_abandoned]
        if self.policy.t3_runs_on and path.srtt_ns is not None:
            late_ns = self.simulation.now_ns - path.srtt_ns - max(4 * path.rttvar_ns, self.policy.timer_granularity_ns)
            chunks = [out for out in chunks if out.sent_ns <= late_ns]
            if not chunks:
                self.back_off_rto(path)
                self.start_t3(path)
                return
        if self.counts_timeout(path):
            self.count_path_error(path)
            if self.count_association_error():
                return
        elif self.policy.probes_count_for_path:
            self.count_path_error(path)
        leaves_cwnd = self.policy.probes_leave_cwnd and any(out.is_probe for out in chunks[:1])
        if not leaves_cwnd:
            self.shrink_cwnd_by_timeout(path)
        self.back_off_rto(path)
        self.abandon_at_timeout(chunks)
        target = self.timeout_path(path)
        for out in chunks:
            if not out.is_abandoned:
                self.mark(out, "zero_window_probe" if out.is_probe else "timeout", target)
                out.misses = 0
        self.advance_peer_ack_point(by_sack=False)
        self.begin_retransmission(target, is_timeout=not leaves_cwnd)
        self.flush()

    def counts_timeout(self, path):
        """8.2; zero window probes count nothing while SACKs come (6.1 A); a timer that only repeats FORWARD-TSN counts as any other."""
        earliest = self.earliest_unacked(path)
        return not (earliest is not None and earliest.is_probe and self.heard_since_probe)

    def begin_retransmission(self, path, is_timeout):
        """The next packet to this path bears the earliest marked chunks, whatever cwnd is (6.3.3 E3, 7.2.4 (3)); flush() sends it."""
        self.due_path, self.due_after_timeout = path, is_timeout

    def end_retransmission(self, path):
        """That packet is on its way: after a timeout nothing more until a SACK comes (7.2.1, 7.2.3)."""
        self.due_path = None
        if self.due_after_timeout:
            path.one_packet = True
            self.marked_waits = bool(self.marked)

    # Zero window probes (6.1 A).
    def watch_window(self):
        """Starts the timer of the first probe when the window holds back data and nothing is outstanding."""
        if not self.busy_streams or self.outstanding or self.state not in ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED"):
            self.probe_timer.stop()
            return
        message = self.next_message(None)
        path = self.data_path()
        if message is not None and path is not None and not self.window_allows(self.fragment_bytes(message)) and not self.probe_timer.is_running:
            self.probe_timer.start(path.rto_ns, path.rto_ns)

    def probe_timer_expired(self):
        self.probe_is_due = True
        self.flush()
        self.probe_is_due = False

    def why_waiting(self):
        """For the truth: what holds back data, None if nothing does."""
        if self.marked:
            return "cwnd"
        if not self.busy_streams or self.state not in ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED"):
            return None
        message = self.next_message(None)
        if message is None:
            return "stream reset"
        path = self.data_path()
        user_bytes = self.fragment_bytes(message)
        if not self.window_allows(user_bytes):
            return "peer's window"
        if not self.cwnd_allows(path, 0, wire.padded(self.data_header_bytes() + user_bytes)):
            return "cwnd"
        if self.waits_to_bundle(message, user_bytes, []):
            return "Nagle"
        return "Max.Burst"
