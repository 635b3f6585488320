# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of `./run --sequence` that reads the files: `python -m sequence STREAM TABLE -- CAPTURE...` writes them as one pcapng into STREAM, which
tshark reads, and the table of the files into TABLE.

With --name instead of both it prints what the sequence is called.
SCTPA_AS_USER: the words that start a command as the user that tshark runs as.
"""

import os
import signal
import sys

from triage.arguments import say

from . import rings, table
from .stream import Closed, Stream


def _of_arguments(words):
    return rings.of_one([os.path.abspath(word) for word in words], {os.path.abspath(word): word for word in words}, _as_user())


def _as_user():
    return tuple(os.environ.get("SCTPA_AS_USER", "").split())


def _copy(sequence, to, kept):
    """Copies the files; True: each was read to its end."""
    say(f"{len(sequence.parts)} files are read as one capture, {sequence.how}")
    with open(to, "wb", buffering=1 << 18) as stream, open(kept, "wb", buffering=0) as lines:
        joined, good = Stream(stream.write, _as_user()), True
        for part in sequence.parts:
            read = joined.add(part)
            lines.write(table.line(read))
            good &= read.whole
            for message in read.remarks():
                say(message)
        # ./run ends what still writes once tshark has ended, which it does at the end of the stream.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return good




def main(words):
    """Returns the exit status: 0 each file was read to its end, 1 some were not."""
    if words[0] == "--name":
        print(_of_arguments(words[2:]).name)
        return 0
    sequence = _of_arguments(words[3:])
    try:
        return 0 if _copy(sequence, *words[:2]) else 1
    except (Closed, BrokenPipeError):
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
