# SPDX-License-Identifier: GPL-2.0-or-later
"""Which changes of C code are drawn, and what they make of it."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import changes  # noqa: E402

CODE = """/* a < b */
#define LIMIT 3
static bool is_far(const char *text, int n)
{
    /* n > 2 && n < 4 */
    if (n > LIMIT)
        return true;
    return n + 1 == 7 && text[0] != '<'; /* or "a < b" */
}
"""


def made(old):
    return [(change.line, changes.changed(CODE, change).split("\n")[change.line - 1].strip())
            for change in changes.places(pathlib.Path("x.c"), CODE) if change.old == old]


@pytest.mark.parametrize("old, expected", [
    ("n > LIMIT", [(6, "if (!(n > LIMIT))")]), ("true", [(7, "return false;")]), ("==", [(8, "return n + 1 != 7 && text[0] != '<'; /* or \"a < b\" */")]),
    ("7", [(8, "return n + 1 == 8 && text[0] != '<'; /* or \"a < b\" */")]), ("<", []), ("3", []),
])
def test_code_is_changed_and_no_comment_or_text(old, expected):
    assert made(old) == expected


def test_the_same_are_drawn_for_a_seed_and_one_of_a_line(tmp_path):
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text(CODE)
    paths = list(tmp_path.iterdir())
    drawn = changes.draw(paths, 100, 1)
    assert drawn == changes.draw(paths[::-1], 100, 1) != changes.draw(paths, 100, 2)
    assert len({(change.path, change.line) for change in drawn}) == len(drawn) == 6
