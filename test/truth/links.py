# SPDX-License-Identifier: GPL-2.0-or-later
"""When a link of a scenario was down: links.txt (the time of every change, in whole seconds) of Linux and usrsctp,
`outage` in params.txt of dcsctp and pion (their virtual clocks begin at a round moment). Leaves out random loss, rates
and delays.
"""

import ipaddress
import re
from dataclasses import dataclass

from tap import beside, open_table

FIRST_MOMENT = {"dcsctp": 1767225600, "pion": 946684800}
CHANGE = re.compile(r"(\d+)\S* path (\d+) (A->B|B->A|A\.\.M both directions|M\.\.B both directions): (.*)")
WAYS = {"A->B": "A", "B->A": "B"}


@dataclass(eq=False)
class Down:
    """No packet by `sender` (A or B) passed path number `path` (None: the only path), surely from `surely_from` to
    `surely_until`, and maybe from `maybe_from` to `maybe_until`: seconds since 1970."""

    path: int
    sender: str
    maybe_from: float
    surely_from: float
    surely_until: float = float("inf")
    maybe_until: float = float("inf")

    def may_hold(self, sender, address, time):
        """Might it have taken what this end sent to (or from) `address` then?"""
        return (self.sender == sender and self.maybe_from <= time < self.maybe_until
                and self.path in (None, path_number(address)))


def path_number(address):
    """The lab's path i has the addresses 10.i.x.1 and fd00:i:x::1."""
    address = ipaddress.ip_address(address)
    return address.packed[1] if address.version == 4 else address.packed[3]


def downs_of_table(lines):
    open_downs, result = {}, []
    for line in lines:
        found = CHANGE.match(line)
        if not found:
            continue
        second, path, way, state = float(found[1]), int(found[2]), found[3], found[4]
        for sender in WAYS.get(way, "AB"):
            key = path, sender, way
            if "loss 100%" in state:
                if key not in open_downs:
                    open_downs[key] = Down(path, sender, second, second + 1)
                    result.append(open_downs[key])
            elif key in open_downs:
                down = open_downs.pop(key)
                down.surely_until, down.maybe_until = second, second + 1
    return result


def downs(folder):
    """Every Down of a scenario, in the order of their beginnings."""
    if beside(folder, "links.txt"):
        with open_table(beside(folder, "links.txt")) as table:
            return downs_of_table(table)
    found = re.search(r"outage=([\d.]+):([\d.]+)", (folder / "params.txt").read_text())
    if not found:
        return []
    start = FIRST_MOMENT[folder.parent.name] + float(found[1])
    until = start + float(found[2])
    return [Down(None, sender, start, start, until, until) for sender in "AB"]
