# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin's model says of conforming pairs: each capture is given to judge_core of the build, findings are counted by rule and certainty.

A finding about a pair that conforms is false, of the simulator or of the rule: proven ones are listed with seed and frames. Left out: what the rules
say,
which is none of the simulator's business, and reading by tshark, which takes a hundred times as long.
"""

import collections
import csv
import operator
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [path for path in (str(TOP / "test"), str(TOP / "test" / "lab")) if path not in sys.path]

from replay import extract  # noqa: E402

PROGRAM = TOP / "build" / "asan" / "test" / "model" / "judge_core"
# Asserts that captures are whole and were taken at A: all addresses that pairs.addresses_of gives it.
AT_A = ",".join(prefix.format(net=net) for net in (1, 2, 3) for prefix in ("10.{net}.0.1", "2001:db8:{net}::1"))
COMPLETE_AT_A = ("--complete", "--taken-at", AT_A)

# Of RFC 9260 16, asserted of an endpoint: the field of its policy, and nanoseconds of the unit.
PARAMETERS = {
    "RTO.Initial": ("rto_initial_ns", 1_000_000),
    "RTO.Min": ("rto_min_ns", 1_000_000),
    "RTO.Max": ("rto_max_ns", 1_000_000),
    "Association.Max.Retrans": ("association_retransmissions_max", 1),
    "Path.Max.Retrans": ("path_retransmissions_max", 1),
    "Max.Init.Retransmits": ("init_retransmissions_max", 1),
    "HB.interval": ("heartbeat_interval_ns", 1_000_000),
    "Max.Burst": ("max_burst_packets", 1),
    "Valid.Cookie.Life": ("cookie_life_ns", 1_000_000),
    "PotentiallyFailed.Max.Retrans": ("pf_retransmissions_max", 1),
    "PMTU": ("pmtu_bytes", 1),
}

KNOWN = pathlib.Path(__file__).resolve().parent / "known_findings.tsv"

Finding = collections.namedtuple("Finding", "seed association accused rule level certainty count frames expected seen begins")


def known():
    """[(rule, where)] of known_findings.tsv. where: "policy NAME OPERATOR VALUE", of either endpoint."""
    with open(KNOWN, encoding="utf-8", newline="") as file:
        return [(row["rule"], row["where"]) for row in csv.DictReader(file, delimiter="\t")]


def explains(where, pair):
    """Whether what a row of known_findings.tsv names holds of a pair."""
    _, name, sign, text = where.split()
    compare = {"=": operator.eq, ">": operator.gt, "<": operator.lt}[sign]
    values = [getattr(site.policy, name) for site in (pair.client, pair.server)]
    return any(compare(value, text == "True" if isinstance(value, bool) else type(value)(text)) for value in values)


def facts_of(site, world):
    """Options of judge_core: the capture of a run is whole, was taken at this site, whose endpoint has these parameters, and nothing came from its
    last packet to the end of the run. An endpoint without HEARTBEATs has no HB.interval, one without RFC 7829 no PotentiallyFailed.Max.Retrans."""
    tap = world.taps[0]
    frames = tap.frames(has_ipv6_fragments=False)[0]
    quiet_ns = tap.stamp_ns(world.simulation.now_ns) - frames[-1][0] if frames else 0
    lacks = {"HB.interval": not site.policy.heartbeat_is_on, "PotentiallyFailed.Max.Retrans": not site.policy.potentially_failed}
    values = " ".join(
        f"{name}={getattr(site.policy, field) // unit}"
        for name, (field, unit) in PARAMETERS.items()
        if not lacks.get(name)
    )
    given = [text for address in site.addresses for text in ("--parameter", f"{address} {values}")]
    quiet = ("--quiet-until-ms", str(quiet_ns // 1_000_000)) if quiet_ns >= 1_000_000 else ()
    return ("--complete", "--taken-at", ",".join(site.addresses), *quiet, *given)


def unknown(findings, pair_of):
    """Proven ones of MUST and SHOULD that no row explains. pair_of: of a seed, its Pair."""
    rows = known()
    return [
        finding
        for finding in findings
        if finding.certainty == "proven"
        and finding.level in ("MUST", "SHOULD")
        and not any(rule == finding.rule and explains(where, pair_of(finding.seed)) for rule, where in rows)
    ]


def packets(taps):
    """The packets of one capture of these taps as arguments of extract.pack: what pcapng would hold, without the way through a file."""
    frames, first, interfaces = [], 0, []
    for tap in taps:
        made, _ = tap.frames(has_ipv6_fragments=False)
        frames.append([(stamp_ns, first + place, tap.settings, frame) for stamp_ns, frame, place, _, _, _ in made])
        first += tap.interfaces
    rows = sorted((row for one in frames for row in one), key=lambda row: row[0]) if len(frames) > 1 else frames[0]
    given = []
    for number, (stamp_ns, interface, settings, frame) in enumerate(rows, 1):
        interfaces.append(interface)
        given.append((stamp_ns, number, settings.link_type, frame[: settings.snap_bytes] if settings.snap_bytes else frame, len(frame)))
    return [{**packet, "interface": interfaces[packet["frame"] - 1]} for packet in extract.packets_of(given)]


def stored(taps):
    """The same as bytes, as judge_core reads them."""
    return b"".join(extract.pack(**packet) for packet in packets(taps))


def judged(captures, folder, options=()):
    """[Finding] of captures, {seed: bytes of stored}. folder: for files between. options: of judge_core."""
    paths = {}
    for number, (seed, data) in enumerate(captures.items()):
        path = folder / f"{number}.packets"
        path.write_bytes(data)
        paths[str(path)] = seed
    result = subprocess.run([PROGRAM, *options, *paths], capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr[-2000:])
    return read(result.stdout, paths)


def read(text, seeds):
    """[Finding] of judge_core's output. seeds: by file name."""
    found, seed, begins = [], None, {}
    for line in text.splitlines():
        kind, *cells = line.split("\t")
        if kind == "file":
            seed, begins = seeds[cells[0]], {}
        elif kind == "begins":
            begins[cells[0]] = int(cells[1])
        elif kind == "finding":
            association, accused, rule, level, certainty, count, frames, expected, seen, _ = cells
            found.append(Finding(seed, int(association), int(accused), rule, level, certainty, int(count), frames, expected, seen, begins[association]))
    return found
