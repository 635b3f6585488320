# SPDX-License-Identifier: GPL-2.0-or-later
"""Why Linux retransmitted: the kernel's outqueue replayed from its own trace (gt.tsv) and the capture at the sender.

The trace says when packets went out (`xmit`), SACKs came in (`sackin`) and chunks were marked (`mark`), in the true order.
Its rows are tied to packets; the lists of net/sctp/outqueue.c are then replayed, and the flight size of each mark is the
proof that the lists are right. Leaves out RTT and RTO (linux_rto.py).
"""

import bisect
import re
from dataclasses import dataclass

from tap import before, beside, is_address_of_a, is_other_range, open_table, read_tap, retransmissions

T3, FAST, PMTU, T1 = range(4)
KIND = {T3: "timeout", FAST: "fast", PMTU: "pmtu", T1: "timeout"}
CAN_FAST, NEED_FAST, NO_FAST = range(3)
LATEST_BEFORE_S = 0.002
RTO_MIN_S = 1.0


def trace_rows(folder):
    """Rows of gt.tsv as dictionaries, `time` in seconds."""
    with open_table(beside(folder, "gt.tsv")) as table:
        names = next(table).rstrip("\n").split("\t")
        for line in table:
            row = dict(zip(names, line.rstrip("\n").split("\t")))
            row["time"] = float(row["time"])
            yield row


def rows_of_end(folder, end):
    """The rows whose association belongs to this end. A name may be used again by the other end: the address, or the
    last address the name had, decides."""
    owner = {}
    for row in trace_rows(folder):
        if row["dst"] != "-":
            owner[row["assoc"]] = "B" if is_address_of_a(row["dst"]) else "A"
        if owner.get(row["assoc"]) == end:
            yield row


def tie_packets(rows, packets):
    """row["packet"] for xmit rows: the packet that was captured next to its address; rows without one were empty."""
    sent = {}
    for packet in sorted((p for p in packets if p.sent), key=lambda p: p.time):
        sent.setdefault(packet.destination, []).append(packet)
    for destination, queue in sent.items():
        own = [row for row in rows if row["event"] == "xmit" and row["dst"] == destination]
        times, used = [row["time"] for row in own], -1
        for packet in queue:
            at = bisect.bisect_right(times, packet.time) - 1
            if at > used and packet.time - times[at] < LATEST_BEFORE_S:
                own[at]["packet"], used = packet, at


def tie_sacks(rows, packets):
    """row["sack"] for sackin rows: SACKs of the association in the order in which they came."""
    waiting, assoc_of = {}, {}
    for packet in sorted((p for p in packets if not p.sent), key=lambda p: p.time):
        for sack in packet.sacks:
            if not sack.is_shutdown:
                waiting.setdefault(packet.assoc, []).append((packet, sack))
    for row in rows:
        if row.get("packet"):
            assoc_of[row["assoc"]] = row["packet"].assoc
        elif row["event"] == "sackin":
            queue = waiting.get(assoc_of.get(row["assoc"]), [])
            if queue and queue[0][0].time <= row["time"]:
                row["sack_packet"], row["sack"] = queue.pop(0)


@dataclass(eq=False)
class Chunk:
    """A DATA chunk the kernel keeps; `transport` is the address whose list holds it, None on the retransmit queue."""

    tsn: int
    size: int
    transport: str
    gap_acked: bool = False
    missing: int = 0
    fast: int = CAN_FAST
    mark: dict = None


class Outqueue:
    """net/sctp/outqueue.c of one association: struct sctp_outq with its transports' lists, in TSN order."""

    def __init__(self):
        self.chunks, self.cum, self.highest_sent = {}, None, None
        self.highest_sacked = None
        self.recovery_exit = None
        self.order = []
        self.a_rwnd = None

    def send(self, data, destination):
        """Take one DATA chunk of a packet; returns the mark that moved it, or None."""
        chunk = self.chunks.get(data.tsn)
        if chunk is None:
            if self.highest_sent is not None and is_other_range(self.highest_sent, data.tsn):
                self.__init__()
            self.chunks[data.tsn] = Chunk(data.tsn, data.size, destination)
            if self.highest_sent is None or before(self.highest_sent, data.tsn):
                self.highest_sent = data.tsn
            if destination not in self.order:
                self.order.append(destination)
            return None
        mark, chunk.mark = chunk.mark, None
        if chunk.transport is None:
            chunk.transport = destination
        if chunk.fast == NEED_FAST:
            chunk.fast = NO_FAST
        if destination not in self.order:
            self.order.append(destination)
        return mark

    def abandon(self, forward):
        """A FORWARD_TSN goes out: these chunks are on no list any more."""
        if forward is not None:
            self.chunks = {tsn: chunk for tsn, chunk in self.chunks.items() if before(forward, tsn)}

    def flight(self, destination):
        return sum(c.size for c in self.chunks.values() if c.transport == destination and not c.gap_acked)

    def sack(self, sack):
        """sctp_outq_sack()."""
        if self.cum is not None and before(sack.cum, self.cum):
            return
        if not sack.is_shutdown:
            self.a_rwnd = sack.a_rwnd
        highest_new, bytes_acked = sack.cum, False
        for transport in [None, *self.order]:
            for chunk in [c for c in self.chunks.values() if c.transport == transport]:
                if not sack.covers(chunk.tsn):
                    chunk.gap_acked = False
                    continue
                if not chunk.gap_acked:
                    chunk.gap_acked, bytes_acked = True, bytes_acked or transport is not None
                    if before(highest_new, chunk.tsn):
                        highest_new = chunk.tsn
        moved = self.cum is None or before(self.cum, sack.cum)
        if bytes_acked and self.recovery_exit is not None and not before(sack.cum, self.recovery_exit):
            self.recovery_exit = None
        self.cum = sack.cum
        self.chunks = {tsn: c for tsn, c in self.chunks.items() if before(sack.cum, tsn)}
        if sack.blocks:
            if self.recovery_exit is not None and moved:
                highest_new = sack.highest()
            self.mark_missing(highest_new)

    def mark_missing(self, highest_new):
        """sctp_mark_missing(), without SFR-CACC."""
        for chunk in self.chunks.values():
            if chunk.transport is None:
                continue
            if chunk.fast == CAN_FAST and not chunk.gap_acked and before(chunk.tsn, highest_new):
                chunk.missing += 1
            if chunk.missing >= 3:
                chunk.fast = NEED_FAST

    def mark(self, row, reason):
        """sctp_retransmit_mark() after sctp_retransmit(); returns the chunks moved."""
        moved = []
        if reason == T3:
            self.recovery_exit = None
        elif reason == FAST and self.recovery_exit is None:
            self.recovery_exit = self.highest_sent
        for chunk in self.chunks.values():
            if chunk.transport != row["dst"]:
                continue
            if chunk.fast == NEED_FAST if reason == FAST else not chunk.gap_acked:
                chunk.missing, chunk.transport, chunk.mark = 0, None, row
                moved.append(chunk)
        return moved


class Replay:
    """The outqueues of one end's associations, fed with the rows; `marks`: (frame, TSN) -> the mark that made the kernel
    send it again, None where no mark was seen."""

    def __init__(self, folder, end):
        self.packets, rows = read_tap(folder, end), list(rows_of_end(folder, end))
        self.queues, self.number_of, self.marks = {}, {}, {}
        tie_packets(rows, self.packets)
        tie_sacks(rows, self.packets)
        for row in rows:
            getattr(self, row["event"], lambda row: None)(row)

    def xmit(self, row):
        packet = row.get("packet")
        if packet is None:
            return
        self.number_of[row["assoc"]] = packet.assoc
        queue = self.queues.setdefault(packet.assoc, Outqueue())
        queue.abandon(packet.forward)
        for data in packet.data:
            is_known = data.tsn in queue.chunks
            mark = queue.send(data, packet.destination)
            if is_known:
                self.marks[packet.frame, data.tsn] = mark

    def sackin(self, row):
        if "sack" in row:
            self.queues[row["sack_packet"].assoc].sack(row["sack"])

    def mark(self, row):
        if row["assoc"] in self.number_of:
            self.queues[self.number_of[row["assoc"]]].mark(row, reason_of(row))


def reason_of(row, name="reason"):
    return int(re.search(rf"\b{name}=(\d+)", row["extra"])[1])


def judge_without_mark(sent, seen, replay):
    """Where the trace is empty: nothing but T3 sends again RTO.Min after the last SACK."""
    if not replay.queues and seen.misses == 0 and seen.quiet is not None and seen.quiet >= RTO_MIN_S:
        sent.truth, sent.why = "timeout", "no trace; no miss, and no SACK for RTO.Min: nothing but T3 is left"
    else:
        sent.why = "no mark in the trace moved this chunk"


def kinds(folder, end, seen):
    """The retransmissions of this end with their truth. `seen`: their evidence."""
    replay = Replay(folder, end)
    result = retransmissions(replay.packets)
    for sent in result:
        mark = replay.marks.get((sent.frame, sent.tsn))
        if mark is None:
            judge_without_mark(sent, seen[sent.frame, sent.tsn], replay)
            continue
        sent.truth = KIND[reason_of(mark)]
        sent.why = f"marked ({sent.truth}) {(sent.time - mark['time']) * 1000:.1f} ms before, rto {mark['rto_ms']} ms"
    return result
