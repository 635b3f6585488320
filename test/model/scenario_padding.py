# SPDX-License-Identifier: GPL-2.0-or-later
"""PAD chunks and padding parameters."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent

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
