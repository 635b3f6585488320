# SPDX-License-Identifier: GPL-2.0-or-later
"""Every text report of every capture: fits a terminal, holds nothing that could harm one, and says the same in one pass and two."""

import pathlib

import pytest

from report_text import REPORTS, number, rows_named, split_reports, width

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
SO_FEW_STAND_IN_THEIR_TABLE = 3
ARGUMENTS = [argument for name in REPORTS for argument in ("-z", f"sctp,{name}")]


def all_reports(tshark, capture, *options):
    """All reports of a capture, from one run of tshark."""
    result = tshark("-q", "-r", capture, *options, *ARGUMENTS)
    assert result.returncode in (0, 2), result.stderr
    reports = split_reports(result.stdout)
    assert set(reports) == set(REPORTS)
    return reports


def sums(document, key):
    """The sum of a number in "directions" over all associations, by sending endpoint."""
    return [sum(association["directions"][end][key] for association in document["associations"]) for end in (0, 1)]


def chunk_sums(document):
    total = {}
    for association in document["associations"]:
        for name, counts in association["chunks"].items():
            total[name] = [a + b for a, b in zip(total.get(name, [0, 0]), counts)]
    return total


def check_lines(reports):
    """Every line fits 80 columns and holds nothing that moves the cursor."""
    for name in REPORTS[:-1]:
        for line in reports[name].split("\n"):
            assert width(line) <= 80, (name, line)
            assert line == line.rstrip(" "), (name, line)
            assert line.isprintable(), (name, line)


def check_totals(reports):
    """Totals of the tables are sums over the JSON."""
    document = reports["json"]
    chunks, data, sent = chunk_sums(document), sums(document, "data_chunks"), sums(document, "wire_bytes")
    packets = sum(association["packets"] for association in document["associations"])

    total = rows_named(reports["chunks"], "total")[0]
    assert list(map(number, total[1:3])) == [sum(counts[end] for counts in chunks.values()) for end in (0, 1)]
    for name, counts in chunks.items():
        assert list(map(number, rows_named(reports["chunks"], name)[0][1:])) == [*counts, sum(counts)]
    total = rows_named(reports["assocs"], "total")[0]
    assert number(total[1]) + number(total[2]) == packets
    assert list(map(number, total[3:5])) == sent
    total = rows_named(reports["paths"], "all")[0]
    assert list(map(number, total[1:4])) == [packets, sum(sent), sum(data)]
    check_data_totals(reports, document)
    total = rows_named(reports["setup"], "total")[0]
    assert number(total[1]) == sum(association["setup"] != "missing" for association in document["associations"])
    total = rows_named(reports["triage"], "associations")
    assert len(total) == (len(document["associations"]) > SO_FEW_STAND_IN_THEIR_TABLE)
    assert all(number(cells[1].split(" ")[0].rstrip(",")) == len(document["associations"]) for cells in total)


def data_sums(document):
    """Numbers of user data over all directions."""
    total = dict.fromkeys(("data", "resent", "unseen", "spurious", "abandoned", "duplicates"), 0)
    for association in document["associations"]:
        for direction in association["directions"]:
            total["data"] += direction["data_chunks"]
            total["resent"] += sum(direction["retransmissions"].values())
            total["unseen"] += direction["resent_unseen"]
            total["spurious"] += direction["spurious"]
            total["abandoned"] += direction["abandoned_tsns"]
            total["duplicates"] += direction["duplicates_reported"]
    return total


def check_data_totals(reports, document):
    """Totals of the tables about data are sums over the JSON."""
    sums = data_sums(document)
    total = rows_named(reports["rtx"], "all")
    if total:
        numbers = [number(cell) for cell in total[0][1:3] + total[0][4:]]
        assert numbers == [sums[key] for key in ("data", "resent", "unseen", "spurious", "abandoned", "duplicates")]
    else:
        assert not any(sums.values())
    streams = [stream for association in document["associations"] for stream in association["streams"]]
    total = rows_named(reports["streams"], "all")[0]
    assert number(total[1]) == sum(stream["chunks"] for stream in streams)
    assert number(total[2]) == sums["resent"]
    for cell, key in zip(total[3:6], ("messages", "unordered_messages", "user_bytes")):
        assert number(cell) == sum(stream[key] for stream in streams)


@pytest.mark.thorough_but_one_in(6)
def test_reports_fit_a_terminal_agree_and_need_one_pass(tshark, sampled_capture):
    capture = sampled_capture
    reports = all_reports(tshark, capture)
    check_lines(reports)
    check_totals(reports)
    assert reports == all_reports(tshark, capture, "-2")


def test_losses_stand_at_the_path_of_the_transmission_that_was_lost(tshark):
    """linux/mh-failover: what was lost on 10.1.1.1 was sent again on 10.2.1.1, which lost nothing."""
    reports = all_reports(tshark, CAPTURES / "linux/mh-failover/A.pcapng.gz")
    paths = [path for path in reports["json"]["associations"][0]["paths"] if path["from"] == 0]
    assert [(path["destination"], path["retransmitted"], path["lost"], path["retransmissions"]) for path in paths] == [
        ("10.1.1.1", 8, 6, 0), ("10.2.1.1", 1, 0, 9)]
    assert [row[6:10] for row in rows_named(reports["rtx"], "0") if row[3] in ("10.1.1.1", "10.2.1.1")] == [["8", "2.1", "6", "0"], ["1", "0.1", "0", "9"]]
