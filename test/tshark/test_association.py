# SPDX-License-Identifier: GPL-2.0-or-later
"""Which packet belongs to which association: generated captures with known truth, lab captures, and what Wireshark's own index
gets wrong. Leaves what is said about an association to test_setup_outcomes.py and copies to test_duplicates.py."""

import gzip
import pathlib

import pytest

from conftest import one_in
from scenarios.generate import compare, merge
from scenarios.generate.cases import CASES, make

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
LARGE = {"many_hosts_same_ports", "many_behind_one_server", "many_same_pair"}
SMALL = sorted(set(CASES) - LARGE)
BUILT_IN = ("-o", "sctp.association_index:TRUE")


def written(name, folder, order="random", seed=1):
    """(path, case, truth) of a case written into folder."""
    case = make(name)
    path = folder / f"{name}.pcapng"
    return path, case, merge.write(case, path, order, seed)


@pytest.mark.thorough_but_one_in(8, never="many_")
@pytest.mark.parametrize("order", merge.ORDERS)
@pytest.mark.parametrize("name", CASES)
def test_every_packet_has_its_association(name, order, tshark, tmp_path):
    path, case, truth = written(name, tmp_path, order)
    seen = compare.grouping(tshark, path, options=case.options)
    assert compare.differences_of_grouping(seen, truth) == []


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("name", SMALL)
def test_interleaving_does_not_matter(name, tshark, tmp_path):
    for seed in one_in(3, (2, 3, 4)):
        path, case, truth = written(name, tmp_path, "random", seed)
        seen = compare.grouping(tshark, path, options=case.options)
        assert compare.differences_of_grouping(seen, truth) == [], f"interleaving {seed}"


@pytest.mark.thorough_but_one_in(1, never="many_")
@pytest.mark.parametrize("name", ["many_hosts_same_ports", "no_setup_same_pair", "equal_tags", "restart", "joined_later_by_tsn"])
def test_every_run_gives_the_same(name, tshark, tmp_path):
    path, case, _ = written(name, tmp_path)
    runs = [compare.fields(tshark, path, ("frame.number", "sctp.analysis.assoc", "sctp.analysis.from", "sctp.analysis.path",
                                          "sctp.analysis.restart_of", "sctp.analysis.capture"), case.options)
            for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("name", ["joined_later_by_tsn", "joined_later_by_heartbeat"])
def test_second_pass_shows_the_number_of_the_joined(name, tshark, tmp_path):
    """The one exception to equal passes: what only later packets show to be one association (docs/tracking.md)."""
    path, case, truth = written(name, tmp_path)
    seen = compare.grouping(tshark, path, options=(*case.options, "-2"))
    assert compare.differences_of_grouping(seen, truth) == []


@pytest.mark.parametrize("name", ["restart", "no_setup_same_pair", "both_ends", "collision_with_tie_tags"])
def test_two_passes_give_what_one_gives(name, tshark, tmp_path):
    path, case, _ = written(name, tmp_path)
    one, two = (compare.fields(tshark, path, ("frame.number", "sctp.analysis.assoc", "sctp.analysis.from", "sctp.analysis.path",
                                              "sctp.analysis.restart_of", "sctp.analysis.capture"), (*case.options, *passes))
                for passes in ((), ("-2",)))
    assert one == two


@pytest.mark.thorough_but_one_in(1, never="many_")
@pytest.mark.parametrize("name", ["many_hosts_same_ports", "restart", "multihomed_unknown", "collision", "reuse_after_end"])
def test_sending_endpoint_is_right(name, tshark, tmp_path):
    path, case, truth = written(name, tmp_path)
    rows = compare.fields(tshark, path, ("frame.number", "sctp.analysis.from"), case.options)
    first_sender, wrong = {}, []
    for frame, key in sorted(truth.assoc.items()):
        first = first_sender.setdefault(key, truth.sender[frame])
        expected = [str(int(truth.sender[frame] != first))]
        if rows[frame - 1][1] != expected:
            wrong.append((frame, key, rows[frame - 1][1], expected))
    assert wrong[:5] == []


def lab_captures():
    return sorted(table for pattern in ("*.assocs.tsv", "*.assocs.tsv.gz") for table in CAPTURES.rglob(pattern))


@pytest.mark.thorough_but_one_in(8)
@pytest.mark.parametrize("table", one_in(3, lab_captures()), ids=lambda table: f"{table.parent.name}/{table.name.split('.')[0]}")
def test_lab_capture_is_grouped_as_its_stacks_did(table, tshark):
    opened = gzip.open(table, "rt") if table.suffix == ".gz" else open(table)
    with opened as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][1:]
    capture = next(path for path in table.parent.glob(table.name.split(".assocs")[0] + ".pcap*"))
    seen = compare.grouping(tshark, capture)
    wrong = [(int(frame), seen.get(int(frame)), assoc) for frame, assoc in rows
             if assoc != "-" and seen.get(int(frame)) != [int(assoc)]]
    assert wrong[:10] == [], f"{len(wrong)} frames differ"


def count_of_built_in(tshark, path, options=()):
    seen = compare.grouping(tshark, path, "sctp.assoc_index", (*BUILT_IN, *options), plugin=False)
    return len({number for numbers in seen.values() for number in numbers})


def test_index_is_exact_where_the_built_in_mixes_pairs_without_setup(tshark, tmp_path, wireshark_version):
    path, case, truth = written("no_setup_many_pairs", tmp_path)
    if wireshark_version < (4, 4):
        built_in = compare.grouping(tshark, path, "sctp.assoc_index", BUILT_IN, plugin=False)
        assert compare.differences_of_grouping(built_in, truth) != []
    assert compare.differences_of_grouping(compare.grouping(tshark, path), truth) == []


@pytest.mark.thorough
def test_index_is_the_same_in_each_run_where_the_built_in_counts_anew(tshark, tmp_path, wireshark_version):
    path, case, truth = written("many_hosts_same_ports", tmp_path)
    for _ in range(3):
        assert compare.differences_of_grouping(compare.grouping(tshark, path), truth) == []
    if (4, 4) <= wireshark_version < (4, 6):
        assert any(count_of_built_in(tshark, path) != len(truth.expect) for _ in range(3))


def test_index_joins_sacks_on_the_other_address_pair(tshark, tmp_path):
    path, case, truth = written("no_setup_other_pair", tmp_path)
    built_in = compare.grouping(tshark, path, "sctp.assoc_index", BUILT_IN, plugin=False)
    assert compare.differences_of_grouping(built_in, truth) != []
    assert compare.differences_of_grouping(compare.grouping(tshark, path), truth) == []


def test_index_tells_hosts_with_equal_tags_apart(tshark, tmp_path):
    path, case, truth = written("equal_tags", tmp_path)
    assert count_of_built_in(tshark, path) < len(truth.expect)
    assert compare.differences_of_grouping(compare.grouping(tshark, path), truth) == []


def test_index_tells_reused_tags_apart(tshark, tmp_path):
    path, case, truth = written("reuse_after_end", tmp_path)
    assert count_of_built_in(tshark, path) < len(truth.expect)
    assert compare.differences_of_grouping(compare.grouping(tshark, path), truth) == []


def test_index_counts_beyond_65535(tshark, tmp_path):
    """The built-in index is a uint16 whose 65535 means unknown."""
    path = tmp_path / "flood.pcapng"
    from scenarios.generate import flood
    truth = flood.write(path, 70_000)
    seen = compare.grouping(tshark, path)
    assert compare.differences_of_grouping(seen, truth) == []
