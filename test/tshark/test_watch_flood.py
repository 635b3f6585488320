# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects -z sctp,watch from floods: what has hardly begun gets so many lines a minute, the rest is counted in one; memory is bounded by bytes, and who
really talks is reported as ever. test/bench/watch_flood has the large figures."""

import itertools
import json

import pytest

import floods

MIB = 1 << 20
# Of a kind and minute, as watch.c has it.
LINES_FREE = 100
FLOODS = {"of INITs": lambda count: floods.inits(count), "of INITs with answers": lambda count: floods.answered(count // 2, 2),
          "of INITs that are refused": lambda count: floods.answered(count // 2, 6), "of DATA": lambda count: floods.strays(count)}


def watched(tshark, path, words=""):
    """(lines by record, bytes of all)"""
    result = tshark("-n", "-q", "-r", path, "-o", "sctp.tsn_analysis:FALSE", "-z", f"sctp,watch{words}")
    assert result.returncode == 0, result.stderr
    found = {}
    for line in result.stdout.splitlines():
        read = json.loads(line)
        found.setdefault(read["record"], []).append(read)
    return found, len(result.stdout)


def folded(lines, kind):
    return sum(line["count"] for line in lines.get("folded", ()) if line["kind"] == kind)


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.parametrize("memory", [1, 256])
def test_a_flood_has_lines_without_number_no_more(tshark, tmp_path, kind, memory):
    path = floods.write(tmp_path / "flood.pcap", FLOODS[kind](20_000), 100_000)
    lines, size = watched(tshark, path, f",memory={memory}")
    last = lines["counts"][-1]
    assert size < 4_000_000 and len(lines["association"]) <= 4 * LINES_FREE
    assert len(lines["association"]) + folded(lines, "association") == last["associations"]
    for event, count in last["events"].items():
        told = sum(line["kind"] == event for line in lines.get("event", ()))
        assert told + folded(lines, event) == count and told <= LINES_FREE


def test_what_was_left_out_is_said_once_a_minute(tshark, tmp_path):
    """5,000 INITs in 150 s, which wait for an answer for 3 s."""
    path = floods.write(tmp_path / "flood.pcap", floods.inits(5_000), 30_000_000)
    lines, _ = watched(tshark, path)
    failed = [line for line in lines["folded"] if line["kind"] == "setup_failed"]
    assert len(failed) == 3 and failed[0]["epoch_s"] - floods.START_S == pytest.approx(60, abs=1)
    assert failed[0]["text"].startswith(f"{failed[0]['count']} more events alike in the last 60 s: setup failed; the first between 11.")
    assert 1700 < failed[0]["count"] < 1950 and all(set(line) == {"record", "kind", "epoch_s", "count", "end", "forgotten", "text"} for line in failed)
    assert sum(line["kind"] == "setup_failed" for line in lines["event"]) == 3 * LINES_FREE


def test_an_unanswered_set_up_here_and_there_has_its_lines(tshark, tmp_path):
    """A hundred INITs in each minute, with all their lines."""
    path = floods.write(tmp_path / "few.pcap", floods.inits(250), 650_000_000)
    lines, _ = watched(tshark, path)
    assert "folded" not in {line["record"] for line in lines.get("event", ())} and folded(lines, "setup_failed") == 0
    assert len(lines["event"]) >= 245


def mixed(flood, talk, each):
    """A packet of the talk behind so many of the flood."""
    flood = iter(flood)
    for one in talk:
        yield one
        yield from itertools.islice(flood, each)
    yield from flood


def test_who_talks_amid_a_flood_is_reported_as_a_whole(tshark, tmp_path):
    talk = list(floods.talk(100))
    lines, _ = watched(tshark, floods.write(tmp_path / "flood.pcap", mixed(floods.inits(20_000), talk, 95), 100_000), ",memory=1")
    ours = [line for line in lines["association"] if 5000 in line["ports"]]
    assert [(line["forgotten"], line["packets"], line["setup"]) for line in ours] == [(None, len(talk), "complete")]


def test_memory_is_bounded_by_bytes_not_by_packets(tshark, tmp_path):
    """40,000 small packets of one association, then SACKs of another, each with 300 gap blocks, behind DATA that nobody acknowledges."""
    there, back = (bytes((10, 0, 0, 9)), floods.SERVER, (5000, 3868)), (floods.SERVER, bytes((10, 0, 0, 9)), (3868, 5000))
    gaps = [(2 * nth, 2 * nth) for nth in range(1, 301)]

    def large():
        yield from floods.talk(0, bytes((10, 0, 0, 9)))
        yield floods.packet(*there, 6, floods.data(5))
        for number in range(9_000):
            yield floods.packet(*back, 5, floods.sack(4, [(begin + number % 2, end + number % 2) for begin, end in gaps]))

    packets = itertools.chain(floods.talk(20_000), large())
    lines, _ = watched(tshark, floods.write(tmp_path / "large.pcap", packets, 20_000_000), ",memory=4")
    held = [line["held_bytes"] for line in lines["counts"]]
    assert len(held) > 80 and max(held) < 8 * MIB
