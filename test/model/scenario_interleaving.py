# SPDX-License-Identifier: GPL-2.0-or-later
"""User message interleaving: I-DATA and I-FORWARD-TSN."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent

BEGIN, END, MIDDLE = chunks.BEGIN, chunks.END, 0


def listed(*kinds):
    return chunks.tlv(chunks.EXTENSIONS, bytes(kinds), last=True)


PARTIAL = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
BOTH = listed(chunks.I_DATA, chunks.I_FORWARD_TSN)


def up(initiator=BOTH, responder=BOTH):
    return ScenarioBuilder().set_up((initiator, responder))


def fragments(scenario, *parts):
    """A packet for each (sid, mid, fsn, flags) in the order of their TSNs."""
    for sid, mid, fsn, flags in parts:
        scenario.send(0, chunks.i_data(scenario.ends[0].tsn, b"user", sid, mid, fsn, flags))
        scenario.ends[0].tsn += 1
    return scenario


@fires("ID-003")
@silent("PR-019", accused=1, judged=False)
def forward_tsn_with_i_data_answered_by_abort():
    scenario = up(PARTIAL + BOTH, PARTIAL + BOTH)
    return scenario.send(0, chunks.forward_tsn(scenario.lose(0))).abort(1, causes=(chunks.tlv(13, b"FORWARD-TSN", last=True),))


@fires("ID-001")
def i_data_without_negotiation():
    return fragments(up(BOTH, listed(chunks.RE_CONFIG)), (0, 0, 0, BEGIN | END))


@silent("ID-001")
def data_without_negotiation():
    return up(BOTH, b"").data(0)


@fires("ID-002")
def data_though_negotiated():
    return up().data(0)


@silent("ID-002")
@silent("ID-005")
@silent("ID-006")
@silent("ID-007")
@silent("ID-008")
@silent("ID-004")
def two_streams_interleaved():
    return fragments(up(), (0, 0, 0, BEGIN), (1, 0, 0, BEGIN), (0, 0, 1, END), (1, 0, 1, MIDDLE), (0, 1, 51, BEGIN | END), (1, 0, 2, END),
                     (0, 2, 0, BEGIN | END))


@fires("ID-003")
def forward_tsn_with_i_data():
    scenario = fragments(up(), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1, ((0, 0),)))


@silent("ID-003")
@silent("ID-010")
@silent("ID-015")
def i_forward_tsn_with_i_data():
    scenario = fragments(up(), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


@fires("ID-004")
def same_mid():
    return fragments(up(), (0, 0, 0, BEGIN | END), (0, 1, 0, BEGIN | END), (0, 1, 0, BEGIN | END))


@fires("ID-004")
def mid_goes_back():
    return fragments(up(), (0, 5, 0, BEGIN | END), (0, 4, 0, BEGIN | END))


@fires("ID-004")
def mid_left_out():
    return fragments(up(listed(chunks.I_DATA), listed(chunks.I_DATA)), (0, 0, 0, BEGIN | END), (0, 3, 0, BEGIN | END))


@silent("ID-004")
def mid_left_out_where_messages_may_be_given_up():
    return fragments(up(BOTH + PARTIAL, BOTH + PARTIAL), (0, 0, 0, BEGIN | END), (0, 3, 0, BEGIN | END))


@silent("ID-004")
def unordered_message_with_the_next_lower_mid():
    unordered = chunks.UNORDERED | BEGIN | END
    return fragments(up(), (0, 0, 0, BEGIN | END), (0, 1, 0, BEGIN | END), (0, 0, 0, unordered), (0, 2, 0, BEGIN | END))


@fires("ID-005")
def third_fragment_4():
    return fragments(up(), (0, 0, 51, BEGIN), (0, 0, 1, MIDDLE), (0, 0, 4, END))


@silent("ID-005")
def fragment_after_one_that_did_not_pass():
    scenario = fragments(up(), (0, 0, 51, BEGIN), (0, 0, 1, MIDDLE))
    scenario.lose(0)
    return fragments(scenario, (0, 0, 3, END))


@fires("ID-005")
def second_fragment_0():
    return fragments(up(), (0, 0, 51, BEGIN), (0, 0, 0, END))


@fires("ID-006")
def reserved_field():
    scenario = up()
    return scenario.send(0, chunks.i_data(scenario.ends[0].tsn, b"user", reserved=1))


@fires("ID-007")
def one_stream_interleaved():
    return fragments(up(), (0, 0, 0, BEGIN), (0, 1, 0, BEGIN), (0, 0, 1, END))


@silent("ID-007")
def given_up_halfway():
    return fragments(up(), (0, 0, 0, BEGIN), (0, 1, 0, BEGIN), (0, 1, 1, END))


@fires("ID-008")
def end_twice():
    return fragments(up(), (0, 0, 0, BEGIN), (0, 0, 1, END), (0, 0, 2, END))


@fires("ID-010")
def i_forward_tsn_of_length_12():
    scenario = up()
    return scenario.send(0, chunks.chunk(chunks.I_FORWARD_TSN, 0, bytes(8)))


@fires("ID-012")
def partial_without_i_forward_tsn():
    return up(listed(chunks.I_DATA, chunks.FORWARD_TSN), b"")


@silent("ID-012")
def partial_with_i_forward_tsn():
    return up(listed(chunks.I_DATA, chunks.FORWARD_TSN, chunks.I_FORWARD_TSN), b"")


@fires("ID-015")
def i_forward_tsn_not_listed():
    scenario = fragments(up(listed(chunks.I_DATA), BOTH), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


@silent("ID-015", judged=False)
def announcement_cut():
    scenario = ScenarioBuilder(snap=44).set_up((listed(chunks.I_DATA, *range(128, 160), chunks.I_FORWARD_TSN), BOTH))
    fragments(scenario, (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


ALONE = listed(chunks.I_DATA), listed(chunks.I_DATA)


@fires("ID-004")
def first_mid_2():
    return fragments(up(*ALONE), (0, 2, 0, BEGIN | END))


@silent("ID-004", judged=False)
def first_mid_2_where_messages_may_be_given_up():
    return fragments(up(BOTH + PARTIAL, BOTH + PARTIAL), (0, 2, 0, BEGIN | END))


@fires("ID-004")
def mid_0_again():
    return fragments(up(*ALONE), *((0, mid, 0, BEGIN | END) for mid in (0, 1, 0)))


@silent("ID-004")
def mid_0_again_where_streams_may_be_reset():
    both = listed(chunks.I_DATA, chunks.RE_CONFIG)
    return fragments(up(both, both), *((0, mid, 0, BEGIN | END) for mid in (0, 1, 0)))


@fires("ID-009", accused=1)
def data_acknowledged_though_i_data_was_negotiated():
    return up().data(0).sack(1).heartbeat(1)


@fires("ID-009", accused=1)
def i_data_acknowledged_without_negotiation():
    return fragments(up(b"", b""), (0, 0, 0, BEGIN | END)).sack(1).heartbeat(1)


@silent("ID-009", accused=1)
def aborts_when_data_comes():
    return up().data(0).abort(1)
