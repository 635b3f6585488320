# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets that a capture holds twice are one packet; packets that were sent or delivered twice are two."""

import pytest

from scenarios.generate import compare, merge
from scenarios.generate.cases import make

COPIED = ["copies_cooked", "copies_cooked_2", "copies_two_interfaces", "copies_two_interfaces_v6", "copies_vlan", "both_ends",
          "both_ends_v6", "nat_both_sides", "nat_both_sides_ports"]
GENUINE = ["network_duplicates", "retransmissions", "retransmissions_v6", "repeated_sacks", "late_duplicate_init", "several_init_acks"]


def remarks(tshark, name, folder, order, seed=1):
    """(truth, frames that the plugin remarks as copies)"""
    case = make(name)
    path = folder / f"{name}.pcapng"
    truth = merge.write(case, path, order, seed)
    rows = compare.fields(tshark, path, ("frame.number", "sctp.analysis.capture"), case.options)
    return truth, {int(row[0][0]) for row in rows if any("duplicate" in value for value in row[1])}


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("order", merge.ORDERS)
@pytest.mark.parametrize("name", COPIED)
def test_second_copy_is_remarked(name, order, tshark, tmp_path):
    truth, remarked = remarks(tshark, name, tmp_path, order)
    assert sorted(truth.copies - remarked)[:10] == [], "copies not remarked"
    assert sorted(remarked - truth.copies)[:10] == [], "remarked, but no copies"


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("order", merge.ORDERS)
@pytest.mark.parametrize("name", GENUINE)
def test_genuine_repetition_is_no_copy(name, order, tshark, tmp_path):
    truth, remarked = remarks(tshark, name, tmp_path, order)
    assert sorted(remarked)[:10] == []


def test_mirror_port_is_recognised_soon(tshark, tmp_path):
    """Copies on one interface look like duplicates of the network until there are too many of them."""
    truth, remarked = remarks(tshark, "copies_mirror_port", tmp_path, "random")
    assert sorted(remarked - truth.copies)[:10] == []
    assert len(remarked) >= 0.9 * len(truth.copies)


@pytest.mark.parametrize("name", ["copies_cooked", "both_ends", "copies_vlan"])
def test_copies_are_in_no_counter(name, tshark, tmp_path):
    """The report of a capture with copies is that of the capture without them, but for the interfaces' remarks."""
    def report(drop_copies):
        case = make(name)
        if drop_copies:
            for flow in case.flows:
                flow.items = without_copies(flow.items)
        path = tmp_path / f"{name}{drop_copies}.pcapng"
        merge.write(case, path, "one_after_another")
        entries = compare.document(tshark, path)["associations"]
        return [(entry["packets"], entry["chunks"], [endpoint["checksum"] for endpoint in entry["endpoints"]]) for entry in entries]

    assert report(False) == report(True)


def without_copies(items):
    """The items but copies, whose gaps go to the next one."""
    result, owed = [], 0
    for item in items:
        gap = merge.GAP_NS if item.gap_ns is None else item.gap_ns
        if item.is_copy:
            owed += gap
        else:
            item.gap_ns, owed = gap + owed, 0
            result.append(item)
    return result


def test_quality_counts_the_copies(tshark, tmp_path):
    case = make("copies_cooked")
    path = tmp_path / "copies.pcapng"
    truth = merge.write(case, path)
    quality = {entry["kind"]: entry for entry in compare.document(tshark, path)["capture"]["quality"]}
    assert quality["duplicate"]["count"] == len(truth.copies)
    assert quality["duplicate"]["first_frame"] == min(truth.copies)
