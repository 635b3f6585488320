# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects ./run compare: the test of ranks against known values, findings new and gone, figures that differ, too few runs."""

import json
import math
import shutil
import sys

import pytest

from conftest import TOP
from test_check import CAPTURES, CLEAN, IDATA, run

sys.path.append(str(TOP))

from sctpa.check.rank_test import p_value  # noqa: E402

# R's sleep, of wilcox.test: W = 25.5, p = 0.06933, with ties and continuity correction.
SLEEP = ([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
# Hollander and Wolfe (1973), 69 f., of R's wilcox.test: W = 35, one-sided p = 0.1272.
PERMEABILITY = ([0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.90, 0.74, 1.21])


@pytest.mark.parametrize("first, second, p", [
    ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 2 / math.comb(10, 5)),
    ([19, 22, 16, 29, 24], [20, 11, 17, 12], 1 / 9),
    (*PERMEABILITY, 0.2544),
    (*SLEEP, 0.06933),
    ([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 1),
])
def test_p_is_as_published(first, second, p):
    assert p_value(first, second) == pytest.approx(p, abs=5e-5) and p_value(second, first) == pytest.approx(p, abs=5e-5)


def sides(tmp_path, old, new):
    for name, paths in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        for number, path in enumerate(paths):
            shutil.copy(path, tmp_path / name / f"{number}{''.join(path.suffixes)}")
    return tmp_path / "old", tmp_path / "new"


def test_the_same_is_the_same_and_few_runs_are_not_tested():
    result = run("compare", CLEAN, CLEAN)
    assert result.returncode == 0 and "Findings: the same" in result.stdout and "Too few runs" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_findings_are_new_and_gone():
    result = run("compare", "--rules", "ID-*,FMT-*", CLEAN, IDATA)
    assert result.returncode == 1 and "New findings\n  ID-005/initiator/" in result.stdout
    result = run("compare", "--rules", "ID-*,FMT-*", IDATA, CLEAN)
    assert result.returncode == 0 and "Findings gone\n  ID-005/initiator/" in result.stdout


@pytest.mark.thorough
def test_figures_are_tested_from_five_runs_on(tmp_path):
    old, new = sides(tmp_path, [CAPTURES / "linux/bulk-loss1/A.pcapng.gz"] * 5, [CAPTURES / "linux/bulk-burstloss/A.pcapng.gz"] * 5)
    rows = {(row["role"], row["word"]): row for row in json.loads(run("compare", "--format", "json", old, new).stdout)["figures"]}
    assert rows["initiator", "rtx"]["runs"] == [5, 5] and rows["initiator", "rtx"]["p"] < 0.01 and rows["initiator", "rtx"]["is_worse"]
    assert not any(row["differs"] for row in json.loads(run("compare", "--format", "json", old, old).stdout)["figures"])


def test_what_cannot_be_judged_is_no_green(tmp_path):
    (tmp_path / "empty.pcap").touch()
    assert run("compare", CLEAN, tmp_path / "empty.pcap").returncode == 3
    assert run("compare", CLEAN).returncode == 2
