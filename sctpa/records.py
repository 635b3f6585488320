# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what `-z sctp,ndjson` prints, a line at a time, and the reports behind it. Leaves the contents of associations alone."""

import json

CHUNK_BYTES = 1 << 16
LINE_BYTES_MAX = 256 << 20
# Each line of an association begins so.
ASSOCIATION = b'{"record":"association",'


class Broken(Exception):
    """What was printed is no such report."""


def _loads(line, record, **how):
    try:
        read = json.loads(line, **how)
        if read["record"] == record:
            return read
    except (ValueError, LookupError, TypeError):
        pass
    raise Broken(f"a line is no {record} record")


def association(line):
    """The association of a line of Records.lines(), as `-z sctp,json` has it. Raises Broken."""
    read = _loads(line, "association")
    del read["record"]
    return read


class Records:
    """The report in a binary stream, buffered. Memory: a line, of at most LINE_BYTES_MAX."""

    def __init__(self, stream):
        self._stream = stream
        self.rule_sets = None

    def _line(self):
        line = self._stream.readline(LINE_BYTES_MAX)
        if len(line) == LINE_BYTES_MAX:
            raise Broken(f"an association takes more than {LINE_BYTES_MAX >> 20} MiB")
        if not line.endswith(b"}\n"):
            raise Broken("it ends too early")
        return line

    def opening(self):
        """What stands before the associations, and the exact text of capture.start_epoch_s, which a binary double cannot hold. Raises Broken."""
        line = self._line()
        opening = _loads(line, "capture")
        try:
            return opening, _loads(line, "capture", parse_float=str)["capture"]["start_epoch_s"]
        except (LookupError, TypeError) as error:
            raise Broken("the capture record has another form") from error

    def lines(self):
        """Each association as the line of bytes that it stands in; to be read to the end before self.rule_sets and rest(). Raises Broken."""
        while (line := self._line()).startswith(ASSOCIATION):
            yield line
        self.rule_sets = _loads(line, "rules").get("rule_sets")

    def associations(self):
        """The same as dicts."""
        return map(association, self.lines())


def rest(stream):
    """Lines of bytes without their newlines, in lists of those that came together; a last one without its newline was cut off, and is left out."""
    tail = b""
    while piece := stream.read1(CHUNK_BYTES):
        lines = (tail + piece).split(b"\n")
        tail = lines.pop()
        if lines:
            yield lines
