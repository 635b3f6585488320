# SPDX-License-Identifier: GPL-2.0-or-later
"""What announces authentication, and AUTH chunks."""

import struct

from generate import chunks

RANDOM = chunks.tlv(chunks.RANDOM, bytes(range(32)))
HMACS = chunks.tlv(chunks.HMACS, struct.pack("!HH", 3, 1))
SUPPORT = RANDOM + HMACS


def wanting(*types):
    return chunks.tlv(chunks.CHUNKS, bytes(types))


def auth(hmac_id=1, size=20, flags=0):
    return chunks.chunk(chunks.AUTH, flags, struct.pack("!HH", 0, hmac_id) + bytes(size))
