# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures of tests that fail and of the same tests that pass: a simulated endpoint with one deviation, its twin by the same seed without.

The endpoint under test is B of the simulator, so that all of them are taken at the same addresses. Leaves judging them to the tests.
"""

import sys

from conftest import TOP

sys.path[:0] = [path for path in (str(TOP / "test"),) if path not in sys.path]

from simulator import deviation, occasions  # noqa: E402

UNDER_TEST = [prefix.format(path) for path in (1, 2, 3) for prefix in ("10.{}.0.2", "2001:db8:{}::2")]
SEEDS = 12


def taken_at():
    """Options that name the endpoint under test."""
    return [f"--taken-at={address}" for address in UNDER_TEST]


def _run(row, seed, deviates, is_once=False):
    world, made = occasions.drawn(row, seed, deviates)
    made.share = 0 if is_once else made.share
    world.run(world.until_ns, occasions.EVENTS_MAX)
    return world, made


def write(names, failing, passing, is_once=False):
    """Writes NAME.pcapng of each deviation into both folders, of the first context in which it happens at B. is_once: no more than once."""
    for name in names:
        row = deviation.rows()[name]
        for seed in range(SEEDS):
            world, made = _run(row, f"gate/{seed}", True, is_once)
            if made.times and made.endpoint_name == "B":
                break
        else:
            raise RuntimeError(f"{name} happens at B in none of {SEEDS} contexts")
        twin, _ = _run(row, f"gate/{seed}", False)
        for folder, each in ((failing, world), (passing, twin)):
            (folder / f"{name}.pcapng").write_bytes(each.captures())
            (folder / f"{name}.pcapng").chmod(0o644)
