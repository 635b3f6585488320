# SPDX-License-Identifier: GPL-2.0-or-later
"""DATA that a receiver must complain of, and whether it took it."""

import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, MS, S
from register import fires, silent
from mutations import breaks
from continuation import Continuation
from interleaving import InterleavedCapture, fragments, interleaved, is_not_interleaved
from received_data import received, receiving

BEGIN, END = chunks.BEGIN, chunks.END


@fires("ID-009", accused=1)
def data_acknowledged_though_i_data_was_negotiated():
    return interleaved().data(0).sack(1).heartbeat(1)


@fires("ID-009", accused=1)
def i_data_acknowledged_without_negotiation():
    return fragments(interleaved(b"", b""), (0, 0, 0, BEGIN | END)).sack(1).heartbeat(1)


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


@fires("RX-025")
def empty_data_taken():
    return received(2).data(1, size=0).sack(0).data(1).sack(0)


@fires("RX-025", asserted=COMPLETE_AT_END_0)
def empty_data_ignored():
    """No SACK acknowledges it, either."""
    return received(2).data(1, size=0).wait(S).heartbeat(1)


@silent("RX-025", asserted=COMPLETE_AT_END_0)
@silent("RX-025")
def empty_data_answered_by_abort():
    return received(2).data(1, size=0).sack(0).abort(0)


def stranger(reports, are_added=False, times=3):
    """Data of stream 50 of 10, so many times. are_added: 50 streams were added before."""
    scenario = received(2)
    if are_added:
        add = chunks.tlv(chunks.ADD_OUTGOING, struct.pack("!IHH", scenario.ends[1].tsn, 50, 0))
        granted = chunks.tlv(chunks.RESPONSE, struct.pack("!II", scenario.ends[1].tsn, 1))
        scenario.send(1, chunks.re_config(add)).send(0, chunks.re_config(granted))
    for _ in range(times):
        end = scenario.ends[1]
        scenario.send(1, chunks.data(end.tsn, bytes(20), sid=50))
        end.tsn = end.tsn + 1 & 0xFFFFFFFF
        scenario.sack(0)
        if reports:
            scenario.send(0, chunks.error(chunks.tlv(1, bytes((0, 50, 0, 0)))))
        scenario.data(1).wait(1500 * MS).sack(0)
    return scenario


@fires("RX-024")
def invalid_stream_taken():
    return stranger(False)


@silent("RX-024")
def invalid_stream_reported():
    return stranger(True)


@fires("RX-024", asserted=COMPLETE)
@silent("RX-024", judged=False)
def invalid_stream_taken_once():
    return stranger(False, times=1)


@silent("RX-024", asserted=COMPLETE)
def invalid_stream_reported_once():
    return stranger(True, times=1)


def noticed_after(wait_ns):
    scenario = stranger(False, times=0).wait(50 * MS)
    end = scenario.ends[1]
    scenario.send(1, chunks.data(end.tsn, bytes(20), sid=50))
    end.tsn = end.tsn + 1 & 0xFFFFFFFF
    return scenario.sack(0).data(1).wait(wait_ns).sack(0)


@fires("RX-024", asserted=COMPLETE_AT_END_0)
@silent("RX-024", asserted=COMPLETE)
def invalid_stream_not_reported_for_half_a_second():
    return noticed_after(500 * MS)


@silent("RX-024", asserted=COMPLETE_AT_END_0)
def invalid_stream_not_reported_for_50_ms():
    return noticed_after(50 * MS)


@silent("RX-024", judged=False)
def stream_added():
    return stranger(False, are_added=True)


@breaks("ID-009", causes=("ID-002",))
def data_acknowledged(editor):
    continuation = InterleavedCapture(editor, where=lambda association: association.is_single())
    continuation.data(continuation.near, sid=continuation.sid).sack(continuation.far).heartbeat(continuation.far)
    return continuation.far


@breaks("ID-009", causes=("ID-001",))
def i_data_acknowledged(editor):
    continuation = Continuation(editor, where=lambda association: is_not_interleaved(association) and association.is_single())
    continuation.send(continuation.near, chunks.i_data(continuation.ends[continuation.near].tsn, bytes(20)))
    continuation.ends[continuation.near].tsn = continuation.ends[continuation.near].tsn + 1 & 0xFFFFFFFF
    return continuation.sack(continuation.far).heartbeat(continuation.far).far


@breaks("RX-024", causes=("TX-011", "TX-003", "TX-004"))
def invalid_stream_taken_in_capture(editor):
    def has_room(association):
        return association.is_single() and max(association.value(end, at, 2) for end in (0, 1) for at in (12, 14)) < 60000
    continuation = Continuation(editor, where=has_room)
    near, far = continuation.near, continuation.far
    for _ in range(3):
        continuation.data(far, sid=60000).sack(near).wait(1500 * MS).data(far).sack(near)
    return near


@breaks("RX-025", causes=("FMT-013",))
def empty_data_taken_in_capture(editor):
    continuation = receiving(editor)
    continuation.data(continuation.far, size=0).sack(continuation.near).data(continuation.far).sack(continuation.near)
    return continuation.near


LEFT_OUT = []
