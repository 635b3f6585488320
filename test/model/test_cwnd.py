# SPDX-License-Identifier: GPL-2.0-or-later
"""The reference sender is close to what stacks recorded of their own cwnd; for a sample of the captures.

All of them: compare_cwnd, whose table stands in docs/model.md."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cwnds  # noqa: E402

# (stack, scenario, tap): share of SACKs with the stack's cwnd inside the interval, within one unit of the best fit; median width in units.
SAMPLE = {
    ("linux", "bulk-loss1", "A"): (1.0, 1.0, 2.0),
    ("linux", "mh-failover", "A"): (1.0, 1.0, 2.0),
    ("linux", "t3-death", "A"): (1.0, 1.0, 2.0),
    ("linux", "pmtu", "A"): (1.0, 1.0, 2.5),
    ("usrsctp", "bulk-queue", "A"): (1.0, 0.99, 2.0),
    ("usrsctp", "mh-failover", "A"): (1.0, 0.99, 2.5),
    ("usrsctp", "vantage-multihomed", "A"): (1.0, 0.95, 2.0),
    ("usrsctp", "bulk-loss1", "A"): (1.0, 0.99, 2.0),
    ("dcsctp", "bulk-loss1", "A"): (1.0, 0.99, 2.0),
    ("dcsctp", "outage", "A"): (1.0, 0.99, 2.0),
    ("pion", "bulk-loss1", "A"): (0.98, 0.98, 2.0),
    ("pion", "bulk-noloss-queue", "A"): (0.98, 0.98, 5.0),
}
WIDTH_UNITS = 2.0
# Of all scenarios with the congestion control of RFC 9260.
SHARES = {"linux": (1.0, 0.99), "usrsctp": (1.0, 0.96), "dcsctp": (1.0, 0.975)}


@pytest.mark.parametrize("where", SAMPLE, ids="-".join)
def test_close_to_the_stack(where, tmp_path):
    stack, scenario, end = where
    pairs = cwnds.compare(stack, cwnds.CAPTURES / stack / scenario, end, tmp_path)
    n, inside, near, width, _ = cwnds.figures(pairs)
    assert n > 100
    assert inside >= SAMPLE[where][0]
    assert near >= SAMPLE[where][1]
    assert width <= SAMPLE[where][2]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("stack", SHARES)
def test_all_scenarios_together_are_close(stack, tmp_path):
    pairs = [pair for folder in cwnds.scenarios(stack) if cwnds.is_by_rfc(stack, folder.name) for end in "AB"
             for pair in cwnds.compare(stack, folder, end, tmp_path)]
    _, inside, near, width, _ = cwnds.figures(pairs)
    assert inside >= SHARES[stack][0]
    assert near >= SHARES[stack][1]
    assert width <= WIDTH_UNITS


def test_interval_holds_the_best_fit(tmp_path):
    said = cwnds.model(cwnds.CAPTURES / "linux" / "bulk-loss1" / "A.pcapng.gz", tmp_path)
    assert said
    assert all(item.low <= item.cwnd <= item.high for item in said)
