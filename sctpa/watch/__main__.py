# SPDX-License-Identifier: GPL-2.0-or-later
"""`./run watch`: packets from a source into tshark, whose lines go to people, a log and counters, until a signal or the end of the packets."""

import contextlib
import json
import os
import select
import signal
import sys
import tempfile
import time

from sctpa.arguments import STATUS_NOT_READ, STATUS_READ, STATUS_USAGE, say
from sctpa.names import cause
from sctpa.tshark import Failed, Host, complain

from . import arguments, sources, told
from .feeding import Feeding
from .metrics import Metrics
from .places import Places

METRICS_S = 10
LOOK_S = 1
READ_BYTES = 1 << 16


def _lines(handle):
    """Lines as they come, each with its newline; None where nothing came for LOOK_S. What follows the last newline is left out. Memory: a line."""
    begun = bytearray()
    while True:
        if not select.select([handle], [], [], LOOK_S)[0]:
            yield None
            continue
        data = os.read(handle, READ_BYTES)
        if not data:
            return
        first, newline, rest = data.partition(b"\n")
        begun += first
        while newline:
            yield bytes(begun) + newline
            first, newline, rest = rest.partition(b"\n")
            begun = bytearray(first)


class Outlets:
    """Where lines go. is_whole: nothing was lost on the way. stop: called when nobody is left who is told."""

    def __init__(self, chosen, source, stop):
        self._metrics_path, self._source, self._stop = chosen.metrics, source, stop
        self.log = told.Log(chosen.log, say) if chosen.log else None
        self.counters, self.places, self.last_counts = Metrics(), Places(), None
        self._limited = told.Limited(chosen.lines, self._print)
        self._metrics_due_s, self._metrics_failed, self._is_heard, self._is_whole = 0.0, False, True, True

    @property
    def is_whole(self):
        return self._is_whole and not self._metrics_failed and not (self.log and self.log.has_lost)

    def _print(self, text):
        data = text.encode("utf-8", "backslashreplace")
        try:
            while data and self._is_heard:
                data = data[os.write(1, data) :]
        except BrokenPipeError:
            self._is_heard = False
            if not self.log and not self._metrics_path:
                self._stop()
        except OSError as error:
            self._is_whole = False
            say(f"standard output: {cause(error)}; a line is lost")

    def take(self, line):
        """line: one of tshark's, as bytes."""
        read = json.loads(line)
        self.counters.take(read)
        if read["record"] == "counts":
            self.last_counts = read
        if read["record"] == "event":
            self._limited.tell(read["kind"], told.sentence(read, self.places, self._source.has_files))
            if self._source.has_files:
                line = told.located(line, read, self.places)
        if read["record"] == "folded":
            self._take_folded(read)
        if self.log:
            self.log.add(line)

    def _take_folded(self, read):
        if read["kind"] == "association":
            self._limited.tell("folded", told.sentence_of_folded(read))
        else:
            self._limited.leave_out(read["kind"], read["count"])

    def pass_time(self):
        """Called at least every few seconds."""
        self._limited.pass_time()
        if self._metrics_path and time.monotonic() >= self._metrics_due_s:
            self._write_metrics()

    def _write_metrics(self):
        self._metrics_due_s = time.monotonic() + METRICS_S
        try:
            self.counters.write(self._metrics_path)
            self._metrics_failed = False
        except OSError as error:
            if not self._metrics_failed:
                say(f"{self._metrics_path}: {cause(error)}; the watch goes on")
            self._metrics_failed = True

    def end(self):
        self._limited.pass_time(is_end=True)
        if self._metrics_path:
            self._write_metrics()
        if self.log:
            self.log.close()


def _end(process, messages):
    """Waits for the end of tshark. Was it one without fault? Says what was wrong. Raises Failed."""
    status = process.wait()
    messages.seek(0)
    text = messages.read().decode("utf-8", "replace")
    complain(text)
    if status < 0 or status > 128:
        say(
            f"tshark ended by signal {-status if status < 0 else status - 128}: what was not yet reported of associations is lost"
        )
    elif status:
        lines = [line for line in text.splitlines() if line.startswith("tshark: ")]
        say(lines[-1].removeprefix("tshark: ") if lines else f"tshark ended with status {status} and gave no cause")
    return status == 0


def _watch(chosen, host, source):
    """Until the end; the exit status. Raises Failed, OSError."""
    with tempfile.TemporaryFile() as messages:
        outlets = Outlets(chosen, source, source.stop)
        process = host.start(
            ["-n", "-q", "-l", "-r", "-", *host.preferences(), "-o", "sctp.tsn_analysis:FALSE", "-z", chosen.report],
            -1,
            messages,
        )
        feeding = Feeding(source, process.stdin, outlets.places, outlets.log, outlets.counters)
        say(f"watching {source.name}; Ctrl-C or SIGTERM ends it")
        feeding.start()
        for line in _lines(process.stdout.fileno()):
            if line:
                outlets.take(line)
            outlets.pass_time()
        is_whole = _end(process, messages)
        if feeding.is_alive():
            source.stop()
        feeding.join()
        outlets.end()
    if counts := outlets.last_counts:
        say(
            f"watched {counts['sctp_packets']:,} SCTP packets, {counts['associations']:,} associations, {counts['findings']:,} proven violations"
        )
    return STATUS_READ if is_whole and feeding.is_whole and outlets.is_whole else STATUS_NOT_READ


def main(words):
    """Returns the exit status."""
    chosen = arguments.parse(words)
    try:
        host = Host.from_environment(chosen.options)
        host.check()
        source = sources.named(chosen.named, chosen.capture_filter)
    except sources.Unusable as error:
        say(str(error))
        return STATUS_USAGE
    except Failed as error:
        say(str(error))
        return error.status
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: source.stop())
    try:
        status = _watch(chosen, host, source)
    except Failed as error:
        say(str(error))
        status = error.status
    except OSError as error:
        say(f"{error.filename or 'the watch'}: {cause(error)}")
        status = STATUS_USAGE if error.filename == chosen.log else STATUS_NOT_READ
    if odd := source.close():
        say(odd)
        status = status or STATUS_NOT_READ
    return status


if __name__ == "__main__":
    # A thread that still waits for packets does not hold us up.
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
    os._exit(main(sys.argv[1:]))
