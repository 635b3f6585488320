# SPDX-License-Identifier: GPL-2.0-or-later
"""Deviations: each row is whole, happens where it has an occasion, and the truth names its packets. What is told of them is recall's."""

import io
import json

import pytest

from . import deviation, occasions, truth, wire

ROWS = deviation.rows()
# One of each family and class, whose packets are looked at; the others are run by recall.
SAMPLE = [
    "init-tag-zero", "no-cookie-ack", "wrong-checksum", "padding-not-zero", "tag-of-data", "ssn-skipped", "t3-without-backoff", "timer-per-chunk",
    "ignores-cwnd", "sack-storm", "cum-tsn-stuck", "no-heartbeat-ack", "data-to-unconfirmed", "shutdown-ignored", "abort-ignored",
    "restart-ignored", "forwards-reliable", "data-for-i-data", "hmac-wrong", "no-asconf-ack", "reconfig-wrong-number", "channel-open-not-acked",
]  # fmt: skip


def test_there_are_enough_of_each_class():
    kinds = {kind: sum(row.kind == kind for row in ROWS.values()) for kind in deviation.CLASSES}
    assert len(ROWS) >= 150 and min(kinds.values()) >= 15, kinds


def test_rows_say_what_they_break():
    for row in ROWS.values():
        assert row.clauses and all(clause.startswith("RFC ") and " " in clause[4:] for clause in row.clauses), row.name
        assert row.words.endswith(".") and (row.association or row.endpoint), row.name


@pytest.mark.parametrize("name", SAMPLE)
def test_happens_and_is_told_to_the_truth(name):
    world, made, _ = occasions.run(ROWS[name], "test")
    records = [fields for _, fields in world.truth.of("deviation")]
    assert made.times and records and truth.faults(world.truth.records) == []
    assert all(fields["name"] == name and fields["endpoint"] == made.endpoint_name for fields in records)
    known = {fields["number"] for _, fields in world.truth.of("packet")}
    assert any(set(fields["packets"]) & known for fields in records)


def test_only_the_deviation_differs():
    """Without it nothing of the kind is recorded, and the context is the same up to where it happens."""
    row = ROWS["no-heartbeat-ack"]
    world, made, seed = occasions.run(row, "test")
    control, _ = occasions.drawn(row, seed, deviates=False)
    control.run(control.until_ns, occasions.EVENTS_MAX)
    assert control.truth.of("deviation") == []
    first_ns = world.truth.of("deviation")[0][0]
    packets = [[(time_ns, datagram.sctp) for time_ns, datagram, *_ in one.taps[0].seen if time_ns < first_ns] for one in (world, control)]
    assert packets[0] and packets[0] == packets[1]


def test_the_packet_that_is_named_is_the_one_that_is_wrong():
    world, made, _ = occasions.run(ROWS["tag-of-sack"], "test")
    seen = {datagram.number: datagram for _, datagram, *_ in world.taps[0].seen}
    tags = {}
    for number, datagram in seen.items():
        packet = wire.parse(datagram.sctp)
        if datagram.notes.get("endpoint") == made.endpoint_name and packet.chunks[0].type == wire.SACK:
            tags.setdefault(number in made.packets, set()).add(packet.tag)
    assert tags[True] and not tags[True] & tags.get(False, set())


def test_same_seed_same_bytes():
    files = []
    for _ in range(2):
        world, _, _ = occasions.run(ROWS["ssn-repeated"], 3)
        text = io.StringIO()
        world.truth.write(text)
        files.append((world.captures(), text.getvalue()))
    assert files[0] == files[1] and all(json.loads(line) for line in files[0][1].splitlines())
