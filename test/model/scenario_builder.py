# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds scenarios for the model: what two endpoints say to each other, given to the core as packets, and what it judges.

A scenario is an Association of test/scenarios/generate whose packets carry their times. Nothing here knows a rule.
"""

import collections
import pathlib
import random
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test"), str(TOP / "test" / "lab"), str(TOP / "test" / "scenarios")]

from generate import packet, pcapng, association, conversation  # noqa: E402
from replay import extract  # noqa: E402

PROGRAM = TOP / "build" / "asan" / "test" / "model" / "judge_core"
MS = 1_000_000
S = 1000 * MS
START_NS = 1_700_000_000 * S + 1_000  # no whole milliseconds: stamps are as fine as they look

Finding = collections.namedtuple("Finding", "assoc accused rule level certainty count frames expected seen rests_on", defaults=[frozenset()])


class ScenarioBuilder(conversation.TimedConversation, association.Association):
    """One association; the tap is near end 0: what it sends follows 0.1 ms after the packet before it, what end 1 sends 20 ms.

    snap: bytes captured of each SCTP packet. encapsulation: 2 for DTLS. gap_ns of send overrides the time since the packet before."""

    def __init__(self, addresses=("10.0.0.1", "10.0.0.2"), near_ns=MS // 10, far_ns=20 * MS, snap=1 << 20, seed=1, encapsulation=0, **options):
        super().__init__(association.Flow("scenario"), random.Random(seed), addresses, **options)
        self.gaps_ns = (near_ns, far_ns)
        self.snap = snap
        self.encapsulation = encapsulation
        self.udp_checksum = None
        self.snaps = {}  # by interface, instead of snap
        self.fragmented = set()  # frames of packets that came in IP fragments

    def send(self, sender, *parts, gap_ns=None, **options):
        return super().send(sender, *parts, gap_ns=self.take_gap_ns(sender, gap_ns), **options)

    def times_ns(self):
        time_ns = START_NS
        for item in self.flow.items:
            time_ns += item.gap_ns
            yield time_ns, item

    def write_capture(self, path):
        """The scenario as pcapng, to be looked at in Wireshark."""
        with pcapng.Pcapng(path, [pcapng.RAW_IP]) as file:
            for time_ns, item in self.times_ns():
                file.write(time_ns, item.to_ip())

    def packets(self):
        """As extract.packets gives those of a capture; frames count from 1."""
        for frame, (time_ns, item) in enumerate(self.times_ns(), 1):
            sctp = packet.sctp(item.sport, item.dport, item.vtag, *item.chunks, checksum=item.checksum)
            yield dict(
                time_ns=time_ns, frame=frame, wire=len(sctp), identification=item.identification, ttl=item.ttl, tos=item.tos,
                source=packet.packed(item.source), destination=packet.packed(item.destination), ports=item.udp or (0, 0),
                sctp=sctp[:self.snaps.get(item.interface, self.snap)], interface=item.interface, encapsulation=self.encapsulation,
                udp_checksum=self.udp_checksum if item.udp else None, fragmented=frame in self.fragmented)

    def stored(self):
        """The packets as extract.pack packs them."""
        return b"".join(extract.pack(**seen) for seen in self.packets())


class Judged:
    """What judge_core said of one file."""

    def __init__(self):
        self.findings, self.verdicts, self.judged, self.refused, self.stacks, self.missing = [], {}, {}, {}, {}, set()
        self.refuted = {}
        self.fingerprints = {}  # rule: those of its findings

    def of(self, rule, accused=None):
        return [f for f in self.findings if f.rule == rule and accused in (None, f.accused)]

    def has_judged(self, rule, accused=None):
        return any(rule in rules for (_, end), rules in self.judged.items() if accused in (None, end))


def read(text):
    """{file name: Judged} of judge_core's output."""
    files = {}
    for line in text.splitlines():
        kind, *cells = line.split("\t")
        if kind == "file":
            files[cells[0]] = judged = Judged()
        elif kind == "finding":
            assoc, accused, rule, level, certainty, count, frames, expected, seen, rests_on = cells
            judged.findings.append(Finding(int(assoc), int(accused), rule, level, certainty, int(count), [int(f) for f in frames.split(",")],
                                           expected, seen, frozenset(rests_on.split(",")) - {"-"}))
        elif kind == "fingerprint":
            judged.fingerprints.setdefault(cells[0], set()).add(cells[1])
        elif kind == "verdict":
            judged.verdicts[int(cells[0]), int(cells[1])] = cells[2]
            judged.missing |= set(cells[5].split(","))
        elif kind == "assertion":
            judged.refuted[cells[0]] = int(cells[1])
        elif kind == "stack":
            judged.stacks[int(cells[0]), int(cells[1])] = cells[2]
        elif kind in ("judged", "refused"):
            getattr(judged, kind)[int(cells[0]), int(cells[1])] = set(cells[2].split(",")) - {"-"}
    return files


def assertions(complete=False, taken_at=(), parameters=(), quiet_until_ms=0):
    """Options of judge_core that assert these: addresses; texts as "10.0.0.1 RTO.Max=60000"; for how long nothing passed after the last packet."""
    return (["--complete"] * complete + ["--taken-at", ",".join(taken_at)] * bool(taken_at)
            + ["--quiet-until-ms", str(quiet_until_ms)] * bool(quiet_until_ms)
            + [word for text in parameters for word in ("--parameter", text)])


COMPLETE = assertions(complete=True)
# Also: the capture was taken at end 0, at end 1; timers of requests may grow to 60 s.
COMPLETE_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"])
COMPLETE_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"])
# Also: nothing passed for a second after the last packet, or for half of one.
QUIET_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], quiet_until_ms=1000)
QUIET_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"], quiet_until_ms=1000)
SOON_OVER_AT_END_1 = assertions(complete=True, taken_at=["10.0.0.2"], quiet_until_ms=500)
# Also: timers begin with 1 s and grow to 4 s, and how long nothing passed after the last packet.
TIMED_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Max=4000"])
QUIET_AND_TIMED_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], parameters=["10.0.0.1 RTO.Initial=1000 RTO.Max=4000"], quiet_until_ms=5000)
COMPLETE_NOT_CAPPED = assertions(complete=True, parameters=["* RTO.Max=60000"])


def judge_files(paths, profile="both", asserted=()):
    """{path: Judged} of files of packets. asserted: options of assertions()."""
    result = subprocess.run([PROGRAM, "--profile", profile, *asserted, *paths], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-3000:]
    return read(result.stdout)


def judge(scenarios, folder, profile="both", asserted=()):
    """{name: Judged} of scenarios given by name. folder: for the files between. asserted: options of assertions()."""
    paths = {name: folder / str(number) for number, name in enumerate(scenarios)}
    for name, scenario in scenarios.items():
        paths[name].write_bytes(scenario.stored())
    judged = judge_files([str(path) for path in paths.values()], profile, asserted)
    return {name: judged[str(path)] for name, path in paths.items()}


def listed():
    """The rules as judge_core --rules prints them."""
    return subprocess.run([PROGRAM, "--rules"], capture_output=True, text=True, check=True).stdout
