# SPDX-License-Identifier: GPL-2.0-or-later
"""Checksums made otherwise, and captures as if they had been made of SCTP in DTLS."""

from generate import chunks
from packet_editor import UNKNOWN, NoPlace
from captured_associations import Place, chunks_of, params_of

ZERO = bytes(4)
DTLS = 2


def sums(talk, checksum, n=4):
    """Messages with checksums made otherwise."""
    for _ in range(n):
        talk.data(talk.near, checksum=checksum)
    return talk


def in_dtls(editor):
    """Associations over DTLS have one address each, and tell none."""
    if any(len({address for pair in association.pairs(end) for address in pair}) > 2 for association in editor.associations for end in (0, 1)):
        raise NoPlace
    for packet in editor.packets:
        packet["encapsulation"] = DTLS
        for kind, at, length in chunks_of(packet["sctp"]):
            for type_, param_at, _ in params_of(Place(packet, at, length)) if kind in (chunks.INIT, chunks.INIT_ACK) else ():
                if type_ in (chunks.IPV4, chunks.IPV6, chunks.ADDRESS_TYPES):
                    editor.edit(packet, param_at, UNKNOWN.to_bytes(2, "big"))
