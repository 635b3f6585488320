# SPDX-License-Identifier: GPL-2.0-or-later
"""Zero checksum (RFC 9653), with the error detection method of DTLS.

Leaves out the lower layer that makes this safe: the simulation has none.
"""

from .. import wire

CHECKED_TYPES = (wire.INIT, wire.INIT_ACK, wire.COOKIE_ECHO, wire.ASCONF)


class ZeroChecksum:
    """The association's part."""

    def accepts_zero_checksum(self):
        """5.3: what was announced must be accepted."""
        return self.policy.zero_checksum

    def checksum_of(self, chunks):
        """5.2: 0 if the peer announced that it accepts it, but for INIT, COOKIE ECHO and ASCONF; None: CRC32c."""
        if not self.uses_zero_checksum or any(chunk.type in CHECKED_TYPES for chunk in chunks):
            return None
        return 0
