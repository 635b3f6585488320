# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the SCTP packets of a capture to a file that the tests of the dialogs scenario: write_packets.py CAPTURE FILE [CAPTURE...].

More captures are those of other taps: all in one file in order of time, each with an interface of its own, frames numbered anew."""

import pathlib
import sys

TEST = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TEST), str(TEST / "lab")]

from replay import extract  # noqa: E402


def write_merged(captures, file):
    """Returns how many packets there are."""
    packets = [dict(packet, interface=number) for number, capture in enumerate(captures) for packet in extract.packets(str(capture))]
    packets.sort(key=lambda packet: packet["time_ns"])
    file.write_bytes(b"".join(extract.pack(**dict(packet, frame=frame)) for frame, packet in enumerate(packets, 1)))
    return len(packets)


if __name__ == "__main__":
    first, written, *others = map(pathlib.Path, sys.argv[1:])
    sys.exit((write_merged([first, *others], written) if others else extract.write(first, written)) == 0)
