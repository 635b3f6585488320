#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Validation against the lab's real stacks: scenarios of test/captures are run again in the simulator, and what was counted in both is compared.

    test/simulator/lab.py [STACK[/SCENARIO] ...]                  figures of these, real and simulated
    test/simulator/lab.py --write docs/generated/simulator_lab.md  the page; some minutes

A scenario has the stack's preset, the options of its recipe (test/lab/scenarios, test/lab/*/scenarios.tsv), the recipe's link and its user. Packets
are counted the same way in both, from captures at A and B; the causes of retransmissions and the timeouts are those of test/truth (real: the stack's
own trace) and of the simulator's truth. Where nothing is drawn at random one run is compared, else the median of SEEDS runs.

Left out: scenarios whose subject the simulator does not have (notes of the page), and what a figure means for the rules.
"""

import argparse
import dataclasses
import json
import pathlib
import statistics
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
if __name__ == "__main__":
    sys.path[:1] = [str(TOP), str(TOP / "test")]
sys.path[:0] = [str(TOP / "test" / "truth"), str(TOP / "test" / "lab")]

import timeouts  # noqa: E402
from evidence import evidence_of  # noqa: E402
from read_capture import sctp_packets  # noqa: E402
from tap import capture_path, is_address_of_a, read_tap  # noqa: E402

from simulator import lab_recipes, wire  # noqa: E402
from simulator.world import World  # noqa: E402

CAPTURES = TOP / "test" / "captures"
SEEDS = 50
# The bars: of a run without chance, and of the median where losses are drawn. A count may differ by one whatever its size.
BAR, BAR_OF_MEDIAN = 0.05, 0.10
COUNT_SLACK = 1
KINDS_OF_RECORDS = {"transmission", "timer", "state"}
REPEATED = {"INIT": wire.INIT, "COOKIE ECHO": wire.COOKIE_ECHO, "SHUTDOWN": wire.SHUTDOWN, "SHUTDOWN ACK": wire.SHUTDOWN_ACK}
SECONDS = "seconds"
RTO_SECONDS = "sum of their RTOs, s"
FIGURES = (
    SECONDS, "packets of A", "packets of B", "kB of A", "DATA chunks of A", "SACKs of B", "retransmitted after misses", "retransmitted after a timeout",
    "T3 expiries", RTO_SECONDS, "FORWARD-TSN of A", *REPEATED, "HEARTBEATs of A", "HEARTBEATs of B",
)  # fmt: skip


# --- what both have: captures at A and B ---------------------------------------------------------------------------------


def figures_of_packets(packets_of):
    """The figures that captures give. packets_of: {end: SCTP packets of the capture at that end}."""
    counts = dict.fromkeys(FIGURES, 0)
    first_of, last_of = {}, {}
    for end, packets in packets_of.items():
        for packet in packets:
            if end == "A":
                ports = frozenset((packet.sport, packet.dport))
                first_of.setdefault(ports, packet.time)
                last_of[ports] = packet.time
            if is_address_of_a(packet.src) == (end == "A"):
                count_packet(counts, end, packet)
    counts[SECONDS] = sum(last - first_of[ports] for ports, last in last_of.items())
    counts["kB of A"] /= 1000
    return counts


def count_packet(counts, end, packet):
    """One that this end sent."""
    types = [chunk.type for chunk in packet.chunks]
    counts[f"packets of {end}"] += 1
    counts[f"HEARTBEATs of {end}"] += types.count(wire.HEARTBEAT)
    for name, kind in REPEATED.items():
        counts[name] += types.count(kind)
    if end == "B":
        counts["SACKs of B"] += types.count(wire.SACK) + types.count(wire.NR_SACK)
        return
    counts["kB of A"] += len(packet.body)
    counts["DATA chunks of A"] += types.count(wire.DATA) + types.count(wire.I_DATA)
    counts["FORWARD-TSN of A"] += types.count(wire.FORWARD_TSN) + types.count(wire.I_FORWARD_TSN)


# --- the real run --------------------------------------------------------------------------------------------------------


def real(recipe):
    """The figures of the lab's run."""
    folder = CAPTURES / recipe.stack / recipe.name
    packets_of = {end: list(sctp_packets(str(capture_path(folder, end)))) for end in "AB"}
    begin = packets_of["A"][0].time
    if recipe.until_s:
        packets_of = {end: [packet for packet in packets if packet.time - begin < recipe.until_s] for end, packets in packets_of.items()}
    counts = figures_of_packets(packets_of)
    expired = [timeout for timeout in timeouts.timeouts(folder, "A") if not recipe.until_s or timeout.time - begin < recipe.until_s]
    counts["T3 expiries"] = len(expired) if tells_timeouts(recipe, folder) else None
    tells_rto = recipe.stack != "pion" and all(timeout.rto is not None for timeout in expired)  # pion's RTO does not show the back-off
    counts[RTO_SECONDS] = sum(timeout.rto for timeout in expired) if tells_rto and tells_timeouts(recipe, folder) else None
    for kind in real_causes(recipe, folder):
        counts["retransmitted after a timeout" if kind.startswith("timeout") else "retransmitted after misses"] += 1
    return counts


def tells_timeouts(recipe, folder):
    """usrsctp's variables are not there in each scenario, and do not tell T3 from a HEARTBEAT that nobody answered."""
    return recipe.stack != "usrsctp" or (len(recipe.runs[0].ways) == 1 and any(folder.glob("A*.gt.tsv*")))


def real_causes(recipe, folder):
    """Why A sent chunks again, as its stack recorded it."""
    stack = __import__(recipe.stack)
    return [sent.truth for sent in stack.kinds(folder, "A", evidence_of(read_tap(folder, "A"))) if not sent.truth.startswith("undecided")]


# --- the simulated one ---------------------------------------------------------------------------------------------------


def simulated(recipe, seed):
    """The figures of a simulated run: of all its associations, each in a world of its own."""
    total = dict.fromkeys(FIGURES, 0)
    for number, run in enumerate(recipe.runs):
        world = World(f"{recipe.stack}/{recipe.name}/{number}/{seed}", KINDS_OF_RECORDS)
        lab_recipes.begin(world, recipe, run)
        world.run(run.until_ns)
        for name, value in figures_of_world(recipe, world).items():
            total[name] += value
    return total


def figures_of_world(recipe, world):
    """Of T3's expiries those count that the real stack records: not in Linux that by which an association is given up, in usrsctp those after which
    something is retransmitted, or nothing ever."""
    counts = figures_of_packets({end: packets_of_tap(world, number) for number, end in enumerate("AB")})
    sent, sent_again_ns = set(), set()
    for time_ns, fields in world.truth.of("transmission"):
        if fields["endpoint"] == "A" and fields["tsn"] in sent:
            sent_again_ns.add(time_ns)
            counts["retransmitted after misses" if fields["cause"] == "fast" else "retransmitted after a timeout"] += 1
        elif fields["endpoint"] == "A":
            sent.add(fields["tsn"])
    ends = {time_ns for time_ns, fields in world.truth.of("state") if fields.get("cause") == "error count"}
    for time_ns, fields in world.truth.of("timer"):
        if fields["endpoint"] == "A" and fields["name"] == "T3-rtx" and fields["result"] == "expired":
            if (time_ns in ends and recipe.stack == "linux") or (time_ns not in ends | sent_again_ns and recipe.stack == "usrsctp"):
                continue
            counts["T3 expiries"] += 1
            counts[RTO_SECONDS] += fields["rto_ns"] / 1e9
    return counts


def packets_of_tap(world, number):
    """SCTP packets of a tap, read as those of the lab are."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(world.captures([world.taps[number]]))
        file.flush()
        return list(sctp_packets(file.name))


# --- the comparison ------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(slots=True)
class Compared:
    """A figure of a scenario. low, high: of nine in ten simulated runs, None where there is one run."""

    recipe: object
    name: str
    real: float
    simulated: float
    low: float | None
    high: float | None

    @property
    def difference(self):
        return (self.simulated - self.real) / self.real if self.real else (0.0 if not self.simulated else 1.0)

    @property
    def is_within(self):
        bar = BAR_OF_MEDIAN if self.recipe.is_random else BAR
        is_count = self.name not in (SECONDS, RTO_SECONDS, "kB of A")
        return abs(self.difference) <= bar or (is_count and abs(self.simulated - self.real) <= COUNT_SLACK)

    @property
    def is_likely(self):
        """The real run, one draw of many, lies among nine in ten simulated ones."""
        return self.low is not None and self.low <= self.real <= self.high

    @property
    def verdict(self):
        return "within" if self.is_within else "in range" if self.is_likely else "outside"


class Runs:
    """Figures of simulated runs, kept in a file between calls if there is one, until time is up."""

    def __init__(self, path=None, seconds=None):
        self.path, self.ends = path, None if seconds is None else time.monotonic() + seconds
        self.figures = json.loads(path.read_text()) if path and path.exists() else {}

    def of(self, recipe, seeds):
        """The figures of so many runs, fewer where time is up."""
        done = self.figures.setdefault(recipe.path, [])
        while len(done) < seeds and not self.is_late():
            done.append(simulated(recipe, len(done)))
        return done[:seeds]

    def is_late(self):
        return self.ends is not None and time.monotonic() >= self.ends

    def save(self):
        if self.path:
            self.path.write_text(json.dumps(self.figures))


def compare(recipe, seeds=SEEDS, runs=None):
    """Compared of each figure that is not zero in both; empty where no run was made."""
    runs = (runs or Runs()).of(recipe, seeds if recipe.is_random else 1)
    if not runs:
        return []
    wanted, result = real(recipe), []
    for name in FIGURES:
        values = sorted(run[name] for run in runs)
        if wanted[name] is None or not (wanted[name] or values[-1]):
            continue
        low, high = (values[len(values) // 20], values[-1 - len(values) // 20]) if recipe.is_random else (None, None)
        result.append(Compared(recipe, name, wanted[name], statistics.median(values), low, high))
    return result


def number(value):
    return "-" if value is None else f"{value:.0f}" if float(value).is_integer() else f"{value:.2f}"


def lines_of(rows):
    """Of the page's table."""
    for row in rows:
        spread = "" if row.low is None else f"{number(row.low)} to {number(row.high)}"
        difference = f"{100 * row.difference:+.1f} %" if row.real else "-"
        yield f"| {row.recipe.path} | {row.name} | {number(row.real)} | {number(row.simulated)} | {spread} | {difference} | {row.verdict} |"


def main():
    parser = argparse.ArgumentParser(description="Compares simulated runs with the lab's captures of real stacks.")
    parser.add_argument("names", nargs="*", metavar="STACK[/SCENARIO]", help="only these")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"runs of a scenario with chance (default: {SEEDS})")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE", help="write the page")
    parser.add_argument("--outside", action="store_true", help="print only what is outside")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE", help="keep figures of runs there, and go on with those that it has")
    parser.add_argument("--seconds", type=float, help="begin no run after so many seconds")
    asked = parser.parse_args()
    names = set(asked.names)
    chosen = [one for one in lab_recipes.RECIPES if not names or names & {one.stack, one.path}]
    if not chosen:
        parser.error("no such scenario")
    runs, rows = Runs(asked.keep, asked.seconds), []
    for recipe in chosen:
        some = compare(recipe, asked.seeds, runs)
        rows += some
        if not asked.write:
            for line in lines_of(row for row in some if not asked.outside or row.verdict == "outside"):
                print(line, flush=True)
    runs.save()
    if asked.write:
        asked.write.write_text(page(rows, asked.seeds), encoding="utf-8")
    print(summary(rows))


def counts_of(rows):
    return {word: sum(row.verdict == word for row in rows) for word in ("within", "in range", "outside")}


def summary(rows):
    scenarios = len({row.recipe.path for row in rows})
    return f"{scenarios} scenarios, {len(rows)} figures: " + ", ".join(f"{count} {word}" for word, count in counts_of(rows).items())


def page(rows, seeds):
    """docs/generated/simulator_lab.md."""
    by_stack = {}
    for row in rows:
        by_stack.setdefault(row.recipe.stack, []).append(row)
    lines = [
        "# Simulator and real stacks",
        "",
        "Written by `test/simulator/lab.py --write docs/generated/simulator_lab.md`.",
        "",
        "Scenarios of the lab (`test/captures`) run again in the simulator with the stack's preset and what the lab saw of it (`policy.py`, AS_SEEN).",
        f"*Within*: {100 * BAR:.0f} %, where losses are drawn the median of {seeds} runs {100 * BAR_OF_MEDIAN:.0f} %; a count may differ by one.",
        "*In range*: the real run, which is one draw, lies among nine in ten of the simulated ones (fifth column).",
        "*Outside*: neither; the reasons are below.",
        "",
        "| stack | scenarios | figures | within | in range | outside |",
        "|---|---|---|---|---|---|",
    ]
    for stack, some in by_stack.items():
        counts = counts_of(some)
        lines.append(f"| {stack} | {len({row.recipe.path for row in some})} | {len(some)} | " + " | ".join(map(str, counts.values())) + " |")
    lines += ["", "## Why some are outside", ""]
    for path in dict.fromkeys(row.recipe.path for row in rows if row.verdict == "outside"):
        lines.append(f"- {path}: {lab_recipes.REASONS.get(path, 'not explained')}")
    lines += ["", "## Figures", "", "| scenario | figure | real | simulated | nine in ten | difference | |", "|---|---|---|---|---|---|---|"]
    return "\n".join([*lines, *lines_of(rows), ""])


if __name__ == "__main__":
    main()
