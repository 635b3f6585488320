# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of the files of a sequence, as the plugin reads it where the preference capture_files names it: a line per file, in order.

frames TAB dropped TAB whole TAB gap TAB message TAB name: frames in decimal, dropped in decimal or empty, whole 1 or 0, gap and message text or
empty, name last. No field holds a control character.
"""

from sctpa.names import safe_text


def line(read):
    """The line of a stream.Read, as bytes with its newline."""
    dropped = "" if read.dropped is None else str(read.dropped)
    fields = (str(read.frames), dropped, str(int(read.whole)), read.gap or "", read.message or "", read.name)
    return ("\t".join(safe_text(field) for field in fields) + "\n").encode("utf-8", "replace")


def kept(reads, lines):
    """Each stream.Read as it comes, when its line is in the binary file lines."""
    for read in reads:
        lines.write(line(read))
        yield read
