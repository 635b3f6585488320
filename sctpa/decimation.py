# SPDX-License-Identifier: GPL-2.0-or-later
"""Series of an association reduced to what a plot can show: per pixel column the least and the greatest value.

Leaves the picture to plots.py. Memory: COLUMNS pairs per trace, however long the capture.
"""

# The first line of -z sctp,series.
HEADER = b"time_s,frame,endpoint,path,series,value,value2"
COLUMNS = 480
PATHS_MAX = 4
MARKS_MAX = 200

OF_ALL = {"goodput_bps", "throughput_bps"}  # of all paths; the rows of single paths are not drawn
OF_PATH = {"flight", "cwnd", "rtt", "heartbeat_rtt", "rto"}
RESENT = {
    "fast": "fast",
    "early": "fast",
    "timeout": "timeout",
    "probe": "resent",
    "handover": "resent",
    "report": "resent",
    "unknown": "resent",
}
TRACES = {"sent", "cum_ack", "gap", "a_rwnd", "flight_total", *OF_ALL, *OF_PATH, *RESENT}


def _traces():
    """(endpoint, path, series) as they stand in a row -> name of the trace; rows of other series are not drawn."""
    known = {}
    for end in (b"0", b"1"):
        for series in TRACES - OF_ALL:
            for path in range(-1, PATHS_MAX):
                column = b"" if path < 0 else b"%d" % path
                name = f"{series} {max(path, 0)}" if series in OF_PATH else RESENT.get(series, series)
                known[end, column, series.encode()] = (int(end), name)
        for series in TRACES - OF_PATH - OF_ALL:
            known[end, None, series.encode()] = (int(end), RESENT.get(series, series))
        for series in OF_ALL:
            known[end, b"", series.encode()] = (int(end), series)
    return known


KNOWN = _traces()


class Decimation:
    """The traces of one association between start_s and start_s + duration_s."""

    def __init__(self, start_s, duration_s):
        self._start_s = start_s
        self._scale = (COLUMNS - 1) / duration_s if duration_s > 0 else 0.0
        self._traces = {}
        self._marks = [[], []]
        self.rows = 0

    def take(self, lines):
        """Rows of the CSV, as bytes."""
        start_s, scale, known, traces = self._start_s, self._scale, KNOWN, self._traces
        for line in lines:
            time_s, frame, end, path, series, value, value2 = line.split(b",")
            trace = known.get((end, path, series)) or known.get((end, None, series))
            if trace is None:
                if series == b"finding":
                    self._mark(float(time_s), int(frame), int(end), value.decode())
                continue
            column = int((float(time_s) - start_s) * scale)
            column = 0 if column < 0 else COLUMNS - 1 if column >= COLUMNS else column
            low = float(value)
            high = float(value2) if value2 else low
            columns = traces.get(trace)
            if columns is None:
                columns = traces[trace] = {}
            pair = columns.get(column)
            if pair is None:
                columns[column] = [low, high]
            else:
                if low < pair[0]:
                    pair[0] = low
                if high > pair[1]:
                    pair[1] = high
        self.rows += len(lines)

    def _mark(self, time_s, frame, end, rule):
        marks = self._marks[end]
        column = min(max(int((time_s - self._start_s) * self._scale), 0), COLUMNS - 1)
        if len(marks) < MARKS_MAX and not (marks and marks[-1][0] == column and marks[-1][2] == rule):
            marks.append([column, frame, rule])

    def result(self):
        """{"traces": [per endpoint {name: [[column, least, greatest]...]}], "marks": [per endpoint [[column, frame, rule]...]]}."""
        ends = [{}, {}]
        for (end, name), columns in sorted(self._traces.items()):
            ends[end][name] = [[column, *map(_short, columns[column])] for column in sorted(columns)]
        return {"traces": ends, "marks": self._marks, "rows": self.rows}


def _short(value):
    return int(value) if value == int(value) else value
