# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the CSVs of a triage: a row for each finding, pause, event and message of the JSON, with its time since 1970 to the nanosecond."""

import datetime
import decimal

import pytest

from triage_runs import Triage, gather, triage  # noqa: F401
from scenarios.generate.refused_inits import capture_of_refused_inits

from sctpa.names import csv_cell

NAMES = ("linux/mh-failover/A.pcapng.gz", "linux/idata/A.pcapng.gz", "demo.pcapng.gz")
TABLES = {
    "findings.csv": lambda assoc: [(finding["time_s"], finding["rule"], finding["count"]) for finding in assoc["findings"]],
    "pauses.csv": lambda assoc: [(pause["start_s"], pause["cause"], pause["outstanding_chunks"])
                                 for direction in assoc["directions"] if direction["pauses"] for pause in direction["pauses"]["list"]],
    "events.csv": lambda assoc: [(event["time_s"], event["kind"], event["frame"]) for event in assoc["events"]],
}
KEYS = {"findings.csv": ("rule", "count"), "pauses.csv": ("cause", "outstanding_chunks"), "events.csv": ("kind", "frame")}


@pytest.fixture(scope="module")
def made(tmp_path_factory, tshark):
    folder = tmp_path_factory.mktemp("tables")
    folder.chmod(0o755)
    runs = Triage(tshark, folder)
    result = runs("-o", "sctp_analysis.messages:TRUE", gather(folder / "in", *NAMES))
    assert result.returncode == 0, result.stderr
    return runs


def test_each_thing_is_a_row(made):
    for name, of in TABLES.items():
        expected = [(line["capture"]["file"], line["index"], *map(str, each)) for line in made.associations() for each in of(line)]
        rows = [(row["capture"], int(row["association"]), row["time_s"], *(row[key] for key in KEYS[name])) for row in made.table(name)]
        assert rows == expected and len(rows) > 5, name


def test_times_are_those_of_the_packets(made, tshark):
    for path in {line["capture"]["file"] for line in made.associations()}:
        stamps = tshark("-n", "-r", path, "-T", "fields", "-e", "frame.time_epoch").stdout.split()
        for row in made.table("events.csv"):
            if row["capture"] == path and row["frame"]:
                assert decimal.Decimal(row["epoch_s"]) == decimal.Decimal(stamps[int(row["frame"]) - 1])
        for name in (*TABLES, "associations.csv"):
            for row in made.table(name):
                whole, fraction = row["time"].rstrip("Z").split(".")
                seconds = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc).timestamp()
                assert decimal.Decimal(row["epoch_s"]) == int(seconds) + decimal.Decimal(f"0.{fraction}") and len(fraction) == 9


def test_endpoints_have_their_address_and_port(made):
    ends = {(line["capture"]["file"], str(line["index"]), str(number)): (end["addresses"][0], str(line["ports"][number]))
            for line in made.associations() for number, end in enumerate(line["endpoints"])}
    for name in TABLES:
        rows = [row for row in made.table(name) if row["endpoint"]]
        assert rows and all((row["address"], row["port"]) == ends[row["capture"], row["association"], row["endpoint"]] for row in rows)


def test_messages_of_the_application_are_rows(made):
    expected = [(line["index"], csv_cell(message["message"]), str(message["count"])) for line in made.associations() if line["application"]
                for message in line["application"]["messages"]]
    assert [(int(row["association"]), row["message"], row["count"]) for row in made.table("messages.csv")] == expected


def test_a_time_that_no_calendar_holds_is_left_out():
    from sctpa.triage.csv_tables import Origin
    assert Origin("a", None, None).times(1.0) == (None, None)
    assert Origin("a", 1_700_000_000_123_456_789, None).times(0.5) == ("1700000000.623456789", "2023-11-14T22:13:20.623456789Z")
    assert Origin("a", 10 ** 21, None).times(0)[1] is None
    assert Origin("a", -1, None).times(0) == ("-0.000000001", "1969-12-31T23:59:59.999999999Z")


def test_captures_csv_has_the_start_of_each(made):
    starts = {line["capture"]["file"]: line["capture"]["start_epoch_s"] for line in made.associations()}
    for row in made.table("captures.csv"):
        assert float(row["epoch_s"]) == pytest.approx(starts[row["capture"]], abs=1e-6) and row["time"].endswith("Z")


def test_inits_that_only_icmp_errors_show_are_failures_of_their_capture(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", "linux/mh-v4v6/A.pcapng.gz")
    capture_of_refused_inits(folder, [("10.0.0.1", 5000, "10.0.0.9")] * 2 + [("2001:db8::1", 5001, "2001:db8::9")])
    assert triage("--sections", "0", folder).returncode == 0
    rows = triage.captures()
    assert (rows["refused.pcapng"]["associations"], rows["refused.pcapng"]["failed"]) == ("0", "2")
    assert rows["linux_mh-v4v6_A.pcapng.gz"]["failed"] == "0"
    page = triage.output("report.html")
    assert "INIT of 10.0.0.1 port 5000 to 10.0.0.9 port 36412 refused by ICMP (protocol unreachable)" in page
    assert page.index("refused.pcapng</th>") < page.index("linux_mh-v4v6_A.pcapng.gz</th>")


def test_pseudonyms_stand_for_their_addresses(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in")
    capture_of_refused_inits(folder, [("10.0.0.1", 5000, "10.0.0.9"), ("2001:db8::1", 5001, "2001:db8::9")])
    assert triage("--anonymise", "--sections", "0", folder).returncode == 0
    everything = triage.everything()
    assert not any(address in content for content in everything.values() for address in (b"10.0.0.1", b"10.0.0.9", b"2001:db8::1", b"2001:db8::ff"))
    assert b"refused by ICMP" in everything["report.html"]
