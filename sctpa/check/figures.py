# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures of a direction of data that gates and comparisons go by. Leaves statistics to rank_test.py."""

import statistics

# word: (unit, what it is, which way is worse: 1 more, -1 less). Retransmissions are a share of the DATA chunks.
FIGURES = {
    "goodput": ("bit/s", "goodput", -1),
    "rtx": ("%", "retransmissions", 1),
    **{
        f"rtx_{cause}": ("%", f"{name} retransmissions", 1)
        for cause, name in (("fast", "fast"), ("early", "early"), ("timeout", "timeout"), ("probe", "probe"))
    },
    "ack_delay": ("ms", "time to the ack", 1),
    "sack_delay": ("ms", "SACK delay of the peer", 1),
    "pauses": ("s", "pauses in all", 1),
    "longest_pause": ("s", "longest pause", 1),
}


def _share(part, whole):
    return 100 * part / whole if whole else None


def of_direction(direction):
    """{word: value} of a direction of the JSON; None: not known. Nothing sent: {}."""
    if not direction["data_chunks"]:
        return {}
    causes, pauses, chunks = direction["retransmissions"], direction["pauses"], direction["data_chunks"]
    lengths = [pause["length_s"] for pause in pauses["list"]] if pauses else None
    found = {
        "goodput": direction["goodput_bps"],
        "rtx": _share(sum(causes.values()), chunks),
        "ack_delay": (direction["rtt_ms"] or {}).get("median"),
        "sack_delay": (direction["sack_delay_ms"] or {}).get("median"),
        "pauses": pauses and pauses["total_s"],
        "longest_pause": None if lengths is None else max(lengths, default=0.0),
    }
    return {
        **found,
        **{f"rtx_{cause}": _share(causes[cause], chunks) for cause in ("fast", "early", "timeout", "probe")},
    }


def of_run(ends):
    """{(role, word): value} of one capture: the median over its associations; without what is not known."""
    values = {}
    for end in ends:
        for word, value in end.figures.items():
            if value is not None:
                values.setdefault((end.role, word), []).append(value)
    return {key: statistics.median(found) for key, found in values.items()}
