# SPDX-License-Identifier: GPL-2.0-or-later
"""An association ends as the applications on it were told, and is restarted when they were: nothing is shown that no application saw, and what
one saw is shown. Each difference has its reason here."""

import pytest

import endings
import truth

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
    ("usrsctp/t3-death", "B"): {("shutdown", "A"): "SHUTDOWN and SHUTDOWN ACK pass here, and no SHUTDOWN COMPLETE: A never had the ACK, and gave up"},
}


def reasons(table, folder, tap):
    return table.get((f"{folder.parent.name}/{folder.name}", tap), {})


@pytest.mark.parametrize("folder", truth.scenarios(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_associations_end_as_their_applications_were_told(folder, tshark):
    for tap in truth.taps(folder):
        records = endings.logged(folder, tap)
        if records is None:
            continue
        told_only, shown_only = endings.unmatched(records, endings.shown(tshark, folder, tap))
        assert {(record.kind, record.end) for record in told_only} == set(reasons(TOLD_ONLY, folder, tap)), tap
        assert {(ending.kind, ending.end) for ending in shown_only} == set(reasons(SHOWN_ONLY, folder, tap)), tap
