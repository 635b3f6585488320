# SPDX-License-Identifier: GPL-2.0-or-later
"""What core and reports do with hostile loads, counted in steps and bytes, which a busy machine does not change.

Times of the whole plugin are test/bench/hostile's.
"""

import collections
import functools
import pathlib
import subprocess

import pytest

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "asan" / "test" / "hostile"
# Twice the logarithmic searches take 2 log(2n) / log(n) of the steps, 2.17 where n is 4,000; hashes, drawn at random, move it by 0.02.
TWICE = 2.2
BY_CHANCE = 0.02
# Steps by byte, packet and association, and at any size; others: all other reports together. Reading harmless loads takes 20 to 40 steps a
# byte, packets of one short chunk up to 2,000 more, chunks and parameters of four bytes 110 a byte. A report counts a step for each of its own bytes, too:
# the JSON of an association with one packet has 4.5 kB, and names the rules that had an occasion and how often; a stream with one message of 20 bytes has 900.
# A step is a block as the compiler cuts them: those of GCC 16 are 3 % more than those of GCC 12.
STEPS = {
    "read": (120, 2500, 0, 0),
    "fields": (15, 550, 0, 0),
    "triage": (22, 500, 1000, 190_000),
    "json": (70, 1000, 43_000, 300_000),
    "others": (40, 500, 1300, 5_800_000),
}
# The table of copies takes 2 MiB whatever is read, the first blocks of everything else less than one; tables have room to grow.
FIXED_BYTES, CHUNK_BYTES, ASSOCIATION_BYTES = 3 << 20, 100, 2560
# What a kind may take beyond these by byte and by packet of its capture.
KEPT_BYTES = {
    "addresses": (1, 0),    # an end keeps 256 of its addresses
    "joins": (0, 670),      # two of three packets begin a direction of data, with a path and a stream
    "pairs": (0, 1500),     # each packet begins a path, and has two addresses of its own
    "refusals": (0, 250),   # each has set-up, register of what is owed, and end, which others of two packets do not
    "teeth": (1, 0),        # gap blocks are kept, in as many bytes as they have in a SACK
}

Count = collections.namedtuple("Count", "read fields triage json others memory wire_bytes packets chunks associations")


def listed():
    """Rows of hostile_write --list: kind, look, control, small n, what it attacks."""
    if not (PROGRAMS / "hostile_write").exists():
        return []
    rows = subprocess.run([PROGRAMS / "hostile_write", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [row.split("\t") for row in rows]


SMALL = {kind: int(n) for kind, _, _, n, _ in listed()}
CONTROLLED = [kind for kind, _, control, _, _ in listed() if control == "control"]


@functools.cache
def counted(kind, n, is_hostile=True, draw=0):
    """What one process counts; each draw has hashes of its own."""
    return Count(*map(int, subprocess.run([PROGRAMS / "hostile_steps", kind, str(n), str(int(is_hostile))],
                                          capture_output=True, text=True, check=True, timeout=120).stdout.split()))


def limit(count, look):
    per_byte, per_packet, per_association, fixed = STEPS[look]
    return per_byte * count.wire_bytes + per_packet * count.packets + per_association * count.associations + fixed


def test_programs_are_built():
    assert len(SMALL) > 30, f"no {PROGRAMS}/hostile_write: run test/run"


@pytest.mark.thorough_but_one_in(2)
@pytest.mark.parametrize("look", STEPS)
@pytest.mark.parametrize("kind", SMALL)
def test_steps_are_in_proportion_to_the_capture(kind, look):
    count = counted(kind, SMALL[kind])
    assert getattr(count, look) <= limit(count, look), f"{getattr(count, look) / count.wire_bytes:.0f} steps a byte"


@pytest.mark.thorough_but_one_in(4)
@pytest.mark.parametrize("look", STEPS)
@pytest.mark.parametrize("kind", SMALL)
def test_twice_the_load_takes_twice_the_steps(kind, look):
    def grows_in_proportion(draw):
        once, twice = (getattr(counted(kind, n, draw=draw), look) for n in (SMALL[kind], 2 * SMALL[kind]))
        # What is the same at every size, such as set-up, does not count as growth, nor what begins at a size, such as rates.
        return twice <= (TWICE + BY_CHANCE) * once + 150_000

    # Of hashes at random a few are far from the mean, but seldom three times.
    assert any(map(grows_in_proportion, range(3)))


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("kind", SMALL)
def test_memory_is_bounded(kind):
    count = counted(kind, 2 * SMALL[kind])
    per_byte, per_packet = KEPT_BYTES.get(kind, (0, 0))
    assert count.memory <= (FIXED_BYTES + CHUNK_BYTES * count.chunks + ASSOCIATION_BYTES * count.associations
                            + per_byte * count.wire_bytes + per_packet * count.packets)


@pytest.mark.parametrize("look", STEPS)
@pytest.mark.parametrize("kind", CONTROLLED)
def test_controls_are_harmless(kind, look):
    """So that the limits above are not wide enough for anything."""
    count = counted(kind, SMALL[kind], False)
    assert getattr(count, look) <= limit(count, look)


@pytest.mark.parametrize("kind", ["slots", "blocks", "asconf"])
def test_captures_hold_what_was_counted(kind, tshark, tmp_path):
    capture = tmp_path / f"{kind}.pcap"
    made = subprocess.run([PROGRAMS / "hostile_write", kind, capture, "3"], capture_output=True, text=True, check=True).stdout.split()
    chunks = tshark("-r", capture, "-T", "fields", "-e", "sctp.chunk_type", plugin=False).stdout.splitlines()
    assert [len(chunks), sum(len(line.split(",")) for line in chunks)] == [int(number) for number in made[:2]]
