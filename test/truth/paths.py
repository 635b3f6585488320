# SPDX-License-Identifier: GPL-2.0-or-later
"""When paths changed state and which was primary, as Linux (`ctrl` and `sack` rows) and usrsctp (its tables) say. dcsctp and
pion have one path. Leaves out what the plugin says of it: its events (path_failed, path_recovered, primary_changed)."""

from dataclasses import dataclass

import usrsctp
from linux import reason_of, rows_of_end, tie_packets
from tap import read_tap, start_time

LINUX_STATES = {0: "active", 1: "inactive", 2: "potentially failed"}
REACHABLE, UNCONFIRMED, POTENTIALLY_FAILED = 0x001, 0x200, 0x800


@dataclass(eq=False)
class Change:
    """From `time` (seconds since the first frame) on, the path of association `assoc` to `address` is in `state`, or primary; `rto` in
    seconds before an error doubles it."""

    time: float
    assoc: int
    address: str
    state: str
    rto: float = 0.0


def linux_changes(folder, end):
    rows, numbers, primary = list(rows_of_end(folder, end)), {}, {}
    tie_packets(rows, read_tap(folder, end))
    for row in rows:
        if row.get("packet"):
            numbers[row["assoc"]] = row["packet"].assoc
        assoc = numbers.get(row["assoc"])
        if row["event"] == "ctrl":
            yield Change(row["time"], assoc, row["dst"], LINUX_STATES[reason_of(row, "cmd")], int(row["rto_ms"]) / 1000)
        elif row["event"] == "sack" and row["extra"] == "primary" and primary.get(row["assoc"]) != row["dst"]:
            if row["assoc"] in primary:
                yield Change(row["time"], assoc, row["dst"], "primary")
            primary[row["assoc"]] = row["dst"]


def usrsctp_state(path):
    if path.state & UNCONFIRMED:
        return "unconfirmed"
    if not path.state & REACHABLE:
        return "inactive"
    return "potentially failed" if path.state & POTENTIALLY_FAILED else "active"


def usrsctp_changes(folder, end):
    packets = [packet for packet in read_tap(folder, end) if packet.sent]
    for rows in usrsctp.tables(folder, end):
        assoc = next((packet.assoc for packet in packets if usrsctp.covered([rows], packet)), None)
        for row, then in zip(rows, rows[1:]):
            for address, now in then.paths.items():
                was = row.paths.get(address)
                if was and usrsctp_state(was) != usrsctp_state(now):
                    yield Change(then.time, assoc, address, usrsctp_state(now), was.rto / 1000)
                if was and now.is_primary and not was.is_primary:
                    yield Change(then.time, assoc, address, "primary")


def changes(folder, end):
    """Changes in the order of time."""
    result = []
    if folder.parent.name in ("linux", "interop"):
        result += linux_changes(folder, end)
    if folder.parent.name in ("usrsctp", "interop"):
        result += usrsctp_changes(folder, end)
    start = start_time(folder, end) if result else 0
    for change in result:
        change.time -= start
    return sorted(result, key=lambda change: change.time)
