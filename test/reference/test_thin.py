# SPDX-License-Identifier: GPL-2.0-or-later
"""What the plugin says of a capture holds when the capture is worse: with packets missing it must not make up a kind of
retransmission, and with every packet twice it must report the same."""

import json
import os
import re

import pytest
from conftest import capture_files, capture_id

from reference import associations, frames, shown, thin

STEP = 1 if os.environ.get("SCTPA_ALL_CAPTURES") else 8
KINDS = ("retransmission", "spurious")
CLAIMS = ("fast", "timeout")
FRAME_KEYS = ("frame", "first_frame", "last_frame", "frames", "from_frame", "to_frame", "lost_frame", "timeout_frame", "timer_from_frame",
              "answered_frame", "longest_interval_frame", "slowest_answer_frame", "slowest_ack_frame", "behind_frame", "slowest_sent_frame",
              "asked_frame", "request_acked_frame", "acked_frame", "reason_frame")
# Where a packet that seems to be sent twice is a copy for sure, rules about retransmissions have fewer occasions, never more findings.
TWO_TAPS_TELL = ("transit", "tap_delay", "checked_rules", "undecided_rules", "rules", "rule_sets")
ABOUT_THE_FILE = ("file", "frames", "sctp_packets", "quality")


def lab_captures():
    return [path for path in capture_files() if associations.truth_table(path)]


def each_lab_capture(start=0):
    """start: another sample for each test."""
    return pytest.mark.parametrize("lab_capture", lab_captures()[start if STEP > 1 else 0::STEP], ids=capture_id)


def claims(tshark, path, numbers):
    """Original frame -> set of the claims among fast, timeout and spurious that the plugin makes of it."""
    names = ("frame.number", *(shown.PREFIX + kind for kind in KINDS))
    rows = shown.compare.fields(tshark, path, names, ("-2",))
    result = {}
    for (frame,), kinds, spurious in rows:
        said = {kind for kind in kinds if kind in CLAIMS} | {"spurious" for value in spurious if value in ("1", "True")}
        if said:
            result[numbers[int(frame) - 1]] = said
    return result


def made_up(full, worse):
    """(original frame, claims) that only the worse capture has."""
    return [(frame, said - full.get(frame, set())) for frame, said in sorted(worse.items()) if said - full.get(frame, set())]


@pytest.mark.thorough_but_one_in(8)
@each_lab_capture()
def test_missing_packets_make_up_no_retransmission_kind(lab_capture, tshark, tmp_path):
    if shown.fields_of_plugin(tshark, KINDS) != KINDS:
        pytest.skip("no fields sctp.analysis.retransmission and sctp.analysis.spurious yet")
    original = frames.frames(lab_capture)
    full = claims(tshark, lab_capture, [frame.number for frame in original])
    for seed in (1, 2):
        path = tmp_path / f"thin{seed}.pcapng"
        numbers = thin.write(path, thin.thinned(original, seed=seed))
        wrong = made_up(full, claims(tshark, path, numbers))
        assert wrong == [], "\n".join(f"seed {seed}, frame {frame} of the original: {sorted(said)}" for frame, said in wrong)


def report(tshark, path):
    result = tshark("-q", "-r", path, "-z", "sctp,json")
    assert result.returncode in (0, 2), result.stderr
    return json.loads(result.stdout)


def renumbered(value, numbers, key=None):
    """A report with the frame numbers of the original, and nothing about the file, its quality and what only two taps can tell."""
    if isinstance(value, dict):
        return {name: renumbered(inner, numbers, name) for name, inner in value.items() if name not in TWO_TAPS_TELL}
    if isinstance(value, list):
        return [renumbered(inner, numbers, key) for inner in value]
    if key == "evidence":
        return re.sub(r"\(frame (\d+)\)", lambda match: f"(frame {numbers[int(match[1]) - 1]})", value)
    return numbers[value - 1] if key in FRAME_KEYS and value else value


def comparable(document, numbers):
    about = {key: value for key, value in document["capture"].items() if key not in ABOUT_THE_FILE}
    return renumbered({**document, "capture": about}, numbers)


def different(one, other, place="report"):
    """Where two reports differ, as sentences."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [text for key in one for text in different(one[key], other[key], f"{place}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [text for index, pair in enumerate(zip(one, other)) for text in different(*pair, f"{place}[{index}]")]
    return [] if one == other else [f"{place}: {str(one)[:200]}, with every packet twice {str(other)[:200]}"]


@pytest.mark.thorough_but_one_in(8)
@each_lab_capture(3)
def test_every_packet_twice_is_reported_as_once(lab_capture, tshark, tmp_path):
    original = frames.frames(lab_capture)
    once, both = tmp_path / "once.pcapng", tmp_path / "both.pcapng"
    numbers = thin.write(once, original)
    expected = comparable(report(tshark, once), numbers)
    numbers = thin.write(both, thin.twice(original))
    wrong = different(expected, comparable(report(tshark, both), numbers))
    assert wrong == [], "\n".join(wrong)


@each_lab_capture(5)
def test_a_copy_is_written_frame_by_frame(lab_capture, tmp_path):
    original = frames.frames(lab_capture)
    path = tmp_path / "copy.pcapng"
    assert thin.write(path, original) == list(range(1, len(original) + 1))
    written = frames.frames(path)
    assert [(frame.time_ns, frame.link, frame.data, frame.wire_bytes) for frame in written] == \
        [(frame.time_ns, frame.link, frame.data, frame.wire_bytes) for frame in original]
    assert len(thin.thinned(original)) == len(original) - max(1, round(len(original) / 100))
    assert {len(frame.data) for frame in thin.cut(original, 60)} <= set(range(61))
