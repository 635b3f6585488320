# SPDX-License-Identifier: GPL-2.0-or-later
"""The reference sender finds the cwnd of senders that the lab has no capture of: simulated ones, as aiortc is and unlike it."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cwnds  # noqa: E402
import scenario_builder  # noqa: E402
from scenario_builder import MS, S  # noqa: E402
from simulated_sender import Choices, Network, Simulation  # noqa: E402

NETWORKS = {
    "clean": Network(),
    "loss": Network(loss=0.01),
    "much loss, of SACKs too": Network(loss=0.05, sack_loss=0.02),
    "outages": Network(loss=0.003, outages=((2 * S, 2 * S + 600 * MS), (6 * S, 9 * S))),
    "slow": Network(packet_ns=3 * MS, loss=0.01),
    "near": Network(delay_ns=2 * MS, packet_ns=20_000, loss=0.01),
}
UNNAMED = {"setup": b"", "streams": 10}      # nothing in INIT and INIT ACK says which implementation it is
NAMED = {
    "as aiortc is meant": Choices(),
    "as aiortc is": Choices(miscounts=True),
    "PMTU of 1,400": Choices(payload=1352, initial=4380),
    "delayed SACKs, initial cwnd of RFC 9260": Choices(sack_every=2, initial=4404),
}
FOREIGN = {
    "as aiortc is meant": Choices(**UNNAMED),
    "PMTU of 1,400, a small window": Choices(payload=1352, initial=4380, ssthresh=131072, **UNNAMED),
    "delayed SACKs, initial cwnd of RFC 4960": Choices(sack_every=2, initial=4380, **UNNAMED),
}
SEEDS = range(3)
WORDS = "counts user bytes, grows by a full chunk per SACK that advances the cum_tsn"


def simulations(choices, network):
    return [Simulation(choices, network, seed).run(60, pauses={20: 3 * S, 40: 500 * MS}) for seed in SEEDS]


def pairs_of(simulation, folder):
    """[Pair] of every SACK towards the sender."""
    said = [item for item in cwnds.said_of(simulation.builder.stored(), folder) if item.frame in simulation.cwnds]
    assert {item.frame for item in said} == set(simulation.cwnds)
    return [cwnds.Pair(item, simulation.cwnds[item.frame]) for item in said]


def compared(choices, network, folder):
    return [pair for simulation in simulations(choices, network) for pair in pairs_of(simulation, folder)]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("name", NAMED)
def test_cwnd_of_a_named_sender_is_inside_at_every_sack(name, network, tmp_path):
    pairs = compared(NAMED[name], NETWORKS[network], tmp_path)
    n, inside, near, width, senders = cwnds.figures(pairs)
    assert n > 1000
    assert inside == 1
    assert near >= 0.99
    assert senders == [WORDS]
    assert width <= (12 if NAMED[name].miscounts else 3.5)


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("name", FOREIGN)
def test_cwnd_of_a_foreign_sender_is_inside(name, network, tmp_path):
    n, inside, _, width, _ = cwnds.figures(compared(FOREIGN[name], NETWORKS[network], tmp_path))
    assert n > 1000
    assert inside >= (1 if FOREIGN[name].sack_every == 1 else 0.999)
    assert width <= 5


def test_another_cwnd_is_outside(tmp_path):
    pairs = compared(Choices(), NETWORKS["loss"], tmp_path)
    assert cwnds.figures([cwnds.Pair(pair.said, pair.cwnd + 2 * 1200) for pair in pairs])[1] < 0.1


def test_only_what_aiortc_does_is_found(tmp_path):
    """It counts misses of a TSN anew after a fast retransmission (CC-007)."""
    scenarios = {f"{name} {network} {seed}": simulation.builder for name, choices in NAMED.items() for network in NETWORKS
                 for seed, simulation in enumerate(simulations(choices, NETWORKS[network]))}
    found = {finding.rule for judged in scenario_builder.judge(scenarios, tmp_path).values() for finding in judged.findings}
    assert found == {"CC-007"}
