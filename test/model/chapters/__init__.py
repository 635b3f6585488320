# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests the rules of each chapter of core/model/chapters: its scenarios, its mutations, and LEFT_OUT, the numbers that are no rules."""

import importlib
import pathlib


def modules():
    """Each chapter, imported, so that its scenarios and mutations are registered."""
    return [importlib.import_module(f"chapters.{path.stem}") for path in sorted(pathlib.Path(__file__).parent.glob("[a-z]*.py"))]


def left_out():
    """{number: (what became of it, why)} of the candidates that are no rules."""
    return {number: (what, why) for chapter in modules() for number, what, why in chapter.LEFT_OUT}
