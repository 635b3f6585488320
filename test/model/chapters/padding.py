# SPDX-License-Identifier: GPL-2.0-or-later
"""PAD chunks and padding parameters."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent
from mutations import breaks
from packet_editor import NoPlace
from continuation import Continuation
from captured_associations import is_set_up_once
from set_ups import cookie_of

PAD = chunks.tlv(chunks.PADDING, b"padding, padding, padding")


@fires("PD-001", accused=1)
def pad_parameter_in_init_ack():
    return ScenarioBuilder().set_up((b"", PAD))


@silent("PD-001")
def pad_parameter_in_init():
    return ScenarioBuilder().set_up((PAD, b""))


@silent("PD-001", accused=1)
def pad_parameter_quoted_in_init_ack():
    return ScenarioBuilder().set_up((PAD, chunks.tlv(chunks.UNRECOGNIZED, PAD)))


@fires("PD-002", accused=1)
def cookie_with_the_pad_parameter():
    return ScenarioBuilder().init(0, PAD).init_ack(1, cookie=b"secret" + PAD + b"mac")


@silent("PD-002", accused=1)
def cookie_without_the_pad_parameter():
    return ScenarioBuilder().init(0, PAD).init_ack(1, cookie=b"secret and something as long as the PAD parameter mac")


def error_for(kind):
    return ScenarioBuilder().set_up().send(0, chunks.heartbeat(), chunks.chunk(kind, 0, bytes(40))) \
        .send(1, chunks.error(chunks.tlv(6, chunks.chunk(kind, 0, bytes(40)))))


@fires("PD-003", accused=1)
def pad_reported_as_unknown():
    return error_for(chunks.PAD)


@silent("PD-003", accused=1)
def asconf_reported_as_unknown():
    return error_for(chunks.ASCONF)


@fires("PD-004")
def pad_with_a_flag():
    return ScenarioBuilder().set_up().send(0, chunks.heartbeat(), chunks.chunk(chunks.PAD, 1, bytes(40)))


@silent("PD-004")
def pad_with_data():
    return ScenarioBuilder().set_up().send(0, chunks.heartbeat(), chunks.chunk(chunks.PAD, 0, b"\xff" * 40))


@breaks("PD-001")
def pad_in_init_ack(editor):
    association = editor.association(is_set_up_once)
    editor.add_param(association.init_ack, chunks.tlv(chunks.PADDING, bytes(20)))
    return 1


@breaks("PD-002")
def pad_inside_the_cookie(editor):
    association = editor.association(is_set_up_once)
    pad = chunks.tlv(chunks.PADDING, bytes(range(1, 21)))
    at, length = cookie_of(association)
    if length < 40:
        raise NoPlace
    editor.add_param(association.init, pad)
    editor.edit(association.init_ack.packet, at + 8, pad)
    echo = association.first(0, chunks.COOKIE_ECHO)
    editor.edit(echo.packet, echo.at + 8, pad)
    return 1


@breaks("PD-003", causes=("FMT-042",))
def pad_reported(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.PAD, 0, bytes(8)))
    continuation.send(continuation.far, chunks.error(chunks.tlv(6, chunks.chunk(chunks.PAD, 0, bytes(8)))))
    return continuation.far


@breaks("PD-004")
def pad_with_flags(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.PAD, 1, bytes(8)))
    return continuation.near


LEFT_OUT = [
    ("PD-005", "left out", "chunks behind a PAD that are not answered look the same as packets lost behind the tap"),
]
