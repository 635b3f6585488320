# SPDX-License-Identifier: GPL-2.0-or-later
"""When T3-rtx expired and after which RTO, as each stack recorded it: the kernel's trace, usrsctp's variables, the logs
of dcsctp and pion. dcsctp does not say its RTO. Leaves out which chunks were sent again for it (linux.py and its
neighbours)."""

import bisect
import importlib
from dataclasses import dataclass

import linux
import usrsctp
import webrtc_rto
from tap import read_tap


@dataclass(eq=False)
class Timeout:
    """`assoc` and `address` are None where the stack does not tell; `rto` in seconds."""

    time: float
    assoc: int
    address: str
    rto: float


def of_linux(folder, end):
    """The RTO is that of the last packet or SACK before; the rows of the timeout itself have it doubled already."""
    rows, numbers, rtos = list(linux.rows_of_end(folder, end)), {}, {}
    linux.tie_packets(rows, read_tap(folder, end))
    for row in rows:
        if row.get("packet"):
            numbers[row["assoc"]] = row["packet"].assoc
        key = row["assoc"], row["dst"]
        if row["event"] == "mark" and linux.reason_of(row) == linux.T3:
            yield Timeout(row["time"], numbers.get(row["assoc"]), row["dst"], rtos.get(key))
        elif row["event"] in ("xmit", "sack") and row["rto_ms"].isdigit():
            rtos[key] = int(row["rto_ms"]) / 1000


def of_usrsctp(folder, end):
    packets = [packet for packet in read_tap(folder, end) if packet.sent]
    for rows in usrsctp.tables(folder, end):
        assoc = next((packet.assoc for packet in packets if usrsctp.covered([rows], packet)), None)
        for row, then in zip(rows, rows[1:]):
            for expiry in usrsctp.expiries([row, then]):
                yield Timeout(expiry.time, assoc, expiry.address, row.paths[expiry.address].rto / 1000)


def of_webrtc(folder, end):
    stack = importlib.import_module(folder.parent.name)
    if folder.parent.name == "dcsctp":
        return [Timeout(time, None, None, None) for time in (stack.expiry_times(folder) if end == "A" else ())]
    rows = list(webrtc_rto.rows_of(folder, end))
    times, result = [float(row["time"]) for row in rows], []
    for time in stack.expiry_times(folder, end):
        at = bisect.bisect_left(times, time) - 1
        result.append(Timeout(time, None, None, float(rows[at]["rto_ms"]) / 1000 if at >= 0 else None))
    return result


def timeouts(folder, end):
    """Every Timeout of this end, in order of time."""
    result, stack = [], folder.parent.name
    if stack in ("linux", "interop"):
        result += of_linux(folder, end)
    if stack in ("usrsctp", "interop"):
        result += of_usrsctp(folder, end)
    if stack in ("dcsctp", "pion"):
        result += of_webrtc(folder, end)
    return sorted(result, key=lambda timeout: timeout.time)
