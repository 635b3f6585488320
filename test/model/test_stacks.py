# SPDX-License-Identifier: GPL-2.0-or-later
"""Endpoints of the lab are named as what they are, or not at all; and nearly all of them are named."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import accusations  # noqa: E402

NAMES = {"linux": {"Linux"}, "usrsctp": {"FreeBSD or usrsctp"}, "dcsctp": {"dcSCTP"}, "pion": {"pion"},
         "interop": {"Linux", "FreeBSD or usrsctp"}}


@pytest.mark.thorough
def test_stacks_of_the_lab(tmp_path):
    named = unnamed = 0
    for path in sorted(accusations.CAPTURES.glob("*/**/A.pcap*")):
        expected = NAMES[path.relative_to(accusations.CAPTURES).parts[0]]
        for name, _, judged in accusations.judge([path], ["whole"], tmp_path):
            for (assoc, end), rules in judged.judged.items():
                stack = judged.stacks.get((assoc, end))
                assert stack is None or stack in expected, (name, assoc, end, stack)
                named += stack is not None
                unnamed += stack is None
    assert named > 3 * unnamed > 0
