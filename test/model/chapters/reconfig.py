# SPDX-License-Identifier: GPL-2.0-or-later
"""Stream reconfiguration: requests, responses, and the data around them. In captures the near end asks."""

import dataclasses
import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, COMPLETE_AT_END_1, COMPLETE_NOT_CAPPED, MS, QUIET_AND_TIMED_AT_END_0, S, TIMED_AT_END_0, ScenarioBuilder, assertions
from register import fires, silent
from mutations import breaks
from scripts import Setting, alters, violates
from continuation import Continuation
from captured_associations import has_distant_tsns, is_set_up_once, pack
from set_ups import announces, answered_twice

LISTED = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.RE_CONFIG, chunks.FORWARD_TSN)))
RELIABLE = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.RE_CONFIG, chunks.AUTH)))
MANY = 60000
NEAR_END_1 = {"near_ns": 20 * MS, "far_ns": MS // 10}
PERFORMED, DENIED, BAD_NUMBER, IN_PROGRESS = 1, 2, 5, 6


def is_unused(association):
    return all(chunks.RE_CONFIG in association.extensions(end) for end in (0, 1)) and not association.has(chunks.RE_CONFIG)


def has_few_streams(association):
    return max(association.value(end, at, 2) for end in (0, 1) for at in (12, 14)) < MANY


class ResetSteps:
    """The near end asks; numbers of requests count from the first one. Where no streams are named, it is that of the end."""

    streams = 10    # that the near end may use

    def _request(self, kind, offset, values, end=None):
        return chunks.tlv(kind, pack(self.ends[self.near if end is None else end].initial_tsn + offset) + values)

    def outgoing(self, offset=0, sids=None, end=None, last_tsn=None, response=None):
        end = self.near if end is None else end
        sids = (self.ends[end].stream,) if sids is None else sids
        response = self.ends[1 - end].initial_tsn - 1 if response is None else response
        last_tsn = self.last_tsn(end) if last_tsn is None else last_tsn
        return self._request(chunks.OUTGOING_RESET, offset, pack(response, last_tsn) + struct.pack(f"!{len(sids)}H", *sids), end)

    def incoming(self, offset=0):
        return self._request(chunks.INCOMING_RESET, offset, struct.pack("!H", self.ends[self.near].stream))

    def tsn_reset(self, offset=0, extra=b""):
        return self._request(chunks.TSN_RESET, offset, extra)

    def add(self, offset=0, reserved=0):
        return self._request(chunks.ADD_OUTGOING, offset, struct.pack("!HH", 5, reserved))

    def response(self, offset=0, result=PERFORMED, tsns=()):
        return self._request(chunks.RESPONSE, offset, pack(result, *tsns))

    def next_tsns(self):
        return self.ends[self.far].tsn, self.ends[self.near].tsn

    def ask(self, *params, **options):
        return self.send(self.near, chunks.re_config(*params), **options)

    def answer(self, *params, **options):
        return self.send(self.far, chunks.re_config(*params), **options)

    def performed(self):
        """The stream was reset."""
        self.ask(self.outgoing()).answer(self.response())
        self.ends[self.near].ssn = 0
        return self


class Reset(ResetSteps, ScenarioBuilder):
    pass


class ResetInCapture(ResetSteps, Continuation):
    @property
    def streams(self):
        return min(self.association.value(self.near, 12, 2), self.association.value(self.far, 14, 2))


RESET = Setting(params=(LISTED, LISTED), where=lambda association: is_unused(association) and association.is_single(), synthetic=Reset,
                captured=ResetInCapture, adapt=lambda talk: talk.rounds(talk.near, 3))
WITH_FEW_STREAMS = RESET.also(has_few_streams)
NOT_NEGOTIATED = Setting(synthetic=Reset, captured=ResetInCapture,
                         where=lambda association: not any(chunks.RE_CONFIG in association.extensions(end) for end in (0, 1)))


def up(params=(LISTED, LISTED)):
    """Established; a round trip each way shows where the tap is."""
    return Reset().set_up(params).exchange(2)


@breaks("RC-027", causes=("RC-001",))
@violates("RC-001", NOT_NEGOTIATED, causes=("RC-027",))
def request_without_negotiation(talk):
    talk.ask(talk.outgoing())


@silent("RX-034", accused=1, judged=False)
def sacks_that_requests_asked_for():
    """RFC 6525 5.2.1: a SACK for each request, in a packet of its own."""
    scenario = up().data(0).sack(1)
    for number in range(8):
        scenario.ask(scenario.outgoing(number), gap_ns=S).sack(1).answer(scenario.response(number))
    return scenario


@fires("RC-001")
@silent("RC-027")
def peer_does_not_list():
    scenario = up((LISTED, b""))
    return scenario.ask(scenario.outgoing())


@fires("RC-027")
@silent("RC-001")
def sender_does_not_list():
    scenario = up((b"", LISTED))
    return scenario.ask(scenario.outgoing())


@silent("RC-002")
@silent("RC-003")
@silent("RC-004")
@silent("RC-005")
@silent("RC-006")
@silent("RC-007", accused=1)
@silent("RC-009", accused=1)
@silent("RC-010")
@silent("RC-011")
@silent("RC-012")
@silent("RC-013", accused=1)
@silent("RC-019")
@silent("RC-026")
def resets_one_after_the_other():
    scenario = up().performed().data(0).sack(1)
    return scenario.ask(scenario.outgoing(1)).answer(scenario.response(1)).data(0, ssn=0).sack(1)


@violates("RC-002", RESET.also(is_set_up_once))
def first_number_is_one_more(talk):
    talk.ask(talk.outgoing(1))


@silent("RC-002", 1)
def first_number_is_that_of_the_cookie_that_was_echoed():
    scenario = answered_twice(params=LISTED, make=Reset, **NEAR_END_1).cookie_ack().exchange(2)
    return scenario.ask(scenario.outgoing(end=1))


@fires("RC-002", 1)
def first_number_is_that_of_another_cookie():
    scenario = answered_twice(params=LISTED, make=Reset, **NEAR_END_1).cookie_ack().exchange(2)
    return scenario.ask(scenario.outgoing(5000, end=1))


@violates("RC-003", RESET)
def number_skipped(talk):
    talk.performed().ask(talk.outgoing(2))


@violates("RC-004", RESET)
def two_in_flight(talk):
    talk.ask(talk.outgoing()).ask(talk.outgoing(1, ())).answer(talk.response())


@silent("RC-004")
def two_requests_in_one_chunk():
    scenario = up()
    return scenario.ask(scenario.outgoing(), scenario.incoming(1)).answer(scenario.response(), scenario.response(1, DENIED))


@violates("RC-005", RESET)
def reset_and_add(talk):
    talk.ask(talk.outgoing(), talk.add(1))


@violates("RC-006", RESET)
def tsn_reset_of_length_12(talk):
    talk.ask(talk.tsn_reset(extra=bytes(4)))


@violates("RC-007", RESET, by_far=True)
def response_to_nothing(talk):
    talk.ask(talk.outgoing()).answer(talk.response(100))


@fires("RC-007", accused=1, asserted=COMPLETE_AT_END_1)
@silent("RC-007", accused=1)
def response_to_the_request_after_the_newest():
    scenario = up()
    return scenario.ask(scenario.outgoing()).answer(scenario.response(1))


def asked_again_after_wrong_responses(times):
    scenario = up()
    request = scenario.outgoing()
    for _ in range(times):
        scenario.ask(request).answer(scenario.response(9)).wait(S)
    return scenario


@fires("RC-007", accused=1, certainty="probable")
def response_above_the_newest_request_that_is_asked_again():
    return asked_again_after_wrong_responses(2)


@silent("RC-007", accused=1)
def response_above_the_newest_request_once():
    """Nine requests and their answers may be missing."""
    return asked_again_after_wrong_responses(1)


@silent("RC-007", accused=1)
def request_doubled_after_one_that_was_not_captured():
    """What was answered may come twice: it asks for nothing."""
    scenario = up()
    request = scenario.outgoing()
    scenario.ask(request).answer(scenario.response(0)).answer(scenario.response(1))
    return scenario.ask(request).answer(scenario.response(0)).answer(scenario.response(2))


@silent("RC-007", accused=1, asserted=COMPLETE_AT_END_1)
def response_to_the_request_before_the_newest():
    scenario = up().performed()
    return scenario.ask(scenario.outgoing(1)).answer(scenario.response(0))


@silent("RC-007", accused=1)
def response_to_a_request_with_a_wrong_number():
    scenario = up()
    return scenario.ask(scenario.outgoing(-9)).answer(scenario.response(-9))


@silent("RC-026", accused=1)
def reset_after_a_request_with_a_wrong_number():
    scenario = up()
    scenario.ask(scenario.outgoing(-9)).answer(scenario.response(-9))
    return scenario.answer(scenario.outgoing(end=1, response=scenario.ends[0].initial_tsn - 9))


def answered_by(result):
    scenario = up()
    return scenario.ask(scenario.outgoing()).answer(scenario.response(result=result))


@violates("RC-034", RESET, by_far=True)
def result_7(talk):
    talk.ask(talk.outgoing()).answer(talk.response(result=7))


@silent("RC-034", accused=1)
def result_6():
    return answered_by(IN_PROGRESS)


def last_tsn_ahead(by, answer_ns=S, before=lambda scenario: scenario):
    """An Outgoing SSN Reset Request whose Last Assigned TSN lies so far above what was sent, and the answer."""
    scenario = before(up().data(0).sack(1))
    request = scenario.outgoing(last_tsn=scenario.ends[0].tsn - 1 + by)
    return scenario.ask(request).answer(scenario.response(result=IN_PROGRESS), gap_ns=answer_ns)


@fires("RC-035", asserted=COMPLETE_AT_END_0)
@silent("RC-035", asserted=COMPLETE, judged=False)
def last_tsn_ahead_of_all_that_was_sent():
    return last_tsn_ahead(50)


@silent("RC-035", asserted=COMPLETE_AT_END_0)
def last_tsn_is_the_last_that_was_sent():
    return last_tsn_ahead(0)


@silent("RC-035", asserted=COMPLETE_AT_END_0, judged=False)
def last_tsn_ahead_while_data_is_outstanding():
    return last_tsn_ahead(1, before=lambda scenario: scenario.data(0))


@silent("RC-035", asserted=COMPLETE_AT_END_0)
def last_tsn_ahead_of_data_that_follows_the_request():
    scenario = up().data(0).sack(1)
    scenario.ask(scenario.outgoing(last_tsn=scenario.ends[0].tsn)).data(0)
    return scenario.answer(scenario.response(result=IN_PROGRESS), gap_ns=S)


@violates("RC-009", RESET, by_far=True)
def tsns_for_a_stream_reset(talk):
    talk.ask(talk.outgoing()).answer(talk.response(tsns=talk.next_tsns()))


@violates("RC-010", RESET)
def ssn_goes_on(talk):
    talk.ask(talk.outgoing()).answer(talk.response()).data(talk.near)


@violates("RC-011", RESET)
def message_before_the_answer(talk):
    talk.ask(talk.outgoing()).data(talk.near).answer(talk.response())


def message_while_streams_are_reset(streams):
    scenario = up()
    return scenario.ask(scenario.outgoing(sids=streams)).data(0).answer(scenario.response())


@fires("RC-011")
def message_on_one_of_many_streams_in_no_order():
    return message_while_streams_are_reset((*range(400, 2, -2), 0, *range(401, 3, -2)))


@silent("RC-011")
def message_on_a_stream_beside_those_listed():
    return message_while_streams_are_reset((*range(400, 0, -1), 65535))


@silent("RC-011")
def message_on_a_stream_of_a_list_too_broken_to_keep():
    return message_while_streams_are_reset(range(0, 1200, 2))


@silent("RC-011")
def unordered_message_before_the_answer():
    scenario = up()
    scenario.ask(scenario.outgoing()).send(0, chunks.data(scenario.ends[0].tsn, b"user", flags=7))
    scenario.ends[0].tsn += 1
    return scenario.answer(scenario.response())


@violates("RC-012", RESET)
def last_tsn_too_low(talk):
    talk.ask(talk.outgoing(last_tsn=talk.last_tsn(talk.near) - 2))


@violates("RC-013", RESET, by_far=True)
def performed_with_a_hole(talk):
    talk.skip(talk.near)
    talk.data(talk.near).sack(talk.far, 2, gaps=((2, 2),)).ask(talk.outgoing()).answer(talk.response())


@silent("RC-013", accused=1)
def performed_though_not_acked_yet():
    scenario = up().data(0).data(0)
    return scenario.ask(scenario.outgoing()).answer(scenario.response())


@violates("RC-014", RESET)
def other_streams_with_the_same_number(talk):
    talk.ask(talk.outgoing()).wait(S).ask(talk.outgoing(sids=()))


@silent("RC-014")
def sent_again():
    scenario = up()
    return scenario.ask(scenario.outgoing()).ask(scenario.outgoing(response=7), gap_ns=S)


def asked_again(*gaps_ns):
    scenario = up()
    request = scenario.outgoing()
    scenario.ask(request)
    for gap_ns in gaps_ns:
        scenario.ask(request, gap_ns=gap_ns)
    return scenario


@fires("RC-014", asserted=COMPLETE_NOT_CAPPED)
def request_each_second():
    return asked_again(S, S, S)


@silent("RC-014", asserted=COMPLETE_NOT_CAPPED)
def request_backed_off():
    return asked_again(S, 2 * S, 4 * S)


def asked_again_after_round_trips(*gaps_ns):
    """Each transmission is followed by a HEARTBEAT that is answered: the RTO falls to RTO.Min, and is doubled by the next expiry."""
    scenario = up()
    request = scenario.outgoing()
    scenario.ask(request).heartbeat(0)
    for gap_ns in gaps_ns:
        scenario.ask(request, gap_ns=gap_ns).heartbeat(0)
    return scenario


ONE_SECOND_AT_LEAST = assertions(complete=True, parameters=["* RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000"])


@fires("RC-014", asserted=ONE_SECOND_AT_LEAST)
def request_each_second_though_the_rto_of_one_was_doubled():
    return asked_again_after_round_trips(S, S, S)


@silent("RC-014", asserted=ONE_SECOND_AT_LEAST)
def request_each_two_seconds_after_round_trips():
    return asked_again_after_round_trips(S, 2 * S, 2 * S, 2 * S)


@silent("RC-014", asserted=COMPLETE_NOT_CAPPED)
def request_backed_off_less_after_round_trips_of_unknown_rto():
    return asked_again_after_round_trips(2 * S, 4 * S, 2 * S)


def tsn_resets(talk, gap_ns):
    talk.ask(talk.tsn_reset()).answer(talk.response(tsns=talk.next_tsns()))
    return talk.ask(talk.tsn_reset(1), gap_ns=gap_ns)


@violates("RC-015", RESET)
def tsn_resets_5_s_apart(talk):
    tsn_resets(talk, 5 * S)


@silent("RC-015")
@silent("RC-028", accused=1)
def tsn_resets_31_s_apart():
    return tsn_resets(up(), 31 * S)


def after_tsn_reset(skipped):
    """The ends reset all TSNs; the first data follows so many above the Receiver's Next TSN."""
    scenario = up()
    one, other = scenario.ends
    tsns = other.tsn + 5000, one.tsn + 9000
    scenario.ask(scenario.tsn_reset()).answer(scenario.response(tsns=tsns))
    other.tsn, one.tsn, one.ssn, other.ssn = tsns[0], tsns[1] + skipped, 0, 0
    return scenario.wait(100 * MS).data(0).data(0)


@fires("RC-018", asserted=COMPLETE)
@silent("RC-018", judged=False)
def data_skips_the_next_tsn():
    return after_tsn_reset(3)


@silent("RC-018", asserted=COMPLETE)
def data_begins_at_the_next_tsn():
    return after_tsn_reset(0)


@silent("RX-029", accused=1, asserted=COMPLETE_AT_END_1)
def sack_of_the_new_tsns_before_the_response():
    scenario = up().data(0).sack(1)
    one, other = scenario.ends
    tsns = other.tsn + 5000, one.tsn - 9000 & 0xFFFFFFFF
    scenario.ask(scenario.tsn_reset()).send(1, chunks.sack(tsns[1] - 1 & 0xFFFFFFFF))
    return scenario.answer(scenario.response(tsns=tsns))


def goes_on_after_tsn_reset(talk, next_tsn, result=PERFORMED):
    """The ends reset all TSNs; the data after that has the TSNs that it would have had without."""
    far, near = talk.next_tsns()
    tsns = (far, next_tsn(near)) if result == PERFORMED else ()
    return talk.ask(talk.tsn_reset()).answer(talk.response(result=result, tsns=tsns)).wait(2 * S).data(talk.near).data(talk.near)


@fires("RC-036", asserted=COMPLETE)
@violates("RC-036", RESET)
def tsns_go_on_after_a_tsn_reset(talk):
    goes_on_after_tsn_reset(talk, lambda tsn: tsn + (1 << 31) & 0xFFFFFFFF)


@silent("RC-036", asserted=COMPLETE)
def tsns_go_on_as_the_peer_wants_it():
    return goes_on_after_tsn_reset(up(), lambda tsn: tsn)


@silent("RC-036", asserted=COMPLETE, judged=False)
def tsns_go_on_after_a_tsn_reset_that_was_refused():
    return goes_on_after_tsn_reset(up(), lambda tsn: tsn + (1 << 31) & 0xFFFFFFFF, DENIED)


@silent("RC-036", asserted=COMPLETE)
def old_tsn_again_after_a_tsn_reset():
    """It was under way, or its sender did not give it up: none that is new."""
    scenario = up().data(0)
    one, other = scenario.ends
    scenario.ask(scenario.tsn_reset()).answer(scenario.response(tsns=(other.tsn, one.tsn + (1 << 31) & 0xFFFFFFFF)))
    return scenario.wait(100 * MS).send(0, chunks.data(one.tsn - 1, bytes(100), ssn=one.ssn - 1))


def data_on_stream_10(scenario):
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user", sid=10))


@violates("RC-016", WITH_FEW_STREAMS, causes=("TX-011",))
def new_stream_before_the_answer(talk):
    talk.ask(talk.add()).data(talk.near, sid=talk.streams).answer(talk.response())


@fires("RC-016", asserted=COMPLETE)
def new_stream_before_the_answer_by_a_tsn_that_passes_behind_a_higher_one():
    scenario = up().ask(up().add())
    end = scenario.ends[0]
    end.tsn += 1
    scenario.data(0)
    return scenario.send(0, chunks.data(end.tsn - 2, b"user", sid=10)).answer(scenario.response())


@silent("RC-016")
@silent("RC-020")
def new_stream_after_the_answer():
    scenario = up()
    return data_on_stream_10(scenario.ask(scenario.add()).answer(scenario.response()))


@violates("RC-019", WITH_FEW_STREAMS)
def reset_of_a_stream_beyond(talk):
    talk.ask(talk.outgoing(sids=(MANY,)))


@violates("RC-020", RESET)
def reserved_field(talk):
    talk.ask(talk.add(reserved=1))


@alters("RC-022", None)
def reset_in_the_set_up(editor):
    return announces(editor, chunks.tlv(chunks.TSN_RESET, bytes(4)))


@fires("RC-022")
def reset_in_asconf():
    return up().send(0, chunks.asconf(1, "10.0.0.1", chunks.tlv(chunks.TSN_RESET, bytes(4))))


@silent("RC-022", accused=1)
def quoted_in_init_ack():
    return ScenarioBuilder().set_up((LISTED, chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(chunks.TSN_RESET, bytes(4)))))


@violates("RC-024", RESET, by_far=True)
def performed_then_denied(talk):
    talk.performed().wait(S).ask(talk.outgoing()).answer(talk.response(result=DENIED))


@silent("RC-024", accused=1)
def in_progress_then_performed_twice():
    scenario = up()
    scenario.ask(scenario.outgoing()).answer(scenario.response(result=IN_PROGRESS))
    scenario.ask(scenario.outgoing(), gap_ns=S).answer(scenario.response())
    return scenario.ask(scenario.outgoing(), gap_ns=S).answer(scenario.response())


@violates("RC-025", RESET, by_far=True)
def responses_in_two_chunks(talk):
    talk.ask(talk.outgoing(), talk.incoming(1))
    talk.send(talk.far, chunks.re_config(talk.response()), chunks.re_config(talk.response(1, DENIED)))


@silent("RC-025", accused=1)
def responses_in_one_chunk():
    scenario = up()
    scenario.ask(scenario.outgoing(), scenario.incoming(1))
    return scenario.send(1, chunks.re_config(scenario.response(), scenario.response(1, DENIED)))


@violates("RC-026", RESET.also(has_distant_tsns))
def own_number_as_response(talk):
    talk.ask(talk.outgoing(response=talk.ends[talk.near].initial_tsn))


@violates("RC-028", RESET, by_far=True)
def tsn_reset_without_tsns(talk):
    talk.ask(talk.tsn_reset()).answer(talk.response())


@violates("RC-029", RESET)
def data_during_tsn_reset(talk):
    talk.ask(talk.tsn_reset()).data(talk.near).answer(talk.response(result=DENIED))


@silent("RC-029")
def data_after_a_refused_tsn_reset():
    scenario = up()
    return scenario.ask(scenario.tsn_reset()).answer(scenario.response(result=DENIED), gap_ns=20 * MS).data(0)


@violates("RC-030", RESET.also(is_set_up_once), by_far=True)
def right_number_refused(talk):
    talk.ask(talk.outgoing()).answer(talk.response(result=BAD_NUMBER))


@fires("RC-030", accused=1)
def number_after_one_performed_refused():
    scenario = up().performed()
    return scenario.ask(scenario.outgoing(1), gap_ns=S).answer(scenario.response(1, BAD_NUMBER))


@silent("RC-030", accused=1)
def right_number_denied():
    scenario = up()
    return scenario.ask(scenario.outgoing()).answer(scenario.response(result=DENIED))


@silent("RC-030", accused=1, judged=False)
def skipped_number_refused():
    scenario = up()
    return scenario.ask(scenario.outgoing(1)).answer(scenario.response(1, BAD_NUMBER))


def in_progress(talk, times):
    for _ in range(times):
        talk.ask(talk.outgoing(), gap_ns=S).answer(talk.response(result=IN_PROGRESS))
    return talk


@violates("RC-031", RESET, by_far=True)
def in_progress_for_ever(talk):
    in_progress(talk, 8)


@silent("RC-031", accused=1)
def in_progress_for_a_second_then_performed():
    scenario = in_progress(up(), 2)
    return scenario.ask(scenario.outgoing(), gap_ns=5 * S).answer(scenario.response())


def added_stream(talk, ssn):
    """Streams are added; the first message on one of them."""
    return talk.ask(talk.add()).answer(talk.response()).data(talk.near, sid=talk.streams, ssn=ssn)


@violates("RC-017", dataclasses.replace(WITH_FEW_STREAMS, params=(RELIABLE, RELIABLE), is_reliable=True))
def added_stream_begins_with_ssn_1(talk):
    added_stream(talk, 1)


@silent("RC-017")
def added_stream_begins_with_ssn_0():
    return added_stream(up((RELIABLE, RELIABLE)), 0)


@silent("RC-017", judged=False)
def added_stream_begins_with_ssn_1_where_messages_may_be_given_up():
    return added_stream(up(), 1)


@fires("RC-033", asserted=TIMED_AT_END_0)
def request_not_repeated_while_data_flows():
    scenario = up()
    scenario.ask(scenario.outgoing())
    for _ in range(4):
        scenario.heartbeat(0, gap_ns=S)
    return scenario


def told_to_shut_down(ends):
    """The peer shuts down while it owes the response; the association goes on, or ends."""
    scenario = up()
    scenario.ask(scenario.outgoing()).send(1, chunks.shutdown(scenario.ends[0].tsn - 1), gap_ns=500 * MS)
    if ends:
        scenario.send(0, chunks.shutdown_ack())
    return scenario.heartbeat(0, answered=False, gap_ns=6 * S)


@fires("RC-033", asserted=TIMED_AT_END_0)
def request_neither_repeated_nor_given_up_for_a_shutdown():
    return told_to_shut_down(ends=False)


@silent("RC-033", asserted=TIMED_AT_END_0, judged=False)
def request_given_up_for_a_shutdown():
    return told_to_shut_down(ends=True)


@silent("RC-033", asserted=QUIET_AND_TIMED_AT_END_0)
def request_repeated_when_its_timer_expires_then_answered():
    scenario = asked_again(S, 2 * S)
    return scenario.answer(scenario.response())


@fires("RC-032", 1, asserted=COMPLETE_AT_END_1)
def request_not_answered():
    scenario = up()
    return scenario.ask(scenario.outgoing()).heartbeat(0, gap_ns=S)


@silent("RC-032", 1, asserted=COMPLETE_AT_END_1)
def request_answered_by_in_progress():
    scenario = up()
    return scenario.ask(scenario.outgoing()).answer(scenario.response(result=6)).heartbeat(0, gap_ns=S)


@silent("RC-032", 1, asserted=COMPLETE_AT_END_1, judged=False)
def request_to_a_peer_without_re_config():
    scenario = up((LISTED, b""))
    return scenario.ask(scenario.outgoing()).heartbeat(0, gap_ns=S)


LEFT_OUT = [
    ("RC-008", "left out", "requests that passed the tap may be lost behind it, each time"),
    ("RC-021", "left out", "an independent reset carries the same number as one that answers the newest Incoming Reset"),
    ("RC-023", "left out",
     "the clause names no time: where data is unacknowledged a delayed SACK follows in every capture, and where none is there is "
     "nothing to tell (docs/generated/stacks.md)"),
]
