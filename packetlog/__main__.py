# SPDX-License-Identifier: GPL-2.0-or-later
"""`./run webrtc LOG CAPTURE`: writes the packets of a log as a capture. `./run LOG` calls it for a capture of its own."""

import os
import pathlib
import sys

from triage.arguments import STATUS_NOT_READ, STATUS_READ, filled, parser, say
from triage.names import cause, unreadable_cause

from .capture import Capture
from .log import Log, midnight_ns

USAGE = pathlib.Path(__file__).with_name("usage.txt")


def _last_ns(path):
    last = 0
    with open(path, "rb") as file:
        for packet in Log(file).packets():
            last = packet.time_ns
    return last


def convert(path, target):
    """Writes the packets of the log at path into the file at target; (how many, the Log that was read). The log is read twice: only its last packet
    tells of which day the first one is. Raises OSError."""
    midnight = midnight_ns(_last_ns(path), os.stat(path).st_mtime)
    packets = 0
    with open(path, "rb") as file, open(target, "wb") as made:
        log, capture = Log(file), Capture(made, midnight)
        for packet in log.packets():
            capture.add(packet)
            packets += 1
    return packets, log


def main(words):
    parsing = parser("webrtc", USAGE)
    parsing.add_argument("log", type=filled)
    parsing.add_argument("capture", type=filled)
    parsing.add_argument("--name", type=filled)
    chosen = parsing.parse_args(words)
    name = chosen.name or chosen.log
    try:
        packets, log = convert(chosen.log, chosen.capture)
    except OSError as error:
        say(f"{name}: {unreadable_cause(error)}" if error.filename == chosen.log else f"{error.filename or chosen.capture}: {cause(error)}")
        return STATUS_NOT_READ
    if log.unread:
        say(f"{name}: {log.unread:,} SCTP_PACKET lines cannot be read, the first in line {log.first_unread:,}")
    if not packets:
        say(f"{name}: has no SCTP_PACKET lines that can be read")
        os.unlink(chosen.capture)
    elif not chosen.name:
        say(f"{chosen.capture}: {packets:,} packets")
    return STATUS_READ if packets and not log.unread else STATUS_NOT_READ


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
