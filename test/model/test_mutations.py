# SPDX-License-Identifier: GPL-2.0-or-later
"""The model finds what breaks a rule in real captures, and nobody is accused beside it.

By default in the sample of mutation_runs.py; with SCTPA_ALL_CAPTURES=1 in every one.
"""

import concurrent.futures
import csv
import os
import pathlib
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import accusations  # noqa: E402
import mutation_runs  # noqa: E402
import documents  # noqa: E402
import mutations  # noqa: E402

RULES = sorted({mutation.rule for mutation in mutations.load()})


def name_of(mutation):
    return mutation.rule, mutation.mutate.__name__


def of_capture(path, rules="*"):
    with tempfile.TemporaryDirectory() as folder:
        return [breach._replace(mutation=name_of(breach.mutation)) for breach in mutation_runs.breach(path, pathlib.Path(folder), rules)]


def breaches():
    rules = mutation_runs.SAMPLE.values()
    paths = [accusations.CAPTURES / name for name in mutation_runs.SAMPLE]
    if os.environ.get("SCTPA_ALL_CAPTURES"):
        paths = sorted(accusations.CAPTURES.glob("*/*/[AB].pcap*"))
        rules = ["*"] * len(paths)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        return [breach for found in pool.map(of_capture, paths, rules) for breach in found]


@pytest.fixture(scope="module")
def made(made_once):
    """Every breach of the captures."""
    return made_once("breaches", breaches)


@pytest.mark.parametrize("rule", RULES)
def test_finds_each_breach(rule, made):
    missed = [(breach.mutation[1], breach.capture) for breach in made if breach.mutation[0] == rule and not breach.found]
    assert not missed


@pytest.mark.parametrize("rule", RULES)
def test_accuses_of_nothing_else(rule, made):
    untrue = [(breach.mutation[1], breach.capture, finding) for breach in made if breach.mutation[0] == rule
              for finding in breach.untrue if finding.certainty == "proven"]
    assert not untrue


def test_every_mutation_has_a_place(made):
    assert not {name_of(mutation) for mutation in mutations.load()} - {breach.mutation for breach in made}


def test_every_rule_is_mutated_or_listed():
    with open(pathlib.Path(__file__).resolve().parent / "not_mutated.tsv", newline="", encoding="utf-8") as file:
        listed = {row["rule"]: row["why"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    assert all(why.strip() for why in listed.values())
    assert not set(listed) & set(RULES)
    assert set(documents.rules()) == set(listed) | set(RULES)


def test_causes_are_rules():
    assert not {cause for mutation in mutations.load() for cause in mutation.causes} - set(documents.rules())
