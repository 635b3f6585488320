# SPDX-License-Identifier: GPL-2.0-or-later
"""A filter selects what is reported: counters of the matching packets, facts of whole associations."""

import pathlib

import pytest

from report_text import number, rows_named, split_reports

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
MANY = TOP / "test/captures/linux/manyassoc/A.pcapng.gz"
LOSSY = TOP / "test/captures/linux/mh-loss-rtxalt/A.pcapng.gz"
PARTIAL = TOP / "test/captures/linux/prsctp/A.pcapng.gz"
MULTIHOMED = TOP / "test/captures/linux/asconf-auth/A.pcapng.gz"
COUNTERS = ["data_chunks", "wire_bytes", "sacks", "tsns", "messages", "user_bytes", "resent_unseen", "spurious", "abandoned_tsns",
            "duplicates_reported", "reneged_tsns", "zero_windows"]


@pytest.fixture(scope="session")
def json_of(tshark):
    def run(capture, filter=None):
        result = tshark("-q", "-r", capture, "-z", "sctp,json" + (f",{filter}" if filter else ""))
        assert result.returncode == 0, result.stderr
        return split_reports(result.stdout)["json"]

    return run


def counters(association):
    """Every counter of an association that follows the filter, flat."""
    yield "packets", association["packets"]
    for name, (there, back) in association["chunks"].items():
        yield (name, 0), there
        yield (name, 1), back
    for direction in association["directions"]:
        for name in COUNTERS:
            yield (name, direction["from"]), direction[name]
        for kind, count in direction["retransmissions"].items():
            yield (kind, direction["from"]), count
        for name in ("rtt_ms", "sack_delay_ms"):
            yield (name, direction["from"]), direction[name]["samples"] if direction[name] else 0
    for path in association["paths"]:
        for name in ("packets", "wire_bytes", "data_chunks", "heartbeats", "user_bytes", "retransmissions"):
            yield (name, path["from"], path["index"]), path[name]
    for stream in association["streams"]:
        for name in ("chunks", "messages", "user_bytes", "unordered_messages"):
            yield (name, stream["from"], "stream", stream["id"]), stream[name]
    for end, endpoint in enumerate(association["endpoints"]):
        for kind, count in endpoint["checksum"].items():
            yield (kind, end), count


def added(*documents):
    total = {}
    for document in documents:
        for association in document["associations"]:
            for key, count in counters(association):
                total[association["index"], key] = total.get((association["index"], key), 0) + count
    return {key: count for key, count in total.items() if count}


@pytest.mark.thorough_but_one_in(5)
@pytest.mark.parametrize("file", [MANY, MULTIHOMED, LOSSY, PARTIAL], ids=["manyassoc", "asconf-auth", "mh-loss-rtxalt", "prsctp"])
@pytest.mark.parametrize("filter", ["frame.number <= 200", "sctp.data_sid", "sctp.analysis.from == 0", "ip.dst == 10.1.1.1"])
def test_a_filter_and_its_opposite_add_up_to_everything(json_of, file, filter):
    assert added(json_of(file, filter), json_of(file, f"!({filter})")) == added(json_of(file))


def with_rules(document):
    """The associations, with the rules of each endpoint by name: the numbers of lists are those of the document."""
    lists = document["rule_sets"]
    return [{**association, "endpoints": [{**end, "rules": {word: lists[value] if word in ("checked", "undecided") else value for word, value in end["rules"].items()}}
                                          for end in association["endpoints"]]} for association in document["associations"]]


def test_only_the_selected_association_is_reported(json_of):
    whole, part = json_of(MANY), json_of(MANY, "sctp.analysis.assoc == 3")
    assert [association["index"] for association in part["associations"]] == [3]
    expected = next(association for association in whole["associations"] if association["index"] == 3)
    for path in expected["paths"]:
        path["heartbeats_acked"] = path["heartbeats_lost"] = None  # not known of selected packets
    for direction in expected["directions"]:
        direction.update(dict.fromkeys(["missed_by_capture", "theory_bps", "primary_changes", "ping_pong", "closed_windows", "pauses", "concurrent", "handovers"]))
    assert with_rules(part) == [with_rules(whole)[whole["associations"].index(expected)]]
    assert part["capture"] == {**whole["capture"], "filter": "sctp.analysis.assoc == 3"}


def test_facts_of_an_association_do_not_follow_the_filter(json_of):
    whole, part = json_of(MULTIHOMED)["associations"][0], json_of(MULTIHOMED, "sctp.chunk_type == 3")["associations"][0]
    for fact in ("ports", "setup", "setup_time_s", "end", "end_by", "first_frame", "last_frame", "start_s", "duration_s", "events"):
        assert part[fact] == whole[fact]
    assert part["packets"] < whole["packets"]


def test_tables_count_the_selected_packets_only(tshark):
    result = tshark("-q", "-r", MANY, "-z", "sctp,chunks,sctp.analysis.assoc==0", "-z", "sctp,assocs,sctp.analysis.assoc==0")
    reports = split_reports(result.stdout)
    assert number(rows_named(reports["chunks"], "INIT")[0][1]) == 1
    assert len(rows_named(reports["assocs"], "0")) == 3
    assert not rows_named(reports["assocs"], "1")
    assert "Filter: sctp.analysis.assoc==0\n" in reports["chunks"]


def test_a_filter_that_matches_nothing_reports_no_association(tshark, json_of):
    assert json_of(MANY, "frame.number == 0")["associations"] == []
    result = tshark("-q", "-r", MANY, "-z", "sctp,triage,frame.number == 0")
    assert result.returncode == 0
    assert "selects 0 packets of 1,605 SCTP packets" in result.stdout


def test_two_passes_filter_as_one(tshark):
    arguments = ["-q", "-r", MANY, "-z", "sctp,json,sctp.analysis.from == 1", "-z", "sctp,paths,sctp.data_sid"]
    assert tshark(*arguments).stdout == tshark("-2", *arguments).stdout


def test_a_filter_for_one_transmission_counts_that_transmission(json_of):
    """A TSN counts where it is first sent, a retransmission where it is sent again, a round trip where it ends."""
    whole = json_of(LOSSY)["associations"][0]["directions"][0]
    again = json_of(LOSSY, "sctp.analysis.retransmission")["associations"][0]["directions"][0]
    assert again["retransmissions"] == whole["retransmissions"]
    assert again["spurious"] == whole["spurious"]
    assert again["rtt_ms"] is again["sack_delay_ms"] is None
    sacks = json_of(LOSSY, "sctp.chunk_type == 3")["associations"][0]["directions"][0]
    assert sacks["tsns"] == sum(sacks["retransmissions"].values()) == 0
    for key in ("rtt_ms", "sack_delay_ms", "duplicates_reported", "sacks"):
        assert sacks[key] == whole[key]
