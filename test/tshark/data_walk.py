# SPDX-License-Identifier: GPL-2.0-or-later
"""The packets with DATA and SACKs of a capture by the built-in dissector's fields. Leaves out what they mean together."""

from typing import NamedTuple

BLOCKS = ("sctp.sack_gap_block", "sctp.nr_sack_gap_block", "sctp.nr_sack_nr_gap_block")
FIELDS = ["frame.number", "frame.time_epoch", "ip.src", "ip.dst", "sctp.srcport", "sctp.data_tsn_raw", "sctp.sack_cumulative_tsn_ack_raw", "sctp.nr_sack_cumulative_tsn_ack",
          *(f"{block}_{edge}" for block in BLOCKS for edge in ("start", "end"))]


class Packet(NamedTuple):
    frame: int
    time: float
    source: str
    destination: str
    port: int     # of its sender
    tsns: list
    cum_tsn: int  # of its SACK, None none
    above: set    # TSNs in its gap blocks

    def acks(self, tsn):
        return self.cum_tsn is not None and (tsn <= self.cum_tsn or tsn in self.above)


def packets(tshark, path):
    done = tshark("-n", "-o", "sctp.relative_tsns:FALSE", "-r", path, "-Y", "sctp.chunk_type in {0, 3, 16} && !icmp", "-T", "fields",
                  *(word for field in FIELDS for word in ("-e", field)))
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        frame, time, source, destination, port, tsns, cum, nr_cum, *edges = line.split("\t")
        cum_tsn = int(cum or nr_cum) if cum or nr_cum else None
        blocks = [pair for at in range(0, len(edges), 2) for pair in zip(edges[at].split(","), edges[at + 1].split(",")) if pair[0]]
        above = {cum_tsn + offset for start, end in blocks if cum_tsn is not None for offset in range(int(start), int(end) + 1)}
        yield Packet(int(frame), float(time), source, destination, int(port), [int(tsn) for tsn in tsns.split(",") if tsn], cum_tsn, above)
