# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that are one capture: sctpa.sequence, in a process of its own, writes them into a pipe that tshark reads. Leaves reading them to it."""

import contextlib
import os
import re
import signal
import subprocess

from sctpa.arguments import STATUS_USAGE
from sctpa.names import safe_text
from sctpa.sequence import following, rings
from sctpa.tshark import Failed

from .reading import Source, making, our_python
from .said import say

COMPLETE = "sctp_analysis.capture_complete:TRUE"
# Names of dumpcap -b, which nobody gives to captures that are not of one ring.
OF_RING = re.compile(r"(.*)_[0-9]{5,}_[0-9]{14}(?:\.|\Z)", re.S)


def hint(captures):
    """Says where files look like those of one ring."""
    stems = [found[1] for capture in captures if (found := OF_RING.match(capture))]
    if len(set(stems)) < len(stems):
        say("some of these files look like parts of one capture; --sequence reads them as one")


def _called(captures, follow, as_user):
    """(what the files are called, what names show to be missing or None). Raises Failed."""
    if "-" in captures:
        raise Failed(STATUS_USAGE, "--sequence reads files, not the standard input")
    if follow:
        try:
            return f"{following.of_words(captures, follow).name} and the files after it", None
        except following.NotNumbered as error:
            raise Failed(STATUS_USAGE, str(error)) from None
    sequence = rings.of_words(captures, as_user)
    return sequence.name, next((part.remark() for part in sequence.parts if part.gap), None)


@contextlib.contextmanager
def _fed(table, follow, captures):
    """(a process that writes the files, what it writes into)."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe:
        with os.fdopen(writing, "wb") as end:
            # In a session of its own, since Ctrl-C is not for it.
            feeder = subprocess.Popen(
                our_python("sequence", table, follow, "--", *captures), stdout=end, start_new_session=True
            )
        if follow:
            # Ctrl-C ends the following, not the report of it.
            signal.signal(signal.SIGINT, lambda *_: feeder.terminate())
        yield feeder, pipe


def report(reader, captures, follow):
    """Prints the reports of files that are one capture; whether all were read to their end. What is odd about any of them their reader says."""
    name, gap = _called(captures, follow, reader.host.as_user)
    name = safe_text(name)
    if gap and COMPLETE in reader.options:
        say(f"{safe_text(gap)}: the capture is incomplete; --complete is ignored")
        reader.options.append("sctp_analysis.capture_complete:FALSE")
    with reader.folder() as folder:
        table = os.path.join(folder, "files")
        with making(), open(table, "wb"):
            os.chmod(table, 0o644)
        with _fed(table, follow, captures) as (feeder, pipe):
            is_whole = reader.report(Source(name, "-", pipe, feeder, table))
        status = feeder.wait()
    # By SIGTERM: tshark ended first, for a cause that was said.
    if status in (0, -signal.SIGTERM):
        return is_whole
    if status < 0:
        say(f"{name}: the process that reads the files ended by signal {-status}; the report covers what it had read")
    # tshark was told before the files were read.
    if status == 4 and COMPLETE in reader.options:
        say("the capture is incomplete: findings that rest on --complete may be wrong")
    return False
