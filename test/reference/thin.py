#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a worse capture of one: with packets missing, with every packet twice, cut to a snap length. Writes pcapng.

usage: thin.py CAPTURE OUTPUT [--drop SHARE] [--seed N] [--twice] [--snap BYTES]

What a packet was in the original capture is Frame.number, which every function here leaves alone; write() gives these numbers in
the order of the new frames."""

import argparse
import dataclasses
import os
import pathlib
import random
import sys

if __name__ == "__main__":
    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent)]

from scenarios.generate.pcapng import Pcapng

from reference.frames import frames


def thinned(some_frames, share=0.01, seed=1):
    """The frames without a share of them, drawn at random; at least one is missing."""
    missing = max(1, round(share * len(some_frames)))
    lost = set(random.Random(seed).sample(range(len(some_frames)), missing))
    return [frame for index, frame in enumerate(some_frames) if index not in lost]


def twice(some_frames, delay_ns=0):
    """Every frame followed by its copy as another interface of the same machine shows it."""
    first_new = max(frame.interface for frame in some_frames) + 1
    return [copy for frame in some_frames
            for copy in (frame, dataclasses.replace(frame, interface=frame.interface + first_new, time_ns=frame.time_ns + delay_ns))]


def cut(some_frames, snap):
    """Frames of at most `snap` bytes."""
    return [dataclasses.replace(frame, data=frame.data[:snap]) for frame in some_frames]


def write(path, some_frames):
    """Writes a pcapng. Returns new frame number - 1 -> frame number in the original."""
    places = sorted({(frame.interface, frame.link) for frame in some_frames})
    with Pcapng(path, [link for _, link in places]) as capture:
        for frame in some_frames:
            capture.write(frame.time_ns, frame.data, places.index((frame.interface, frame.link)), frame.wire_bytes)
    os.chmod(path, 0o644)
    return [frame.number for frame in some_frames]


def main():
    parser = argparse.ArgumentParser(description="Makes a worse capture of one.")
    parser.add_argument("capture")
    parser.add_argument("output")
    parser.add_argument("--drop", type=float, default=0, metavar="SHARE", help="leave out this share of the packets, such as 0.01")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--twice", action="store_true", help="write every packet twice, the copy on another interface")
    parser.add_argument("--snap", type=int, metavar="BYTES", help="cut frames to this length")
    options = parser.parse_args()
    result = frames(options.capture)
    if options.drop:
        result = thinned(result, options.drop, options.seed)
    if options.twice:
        result = twice(result)
    if options.snap is not None:
        result = cut(result, options.snap)
    write(options.output, result)


if __name__ == "__main__":
    main()
