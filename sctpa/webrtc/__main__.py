# SPDX-License-Identifier: GPL-2.0-or-later
"""`./run webrtc LOG CAPTURE`: writes the packets of a log as a capture. `./run LOG` calls it for a capture of its own."""

import errno
import os
import sys

from sctpa import whole_files
from sctpa.arguments import COMMAND, STATUS_NOT_READ, STATUS_READ, say
from sctpa.names import cause, unreadable_cause

from .arguments import parser
from .capture import Capture
from .log import Log, midnight_ns
from .sockets import Sockets

# Sockets that were left out, by name; of others their number.
SAID_MOST = 20


class Empty(Exception):
    """The log (its argument) has no packets: nothing is written."""


def _look_through(path):
    """(midnight of the first packet in ns since 1970, the Sockets). Only the last packet tells of which day the first one is."""
    last, sockets = 0, Sockets()
    with open(path, "rb") as file:
        log = Log(file)
        for packet in log.packets():
            last = packet.time_ns
            sockets.add(packet)
    return midnight_ns(last, os.stat(path).st_mtime, log.first_day), sockets


def _chosen(sockets, wanted, name):
    """The names of the sockets to write; says which are left out. Raises KeyError where the log has not the wanted one."""
    if wanted is not None:
        if wanted not in sockets.names():
            raise KeyError(wanted)
        return {wanted}
    far = sockets.far_ends()
    for socket, near in list(far.items())[:SAID_MOST]:
        say(
            f"{name}: left out {_text(socket)}, the other endpoint of {_text(near)}, which logged the same packets ({COMMAND} webrtc --socket)"
        )
    if len(far) > SAID_MOST:
        say(f"{name}: left out {len(far) - SAID_MOST:,} more sockets, other endpoints as well")
    return set(sockets.names()) - set(far)


def _text(socket):
    return socket.decode("utf-8", "replace")


def convert(path, target, name, wanted=None):
    """Writes the packets of the log at path, called name in messages, into the file at target: those of the socket wanted (bytes), else of all but
    the second endpoints of associations. (how many, the Log that was read.) The log is read twice. Raises OSError, KeyError, Empty.
    """
    if os.path.exists(target) and os.path.samefile(path, target):
        raise OSError(errno.EINVAL, "is the log itself", target)
    midnight, sockets = _look_through(path)
    chosen = _chosen(sockets, wanted, name)
    packets = 0
    with open(path, "rb") as file, whole_files.written(target) as made:
        log, capture = Log(file), Capture(made, midnight)
        for packet in log.packets():
            if packet.socket in chosen:
                capture.add(packet)
                packets += 1
        if not packets:
            raise Empty(log)
    return packets, log


def main(words):
    chosen = parser().parse_args(words)
    name = chosen.name or chosen.log
    try:
        packets, log = convert(chosen.log, chosen.capture, name, chosen.socket and os.fsencode(chosen.socket))
    except Empty as empty:
        packets, log = 0, empty.args[0]
    except OSError as error:
        say(
            f"{name}: {unreadable_cause(error)}"
            if error.filename == chosen.log
            else f"{error.filename or chosen.capture}: {cause(error)}"
        )
        return STATUS_NOT_READ
    except KeyError:
        say(
            f"{name}: has no socket {chosen.socket}; a capture without --socket has their names as those of its interfaces (capinfos)"
        )
        return STATUS_NOT_READ
    if log.unread:
        say(f"{name}: {log.unread:,} SCTP_PACKET lines cannot be read, the first in line {log.first_unread:,}")
    if not packets:
        say(f"{name}: has no SCTP_PACKET lines that can be read")
    elif not chosen.name:
        say(f"{chosen.capture}: {packets:,} packets")
    return STATUS_READ if packets and not log.unread else STATUS_NOT_READ


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
