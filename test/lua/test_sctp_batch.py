"""lua/sctp_batch.lua: its rows say what -z sctp,json says, in both formats, and bad options are named.

Leaves out what the values mean: the tests of the reports know that.
"""

import csv
import decimal
import io
import json

import pytest
from lua_script import capture, options

CAPTURES = ["linux/restart/A", "linux/mh-failover/A", "linux/prsctp/A", "linux/dup-corrupt/A", "usrsctp/idata/A", "linux/strreset/A",
            "linux/idata/A", "usrsctp/us-nrsack-pktdrop/A", "linux/init-fail/A", "linux/udpencap/A",
            "linux/mh-v4v6/A", "dcsctp/bidir/A", "pion/setup-loss30/A"]
# rows= -> where the JSON has them; what the script adds of its own.
OWN = {"association", "completed_in", "retransmitted", "addresses.0", "addresses.1"}


@pytest.fixture
def document(tshark):
    def read(path):
        return json.loads(tshark("-q", "-r", path, "-z", "sctp,json").stdout, parse_float=decimal.Decimal)

    return read


def at(value, path):
    """value["directions"][0]["user_bytes"] for directions.0.user_bytes; None where something on the way is."""
    for key in path.split("."):
        if value is None:
            return None
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def close(ours, theirs):
    """Times differ by what a double loses at most."""
    if isinstance(ours, decimal.Decimal) and theirs is not None:
        return abs(ours - theirs) <= max(decimal.Decimal("0.000002"), abs(theirs) * decimal.Decimal("1e-6"))
    return ours == theirs


def rows_of(run_script, path, kind, *arguments):
    text = run_script("sctp_batch.lua", path, f"rows={kind}", "format=ndjson", *arguments, passes=2)
    return [json.loads(line, parse_float=decimal.Decimal) for line in text.splitlines()]


def expected(kind, document):
    """(association, row of the JSON), as the script has them."""
    for assoc in document["associations"]:
        if kind == "associations":
            yield assoc["index"], assoc
        else:
            for row in assoc[kind]:
                yield assoc["index"], row


@pytest.mark.parametrize("kind", ["associations", "directions", "paths", "streams", "events", "findings"])
@pytest.mark.parametrize("name", CAPTURES)
def test_rows_say_what_the_json_says(name, kind, run_script, document):
    theirs = list(expected(kind, document(capture(name))))
    if kind == "directions":
        theirs = [(number, row) for number, row in theirs if row["data_chunks"] or row["sacks"]]
    if kind == "events":
        theirs = [(number, row) for number, row in theirs if row["kind"] not in ("icmp_unreachable", "packet_too_big")]
    ours = rows_of(run_script, capture(name), kind)
    assert len(ours) == len(theirs)
    # Events stand in the order in which they became certain.
    if kind == "events":
        ours.sort(key=lambda row: (row["association"], row["frame"]))
    for row, (number, other) in zip(ours, theirs):
        assert row.get("association", number) == number
        wrong = {key: (value, at(other, key)) for key, value in row.items() if key not in OWN and not close(value, at(other, key))}
        assert not wrong, f"{kind} of association {number}"
