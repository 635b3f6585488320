# SPDX-License-Identifier: GPL-2.0-or-later
"""-z sctp,triage: the figures are those of the JSON, and the cause of the trouble comes before them."""

import pathlib
import re

import pytest

from application_messages import ScenarioBuilder
from report_text import number, split_reports, width
from scenarios.generate import chunks

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
FIGURES = ["demo", "linux/mh-loss-rtxalt/A", "linux/bidir/A", "linux/aborts/A", "linux/manyassoc/A", "usrsctp/zerowin/A"]
GOODPUT_CHUNKS = 100
SCALE = {"k": 1e3, "M": 1e6, "G": 1e9}


def capture_named(name):
    return CAPTURES / f"{name}.pcapng.gz"


@pytest.fixture(scope="session")
def reports_of(tshark):
    def run(capture, filter=""):
        result = tshark("-q", "-r", capture, "-z", f"sctp,triage{filter}", "-z", f"sctp,json{filter}")
        assert result.returncode == 0, result.stderr
        return split_reports(result.stdout)

    return run


def not_found(triage):
    """The topics of which the page says that there is nothing."""
    statement = triage.split("\nNot found: ")[1].split("\nContents: ")[0]
    return " ".join(statement.split()).split(", ")


def topic(triage, heading):
    """The sentences below a heading, each in one line."""
    lines = triage.split(f"\n{heading}", 1)[1].split("\n\n")[0].split("\n")[1:]
    sentences = []
    for line in lines:
        if re.match(r"  #\d", line):
            sentences.append(re.sub(r" +", " ", line.strip()))
        elif sentences and not line.startswith("  …"):
            sentences[-1] += " " + line.strip()
    return sentences


def rate(cell):
    value, *unit = cell.split(" ")
    return float(value.replace(",", "")) * SCALE.get(unit[0] if unit else "", 1)


def figures(triage):
    lines = triage.split("\nTheir data", 1)[1].split("\n\n")[0].splitlines()[3:]
    return [re.split(r"  +", line.strip()) for line in lines]


def least_rtt(association, end):
    """The shortest round trip of an endpoint, of data or HEARTBEATs."""
    spreads = [association["directions"][end]["rtt_ms"]]
    spreads += [path["heartbeat_rtt_ms"] for path in association["paths"] if path["from"] == end]
    return min((spread["min"] for spread in spreads if spread), default=None)


def round_trip(association, end):
    """The shortest one, unless it holds a delay of SACKs, as one that is longer by more than a third than answers which are due at once."""
    least, peer = least_rtt(association, end), association["endpoints"][1 - end]["distance_ms"]
    return None if None in (least, peer) else peer if least > peer * 4 / 3 else least


def has_figures(association, end):
    """A row of dashes alone says nothing."""
    direction = association["directions"][end]
    resent = sum(direction["retransmissions"].values())
    return direction["tsns"] > 0 and (
        least_rtt(association, end) is not None or direction["tsns"] + resent >= GOODPUT_CHUNKS or resent + direction["zero_windows"] > 0)


def check_row(cells, association, end_number):
    """A row of "Their data" against a direction of the JSON, and the endpoint that sent it."""
    direction, end = association["directions"][end_number], association["endpoints"][end_number]
    least = round_trip(association, end_number)
    cell = cells.pop(3)
    assert cell == "-" if least is None else float(cell.replace(",", "")) == pytest.approx(least, abs=0.001)
    rtt, resent = direction["rtt_ms"], sum(direction["retransmissions"].values())
    if direction["goodput_bps"] is None or direction["tsns"] + resent < GOODPUT_CHUNKS:
        assert cells[2] == "-"
    else:
        assert rate(cells[2]) == pytest.approx(direction["goodput_bps"], rel=0.006, abs=0.6)
    for cell, key in zip(cells[3:5], ("median", "p95")):
        assert cell == "-" if rtt is None else float(cell.replace(",", "")) == pytest.approx(rtt[key], abs=0.001)
    assert number(cells[5]) == resent
    assert float(cells[6]) == pytest.approx(100 * resent / (direction["tsns"] + resent), abs=0.051)
    assert number(cells[7]) == direction["zero_windows"]
    assert cells[8] == "-" if end["distance_ms"] is None else float(cells[8].replace(",", "")) == pytest.approx(end["distance_ms"], abs=0.001)


@pytest.mark.parametrize("filter", ["", ",frame.number <= 900"])
@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_those_of_the_json(reports_of, name, filter):
    reports = reports_of(capture_named(name), filter)
    associations = {entry["index"]: entry for entry in reports["json"]["associations"]}
    for cells in figures(reports["triage"]):
        association, end = associations[int(cells[0])], int(cells[1][0])
        check_row(cells, association, end)
    worst = re.search(r"^Associations, the worst.*?\n\n", reports["triage"], re.S | re.M)[0]
    listed = [int(number) for number in re.findall(r"^ *(\d+)  \S", worst, re.M)]
    assert [(int(cells[0]), int(cells[1][0])) for cells in figures(reports["triage"])] == [
        (entry, end) for entry in listed for end in (0, 1) if has_figures(associations[entry], end)]


def resent(direction):
    return sum(direction["retransmissions"].values())


@pytest.mark.parametrize("name, rules", [("demo", 3), ("linux/setup-shutdown-loss/A", 1), ("linux/idata/B", 3)])
def test_a_rule_that_several_endpoints_violate_is_one_rule(reports_of, name, rules):
    reports = reports_of(capture_named(name))
    counted = {finding["rule"] for entry in reports["json"]["associations"] for finding in entry["findings"]
               if finding["level"] != "heuristic" and finding["certainty"] != "possible"}
    assert len(counted) == rules and f"Violations: {rules} rule{'s' * (rules > 1)} violated in " in reports["triage"]


@pytest.mark.parametrize("name", FIGURES)
def test_retransmissions_are_those_of_the_json(reports_of, name):
    reports = reports_of(capture_named(name))
    directions = {(entry["index"], direction["from"]): direction for entry in reports["json"]["associations"]
                  for direction in entry["directions"]}
    troubled = {key: direction for key, direction in directions.items() if resent(direction) + direction["resent_unseen"] > 0}
    if not troubled:
        assert "retransmissions" in not_found(reports["triage"])
        return
    sentences = topic(reports["triage"], "Retransmissions: ")
    assert len(sentences) == min(len(troubled), 8)
    heading = re.search(r"Retransmissions: ([\d,]+) of ([\d,]+) transmissions", reports["triage"])
    assert number(heading[1]) == sum(map(resent, directions.values()))
    assert number(heading[2]) == sum(direction["data_chunks"] for direction in directions.values())
    for sentence in sentences:
        index, end = map(int, re.match(r"#(\d+) (\d)→", sentence).groups())
        direction = directions[index, end]
        told = re.search(r"([\d,]+) of ([\d,]+) transmissions? (?:was a retransmission|were retransmissions)", sentence)
        assert resent(direction) == 0 or (number(told[1]), number(told[2])) == (resent(direction), direction["data_chunks"])
        for kind, count in direction["retransmissions"].items():
            assert (f" {count:,} {kind}" in sentence) == (count > 0)
        assert ("spurious" in sentence) == (direction["spurious"] > 0)


def closed_in_words(windows):
    row = next(re.split(r"  +", line.strip()) for line in windows.splitlines() if re.match(r" *\d+  \d→\d  ", line))
    return int(row[2]), float(row[3]), float(row[5])


def seconds(text):
    value, unit = text.split(" ")
    return float(value) * {"s": 1, "ms": 1e-3}[unit]


@pytest.mark.parametrize("name", ["linux/zerowin/A", "usrsctp/zerowin/A"])
def test_a_closed_window_is_said_as_in_the_windows_report(tshark, reports_of, name):
    times, total, longest = closed_in_words(tshark("-q", "-r", capture_named(name), "-z", "sctp,windows").stdout)
    (sentence,) = topic(reports_of(capture_named(name))["triage"], "Receiver windows: ")
    found = re.search(r"closed (\d+) times, (\S+ \S+) in all .* longest (\S+ \S+) from frame", sentence)
    assert int(found[1]) == times
    assert seconds(found[2]) == pytest.approx(total, rel=0.001)
    assert seconds(found[3]) == pytest.approx(longest, rel=0.001)
    assert sentence.split(";")[0].endswith("endpoint 1 reads too slowly, with no TSN missing")


@pytest.mark.parametrize(
    "name, heading, words",
    [
        ("linux/outages/A", "Pauses: ", "lost 3.136 s of 6.838 s in 2 pauses: 3.136 s path without answer; the longest, 2.068 s from frame 2191 to 2202: path to 10.1.1.1 without answer: "
         "since frame 2191 no ack of what was sent to it from frame 2111 on, 1 timeout in frame 2195 after 1.002 s (from frame 2191 on)"),
        ("linux/auth-data/A", "Pauses: ", "lost 9.001 s of 9.001 s: 9.001 s not decidable; from frame 200 to 204: "),
        ("linux/auth-data/A", "Pauses: ", "nothing was acknowledged any more, and no packet of endpoint 1 shows whether the data arrived: frame 200 was retransmitted"),
        ("linux/mh-failover/A", "Path troubles: ", "new data moved from 10.1.1.1 to 10.2.1.1 at frame 386 after 1 timeout"),
        ("usrsctp/bulk-queue/A", "Growing queues: ", "as when a queue on the way fills up"),
        ("linux/setup-shutdown-loss/A", "Set-up repeats: ", "INIT 5 times, answered after 7.750 s, COOKIE_ECHO 2 times, answered after 543.9 ms"),
        ("linux/t3-death/A", "Pauses: ", "5 timeouts in a row"),
        ("linux/mh-failover/A", "Pauses: ", "path to 10.1.1.1 without answer: since frame 369 no ack of what was sent to it from frame 365 on, "
         "1 timeout in frame 377 after 331.8 ms (from frame 369 on), to 10.2.1.1"),
        ("linux/mh-loss-rtxalt/A", "Pauses: ", "3 acks reported it missing, but without fast retransmission: the timer retransmitted it in frame 1861 after "),
        ("linux/slowread-loss/A", "Receiver windows: ", "endpoint 1 limits the rate"),
    ],
)
def test_the_cause_stands_before_retransmissions_and_figures(reports_of, name, heading, words):
    triage = reports_of(capture_named(name))["triage"]
    assert any(words in sentence for sentence in topic(triage, heading))
    order = [triage.index(text) for text in ("\nCapture:", f"\n{heading}", "\nRetransmissions: ", "\nContents:", "\nTheir data")]
    assert order == sorted(order)


def test_two_ways_back_are_no_growing_queue(reports_of):
    """Data to 10.2.1.1 is acknowledged from both addresses of the receiver: after 71 and after 101 ms."""
    assert "growing queues" in not_found(reports_of(capture_named("linux/mh-loss-rtxalt/A"))["triage"])


def test_a_path_that_was_left_but_still_acked_is_said_to(reports_of):
    triage = reports_of(capture_named("linux/mh-loss-rtxalt/A"))["triage"]
    events = " ".join(triage.split("\nEvents of these associations")[1].split())
    assert events.count("path failed: ") == 2
    assert events.count("1 timeout (at most 1.011 s), then new data left it, though it still acked other data") == 1


def test_events_are_told_whole(reports_of):
    triage = reports_of(capture_named("linux/pmtu/A"))["triage"]
    events = " ".join(triage.split("\nEvents of these associations")[1].split())
    assert "to 10.1.1.1, MTU 1000, from 10.1.2.2" in events


def test_a_clean_capture_has_no_trouble(reports_of):
    triage = reports_of(capture_named("linux/reorder/A"))["triage"]
    assert not_found(triage) == ["failures", "violations", "pauses", "closed windows", "path troubles", "set-up repeats", "growing queues", "retransmissions"]


def test_the_page_of_a_clean_capture_fits_a_small_terminal(reports_of):
    assert len(reports_of(capture_named("linux/ecn/A"))["triage"].rstrip("\n").split("\n")) <= 24


def slowest_ack(tshark, capture):
    """(seconds, frame of the first transmission) of the TSN that waited longest for its ack, by the series."""
    waiting, slowest = {}, (0.0, None)
    for line in tshark("-q", "-r", capture, "-z", "sctp,series,0,0").stdout.splitlines()[1:]:
        time_s, frame, _, _, series, value, value2 = line.split(",")
        if series == "sent":
            waiting[int(value)] = float(time_s), frame
        elif series in ("cum_ack", "gap"):
            low, high = (-1, int(value)) if series == "cum_ack" else (int(value), int(value2))
            for tsn in [tsn for tsn in waiting if low <= tsn <= high]:
                sent_s, sent_frame = waiting.pop(tsn)
                slowest = max(slowest, (float(time_s) - sent_s, sent_frame))
    return slowest


@pytest.mark.parametrize("name, chunks", [("linux/ecn/A", 800), ("linux/reorder/A", 1000), ("usrsctp/reorder/A", 1000)])
def test_a_transport_without_trouble_is_not_to_blame(tshark, reports_of, name, chunks):
    capture = capture_named(name)
    triage = " ".join(reports_of(capture)["triage"].split())
    found = re.search(r"Transport: not to blame: all ([\d,]+) DATA chunks were acknowledged, the slowest after (\S+ \S+) \(frame (\d+)\)", triage)
    wait_s, frame = slowest_ack(tshark, capture)
    assert (number(found[1]), found[3]) == (chunks, frame)
    assert seconds(found[2]) == pytest.approx(wait_s, rel=0.001)


def page_and_pauses(tshark, folder, scenario):
    scenario.write_capture(folder / "capture.pcapng")
    result = tshark("-q", "-r", folder / "capture.pcapng", "-z", "sctp,triage", "-z", "sctp,json")
    reports = split_reports(result.stdout)
    return " ".join(reports["triage"].split()), reports["json"]["associations"][0]["directions"][0]["pauses"]["list"]


def test_what_was_given_up_is_not_the_rest_that_nothing_acknowledged(tshark, tmp_path):
    partial = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED, last=True)
    scenario = ScenarioBuilder(("10.0.0.1", "10.0.0.2")).set_up((partial, partial)).data(0)
    scenario.send(1, chunks.sack(scenario.ends[0].tsn - 1)).data(0)
    given_up = scenario.ends[0].tsn - 1
    scenario.send(0, chunks.forward_tsn(given_up, ((0, 1),)), gap_ns=10**9).send(1, chunks.sack(given_up))
    page, _ = page_and_pauses(tshark, tmp_path, scenario)
    assert "1 of 2 DATA chunks was acknowledged" in page
    assert "(frame 5), 1 was given up: whether that arrived is not decidable Given up" in page


@pytest.mark.parametrize("acked_after_s", [1.5, 2.2, 2.9])
def test_what_the_timer_sent_again_in_vain_waited_for_its_ack(tshark, tmp_path, acked_after_s):
    """A path that stalls delivers both, and no receiver delays a SACK that long."""
    scenario = ScenarioBuilder(("10.0.0.1", "10.0.0.2")).set_up()
    for _ in range(4):
        scenario.data(0)
        scenario.send(1, chunks.sack(scenario.ends[0].tsn - 1))
    late = scenario.ends[0].tsn
    scenario.data(0)
    scenario.send(0, chunks.data(late, bytes(4), ssn=4), gap_ns=10**9)
    scenario.send(1, chunks.sack(late), gap_ns=int((acked_after_s - 1) * 1e9))
    scenario.send(1, chunks.sack(late, duplicates=(late,)), gap_ns=100_000)
    _, pauses = page_and_pauses(tshark, tmp_path, scenario)
    assert [pause["cause"] for pause in pauses] == ["acks_lost"]


@pytest.mark.parametrize("name", ["linux/outages/A", "linux/zerowin/A", "linux/bulk-loss1/A", "linux/init-fail/A", "linux/idata/A"])
def test_a_transport_with_trouble_is_not_acquitted(reports_of, name):
    assert "not to blame" not in reports_of(capture_named(name))["triage"]


@pytest.mark.parametrize("name, words", [
    ("linux/outages/A", "Transport: pauses cost 3.136 s in 1 direction: 3.136 s path without answer"),
    ("linux/init-fail/A", "Transport: 1 of 3 associations failed"),
    ("linux/mh-v4v6/B", "Transport: pauses cost 201.9 ms in 1 direction: 201.9 ms delayed SACK"),
])
def test_a_transport_to_blame_says_what_it_cost(reports_of, name, words):
    assert words in " ".join(reports_of(capture_named(name))["triage"].split())


def test_a_capture_that_missed_packets_is_read_with_care(tshark, reports_of, tmp_path):
    thin = tmp_path / "thin.pcapng"
    assert tshark(capture_named("linux/bulk-loss1/A"), thin, "100-110", program="editcap").returncode == 0
    thin.chmod(0o644)
    reports = reports_of(thin)
    missed = sum(direction["missed_by_capture"] or 0 for entry in reports["json"]["associations"] for direction in entry["directions"])
    assert missed > 0
    assert "\nCapture: read with care\n" in reports["triage"]
    assert f"  - {missed} chunks acknowledged that the capture does not hold, " in reports["triage"]


def test_topics_do_not_follow_a_filter_but_counts_do(reports_of):
    whole, part = (reports_of(capture_named("linux/outages/A"), filter)["triage"] for filter in ("", ",frame.number > 2300"))
    assert topic(part, "Pauses: ") == topic(whole, "Pauses: ")
    assert "Retransmissions: " in whole and "Retransmissions: " not in part
    assert "timeout" in " ".join(topic(part, "Pauses: ")) and "retransmissions" not in not_found(part)


@pytest.mark.parametrize("name", FIGURES)
def test_triage_fits_a_terminal(reports_of, name):
    assert all(width(line) <= 80 and line == line.rstrip(" ") for line in reports_of(capture_named(name))["triage"].split("\n"))
