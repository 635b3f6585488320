# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations with I-DATA, and without."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from packet_editor import NoPlace
from captured_associations import u16
from continuation import Continuation
from scripts import Setting


def listed(*kinds):
    return chunks.tlv(chunks.EXTENSIONS, bytes(kinds), last=True)


I_DATA_LISTED = listed(chunks.I_DATA, chunks.I_FORWARD_TSN)


def interleaved(initiator=I_DATA_LISTED, responder=I_DATA_LISTED, **options):
    return ScenarioBuilder(**options).set_up((initiator, responder))


def fragments(talk, *parts, reserved=0):
    """The near end sends a packet for each (stream, counted from its own, mid, fsn, flags) in the order of their TSNs."""
    near = talk.near
    for sid, mid, fsn, flags in parts:
        talk.send(near, chunks.i_data(talk.lose(near), b"user", talk.ends[near].stream + sid, mid, fsn, flags, reserved))
    return talk


class InterleavedCapture(Continuation):
    """An association whose ends use I-DATA; the stream of the near end is the last one, which it has not used."""

    def __init__(self, editor, near=None, where=lambda association: True, is_young=False):
        super().__init__(editor, near, where, is_young=is_young, is_interleaved=True)
        sid = min(self.association.value(self.near, 12, 2) - 1, self.association.value(self.far, 14, 2) - 1, 1000)
        if any(u16(place.packet["sctp"], place.at + 8) == sid for place in self.association.places(self.near, chunks.I_DATA)):
            raise NoPlace
        self.ends[self.near].stream = sid


def is_interleaved(association):
    return all({chunks.I_DATA, chunks.I_FORWARD_TSN} <= association.extensions(end) for end in (0, 1))


INTERLEAVED = Setting(params=(I_DATA_LISTED, I_DATA_LISTED), exchanges=0, where=is_interleaved, captured=InterleavedCapture)


def is_not_interleaved(association):
    return not any({chunks.I_DATA, chunks.I_FORWARD_TSN} & association.extensions(end) for end in (0, 1))


NOT_INTERLEAVED = Setting(where=is_not_interleaved)
