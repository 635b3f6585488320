# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the lines in which the SCTP stacks of browsers log each packet above DTLS, in the form that text2pcap takes:

    O 21:10:24.123456 0000 13 88 13 88 00 00 00 00 ... # SCTP_PACKET name of the socket

dcSCTP (Chrome; the name is dcSCTP's) and usrsctp (Firefox) write the same form; loggers may put anything before it. I: received, O: sent. The time of
usrsctp is the time of day. That of dcSCTP comes from a clock that began at any time, so that the head which Chrome writes in a line before is taken:

    [4711:4713:1128/015915.307683:VERBOSE1:third_party/webrtc/net/dcsctp/public/text_pcap_packet_observer.cc:23]

Leaves the capture to capture.py.
"""

import datetime
import re
from typing import NamedTuple

MARK = b"# SCTP_PACKET"
LINE = re.compile(
    rb"\b([IO]) (\d\d):(\d\d):(\d\d)[.,](\d{1,9}) +0000(?:00)?((?: [0-9A-Fa-f]{2})+) *# SCTP_PACKET ?([^\r\n]{0,200})"
)
HEAD = re.compile(rb"\[(\d+):\d+:(\d\d)(\d\d)/(\d\d)(\d\d)(\d\d)\.(\d{1,9}):[A-Z0-9]+:([^\]]*)\]\s*\Z")
HEAD_OF = b"text_pcap_packet_observer"
# A packet of 65,535 bytes is a line of 196,605 characters and what a logger adds.
LINE_BYTES_MAX = 1 << 20
NS_PER_S, NS_PER_DAY = 1_000_000_000, 86_400_000_000_000
# A log has times of day: one that is so much earlier than the one before is of the next day.
NEXT_DAY_NS = NS_PER_DAY // 2


class Packet(NamedTuple):
    """is_sent: by the one who logged it; time_ns: of the day of the first packet, on from its midnight; socket: its name, empty without, and after
    an @ the process where a head tells it, since each process begins to number its sockets anew."""

    is_sent: bool
    time_ns: int
    socket: bytes
    data: bytes


class Log:
    """The packets of a log in a binary file. unread: how many lines with the mark are none, first_unread: the number of the first of them; first_day:
    (month, day) of the first packet where a head tells it, else None."""

    def __init__(self, file):
        self._file = file
        self.unread, self.first_unread, self.first_day = 0, None, None

    def packets(self):
        """Each Packet, in the order of the log. Memory: a line."""
        day_ns = last_ns = number = 0
        head = None
        while line := self._file.readline(LINE_BYTES_MAX):
            number += 1
            if MARK not in line:
                head = _head(line) or (None if line.strip() else head)
                continue
            found, clock, head = LINE.search(line), head, None
            if not found:
                self.unread += 1
                self.first_unread = self.first_unread or number
                continue
            time_ns = _of_day_ns(*(clock.groups()[3:7] if clock else found.groups()[1:5]))
            if clock and not last_ns:
                self.first_day = (int(clock[2]), int(clock[3]))
            if day_ns + time_ns < last_ns - NEXT_DAY_NS:
                day_ns += NS_PER_DAY
            last_ns = day_ns + time_ns
            socket = found[7].strip() + (b"@" + clock[1] if clock else b"")
            yield Packet(found[1] == b"O", last_ns, socket, bytes.fromhex(found[6].decode("ascii")))


def _head(line):
    """The match of a line that is a head, else None. Cost: its length."""
    found = HEAD.match(line)
    return found if found and HEAD_OF in found[8] else None


def _of_day_ns(hours, minutes, seconds, fraction):
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * NS_PER_S + int(fraction.ljust(9, b"0"))


def _latest(month, day, changed):
    """The latest such day up to that of changed, None where there is none in eight years."""
    for year in range(changed.year, changed.year - 8, -1):
        try:
            latest = datetime.datetime(year, month, day)
        except ValueError:
            continue
        if latest <= changed:
            return latest
    return None


def midnight_ns(last_ns, changed_s, first_day=None):
    """When the day of the first packet began, ns since 1970 in local time, for a log whose last packet is at last_ns of Packet and that was changed
    last at changed_s: first_day (month, day) where the log tells it, else so that the last packet is not later than the change.
    """
    changed = datetime.datetime.fromtimestamp(changed_s)
    named = first_day and _latest(*first_day, changed)
    if named:
        return int(named.timestamp()) * NS_PER_S
    day = datetime.datetime.combine(changed.date(), datetime.time()) - datetime.timedelta(days=last_ns // NS_PER_DAY)
    if (
        last_ns % NS_PER_DAY
        > (changed - datetime.datetime.combine(changed.date(), datetime.time())).total_seconds() * NS_PER_S + NS_PER_S
    ):
        day -= datetime.timedelta(days=1)
    return int(day.timestamp()) * NS_PER_S
