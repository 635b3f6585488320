# SPDX-License-Identifier: GPL-2.0-or-later
"""usrsctp's sent queue: which chunk is marked for sending again, by what and when. Follows sctp_handle_sack(),
sctp_strike_gap_ack_chunks(), sctp_mark_all_for_resend() of version 0.9.5. Leaves out where the events come from (usrsctp.py).
"""

from dataclasses import dataclass

from tap import before, is_other_range

STRIKES = 3
CHUNK_OVERHEAD_BYTES = 256
SILLY_WINDOW_BYTES = 1420


@dataclass(eq=False)
class Chunk:
    """A DATA chunk on the sent queue; `mark`: (kind, time) once it waits for sending again."""

    tsn: int
    size: int
    path: str
    sent_time: float
    is_probe: bool
    strikes: int = 0
    mark: tuple = None
    acked: bool = False
    is_fast: bool = False
    fast_tsn: int = None
    is_immune: bool = False


class SentQueue:
    """One association's sent queue, in TSN order."""

    def __init__(self, has_cmt):
        self.chunks, self.has_cmt = {}, has_cmt
        self.cum, self.next_tsn = None, None
        self.recovery_exit, self.had_blocks = None, False
        self.window = None

    def send(self, data, path, time):
        chunk = self.chunks.get(data.tsn)
        if chunk is None:
            if self.next_tsn is not None and is_other_range(self.next_tsn, data.tsn):
                self.__init__(self.has_cmt)
            self.chunks[data.tsn] = Chunk(data.tsn, data.size, path, time, self.is_probe(data))
            self.next_tsn = data.tsn + 1 & 0xFFFFFFFF
        else:
            if chunk.mark and chunk.mark[0] in ("timeout", "inferred"):
                chunk.is_immune = self.has_cmt or path != chunk.path
            chunk.path, chunk.sent_time, chunk.mark, chunk.strikes = path, time, None, 0
        if self.window is not None:
            self.window -= data.size + CHUNK_OVERHEAD_BYTES
            self.window = 0 if self.window < SILLY_WINDOW_BYTES else self.window

    def in_flight(self):
        return [chunk for chunk in self.chunks.values() if not chunk.acked and chunk.mark is None]

    def is_probe(self, data):
        return self.window is not None and self.window < data.size and not self.in_flight()

    def mark(self, chunk, kind, time):
        chunk.mark = kind, time
        if kind in ("fast", "report"):
            chunk.is_fast, chunk.fast_tsn = True, self.next_tsn
            chunk.is_immune = self.has_cmt

    def report(self, tsn, time):
        if tsn in self.chunks and not self.chunks[tsn].acked:
            self.mark(self.chunks[tsn], "report", time)

    def t3(self, path, time, wait, is_inferred=False):
        """Marks what was sent to `path` at least `wait` ago; with a closed window everything."""
        self.recovery_exit = None
        for chunk in self.chunks.values():
            if chunk.path != path or chunk.acked or chunk.sent_time > time - wait and self.window != 0:
                continue
            if chunk.mark is None:
                chunk.mark = "inferred" if is_inferred else "timeout", time
            chunk.is_fast, chunk.fast_tsn = False, self.next_tsn

    def sack(self, sack, time):
        if self.cum is not None and before(sack.cum, self.cum):
            return
        is_express = not sack.blocks and not self.had_blocks or sack.is_shutdown
        moved = any(not before(sack.cum, tsn) for tsn in self.chunks)
        newest_of, highest_new = self.take_acks(sack)
        self.cum = sack.cum
        self.chunks = {tsn: chunk for tsn, chunk in self.chunks.items() if before(sack.cum, tsn)}
        exits = moved and self.recovery_exit is not None and not before(sack.cum, self.recovery_exit)
        if not is_express:
            self.revoke(sack)
            self.had_blocks = bool(sack.blocks)
        if sack.blocks:
            self.strike(sack, newest_of, highest_new, moved, time)
        if exits and not is_express:
            self.recovery_exit = None
        if not sack.is_shutdown:
            self.open_window(sack, time)

    def take_acks(self, sack):
        """Path -> its highest newly acked TSN, and the highest of all; cumulatively acked ones count as the cumulative TSN."""
        newest_of, highest_new = {}, sack.cum
        for tsn, chunk in self.chunks.items():
            if chunk.acked or not sack.covers(tsn):
                continue
            if not before(sack.cum, tsn):
                newest_of.setdefault(chunk.path, sack.cum)
            elif chunk.mark is None:
                newest = newest_of.get(chunk.path, sack.cum)
                newest_of[chunk.path] = tsn if before(newest, tsn) else newest
                highest_new = tsn if before(highest_new, tsn) else highest_new
            chunk.acked, chunk.mark = True, None
        return newest_of, highest_new

    def revoke(self, sack):
        for tsn, chunk in self.chunks.items():
            if chunk.acked and not sack.covers(tsn):
                chunk.acked, chunk.strikes = False, 0

    def strike(self, sack, newest_of, highest_new, moved, time):
        in_recovery = moved and self.recovery_exit is not None
        marked = False
        for tsn, chunk in self.chunks.items():
            if chunk.is_immune or chunk.acked or chunk.mark or before(sack.highest(), tsn) or chunk.path not in newest_of:
                continue
            if not in_recovery:
                if before(newest_of[chunk.path], tsn):
                    continue
                if before(highest_new, chunk.fast_tsn if chunk.is_fast and not self.has_cmt else tsn):
                    continue
            chunk.strikes += 1
            if chunk.strikes >= STRIKES:
                self.mark(chunk, "fast", time)
                marked = True
        if marked and (self.recovery_exit is None or self.has_cmt):
            self.recovery_exit = self.next_tsn - 1 & 0xFFFFFFFF

    def open_window(self, sack, time):
        flight = self.in_flight()
        window = max(0, sack.a_rwnd - sum(chunk.size + CHUNK_OVERHEAD_BYTES for chunk in flight))
        window = 0 if window < SILLY_WINDOW_BYTES else window
        if self.window is not None and window > self.window:
            probe = next((chunk for chunk in self.chunks.values() if chunk.is_probe), None)
            if probe and not probe.acked and probe.mark is None:
                self.mark(probe, "window", time)
            for chunk in self.chunks.values():
                chunk.is_probe = False
        self.window = window
