# SPDX-License-Identifier: GPL-2.0-or-later
"""Conforming pairs have no proven finding of MUST or SHOULD, but for those that known_findings.tsv lists; it only shrinks."""

import csv
import pathlib
import subprocess

import pytest

from . import judging, pairs

SAMPLE = range(5000, 5060)
FOLDER = pathlib.Path(__file__).resolve().parent
KNOWN = FOLDER / "known_findings.tsv"

pytestmark = pytest.mark.skipif(not judging.PROGRAM.exists(), reason="judge_core is not built")


def known():
    with open(KNOWN, encoding="utf-8", newline="") as file:
        return {row["rule"] for row in csv.DictReader(file, delimiter="\t")}


@pytest.mark.parametrize("has_taps, options", [(True, ()), (pairs.WHOLE, judging.COMPLETE_AT_A)], ids=["random_taps", "facts_asserted"])
def test_no_proven_finding(has_taps, options, tmp_path):
    captures = {seed: judging.stored(pairs.run(seed, has_taps)[0].world.taps) for seed in SAMPLE}
    proven = [
        finding
        for finding in judging.judged(captures, tmp_path, options)
        if finding.certainty == "proven" and finding.level in ("MUST", "SHOULD") and finding.rule not in known()
    ]
    assert not proven, "test/simulator/run --random SEED --out F"


def test_a_capture_is_stored_as_its_file_holds_it(tmp_path):
    """But for the interface, which extract.py does not read, and stamps, which it rounds."""
    world = pairs.run(5000, pairs.WHOLE)[0].world
    path = tmp_path / "capture.pcapng"
    path.write_bytes(world.captures())
    direct, from_file = judging.packets(world.taps), list(judging.extract.packets(str(path)))
    assert len(direct) > 5
    for one, other in zip(direct, from_file, strict=True):
        assert abs(one.pop("time_ns") - other.pop("time_ns")) < 1000 and one.pop("interface") == 0 and one == other


@pytest.mark.parametrize(
    "command", [["sweep", "--runs", "2", "--jobs", "1", "--judge"], ["recall", "init-tag-zero", "--contexts", "1"]], ids=lambda words: words[0]
)
def test_a_program_that_judges_runs(command):
    """As a program: its own folder, in which files are named as folders of the tests are, is no place to import from."""
    program, *options = command
    result = subprocess.run(
        [FOLDER / program, *options, "--core", judging.PROGRAM], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=120
    )
    assert result.returncode == 0 and not result.stderr, result.stderr
