# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin shows, as the reference computes it: fields per frame, and the list of differences."""

import decimal
import functools

from scenarios.generate import compare

from .oracle import FIELDS, UNKNOWN

PREFIX = "sctp.analysis."
TIMES = ("since_last", "sack.delay", "rtt")
CONTEXT = ("frame.number", PREFIX + "assoc", PREFIX + "from", PREFIX + "capture")


@functools.cache
def fields_of_plugin(tshark, fields=FIELDS):
    """Those of the fields that the plugin has."""
    lines = (line.split("\t") for line in tshark("-G", "fields").stdout.splitlines())
    known = {line[2] for line in lines if line[0] == "F"}
    return tuple(field for field in fields if PREFIX + field in known)


def rows(tshark, path, fields, options=()):
    """Per frame a dict: each field -> list of values, and assoc, from (int or None) and is_duplicate."""
    names = (*CONTEXT, *(PREFIX + field for field in fields))
    result = {}
    for (frame,), assoc, sender, remarks, *values in compare.fields(tshark, path, names, ("-2", *options)):
        row = {field: [_value(field, text) for text in texts] for field, texts in zip(fields, values)}
        row.update({"assoc": int(assoc[0]) if assoc else None, "from": int(sender[0]) if sender else None,
                    "is_duplicate": any("duplicate" in remark for remark in remarks)})
        result[int(frame)] = row
    return result


def _value(field, text):
    return int(decimal.Decimal(text) * 10**9) if field in TIMES else int(text)


def differences(associations, plugin_rows, fields, numbers=None):
    """Sentences, one per frame and field that differ. numbers: frame of the plugin's capture - 1 -> frame of the reference."""
    number_of = {frame: frame for frame in plugin_rows} if numbers is None else dict(enumerate(numbers, 1))
    seen = {number_of[frame]: row for frame, row in plugin_rows.items()}
    wrong = []
    for association in associations:
        for frame, expected in association.values.items():
            if seen[frame]["from"] != association.senders[frame]:
                wrong.append(f"frame {frame}: sent by {seen[frame]['from']}, the reference says {association.senders[frame]}")
            for field in fields:
                ours = comparable(field, expected[field], frame)
                theirs = comparable(field, _renumbered(field, seen[frame][field], number_of), frame)
                if ours is not UNKNOWN and ours != theirs:
                    wrong.append(f"frame {frame}: {field} {theirs}, the reference says {ours}")
    return wrong


def _renumbered(field, values, number_of):
    return [number_of[value] for value in values] if field in ("first_sent", "gap_acked_in", "acked_in", "acks") else values


def comparable(field, values, frame):
    """Values without the ways of showing them that the definitions leave open; UNKNOWN when they cannot be compared.

    first_sent may be left out where it is the frame itself; acks may be one value where first and last are the same; the order
    of several RTT samples in one packet is free."""
    if UNKNOWN in values:
        return UNKNOWN
    there = [value for value in values if value is not None]
    if field == "first_sent":
        return [value for value in there if value != frame]
    if field == "acks":
        return sorted(set(there))
    return sorted(there) if field == "rtt" else there
