# SPDX-License-Identifier: GPL-2.0-or-later
"""Chunks of drafts: PKTDROP and DTLS."""

import struct

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import silent
from scripts import Setting, violates


def listed(*kinds):
    return chunks.tlv(chunks.EXTENSIONS, bytes(kinds), last=True)


@violates("DX-001", Setting(where=lambda association: chunks.PKTDROP not in association.extensions(1 - association.near)))
def pktdrop_not_listed(talk):
    talk.send(talk.near, chunks.pktdrop(bytes(20)))


@silent("DX-001")
def pktdrop_listed():
    return ScenarioBuilder().set_up((b"", listed(chunks.PKTDROP))).send(0, chunks.pktdrop(bytes(20)))


@violates("DX-003")
def dtls_chunk_without_parameter(talk):
    talk.send(talk.near, chunks.chunk(chunks.DTLS, 0, bytes(20)))


@silent("DX-003")
def dtls_chunk_with_parameter():
    keys = chunks.tlv(0x8006, struct.pack("!IBB", 1, 0, 1))
    return ScenarioBuilder().set_up((keys, keys)).send(0, chunks.chunk(chunks.DTLS, 0, bytes(20)))


LEFT_OUT = [
    ("DX-002", "left out", "the packet may be damaged behind the tap; the quoted copy is cut"),
    ("DX-004", "left out", "the draft is not at hand, its exceptions are not known"),
    ("DX-005", "dropped", "presence of a private code point is information for the decoder, not a deviation"),
]
