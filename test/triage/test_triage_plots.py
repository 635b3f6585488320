# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects the plots: what is kept of a series is its least and greatest value per pixel column, of the first associations and of
later ones. Leaves how they look to test_triage_page.py."""

import os
import pathlib
import time

import pytest

from triage_runs import children, gather, triage  # noqa: F401

MIB = 1 << 20
OF_PATH = ("flight", "cwnd", "rtt", "rto")
DRAWN = ("sent", "cum_ack", "gap", "a_rwnd", "flight_total", "goodput_bps", "throughput_bps", "timeout", *OF_PATH)


def columns_of(tshark, capture, assoc, width):
    """{(endpoint, trace): {column: (least, greatest)}} straight from the CSV."""
    found = {}
    for line in tshark("-q", "-r", capture, "-z", f"sctp,series,{assoc['index']}").stdout.splitlines()[1:]:
        time_s, _, end, path, series, value, value2 = line.split(",")
        if series not in DRAWN or (series.endswith("_bps") and path):
            continue
        trace = f"{series} {path}" if series in OF_PATH else series
        column = min(max(int((float(time_s) - assoc["start_s"]) * ((width - 1) / assoc["duration_s"])), 0), width - 1)
        low, high = float(value), float(value2 or value)
        columns = found.setdefault((int(end), trace), {})
        known = columns.get(column, (low, high))
        columns[column] = (min(low, known[0]), max(high, known[1]))
    return found


def test_columns_hold_the_least_and_greatest_value_of_each_series(triage, tshark, tmp_path):
    from sctpa.triage import results
    from sctpa.decimation import COLUMNS
    folder = gather(tmp_path / "in", "demo.pcapng.gz")
    assert triage(folder).returncode == 0
    # The associations that the first run asked for, and one that only the report did.
    assert len(triage.reads()) == 2
    key, = (path.stem for path in (triage.out / "resume").glob("*.json"))
    store, checked = results.Folder(triage.out), 0
    for assoc in triage.associations():
        if assoc["index"] not in (0, 2, 7, 9):
            continue
        plots = store.plots(key, assoc["index"])
        expected = columns_of(tshark, folder / "demo.pcapng.gz", assoc, COLUMNS)
        for (end, trace), columns in expected.items():
            assert {column: (low, high) for column, low, high in plots["traces"][end][trace]} == columns, (assoc["index"], trace)
            checked += 1
    assert checked > 30


def test_drawings_are_bounded_whatever_the_length():
    from sctpa.decimation import COLUMNS, Decimation
    from sctpa.plots import of_direction
    decimation = Decimation(0.0, 100.0)
    for number in range(100_000):
        time_s = b"%.9f" % (number / 1000)
        decimation.take([b"%s,%d,0,0,sent,%d," % (time_s, number, number), b"%s,%d,0,0,flight,%d," % (time_s, number, number % 977 * 1000),
                         b"%s,%d,0,0,rtt,0.0%d," % (time_s, number, number % 90 + 10), b"%s,%d,0,0,fast,%d," % (time_s, number, number),
                         b"%s,%d,0,,finding,CC-007,SHOULD" % (time_s, number)])
    pictures = of_direction(decimation.result(), {"start_s": 0.0, "duration_s": 100.0}, 1, 0)
    assert [picture["title"].split(",")[0] for picture in pictures] == ["TSN and SACK", "Windows", "Round trips"]
    assert all(len(picture["svg"]) < 120 * COLUMNS for picture in pictures)


def peak_bytes(pid):
    """The most memory that pid and the Python processes below it had, so far."""
    peaks = []
    for each in (pid, *children(pid)):
        try:
            if pathlib.Path(f"/proc/{each}/comm").read_text().startswith("python"):
                status = pathlib.Path(f"/proc/{each}/status").read_text()
                peaks += [int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")]
        except OSError:
            pass
    return max(peaks, default=0)


@pytest.mark.parametrize("start_s, duration_s", [(1e9, 1e-9), (-5.0, 10.0), (0.0, 0.0), (9e9, 1e9), (0.0, -1.0)])
def test_times_of_any_size_can_be_drawn(start_s, duration_s):
    from sctpa.decimation import Decimation
    from sctpa.plots import of_direction
    decimation = Decimation(start_s, duration_s)
    decimation.take([b"%.9f,1,0,0,sent,%d," % (start_s + part * duration_s / 4, -1 + part * (1 << 61)) for part in range(5)])
    picture, = of_direction(decimation.result(), {"start_s": start_s, "duration_s": duration_s}, 1, 0)
    assert picture["svg"].count("<text") < 30 and "nan" not in picture["svg"] and "inf" not in picture["svg"]


@pytest.mark.skipif(not os.environ.get("SCTPA_ALL_CAPTURES"), reason="takes minutes; SCTPA_ALL_CAPTURES=1 runs it")
def test_captures_of_500000_packets_take_no_memory_of_ours(triage, tmp_path):
    from bench import traffic
    folder = tmp_path / "in"
    folder.mkdir()
    traffic.write(folder / "large.pcapng", 500_000, 1, traffic.PAYLOAD)
    traffic.write(folder / "many.pcapng", 500_000, 20_000)
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    peak = 0
    with triage.start("--jobs", "2", folder) as run:
        while run.poll() is None:
            peak = max(peak, peak_bytes(run.pid))
            time.sleep(0.2)
    assert run.returncode == 0
    with open(triage.out / "associations.ndjson", encoding="utf-8") as file:
        assert sum(1 for _ in file) == 20_001
    print("peak", peak // MIB, "report", (triage.out / "report.html").stat().st_size // MIB)
    assert peak < 120 * MIB and (triage.out / "report.html").stat().st_size < 20 * MIB
