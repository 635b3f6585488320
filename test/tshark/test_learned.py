# SPDX-License-Identifier: GPL-2.0-or-later
"""Learned parameters against what the lab configured: every range holds the configured value, near values are near, and where each
parameter must be learned it is. Scenarios name what they set; the rest are the defaults of the stacks, or what their sources do:

chunk_overhead: usrsctp takes MSIZE (256) for each mbuf with data from the window (sctp_sballoc, sctp_calculate_rwnd); Linux the user bytes
alone (sctp_assoc_rwnd_decrease), as dcSCTP and pion do, whose windows are a limit less the bytes queued. counts_headers: what a chunk adds to
what is outstanding is its user bytes in Linux (sctp_data_size) and pion, with header and padding in usrsctp (book_size) and dcSCTP (serialized
size)."""

import json
import pathlib

import pytest

from conftest import one_in
from report_text import width

CAPTURES = pathlib.Path(__file__).resolve().parent.parent / "captures"
FOLDERS = sorted(folder for folder in CAPTURES.glob("*/*") if folder.is_dir())
ANY = object()

DEFAULTS = {
    "linux": {"rto_initial_ms": 3000, "rto_min_ms": 1000, "rto_max_ms": 60000, "heartbeat_interval_s": 30, "sack_delay_ms": 200, "sack_every": 2, "max_burst": 4,
              "initial_cwnd": 4380, "pmtu": 1500, "path_max_retrans": 5, "assoc_max_retrans": 10, "max_init_retrans": 8,
              "chunk_overhead": 0, "counts_headers": 0},
    "usrsctp": {"rto_initial_ms": 3000, "rto_min_ms": 1000, "rto_max_ms": 60000, "heartbeat_interval_s": 30, "sack_delay_ms": 200, "sack_every": 2, "max_burst": 4,
                "initial_cwnd": 4464, "pmtu": 1500, "path_max_retrans": 5, "assoc_max_retrans": 10, "max_init_retrans": 8,
                "chunk_overhead": 256, "counts_headers": 1},
    "dcsctp": {"rto_initial_ms": 1000, "rto_min_ms": 400, "rto_max_ms": 60000, "heartbeat_interval_s": 30, "sack_delay_ms": 200, "sack_every": 2, "max_burst": 4,
               "initial_cwnd": 11910, "pmtu": 1211, "path_max_retrans": None, "assoc_max_retrans": 10, "max_init_retrans": 8,
               "chunk_overhead": 0, "counts_headers": 1},
    "pion": {"rto_initial_ms": 3000, "rto_min_ms": 1000, "rto_max_ms": 60000, "heartbeat_interval_s": None, "sack_delay_ms": 200, "sack_every": 2, "max_burst": None,
             "initial_cwnd": 4380, "pmtu": 1248, "path_max_retrans": None, "assoc_max_retrans": None, "max_init_retrans": 8,
             "chunk_overhead": 0, "counts_headers": 0},
}
OF_SOURCES = ("chunk_overhead", "counts_headers")
# Which stacks interop scenarios run (scenario.sh): by port of endpoint 1, of endpoint 0 and 1.
INTEROP = {
    ("interop-bulk", 5000): ("linux", "usrsctp"), ("interop-bulk", 5001): ("usrsctp", "linux"), ("interop-mh", 5000): ("linux", "usrsctp"),
    ("interop-udp", 5000): ("usrsctp", "usrsctp"), ("interop-udp", 5001): ("linux", "usrsctp"),
}
# The reference sender that was made after each stack (stacks.def, by the stacks' sources).
SENDERS = {
    "linux": "counts user bytes, grows by a PMTU per SACK",
    "usrsctp": "counts chunks with headers, grows by two PMTU per SACK, cut to what one burst needs",
    "dcsctp": "counts chunks with headers, grows by a packet per SACK, begins with ten packets",
    "pion": "counts user bytes, grows by all bytes acked",
}
FAST = {"rto_initial_ms": 500, "rto_min_ms": 300, "rto_max_ms": 2000}
# What scenarios set (scenario.sh, params.txt); of some associations only: by port of endpoint 1.
CONFIGURED = {
    "mh-failover": {**FAST, "heartbeat_interval_s": 1, "path_max_retrans": 2},
    "vantage-multihomed": {**FAST, "heartbeat_interval_s": 1, "path_max_retrans": 2},
    "interop-mh": {**FAST, "heartbeat_interval_s": 1, "path_max_retrans": 2},
    "mh-v4v6": {**FAST, "heartbeat_interval_s": 1},
    "vantage-setup": FAST,
    "setup-shutdown-loss": FAST,
    "mh-hb-idle": {"heartbeat_interval_s": 5, "path_max_retrans": 3},
    "mh-pf-oneway": {"heartbeat_interval_s": 2, "path_max_retrans": 4},
    "mh-loss-rtxalt": {"heartbeat_interval_s": 3},
    "hb-idle": {"heartbeat_interval_s": 1},
}
CONFIGURED_AT_PORT = {
    ("smallmsg-sackopts", 5002): {"sack_delay_ms": 500, "sack_every": 4},
    ("smallmsg-sackopts", 5003): {"sack_delay_ms": 500, "sack_every": 4},
    ("smallmsg-sackopts", 5004): {"sack_delay_ms": None, "sack_every": 1},
    ("smallmsg-sackopts", 5005): {"sack_delay_ms": None, "sack_every": 1},
    ("aborts", 5002): {**FAST, "rto_max_ms": 1000, "assoc_max_retrans": 4},
    ("t3-death", 5001): {"assoc_max_retrans": 6},
    ("auth-data", 5001): {"assoc_max_retrans": 3},
    ("init-fail", 5000): {"max_init_retrans": 4},
    ("pmtu", 5000): {"pmtu": 1000},
}
# Where a value must be learned: capture, port of endpoint 1, endpoint, parameter.
LEARNED = [
    ("linux/outages/A", 5000, 0, "rto_min_ms"), ("linux/mh-failover/A", 5000, 0, "rto_min_ms"), ("pion/outage/A", 5000, 0, "rto_min_ms"),
    ("linux/vantage-setup/A", 5001, 0, "rto_initial_ms"), ("dcsctp/vantage-setup/A", 5000, 0, "rto_initial_ms"),
    ("usrsctp/manyassoc/A", 5006, 0, "rto_initial_ms"), ("usrsctp/mh-v4v6/A", 5000, 0, "rto_max_ms"),
    ("linux/mh-hb-idle/A", 5000, 0, "heartbeat_interval_s"),
    ("usrsctp/mh-pf-oneway/A", 5000, 1, "heartbeat_interval_s"), ("usrsctp/pmtu/A", 5000, 1, "heartbeat_interval_s"),
    ("linux/smallmsg-sackopts/B", 5000, 1, "sack_delay_ms"), ("usrsctp/smallmsg-sackopts/B", 5000, 1, "sack_delay_ms"),
    ("linux/smallmsg-sackopts/A", 5003, 1, "sack_every"), ("linux/smallmsg-sackopts/A", 5005, 1, "sack_every"),
    ("linux/bulk-loss1/A", 5000, 1, "sack_every"), ("usrsctp/bulk-loss1/B", 5000, 1, "sack_every"),
    ("linux/bulk-loss1/A", 5000, 0, "initial_cwnd"), ("usrsctp/bulk-loss1/A", 5000, 0, "initial_cwnd"),
    ("dcsctp/abort/A", 5000, 0, "initial_cwnd"), ("pion/abort/A", 5000, 0, "initial_cwnd"), ("linux/pmtu/A", 5000, 0, "pmtu"),
    ("linux/pmtu/A", 5001, 0, "pmtu"), ("dcsctp/bigmsg/B", 5000, 0, "pmtu"), ("pion/bigmsg/A", 5000, 0, "pmtu"),
    ("usrsctp/zerowin/A", 5000, 1, "chunk_overhead"), ("usrsctp/slowread-loss/A", 5000, 1, "chunk_overhead"),
    ("linux/zerowin/A", 5000, 1, "chunk_overhead"), ("linux/bulk-loss1/B", 5000, 1, "chunk_overhead"), ("pion/bulk-loss5/A", 5000, 1, "chunk_overhead"),
    ("dcsctp/paced-small/A", 5000, 1, "chunk_overhead"), ("interop/interop-bulk/A", 5000, 1, "chunk_overhead"),
    ("interop/interop-bulk/A", 5001, 1, "chunk_overhead"), ("usrsctp/zerowin/A", 5000, 1, "silly_window"),
    ("linux/bidir/B", 5000, 1, "counts_headers"), ("dcsctp/reset-streams/A", 5000, 0, "counts_headers"),
    ("linux/t3-death/A", 5000, 0, "assoc_max_retrans"), ("usrsctp/t3-death/A", 5000, 0, "assoc_max_retrans"),
    ("usrsctp/aborts/A", 5002, 0, "assoc_max_retrans"), ("usrsctp/mh-v4v6/A", 5000, 0, "assoc_max_retrans"),
    ("linux/init-fail/A", 5000, 0, "max_init_retrans"),
    ("interop/interop-mh/B", 5000, 1, "path_max_retrans"), ("usrsctp/vantage-multihomed/A", 5000, 0, "path_max_retrans"),
]


def report(tshark, capture, name):
    result = tshark("-q", "-r", capture, "-z", f"sctp,{name}")
    assert result.returncode in (0, 2), result.stderr
    return result.stdout


def captures_of(folder):
    return sorted(path for path in folder.iterdir() if path.name.split(".")[0] in ("A", "B", "M") and ".pcap" in path.name)


def learned_in(tshark, capture):
    """(association, endpoint, parameter, value) of everything learned."""
    for association in json.loads(report(tshark, capture, "json"))["associations"]:
        for number, endpoint in enumerate(association["endpoints"]):
            for name, value in endpoint["learned"].items():
                if value is not None:
                    yield association, number, name, value


def configured(folder, association, end, name, address):
    """What the endpoint was told, ANY where nothing says."""
    stack = folder.parent.name
    if stack == "interop" and name in OF_SOURCES:
        return DEFAULTS[INTEROP[folder.name, association["ports"][1]][end]][name]
    if name == "silly_window":
        return ANY              # usrsctp's depends on what it holds: see below
    if stack == "interop":
        return CONFIGURED.get(folder.name, {}).get(name, ANY)
    told = {**DEFAULTS[stack], **CONFIGURED.get(folder.name, {}), **CONFIGURED_AT_PORT.get((folder.name, association["ports"][1]), {})}
    if stack == "dcsctp" and name == "rto_initial_ms":
        return 1000             # its timer T1 has an option of its own, whatever RTO.Initial is
    if stack == "usrsctp" and name == "pmtu" and ":" in address:
        return 1280             # as its own variables say (mtu in A.gt.tsv)
    return told[name] if told[name] is not None else ANY


@pytest.mark.thorough_but_one_in(12)
@pytest.mark.parametrize("folder", one_in(2, FOLDERS), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_every_learned_range_holds_what_was_configured(tshark, folder):
    for capture in captures_of(folder):
        for association, end, name, value in learned_in(tshark, capture):
            where = f"{capture.name} association {association['index']} endpoint {end} {name} {value}"
            assert value["low"] <= value["value"] and (value["high"] is None or value["value"] <= value["high"]), where
            expected = configured(folder, association, end, name, association["endpoints"][end]["addresses"][0])
            if expected is not ANY:
                assert value["low"] <= expected, where
                assert value["high"] is None or expected <= value["high"], where


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("taken, port, end, name", LEARNED)
def test_a_parameter_that_shows_is_learned(tshark, taken, port, end, name):
    path = next(path for path in captures_of((CAPTURES / taken).parent) if path.name.startswith(taken[-1]))
    found = [value for association, number, parameter, value in learned_in(tshark, path)
             if association["ports"][1] == port and number == end and parameter == name]
    assert found


# What cannot show there: messages that always come in pairs and may be read one at a time; readers that keep up; data given up; large messages only.
@pytest.mark.parametrize("taken, end, name", [
    ("pion/slowreader/A", 1, "chunk_overhead"), ("linux/outages/A", 1, "chunk_overhead"), ("usrsctp/prsctp/A", 1, "chunk_overhead"),
    ("linux/zerowin/A", 1, "silly_window"), ("pion/slowreader/A", 1, "silly_window"),
    ("linux/bulk-loss1/A", 0, "counts_headers"), ("usrsctp/bulk-loss1/A", 0, "counts_headers"), ("linux/bulk-loss1/B", 0, "counts_headers"),
])
def test_what_does_not_show_is_not_known(tshark, taken, end, name):
    path = next(path for path in captures_of((CAPTURES / taken).parent) if path.name.startswith(taken[-1]))
    assert [value for _, number, parameter, value in learned_in(tshark, path) if number == end and parameter == name] == []


# usrsctp closes its window when less is free than the MSIZE that it took for what it holds (sctp_calculate_rwnd): rcvbuf and message of the
# scenario say how much that is at the most.
@pytest.mark.parametrize("taken, rcvbuf, message", [("usrsctp/zerowin/A", 16000, 1000), ("usrsctp/dup-corrupt/A", 131072, 1400)])
def test_free_space_advertised_as_closed_is_below_the_limit_of_the_stack(tshark, taken, rcvbuf, message):
    path = next(path for path in captures_of((CAPTURES / taken).parent) if path.name.startswith(taken[-1]))
    found = [value for _, _, parameter, value in learned_in(tshark, path) if parameter == "silly_window"]
    assert found and all(1 < value["low"] < rcvbuf // (256 + message) * 256 for value in found)


@pytest.mark.thorough
def test_the_sender_that_fits_is_that_of_the_stack(tshark):
    """None of the others is ever said to fit alone; where the stack's own does not fit, nothing is said."""
    known = 0
    for folder in one_in(2, FOLDERS):
        for capture in captures_of(folder):
            for association in json.loads(report(tshark, capture, "json"))["associations"]:
                for number, endpoint in enumerate(association["endpoints"]):
                    fit = endpoint["sender_fit"]
                    if not fit:
                        continue
                    known += 1
                    stack = folder.parent.name
                    if stack == "interop":
                        stack = INTEROP[folder.name, association["ports"][1]][number]
                    where = f"{capture} association {association['index']} endpoint {number} {fit}"
                    assert SENDERS[stack] in [fit["sender"], *(other["sender"] for other in fit["as_well"])], where
                    assert len(fit["as_well"]) < 6 and fit["frame"] > 0, where
                    assert all(0 < sender["explained"] <= fit["occasions"] for sender in (fit, *fit["as_well"])), where
    assert known > 0


@pytest.mark.parametrize("taken, end", [("linux/bidir/B", 1), ("usrsctp/bidir/A", 0), ("dcsctp/reset-streams/A", 0)])
def test_the_table_of_senders_has_what_json_has(tshark, taken, end):
    path = next(path for path in captures_of((CAPTURES / taken).parent) if path.name.startswith(taken[-1]))
    fit = json.loads(report(tshark, path, "json"))["associations"][0]["endpoints"][end]["sender_fit"]
    text = report(tshark, path, "learned")
    assert all(width(line) <= 80 for line in text.split("\n"))
    assert text.count("  best  ") == bool(fit)
    assert text.count("  as well  ") == (len(fit["as_well"]) if fit else 0)


def test_the_table_has_what_json_has_and_fits_a_terminal(tshark):
    capture = CAPTURES / "linux/smallmsg-sackopts/A.pcapng.gz"
    text = report(tshark, capture, "learned")
    assert all(width(line) <= 80 for line in text.split("\n"))
    for name in {name for _, _, name, _ in learned_in(tshark, capture)}:
        count = sum(1 for _, _, other, _ in learned_in(tshark, capture) if other == name)
        assert text.count(f"  {name} ") == count
