"""What the core does with hostile loads, counted in steps and bytes, which a busy machine does not change.

Times of the whole plugin are test/bench/hostile's.
"""

import collections
import functools
import pathlib
import subprocess

import pytest

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "asan" / "test" / "hostile"
TWICE = 2.2
# Harmless loads take 20 to 40 steps a byte, packets of one short chunk up to 2,000 more, parameters of four bytes 85 a byte.
READ_STEPS = (100, 2500)
LOOK_STEPS = (15, 500)
MEMORY_BYTES = (64 << 20, 100, 1500)

Count = collections.namedtuple("Count", "read look memory wire_bytes packets chunks associations")


def listed():
    """Rows of hostile_write --list: kind, look, control, small n, what it attacks."""
    if not (PROGRAMS / "hostile_write").exists():
        return []
    rows = subprocess.run([PROGRAMS / "hostile_write", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [row.split("\t") for row in rows]


SMALL = {kind: int(n) for kind, _, _, n, _ in listed()}
CONTROLLED = [kind for kind, _, control, _, _ in listed() if control == "control"]


@functools.cache
def counted(kind, n, is_hostile=True):
    return Count(*map(int, subprocess.run([PROGRAMS / "hostile_steps", kind, str(n), str(int(is_hostile))],
                                          capture_output=True, text=True, check=True, timeout=120).stdout.split()))


def limit(count, per_byte, per_packet):
    return per_byte * count.wire_bytes + per_packet * count.packets


def test_programs_are_built():
    assert len(SMALL) > 30, f"no {PROGRAMS}/hostile_write: run test/run"


@pytest.mark.parametrize("kind", SMALL)
def test_reading_takes_steps_in_proportion_to_bytes(kind):
    count = counted(kind, SMALL[kind])
    assert count.read <= limit(count, *READ_STEPS), f"{count.read / count.wire_bytes:.0f} steps a byte"


@pytest.mark.parametrize("kind", SMALL)
def test_looking_takes_steps_in_proportion_to_bytes(kind):
    count = counted(kind, SMALL[kind])
    assert count.look <= limit(count, *LOOK_STEPS), f"{count.look / count.wire_bytes:.0f} steps a byte"


@pytest.mark.parametrize("kind", SMALL)
def test_twice_the_load_takes_twice_the_steps(kind):
    once, twice = counted(kind, SMALL[kind]), counted(kind, 2 * SMALL[kind])
    for what in ("read", "look"):
        # What is the same at every size, such as set-up, does not count as growth.
        assert getattr(twice, what) <= TWICE * getattr(once, what) + 100_000, what


@pytest.mark.parametrize("kind", SMALL)
def test_memory_is_bounded(kind):
    count = counted(kind, 2 * SMALL[kind])
    fixed, per_chunk, per_association = MEMORY_BYTES
    assert count.memory <= fixed + per_chunk * count.chunks + per_association * count.associations


@pytest.mark.parametrize("kind", CONTROLLED)
def test_controls_are_harmless(kind):
    """So that the limits above are not wide enough for anything."""
    count = counted(kind, SMALL[kind], False)
    assert count.read <= limit(count, *READ_STEPS) and count.look <= limit(count, *LOOK_STEPS)


@pytest.mark.parametrize("kind", ["slots", "blocks", "asconf"])
def test_captures_hold_what_was_counted(kind, tshark, tmp_path):
    capture = tmp_path / f"{kind}.pcap"
    made = subprocess.run([PROGRAMS / "hostile_write", kind, capture, "3"], capture_output=True, text=True, check=True).stdout.split()
    chunks = tshark("-r", capture, "-T", "fields", "-e", "sctp.chunk_type", plugin=False).stdout.splitlines()
    assert [len(chunks), sum(len(line.split(",")) for line in chunks)] == [int(number) for number in made[:2]]
