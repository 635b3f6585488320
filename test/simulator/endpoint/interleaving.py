# SPDX-License-Identifier: GPL-2.0-or-later
"""User message interleaving (RFC 8260): I-DATA, MIDs and FSNs, and the refusal of chunks that do not go with what was negotiated.

Whether it is used is decided in setup.py, which message is next in fragmentation.py, I-FORWARD-TSN is made and read in partial_reliability.py.
Leaves out weights of streams (3.6).
"""

import collections

from .. import wire
from ..wire import Tlv

# A message that has been put together, also of DATA. number: SSN or MID as it came; tsns: of its chunks.
Assembled = collections.namedtuple("Assembled", "stream number ppid data ordered tsns")


class Interleaving:
    """The association's part."""

    # Sending.
    def assign_mid(self, message, stream):
        """2.1: MIDs of ordered and of unordered messages are counted apart, each from 0."""
        if message.is_ordered:
            message.ssn = stream.next_mid
            stream.next_mid += 1
        else:
            message.ssn = stream.next_unordered_mid
            stream.next_unordered_mid += 1

    def encode_i_data(self, tsn, message, data, beginning, ending, immediate):
        """2.1, 2.2.2: the fragments of a message are numbered from 0."""
        return wire.i_data_chunk(
            tsn, message.stream, message.ssn, message.next_fsn, message.ppid, data, beginning, ending, not message.is_ordered, immediate
        )

    # Receiving.
    def assembly_key(self, data):
        return data.stream, data.unordered, data.number

    def assemble_by_fsn(self, tsn, data):
        """RFC 8260 2.2.3: by stream, U bit, MID and FSN."""
        parts = self.assembling.setdefault(self.assembly_key(data), {})
        parts[data.fsn] = (tsn, data)
        last = max(parts)
        if not parts[last][1].ending or len(parts) != last + 1:
            return None
        del self.assembling[self.assembly_key(data)]
        in_order = [parts[fsn] for fsn in range(last + 1)]
        tsns = [t for t, _ in in_order]
        for t in tsns:
            self.fragments.pop(t, None)
        return Assembled(data.stream, data.number, in_order[0][1].ppid, b"".join([p.user_data for _, p in in_order]), not data.unordered, tsns)

    def contiguous_fsns(self, data):
        """TSNs of the fragments of a message from the first one on, as far as they follow each other and are acked for good."""
        parts, fsn, tsns = self.assembling.get(self.assembly_key(data), {}), 0, []
        while fsn in parts and parts[fsn][0] <= self.cum_tsn:
            tsns.append(parts[fsn][0])
            fsn += 1
        return tsns

    def drop_skipped_mids(self, streams):
        """2.3.1: messages that are not whole, up to the MIDs that an I-FORWARD-TSN lists."""
        skipped = {(stream, unordered): mid for stream, unordered, mid in streams}
        for key in list(self.assembling):
            stream, unordered, mid = key
            if (stream, unordered) in skipped and wire.unwrap(mid, skipped[stream, unordered]) <= skipped[stream, unordered]:
                self.drop_fragments([tsn for tsn, _ in self.assembling.pop(key).values()])

    # What was not negotiated.
    def receive_wrong_data_type(self, chunk):
        """RFC 8260 2.2.3: DATA where I-DATA was negotiated, or the other way round: ABORT."""
        self.abort_with([Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text)])
        return False

    def receive_wrong_forward_type(self, chunk):
        """RFC 8260 2.3.1."""
        self.abort_with([Tlv(wire.PROTOCOL_VIOLATION, self.policy.violation_text)])
        return False
