# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,series: the CSV says what the fields of the packets say, in packet order; bad arguments end tshark with a line on stderr."""

import collections
import csv
import io
import json
import pathlib
import re

import pytest

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
HEAD = ["time_s", "frame", "endpoint", "path", "series", "value", "value2"]
KINDS = ["fast", "early", "timeout", "probe", "handover", "report", "unknown"]
CWND = ["cwnd", "cwnd_min", "cwnd_max", "ssthresh"]
SERIES = ["sent", *KINDS, "cum_ack", "gap", "duplicate", "a_rwnd", "flight", "flight_total", "peer_window", "sent_bytes", "acked_bytes", *CWND, "rtt", "heartbeat_rtt", "heartbeat_lost", "rto", "rto_least",
          "rto_most", "hol_delay", "message_delay", "goodput_bps", "throughput_bps", "finding"]
TIMES = ("rtt", "heartbeat_rtt", "heartbeat_lost", "rto", "rto_least", "rto_most", "hol_delay", "message_delay")
FIELDS = ["frame.number", "frame.time_relative", "sctp.analysis.from", "sctp.analysis.path", "sctp.analysis.tsn", "sctp.analysis.transmission",
          "sctp.analysis.retransmission", "sctp.analysis.flight", "sctp.analysis.peer_window", "sctp.analysis.rtt", *(f"sctp.analysis.{word}" for word in CWND)]
SAMPLES = ["linux/slowread-loss/A", "linux/zerowin/A", "usrsctp/zerowin/B", "linux/bidir/A", "usrsctp/us-nrsack-pktdrop/A", "linux/prsctp/A",
           "linux/mh-loss-rtxalt/A", "linux/idata/B", "usrsctp/reorder/B"]


def capture_named(name):
    return next(CAPTURES.glob(f"{name}.pcap*.gz"))


def series(tshark, capture, assoc, *options):
    """The rows of -z sctp,series as dictionaries."""
    result = tshark("-q", "-r", capture, *options, "-z", f"sctp,series,{assoc}")
    assert result.returncode == 0, result.stderr
    rows = csv.DictReader(io.StringIO(result.stdout))
    assert rows.fieldnames == HEAD
    return list(rows)


def packets(tshark, capture, assoc):
    """The fields of an association's packets: a list of values for each name."""
    arguments = [argument for name in FIELDS for argument in ("-e", name)]
    result = tshark("-r", capture, "-Y", f"sctp.analysis.assoc == {assoc} && !sctp.analysis.capture == \"duplicate\"", "-T", "fields", *arguments)
    assert result.returncode == 0, result.stderr
    for line in result.stdout.splitlines():
        yield {name: cell.split(",") if cell else [] for name, cell in zip(FIELDS, line.split("\t"))}


def transmissions(packet):
    """(frame, endpoint, path, series, tsn) of each DATA chunk, as the series name it."""
    kinds = iter(packet["sctp.analysis.retransmission"])
    for tsn, number in zip(packet["sctp.analysis.tsn"], packet["sctp.analysis.transmission"]):
        kind = "sent" if number == "1" else next(kinds)
        yield packet["frame.number"][0], packet["sctp.analysis.from"][0], packet["sctp.analysis.path"][0], kind, tsn


def endpoint_of_data(packet):
    """Whose data the flight of a packet is of: its own, or that which its SACK acknowledges."""
    sender = packet["sctp.analysis.from"][0]
    return sender if packet["sctp.analysis.tsn"] else str(1 - int(sender))


def row_key(row):
    return row["frame"], row["endpoint"], row["path"], row["series"], row["value"]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", SAMPLES)
def test_series_are_what_the_fields_say(tshark, name):
    capture = capture_named(name)
    rows, fields = series(tshark, capture, 0), list(packets(tshark, capture, 0))
    sent = collections.Counter(key for packet in fields for key in transmissions(packet))
    assert sent == collections.Counter(row_key(row) for row in rows if row["series"] in ["sent", *KINDS])
    for word in ("flight", "peer_window"):
        values = {(packet["frame.number"][0], endpoint_of_data(packet)): packet[f"sctp.analysis.{word}"][0] for packet in fields
                  if packet[f"sctp.analysis.{word}"]}
        points = collections.defaultdict(set)
        for row in rows:
            if row["series"] == word:
                points[row["frame"], row["endpoint"]].add(row["value"])
        assert all(value in points[key] for key, value in values.items())
    rtts = collections.Counter((packet["frame.number"][0], rtt) for packet in fields for rtt in packet["sctp.analysis.rtt"])
    assert rtts == collections.Counter((row["frame"], row["value"]) for row in rows if row["series"] in ("rtt", "heartbeat_rtt"))
    times = {packet["frame.number"][0]: packet["frame.time_relative"][0] for packet in fields}
    assert all(row["time_s"] == times[row["frame"]] for row in rows if not row["series"].endswith("_bps"))


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", SAMPLES)
def test_bytes_so_far_add_up_to_those_of_the_transmissions_and_acks(name, tshark):
    """By the fields of each packet: the user bytes of first transmissions, and no more acknowledged than sent by then."""
    capture = capture_named(name)
    rows = series(tshark, capture, 0)
    directions = json.loads(tshark("-q", "-r", capture, "-z", "sctp,json").stdout)["associations"][0]["directions"]
    for direction in directions:
        sent, acked = ([(int(row["frame"]), int(row["value"])) for row in of(rows, direction["from"], word)] for word in ("sent_bytes", "acked_bytes"))
        for points in (sent, acked):
            assert all(a[1] <= b[1] for a, b in zip(points, points[1:])) and len({frame for frame, _ in points}) == len(points)
        assert (sent[-1][1] if sent else 0) == direction["user_bytes"]
        firsts = {row["frame"] for row in of(rows, direction["from"], "sent")}
        assert {str(frame) for frame, _ in sent} == firsts
        if direction["missed_by_capture"] == 0:
            assert all(value <= max((total for frame, total in sent if frame <= at), default=0) for at, value in acked)
        if not direction["abandoned_tsns"] and direction["tsns"] and acked:
            assert acked[-1][1] <= sent[-1][1]


@pytest.mark.parametrize("name", ["linux/zerowin/A", "usrsctp/zerowin/B", "linux/slowread-loss/A"])
def test_cwnd_changes_to_what_the_field_says(name, tshark):
    capture = capture_named(name)
    rows, fields = series(tshark, capture, 0), list(packets(tshark, capture, 0))
    for word in CWND:
        values = {packet["frame.number"][0]: packet[f"sctp.analysis.{word}"] for packet in fields}
        changes = of(rows, 0, word)
        compared = [[row["value"]] == values[row["frame"]] for row in changes if values[row["frame"]]]
        assert all(compared) and (compared or word == "ssthresh")


def check_cell_formats(rows):
    for row in rows:
        assert re.fullmatch(r"\d+\.\d{9}", row["time_s"])
        assert row["series"] in SERIES and row["endpoint"] in "01" and re.fullmatch(r"\d*", row["path"])
        if row["series"] == "finding":
            assert re.fullmatch(r"[A-Z0-9]+-\d{3}", row["value"]) and row["value2"] in ("MUST", "SHOULD", "heuristic")
            continue
        assert re.fullmatch(r"\d+\.\d{9}" if row["series"] in TIMES else r"-1|\d+", row["value"])
        assert re.fullmatch(r"\d+" if row["series"] in ("gap", "hol_delay", "message_delay") else "", row["value2"])


def of(rows, endpoint, word):
    return [row for row in rows if row["endpoint"] == str(endpoint) and row["series"] == word]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("name", SAMPLES)
def test_rows_are_in_packet_order_and_lines_rise(tshark, name):
    rows = series(tshark, capture_named(name), 0)
    check_cell_formats(rows)
    frames = [int(row["frame"]) for row in rows]
    assert frames == sorted(frames)
    for endpoint in (0, 1):
        acks = [int(row["value"]) for row in of(rows, endpoint, "cum_ack")]
        assert acks == sorted(acks)
        gaps = [(int(row["value"]), int(row["value2"])) for row in of(rows, endpoint, "gap")]
        assert all(first <= last for first, last in gaps)


def user_bytes(tshark, capture):
    """The bytes in DATA chunks, each TSN once, by the built-in's fields."""
    result = tshark("-r", capture, "-T", "fields", "-e", "sctp.chunk_type", "-e", "sctp.chunk_length", "-e", "sctp.data_tsn_raw")
    bytes_of = {}
    for line in result.stdout.splitlines():
        types, lengths, tsns = (cell.split(",") for cell in line.split("\t"))
        data = [int(length) - 16 for kind, length in zip(types, lengths) if kind == "0"]
        bytes_of.update(zip(tsns, data))
    return sum(bytes_of.values())


def test_goodput_adds_up_to_the_user_bytes(tshark):
    capture = capture_named("linux/slowread-loss/A")
    bins = of(series(tshark, capture, 0), 0, "goodput_bps")
    times = sorted(float(row["time_s"]) for row in bins)
    width = min(later - earlier for earlier, later in zip(times, times[1:]))
    assert round(sum(int(row["value"]) for row in bins) * width / 8) == user_bytes(tshark, capture)
    assert 100 <= len(bins) <= 401


@pytest.mark.parametrize("name", ["linux/bidir/A", "linux/slowread-loss/A"])
def test_two_passes_give_the_same(tshark, name):
    capture = capture_named(name)
    assert series(tshark, capture, 0) == series(tshark, capture, 0, "-2")


def test_an_endpoint_selects_what_it_sent(tshark):
    capture = capture_named("linux/bidir/A")
    both = series(tshark, capture, 0)
    for endpoint in (0, 1):
        chosen = series(tshark, capture, f"0,{endpoint}")
        assert chosen and chosen == [row for row in both if row["endpoint"] == str(endpoint)]


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("arguments", ["", ",", ",x", ",0,2", ",0,1,1", ",0,", ",-1", ",0 ", ",99999999999", ",0,sctp", ",0,stream", ",0,stream=",
                                       ",0,stream=65536", ",0,stream=1,", ",0,stream=1,1"])
def test_bad_arguments_end_tshark_at_once(tshark, arguments):
    result = tshark("-q", "-r", capture_named("linux/zerowin/A"), "-z", f"sctp,series{arguments}")
    assert result.returncode == 1 and result.stdout == ""
    assert len(result.stderr.splitlines()) == 1 and "sctp,series,<association>" in result.stderr


def test_an_unknown_association_ends_tshark_after_the_other_reports(tshark):
    result = tshark("-q", "-r", capture_named("linux/zerowin/A"), "-z", "sctp,paths", "-z", "sctp,series,7", "-z", "sctp,chunks")
    assert result.returncode == 1
    assert result.stderr.splitlines() == ["tshark: -z sctp,series,7: association 7 is unknown: the capture has 0 to 0"]
    assert "SCTP paths" in result.stdout and "SCTP chunks" in result.stdout and "time_s" not in result.stdout


STREAMS = "linux/prsctp/A"


def spread_ms(values):
    """Median, 95th percentile and largest by nearest rank, as JSON writes them."""
    ordered = sorted(values)
    return [ordered[-(-len(ordered) * percent // 100) - 1] * 1000 for percent in (50, 95, 100)]


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("name", [STREAMS, "linux/idata/B", "usrsctp/reorder/B", "linux/bulk-loss1/A"])
def test_delays_of_messages_are_those_that_json_sums_up(tshark, name):
    capture = capture_named(name)
    rows = series(tshark, capture, 0)
    document = json.loads(tshark("-q", "-r", capture, "-z", "sctp,json").stdout)
    compared = 0
    for stream in document["associations"][0]["streams"]:
        delays = [float(row["value"]) for row in of(rows, stream["from"], "hol_delay") if row["value2"] == str(stream["id"])]
        spread = stream["hol_delay_ms"]
        assert (spread is None) == (not delays)
        if delays:
            assert spread_ms(delays) == pytest.approx([spread["median"], spread["p95"], spread["max"]], abs=1e-6)
            compared += 1
    assert compared > 0


def test_streams_chosen_have_their_own_goodput_and_delays(tshark):
    capture = capture_named(STREAMS)
    plain, chosen = series(tshark, capture, "0,0"), series(tshark, capture, "0,0,stream=3,stream=1")
    assert [row for row in chosen if row["series"] not in ("hol_delay", "message_delay", "goodput_bps")] == \
        [row for row in plain if row["series"] not in ("hol_delay", "message_delay", "goodput_bps")]
    assert collections.Counter(map(str, of(chosen, 0, "hol_delay"))) == \
        collections.Counter(str(row) for row in of(plain, 0, "hol_delay") if row["value2"] in ("1", "3"))
    rates = of(chosen, 0, "goodput_bps")
    assert [row for row in rates if not row["value2"]] == of(plain, 0, "goodput_bps")
    assert {row["value2"] for row in rates} == {"", "1", "3"}


def test_the_busiest_streams_add_up_to_all(tshark):
    rates = of(series(tshark, capture_named(STREAMS), "0,0,stream=busiest"), 0, "goodput_bps")
    sums = collections.Counter()
    for row in rates:
        sums["all" if row["value2"] == "" else "streams"] += int(row["value"])
    assert {row["value2"] for row in rates} == {"", "0", "1", "2", "3"}
    assert sums["streams"] == pytest.approx(sums["all"], abs=len(rates))


def sent_by_destination(tshark, capture, port):
    """({destination: user bytes of the TSNs that went there first}, {destination: bytes of IP packets with DATA}), by the built-in's fields."""
    names = ["ip.dst", "ip.len", "sctp.chunk_type", "sctp.chunk_length", "sctp.data_tsn_raw"]
    result = tshark("-n", "-r", capture, "-Y", f"sctp.srcport == {port} && sctp.chunk_type == 0", "-T", "fields", "-E", "occurrence=a",
                    *(part for name in names for part in ("-e", name)))
    user, wire, seen = collections.Counter(), collections.Counter(), set()
    for line in result.stdout.splitlines():
        destination, length, types, lengths, tsns = line.split("\t")
        wire[destination] += int(length)
        sizes = [int(size) - 16 for kind, size in zip(types.split(","), lengths.split(",")) if kind == "0"]
        for tsn, size in zip(tsns.split(","), sizes):
            user[destination] += 0 if tsn in seen else size
            seen.add(tsn)
    return user, wire


@pytest.mark.parametrize("name", ["usrsctp/us-cmt/A", "linux/mh-failover/A"])
def test_rates_of_each_path_add_up_to_what_went_there(tshark, name):
    capture = capture_named(name)
    assoc = json.loads(tshark("-q", "-r", capture, "-z", "sctp,json").stdout)["associations"][0]
    rows = series(tshark, capture, "0,0")
    destinations = {str(path["index"]): path["destination"] for path in assoc["paths"] if path["from"] == 0}
    for word, expected in zip(("goodput_bps", "throughput_bps"), sent_by_destination(tshark, capture, assoc["ports"][0])):
        assert len(expected) > 1 and all(expected.values())
        times = sorted({float(row["time_s"]) for row in of(rows, 0, word)})
        width = min(later - earlier for earlier, later in zip(times, times[1:]))
        sums = collections.Counter()
        for row in of(rows, 0, word):
            sums[row["path"]] += int(row["value"]) * width / 8
        rounding = len(times) * width / 16 + 1
        assert sums.pop("") == pytest.approx(sum(expected.values()), abs=rounding)
        assert {destinations[path]: total for path, total in sums.items()} == pytest.approx(dict(expected), abs=rounding)


def test_one_path_has_no_rates_of_its_own(tshark):
    rows = series(tshark, capture_named("linux/bidir/A"), 0)
    assert {row["path"] for row in rows if row["series"].endswith("_bps")} == {""}


def test_two_sacks_of_a_packet_keep_their_order(tshark):
    rows = series(tshark, capture_named("linux/prsctp/A"), 0)
    assert [row["value"] for row in rows if row["frame"] == "43" and row["series"] == "a_rwnd"] == ["106496", "105496"]


SACKED = ["sctp.sack_cumulative_tsn_ack_raw", "sctp.nr_sack_cumulative_tsn_ack"]
BLOCKS = ["sctp.sack_gap_block", "sctp.nr_sack_gap_block", "sctp.nr_sack_nr_gap_block"]


def outstanding(tshark, capture, sender_port):
    """(frame, {destination: bytes}) after each packet with DATA of the sender or a SACK for it, by the built-in's fields."""
    names = ["frame.number", "ip.dst", "sctp.srcport", "sctp.chunk_type", "sctp.chunk_length", "sctp.data_tsn_raw", *SACKED,
             *(f"{block}_{edge}" for block in BLOCKS for edge in ("start", "end"))]
    result = tshark("-n", "-o", "sctp.relative_tsns:FALSE", "-r", capture, "-Y", "sctp.chunk_type in {0, 3, 16}", "-T", "fields",
                    *(part for name in names for part in ("-e", name)))
    sent, acked = {}, set()
    for line in result.stdout.splitlines():
        frame, destination, port, types, lengths, tsns, *sack = line.split("\t")
        cum = sack[0] or sack[1]
        if int(port) == sender_port:
            sizes = [int(length) - 16 for kind, length in zip(types.split(","), lengths.split(",")) if kind == "0"]
            sent.update((int(tsn), (destination, size)) for tsn, size in zip(tsns.split(","), sizes) if int(tsn) not in acked)
        elif cum and "," not in cum:
            edges = [(start, end) for at in range(2, 8, 2) for start, end in zip(sack[at].split(","), sack[at + 1].split(",")) if start]
            arrived = [tsn for tsn in sent if tsn <= int(cum) or any(int(start) <= tsn - int(cum) <= int(end) for start, end in edges)]
            acked.update(arrived)
            for tsn in arrived:
                del sent[tsn]
        flights = collections.Counter()
        for where, size in sent.values():
            flights[where] += size
        yield frame, flights


@pytest.mark.parametrize("name", ["usrsctp/us-cmt/A", "linux/mh-loss-rtxalt/A", "linux/bidir/A"])
def test_what_is_outstanding_stands_at_each_path(tshark, name):
    """Where data takes several paths at once, and where SACKs travel with DATA: each point, and their sum."""
    capture = capture_named(name)
    document = json.loads(tshark("-q", "-r", capture, "-z", "sctp,json").stdout)["associations"][0]
    destinations = {str(path["index"]): path["destination"] for path in document["paths"] if path["from"] == 0}
    rows = collections.defaultdict(dict)
    for row in series(tshark, capture, "0,0"):
        if row["series"] in ("flight", "flight_total"):
            rows[row["frame"]][row["path"]] = int(row["value"])
    now, wrong, points = collections.Counter(), [], 0
    for frame, flights in outstanding(tshark, capture, document["ports"][0]):
        total = rows[frame].pop("", None)
        now.update({destinations[path]: value - now[destinations[path]] for path, value in rows[frame].items()})
        points += len(rows[frame])
        if +now != +flights or total not in (None, sum(flights.values())):
            wrong.append((frame, now, flights, total))
    assert points > 100 and wrong == [], f"{len(wrong)} of {points}: {wrong[:3]}"
