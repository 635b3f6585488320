# SPDX-License-Identifier: GPL-2.0-or-later
"""tshark on one capture, whose reports go to the standard output as they come. Leaves what is said of it to said.py, files that are one to ring.py."""

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
from typing import NamedTuple

from sctpa import names
from sctpa.arguments import STATUS_NOT_READ, STATUS_PLUGIN
from sctpa.tshark import ENDS_WITH_US, SUFFIX, Failed

from .said import explain, say
from .unreadable import unreadable_cause

# Of a report, for those who ask what it shows: a short one is whole.
BEGIN_BYTES = 1 << 20
COPIED_BYTES = 1 << 16
# A text with lines for text2pcap. A pcapng begins with a newline, too, but a carriage return follows: captures are not searched.
LOG_MARK = b"# SCTP_PACKET"


@contextlib.contextmanager
def making():
    """What makes a temporary file, without which there is nothing to go on with. Raises Failed."""
    try:
        yield
    except OSError as error:
        raise Failed(STATUS_PLUGIN, f"temporary files cannot be written in /tmp: {error.strerror}") from None


def our_python(module, *words):
    """The command that starts another of our programs, which ends with us."""
    return [*ENDS_WITH_US, sys.executable, "-sPB", "-m", f"sctpa.{module}", *words]


class Source(NamedTuple):
    """What tshark reads. name: of the capture; entry: a link, or - for its standard input; stdin: what that is, None ours; feeder: a process that writes
    into it; files: the table of files that are one; path, state: the file and what tells whether it has changed."""

    name: str
    entry: str
    stdin: object = None
    feeder: object = None
    files: str | None = None
    path: str | None = None
    state: tuple | None = None

    def has_changed(self):
        """Has the file, if it is one and still there, changed since it was opened?"""
        return self.state is not None and _state(self.path) not in (None, self.state)


def _state(path):
    with contextlib.suppress(OSError):
        state = os.stat(path)
        if stat.S_ISREG(state.st_mode):
            return state.st_size, state.st_mtime_ns
    return None


def _printed(data):
    """Writes to the standard output; whether somebody reads it. Raises Failed."""
    try:
        while data:
            data = data[os.write(1, data) :]
    except BrokenPipeError:
        return False
    except OSError as error:
        raise Failed(STATUS_NOT_READ, f"the report cannot be written: {error.strerror}") from None
    return True


def _copied(report):
    """Prints a report, as long as it may be, each piece at once; its begin. Where nobody reads it, it goes on all the same. Raises Failed."""
    begin, is_read = b"", True
    while data := os.read(report, COPIED_BYTES):
        begin += data[: BEGIN_BYTES - len(begin)]
        is_read = is_read and _printed(data)
    return begin


class Reader:
    """Reads captures by the same tshark. host: tshark.Host; reports: arguments of -z; options: all preferences."""

    def __init__(self, host, reports, options):
        self.host, self._reports, self.options = host, reports, options

    def report(self, source):
        """Prints the reports of a Source; whether it was read to its end. Raises Failed."""
        named = [f"sctp_analysis.capture_name:{name}" for name in ("", source.name)]
        files = [f"sctp_analysis.capture_files:{source.files}"] * bool(source.files)
        words = [word for option in (*named, *files, *self.options) for word in ("-o", option)]
        words += [word for report in self._reports for word in ("-z", report)]
        with making():
            messages = tempfile.TemporaryFile()
        with messages:
            process = self.host.start(["-q", "-r", source.entry, *words], source.stdin, messages)
            try:
                begin = _copied(process.stdout.fileno())
                status = process.wait()
            finally:
                process.kill()
                if source.feeder:
                    source.feeder.terminate()
            messages.seek(0)
            text = messages.read().decode("utf-8", "surrogateescape")
        return explain(source.name, source.entry, status, text, begin, source.has_changed())

    def folder(self):
        """A TemporaryDirectory that the user of tshark may enter. Raises Failed."""
        with making():
            folder = tempfile.TemporaryDirectory(dir=self.host.links, ignore_cleanup_errors=True)
            os.chmod(folder.name, 0o755)
        return folder

    def capture(self, name):
        """Says why a capture cannot be read, or prints its reports; whether it was read to its end. Raises Failed."""
        path = os.path.join(os.getcwd(), "/dev/stdin" if name == "-" else name)
        if cause := unreadable_cause(path if name else name):
            say(f"{name}: {cause}")
            return False
        state = _state(path)
        with self.folder() as folder:
            is_whole, read = _converted(name, path, folder) if _is_packet_log(path) else (True, path)
            if not read:
                return False
            try:
                entry, opened = self._entry(read, folder)
            except OSError as error:
                say(f"{name}: {names.unreadable_cause(error)}")
                return False
            with opened or contextlib.nullcontext():
                return self.report(Source(name, entry, opened, path=path, state=state)) and is_whole

    def _entry(self, path, folder):
        """(what tshark calls a file, what it reads as its standard input or None). tshark repeats the name of a capture in its messages, and a name
        may look like any message: it is given one that says nothing. The suffix stays, since tshark tries the formats of that suffix first. A file
        that only root can read tshark gets open. Raises OSError, Failed."""
        if not self.host.may_read(path):
            return "-", open(path, "rb")
        link = os.path.join(folder, "capture" + SUFFIX.search(path)[0])
        with making():
            os.symlink(path, link)
        return link, None


def _is_packet_log(path):
    with contextlib.suppress(OSError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            first = file.read(2)
            if len(first) < 2 or not all(0x20 <= byte < 0x7F for byte in first.replace(b"\n", b".")):
                return False
            kept = first
            while data := file.read(COPIED_BYTES):
                if LOG_MARK in (kept := kept[-len(LOG_MARK) :] + data):
                    return True
    return False


def _converted(name, path, folder):
    """(whether the log at path was read wholly, a capture of what it holds, None without)."""
    made = os.path.join(folder, "packets")
    status = subprocess.run(our_python("webrtc", f"--name={name}", path, made), check=False).returncode
    if status < 0:
        say(f"Python ended by signal {-status} before it was done")
    if not os.path.exists(made):
        return False, None
    os.chmod(made, 0o644)
    return status == 0, made
