# SPDX-License-Identifier: GPL-2.0-or-later
"""What the triage page and the report of pauses say as a fact of random pairs is true; of kinds in known_sentences.tsv it may be false."""

import pytest

from . import copies, sentences_run
from .page import Page, ns_of, rows_of
from .statements import ENDINGS, FACT, KINDS

SAMPLE = (2, 6, 8, 13, 25, 52)
# Runs in which a sentence of a kind was false once: seed, kind, and what it said.
MENDED = [
    (8, "page: lost between capture point and receiver", "data had arrived, and its SACK was lost before the capture point"),
    (13, "page: lost between capture point and receiver", "nothing of the receiver showed that: its packets held no SACK"),
    (18, "pause: delayed SACK", "of two paths the round trip of the other one was taken for that of the first data"),
    (1128, "pause: delayed SACK", "the same by HEARTBEATs"),
    (1075, "pause: SHUTDOWN taken for a closed window", "data was lost before the capture"),
    (1057, "path: no timeout before", "retransmissions of what was lost before the capture counted as new data"),
    (1129, "path: an application set the primary", "a timeout moved the last chunk, which was lost before the capture"),
    (1042, "pause: frame was lost", "an endpoint without association discarded it"),
    (28, "pause: frame was lost", "the same, captured at several places"),
    (145, "pause: repeated loss", "data that came before the COOKIE ACK, which was lost, was discarded"),
    (25, "pause: no ack passed the capture point", "what was retransmitted had been acknowledged before the pause"),
    (1311, "pause: the sender held back", "what it waited for was a retransmission of what was lost before the capture"),
    (7, "pause: n timeouts in a row", "cwnd let what an earlier timeout marked leave only now"),
    (64, "failure: most likely ignores ABORTs", "they were lost between two taps"),
    (1114, "pause: path without answer", "two losses by chance"),
    (600245, "path: no timeout before", "a timeout sent again, elsewhere, what a host had lost beside the tap"),
    (600322, "path: new data moved to", "the same; an identification of its packets was missing"),
    (600156, "path: new data most likely moved to", "data lost before the capture was sent again on another path"),
    (40000042, "pause: the sender held back", "Max.Burst of one packet"),
    (44000111, "pause: the sender held back", "a retransmission for a smaller PMTU, in IP fragments"),
    (44000108, "path: new data most likely moved to", "RTO.Min of 300 ms"),
    (44000274, "path: new data most likely moved to", "retransmissions on the other path showed before it"),
    (40000007, "pause: most likely a delayed SACK", "the SACK came back by a longer path than the data took"),
    (40000137, "pause: most likely a delayed SACK", "the ack of a retransmission was taken for a round trip"),
    (40000227, "pause: most likely a delayed SACK", "the SACK waited in a queue behind data of its sender"),
    (40000254, "pause: most likely a full cwnd, or Nagle", "what followed answered a message that had come late in the pause"),
    (600374, "pause: most likely a full cwnd, or Nagle", "the same"),
    (40000254, "retransmissions: RTO below the SACK delay", "the SACKs waited in a queue"),
    (40000225, "retransmissions: spurious", "a retransmission on a path with a shorter round trip than any that was known"),
    (600310, "path: no answer to HEARTBEATs", "a HEARTBEAT before the last two was answered"),
    (40000014, "path: no answer to HEARTBEATs", "both copies of a doubled HEARTBEAT were answered"),
    (600327, "retransmissions: fast", "three SACKs seemed to miss what an earlier one had acknowledged"),
    (600327, "retransmissions: reordered on the way", "the same"),
    (600346, "pause: repeated loss", "the SACK of a retransmission by another path was held back"),
    (40000099, "two taps: lost between, or missed", "ABORTs that are all alike"),
]


@pytest.fixture(scope="module")
def reader():
    with sentences_run.Reader() as made:
        yield made


@pytest.mark.parametrize("seed", SAMPLE)
def test_what_is_stated_as_a_fact_is_true(reader, seed):
    known = sentences_run.known()
    said = sentences_run.run(seed, reader)["statements"]
    false = [one for one in said if one["certainty"] == FACT and one["verdict"] is False and one["kind"] not in known]
    assert said and not false, f"test/simulator/sentences --first {seed} --runs 1"


@pytest.mark.thorough_but_one_in(3)
@pytest.mark.parametrize("seed, kind", sorted({(seed, kind) for seed, kind, _ in MENDED}))
def test_what_was_false_is_not_said_any_more(reader, seed, kind):
    said = sentences_run.run(seed, reader, names=[copies.WHOLE])["statements"]
    assert said and not [one for one in said if one["kind"] == kind and one["verdict"] is False]


def test_each_kind_that_is_known_to_be_false_is_one_that_is_judged():
    names = {kind.name for kind in KINDS} | {f"ending: {word}" for word in ENDINGS}
    assert set(sentences_run.known()) <= names


def test_the_page_is_read_sentence_by_sentence():
    text = (
        "Failures: 1 of 1 association\n#  alike  endpoint 0  endpoint 1  end  at\n----\n0      1  10.1.0.1:34567  10.1.0.2:5001  refused  COOKIE_ECHO\n"
        "      by endpoint 1 after 37.89 ms,\n      frame 4\n\nPauses: in 1 of 1 association\n  #0 1→0  lost 2.219 s of\n          13.89 s\n"
        "  #1  set-up\n\nNot found: failures\n"
    )
    rows = list(rows_of(text))
    assert [(row.topic, row.association, row.end) for row in rows] == [("Failures", 0, None), ("Pauses", 0, 1), ("Pauses", 1, None)]
    assert rows[0].text == "refused; by endpoint 1 after 37.89 ms, frame 4" and rows[1].text == "lost 2.219 s of 13.89 s"


def test_a_report_of_pauses_gives_each_with_its_sentence():
    text = (
        "Pauses, the longest first\n  lost s  #  data     from s  frame  to frame  cause\n----\n0.352531  0  0→1   37.041285   1438      1441  full cwnd\n"
        "    endpoint 0 sent more\n    only then\n================\nSCTP triage\n"
    )
    (pause,) = Page(text).pauses
    assert (pause.association, pause.end, pause.since, pause.until, pause.text) == (0, 0, 1438, 1441, "endpoint 0 sent more only then")


def test_a_time_is_known_to_its_last_digit():
    assert ns_of("1.004 s") == (pytest.approx(1.004e9), pytest.approx(1e6))
    assert ns_of("1,200 us")[0] == pytest.approx(1.2e6)
