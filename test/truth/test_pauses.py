# SPDX-License-Identifier: GPL-2.0-or-later
"""The pauses that the plugin reports are the true ones of pauses.tsv: when, how long, why. Leaves out how these are found
(pauses.py) and set-ups."""

import csv
import functools
from collections import Counter

import pytest

import pauses
import plugin_fields
import truth

STACKS = ("linux", "usrsctp", "interop", "dcsctp", "pion")
SAME_S = 0.003
# What a capture at the sender cannot tell apart: of a loss there and one of the ack on the way back it shows the same,
# unless duplicates are reported.
MEANS = {
    "path_dead": {"path dead"},
    "tail_loss": {"tail loss", "acks lost"},
    "repeated_loss": {"lost retransmission", "acks lost", "tail loss"},
    "left_to_timer": {"left to the timer"},
    "gaps_not_reported": set(),
    "late_timer": {"tail loss", "acks lost", "lost retransmission", "left to the timer"},
    "acks_lost": {"acks lost", "delayed SACK"},
    "acks_discarded": {"acks lost"},
    "rto_below_sack_delay": {"delayed SACK"},
    "closed_window": {"closed window"},
    "delayed_sack": {"delayed SACK"},
    "cwnd": {"cwnd"},
}
UNDECIDED = "undecided"
# Pauses that the plugin has none for: by their first frame.
EXPLAINED = {
    ("dcsctp/pr-unordered-ttl", "A", 242): "only what was given up was outstanding: the truth has no cause, either",
    ("usrsctp/prsctp", "A", 298): "only what was given up was outstanding: the truth has no cause, either",
    ("linux/smallmsg-sackopts", "A", 233): "T3 expired while the receiver delayed its SACK, and nothing waited for that",
}
# Shorter than the truth's threshold, which knows the way there and back: a capture at the sender knows no more than acks.
SPARE = {("dcsctp/outage", "A", 1271)}
# Of those that the truth knows: reported with the right cause, without one.
RIGHT_AT_LEAST, UNDECIDED_AT_MOST = 0.95, 0.05
RIGHT_SECONDS_AT_LEAST = 0.99


@functools.cache
def true_pauses(stack):
    with pauses.TABLE.open() as table:
        return [row for row in csv.DictReader(table, delimiter="\t") if row["kind"] == "data" and row["capture"].startswith(stack + "/")]


def is_at_tap(association, sender):
    """Is the capture at the host of that endpoint? Of others the truth has another end's view."""
    tap_ms = association["endpoints"][sender]["distance_ms"]
    return tap_ms is not None and tap_ms < 3


@functools.cache
def our_pauses(tshark, folder, end):
    """(sender, pause of the JSON) of the associations of a capture."""
    return [(direction["from"], pause, is_at_tap(association, direction["from"]))
            for association in plugin_fields.document(tshark, folder, end)["associations"]
            for direction in association["directions"] if direction["pauses"] for pause in direction["pauses"]["list"]]


def counterpart(row, ours):
    return next((pause for sender, pause, _ in ours if sender == int(row["sender"]) and
                 (pause["from_frame"] == int(row["from_frame"]) or abs(pause["start_s"] - float(row["from_s"])) < SAME_S)), None)


def verdict(row, pause):
    if pause is None:
        return "missed"
    if pause["cause"] == UNDECIDED:
        return "right" if row["cause"] == UNDECIDED else UNDECIDED
    if row["cause"] not in MEANS[pause["cause"]]:
        return "wrong"
    return "right" if abs(pause["length_s"] - float(row["length_s"])) < SAME_S else "length"


def judged(tshark, stack):
    for folder in truth.scenarios([stack]):
        for end in truth.taps(folder):
            name = f"{stack}/{folder.name}"
            for row in true_pauses(stack):
                if (row["capture"], row["end"]) == (name, end):
                    yield row, verdict(row, counterpart(row, our_pauses(tshark, folder, end)))


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("stack", STACKS)
def test_pauses_are_the_true_ones(stack, tshark):
    strange = [f"{row['capture']}/{row['end']} from frame {row['from_frame']}: {row['cause']}, {found}" for row, found in judged(tshark, stack)
               if found not in ("right", UNDECIDED) and (row["capture"], row["end"], int(row["from_frame"])) not in EXPLAINED]
    assert strange == []


@pytest.mark.thorough_but_one_in(6)
@pytest.mark.parametrize("stack", STACKS)
def test_no_pause_is_made_up(stack, tshark):
    made_up = []
    for folder in truth.scenarios([stack]):
        for end in truth.taps(folder):
            name = f"{stack}/{folder.name}"
            rows = [row for row in true_pauses(stack) if (row["capture"], row["end"]) == (name, end)]
            ours = our_pauses(tshark, folder, end)
            known = [id(counterpart(row, ours)) for row in rows]
            made_up += [(name, end, pause["from_frame"], pause["cause"]) for _, pause, is_near in ours
                        if is_near and id(pause) not in known and pause["cause"] != "set_up" and (name, end, pause["from_frame"]) not in SPARE]
    assert made_up == []


def test_most_pauses_have_their_cause(tshark):
    found = [(verdict, float(row["length_s"])) for stack in STACKS for row, verdict in judged(tshark, stack)
             if (row["capture"], row["end"], int(row["from_frame"])) not in EXPLAINED]
    counts, seconds = Counter(verdict for verdict, _ in found), Counter()
    for verdict, length in found:
        seconds[verdict] += length
    assert counts["wrong"] == 0
    assert counts["right"] >= RIGHT_AT_LEAST * counts.total()
    assert counts[UNDECIDED] <= UNDECIDED_AT_MOST * counts.total()
    assert seconds["right"] >= RIGHT_SECONDS_AT_LEAST * seconds.total()
