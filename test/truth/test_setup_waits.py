# SPDX-License-Identifier: GPL-2.0-or-later
"""Set-ups that waited, as the plugin reports them, against those of pauses.tsv: the same begin, end and step, and no others. The
truth tells from both taps what was lost; one capture tells the step whose answer did not come."""

import csv

import pytest

import pauses
import plugin_fields
import truth
from test_pauses import is_at_tap

STACKS = ("linux", "usrsctp", "interop", "dcsctp", "pion")
SAME_S = 0.003
STEP_OF = {"INIT": "INIT", "INIT ACK": "INIT", "COOKIE ECHO": "COOKIE_ECHO", "COOKIE ACK": "COOKIE_ECHO"}


def true_waits(stack):
    with pauses.TABLE.open() as table:
        return [row for row in csv.DictReader(table, delimiter="\t") if row["kind"] == "handshake" and row["capture"].startswith(stack + "/")]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("stack", STACKS)
def test_set_ups_waited_when_and_where_they_did(tshark, stack):
    expected, found = {}, {}
    for row in true_waits(stack):
        step = STEP_OF[row["cause"].removesuffix(" lost")]
        expected[row["capture"], row["end"], int(row["from_frame"])] = (step, float(row["length_s"]))
    for folder in truth.scenarios([stack]):
        for end in truth.taps(folder):
            for association in plugin_fields.document(tshark, folder, end)["associations"]:
                for wait in association["setup_waits"]:
                    if wait["to_frame"] is None or is_at_tap(association, wait["endpoint"]):
                        found[f"{stack}/{folder.name}", end, wait["from_frame"]] = (wait["step"], wait["length_s"])
    assert sorted(found.keys() ^ expected.keys()) == []
    for key, (step, length_s) in expected.items():
        assert found[key][0] == step, key
        assert found[key][1] == pytest.approx(length_s, abs=SAME_S), key
