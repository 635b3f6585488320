# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files are captures, and what tells one from another. Leaves reading them to capture_job.py."""

import hashlib
import os
import re
import stat
from typing import NamedTuple

from .names import NO_PERMISSION, unreadable_cause

CAPTURE_NAME = re.compile(
    rb"\.(pcap\d*|pcapng\d*|cap|ntar|dmp|snoop|erf|5vw|trc\d?|enc|fdc|syc|bfr|tr1|rf5|trace|btsnoop|pklg|lcap)(\.(gz|zst|lz4))?$",
    re.I,
)
CHANGED = "changed while it was read; the report covers what was there"
MAGIC = {
    bytes.fromhex(text) for text in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "a1b2cd34", "34cdb2a1", "0a0d0d0a")
}


class Capture(NamedTuple):
    """A file to triage: its absolute path, as given, and what tells whether it is still the same. fault: why it cannot be read;
    parts: the files, as Captures, where several hold it, one after the other; its path is then none that can be opened; gap: of a part, as of stream.Part.
    """

    path: str
    name: str
    size: int
    mtime_ns: int
    fault: str | None = None
    parts: tuple = ()
    gap: str | None = None


def _fault(path):
    try:
        state = os.stat(path)
    except OSError as error:
        return unreadable_cause(error), None
    if not stat.S_ISREG(state.st_mode):
        return "is no regular file", None
    if not os.access(path, os.R_OK):
        return NO_PERMISSION, state
    return (None if state.st_size else "is empty (0 bytes)"), state


def _capture(name):
    fault, state = _fault(name)
    return Capture(os.path.abspath(name), name, state.st_size if state else 0, state.st_mtime_ns if state else 0, fault)


def _looks_like_capture(path):
    if CAPTURE_NAME.search(os.fsencode(path)):
        return True
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(4) in MAGIC
    except OSError:
        return False


def _in_folder(folder, skipped, complaints):
    for base, folders, files in os.walk(folder, onerror=complaints.append):
        folders[:] = sorted(each for each in folders if os.path.realpath(os.path.join(base, each)) != skipped)
        for each in sorted(files):
            path = os.path.join(base, each)
            if os.path.isfile(path):
                yield path, _looks_like_capture(path)
            elif not os.path.exists(path):
                # Gone by now, or a link to nothing: of a capture, that is to be said.
                yield path, bool(CAPTURE_NAME.search(os.fsencode(path)))


def listed(path):
    """The names that a list holds, one a line, or behind each a NUL, and which stand together: a number by absolute path. After an empty name and a NUL
    others begin; in lines all stand together. path: of the list, - the standard input. Raises OSError."""
    with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
        data = file.read()
    parts = [part.split(b"\0") for part in data.split(b"\0\0")] if b"\0" in data else [data.split(b"\n")]
    named = [(os.fsdecode(name), number) for number, part in enumerate(parts) for name in part if name]
    return [name for name, _ in named], {os.path.abspath(name): number for name, number in named}


def find(names, out):
    """The captures of files and folders, each once, in order; how many other files the folders hold; folders that could not be
    listed (OSError). `out` is left out. About 0.5 kB per capture stays in memory."""
    found, others, complaints = {}, 0, []
    for name in names:
        if not os.path.isdir(name):
            found.setdefault(os.path.abspath(name), name)
            continue
        for path, is_capture in _in_folder(name, os.path.realpath(out), complaints):
            others += not is_capture
            if is_capture:
                found.setdefault(os.path.abspath(path), path)
    return [_capture(name) for name in found.values()], others, complaints


def changed(capture):
    """Its files, as Captures, that have another size or time than when they were found. One that is gone by now has not."""
    states = ((part, _fault(part.path)[1]) for part in capture.parts or (capture,))
    return [
        part for part, state in states if state and (state.st_size, state.st_mtime_ns) != (part.size, part.mtime_ns)
    ]


def key(capture, engine):
    """Names the results of a capture: another size or time of the file, plugin or options is another key."""
    text = "".join(f"{file.path}\0{file.size}\0{file.mtime_ns}\0" for file in (capture, *capture.parts)) + engine
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:40]
