# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin says of one capture: its fields by frame, its JSON report. Leaves out the truth and the comparison."""

import functools
import json
from dataclasses import dataclass

from tap import capture_path

GENERAL = ("frame.number", "ip.src", "ipv6.src")
FIELDS = ("transmission", "retransmission", "rtt", "rto")


@dataclass(eq=False)
class Said:
    """One packet's fields; `chunks`: (transmission, kind or None) of each DATA chunk, in order."""

    chunks: list
    source: str
    rtts: list
    rto: float


def run(tshark, path, options=()):
    arguments = ["-r", path, "-n", *options, "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    for name in GENERAL + tuple(f"sctp.analysis.{name}" for name in FIELDS):
        arguments += ["-e", name]
    result = tshark(*arguments, timeout=600)
    if result.returncode:
        raise RuntimeError(f"{path}: {result.stderr[:500]}")
    return result.stdout


def chunks_of(values):
    """The kind stands only at chunks that were sent before."""
    kinds = iter(values["retransmission"])
    numbers = [int(value) for value in values["transmission"]]
    return [(number, next(kinds, None) if number > 1 else None) for number in numbers]


def first(values, kind):
    return kind(values[0]) if values else None


@functools.lru_cache(maxsize=4)
def said(tshark, folder, end):
    """frame -> Said of the capture at this end."""
    result = {}
    for line in run(tshark, capture_path(folder, end)).splitlines():
        frame, ipv4, ipv6, *rest = (cell.split(",") if cell else [] for cell in line.split("\t"))
        values = dict(zip(FIELDS, rest))
        result[int(frame[0])] = Said(chunks_of(values), first(ipv4 or ipv6, str), [float(rtt) for rtt in values["rtt"]],
                                     first(values["rto"], float))
    return result


def document(tshark, folder, end, parameters=""):
    """The plugin's JSON report of the capture at this end; `parameters`: of endpoints, as they are asserted."""
    options = ("-o", f"sctp_analysis.endpoint_parameters:{parameters}") if parameters else ()
    return json.loads(tshark.json_report(capture_path(folder, end), *options))
