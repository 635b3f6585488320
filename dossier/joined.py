# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that hold one capture, written into one: reports and editcap read it several times. Leaves order and gaps to sequence/."""

import os
from typing import NamedTuple

from sequence import rings, stream, table
from triage.captures import Capture

NAME, TABLE = "joined.pcapng", "files"


class Joined(NamedTuple):
    """capture: the Capture written; files: the table of its files, for the preference capture_files; lacks_files: names show that some are missing;
    how: it was put in order; messages: what was odd about its files; is_whole: each was read to its end."""

    capture: Capture
    files: str
    lacks_files: bool
    how: str
    messages: list
    is_whole: bool


def write(words, folder, as_user):
    """The files of these names as one capture in a folder. Cost: a copy of all of them. Raises OSError."""
    one = rings.of_one([os.path.abspath(word) for word in words], {os.path.abspath(word): word for word in words}, as_user)
    path, files = os.path.join(folder, NAME), os.path.join(folder, TABLE)
    with open(path, "wb") as target, open(files, "wb") as lines:
        joined = stream.Stream(target.write, as_user)
        reads = list(table.kept(map(joined.add, one.parts), lines))
    for made in (path, files):
        os.chmod(made, 0o644)
    state = os.stat(path)
    return Joined(Capture(path, one.name, state.st_size, state.st_mtime_ns), files, any(part.gap for part in one.parts), one.how,
                  [remark for read in reads for remark in read.remarks()], all(read.whole for read in reads))
