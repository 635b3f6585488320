# SPDX-License-Identifier: GPL-2.0-or-later
"""Hand-made cases: the reference computes what was worked out by hand, and the plugin what the reference computes."""

import pytest

from reference import frames, oracle, shown, thin
from reference.cases import CASES


def analysed(script):
    return oracle.analyse(frames.sctp_packets(script.frames), {frame.number: 0 for frame in script.frames})


@pytest.mark.thorough_but_one_in(1, never="jumps_far")
@pytest.mark.parametrize("name", CASES)
def test_reference_computes_what_was_worked_out_by_hand(name):
    script = CASES[name]()
    association, = analysed(script)
    wrong = [f"frame {frame}: {field} {found}, by hand {values}"
             for frame, fields in script.expected.items() for field, values in fields.items()
             if (found := shown.comparable(field, association.values[frame][field], frame)) != shown.comparable(field, values, frame)]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.thorough_but_one_in(2, never="jumps_far")
@pytest.mark.parametrize("name", CASES)
def test_case_is_measured_as_by_the_reference(name, tshark, tmp_path):
    script = CASES[name]()
    path = tmp_path / f"{name}.pcapng"
    thin.write(path, script.frames)
    fields = shown.fields_of_plugin(tshark)
    wrong = shown.differences(analysed(script), shown.rows(tshark, path, fields), fields)
    assert wrong == [], "\n".join(wrong)
