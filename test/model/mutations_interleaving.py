# SPDX-License-Identifier: GPL-2.0-or-later
"""User message interleaving: I-DATA and I-FORWARD-TSN, where both ends offered them and where not. The near end sends."""

from generate import chunks
from mutations import breaks
from mutations_auth import replace_param
from mutations_setup import once
from packet_editor import NoPlace
from continuation import Continuation
from captured_associations import EXTENSIONS, I_DATA, I_FORWARD_TSN, params_of

BEGIN, END, MIDDLE = chunks.BEGIN, chunks.END, 0


class Interleaved(Continuation):
    """An association whose ends use I-DATA; the near end goes on with its last stream, which it has not used."""

    def __init__(self, editor, where=lambda association: True, highest=0xFFFF):
        super().__init__(editor, where=lambda association: all({I_DATA, I_FORWARD_TSN} <= association.extensions(end) for end in (0, 1)) and where(association),
                         is_interleaved=True)
        self.sid = min(self.association.value(self.near, 12, 2) - 1, self.association.value(self.far, 14, 2) - 1, highest)
        if any(place.packet["sctp"][place.at + 8:place.at + 10] == self.sid.to_bytes(2, "big") for place in self.association.places(self.near, I_DATA)):
            raise NoPlace

    def fragments(self, *parts, reserved=0):
        """A packet for each (mid, fsn, flags)."""
        for mid, fsn, flags in parts:
            self.send(self.near, chunks.i_data(self.tsn[self.near], bytes(20), self.sid, mid, fsn, flags, reserved))
            self.tsn[self.near] = self.tsn[self.near] + 1 & 0xFFFFFFFF
        return self


def is_plain(association):
    return not any({I_DATA, I_FORWARD_TSN} & association.extensions(end) for end in (0, 1))


@breaks("ID-001")
def i_data_without_negotiation(editor):
    continuation = Continuation(editor, where=is_plain)
    continuation.send(continuation.near, chunks.i_data(continuation.tsn[continuation.near], bytes(20)))
    return continuation.near


@breaks("ID-002")
def data_though_negotiated(editor):
    continuation = Interleaved(editor)
    return continuation.data(continuation.near, sid=continuation.sid).near


@breaks("ID-003")
def forward_tsn_with_i_data(editor):
    continuation = Interleaved(editor)
    return continuation.send(continuation.near, chunks.forward_tsn(continuation.tsn[continuation.near] - 1)).near


@breaks("ID-003", causes=("ID-015",))
def i_forward_tsn_with_data(editor):
    return forwards_without_negotiation(editor)


@breaks("ID-015", causes=("ID-003",))
def i_forward_tsn_without_negotiation(editor):
    return forwards_without_negotiation(editor)


def forwards_without_negotiation(editor):
    continuation = Continuation(editor, where=is_plain)
    return continuation.send(continuation.near, chunks.i_forward_tsn(continuation.tsn[continuation.near] - 1)).near


@breaks("ID-004")
def same_mid(editor):
    return Interleaved(editor).fragments((0, 0, BEGIN | END), (1, 0, BEGIN | END), (1, 0, BEGIN | END)).near


@breaks("ID-004")
def mid_goes_back(editor):
    return Interleaved(editor).fragments((5, 0, BEGIN | END), (4, 0, BEGIN | END)).near


@breaks("ID-005")
def third_fragment_4(editor):
    return Interleaved(editor).fragments((0, 51, BEGIN), (0, 1, 0), (0, 4, END)).near


@breaks("ID-005")
def second_fragment_0(editor):
    return Interleaved(editor).fragments((0, 51, BEGIN), (0, 0, END)).near


@breaks("ID-006")
def reserved_field(editor):
    return Interleaved(editor).fragments((0, 0, BEGIN | END), reserved=1).near


@breaks("ID-006")
def reserved_flag(editor):
    return Interleaved(editor).fragments((0, 0, BEGIN | END | 0x40)).near


@breaks("ID-007")
def one_stream_interleaved(editor):
    return Interleaved(editor).fragments((0, 0, BEGIN), (1, 0, BEGIN), (0, 1, END)).near


@breaks("ID-008")
def end_twice(editor):
    return Interleaved(editor).fragments((0, 0, BEGIN), (0, 1, END), (0, 2, END)).near


@breaks("ID-008", causes=("ID-005",))
def begin_twice(editor):
    return Interleaved(editor).fragments((0, 0, BEGIN), (0, 1, BEGIN), (0, 2, END)).near


@breaks("ID-010")
def i_forward_tsn_of_length_12(editor):
    continuation = Interleaved(editor)
    return continuation.send(continuation.near, chunks.chunk(I_FORWARD_TSN, 0, (continuation.tsn[continuation.near] - 1 & 0xFFFFFFFF).to_bytes(4, "big") + bytes(4))).near


@breaks("ID-012")
def partial_without_i_forward_tsn(editor):
    """Another extension in the place of I-FORWARD-TSN in the INIT."""
    association = editor.association(lambda association: once(association) and {I_DATA, chunks.FORWARD_TSN, I_FORWARD_TSN} <= association.extensions(0) and not association.is_partial())
    for kind, at, length in params_of(association.init):
        if kind == EXTENSIONS:
            listed = association.init.packet["sctp"][at + 4:at + length].replace(bytes([I_FORWARD_TSN]), bytes([chunks.PAD]))
            replace_param(editor, association.init, at, length, chunks.tlv(EXTENSIONS, listed))
            return 0
    raise NoPlace


@breaks("ID-004")
def first_mid_3(editor):
    continuation = Interleaved(editor, highest=1000)
    editor.deny_partial(continuation.association)
    return continuation.fragments((3, 0, BEGIN | END)).near


@breaks("ID-009", causes=("ID-002",))
def data_acknowledged(editor):
    continuation = Interleaved(editor, where=lambda association: association.is_single())
    continuation.data(continuation.near, sid=continuation.sid).sack(continuation.far).heartbeat(continuation.far)
    return continuation.far


@breaks("ID-009", causes=("ID-001",))
def i_data_acknowledged(editor):
    continuation = Continuation(editor, where=lambda association: is_plain(association) and association.is_single())
    continuation.send(continuation.near, chunks.i_data(continuation.tsn[continuation.near], bytes(20)))
    continuation.tsn[continuation.near] = continuation.tsn[continuation.near] + 1 & 0xFFFFFFFF
    return continuation.sack(continuation.far).heartbeat(continuation.far).far
