# SPDX-License-Identifier: GPL-2.0-or-later
"""How long complete messages waited for earlier ones of their stream, as the plugin has it of a capture near the sender, against the arrivals in the
capture near the receiver, read by the built-in dissector's fields: between the bounds that one tap gives, and as there where both are merged."""

import json
import subprocess

import pytest
from truth import CAPTURES

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
    waits = true_waits(arrivals(tshark, capture(run, "B")))
    assert sum(map(len, waits.values())) > 100
    return waits


@pytest.mark.parametrize("run", RUNS)
def test_the_wait_lies_between_the_bounds_of_one_tap(tshark, run):
    found = streams_of(tshark, capture(run, "A"))
    for stream, waits in waits_of(tshark, run).items():
        for rank, percent in RANKS.items():
            assert found[stream]["hol_delay_ms"][rank] <= percentile(waits, percent) + SAME_MS, (stream, rank)
            assert found[stream]["hol_delay_most_ms"][rank] >= percentile(waits, percent) - SAME_MS, (stream, rank)


@pytest.mark.parametrize("shift_s", [0, 3, -3])
@pytest.mark.parametrize("run", ["linux/bulk-loss1", "usrsctp/reorder"])
def test_two_taps_show_the_wait(tshark, tmp_path, run, shift_s):
    shifted, merged = tmp_path / "shifted.pcapng", tmp_path / "merged.pcapng"
    subprocess.run(["editcap", "-t", str(shift_s), capture(run, "B"), shifted], check=True)
    subprocess.run(["mergecap", "-w", merged, capture(run, "A"), shifted], check=True)
    merged.chmod(0o644)
    found = streams_of(tshark, merged)
    for stream, waits in waits_of(tshark, run).items():
        for rank, percent in RANKS.items():
            for bound in ("hol_delay_ms", "hol_delay_most_ms"):
                assert found[stream][bound][rank] == pytest.approx(percentile(waits, percent), abs=0.001), (stream, rank)
