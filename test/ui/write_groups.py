# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes packets to a file that the tests of the dialogs play: write_groups.py FILE [CAPTURE].

A host bundles its INITs with padding in four associations with four peers, in the n-th n times; the second peer bundles its INIT ACK.
CAPTURE: the same as pcapng."""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "model")]

from scenario_builder import S, ScenarioBuilder  # noqa: E402
from generate import chunks  # noqa: E402
from write_findings import PAD  # noqa: E402

PEERS = 4


def associate(scenario, number):
    """The association with the number-th peer, in the flow of scenario."""
    each = ScenarioBuilder(addresses=("10.0.0.1", f"10.0.1.{number}"), seed=number)
    each.flow = scenario.flow if scenario else each.flow
    init, ack = each.ends
    for _ in range(number):
        each.wait(S).send(0, chunks.init(init.tag, init.tsn), PAD, vtag=0)
    if number == 2:
        each.send(1, chunks.init_ack(ack.tag, ack.tsn), PAD)
    else:
        each.init_ack()
    return each.cookie_echo().cookie_ack().exchange(6)


def write():
    scenario = None
    for number in range(1, PEERS + 1):
        scenario = associate(scenario, number)
    return scenario


if __name__ == "__main__":
    written = write()
    pathlib.Path(sys.argv[1]).write_bytes(written.stored())
    if len(sys.argv) > 2:
        written.write_capture(sys.argv[2])
