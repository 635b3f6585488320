# SPDX-License-Identifier: GPL-2.0-or-later
"""Path states of truth and plugin side by side, near the sender: what the stack recorded of its paths (paths.py) and the events
path_failed, path_recovered, primary_changed of the same end. Leaves out what is printed.

The plugin's events follow from where new data goes: one stands at the first new data elsewhere, so it may come later than what the
stack did. `truth` and `ours` of a difference are words: failed, recovered, primary; path_failed, path_recovered, primary_changed; none."""

from dataclasses import dataclass

import paths
from plugin_fields import document

FAILED = ("potentially failed", "inactive")
NOTICED_S = 1.0         # after which the other must have noticed
SAME_MOMENT_S = 0.05    # the plugin's times are those of packets, the stack's those of its variables
NONE = "none"


@dataclass(eq=False)
class Difference:
    where: str          # STACK/SCENARIO/END
    time: float
    address: str
    truth: str
    ours: str

    def __str__(self):
        return f"{self.where} {self.time:.3f} s {self.address}: truth {self.truth}, ours {self.ours}"


@dataclass(eq=False)
class Event:
    time: float
    address: str
    kind: str


def events_of(association, addresses):
    """Its path events about one of these destinations."""
    destinations = {(path["from"], path["index"]): path["destination"] for path in association["paths"]}
    for event in association["events"]:
        address = destinations.get((event["endpoint"], event["path"]))
        if event["kind"] in ("path_failed", "path_recovered", "primary_changed") and address in addresses:
            yield Event(event["time_s"], address, event["kind"])


def peer_addresses(association, address):
    """The destinations of the end that sends to address."""
    senders = {path["from"] for path in association["paths"] if path["destination"] == address}
    return {path["destination"] for path in association["paths"] if path["from"] in senders}


def failures(changes):
    """(time, address, until) of each time that a path was not active."""
    since, result = {}, []
    for change in changes:
        if change.state in FAILED:
            since.setdefault(change.address, change.time)
        elif change.state == "active" and change.address in since:
            result.append((since.pop(change.address), change.address, change.time))
    return result + [(time, address, None) for address, time in since.items()]


def is_near(time, other, later=NOTICED_S):
    return time - SAME_MOMENT_S <= other <= time + later


def compare_failures(changes, events):
    """(time, address, truth, ours) where one of both has a failure or a recovery and the other has none."""
    failed = [event for event in events if event.kind == "path_failed"]
    recovered = [event for event in events if event.kind == "path_recovered"]
    spans = failures(changes)
    for time, address, until in spans:
        ours = next((event for event in failed if event.address == address and is_near(time, event.time)), None)
        if not ours:
            yield time, address, "failed", NONE
        elif until and not any(event.address == address and is_near(until, event.time) for event in recovered):
            yield until, address, "recovered", NONE
    for event in failed:
        if not any(address == event.address and is_near(time, event.time) for time, address, _ in spans):
            yield event.time, event.address, NONE, event.kind
    for event in recovered:
        if not any(until and address == event.address and is_near(until, event.time) for _, address, until in spans):
            yield event.time, event.address, NONE, event.kind


def at(changes, states, time, address=None):
    """The last change to one of these states by then."""
    return next((change for change in reversed(changes)
                 if change.state in states and change.time <= time and address in (None, change.address)), None)


def is_failed(changes, address, time):
    last = at(changes, FAILED + ("active",), time, address)
    return bool(last) and last.state in FAILED


def compare_primaries(changes, events, first):
    """The same for primaries: new data goes to the primary path while that is active."""
    moves = [event for event in events if event.kind == "primary_changed"]
    for change in (change for change in changes if change.state == "primary"):
        by_then = [event for event in moves if event.time <= change.time + NOTICED_S]
        if (by_then[-1].address if by_then else first) != change.address and not is_failed(changes, change.address, change.time):
            yield change.time, change.address, "primary", NONE
    for event in moves:
        chosen = at(changes, ("primary",), event.time + SAME_MOMENT_S)
        primary = chosen.address if chosen else first
        is_elsewhere_for_failure = is_failed(changes, primary, event.time + SAME_MOMENT_S) and event.address != primary
        if event.address != primary and not is_elsewhere_for_failure:
            yield event.time, event.address, NONE, event.kind


def compared(tshark, folder, end):
    """The differences of this end at its own tap."""
    changes = paths.changes(folder, end)
    for association in document(tshark, folder, end)["associations"] if changes else ():
        mine = [change for change in changes if change.assoc == association["index"]]
        addresses = set().union(*(peer_addresses(association, change.address) for change in mine))
        if not addresses:
            continue
        first = next(path["destination"] for path in association["paths"] if path["destination"] in addresses)
        events = list(events_of(association, addresses))
        for found in (*compare_failures(mine, events), *compare_primaries(mine, events, first)):
            yield Difference(f"{folder.parent.name}/{folder.name}/{end}", *found)
