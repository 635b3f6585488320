# SPDX-License-Identifier: GPL-2.0-or-later
"""What the first screen says of chunks that were given up: what SACKs reported missing did not arrive, and a FORWARD-TSN has to be repeated."""

import json

import pytest
from timed_scenario import TimedScenario, chunks, page_of

PARTIAL = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)


def given_up(sender, misses, rounds=0, spacing=0.05, forwards=1, takes_effect=False, missing=1, near=True, **options):
    """The chunks from TSN 2 on are lost and given up by FORWARD-TSNs after so many SACKs for higher ones; then rounds of DATA and SACK follow."""
    ways_ns = (100_000, 20_000_000)[::1 if (sender == 0) == near else -1]
    scenario = TimedScenario(near_ns=ways_ns[0], far_ns=ways_ns[1], params=(PARTIAL, PARTIAL), **options)
    last = 1 + missing
    scenario.data_at(0.1, sender, 0, 1)
    scenario.sack_at(0.14, 1 - sender, 1)
    for at, number in enumerate(range(2, last + 1)):
        scenario.data_at(0.2 + at / 1000, sender, number)
    number, now = last + 1, 0.3
    for at in range(misses):
        scenario.data_at(now, sender, number)
        scenario.sack_at(now + 0.04, 1 - sender, 1, gaps=((last, number - 1),))
        number, now = number + 1, now + spacing
    for _ in range(forwards):
        scenario.at(now, sender, chunks.forward_tsn(scenario.tsn(sender, last), ((0, 2),)))
        now += 0.01
    if takes_effect:
        scenario.sack_at(now + 0.04, 1 - sender, number - 1)
    for at in range(rounds):
        scenario.data_at(now + 0.05, sender, number)
        scenario.sack_at(now + 0.09, 1 - sender, number if takes_effect else 1, gaps=() if takes_effect else ((last, number - 1),))
        number, now = number + 1, now + max(spacing, 0.1)
    return scenario


NOT_REPEATED = "was not repeated, though {} SACKs of endpoint {} in"


@pytest.mark.parametrize("sender, misses, missing, words", [
    (0, 1, 1, "gave up 1 chunk; 1 had not arrived when SACKs reported it missing"),
    (1, 5, 4, "gave up 4 chunks; 4 had not arrived when SACKs reported them missing")])
@pytest.mark.parametrize("takes_effect", [False, True])
def test_what_sacks_report_missing_had_not_arrived(tshark, tmp_path, sender, misses, missing, words, takes_effect):
    page = page_of(tshark, tmp_path, given_up(sender, misses, missing=missing, takes_effect=takes_effect))
    assert words in page and "not decidable" not in page.split("Contents:")[0] and "most likely arrived" not in page
    assert f"{missing} {'was' if missing == 1 else 'were'} given up, reported missing by SACKs" in page


def test_what_no_sack_reports_missing_may_have_arrived(tshark, tmp_path):
    page = page_of(tshark, tmp_path, given_up(0, 0, takes_effect=True))
    assert "whether it arrived is not decidable" in page and "reported it missing" not in page


@pytest.mark.parametrize("sender, rounds", [(0, 15), (1, 30)])
def test_a_forward_tsn_without_effect_has_to_be_repeated(tshark, tmp_path, sender, rounds):
    page = page_of(tshark, tmp_path, given_up(sender, 3, rounds))
    assert NOT_REPEATED.format(rounds, 1 - sender) in page
    assert f"after it stay below it: most likely it was lost, and endpoint {sender} has to send it again (RFC 3758 3.5)" in page


@pytest.mark.parametrize("options", [{"takes_effect": True}, {"forwards": 2}, {"rounds": 4}, {"identification": 0, "near": False}])
def test_one_that_takes_effect_or_is_repeated_or_may_be_unseen_is_not_blamed(tshark, tmp_path, options):
    assert "was not repeated" not in page_of(tshark, tmp_path, given_up(0, 3, **{"rounds": 15, **options}))


@pytest.mark.parametrize("sender, misses, missing, rounds, span_s", [(0, 4, 3, 0, 0.35), (1, 6, 7, 0, 0.45), (0, 0, 3, 4, 0.56)])
def test_goodput_leaves_out_what_was_given_up_and_reported_missing(tshark, tmp_path, sender, misses, missing, rounds, span_s):
    """What no SACK reports missing may have arrived, and counts."""
    given_up(sender, misses, rounds, missing=missing, takes_effect=True).write_capture(tmp_path / "capture.pcapng")
    (association,) = json.loads(tshark.json_report(tmp_path / "capture.pcapng"))["associations"]
    (direction,) = [one for one in association["directions"] if one["from"] == sender]
    assert direction["user_bytes"] == 100 * direction["tsns"]
    assert direction["goodput_bps"] == pytest.approx((direction["user_bytes"] - 100 * missing * (misses > 0)) * 8 / span_s, abs=0.06)
