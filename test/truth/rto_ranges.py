# SPDX-License-Identifier: GPL-2.0-or-later
"""The RTO of the stacks beside what the plugin draws: the series rto with rto_least and rto_most. Leaves out the field, which
knows only what came before it (rtt.py)."""

import csv

from plugin_fields import document
from rtt import stack_samples
from tap import capture_path

TICKS_OF_RTT = 5        # SRTT + 4 RTTVAR: a tick in the round trip is five in the RTO


def series(tshark, folder, end, association):
    result = tshark("-r", capture_path(folder, end), "-n", "-q", "-z", f"sctp,series,{association}", timeout=600)
    assert result.returncode == 0, result.stderr
    return csv.DictReader(result.stdout.splitlines())


def drawn(tshark, folder, end):
    """(frame, destination) -> [(least, most)] in seconds of every RTO drawn there, of all senders."""
    result = {}
    for number, association in enumerate(document(tshark, folder, end)["associations"]):
        points, addresses = {}, {(path["from"], path["index"]): path["destination"] for path in association["paths"]}
        for row in series(tshark, folder, end, number):
            if row["series"].startswith("rto"):
                points.setdefault((int(row["frame"]), int(row["endpoint"]), int(row["path"])), {})[row["series"]] = float(row["value"])
        for (frame, sender, path), values in points.items():
            result.setdefault((frame, addresses[sender, path]), []).append(
                (values.get("rto_least", values["rto"]), values.get("rto_most", values["rto"])))
    return result


def compared(tshark, folder, end):
    """(RTOs of the stack that lie in what is drawn, RTOs at whose packet one is drawn)."""
    wanted, inside, known = stack_samples(folder, end), 0, 0
    ranges = {}
    for (frame, address), found in drawn(tshark, folder, end).items():
        ranges.setdefault(frame, []).extend((address, *bounds) for bounds in found)
    for sample in wanted.samples:
        at = [(least, most) for frame in sample.frames for address, least, most in ranges.get(frame, ())
              if sample.rto is not None and sample.path in (None, address)]
        known += bool(at)
        inside += any(least - TICKS_OF_RTT * wanted.tick <= sample.rto <= most + TICKS_OF_RTT * wanted.tick for least, most in at)
    return inside, known
