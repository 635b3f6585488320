# SPDX-License-Identifier: GPL-2.0-or-later
"""Authenticated chunks (RFC 4895), with the empty endpoint pair shared key or one given.

Leaves out several shared keys and their change; a COOKIE ECHO that is to be authenticated.
"""

import hashlib
import hmac
import struct

from .. import wire
from ..wire import Tlv
from .setup import key_vector

ALGORITHMS = {wire.HMAC_SHA1: (hashlib.sha1, 20), wire.HMAC_SHA256: (hashlib.sha256, 32)}
AUTH_HEADER_BYTES = 8


class Auth:
    """The association's part."""

    def begin_auth(self):
        self.auth_key = b""
        self.auth_hmac = wire.HMAC_SHA1
        self.peer_auth_chunks = frozenset()
        self.own_auth_chunks = frozenset()
        self.shared_key = b""
        self.authenticated_from = None

    def take_auth_offer(self, offer):
        """6.1: the association shared key from both key vectors, the smaller one first; the peer's first HMAC that is known."""
        own, peer = key_vector(self.own_parameters), offer.auth_bytes
        low, high = sorted([own, peer], key=lambda vector: (int.from_bytes(vector, "big"), len(vector)))
        self.auth_key = self.shared_key + low + high
        self.auth_hmac = next((number for number in offer.hmacs if number in ALGORITHMS and number in self.policy.auth_hmacs), wire.HMAC_SHA1)
        self.peer_auth_chunks = frozenset(offer.auth_chunks) - {wire.INIT, wire.INIT_ACK, wire.SHUTDOWN_COMPLETE, wire.AUTH}
        own_list = next((p.value for p in self.own_parameters if p.type == wire.CHUNK_LIST), b"")
        self.own_auth_chunks = frozenset(own_list) - {wire.INIT, wire.INIT_ACK, wire.SHUTDOWN_COMPLETE, wire.AUTH}

    # Sending (6.2).
    def needs_auth(self, type_):
        return self.uses_auth and type_ in self.peer_auth_chunks

    def auth_bytes(self, chunks):
        """Size of the AUTH chunk that these need, 0 for none."""
        if self.uses_auth and any(self.needs_auth(chunk.type) for chunk in chunks):
            return wire.padded(AUTH_HEADER_BYTES + ALGORITHMS[self.auth_hmac][1])
        return 0

    def auth_bytes_of_data(self):
        if self.needs_auth(wire.I_DATA if self.uses_interleaving else wire.DATA):
            return wire.padded(AUTH_HEADER_BYTES + ALGORITHMS[self.auth_hmac][1])
        return 0

    def with_auth(self, chunks):
        """An AUTH chunk before the first chunk that the peer wants authenticated."""
        if not self.uses_auth:
            return chunks
        for at, chunk in enumerate(chunks):
            if self.needs_auth(chunk.type):
                return chunks[:at] + [self.make_auth(chunks[at:])] + chunks[at:]
        return chunks

    def make_auth(self, chunks):
        digest, size = ALGORITHMS[self.auth_hmac]
        return wire.auth_chunk(0, self.auth_hmac, self.hmac_of(self.auth_hmac, wire.auth_chunk(0, self.auth_hmac, bytes(size)), chunks))

    def hmac_of(self, number, empty, chunks):
        """Over the AUTH chunk with zeroes for the HMAC and all that follows, padding included."""
        return hmac.new(self.auth_key, empty.encode() + b"".join([chunk.encode() for chunk in chunks]), ALGORITHMS[number][0]).digest()

    # Receiving (6.3).
    def is_authenticated(self, packet, index):
        """False: the chunk is silently discarded, for it is to be authenticated and no right AUTH chunk precedes it."""
        self.auth_packet, self.auth_index = packet, index
        if not self.uses_auth:
            return True
        if self.authenticated_from == "wrong":
            return False
        return packet.chunks[index].type not in self.own_auth_chunks or self.authenticated_from is not None

    def receive_auth(self, chunk):
        """6.3: checks what follows; if the HMAC is wrong all of that is discarded."""
        if not self.uses_auth or len(chunk.value) < 4:
            return None
        key, number = struct.unpack_from("!HH", chunk.value)
        following = self.auth_packet.chunks[self.auth_index + 1 :]
        if number not in ALGORITHMS or number not in self.policy.auth_hmacs:
            self.queue_control(wire.causes_chunk(wire.ERROR, [Tlv(wire.UNSUPPORTED_HMAC, struct.pack("!H", number))]), self.arrival_path)
            return False
        right = self.hmac_of(number, wire.auth_chunk(key, number, bytes(ALGORITHMS[number][1])), following)
        self.authenticated_from = self.auth_index if key == 0 and chunk.value[4:] == right else "wrong"
        return None
