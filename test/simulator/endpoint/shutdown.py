# SPDX-License-Identifier: GPL-2.0-or-later
"""Ending an association (RFC 9260 9): the graceful SHUTDOWN and the ABORT.

Leaves out what is answered once the TCB is gone: errors.py.
"""

from .. import wire
from ..wire import Tlv

GUARD_RTO_MAX = 5  # T5-shutdown-guard: 5 times RTO.Max (9.2)


class Shutdown:
    """The association's part of RFC 9260 9."""

    def begin_shutdown(self):
        self.t2_shutdown = self.new_timer("T2-shutdown", self.t2_shutdown_expired)
        self.t5_guard = self.new_timer("T5-shutdown-guard", self.t5_guard_expired)
        self.shutdown_retransmissions = 0
        self.shutdown_path = None
        self.shutdown_rto_ns = 0
        self.shutdown_is_wanted = False

    # The user's calls.
    def shutdown(self):
        """SHUTDOWN (11.1.3): no more data is taken; ends once all is acked. Before the association is up: as soon as it is."""
        if self.state in ("COOKIE-WAIT", "COOKIE-ECHOED"):
            self.shutdown_is_wanted = True
        elif self.state == "ESTABLISHED":
            self.enter("SHUTDOWN-PENDING", "user")
            self.flush()

    def abort(self, reason=b""):
        """ABORT (11.1.4)."""
        if not self.is_gone:
            self.send_abort([Tlv(wire.USER_INITIATED_ABORT, reason)])
            self.close("aborted")

    def send_abort(self, causes):
        """9.1: with the peer's tag; no DATA goes with it. In COOKIE-WAIT the peer's tag is not known: nothing is sent (8.5.1 B)."""
        if self.peer_tag == 0:
            return
        self.emit(self.reply_path(), [wire.causes_chunk(wire.ABORT, causes)])

    def receive_abort(self, chunk):
        """9.1: the association is removed."""
        if wire.parse_tlvs(chunk.value):
            self.application.peer_error(self, wire.parse_tlvs(chunk.value))
        self.close("abort received")

    # SHUTDOWN.
    def advance_shutdown(self):
        """SHUTDOWN or SHUTDOWN ACK once everything is acked (9.2)."""
        if self.shutdown_is_wanted and self.state == "ESTABLISHED":
            self.enter("SHUTDOWN-PENDING", "user")
        if self.has_unacked_data():
            return
        if self.state == "SHUTDOWN-PENDING":
            self.enter("SHUTDOWN-SENT", "all acked")
            self.send_shutdown()
            self.start_t2_shutdown()
            if self.policy.shutdown_guard:
                self.t5_guard.start(GUARD_RTO_MAX * self.policy.rto_max_ns)
            self.stop_heartbeats()
        elif self.state == "SHUTDOWN-RECEIVED":
            self.enter("SHUTDOWN-ACK-SENT", "all acked")
            self.send_shutdown_ack()
            self.start_t2_shutdown()
            self.stop_heartbeats()

    def send_shutdown(self):
        """With the last sequential TSN received; bundled with a SACK where there are gaps or duplicates, by policy always (9.2)."""
        self.shutdown_path = self.shutdown_path or self.data_path() or self.primary
        self.queue_control(wire.shutdown_chunk(self.shutdown_cum_tsn()), self.shutdown_path)

    def shutdown_cum_tsn(self):
        return self.cum_tsn

    def send_shutdown_ack(self):
        self.shutdown_path = self.reply_path()
        self.queue_control(wire.Chunk(wire.SHUTDOWN_ACK), self.shutdown_path)

    def repeat_shutdown_ack(self):
        """Where a SHUTDOWN, INIT or COOKIE ECHO says that the SHUTDOWN ACK or its answer was lost (9.2, 5.2.4 A)."""
        self.send_shutdown_ack()

    def start_t2_shutdown(self):
        """6.3 has the value."""
        self.shutdown_retransmissions = 0
        self.shutdown_rto_ns = self.shutdown_path.rto_ns
        self.t2_shutdown.start(self.shutdown_rto_ns, self.shutdown_rto_ns)

    def t2_shutdown_expired(self):
        """9.2: once more, to another path if there is one, up to Association.Max.Retrans; the RTO doubles (6.3.3 E2)."""
        self.shutdown_retransmissions += 1
        if self.shutdown_retransmissions > self.policy.association_retransmissions_max:
            self.give_up()
            return
        self.count_path_error(self.shutdown_path)
        self.shutdown_path = self.other_path(self.shutdown_path) or self.shutdown_path
        self.shutdown_rto_ns = self.backed_off_t2_ns(self.shutdown_rto_ns)
        self.t2_shutdown.start(self.shutdown_rto_ns, self.shutdown_rto_ns)
        if self.state == "SHUTDOWN-SENT":
            self.send_shutdown()
        else:
            self.queue_control(wire.Chunk(wire.SHUTDOWN_ACK), self.shutdown_path)
        self.flush()

    def backed_off_t2_ns(self, rto_ns):
        return min(rto_ns * 2, self.policy.rto_max_ns)

    def t5_guard_expired(self):
        """9.2: the whole takes too long: ABORT."""
        self.send_abort([])
        self.close("error count")

    def hear_while_shutting_down(self):
        """9.2: any packet of the peer clears the count and restarts T2 in SHUTDOWN-SENT."""
        if self.state == "SHUTDOWN-SENT" and self.t2_shutdown.is_running:
            self.start_t2_shutdown()

    def answer_data_while_shutting_down(self, has_gaps_or_duplicates):
        """9.2: in SHUTDOWN-SENT each packet with DATA is answered at once by a SHUTDOWN, T2 is restarted; gaps and duplicates need a SACK, too."""
        self.shutdown_path = self.reply_path()
        if has_gaps_or_duplicates or self.policy.answers_gaps_while_shutting_down:
            self.queue_sack(self.shutdown_path)
        else:
            self.forget_pending_ack()
        self.send_shutdown()
        self.start_t2_shutdown()

    def receive_shutdown(self, chunk):
        """9.2."""
        cum_tsn = wire.read_word(chunk)
        if cum_tsn is None:
            return self.receive_malformed_chunk(chunk)
        if self.state in ("COOKIE-WAIT", "COOKIE-ECHOED"):
            return None
        if not self.take_cum_tsn_ack(cum_tsn):
            return self.receive_impossible_cum_tsn(chunk)
        if self.state in ("ESTABLISHED", "SHUTDOWN-PENDING"):
            self.enter("SHUTDOWN-RECEIVED", "SHUTDOWN")
            self.application.shutdown_received(self)
        elif self.state == "SHUTDOWN-SENT":
            self.enter("SHUTDOWN-ACK-SENT", "SHUTDOWN")
            self.send_shutdown_ack()
            self.start_t2_shutdown()
        elif self.state == "SHUTDOWN-ACK-SENT":
            self.repeat_shutdown_ack()
        return None

    def receive_shutdown_ack(self, chunk):
        """9.2: SHUTDOWN COMPLETE, and all is removed; in other states no rule wants anything."""
        if self.state not in ("SHUTDOWN-SENT", "SHUTDOWN-ACK-SENT"):
            return
        self.t2_shutdown.stop()
        self.send_shutdown_complete()
        self.close("shutdown")

    def send_shutdown_complete(self):
        """8.5.1 C: the peer's tag, T bit 0; alone in its packet."""
        self.emit(self.reply_path(), [wire.Chunk(wire.SHUTDOWN_COMPLETE)])

    def receive_shutdown_complete(self, chunk):
        """9.2: ignored but in SHUTDOWN-ACK-SENT."""
        if not self.stands_alone and self.policy.bundled_alone_answer != "take":
            if self.policy.bundled_alone_answer == "abort":
                return self.answer_violation(chunk)
            return False
        if self.state == "SHUTDOWN-ACK-SENT":
            self.close("shutdown")
        return None
