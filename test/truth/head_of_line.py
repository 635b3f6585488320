# SPDX-License-Identifier: GPL-2.0-or-later
"""How long complete messages waited for earlier ones of their stream, as the plugin has it of a capture near the sender, beside the arrivals in the
capture near the receiver, read by the built-in dissector's fields."""

import json
import subprocess

from statement import BOUND, FALSE, RIGHT, Statement
from tap import CAPTURES

FIELDS = ("frame.time_epoch", "ip.src", "sctp.data_tsn_raw", "sctp.data_sid", "sctp.data_u_bit", "sctp.data_b_bit", "sctp.data_e_bit")
# One sender of data and one path: loss one by one and in bursts, reordering, an outage, four stacks.
RUNS = ["linux/bulk-loss1", "linux/reorder", "usrsctp/bulk-burstloss", "usrsctp/reorder", "dcsctp/bulk-loss1", "pion/bulk-loss5"]
# How exactly two stamps of one packet's way there and back are known: queues of the emulator at a rate of 20 Mbit/s.
SAME_MS = 0.1
RANKS = {"median": 50, "p95": 95, "max": 100}


def capture(run, end):
    return next((CAPTURES / run).glob(f"{end}.pcap*.gz"))


def arrivals(tshark, path):
    """When each TSN of the first sender of DATA passed first: TSN -> (stream, ordered, begins, ends, seconds)."""
    done = tshark("-n", "-o", "sctp.relative_tsns:FALSE", "-r", path, "-Y", "sctp.chunk_type == 0 && !icmp", "-T", "fields",
                  *(word for field in FIELDS for word in ("-e", field)))
    assert done.returncode == 0, done.stderr
    seen, source = {}, None
    for line in done.stdout.splitlines():
        time, sender, *cells = line.split("\t")
        source = source or sender
        for tsn, stream, *bits in zip(*(cell.split(",") for cell in cells)) if sender == source else ():
            unordered, begins, ends = (bit in ("1", "True") for bit in bits)
            seen.setdefault(int(tsn), (int(stream, 0), not unordered, begins, ends, float(time)))
    return seen


def true_waits(at_receiver):
    """Milliseconds, by stream, of ordered messages."""
    first = min(at_receiver)
    waits, ready, whole, begun = {}, {}, {}, {}
    for tsn in sorted(at_receiver, key=lambda number: (number - first) % 2**32):
        stream, ordered, begins, ends, time = at_receiver[tsn]
        if not ordered:
            continue
        before = ready.get(stream, 0)
        if begins:
            whole[stream], begun[stream] = 0, before
        whole[stream] = max(whole.get(stream, 0), time)
        ready[stream] = max(before, time)
        if ends:
            waits.setdefault(stream, []).append(1000 * max(0, begun.get(stream, 0) - whole[stream]))
    return waits


def percentile(times, percent):
    """Nearest rank."""
    times = sorted(times)
    return times[max(0, -(-len(times) * percent // 100) - 1)]


def streams_of(tshark, path):
    done = tshark("-q", "-r", path, "-z", "sctp,json")
    associations = json.loads(done.stdout)["associations"]
    sender = max((direction["tsns"], direction["from"]) for direction in associations[0]["directions"])[1]
    return {stream["id"]: stream for stream in associations[0]["streams"] if stream["from"] == sender and stream["hol_delay_ms"]}


def waits_of(tshark, run):
    """Milliseconds, by stream."""
    return true_waits(arrivals(tshark, capture(run, "B")))


def statements(tshark, folder, end):
    """The median, 95th percentile and longest wait of each stream, which one tap bounds from both sides."""
    run = f"{folder.parent.name}/{folder.name}"
    if run not in RUNS or end != "A":
        return
    found = streams_of(tshark, capture(run, end))
    for stream, waits in waits_of(tshark, run).items():
        for rank, percent in RANKS.items():
            least, most = (found[stream][key][rank] for key in ("hol_delay_ms", "hol_delay_most_ms"))
            true = percentile(waits, percent)
            is_exact = abs(least - true) <= SAME_MS and abs(most - true) <= SAME_MS
            verdict = RIGHT if is_exact else BOUND if least - SAME_MS <= true <= most + SAME_MS else FALSE
            yield Statement("head-of-line delay", folder, end, verdict, f"stream {stream} {rank}: {least} to {most} ms, {true:.3f} ms")
