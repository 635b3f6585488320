# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the packets of a watch come from: an interface by dumpcap, the standard input, or a ring of files; as one pcapng for tshark.

tshark reports with frames alone, so that in silence frames without bytes follow, ticks, which let it look at its clock. Leaves reading to sequence/.
"""

import math
import os
import select
import signal
import stat
import subprocess
import tempfile
import time

from sctpa.names import unreadable_cause
from sctpa.sequence import blocks, following, rings
from sctpa.tshark import ENDS_WITH_US

POLL_S = 0.1
# The first tick comes so long after the last packet, each further one when the silence has doubled, or has grown by the longest.
TICK_LEAST_S, TICK_MOST_S = 1, 60
CAPTURE_FILTER = "sctp or udp port 9899"
# What a pipe holds at most, for who is not root.
PIPE_BYTES_MAX = 1 << 20


class Unusable(Exception):
    """What is to be watched cannot be: its text is a line that says why."""


class Ticks:
    """Hears that nothing comes, and writes ticks. stream: a sequence.stream.Stream; flush: has what was written reach tshark."""

    def __init__(self, stream, flush):
        self._stream, self._flush = stream, flush
        self._frames, self._since_s, self._due_s = None, 0.0, math.inf

    def silent(self):
        """Called again and again while nothing comes."""
        now_s = time.monotonic()
        if self._stream.frames != self._frames:
            self._frames, self._since_s, self._due_s = self._stream.frames, now_s, TICK_LEAST_S
            self._flush()
        silence_s = now_s - self._since_s
        if silence_s < self._due_s:
            return
        if self._stream.tick(int(silence_s * 1e9)):
            self._frames = self._stream.frames
            self._flush()
        self._due_s = silence_s + min(silence_s, TICK_MOST_S)


class Piped:
    """Packets that a descriptor gives until it ends, called name."""

    has_files = False

    def __init__(self, name, handle):
        self.name, self._handle = name, handle
        self._is_stopped, self._left = False, PIPE_BYTES_MAX

    def stop(self):
        """No more is read than what was there already."""
        self._is_stopped = True

    def _readinto(self, buffer, ticks):
        while not select.select([self._handle], [], [], 0 if self._is_stopped else POLL_S)[0]:
            if self._is_stopped:
                return 0
            ticks.silent()
        if not self._is_stopped:
            return os.readv(self._handle, [buffer])
        # Whoever writes faster than we read would never let us go.
        count = os.readv(self._handle, [memoryview(buffer)[: self._left]]) if self._left else 0
        self._left -= count
        return count

    def reads(self, stream, ticks):
        """Copies all into the stream; the sequence.stream.Read of what was read, as the only one."""
        read = stream.add_passing(self.name, lambda buffer: self._readinto(buffer, ticks))
        # Nobody is to blame for a packet that was half written when we ended.
        yield read._replace(message=None, whole=True) if self._is_stopped and read.message in (
            blocks.CUT,
            blocks.EMPTY,
        ) else read

    def close(self):
        """A line that says why there is no more to read, where nobody wished so; None: nothing is odd."""
        return None


class Interface(Piped):
    """Packets that dumpcap captures. Raises Unusable when dumpcap cannot be started."""

    def __init__(self, name, capture_filter):
        self._said, self._was_stopped = tempfile.TemporaryFile(), False
        words = [*ENDS_WITH_US, "dumpcap", "-q", "-i", name, "-f", capture_filter or CAPTURE_FILTER, "-w", "-"]
        try:
            # A terminal's interrupt reaches us alone: dumpcap ends when we end it.
            self._process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._said, start_new_session=True
            )
        except OSError as error:
            raise Unusable(f"{name}: dumpcap cannot be started: {error.strerror}") from error
        super().__init__(name, self._process.stdout.fileno())

    def stop(self):
        """dumpcap writes what it has, and ends: then there is nothing more to read."""
        self._was_stopped = True
        self._process.send_signal(signal.SIGTERM)

    def reads(self, stream, ticks):
        """The same. Why dumpcap ended it says itself, see close()."""
        for read in super().reads(stream, ticks):
            yield read._replace(message=None, whole=True)

    def close(self):
        self._process.stdout.close()
        status = self._process.wait()
        self._said.seek(0)
        lines = [line for line in self._said.read().decode("utf-8", "replace").splitlines() if line]
        if self._was_stopped or status == 0:
            return None
        if status < 0:
            return f"{self.name}: dumpcap ended by signal {-status}"
        complaints = [
            line.removeprefix("dumpcap: ")
            for line in lines
            if not line.startswith(("Capturing on", "File: ", "Packets "))
        ]
        return f"{self.name}: {complaints[0] if complaints else f'dumpcap ended with status {status}'}"


class Ring:
    """The files of a ring, from the oldest of these on, and those that come. Raises Unusable."""

    def __init__(self, words):
        paths = {os.path.abspath(word): os.path.basename(word) for word in words}
        try:
            self._following = following.Following(list(paths), paths, math.inf)
        except following.NotNumbered as error:
            raise Unusable(
                "these are not the files of one ring with numbers in their names, as dumpcap -b names them"
            ) from error
        self.name = self._following.name
        self.has_files = True

    def stop(self):
        self._following.stop()

    def reads(self, stream, ticks):
        """Copies each file into the stream; its sequence.stream.Read."""

        def wait():
            ticks.silent()
            return self._following.wait()

        for part in self._following.parts():
            yield self._following.mended(stream.add(part, wait))

    def close(self):
        return None


def _files_in(folder):
    """The files of the one ring in a folder. Raises Unusable, OSError."""
    found, numbered = {}, set()
    for name in sorted(os.listdir(folder)):
        place = rings.place(os.path.join(folder, name))
        if place and place.number is not None:
            found.setdefault(place.ring, []).append(os.path.join(folder, name))
            numbered |= {place.ring} if place.number else set()
    # A name without a number is that of tcpdump's first file, or of one that is no ring.
    found = {ring: paths for ring, paths in found.items() if ring in numbered} or found
    if len(found) != 1:
        raise Unusable(
            f"{folder}: has {len(found) or 'no'} ring{'s' * (len(found) > 1)} of files with numbers in their names, as dumpcap -b names them"
            + "; name the files of one" * (len(found) > 1)
        )
    return next(iter(found.values()))


def named(words, capture_filter):
    """The source that the words of the command line name. Raises Unusable."""
    if words == ["-"]:
        return Piped("standard input", 0)
    if len(words) == 1 and not os.path.exists(words[0]) and "/" not in words[0]:
        return Interface(words[0], capture_filter)
    try:
        if len(words) == 1 and os.path.isdir(words[0]):
            return Ring(_files_in(words[0]))
        kinds = [os.stat(word).st_mode for word in words]
        if len(words) == 1 and stat.S_ISFIFO(kinds[0]):
            return Piped(words[0], os.open(words[0], os.O_RDONLY))
    except OSError as error:
        raise Unusable(f"{error.filename}: {unreadable_cause(error)}") from error
    return Ring(words)
