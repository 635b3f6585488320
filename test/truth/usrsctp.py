# SPDX-License-Identifier: GPL-2.0-or-later
"""Why usrsctp retransmitted: its sent queue replayed from the capture at the sender, its retransmission timer from its own
variables at every packet (A.gt.tsv...), where there are any: T3 doubles the RTO of a path.

The rules are those of version 0.9.5: sctp_indata.c (strikes), sctp_timer.c (T3), sctp_input.c (PKTDROP). Every
retransmission must be explained by a mark of the replay. Leaves out RTT and RTO (usrsctp_rto.py).
"""

import bisect
import re
from dataclasses import dataclass
from typing import NamedTuple

from tap import open_table, read_tap, retransmissions
from usrsctp_queue import SentQueue

ROW_BEFORE_PACKET_S = 0.002
RTO_MIN_S = 1.0
DOUBLED = 1.9


class Path(NamedTuple):
    """What a table tells of a path; times in milliseconds, `state`: bits SCTP_ADDR_*."""

    state: int
    rto: int
    srtt: int
    rttvar: int
    errors: int
    is_primary: bool


@dataclass(eq=False)
class Row:
    """A row of a table: `paths`: address -> Path."""

    time: float
    is_tx: bool
    paths: dict


def read_path(cell):
    address, state, *numbers = cell.split(",")
    rto, srtt, rttvar, errors = map(int, numbers[4:8])
    return address, Path(int(state, 16), rto, srtt, rttvar, errors, numbers[10] == "1")


def read_table(path):
    with open_table(path) as table:
        if not next(table, "").startswith("#time\tevent\tstate"):
            return
        for line in table:
            cells = line.rstrip("\n").split("\t")
            yield Row(float(cells[0]), cells[1] == "tx", dict(read_path(cell) for cell in cells[7:]))


def tables(folder, end):
    """The tables of this end, one per process: A.gt.tsv, A2.gt.tsv.gz..."""
    paths = sorted(path for path in folder.iterdir() if re.fullmatch(end + r"\d*\.gt\.tsv(\.gz)?", path.name))
    return [rows for path in paths if (rows := list(read_table(path)))]


@dataclass(eq=False)
class Expiry:
    """T3 (or a heartbeat's timer) doubled the RTO of a path; it spares what was sent less than `wait` seconds ago."""

    time: float
    address: str
    wait: float


def expiries(rows):
    for row, then in zip(rows, rows[1:]):
        for address, now in then.paths.items():
            was = row.paths.get(address)
            if was and then.is_tx and (now.rto >= DOUBLED * was.rto > 0 or now.errors > was.errors):
                yield Expiry(then.time, address, (now.srtt + 4 * now.rttvar) / 1000)


def covered(tables_of_end, packet):
    """Was a row written as this packet went out?"""
    for rows in tables_of_end:
        at = bisect.bisect_right(rows, packet.time, key=lambda row: row.time) - 1
        if at >= 0 and rows[at].is_tx and packet.time - rows[at].time < ROW_BEFORE_PACKET_S:
            return True
    return False


def smallest_rto(folder):
    """RTO.Min in seconds, as the scenario configures it."""
    text = next(open_table(path) for path in folder.iterdir() if path.name == "scenario.sh").read()
    return min([int(found) / 1000 for found in re.findall(r"--rto \d+,(\d+),\d+", text)] + [RTO_MIN_S])


class Replay:
    """All associations of one end; `marks`: (frame, TSN) -> (kind, time of the mark) or None."""

    def __init__(self, folder, end, packets):
        self.tables = tables(folder, end)
        self.has_cmt = "--cmt" in open_table(folder / "scenario.sh").read()
        self.rto_min = smallest_rto(folder)
        self.queues, self.marks, self.last_sent = {}, {}, {}
        events = [(packet.time, 1, packet) for packet in packets]
        events += [(expiry.time, 0, expiry) for rows in self.tables for expiry in expiries(rows)]
        for _, is_packet, event in sorted(events, key=lambda event: event[:2]):
            if not is_packet:
                for queue in self.queues.values():
                    queue.t3(event.address, event.time, event.wait)
            elif event.assoc is not None:
                self.take(event, self.queues.setdefault(event.assoc, SentQueue(self.has_cmt)))

    def take(self, packet, queue):
        if not packet.sent:
            for tsn in packet.dropped:
                queue.report(tsn, packet.time)
            for sack in packet.sacks:
                queue.sack(sack, packet.time)
            return
        for data in packet.data:
            key = packet.assoc, data.tsn
            if data.tsn in queue.chunks and queue.chunks[data.tsn].mark is None:
                self.infer_t3(packet, queue, queue.chunks[data.tsn])
            if key in self.last_sent:
                self.marks[packet.frame, data.tsn] = self.mark_of(packet, queue, data.tsn)
            queue.send(data, packet.destination, packet.time)
            self.last_sent[key] = packet.time

    def infer_t3(self, packet, queue, chunk):
        """Without a table: what no SACK marked, T3 marked; it spares what was sent in the last round trip or so."""
        if not covered(self.tables, packet):
            queue.t3(chunk.path, packet.time, packet.time - chunk.sent_time, is_inferred=True)

    def mark_of(self, packet, queue, tsn):
        """The mark, or T3 where SACKs that the tap saw cannot have reached the stack."""
        chunk = queue.chunks.get(tsn)
        if chunk:
            return chunk.mark
        has_waited = packet.time - self.last_sent[packet.assoc, tsn] >= self.rto_min * 0.95
        return ("acked", packet.time) if has_waited else None


WHY = {
    "fast": "three strikes",
    "timeout": "T3 doubled the RTO",
    "inferred": "no table, no strikes: nothing but T3 is left",
    "acked": "acked at the tap, yet sent again after RTO.Min: the SACK did not reach the stack",
    "report": "the peer's PKTDROP",
    "window": "a window probe sent again as the window opened",
}
TRUTH = {"inferred": "timeout", "acked": "timeout"}


def judge(sent, replay):
    mark = replay.marks.get((sent.frame, sent.tsn))
    if mark is None:
        sent.why = "nothing in the replay marked this chunk"
        return
    kind, time = mark
    sent.truth = TRUTH.get(kind, kind)
    sent.why = f"{WHY[kind]}, {(sent.time - time) * 1000:.1f} ms before"


def kinds(folder, end, seen):
    """The retransmissions of this end with their truth. `seen`: their evidence."""
    packets = read_tap(folder, end)
    result = retransmissions(packets)
    if result:
        replay = Replay(folder, end, packets)
        for sent in result:
            judge(sent, replay)
    return result
