# SPDX-License-Identifier: GPL-2.0-or-later
"""Random pairs hold, named scenarios run, and one seed gives the same bytes each time."""

import io
import json
import random

import pytest

from . import pairs, scenarios, truth
from .application import Sent
from .world import World

SAMPLE = range(120)


@pytest.mark.parametrize("block", range(12))
def test_sample_of_pairs(block):
    failed = {seed: texts for seed in SAMPLE[block::12] if (texts := pairs.run(seed)[1])}
    assert not failed, "test/simulator/run --random SEED --out F"


def test_one_new_pair():
    seed = random.SystemRandom().randrange(1_000_000, 1_000_000_000)
    assert not pairs.run(seed)[1], f"test/simulator/run --random {seed} --out F"


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("name", scenarios.SCENARIOS)
def test_scenario(name):
    """Each runs, its capture has frames, and every record is one of the schema."""
    world = World(f"{name}/1")
    world.run(scenarios.build(name, world))
    file = world.captures()
    packets = [fields for _, fields in world.truth.of("packet")]
    assert len(file) > 200 and len(packets) > 1 and truth.faults(world.truth.records) == []
    assert len({fields["number"] for fields in packets}) == len(packets)
    text = io.StringIO()
    world.truth.write(text)
    assert all(json.loads(line)["kind"] in truth.SCHEMA for line in text.getvalue().splitlines())


# What has to happen in a scenario, as truth tells it: (kind, fields that a record has), how often at least.
HAPPENS = {
    "loss": [("transmission", {"cause": "fast"}, 3)],
    "t3-backoff": [("timer", {"name": "T3-rtx", "result": "expired"}, 4)],
    "peer-gone": [("application", {"endpoint": "A", "event": "closed", "detail": "error count"}, 1)],
    "setup-loss": [("timer", {"name": "T1-init", "result": "expired"}, 1), ("timer", {"name": "T1-cookie", "result": "expired"}, 1)],
    "stale-cookie": [("state", {"endpoint": "A", "state": "COOKIE-ECHOED"}, 2), ("state", {"endpoint": "A", "state": "ESTABLISHED"}, 1)],
    "shutdown-loss": [("timer", {"name": "T2-shutdown", "result": "expired"}, 1)],
    "collision": [("state", {"endpoint": "A", "state": "COOKIE-WAIT"}, 1), ("state", {"endpoint": "B", "state": "COOKIE-WAIT"}, 1)],
    "restart": [("application", {"endpoint": "B", "event": "restarted"}, 1)],
    "abort": [("application", {"endpoint": "A", "detail": "aborted"}, 1), ("application", {"endpoint": "B", "detail": "abort received"}, 1)],
    "zero-window": [("transmission", {"cause": "zero_window_probe"}, 3)],
    "failover": [("transmission", {"path": "10.2.0.2", "cause": "first"}, 100)],
    "failback": [("path", {"path": "10.1.0.2", "state": "INACTIVE"}, 1), ("path", {"path": "10.1.0.2", "state": "ACTIVE"}, 1)],
    "potentially-failed": [("path", {"path": "10.1.0.2", "state": "POTENTIALLY-FAILED"}, 1)],
    "primary-changes": [("transmission", {"path": "10.2.0.2", "cause": "first"}, 30)],
    "pmtu-icmp": [("packet", {"why": "too_big"}, 1)],
    "pr-lifetime": [("message", {"event": "abandoned"}, 1)],
    "ecn": [("packet", {"marked": True}, 3)],
    "duplicates": [("packet", {"fate": "arrived"}, 1000)],
    "corruption": [("packet", {"corrupted": True}, 5)],
    "nat-remap": [("network", {"event": "nat_mapping"}, 2)],
    "no-heartbeats": [("packet", {"why": "middlebox"}, 10)],
    "one-way-outage": [("packet", {"why": "one_way_outage"}, 5)],
    "full-queue": [("packet", {"why": "queue_full"}, 5)],
}


@pytest.mark.parametrize("name", HAPPENS)
def test_scenario_shows_what_it_is_named_for(name):
    world = World(f"{name}/1")
    world.run(scenarios.build(name, world))
    for kind, fields, at_least in HAPPENS[name]:
        found = sum(all(had.get(key) == value for key, value in fields.items()) for _, had in world.truth.of(kind))
        assert found >= at_least, (kind, fields, found)


@pytest.mark.parametrize("seed", [3, 8])
def test_same_seed_same_bytes(seed):
    first, second = (pairs.run(seed, has_taps=True, kinds=None)[0].world for _ in range(2))
    assert first.captures() == second.captures() and first.truth.records == second.truth.records


def sent(*texts, stream=0, ordered=True, is_reliable=True):
    return [Sent(stream, ordered, text.encode(), is_reliable) for text in texts]


def came(*texts, stream=0, ordered=True):
    return [(stream, ordered, text.encode()) for text in texts]


@pytest.mark.parametrize(
    "sends, receives, is_complete, fails",
    [
        (sent("a", "b"), came("a", "b"), True, False),
        (sent("a", "b"), came("a"), False, False),
        (sent("a", "b"), came("a"), True, True),
        (sent("a", "b"), came("b", "a"), True, True),
        (sent("a", "b"), came("a", "a", "b"), True, True),
        (sent("a", "b"), came("a", "c"), False, True),
        (sent("a", "b"), came("a", "b", stream=1), False, True),
        (sent("a", "b", is_reliable=False), came("b"), True, False),
        (sent("a", is_reliable=False) + sent("b"), came(), True, True),
        (sent("a", "b", ordered=False), came("b", "a", ordered=False), True, False),
        (sent("a", "b", ordered=False), came("b", "b", ordered=False), False, True),
        (sent("a", "b", ordered=False), came("b", ordered=False), True, True),
    ],
)
def test_checks_notice(sends, receives, is_complete, fails):
    assert bool(pairs.faults_between(sends, receives, is_complete)) == fails
