# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that hold one capture, written into one: reports and editcap read it several times. Leaves order and gaps to sctpa/sequence."""

import os
from typing import NamedTuple

from sctpa import whole_files
from sctpa.captures import Capture
from sctpa.sequence import rings, stream, table

NAME, TABLE = "joined.pcapng", "files"


class Joined(NamedTuple):
    """capture: the Capture written; files: the table of its files, for the preference capture_files; has_gap: packets are missing before one of
    them; messages: what was read, and what was odd about it; is_whole: each was read to its end."""

    capture: Capture
    files: str
    has_gap: bool
    messages: list
    is_whole: bool


def write(words, folder, as_user):
    """The files of these names as one capture in a folder. Cost: a copy of all of them. Raises OSError."""
    one = rings.of_words(words, as_user)
    path, files = os.path.join(folder, NAME), os.path.join(folder, TABLE)
    with whole_files.naming(path), open(path, "wb") as target, open(files, "wb") as lines:
        joined = stream.Stream(target.write, as_user)
        reads = list(table.kept(map(joined.add, one.parts), lines))
    for made in (path, files):
        os.chmod(made, 0o644)
    state = os.stat(path)
    messages = [one.reading(), *(remark for read in reads for remark in read.remarks())]
    return Joined(
        Capture(path, one.name, state.st_size, state.st_mtime_ns),
        files,
        any(read.gap for read in reads),
        messages,
        all(read.whole for read in reads),
    )
