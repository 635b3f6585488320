# SPDX-License-Identifier: GPL-2.0-or-later
"""Partial reliability: FORWARD-TSN, and data that was given up. The near end sends."""

from generate import chunks
from mutations import breaks
from mutations_auth import replace_param
from mutations_setup import once
from packet_editor import NoPlace
from continuation import S, Continuation
from captured_associations import FORWARD_TSN, FORWARD_TSN_SUPPORTED, RE_CONFIG, pack, params_of, u16

BEGIN, END, UNORDERED = chunks.BEGIN, chunks.END, chunks.UNORDERED


SPARE_STREAM = 7


def used_streams(association):
    """One more than the highest stream that its DATA names."""
    return 1 + max((u16(place.packet["sctp"], place.at + 8) for end in (0, 1) for place in association.places(end)), default=0)


def is_offered(association):
    return all(association.param(end, FORWARD_TSN_SUPPORTED) is not None or FORWARD_TSN in association.extensions(end) for end in (0, 1))


class Partial(Continuation):
    """An association whose ends offered partial reliability; the near end has sent three messages of a stream."""

    def __init__(self, editor, where=lambda association: True):
        super().__init__(editor, where=lambda association: is_offered(association) and association.is_single() and where(association))
        self.rounds(self.near, 3)
        self.sid = next(iter(self.ssn[self.near]))

    def forward(self, *streams, below=0):
        """New cumulative TSN: the last that was sent, or `below` less."""
        return self.send(self.near, chunks.forward_tsn(self.tsn[self.near] - 1 - below, streams))

    def lose_two(self):
        """Two messages of a stream are missing, the third one, of another, is not: SSN of the second."""
        for _ in range(2):
            self.data(self.near, sid=self.sid)
        self.lost = self.sent
        self.data(self.near, sid=self.sid + 1).wait(S).sack(self.far, 3, gaps=((3, 3),)).wait(S)
        return self.ssn[self.near][self.sid]


@breaks("PR-001", causes=("PR-023",))
def peer_did_not_offer(editor):
    continuation = Continuation(editor)
    editor.deny_partial(continuation.association)
    continuation.send(continuation.near, chunks.forward_tsn(continuation.tsn[continuation.near] - 1))
    return continuation.near


@breaks("PR-002")
def forward_tsn_of_length_10(editor):
    continuation = Partial(editor)
    return continuation.send(continuation.near, chunks.chunk(FORWARD_TSN, 0, pack(continuation.tsn[continuation.near] - 1) + bytes(2))).near


@breaks("PR-003")
def supported_of_length_8(editor):
    association = editor.association(once)
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    for kind, at, length in params_of(place):
        if kind == FORWARD_TSN_SUPPORTED:
            replace_param(editor, place, at, length, chunks.tlv(FORWARD_TSN_SUPPORTED, bytes(4)))
            return end
    raise NoPlace


@breaks("PR-004")
def far_ahead(editor):
    return Partial(editor).forward(below=-5000).near


@breaks("PR-006")
def stream_of_an_unordered_message_listed(editor):
    """An unordered message on a stream that the association did not use is given up and listed."""
    continuation = Partial(editor, lambda association: not association.has(RE_CONFIG) and used_streams(association) < SPARE_STREAM)
    continuation.data(continuation.near, sid=SPARE_STREAM, flags=BEGIN | END | UNORDERED, ssn=0).wait(S)
    return continuation.forward((SPARE_STREAM, 0)).near


@breaks("PR-007")
def stream_not_listed(editor):
    continuation = Partial(editor)
    continuation.lose_two()
    return continuation.forward().near


@breaks("PR-008")
def stream_listed_twice(editor):
    continuation = Partial(editor)
    ssn = continuation.lose_two()
    return continuation.forward((continuation.sid, ssn - 1 & 0xFFFF), (continuation.sid, ssn)).near


@breaks("PR-009")
def lower_sequence_number_listed(editor):
    continuation = Partial(editor, lambda association: not association.has(RE_CONFIG))
    ssn = continuation.lose_two()
    return continuation.forward((continuation.sid, ssn - 1 & 0xFFFF)).near


@breaks("PR-010")
def rest_of_the_message_sent_again(editor):
    continuation = Partial(editor)
    near = continuation.near
    rest = continuation.data(near, sid=continuation.sid, flags=BEGIN).data(near, sid=continuation.sid, flags=END).sent
    ssn = continuation.ssn[near][continuation.sid]
    continuation.data(near, sid=continuation.sid + 1).wait(S).sack(continuation.far, 3, gaps=((3, 3),)).wait(S).forward((continuation.sid, ssn), below=2)
    return continuation.send(near, rest, gap_ns=S).near


@breaks("PR-011")
def sent_again_after_it_was_given_up(editor):
    continuation = Partial(editor)
    ssn = continuation.lose_two()
    return continuation.forward((continuation.sid, ssn)).send(continuation.near, continuation.lost, gap_ns=S).near


@breaks("PR-023", causes=("PR-001",))
def sender_did_not_offer(editor):
    continuation = Continuation(editor)
    editor.deny_partial(continuation.association)
    continuation.send(continuation.near, chunks.forward_tsn(continuation.tsn[continuation.near] - 1))
    return continuation.near
