# SPDX-License-Identifier: GPL-2.0-or-later
"""Stream reconfiguration (RFC 6525): RE-CONFIG requests and responses, resets of streams and of the association, more streams.

Leaves out nothing of its clauses but the wait of 30 seconds between two resets of the association (5.1.4, SHOULD), which is the user's.
"""

import struct

from .. import wire

STATES = ("ESTABLISHED", "SHUTDOWN-PENDING", "SHUTDOWN-RECEIVED")
STREAMS_MAX = 65535
# What may stand together in a RE-CONFIG chunk (3.1), in either order.
COMBINATIONS = {
    (wire.OUTGOING_SSN_RESET,),
    (wire.INCOMING_SSN_RESET,),
    (wire.OUTGOING_SSN_RESET, wire.INCOMING_SSN_RESET),
    (wire.SSN_TSN_RESET,),
    (wire.ADD_OUTGOING_STREAMS,),
    (wire.ADD_INCOMING_STREAMS,),
    (wire.ADD_OUTGOING_STREAMS, wire.ADD_INCOMING_STREAMS),
    (wire.RECONFIG_RESPONSE,),
    (wire.OUTGOING_SSN_RESET, wire.RECONFIG_RESPONSE),
    (wire.RECONFIG_RESPONSE, wire.RECONFIG_RESPONSE),
}


class Request:
    """One of the own requests. kind: outgoing, incoming, association, add outgoing, add incoming. answers: the peer's request that it is a response
    to."""

    __slots__ = ("kind", "streams", "count", "number", "barrier", "answers", "result")

    def __init__(self, kind, streams=(), count=0, barrier=0, answers=None):
        self.kind = kind
        self.streams = list(streams)
        self.count = count
        self.number = None
        self.barrier = barrier
        self.answers = answers
        self.result = None


class Reconfig:
    """The association's part."""

    def begin_reconfig(self):
        self.reconfig_timer = self.new_timer("RE-CONFIG", self.reconfig_timer_expired)
        self.requests = []
        self.requests_in_flight = []
        self.request_chunk = None
        self.request_path = None
        self.reconfig_rto_ns = 0
        self.request_is_in_progress = False
        self.next_request = self.peer_next_request = 0
        self.peer_requests_answered = []
        self.last_answer = None
        self.deferred_reset = None
        self.deferred = []
        self.reset_asked_for = None  # number of the peer's outgoing reset that answers the own incoming one
        self.barrier_of_all = None  # of a reset of all streams, for those that are used first while it goes on

    def begin_reconfig_numbers(self, peer_initial_tsn):
        """4.1: numbers begin with the initial TSN; RFC 5061 5.1 A2: so do those of ASCONF."""
        self.next_request = self.initial_tsn
        self.peer_next_request = peer_initial_tsn
        self.begin_asconf_numbers(peer_initial_tsn)

    # The user's calls.
    def reset_streams(self, streams=(), outgoing=True, incoming=False):
        """5.1.2, 5.1.3: streams empty: all. False: the peer does not have the extension (5.1.1), or the state does not allow it."""
        if not self.uses_reconfig or self.state not in STATES:
            return False
        if outgoing:
            self.hold_streams(streams)
            self.requests.append(Request("outgoing", streams, barrier=self.messages))
        if incoming:
            self.requests.append(Request("incoming", streams))
        self.flush()
        return True

    def reset_association(self):
        """5.1.4."""
        if not self.uses_reconfig or self.state not in STATES:
            return False
        self.requests.append(Request("association"))
        self.flush()
        return True

    def add_streams(self, outgoing=0, incoming=0):
        """5.1.5, 5.1.6."""
        if not self.uses_reconfig or self.state not in STATES:
            return False
        if outgoing:
            self.requests.append(Request("add outgoing", count=outgoing))
        if incoming:
            self.requests.append(Request("add incoming", count=incoming))
        self.flush()
        return True

    # Requests, sender (5.1).
    def affected_streams(self, streams):
        return [self.out_stream(number) for number in streams] if streams else list(self.out_streams.values())

    def hold_streams(self, streams):
        """A1: user data that is handed over from now on waits for the response; of two requests the first holds it earlier."""
        self.hold_from(streams, self.messages)

    def hold_from(self, streams, barrier):
        for stream in self.affected_streams(streams):
            if not stream.is_resetting:
                stream.is_resetting, stream.barrier = True, barrier
        if not streams and self.barrier_of_all is None:
            self.barrier_of_all = barrier

    def assignment_is_suspended(self):
        """C2: no TSNs are assigned from when an association reset is the next request to when it is answered."""
        return any(request.kind == "association" for request in self.requests_in_flight or self.requests[:1])

    def is_ready(self, request):
        """What was handed over before has its TSNs (A3); for an association reset nothing is outstanding (C2)."""
        if request.kind == "outgoing":
            return all(not stream.queue or stream.queue[0].number >= request.barrier for stream in self.affected_streams(request.streams))
        if request.kind == "association":
            return not self.outstanding and not any(stream.queue and stream.queue[0].is_begun for stream in self.busy_streams.values())
        return True

    def queue_due_requests(self):
        """5.1.1: one chunk with requests in flight at any time; an outgoing and an incoming reset may share it (A5)."""
        if not self.requests or self.requests_in_flight or self.state not in STATES or not self.is_ready(self.requests[0]):
            return
        batch = [self.requests.pop(0)]
        if batch[0].kind == "outgoing" and batch[0].answers is None and self.requests and self.requests[0].kind == "incoming":
            batch.append(self.requests.pop(0))
        self.send_requests([self.request_parameter(request) for request in batch], batch)

    def send_requests(self, parameters, batch):
        self.request_chunk = wire.Chunk(wire.RE_CONFIG, 0, wire.encode_tlvs(parameters))
        self.requests_in_flight = batch
        self.request_is_in_progress = False
        self.request_path = self.data_path()
        self.queue_control(self.request_chunk, self.request_path)
        self.reconfig_rto_ns = self.request_path.rto_ns
        self.reconfig_timer.start(self.reconfig_rto_ns, self.reconfig_rto_ns)

    def request_parameter(self, request):
        """A2 to A4, B1, B2, C1."""
        request.number = self.next_request
        self.next_request += 1
        if request.kind == "outgoing":
            answered = self.peer_next_request - 1 if request.answers is None else request.answers
            return wire.outgoing_reset_parameter(request.number, answered, self.next_tsn - 1, request.streams)
        if request.kind == "incoming":
            return wire.incoming_reset_parameter(request.number, request.streams)
        if request.kind == "association":
            return wire.Tlv(wire.SSN_TSN_RESET, struct.pack("!I", request.number % wire.TSN_MODULUS))
        type_ = wire.ADD_OUTGOING_STREAMS if request.kind == "add outgoing" else wire.ADD_INCOMING_STREAMS
        return wire.add_streams_parameter(type_, request.number, request.count)

    def reconfig_timer_expired(self):
        """5.1.1: again, with twice the RTO; errors are counted, but not while the peer says In progress (H2)."""
        if self.state not in STATES or not self.requests_in_flight:
            return
        if not self.request_is_in_progress:
            self.count_path_error(self.request_path)
            if self.count_association_error():
                return
        self.request_path = self.other_path(self.request_path) or self.data_path()
        self.reconfig_rto_ns = self.backed_off_reconfig_ns(self.reconfig_rto_ns)
        self.queue_control(self.request_chunk, self.request_path)
        self.reconfig_timer.start(self.reconfig_rto_ns, self.reconfig_rto_ns)
        self.flush()

    def backed_off_reconfig_ns(self, rto_ns):
        """5.1.1: doubled at every expiration."""
        return min(rto_ns * 2, self.policy.rto_max_ns)

    def note_reset_progress(self):
        """SACKs may have made a request ready; flush() sends it."""

    # RE-CONFIG, receiver (5.2).
    def receive_reconfig(self, chunk):
        """5.2.1: parameters in order, what is to be returned in one chunk, a SACK with it."""
        if self.state not in STATES + ("SHUTDOWN-SENT",):
            return None
        parameters = wire.parse_tlvs(chunk.value)
        if not self.reconfig_is_well_formed(parameters):
            return self.receive_malformed_chunk(chunk)
        if tuple(sorted(p.type for p in parameters)) not in COMBINATIONS:
            return self.receive_unsupported_combination(chunk)
        requests = [p for p in parameters if p.type != wire.RECONFIG_RESPONSE]
        for parameter in parameters:
            if parameter.type == wire.RECONFIG_RESPONSE:
                self.receive_response(parameter)
        if requests:
            self.ack_is_due |= self.policy.sack_with_reconfig
            self.answer_requests(requests)
        return None

    def receive_unsupported_combination(self, chunk):
        """3.1: ERROR with Protocol Violation (SHOULD)."""
        self.queue_control(wire.causes_chunk(wire.ERROR, [wire.Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text)]), self.arrival_path)

    def reconfig_is_well_formed(self, parameters):
        sizes = {
            wire.OUTGOING_SSN_RESET: 12,
            wire.INCOMING_SSN_RESET: 4,
            wire.SSN_TSN_RESET: 4,
            wire.RECONFIG_RESPONSE: 8,
            wire.ADD_OUTGOING_STREAMS: 8,
            wire.ADD_INCOMING_STREAMS: 8,
        }
        return bool(parameters) and all(not p.is_malformed and len(p.value) >= sizes.get(p.type, 0) for p in parameters)

    def answer_requests(self, parameters):
        """The numbers decide: the next one is dealt with, the last one gets the same answer, others are wrong."""
        numbers = [wire.unwrap(int.from_bytes(p.value[:4], "big"), self.peer_next_request) for p in parameters]
        if numbers == self.peer_requests_answered and self.last_answer is not None and not self.answer_was_in_progress():
            self.queue_control(self.last_answer, self.arrival_path)
            return
        responses, own_requests = [], []
        repeats = numbers == self.peer_requests_answered
        for parameter, number in zip(parameters, numbers):
            if number == self.peer_next_request or repeats:
                self.peer_next_request = max(self.peer_next_request, number + 1)
                self.answer_request(parameter, number, responses, own_requests)
            else:
                responses.append(wire.reconfig_response_parameter(number, wire.BAD_SEQUENCE_NUMBER))
        self.peer_requests_answered = numbers
        self.send_answers(responses, own_requests)

    def answer_was_in_progress(self):
        """What was In progress is looked at again when it is asked again (H2; 5.2.1 would have the same answer; see disagreements.md)."""
        return any(
            p.type == wire.RECONFIG_RESPONSE and p.value[4:8] == struct.pack("!I", wire.IN_PROGRESS) for p in wire.parse_tlvs(self.last_answer.value)
        )

    def send_answers(self, responses, own_requests):
        """E6, F2, G7: in one chunk, after the received one is dealt with; what 3.1 does not let stand together in two."""
        if responses and own_requests and own_requests[0].kind != "outgoing":
            self.queue_control(wire.Chunk(wire.RE_CONFIG, 0, wire.encode_tlvs(responses)), self.arrival_path)
            responses = []
        parameters = responses + [self.request_parameter(request) for request in own_requests]
        if not parameters:
            self.last_answer = None
            return
        if own_requests:
            self.send_requests(parameters, own_requests)
            self.last_answer = self.request_chunk
        else:
            self.last_answer = wire.Chunk(wire.RE_CONFIG, 0, wire.encode_tlvs(parameters))
            self.queue_control(self.last_answer, self.arrival_path)

    def answer_request(self, parameter, number, responses, own_requests):
        respond = lambda result, *tsns: responses.append(wire.reconfig_response_parameter(number, result, *tsns))
        allowed = self.policy.reconfig_allows
        if parameter.type == wire.OUTGOING_SSN_RESET:
            respond(self.answer_outgoing_reset(parameter, "streams" in allowed))
        elif parameter.type == wire.INCOMING_SSN_RESET:
            result = self.answer_incoming_reset(parameter, number, "streams" in allowed, own_requests)
            if result is not None:
                respond(result)
        elif parameter.type == wire.SSN_TSN_RESET:
            if "association" in allowed:
                respond(wire.PERFORMED, *self.perform_association_reset())
            else:
                respond(wire.DENIED, self.next_tsn, self.cum_tsn + 1)
        elif parameter.type == wire.ADD_OUTGOING_STREAMS:
            respond(self.answer_add_outgoing(parameter, "add" in allowed))
        elif parameter.type == wire.ADD_INCOMING_STREAMS:
            result = self.answer_add_incoming(parameter, number, "add" in allowed, own_requests)
            if result is not None:
                respond(result)

    def streams_of(self, parameter, at):
        return [number for (number,) in struct.iter_unpack("!H", parameter.value[at : at + (len(parameter.value) - at & ~1)])]

    def answer_outgoing_reset(self, parameter, is_allowed):
        """5.2.2 E1 to E5."""
        number, answered, last_tsn = struct.unpack_from("!III", parameter.value)
        streams = self.streams_of(parameter, 12)
        answered = wire.unwrap(answered, self.next_request)
        if any(request.kind == "incoming" and request.number == answered for request in self.requests_in_flight):
            self.reset_asked_for = number
        self.request_was_answered(answered, wire.PERFORMED, is_implied=True)
        if not is_allowed and self.reset_asked_for != number:
            return wire.DENIED
        if any(number >= self.inbound_streams for number in streams):
            return wire.WRONG_SSN
        last_tsn = wire.unwrap(last_tsn, self.cum_tsn)
        if last_tsn > self.cum_tsn:
            self.deferred_reset = (last_tsn, streams)
            return wire.IN_PROGRESS
        self.perform_incoming_reset(streams)
        return wire.PERFORMED

    def perform_incoming_reset(self, streams):
        self.deferred_reset = None
        self.reset_in_streams(streams)
        self.application.streams_reset(self, "incoming", streams)
        self.peer_closed_channels(streams)

    def is_deferred(self, tsn, data):
        """E2: data beyond the last TSN of a stream that is to be reset waits for the reset."""
        if self.deferred_reset is None or tsn <= self.deferred_reset[0]:
            return False
        if self.deferred_reset[1] and data.stream not in self.deferred_reset[1]:
            return False
        self.deferred.append((tsn, data))
        return True

    def release_deferred(self):
        """E2 to E4: when the Cumulative TSN reaches the last assigned TSN."""
        if self.deferred_reset is not None and self.cum_tsn >= self.deferred_reset[0]:
            self.perform_incoming_reset(self.deferred_reset[1])
            deferred, self.deferred = self.deferred, []
            for tsn, data in deferred:
                self.deliver(tsn, data)

    def answer_incoming_reset(self, parameter, number, is_allowed, own_requests):
        """5.2.3 F1, F2 and the races; None: the own outgoing reset is the answer."""
        streams = self.streams_of(parameter, 4)
        if any(request.answers == number for request in self.requests + self.requests_in_flight):
            return None  # asked again before the own request could go
        if not is_allowed:
            return wire.DENIED
        if any(s >= self.outbound_streams for s in streams):
            return wire.WRONG_SSN
        for request in self.requests_in_flight:
            if request.kind == "outgoing" and (not request.streams or (streams and set(streams) <= set(request.streams))):
                return wire.NOTHING_TO_DO
        if self.requests_in_flight:
            return wire.ALREADY_IN_PROGRESS
        if all(self.stream_is_at_zero(stream) for stream in self.affected_streams(streams)):
            return wire.NOTHING_TO_DO
        self.hold_streams(streams)
        request = Request("outgoing", streams, barrier=self.messages, answers=number)
        if self.is_ready(request):
            own_requests.append(request)
        else:
            self.requests.append(request)
        return None

    def stream_is_at_zero(self, stream):
        return stream.next_ssn == stream.next_mid == stream.next_unordered_mid == 0 and not stream.queue

    def perform_association_reset(self):
        """5.2.4 G1 to G5; (own next TSN, the peer's next TSN)."""
        receiver_next = (self.cum_tsn + 1 + (1 << 31)) % wire.TSN_MODULUS
        self.take_cum_tsn_ack((self.next_tsn - 1) % wire.TSN_MODULUS)
        self.abandon_incoming()
        self.set_peer_initial_tsn(receiver_next)
        self.reset_in_streams([])
        self.reset_out_streams([])
        self.application.association_reset(self)
        return self.next_tsn, receiver_next

    def abandon_incoming(self):
        """G4: as a FORWARD-TSN over all streams; so does the endpoint that asked: what is below the Sender's Next TSN never comes again."""
        for stream in self.in_streams.values():
            for number in sorted(stream.waiting):
                self.hand_over(stream.waiting.pop(number))
        self.drop_fragments(list(self.fragments))
        self.assembling = {}

    def reset_out_streams(self, streams):
        for stream in self.affected_streams(streams):
            stream.next_ssn = stream.next_mid = stream.next_unordered_mid = 0

    def answer_add_outgoing(self, parameter, is_allowed):
        """5.2.5; it is the answer to an own Add Incoming Streams Request, too (5.2.6; see disagreements.md)."""
        (count,) = struct.unpack_from("!H", parameter.value, 4)
        for request in list(self.requests_in_flight):
            if request.kind == "add incoming" and request.count == count:
                self.request_was_answered(request.number, wire.PERFORMED)
        if not is_allowed or self.inbound_streams + count > STREAMS_MAX:
            return wire.DENIED
        self.inbound_streams += count
        self.application.streams_added(self, "incoming", count)
        return wire.PERFORMED

    def answer_add_incoming(self, parameter, number, is_allowed, own_requests):
        """5.2.6: denied, or answered by an Add Outgoing Streams Request."""
        (count,) = struct.unpack_from("!H", parameter.value, 4)
        if not is_allowed or self.outbound_streams + count > STREAMS_MAX:
            return wire.DENIED
        if self.requests_in_flight:
            return wire.ALREADY_IN_PROGRESS
        own_requests.append(Request("add outgoing", count=count, answers=number))
        return None

    # Responses (5.2.7).
    def receive_response(self, parameter):
        number, result = struct.unpack_from("!II", parameter.value)
        number = wire.unwrap(number, self.next_request)
        tsns = struct.unpack_from("!II", parameter.value, 8) if len(parameter.value) >= 16 else None
        self.request_was_answered(number, result, tsns)

    def request_was_answered(self, number, result, tsns=None, is_implied=False):
        """H1 to H6."""
        request = next((r for r in self.requests_in_flight if r.number == number), None)
        if request is None or request.result is not None or (is_implied and request.kind != "incoming"):
            return
        if result == wire.IN_PROGRESS:
            self.request_is_in_progress = True
            self.reconfig_timer.start(self.reconfig_rto_ns, self.reconfig_rto_ns)
            return
        request.result = result
        self.errors = 0
        if result in (wire.PERFORMED, wire.NOTHING_TO_DO):
            self.perform_own_request(request, tsns)
        else:
            self.release_streams(request)
            self.application.reset_denied(self, result)
        if all(r.result is not None for r in self.requests_in_flight):
            self.reconfig_timer.stop()
            self.requests_in_flight = []

    def release_streams(self, request):
        """H4, or a refusal: SSNs are assigned again, up to where requests that still wait hold them."""
        if request.kind != "outgoing":
            return
        for stream in self.affected_streams(request.streams):
            stream.is_resetting = False
        if not request.streams:
            self.barrier_of_all = None
        for other in self.requests_in_flight + self.requests:
            if other.kind == "outgoing" and other.result is None:
                self.hold_from(other.streams, other.barrier)

    def perform_own_request(self, request, tsns):
        """H4 to H6."""
        if request.kind == "outgoing":
            self.reset_out_streams(request.streams)
            self.application.streams_reset(self, "outgoing", request.streams)
            self.own_channels_closed(request.streams)
        elif request.kind == "association" and tsns is not None:
            sender_next, receiver_next = tsns
            self.abandon_incoming()
            self.set_peer_initial_tsn(sender_next)
            self.next_tsn = receiver_next
            self.cum_acked = self.advanced_ack_point = receiver_next - 1
            self.reset_in_streams([])
            self.reset_out_streams([])
            self.application.association_reset(self)
        elif request.kind == "add outgoing":
            self.outbound_streams += request.count
            self.application.streams_added(self, "outgoing", request.count)
        self.release_streams(request)
