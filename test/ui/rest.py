# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a process is at rest: what was asked of it is done, and shown.

Leaves out what it shows.
"""

import os
import pathlib
import time

# What a program at rest uses still: timers.
IDLE_SHARE = 0.06


def cpu_seconds(pid):
    return _stat(pid)[1]


def _stat(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_rest(pid, rest_s, patience_s):
    """Returns when the process has waited for others, not for a processor, for rest_s."""
    end = time.monotonic() + patience_s
    began, used = time.monotonic(), cpu_seconds(pid)
    while time.monotonic() - began < rest_s:
        time.sleep(0.02)
        state, now = _stat(pid)
        if state in "RD" or now - used > IDLE_SHARE * rest_s:
            began, used = time.monotonic(), now
        assert time.monotonic() < end, f"process {pid} is still busy after {patience_s} s"
