# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of `./run --sequence` that reads the files: `python -m sctpa.sequence TABLE IDLE -- CAPTURE...` writes them as one pcapng to the standard
output, which tshark reads, and the table of the files into TABLE. IDLE: empty, or for how many seconds nothing may come of files that are
still written.
SCTPA_AS_USER: the words that start a command as the user that tshark runs as.
"""

import signal
import sys

from sctpa.arguments import say
from sctpa.names import cause
from sctpa.tshark import as_user

from . import following, rings, table
from .stream import Stream


def _closed(words):
    """The Read of each file that is not written any more, by a function that reads one."""
    sequence = rings.of_words(words, as_user())
    say(sequence.reading())
    return lambda joined: map(joined.add, sequence.parts)


def _growing(idle, words):
    """The same of a ring that is still written."""
    ring = following.of_words(words, idle)
    signal.signal(signal.SIGTERM, lambda *_: ring.stop())
    say(
        f"reading {ring.name} and the files after it as one capture, until no data arrives for {idle} s or you press Ctrl-C"
    )
    return lambda joined: (ring.mended(joined.add(part, ring.wait)) for part in ring.parts())


def _copy(kept, read_all):
    """Copies the files; the exit status."""
    with open(1, "wb", buffering=1 << 18) as stream, open(kept, "wb", buffering=0) as lines:
        status = 0
        for read in table.kept(read_all(Stream(stream.write, as_user())), lines):
            # What follows a file that was not read to its end follows a hole.
            status = 4 if status else int(not read.whole)
            for message in read.remarks():
                say(message)
        # ./run ends what still writes once tshark has ended, which it does at the end of the stream.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return status


def main(words):
    """Returns the exit status: 0 each file was read to its end, 1 the last was not, 4 one before it."""
    try:
        kept, idle = words[:2]
        return _copy(kept, _growing(idle, words[3:]) if idle else _closed(words[3:]))
    except BrokenPipeError:
        return 0
    except OSError as error:
        say(f"{error.filename or 'a temporary file'}: {cause(error)}")
        return 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
