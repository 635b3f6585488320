# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes packets of three associations to a file that the tests of the dialogs scenario: write_findings.py FILE [CAPTURE].

The first breaks nothing, the second bundles its INITs with padding three times, in the third each end bundles once. CAPTURE: the same as
pcapng."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "model"))

from scenario_builder import S, ScenarioBuilder  # noqa: E402
from generate import chunks  # noqa: E402


PAD = chunks.chunk(chunks.PAD, 0, bytes(8))


def join(scenario, number):
    """Another association in the flow of scenario."""
    other = ScenarioBuilder(addresses=(f"10.0.{number}.1", f"10.0.{number}.2"), seed=number + 1)
    other.flow = scenario.flow
    return other


def write():
    first = ScenarioBuilder().set_up().exchange(20)
    often = join(first, 1)
    end = often.ends[0]
    for _ in range(3):
        often.wait(S).send(0, chunks.init(end.tag, end.tsn), PAD, vtag=0)
    often.init_ack().cookie_echo().cookie_ack().exchange(10)
    late = join(first, 2)
    end = late.ends[1]
    late.init().send(1, chunks.init_ack(end.tag, end.tsn), PAD).cookie_echo().cookie_ack().exchange(20)
    late.send(0, chunks.shutdown(late.ends[1].tsn - 1)).send(1, chunks.shutdown_ack())
    late.send(0, chunks.shutdown_complete(), PAD)
    return first


if __name__ == "__main__":
    written = write()
    pathlib.Path(sys.argv[1]).write_bytes(written.stored())
    if len(sys.argv) > 2:
        written.write_capture(sys.argv[2])
