# SPDX-License-Identifier: GPL-2.0-or-later
"""DATA that a receiver must complain of, and whether it took it."""

import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, MS, S
from register import fires, silent
from captured_associations import CapturedAssociation
from scripts import SINGLE, Setting, violates
from interleaving import INTERLEAVED, interleaved, is_not_interleaved
from received_data import received

BEGIN, END = chunks.BEGIN, chunks.END


@violates("ID-009", INTERLEAVED.also(CapturedAssociation.is_single), by_far=True, causes=("ID-002",))
def data_acknowledged_though_i_data_was_negotiated(talk):
    talk.data(talk.near).sack(talk.far).heartbeat(talk.far)


@violates("ID-009", SINGLE.also(is_not_interleaved), by_far=True, causes=("ID-001",))
def i_data_acknowledged_without_negotiation(talk):
    talk.send(talk.near, chunks.i_data(talk.lose(talk.near), bytes(20))).sack(talk.far).heartbeat(talk.far)


@silent("ID-009", accused=1, judged=False)
def i_data_that_was_cut():
    """It may be DATA whose type was damaged on the way; the receiver got it again."""
    scenario = interleaved(b"", b"", snap=128)
    scenario.send(0, chunks.i_data(scenario.ends[0].tsn, bytes(300)))
    scenario.ends[0].tsn += 1
    return scenario.sack(1).heartbeat(1)


@silent("ID-009", accused=1)
def aborts_when_data_comes():
    return interleaved().data(0).abort(1)


@violates("RX-025", SINGLE, causes=("FMT-013",))
def empty_data_taken(talk):
    talk.data(talk.far, size=0).sack(talk.near).data(talk.far).sack(talk.near)


@fires("RX-025", asserted=COMPLETE_AT_END_0)
def empty_data_ignored():
    """No SACK acknowledges it, either."""
    return received(2).data(1, size=0).wait(S).heartbeat(1)


@silent("RX-025", asserted=COMPLETE_AT_END_0)
@silent("RX-025")
def empty_data_answered_by_abort():
    return received(2).data(1, size=0).sack(0).abort(0)


def stranger(talk, sid=50, reports=False, times=3):
    """The far end sends data of a stream that is none, so many times, and the near one takes it."""
    for _ in range(times):
        talk.data(talk.far, sid=sid).sack(talk.near)
        if reports:
            talk.send(talk.near, chunks.error(chunks.tlv(1, struct.pack("!HH", sid, 0))))
        talk.wait(1500 * MS).data(talk.far).sack(talk.near)
    return talk


def has_room(association):
    return association.is_single() and max(association.value(end, at, 2) for end in (0, 1) for at in (12, 14)) < 60000


@violates("RX-024", Setting(where=has_room), causes=("TX-011", "TX-003", "TX-004"))
def invalid_stream_taken(talk):
    stranger(talk, 60000)


@silent("RX-024")
def invalid_stream_reported():
    return stranger(received(2), reports=True)


@fires("RX-024", asserted=COMPLETE)
@silent("RX-024", judged=False)
def invalid_stream_taken_once():
    return stranger(received(2), times=1)


@silent("RX-024", asserted=COMPLETE)
def invalid_stream_reported_once():
    return stranger(received(2), reports=True, times=1)


def noticed_after(wait_ns):
    return received(2).wait(50 * MS).data(1, sid=50).sack(0).data(1).wait(wait_ns).sack(0)


@fires("RX-024", asserted=COMPLETE_AT_END_0)
@silent("RX-024", asserted=COMPLETE)
def invalid_stream_not_reported_for_half_a_second():
    return noticed_after(500 * MS)


@silent("RX-024", asserted=COMPLETE_AT_END_0)
def invalid_stream_not_reported_for_50_ms():
    return noticed_after(50 * MS)


@silent("RX-024", judged=False)
def stream_added():
    """50 streams were added before."""
    scenario = received(2)
    add = chunks.tlv(chunks.ADD_OUTGOING, struct.pack("!IHH", scenario.ends[1].tsn, 50, 0))
    granted = chunks.tlv(chunks.RESPONSE, struct.pack("!II", scenario.ends[1].tsn, 1))
    return stranger(scenario.send(1, chunks.re_config(add)).send(0, chunks.re_config(granted)))


LEFT_OUT = []
