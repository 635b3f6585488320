# SPDX-License-Identifier: GPL-2.0-or-later
"""Conforming pairs have no proven finding of MUST or SHOULD, but for those that a row of known_findings.tsv explains; it only shrinks."""

import pathlib
import subprocess

import pytest

from . import judging, pairs

SAMPLE = range(5000, 5060)
FOLDER = pathlib.Path(__file__).resolve().parent
AT_A = (pairs.WHOLE, judging.COMPLETE_AT_A)
ANY = (True, ())
# Pairs in which something was proven, or probable, that is not true: disagreements.md tells each.
MENDED = {
    "random_taps": (
        ANY,
        [7303632, 7300499, 7332742, 7343045, 7351645, 7352381, 7360184, 9000325, 9001120, 9001984, 9002721, 9008422, 9041329, 9104968],
    ),
    "facts_asserted": (
        AT_A,
        [7971169, 7990801, 9500301, 9500363, 9500744, 9501216, 9501705, 9501941, 9502525, 9506017, 9506199, 9506479, 9506716, 9506890]
        + [9510304, 9510811, 9511094, 9511921, 9530164, 9541219, 9700240, 20000604, 20000991, 20001136, 20010020, 20030062],
    ),
}

pytestmark = pytest.mark.skipif(not judging.PROGRAM.exists(), reason="judge_core is not built")


def judged(seeds, has_taps, options, folder):
    """(findings, {seed: Pair})."""
    made = {seed: pairs.run(seed, has_taps)[0] for seed in seeds}
    return judging.judged({seed: judging.stored(pair.world.taps) for seed, pair in made.items()}, folder, options), made


@pytest.mark.parametrize("has_taps, options", [ANY, AT_A], ids=["random_taps", "facts_asserted"])
def test_no_proven_finding(has_taps, options, tmp_path):
    findings, made = judged(SAMPLE, has_taps, options, tmp_path)
    assert not judging.unknown(findings, made.get), "test/simulator/run --random SEED --out F"


@pytest.mark.parametrize("name", MENDED)
def test_what_was_mended_accuses_nobody(name, tmp_path):
    (has_taps, options), seeds = MENDED[name]
    findings, made = judged(seeds, has_taps, options, tmp_path)
    rows = judging.known()
    unexplained = [one for one in findings if not any(rule == one.rule and judging.explains(where, made[one.seed]) for rule, where in rows)]
    assert not [finding for finding in unexplained if finding.level in ("MUST", "SHOULD")]


def test_a_row_explains_what_its_policy_has():
    pair = pairs.drawn(5000, False)
    pair.client.policy.change(sack_delay_ns=300_000_000, timeout_path="same", reports_duplicates=True)
    pair.server.policy.change(sack_delay_ns=100_000_000, timeout_path="another", reports_duplicates=True)
    assert judging.explains("policy sack_delay_ns > 200000000", pair) and not judging.explains("policy sack_delay_ns > 300000000", pair)
    assert judging.explains("policy timeout_path = same", pair) and not judging.explains("policy reports_duplicates = False", pair)


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
