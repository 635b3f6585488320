# SPDX-License-Identifier: GPL-2.0-or-later
"""How associations ended, by what the applications logged of their sockets (scen.log, events.txt), beside what the plugin says of a tap. Leaves
out set-ups that never ended in an association, and runs whose applications logged nothing."""

import re
from dataclasses import dataclass

import plugin_fields
from statement import EXPLAINED, FALSE, RIGHT, Statement
from tap import beside, is_address_of_a, open_table, start_time

# A notification comes after the packet that caused it: the way from the tap, a retransmission of the closing packet, the host.
LATER_S = 0.5
SHUTDOWN, ABORT, RESTART = "shutdown", "abort", "restart"
KINDS = {"shutdown": SHUTDOWN, "abort": ABORT, "restarted": RESTART}
GAVE_UP_SILENTLY = "it gave up without an ABORT that passes this tap"
LAST_ACK_LOST = "the SHUTDOWN ACK that ends it, or the SHUTDOWN COMPLETE, is lost: each end was told another thing, later"
# Stack/scenario and tap -> (kind, end) of what an application was told and this tap does not show, and why.
TOLD_ONLY = {
    ("linux/idata", "B"): {("shutdown", "A"): "B sent its SHUTDOWN ACK, which ended it at A, 54 us before its ABORT"},
    ("linux/restart", "A"): {("restart", "B"): "the ABORT of A was lost behind this tap: B was restarted later"},
    ("linux/t3-death", "A"): {("abort", "A"): "its ABORT waited 1 s for the address of the router; the second association ended without one"},
    ("linux/t3-death", "B"): {("abort", "A"): "the same"},
    ("usrsctp/manyassoc", "A"): {("shutdown", "B"): LAST_ACK_LOST},
    ("usrsctp/mh-v4v6", "A"): {("abort", "B"): GAVE_UP_SILENTLY},
    ("usrsctp/mh-v4v6", "B"): {("abort", "A"): GAVE_UP_SILENTLY, ("abort", "B"): GAVE_UP_SILENTLY},
    ("usrsctp/setup-shutdown-loss", "A"): {("abort", "B"): LAST_ACK_LOST},
    ("usrsctp/setup-shutdown-loss", "B"): {("shutdown", "A"): LAST_ACK_LOST},
    ("usrsctp/t3-death", "A"): {("abort", "A"): GAVE_UP_SILENTLY},
    ("usrsctp/t3-death", "B"): {("abort", "A"): GAVE_UP_SILENTLY},
    ("usrsctp/vantage-setup", "A"): {("abort", "B"): LAST_ACK_LOST},
    ("usrsctp/vantage-setup", "B"): {("shutdown", "A"): LAST_ACK_LOST},
    ("dcsctp/abort", "A"): {("shutdown", "A"): "its application was told that what it aborted is closed"},
    ("dcsctp/abort", "B"): {("shutdown", "A"): "its application was told that what it aborted is closed"},
}
BOTH_ABORTED = "both applications abort, and neither is told of its own"
# The same of what this tap shows and no application was told.
SHOWN_ONLY = {
    ("linux/idata", "B"): {("abort", "B"): "B aborted behind its SHUTDOWN ACK: A was gone"},
    ("linux/initcollision", "A"): {("abort", "A"): BOTH_ABORTED},
    ("linux/initcollision", "B"): {("abort", "A"): BOTH_ABORTED},
    ("linux/restart", "A"): {("abort", "A"): "the ABORT of A was lost behind this tap"},
    ("usrsctp/initcollision", "A"): {("abort", "A"): BOTH_ABORTED},
    ("usrsctp/initcollision", "B"): {("abort", "A"): BOTH_ABORTED, ("abort", "B"): BOTH_ABORTED},
}
# What a line of the log says; the first pattern that fits. What a socket returns afterwards repeats a notification.
KERNEL = ((re.compile(r"^([AB])\S* .*EV assoc COMM_LOST"), ABORT), (re.compile(r"^([AB])\S* .*EV assoc SHUTDOWN_COMP"), SHUTDOWN),
          (re.compile(r"^([AB])\S* .*EV assoc RESTART"), RESTART))
WEBRTC = ((re.compile(r"^([AB]) OnAborted"), ABORT), (re.compile(r"^([AB]) OnClosed"), SHUTDOWN))


@dataclass(eq=False)
class Logged:
    """`time`: seconds since the run began, as its captures count; `end`: A or B, who was told."""

    time: float
    end: str
    kind: str
    line: str


@dataclass(eq=False)
class Shown:
    """How the plugin says that an association ended, or was restarted: by `end`, between the times `since` and `until`."""

    since: float
    until: float
    end: str
    kind: str
    association: int

    def fits(self, record):
        return self.kind == record.kind and self.since - LATER_S <= record.time <= self.until + LATER_S


def logged(folder, tap):
    """What the applications were told, in order; None where the run has no such log."""
    path, patterns, zero = beside(folder, "scen.log"), KERNEL, start_time(folder, tap)
    if path is None:
        path, patterns, zero = beside(folder, "events.txt"), WEBRTC, 0
    if path is None or folder.parent.name == "pion":
        return None
    with open_table(path) as table:
        lines = [line.rstrip().partition(" ") for line in table]
    return [Logged(float(time) - zero, found[1], kind, rest) for time, _, rest in lines if re.fullmatch(r"[\d.]+", time)
            for pattern, kind in patterns if (found := pattern.match(rest))]


def end_of(association, endpoint):
    """A or B of an endpoint of the document."""
    return "A" if is_address_of_a(association["endpoints"][endpoint]["addresses"][0]) else "B"


def shown(tshark, folder, tap):
    """Every ending that the plugin reports of this tap. A SHUTDOWN takes until its last packet, of which several may be lost."""
    result, associations = [], plugin_fields.document(tshark, folder, tap)["associations"]
    restarts = {association["restart_of"]: association["start_s"] for association in associations}
    for association in associations:
        if association["end"] not in KINDS:
            continue
        until = restarts.get(association["index"], association["start_s"] + association["duration_s"])
        times = [event["time_s"] for event in association["events"] if event["kind"] in ("abort", "shutdown")]
        since = times[0] if times else until
        result.append(Shown(since, until, end_of(association, association["end_by"]), KINDS[association["end"]], association["index"]))
    return result


def unmatched(records, endings):
    """(logged, but not shown; shown, but not logged)."""
    return ([record for record in records if not any(ending.fits(record) for ending in endings)],
            [ending for ending in endings if not any(ending.fits(record) for record in records)])


def reasons(table, folder, tap):
    return table.get((f"{folder.parent.name}/{folder.name}", tap), {})


def statements(tshark, folder, tap):
    """Each ending that an application was told or the plugin shows; nothing where no application logged any."""
    records = logged(folder, tap)
    if records is None:
        return
    endings = shown(tshark, folder, tap)
    told_only, shown_only = unmatched(records, endings)
    for ending in endings:
        is_explained = (ending.kind, ending.end) in reasons(SHOWN_ONLY, folder, tap)
        verdict = RIGHT if ending not in shown_only else EXPLAINED if is_explained else FALSE
        yield Statement("ending", folder, tap, verdict, f"shown: {ending}")
    for record in told_only:
        is_explained = (record.kind, record.end) in reasons(TOLD_ONLY, folder, tap)
        yield Statement("ending", folder, tap, EXPLAINED if is_explained else FALSE, f"not shown: {record}")
