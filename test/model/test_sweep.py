# SPDX-License-Identifier: GPL-2.0-or-later
"""Worse copies of captures make nobody accused: a sample of test/model/sweep, by the build under sanitizers. What is known stands in
false_in_sweep.tsv, which only shrinks."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import sweeps  # noqa: E402
import variations  # noqa: E402


@pytest.fixture(scope="module")
def made():
    return sweeps.sample()


@pytest.mark.thorough
def test_false_accusations_are_known(made):
    false = sweeps.known_as(sweeps.Table(made).false)
    assert not set(false) - set(sweeps.listed()), "new"
    assert not set(sweeps.listed()) - set(false), "mended: take it out of the list"


@pytest.mark.thorough
def test_every_variation_is_in_the_sample(made):
    assert {sums.kind for sums in made} == set(sweeps.KINDS)


def test_a_deviation_that_the_whole_lacks_is_seen(tmp_path):
    """The deviation stands in the copy alone: it must come out as new and proven."""
    paths = []
    for name in ("RX-006-1", "RX-006-innocent-1"):
        sweeps._write(list(sweeps.extract.packets(str(sweeps.labels.FOLDER / f"{name}.pcap.gz"))), tmp_path / name, {})
        paths.append(str(tmp_path / name))
    result = sweeps.subprocess.run([sweeps.PROGRAMS["asan"], "--profile", "9260", paths[1], paths[0]], capture_output=True, text=True, check=True)
    new, copies, _ = sweeps._read(result.stdout, {})
    assert copies == 1
    assert [("RX-006", "proven", "-")] == [(rule, certainty, before) for _, rule, _, _, certainty, before, _ in new]


@pytest.mark.parametrize("kind", variations.WORSE)
def test_variations_repeat(kind):
    packets = list(sweeps.extract.packets(str(sweeps.labels.FOLDER / "RX-006-1.pcap.gz")))
    assert variations.WORSE[kind](packets, 7) == variations.WORSE[kind](packets, 7)
