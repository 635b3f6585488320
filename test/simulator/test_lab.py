# SPDX-License-Identifier: GPL-2.0-or-later
"""A fixed sample of the lab's scenarios comes to the figures of the real runs; the page names a reason for whatever does not.

Left out: the other scenarios, which take minutes (lab.py --write).
"""

import pathlib

import pytest

from . import lab, lab_recipes

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "generated" / "simulator_lab.md"
RECIPES = {recipe.path: recipe for recipe in lab_recipes.RECIPES}
# What is outside the bar, as REASONS explain.
SAMPLE = {
    "linux/init-fail": set(),
    "usrsctp/bulk-queue": {"retransmitted after misses"},
    "pion/outage": {"retransmitted after a timeout"},
}


@pytest.mark.parametrize("path", SAMPLE)
def test_figures_of_real_stack(path):
    outside = {row.name: (row.real, row.simulated) for row in lab.compare(RECIPES[path]) if not row.is_within}
    assert set(outside) == SAMPLE[path], outside


def test_page_explains_what_is_outside():
    text = PAGE.read_text(encoding="utf-8")
    outside = {line.split("|")[1].strip() for line in text.splitlines() if line.endswith("| outside |") and "/" in line}
    assert outside <= set(lab_recipes.REASONS) and "not explained" not in text


def test_runs_are_kept_between_calls(tmp_path):
    recipe, path = RECIPES["dcsctp/setup-loss30"], tmp_path / "runs.json"
    first = lab.Runs(path)
    figures = first.of(recipe, 2)
    first.save()
    again = lab.Runs(path, seconds=0)
    assert again.of(recipe, 3) == figures and figures[0] == lab.simulated(recipe, 0)
