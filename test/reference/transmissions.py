# SPDX-License-Identifier: GPL-2.0-or-later
"""The TSNs of one direction of an association: every transmission at this tap, and what acknowledged them. A plain set of what is
acknowledged, looked through again at every SACK: slow, and easy to see to be right.

Where the definitions (docs/generated/reference.md, fields) leave a choice, it is made here so:
- A TSN that is first seen after a SACK acknowledged it has neither acked_in nor gap_acked_in.
- A newer SACK is judged for reneging above its highest block, too.
- Abandoned TSNs leave the flight for good. A later SACK that covers one still is its acked_in, and acknowledges it for the first time.
- After a TSN reset (RFC 6525) TSNs go on from the next TSN of the response, 64-bit; what was outstanding is abandoned."""

import dataclasses


@dataclasses.dataclass
class Tsn:
    tsn: int            # unwrapped
    bytes: int
    transmissions: list = dataclasses.field(default_factory=list)   # (frame, time_ns, path)
    gap_acked_in: int = None
    acked_in: int = None
    abandoned_in: int = None
    was_acked: bool = False
    was_reneged: bool = False
    is_behind: bool = False     # first seen after a higher one
    is_late: bool = False       # first seen after it was acknowledged


class Direction:
    """DATA of one end. initial: its initial TSN, or what takes its place."""

    def __init__(self, initial):
        self.initial = initial
        self.highest = -1           # highest TSN sent
        self.cum = None             # highest cum TSN acknowledged
        self.gap_acked = set()      # TSNs above cum in what is known of the gap blocks, also such as were never seen here
        self.tsns = {}              # unwrapped -> Tsn
        self.open = set()           # TSNs of self.tsns that no cum TSN covered yet
        self.resets = set()
        self.covered = []           # Tsns that the cum TSN taken last passed

    def unwrap(self, raw):
        """The value congruent to raw - initial that is nearest to the highest TSN sent or acknowledged."""
        near = self._near()
        distance = (raw - self.initial - near) % 2**32
        return near + distance - (2**32 if distance >= 2**31 else 0)

    def _near(self):
        return self.highest if self.cum is None else max(self.highest, self.cum)

    def transmit(self, data, frame, time_ns, path):
        """The Tsn, with this transmission added."""
        tsn = self.unwrap(data.tsn)
        if tsn not in self.tsns:
            self.tsns[tsn] = Tsn(tsn, data.bytes)
            self.tsns[tsn].is_behind = tsn < self.highest
            self._find_earlier_acks(self.tsns[tsn])
            if self.cum is None or tsn > self.cum:
                self.open.add(tsn)
        self.highest = max(self.highest, tsn)
        self.tsns[tsn].transmissions.append((frame, time_ns, path))
        return self.tsns[tsn]

    def _find_earlier_acks(self, entry):
        entry.is_late = self.cum is not None and (entry.tsn <= self.cum or entry.tsn in self.gap_acked)
        entry.was_acked = entry.is_late

    def is_old(self, raw_cum):
        return self.cum is not None and self.unwrap(raw_cum) < self.cum

    def held(self, sack):
        """The TSNs in a SACK's blocks."""
        cum = self.unwrap(sack.cum_tsn)
        return {tsn for start, end in sack.blocks for tsn in range(cum + max(start, 1), cum + end + 1)}

    def missing(self, sack):
        """How many TSNs between the cum TSN and the end of the highest block no block covers."""
        held = self.held(sack)
        return max(held) - self.unwrap(sack.cum_tsn) - len(held) if held else 0

    def acknowledge(self, raw_cum, held, frame):
        """Takes a cum TSN and the set of TSNs in the blocks above it. Returns the list of Tsn acknowledged for the first time."""
        self.covered = []
        if self.is_old(raw_cum):
            return []
        cum = self.unwrap(raw_cum)
        is_newer = self.cum is None or cum > self.cum
        known = {tsn for tsn in self.gap_acked if tsn > cum}
        if is_newer:
            self._renege({tsn for tsn in known if tsn not in held}, known)
        self.cum, self.gap_acked = cum, known | held
        return self._mark(frame, held)

    def _renege(self, lost, known):
        known -= lost
        for tsn in lost & self.tsns.keys():
            self.tsns[tsn].was_reneged = True

    def _mark(self, frame, held):
        new = []
        for tsn in sorted(self.open):
            entry = self.tsns[tsn]
            if tsn <= self.cum:
                entry.acked_in = None if entry.is_late else frame
                self.open.discard(tsn)
                self.covered.append(entry)
            elif tsn not in held:
                continue
            elif entry.gap_acked_in is None and not entry.is_late:
                entry.gap_acked_in = frame
            if not entry.was_acked:
                new.append(entry)
            entry.was_acked = True
        return new

    def forward(self, raw_cum, frame):
        """FORWARD_TSN. Returns the Tsns that it abandons."""
        cum = self.unwrap(raw_cum)
        return self._abandon((tsn for tsn in self.open if tsn <= cum and tsn not in self.gap_acked), frame)

    def _abandon(self, tsns, frame):
        entries = [self.tsns[tsn] for tsn in tsns if self.tsns[tsn].abandoned_in is None]
        for entry in entries:
            entry.abandoned_in = frame
        return entries

    def reset(self, raw_next, frame):
        """The next TSN is raw_next, whatever went before; said again, it changes nothing. Returns the Tsns abandoned."""
        if raw_next in self.resets:
            return []
        self.resets.add(raw_next)
        near = self._near()
        self.highest = self.cum = near + (raw_next - self.initial - near) % 2**32 - 1
        abandoned = self._abandon(self.outstanding(), frame)
        self.open, self.gap_acked = set(), set()
        return abandoned

    def outstanding(self, path=None):
        """TSNs sent and not acknowledged, of one path or of all."""
        return [tsn for tsn in self.open if tsn not in self.gap_acked and self.tsns[tsn].abandoned_in is None
                and path in (None, self.tsns[tsn].transmissions[-1][2])]

    def outstanding_bytes(self, path=None):
        return sum(self.tsns[tsn].bytes for tsn in self.outstanding(path))
