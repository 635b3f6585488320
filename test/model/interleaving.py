# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations with I-DATA, and without."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from packet_editor import NoPlace
from continuation import Continuation


def listed(*kinds):
    return chunks.tlv(chunks.EXTENSIONS, bytes(kinds), last=True)


I_DATA_LISTED = listed(chunks.I_DATA, chunks.I_FORWARD_TSN)


def interleaved(initiator=I_DATA_LISTED, responder=I_DATA_LISTED, **options):
    return ScenarioBuilder(**options).set_up((initiator, responder))


def fragments(scenario, *parts):
    """A packet for each (sid, mid, fsn, flags) in the order of their TSNs."""
    for sid, mid, fsn, flags in parts:
        scenario.send(0, chunks.i_data(scenario.ends[0].tsn, b"user", sid, mid, fsn, flags))
        scenario.ends[0].tsn += 1
    return scenario


class InterleavedCapture(Continuation):
    """An association whose ends use I-DATA; the near end goes on with its last stream, which it has not used."""

    def __init__(self, editor, where=lambda association: True, highest=0xFFFF):
        both = {chunks.I_DATA, chunks.I_FORWARD_TSN}
        super().__init__(editor, where=lambda association: all(both <= association.extensions(end) for end in (0, 1)) and where(association),
                         is_interleaved=True)
        self.sid = min(self.association.value(self.near, 12, 2) - 1, self.association.value(self.far, 14, 2) - 1, highest)
        sid = self.sid.to_bytes(2, "big")
        if any(place.packet["sctp"][place.at + 8:place.at + 10] == sid for place in self.association.places(self.near, chunks.I_DATA)):
            raise NoPlace

    def fragments(self, *parts, reserved=0):
        """A packet for each (mid, fsn, flags)."""
        for mid, fsn, flags in parts:
            self.send(self.near, chunks.i_data(self.ends[self.near].tsn, bytes(20), self.sid, mid, fsn, flags, reserved))
            self.ends[self.near].tsn = self.ends[self.near].tsn + 1 & 0xFFFFFFFF
        return self


def is_not_interleaved(association):
    return not any({chunks.I_DATA, chunks.I_FORWARD_TSN} & association.extensions(end) for end in (0, 1))
