# SPDX-License-Identifier: GPL-2.0-or-later
"""Outages of truth and plugin side by side, near the sender: when the stack took a path for potentially failed or inactive (paths.py), and
between which times the plugin says so by HEARTBEATs without answer. The plugin is told what the scenario configured (endpoint_parameters),
or nothing. Leaves out failures that new data shows (path_events.py)."""

import re
from dataclasses import dataclass

import paths
from path_events import peer_addresses
from plugin_fields import document

STATES = {"potentially failed": "potentially_failed", "inactive": "inactive"}
# The stack marks the path before its HEARTBEAT passes the tap (Linux 33 us); usrsctp's variables are read at packets.
CLOCK_S = 0.002
ARITHMETIC = 9 / 8      # of the RTO: the stack's is in ticks, the plugin's an eighth around it
RFC_PATH_MAX_RETRANS = 5
NETWORKS = {"A": ("10.1.0.0/24", "10.2.0.0/24", "fd00:1::/48", "fd00:2::/48"),
            "B": ("10.1.1.0/24", "10.2.1.0/24", "fd00:1:1::/48", "fd00:2:1::/48")}
WORDS = {"A": "client", "B": "server"}
OPTIONS = (("--rto", r"(\d+),(\d+),(\d+)", ("RTO.Initial", "RTO.Min", "RTO.Max")), ("--hb", r"([1-9]\d*)", ("HB.interval",)),
           ("--pathmax", r"(\d+)", ("Path.Max.Retrans",)), ("--pfthresh", r"\d+,\d+,(\d+)", ("Path.Max.Retrans",)))


@dataclass(eq=False)
class Outage:
    """What the plugin says of one state: `width` seconds at most between the times."""

    address: str
    state: str
    earliest: float
    latest: float


@dataclass(eq=False)
class Difference:
    where: str          # STACK/SCENARIO/END
    time: float
    address: str
    truth: str          # a state or none
    ours: str           # a state, none, or wide

    def __str__(self):
        return f"{self.where} {self.time:.3f} s {self.address}: truth {self.truth}, ours {self.ours}"


def configured(folder, end):
    """NAME -> value of what the scenario configures for this end."""
    text = (folder / "scenario.sh").read_text().replace("\\\n", " ")
    command = next((line for line in text.splitlines() if line.startswith(WORDS[end] + " ")), "")
    found = {}
    for option, pattern, names in OPTIONS:
        if values := re.search(option + " " + pattern, command):
            found.update(zip(names, values.groups()))
    return found


def assertions(folder, end):
    """The same as the preference endpoint_parameters has it."""
    values = " ".join(f"{name}={value}" for name, value in configured(folder, end).items())
    return "; ".join(f"{network} {values}" for network in NETWORKS[end]) if values else ""


def outages(association, addresses):
    """Outages of the end that sends to these addresses."""
    destinations = {(path["from"], path["index"]): path["destination"] for path in association["paths"]}
    for outage in association["outages"]:
        address = destinations[outage["endpoint"], outage["path"]]
        for state, key in STATES.items():
            if address in addresses and outage[key]:
                yield Outage(address, state, outage[key]["earliest_s"], outage[key]["latest_s"])


def compare_outages(changes, ours):
    """(time, address, truth, ours) where the stack did not change the state within the times said, or these are wider than its RTO."""
    for said in ours:
        change = next((change for change in changes if (change.address, change.state) == (said.address, said.state) and
                       said.earliest - CLOCK_S <= change.time <= said.latest + CLOCK_S), None)
        if not change:
            yield said.latest, said.address, "none", said.state
        elif said.latest - said.earliest > ARITHMETIC * change.rto:
            yield change.time, said.address, said.state, "wide"


def missing(changes, ours):
    """The same for states of which nothing is said."""
    for change in changes:
        if change.state in STATES and not any((said.address, said.state) == (change.address, change.state) and
                                              said.earliest - CLOCK_S <= change.time <= said.latest + CLOCK_S for said in ours):
            yield change.time, change.address, change.state, "none"


def compared(tshark, folder, end, is_asserted):
    """(said, differences, missing) of this end at its own tap. Unasserted, inactive is compared where the RFC's Path.Max.Retrans is right."""
    parameters = assertions(folder, end) if is_asserted else ""
    is_configured_elsewhere = not configured(folder, end) and "pathmax" in (folder / "scenario.sh").read_text()
    knows_limit = not is_configured_elsewhere and (is_asserted or int(configured(folder, end).get("Path.Max.Retrans", RFC_PATH_MAX_RETRANS)) == RFC_PATH_MAX_RETRANS)
    where, said, different, absent = f"{folder.parent.name}/{folder.name}/{end}", [], [], []
    changes = paths.changes(folder, end)
    for association in document(tshark, folder, end, parameters)["associations"]:
        mine = [change for change in changes if change.assoc == association["index"]]
        addresses = set().union(*(peer_addresses(association, change.address) for change in mine))
        ours = [outage for outage in outages(association, addresses) if knows_limit or outage.state != "inactive"]
        said += ours
        different += [Difference(where, *found) for found in compare_outages(mine, ours)]
        absent += [Difference(where, *found) for found in missing(mine, ours)]
    return said, different, absent
