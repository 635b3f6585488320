# SPDX-License-Identifier: GPL-2.0-or-later
"""Looking changes nothing: what Wireshark has analysed of a live capture, with all windows open and without one, and after it was loaded
anew, is what tshark says of the file, byte for byte but for the file's name. The JSON leaves Wireshark on a signal (epan/plugin.c).

Leaves out what the windows show.
"""

import bisect
import contextlib
import difflib
import json
import os
import re
import select
import signal
import subprocess
import time

import pytest
from desktop import Desktop, require_programs, wait_for
from driven_wireshark import DEMO, REST_S, Wireshark, open_all_windows
from rest import wait_for_rest

CAPTURES = DEMO.parent
# A little at a time, with pauses in which windows look again (twice a second).
PORTIONS = 8
PAUSE_S = 0.7
# What a pipe takes before anybody reads it.
PIPE_BYTES = 60000
PATIENCE_S = 60


def blocks_of(pcapng):
    """Where each block of a pcapng begins, and its end."""
    starts = [0]
    while starts[-1] < len(pcapng):
        order = "big" if pcapng[starts[-1] + 8:starts[-1] + 12] == b"\x1a\x2b\x3c\x4d" else "little"
        starts.append(starts[-1] + int.from_bytes(pcapng[starts[-1] + 4:starts[-1] + 8], order))
    return starts


def as_pcapng(path, folder):
    """The bytes of a capture as pcapng, whatever it was."""
    written = folder / "whole.pcapng"
    subprocess.run(["editcap", "-F", "pcapng", str(path), str(written)], check=True)
    return written.read_bytes()


def without_name(text):
    return re.sub(r'"file": (null|"[^"]*")', '"file": ""', text, count=1)


def assert_same(text, expected):
    """But for the capture's name; a failure names only the lines that differ."""
    differing = list(difflib.unified_diff(without_name(expected).splitlines(), without_name(text).splitlines(), "of the file", "live", n=0,
                                          lineterm=""))
    assert not differing, "\n".join(differing[:80])


class LiveCapture:
    """A capture that comes through a pipe; use as a context."""

    def __init__(self, folder, pcapng):
        self.path = folder / "pipe"
        self.pcapng = pcapng
        starts = blocks_of(pcapng)
        first = min(bisect.bisect(starts, PIPE_BYTES) - 1, len(starts) // PORTIONS)
        self.cuts = [0, *starts[first::-(-len(starts) // PORTIONS)], len(pcapng)]

    def __enter__(self):
        os.mkfifo(self.path)
        os.chmod(self.path, 0o666)
        # Open for both, so that opening it waits for nobody.
        self.pipe = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        self.write(0)
        return self

    def write(self, portion):
        """Fails when nobody empties the pipe in time."""
        rest = memoryview(self.pcapng)[self.cuts[portion]:self.cuts[portion + 1]]
        end = time.monotonic() + PATIENCE_S
        while rest:
            select.select([], [self.pipe], [], 1)
            assert time.monotonic() < end, f"the pipe has not been emptied within {PATIENCE_S} s"
            with contextlib.suppress(BlockingIOError):
                rest = rest[os.write(self.pipe, rest):]

    def write_the_rest(self):
        for portion in range(1, len(self.cuts) - 1):
            time.sleep(PAUSE_S)
            self.write(portion)

    def end(self):
        """Who reads it comes to its end."""
        if self.pipe is not None:
            os.close(self.pipe)
            self.pipe = None

    def __exit__(self, *_):
        self.end()


def analysed(wireshark, file, frames, after=0):
    """(number, JSON) of the analysis that the main window holds, once it has seen all frames in one with a greater number than `after`."""
    def asked():
        file.unlink(missing_ok=True)
        os.kill(wireshark.process.pid, signal.SIGUSR2)
        wait_for(file.exists, "an answer to SIGUSR2")
        head, _, text = file.read_text().partition("\n")
        number = int(head.removeprefix("analysis "))
        return number > after and text and json.loads(text)["capture"]["frames"] == frames and (number, text)
    return wait_for(asked, f"{frames} frames in an analysis after {after}", PATIENCE_S)


@pytest.mark.thorough_but_one_in(8)
@pytest.mark.parametrize("has_windows", [False, True], ids=["no_window", "all_windows"])
@pytest.mark.parametrize("name", ["demo.pcapng.gz", "linux/setup-shutdown-loss/A.pcapng.gz", "linux/manyassoc/A.pcapng.gz",
                                  "linux/restart/A.pcapng.gz"], ids=["demo", "setup-shutdown-loss", "manyassoc", "restart"])
def test_a_live_capture_is_analysed_as_its_file(tshark, tmp_path, name, has_windows):
    require_programs()
    pcapng = as_pcapng(CAPTURES / name, tmp_path)
    expected = tshark("-q", "-r", tmp_path / "whole.pcapng", "-z", "sctp,json").stdout
    frames = json.loads(expected)["capture"]["frames"]
    file = tmp_path / "analysed.json"
    with contextlib.ExitStack() as stack:
        desktop = stack.enter_context(Desktop())
        desktop.environment["SCTP_ANALYSIS_JSON_ON_SIGUSR2"] = str(file)
        live = stack.enter_context(LiveCapture(tmp_path, pcapng))
        wireshark = stack.enter_context(Wireshark(desktop, tmp_path, "-k", "-i", str(live.path)))
        if has_windows:
            open_all_windows(desktop, wireshark, PATIENCE_S)
        live.write_the_rest()
        assert_same(analysed(wireshark, file, frames)[1], expected)
        live.end()
        # While it captures, the key that loads a file anew begins the capture anew.
        wait_for(lambda: wireshark.main not in desktop.windows("Capturing from .*"), "the end of capturing")
        wait_for_rest(wireshark.process.pid, REST_S, PATIENCE_S)
        before, _ = analysed(wireshark, file, frames)
        desktop.activate(wireshark.main)
        desktop.keys("ctrl+r")
        assert_same(analysed(wireshark, file, frames, before)[1], expected)
