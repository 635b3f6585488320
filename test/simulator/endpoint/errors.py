# SPDX-License-Identifier: GPL-2.0-or-later
"""What belongs to no association (RFC 9260 8.4), what is not recognized (3.2), malformed chunks, and ERROR chunks (3.3.10).

Leaves out parameters of INIT and INIT ACK that are not recognized: setup.py.
"""

from .. import wire
from ..wire import Tlv


class OutOfTheBlue:
    """The endpoint's part: RFC 9260 8.4."""

    def receive_out_of_the_blue(self, packet, datagram):
        """The rules of 8.4 in their order; INIT and COOKIE ECHO (3, 4) have been dealt with."""
        types = [chunk.type for chunk in packet.chunks]
        if wire.ABORT in types:
            return
        if wire.SHUTDOWN_ACK in types:
            if self.policy.answers_shutdown_ack_out_of_the_blue:
                self.reply(packet, datagram, packet.tag, [wire.Chunk(wire.SHUTDOWN_COMPLETE, wire.FLAG_T)])
            return
        if wire.SHUTDOWN_COMPLETE in types or wire.COOKIE_ACK in types or self.has_stale_cookie_error(packet):
            return
        if self.policy.answers_out_of_the_blue:
            self.send_abort_out_of_the_blue(packet, datagram)

    def has_stale_cookie_error(self, packet):
        """8.4 (7)."""
        for chunk in packet.chunks:
            if chunk.type == wire.ERROR and any(cause.type == wire.STALE_COOKIE for cause in wire.parse_tlvs(chunk.value)):
                return True
        return False

    def send_abort_out_of_the_blue(self, packet, datagram):
        """8.4 (8): the tag reflected, T bit 1."""
        self.reply(packet, datagram, packet.tag, [wire.causes_chunk(wire.ABORT, [], wire.FLAG_T)])


class Errors:
    """The association's part."""

    def begin_errors(self):
        self.errors_sent = 0

    def is_recognized(self, type_):
        """Chunk types of extensions that this association does not have are not recognized (RFC 3758 3.3.1, 3.2)."""
        if type_ == wire.FORWARD_TSN or type_ == wire.I_FORWARD_TSN:
            return self.uses_forward_tsn if type_ == wire.FORWARD_TSN else self.policy.interleaving and self.policy.forward_tsn
        if type_ == wire.I_DATA:
            return self.policy.interleaving
        if type_ in (wire.ASCONF, wire.ASCONF_ACK):
            return self.policy.asconf
        if type_ == wire.RE_CONFIG:
            return self.policy.reconfig
        if type_ == wire.AUTH:
            return self.policy.auth
        if type_ in (wire.ECNE, wire.CWR):
            return self.policy.ecn
        if type_ == wire.NR_SACK:
            return self.uses_nr_sack
        return True

    def receive_unrecognized_chunk(self, chunk):
        """3.2, Table 2, by the two highest bits: 01, 11 reported; 10, 11 skipped, else the rest of the packet is discarded. True: goes on."""
        if chunk.type & 0x40 and self.may_report_unrecognized():
            self.errors_sent += 1
            self.queue_control(wire.causes_chunk(wire.ERROR, [Tlv(wire.UNRECOGNIZED_CHUNK, chunk.unpadded())]), self.arrival_path)
        return bool(chunk.type & 0x80)

    def may_report_unrecognized(self):
        limit = self.policy.error_limit
        return self.policy.reports_unrecognized and (limit is None or self.errors_sent < limit)

    def receive_partial_chunk(self, chunk):
        """6.10: dropped."""

    def receive_malformed_chunk(self, chunk):
        """A chunk too short for its fixed part, or whose counts do not fit its length: no clause names an answer; by policy ABORT or nothing."""
        if chunk.type in self.policy.malformed_ignored:
            return None
        return self.answer_violation(chunk)

    def receive_impossible_cum_tsn(self, chunk):
        """A SACK or SHUTDOWN that acks what was never sent (3.3.4 forbids it, no clause names an answer)."""
        return self.answer_violation(chunk)

    def answer_violation(self, chunk):
        """3.3.10.13; False: the rest of the packet is left."""
        if self.policy.violation_answer == "abort":
            self.abort_with([Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text)])
        return False

    def abort_with(self, causes):
        """The association is aborted for what the peer did."""
        self.send_abort(causes)
        self.close("aborted")

    def receive_error(self, chunk):
        """3.3.7; Stale Cookie by 5.2.6; what the peer does not recognize is not used any more (RFC 3758 3.3.3)."""
        causes = wire.parse_tlvs(chunk.value)
        for cause in causes:
            if cause.type == wire.STALE_COOKIE:
                self.receive_stale_cookie()
            elif cause.type == wire.UNRECOGNIZED_CHUNK and cause.value:
                self.give_up_extension(cause.value[0])
            elif cause.type == wire.UNRECOGNIZED_PARAMETERS:
                for parameter in wire.parse_tlvs(cause.value):
                    if parameter.type == wire.FORWARD_TSN_SUPPORTED:
                        self.uses_forward_tsn = False
        if not self.is_gone and causes:
            self.application.peer_error(self, causes)

    def give_up_extension(self, type_):
        """The peer reports a chunk type as unrecognized (RFC 3758 3.3.3, RFC 5061 5.1 C)."""
        if type_ in (wire.FORWARD_TSN, wire.I_FORWARD_TSN):
            self.uses_forward_tsn = False
        elif type_ == wire.ASCONF:
            self.uses_asconf = False
            self.asconf_timer.stop()
        elif type_ == wire.RE_CONFIG:
            self.uses_reconfig = False
            self.reconfig_timer.stop()
