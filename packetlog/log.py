# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the lines in which the SCTP stacks of browsers log each packet above DTLS, in the form that text2pcap takes:

    O 21:10:24.123456 0000 13 88 13 88 00 00 00 00 ... # SCTP_PACKET name of the socket

dcSCTP (Chrome; the name is dcSCTP's) and usrsctp (Firefox) write the same form; loggers may put anything before it. I: received, O: sent. Leaves
the capture to capture.py.
"""

import datetime
import re
from typing import NamedTuple

MARK = b"# SCTP_PACKET"
LINE = re.compile(rb"\b([IO]) (\d\d):(\d\d):(\d\d)[.,](\d{1,9}) +0000(?:00)?((?: [0-9A-Fa-f]{2})+) *# SCTP_PACKET ?([^\r\n]{0,200})")
# A packet of 65,535 bytes is a line of 196,605 characters and what a logger adds.
LINE_BYTES_MAX = 1 << 20
NS_PER_S, NS_PER_DAY = 1_000_000_000, 86_400_000_000_000
# A log has times of day: one that is so much earlier than the one before is of the next day.
NEXT_DAY_NS = NS_PER_DAY // 2


class Packet(NamedTuple):
    """is_sent: by the one who logged it; time_ns: of the day of the first packet, on from its midnight; socket: its name, empty without."""

    is_sent: bool
    time_ns: int
    socket: bytes
    data: bytes


class Log:
    """The packets of a log in a binary file. unread: how many lines with the mark are none, first_unread: the number of the first of them."""

    def __init__(self, file):
        self._file = file
        self.unread, self.first_unread = 0, None

    def packets(self):
        """Each Packet, in the order of the log. Memory: a line."""
        day_ns = last_ns = 0
        number = 0
        while line := self._file.readline(LINE_BYTES_MAX):
            number += 1
            if MARK not in line:
                continue
            found = LINE.search(line)
            if not found:
                self.unread += 1
                self.first_unread = self.first_unread or number
                continue
            way, hours, minutes, seconds, fraction, data, socket = found.groups()
            time_ns = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * NS_PER_S + int(fraction.ljust(9, b"0"))
            if day_ns + time_ns < last_ns - NEXT_DAY_NS:
                day_ns += NS_PER_DAY
            last_ns = day_ns + time_ns
            yield Packet(way == b"O", last_ns, socket.strip(), bytes.fromhex(data.decode("ascii")))


def midnight_ns(last_ns, changed_s):
    """When the day of the first packet began, ns since 1970 in local time, for a log whose last packet is at last_ns of Packet and that was changed
    last at changed_s: that day at the latest."""
    changed = datetime.datetime.fromtimestamp(changed_s)
    day = datetime.datetime.combine(changed.date(), datetime.time()) - datetime.timedelta(days=last_ns // NS_PER_DAY)
    if last_ns % NS_PER_DAY > (changed - datetime.datetime.combine(changed.date(), datetime.time())).total_seconds() * NS_PER_S + NS_PER_S:
        day -= datetime.timedelta(days=1)
    return int(day.timestamp()) * NS_PER_S
