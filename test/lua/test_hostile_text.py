# SPDX-License-Identifier: GPL-2.0-or-later
"""Text that a peer chose (the reason of an ABORT) reaches no terminal as it is, whatever the script and format.

Leaves out the reports of the plugin: test/tshark/test_hostile.py.
"""

import csv
import io
import json
import pathlib
import sys

import pytest
from lua_script import run_script, scripts  # noqa: F401

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "test" / "model")]

import scenario_builder  # noqa: E402
from generate import chunks  # noqa: E402

REASON = '=HYPERLINK("http://x"),\x1b[31m\r\n\u202egnol '.encode() + b"\xff" + b"%s\\"
SHOWN = r'User-Initiated Abort: =HYPERLINK("http://x"),\x1b[31m\x0d\x0a\u{202e}gnol \xff%s\ '.rstrip()


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hostile.pcapng"
    scenario_builder.ScenarioBuilder().set_up().exchange(2).send(0, chunks.abort(chunks.user_abort(REASON))).write_capture(path)
    return path


@pytest.mark.parametrize("script, arguments, column", [("sctp_batch.lua", ["rows=events"], "detail"), ("sctp_watch.lua", [], "text")])
def test_a_reason_is_escaped(script, arguments, column, hostile, run_script):
    told = run_script(script, hostile, *arguments, "format=ndjson")
    assert [json.loads(line)[column] for line in told.splitlines()][-1] == SHOWN
    rows = list(csv.DictReader(io.StringIO(run_script(script, hostile, *arguments, "format=csv"))))
    assert rows[-1][column] == SHOWN
    assert told.isascii()


def test_a_line_of_the_watch_stays_a_line(hostile, run_script):
    text = run_script("sctp_watch.lua", hostile)
    assert text.isascii() and not any(ord(letter) < 32 and letter != "\n" for letter in text)
    assert text.splitlines()[-1].endswith(SHOWN)
