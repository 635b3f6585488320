# SPDX-License-Identifier: GPL-2.0-or-later
"""How long messages took, as the plugin has it, against both taps of lab runs, read by the built-in dissector's fields: to the ack exactly;
to delivery between the bounds that one tap gives, and within 0.1 ms where both taps are merged.

Messages of one chunk and one stream each, all acknowledged: then every time can be told from TSNs alone. The percentiles of bounds of each
message bound the percentiles of the messages."""

import json
import pathlib
import subprocess
import sys

import pytest
from truth import CAPTURES

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tshark"))
import data_walk  # noqa: E402

FIELDS = ("frame.time_epoch", "ip.src", "sctp.data_tsn_raw", "sctp.data_sid", "sctp.data_u_bit", "sctp.data_b_bit", "sctp.data_e_bit")
# One sender of data, one path, whole messages: loss, reordering, an outage, another stack.
RUNS = ["linux/bulk-loss1", "linux/reorder", "linux/outages", "usrsctp/bulk-burstloss", "usrsctp/reorder"]
SAME_MS, NEAR_MS = 0.0011, 0.1


def sightings(tshark, path):
    """When each TSN of DATA was seen first, in order of TSN: (TSN, stream, unordered, seconds)."""
    done = tshark("-n", "-o", "sctp.relative_tsns:FALSE", "-r", path, "-Y", "sctp.chunk_type == 0 && !icmp", "-T", "fields",
                  *(word for field in FIELDS for word in ("-e", field)))
    assert done.returncode == 0, done.stderr
    seen, source = {}, None
    for line in done.stdout.splitlines():
        time, sender, tsns, streams, unordered, begins, ends = line.split("\t")
        source = source or sender
        if sender != source:
            continue
        for tsn, stream, bit, begin, end in zip(*(cell.split(",") for cell in (tsns, streams, unordered, begins, ends))):
            assert (begin, end) in (("1", "1"), ("True", "True")), "a fragment: choose another run"
            seen.setdefault(int(tsn), (int(stream, 0), bit in ("1", "True"), float(time)))
    return seen


def true_deliveries(at_sender, at_receiver):
    """Milliseconds from the first transmission of each message to its delivery, of those that both taps saw."""
    first = min(at_sender)
    ready = {}
    for tsn in sorted(at_sender, key=lambda number: (number - first) % 2**32):
        stream, unordered, sent = at_sender[tsn]
        if tsn not in at_receiver:
            return
        arrived = at_receiver[tsn][2]
        if not unordered:
            arrived = ready[stream] = max(arrived, ready.get(stream, 0))
        yield 1000 * (arrived - sent)


def percentile(times, percent):
    """Nearest rank."""
    times = sorted(times)
    return times[max(0, -(-len(times) * percent // 100) - 1)]


def spread(times):
    return {"median": percentile(times, 50), "p95": percentile(times, 95), "p99": percentile(times, 99), "max": max(times)}


def delays_of(tshark, path):
    done = tshark("-q", "-r", path, "-z", "sctp,json")
    associations = json.loads(done.stdout)["associations"]
    (found,) = [direction["message_delay"] for association in associations for direction in association["directions"]
                if direction["tsns"] > 50]
    return found


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("run", RUNS)
def test_delivery_lies_between_the_bounds(tshark, tmp_path, run):
    taps = [CAPTURES / run / f"{end}.pcapng.gz" for end in "AB"]
    at_sender, at_receiver = (sightings(tshark, path) for path in taps)
    true = spread([*true_deliveries(at_sender, at_receiver)])
    one = delays_of(tshark, taps[0])
    assert one["not_acked"] + one["given_up"] + one["partly_seen"] <= 2
    for rank, ms in true.items():
        assert one["delivered_least_ms"][rank] <= ms + SAME_MS, rank
        assert one["delivered_most_ms"][rank] >= ms - SAME_MS, rank
    merged = tmp_path / "both.pcapng"
    subprocess.run(["mergecap", "-w", merged, *taps], check=True)
    merged.chmod(0o644)
    both = delays_of(tshark, merged)
    for rank, ms in true.items():
        assert both["delivered_least_ms"][rank] == pytest.approx(ms, abs=NEAR_MS), rank
        assert both["delivered_most_ms"][rank] == pytest.approx(ms, abs=NEAR_MS), rank


def true_acks(tshark, path):
    """Milliseconds from the first transmission of each TSN to the first SACK that acks or gap-acks it."""
    waiting, source = {}, None
    for packet in data_walk.packets(tshark, path):
        source = source or (packet.source if packet.tsns else None)
        if packet.source == source:
            for tsn in packet.tsns:
                waiting.setdefault(tsn, packet.time)
        else:
            for tsn in [tsn for tsn, sent in waiting.items() if sent is not None and packet.acks(tsn)]:
                yield 1000 * (packet.time - waiting[tsn])
                waiting[tsn] = None


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("run", RUNS)
def test_the_time_to_the_ack_is_exact(tshark, run):
    path = CAPTURES / run / "A.pcapng.gz"
    times = [*true_acks(tshark, path)]
    found = delays_of(tshark, path)
    assert found["ack_ms"]["samples"] == len(times)
    for rank, ms in spread(times).items():
        assert found["ack_ms"][rank] == pytest.approx(ms, abs=SAME_MS), rank
    assert found["late"] == sum(ms > 800 for ms in times)


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("run", ["usrsctp/outages", "linux/outages"])
def test_far_from_the_sender_times_are_at_least(tshark, run):
    """Of what was lost before the far tap, only a retransmission passes it, which nothing shows to be one: the time there is too short, and says so."""
    near, far = (CAPTURES / run / f"{end}.pcapng.gz" for end in "AB")
    at_sender, at_receiver = sightings(tshark, near), sightings(tshark, far)
    ways = [at_receiver[tsn][2] - at_sender[tsn][2] for tsn in at_receiver if tsn in at_sender]
    assert sum(way > 1 for way in ways) > 20
    delays = delays_of(tshark, near), delays_of(tshark, far)
    assert [found["at_least"] for found in delays] == [False, True]
    assert delays[1]["ack_ms"]["max"] < delays[0]["ack_ms"]["max"]
    page = " ".join(tshark("-q", "-r", far, "-z", "sctp,delays").stdout.split())
    assert "times are lower bounds: RTT from tap to endpoint 0 is " in page
    assert "at least" not in tshark("-q", "-r", near, "-z", "sctp,delays").stdout
