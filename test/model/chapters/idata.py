# SPDX-License-Identifier: GPL-2.0-or-later
"""User message interleaving: I-DATA and I-FORWARD-TSN, where both ends offered them and where not."""

import dataclasses

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent
from mutations import breaks
from scripts import alters, violates
from packet_editor import NoPlace, replace_param
from captured_associations import is_set_up_once, pack, params_of
from interleaving import INTERLEAVED, I_DATA_LISTED, NOT_INTERLEAVED, fragments, interleaved, listed
from partial_reliability import SUPPORTS_PARTIAL

BEGIN, END, MIDDLE = chunks.BEGIN, chunks.END, 0


@fires("ID-003")
def forward_tsn_with_i_data_answered_by_abort():
    scenario = interleaved(SUPPORTS_PARTIAL + I_DATA_LISTED, SUPPORTS_PARTIAL + I_DATA_LISTED)
    return scenario.send(0, chunks.forward_tsn(scenario.lose(0))).abort(1, causes=(chunks.tlv(13, b"FORWARD-TSN", last=True),))


@violates("ID-001", NOT_INTERLEAVED)
def i_data_without_negotiation(talk):
    fragments(talk, (0, 0, 0, BEGIN | END))


@silent("ID-001")
def data_without_negotiation():
    return interleaved(I_DATA_LISTED, b"").data(0)


@violates("ID-002", INTERLEAVED)
def data_though_negotiated(talk):
    talk.data(talk.near)


@silent("ID-002")
@silent("ID-005")
@silent("ID-006")
@silent("ID-007")
@silent("ID-008")
@silent("ID-004")
def two_streams_interleaved():
    return fragments(interleaved(), (0, 0, 0, BEGIN), (1, 0, 0, BEGIN), (0, 0, 1, END), (1, 0, 1, MIDDLE), (0, 1, 51, BEGIN | END), (1, 0, 2, END),
                     (0, 2, 0, BEGIN | END))


@violates("ID-003", INTERLEAVED)
def forward_tsn_with_i_data(talk):
    talk.send(talk.near, chunks.forward_tsn(talk.last_tsn(talk.near)))


@silent("ID-003")
@silent("ID-010")
@silent("ID-015")
def i_forward_tsn_with_i_data():
    scenario = fragments(interleaved(), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


@violates("ID-004", INTERLEAVED)
def same_mid(talk):
    fragments(talk, (0, 0, 0, BEGIN | END), (0, 1, 0, BEGIN | END), (0, 1, 0, BEGIN | END))


@violates("ID-004", INTERLEAVED)
def mid_goes_back(talk):
    fragments(talk, (0, 5, 0, BEGIN | END), (0, 4, 0, BEGIN | END))


@fires("ID-004")
def mid_left_out():
    return fragments(interleaved(listed(chunks.I_DATA), listed(chunks.I_DATA)), (0, 0, 0, BEGIN | END), (0, 3, 0, BEGIN | END))


def partially_interleaved():
    return interleaved(I_DATA_LISTED + SUPPORTS_PARTIAL, I_DATA_LISTED + SUPPORTS_PARTIAL)


@fires("ID-004")
def mid_left_out_though_no_tsn_was_given_up():
    return fragments(partially_interleaved(), (0, 0, 0, BEGIN | END), (0, 3, 0, BEGIN | END))


@silent("ID-004")
def mid_left_out_where_tsns_were_given_up_unsent():
    scenario = fragments(partially_interleaved(), (0, 0, 0, BEGIN | END))
    scenario.ends[0].tsn += 2
    return fragments(scenario, (0, 3, 0, BEGIN | END), (0, 4, 0, BEGIN | END))


@fires("ID-004")
def mid_of_unordered_messages_left_out_between_ordered_ones():
    unordered = chunks.UNORDERED | BEGIN | END
    return fragments(interleaved(), (0, 0, 0, unordered), (0, 0, 0, BEGIN | END), (0, 1, 0, BEGIN | END), (0, 2, 0, unordered))


@silent("ID-004")
def unordered_message_with_the_next_lower_mid():
    unordered = chunks.UNORDERED | BEGIN | END
    return fragments(interleaved(), (0, 0, 0, BEGIN | END), (0, 1, 0, BEGIN | END), (0, 0, 0, unordered), (0, 2, 0, BEGIN | END))


@violates("ID-005", INTERLEAVED)
def third_fragment_4(talk):
    fragments(talk, (0, 0, 51, BEGIN), (0, 0, 1, MIDDLE), (0, 0, 4, END))


@silent("ID-005")
def fragment_after_one_that_did_not_pass():
    scenario = fragments(interleaved(), (0, 0, 51, BEGIN), (0, 0, 1, MIDDLE))
    scenario.lose(0)
    return fragments(scenario, (0, 0, 3, END))


@violates("ID-005", INTERLEAVED)
def second_fragment_0(talk):
    fragments(talk, (0, 0, 51, BEGIN), (0, 0, 0, END))


@violates("ID-006", INTERLEAVED)
def reserved_field(talk):
    fragments(talk, (0, 0, 0, BEGIN | END), reserved=1)


@violates("ID-007", INTERLEAVED)
def one_stream_interleaved(talk):
    fragments(talk, (0, 0, 0, BEGIN), (0, 1, 0, BEGIN), (0, 0, 1, END))


@silent("ID-007")
def given_up_halfway():
    return fragments(interleaved(), (0, 0, 0, BEGIN), (0, 1, 0, BEGIN), (0, 1, 1, END))


@violates("ID-008", INTERLEAVED)
def end_twice(talk):
    fragments(talk, (0, 0, 0, BEGIN), (0, 0, 1, END), (0, 0, 2, END))


@violates("ID-010", INTERLEAVED)
def i_forward_tsn_of_length_12(talk):
    talk.send(talk.near, chunks.chunk(chunks.I_FORWARD_TSN, 0, pack(talk.last_tsn(talk.near), 0)))


@alters("ID-012", of=lambda: interleaved(listed(chunks.I_DATA, chunks.FORWARD_TSN, chunks.I_FORWARD_TSN), b""))
def partial_without_i_forward_tsn(editor):
    """Another extension in the place of I-FORWARD-TSN in the INIT."""
    listed = {chunks.I_DATA, chunks.FORWARD_TSN, chunks.I_FORWARD_TSN}
    association = editor.association(lambda association: is_set_up_once(association) and listed <= association.extensions(0)
                                     and not association.is_partial())
    for kind, at, length in params_of(association.init):
        if kind == chunks.EXTENSIONS:
            listed = association.init.packet["sctp"][at + 4:at + length].replace(bytes([chunks.I_FORWARD_TSN]), bytes([chunks.PAD]))
            replace_param(editor, association.init, at, length, chunks.tlv(chunks.EXTENSIONS, listed))
            return 0
    raise NoPlace


@silent("ID-012")
def partial_with_i_forward_tsn():
    return interleaved(listed(chunks.I_DATA, chunks.FORWARD_TSN, chunks.I_FORWARD_TSN), b"")


@fires("ID-015")
def i_forward_tsn_not_listed():
    scenario = fragments(interleaved(listed(chunks.I_DATA), I_DATA_LISTED), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


@silent("ID-015", judged=False)
def announcement_cut():
    scenario = ScenarioBuilder(snap=44).set_up((listed(chunks.I_DATA, *range(128, 160), chunks.I_FORWARD_TSN), I_DATA_LISTED))
    fragments(scenario, (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


ALONE = listed(chunks.I_DATA), listed(chunks.I_DATA)


@fires("ID-004")
def first_mid_2():
    return fragments(interleaved(*ALONE), (0, 2, 0, BEGIN | END))


@fires("ID-004")
def first_mid_2_though_no_tsn_was_given_up():
    return fragments(partially_interleaved(), (0, 2, 0, BEGIN | END))


@fires("ID-004")
def first_mid_of_unordered_messages_7():
    return fragments(partially_interleaved(), (3, 0, 0, BEGIN | END), (3, 7, 0, chunks.UNORDERED | BEGIN | END))


@silent("ID-004", judged=False)
def first_mid_2_behind_tsns_given_up_unsent():
    scenario = partially_interleaved()
    scenario.ends[0].tsn += 2
    return fragments(scenario, (0, 2, 0, BEGIN | END))


@silent("ID-004")
def ordered_and_unordered_messages_numbered_by_themselves():
    unordered = chunks.UNORDERED | BEGIN | END
    return fragments(interleaved(), (0, 0, 0, unordered), (0, 0, 0, BEGIN | END), (0, 1, 0, unordered), (0, 1, 0, BEGIN | END), (0, 2, 0, unordered))


@fires("ID-004")
def mid_0_again():
    return fragments(interleaved(*ALONE), *((0, mid, 0, BEGIN | END) for mid in (0, 1, 0)))


@silent("ID-004")
def mid_0_again_where_streams_may_be_reset():
    both = listed(chunks.I_DATA, chunks.RE_CONFIG)
    return fragments(interleaved(both, both), *((0, mid, 0, BEGIN | END) for mid in (0, 1, 0)))


@breaks("ID-015", causes=("ID-003",))
@violates("ID-003", NOT_INTERLEAVED, causes=("ID-015",))
def i_forward_tsn_without_negotiation(talk):
    talk.send(talk.near, chunks.i_forward_tsn(talk.last_tsn(talk.near)))


@violates("ID-006", INTERLEAVED)
def reserved_flag(talk):
    fragments(talk, (0, 0, 0, BEGIN | END | 0x40))


@violates("ID-008", INTERLEAVED, causes=("ID-005",))
def begin_twice(talk):
    fragments(talk, (0, 0, 0, BEGIN), (0, 0, 1, BEGIN), (0, 0, 2, END))


@violates("ID-004", dataclasses.replace(INTERLEAVED, is_reliable=True))
def first_mid_3(talk):
    fragments(talk, (0, 3, 0, BEGIN | END))


LEFT_OUT = [
    ("ID-011", "merged into RC-010", "the MID is read as the SSN there"),
    ("ID-013", "dropped", "2^31 outstanding messages or fragments exceed any window and memory; cannot occur in a capture"),
    ("ID-014", "dropped", "receiver buffer use and partial delivery are invisible; ID-007 and window rules cover what is decidable"),
]
