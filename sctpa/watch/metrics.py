# SPDX-License-Identifier: GPL-2.0-or-later
"""Counters of a watch as a file in the text format of Prometheus, for the textfile collector of its node exporter.

https://prometheus.io/docs/instrumenting/exposition_formats. Leaves what is counted to tshark's lines.
"""

import collections

from sctpa import whole_files

PREFIX = "sctp_analysis_"
# Of a line of counts, in its order: name, type, meaning; "retransmissions" has a number by cause.
COUNTS = {
    "sctp_packets": ("sctp_packets_total", "counter", "SCTP packets"),
    "data_chunks": ("data_chunks_total", "counter", "DATA and I-DATA chunks, retransmissions included"),
    "data_bytes": ("data_bytes_total", "counter", "User data in them"),
    "associations": (
        "associations_total",
        "counter",
        "Associations, and later parts of some that were reported in parts",
    ),
    "watched": ("associations_watched", "gauge", "Associations not yet discarded"),
    "held_bytes": ("held_bytes", "gauge", "Memory that associations and their packets take"),
    "epoch_s": ("last_frame_timestamp_seconds", "gauge", "When the last frame passed"),
}


def _quoted(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class Metrics:
    """Counts what lines say. Memory: a number for each kind of event, rule and cause."""

    def __init__(self):
        self._counts = None
        self._findings, self._ended = collections.Counter(), collections.Counter()
        self._dropped, self._gaps = 0, 0

    def take(self, line):
        """line: one of tshark's, read."""
        if line["record"] == "counts":
            self._counts = line
        elif line["record"] == "event" and line["kind"] == "finding":
            self._findings[line["finding"]["rule"], line["finding"]["level"]] += 1
        elif line["record"] == "association":
            self._ended[line["forgotten"] or "capture ended"] += 1
        elif line["record"] == "folded" and line["kind"] == "association":
            self._ended[line["forgotten"] or "capture ended"] += line["count"]

    def take_read(self, read):
        """read: a sequence.stream.Read of a file or pipe that was read."""
        self._dropped += read.dropped or 0
        self._gaps += not read.whole

    def add_gap(self):
        """Files are missing."""
        self._gaps += 1

    def _samples(self):
        counts = self._counts or {}
        for key, (name, kind, meaning) in COUNTS.items():
            if key in counts:
                yield name, kind, meaning, [((), counts[key])]
        yield (
            "retransmissions_total",
            "counter",
            "Retransmitted DATA and I-DATA chunks, by what caused them",
            [((("cause", cause),), count) for cause, count in counts.get("retransmissions", {}).items()],
        )
        # From 0 on, so that an increase shows the first, too.
        yield "events_total", "counter", "Events, by kind", [
            ((("kind", kind),), count) for kind, count in sorted(counts.get("events", {}).items())
        ]
        yield (
            "findings_total",
            "counter",
            "Proven violations, each rule once by endpoint of an association",
            [((("rule", rule), ("level", level)), count) for (rule, level), count in sorted(self._findings.items())],
        )
        yield (
            "associations_discarded_total",
            "counter",
            "Associations reported as a whole, or in part, by why they were discarded",
            [((("why", why),), count) for why, count in sorted(self._ended.items())],
        )
        yield "dropped_packets_total", "counter", "Packets that the capture says it dropped", [((), self._dropped)]
        yield "gaps_total", "counter", "Files of the capture that are missing, or not whole", [((), self._gaps)]

    def text(self):
        """What the file holds."""
        lines = []
        for name, kind, meaning, samples in self._samples():
            if samples:
                lines += [f"# HELP {PREFIX}{name} {meaning}.", f"# TYPE {PREFIX}{name} {kind}"]
            for labels, value in samples:
                told = ",".join(f"{label}={_quoted(each)}" for label, each in labels)
                lines.append(f"{PREFIX}{name}{{{told}}} {value}" if told else f"{PREFIX}{name} {value}")
        return "".join(line + "\n" for line in lines)

    def write(self, path):
        """Replaces the file as a whole. Raises OSError that names it."""
        with whole_files.written(path) as file:
            file.write(self.text().encode())
