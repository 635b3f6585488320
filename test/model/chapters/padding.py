# SPDX-License-Identifier: GPL-2.0-or-later
"""PAD chunks and padding parameters."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import silent
from scripts import alters, violates
from packet_editor import NoPlace
from captured_associations import is_set_up_once
from set_ups import announces, cookie_of

PAD = chunks.tlv(chunks.PADDING, b"padding, padding, padding")


@alters("PD-001", 1)
def pad_parameter_in_init_ack(editor):
    return announces(editor, PAD, 1)


@silent("PD-001")
def pad_parameter_in_init():
    return ScenarioBuilder().set_up((PAD, b""))


@silent("PD-001", accused=1)
def pad_parameter_quoted_in_init_ack():
    return ScenarioBuilder().set_up((PAD, chunks.tlv(chunks.UNRECOGNIZED, PAD)))


def with_cookie(cookie):
    return ScenarioBuilder().init(0, PAD).init_ack(1, cookie=cookie).cookie_echo(cookie=cookie).cookie_ack()


@alters("PD-002", 1, of=lambda: with_cookie(bytes(60)))
def cookie_with_the_pad_parameter(editor):
    association = editor.association(is_set_up_once)
    at, length = cookie_of(association)
    if length < 40:
        raise NoPlace
    editor.add_param(association.init, PAD)
    editor.edit(association.init_ack.packet, at + 8, PAD)
    echo = association.first(0, chunks.COOKIE_ECHO)
    editor.edit(echo.packet, echo.at + 8, PAD)
    return 1


@silent("PD-002", accused=1)
def cookie_without_the_pad_parameter():
    return with_cookie(b"secret and something as long as the PAD parameter mac")


def error_for(talk, kind):
    talk.send(talk.near, chunks.chunk(kind, 0, bytes(8)))
    return talk.send(talk.far, chunks.error(chunks.tlv(6, chunks.chunk(kind, 0, bytes(8)))))


@violates("PD-003", by_far=True, causes=("FMT-042",))
def pad_reported_as_unknown(talk):
    error_for(talk, chunks.PAD)


@silent("PD-003", accused=1)
def asconf_reported_as_unknown():
    return error_for(ScenarioBuilder().set_up(), chunks.ASCONF)


@violates("PD-004")
def pad_with_a_flag(talk):
    talk.send(talk.near, chunks.chunk(chunks.PAD, 1, bytes(8)))


@silent("PD-004")
def pad_with_data():
    return ScenarioBuilder().set_up().send(0, chunks.heartbeat(), chunks.chunk(chunks.PAD, 0, b"\xff" * 40))


LEFT_OUT = [
    ("PD-005", "left out", "chunks behind a PAD that are not answered look the same as packets lost behind the tap"),
]
