# SPDX-License-Identifier: GPL-2.0-or-later
"""Stream re-configuration: requests, responses, and the data around them. The near end asks."""

import struct

from generate import chunks
from mutations import breaks
from mutations_setup import once
from continuation import S, Continuation
from captured_associations import RE_CONFIG

PERFORMED, DENIED, BAD_NUMBER, IN_PROGRESS = 1, 2, 5, 6
MANY = 60000


def can_reset(association):
    return all(RE_CONFIG in association.extensions(end) for end in (0, 1)) and not association.has(RE_CONFIG)


def has_few_streams(association):
    return max(association.value(end, at, 2) for end in (0, 1) for at in (12, 14)) < MANY


class Reset(Continuation):
    """An association that negotiated RE-CONFIG and used none; the near end has sent three messages of a stream."""

    def __init__(self, editor, where=lambda association: True):
        super().__init__(editor, where=lambda association: can_reset(association) and association.is_single() and where(association))
        self.rounds(self.near, 3)
        self.sid = next(iter(self.ssn[self.near]))

    def number(self, offset=0):
        return self.association.initial_tsn(self.near) + offset & 0xFFFFFFFF

    def streams(self):
        """How many the near end may use."""
        return min(self.association.value(self.near, 12, 2), self.association.value(self.far, 14, 2))

    def outgoing(self, offset=0, sids=None, below=0, response=None):
        sids = (self.sid,) if sids is None else sids
        response = self.association.initial_tsn(self.far) - 1 if response is None else response
        return chunks.tlv(chunks.OUTGOING_RESET, struct.pack(f"!III{len(sids)}H", self.number(offset), response & 0xFFFFFFFF,
                                                             self.tsn[self.near] - 1 - below & 0xFFFFFFFF, *sids))

    def incoming(self, offset):
        return chunks.tlv(chunks.INCOMING_RESET, struct.pack("!IH", self.number(offset), self.sid))

    def tsn_reset(self, offset=0, extra=b""):
        return chunks.tlv(chunks.TSN_RESET, struct.pack("!I", self.number(offset)) + extra)

    def add(self, offset=0, reserved=0):
        return chunks.tlv(chunks.ADD_OUTGOING, struct.pack("!IHH", self.number(offset), 5, reserved))

    def response(self, offset=0, result=PERFORMED, tsns=()):
        return chunks.tlv(chunks.RESPONSE, struct.pack(f"!II{len(tsns)}I", self.number(offset), result, *tsns))

    def next_tsns(self):
        return self.tsn[self.far], self.tsn[self.near]

    def ask(self, *params):
        return self.send(self.near, chunks.re_config(*params))

    def answer(self, *params):
        return self.send(self.far, chunks.re_config(*params))

    def performed(self):
        """The stream was reset."""
        self.ask(self.outgoing()).answer(self.response())
        self.ssn[self.near].clear()
        self.ssn[self.near][self.sid] = -1
        return self


def asks_without_negotiation(editor):
    continuation = Continuation(editor, where=lambda association: not any(RE_CONFIG in association.extensions(end) for end in (0, 1)))
    numbers = (continuation.association.initial_tsn(continuation.near), continuation.association.initial_tsn(continuation.far) - 1, continuation.tsn[continuation.near] - 1)
    reset = chunks.tlv(chunks.OUTGOING_RESET, struct.pack("!IIIH", *(number & 0xFFFFFFFF for number in numbers), 0))
    continuation.send(continuation.near, chunks.re_config(reset))
    return continuation.near


@breaks("RC-001", causes=("RC-027",))
def request_to_a_peer_without(editor):
    return asks_without_negotiation(editor)


@breaks("RC-027", causes=("RC-001",))
def request_by_an_end_without(editor):
    return asks_without_negotiation(editor)


@breaks("RC-002")
def first_number_is_one_more(editor):
    reset = Reset(editor, once)
    return reset.ask(reset.outgoing(1)).near


@breaks("RC-003")
def number_skipped(editor):
    reset = Reset(editor).performed()
    return reset.ask(reset.outgoing(2)).near


@breaks("RC-004")
def two_in_flight(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing()).ask(reset.outgoing(1, ())).answer(reset.response()).near


@breaks("RC-005")
def reset_and_add(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing(), reset.add(1)).near


@breaks("RC-006")
def tsn_reset_of_length_12(editor):
    reset = Reset(editor)
    return reset.ask(reset.tsn_reset(extra=bytes(4))).near


@breaks("RC-007")
def response_to_nothing(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing()).answer(reset.response(100)).far


@breaks("RC-009")
def tsns_for_a_stream_reset(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing()).answer(reset.response(tsns=reset.next_tsns())).far


@breaks("RC-010")
def ssn_goes_on(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing()).answer(reset.response()).data(reset.near, sid=reset.sid).near


@breaks("RC-011")
def message_before_the_answer(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing()).data(reset.near, sid=reset.sid).answer(reset.response()).near


@breaks("RC-012")
def last_tsn_too_low(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing(below=2)).near


@breaks("RC-013")
def performed_with_a_hole(editor):
    reset = Reset(editor)
    reset.skip(reset.near)
    reset.data(reset.near).sack(reset.far, 2, gaps=((2, 2),))
    return reset.ask(reset.outgoing()).answer(reset.response()).far


@breaks("RC-014")
def other_streams_with_the_same_number(editor):
    reset = Reset(editor)
    return reset.ask(reset.outgoing()).wait(S).ask(reset.outgoing(sids=())).near


@breaks("RC-015")
def tsn_resets_5_s_apart(editor):
    reset = Reset(editor)
    reset.ask(reset.tsn_reset()).answer(reset.response(tsns=reset.next_tsns()))
    return reset.wait(5 * S).ask(reset.tsn_reset(1)).near


@breaks("RC-016", causes=("TX-011",))
def new_stream_before_the_answer(editor):
    reset = Reset(editor, has_few_streams)
    return reset.ask(reset.add()).data(reset.near, sid=reset.streams()).answer(reset.response()).near


@breaks("RC-019")
def reset_of_a_stream_beyond(editor):
    reset = Reset(editor, has_few_streams)
    return reset.ask(reset.outgoing(sids=(MANY,))).near


@breaks("RC-020")
def reserved_field(editor):
    reset = Reset(editor)
    return reset.ask(reset.add(reserved=1)).near


@breaks("RC-022")
def reset_in_the_set_up(editor):
    association = editor.association(once)
    end = editor.rng.randrange(2)
    editor.add_param((association.init, association.init_ack)[end], chunks.tlv(chunks.TSN_RESET, bytes(4)))
    return end


@breaks("RC-024")
def performed_then_denied(editor):
    reset = Reset(editor).performed()
    return reset.wait(S).ask(reset.outgoing()).answer(reset.response(result=DENIED)).far


@breaks("RC-025")
def responses_in_two_chunks(editor):
    reset = Reset(editor)
    reset.ask(reset.outgoing(), reset.incoming(1))
    return reset.send(reset.far, chunks.re_config(reset.response()), chunks.re_config(reset.response(1, DENIED))).far


@breaks("RC-026")
def own_number_as_response(editor):
    def apart(association):
        return (1 << 22) < (association.initial_tsn(0) - association.initial_tsn(1) & 0xFFFFFFFF) < (1 << 32) - (1 << 22)
    reset = Reset(editor, apart)
    return reset.ask(reset.outgoing(response=reset.number())).near


@breaks("RC-028")
def tsn_reset_without_tsns(editor):
    reset = Reset(editor)
    return reset.ask(reset.tsn_reset()).answer(reset.response()).far


@breaks("RC-029")
def data_during_tsn_reset(editor):
    reset = Reset(editor)
    return reset.ask(reset.tsn_reset()).data(reset.near).answer(reset.response(result=DENIED)).near


@breaks("RC-030")
def right_number_refused(editor):
    reset = Reset(editor, once)
    return reset.ask(reset.outgoing()).answer(reset.response(result=BAD_NUMBER)).far


@breaks("RC-031")
def in_progress_for_ever(editor):
    reset = Reset(editor)
    for _ in range(8):
        reset.wait(S).ask(reset.outgoing()).answer(reset.response(result=IN_PROGRESS))
    return reset.far


@breaks("RC-017")
def added_stream_begins_with_ssn_1(editor):
    reset = Reset(editor, has_few_streams)
    editor.deny_partial(reset.association)
    return reset.ask(reset.add()).answer(reset.response()).data(reset.near, sid=reset.streams(), ssn=1).near
