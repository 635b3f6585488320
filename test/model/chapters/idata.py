# SPDX-License-Identifier: GPL-2.0-or-later
"""User message interleaving: I-DATA and I-FORWARD-TSN, where both ends offered them and where not."""

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent
from mutations import breaks
from packet_editor import NoPlace, replace_param
from continuation import Continuation
from captured_associations import is_set_up_once, params_of
from interleaving import I_DATA_LISTED, InterleavedCapture, fragments, interleaved, is_not_interleaved, listed
from partial_reliability import SUPPORTS_PARTIAL

BEGIN, END, MIDDLE = chunks.BEGIN, chunks.END, 0


@fires("ID-003")
def forward_tsn_with_i_data_answered_by_abort():
    scenario = interleaved(SUPPORTS_PARTIAL + I_DATA_LISTED, SUPPORTS_PARTIAL + I_DATA_LISTED)
    return scenario.send(0, chunks.forward_tsn(scenario.lose(0))).abort(1, causes=(chunks.tlv(13, b"FORWARD-TSN", last=True),))


@fires("ID-001")
def i_data_without_negotiation():
    return fragments(interleaved(I_DATA_LISTED, listed(chunks.RE_CONFIG)), (0, 0, 0, BEGIN | END))


@silent("ID-001")
def data_without_negotiation():
    return interleaved(I_DATA_LISTED, b"").data(0)


@fires("ID-002")
def data_though_negotiated():
    return interleaved().data(0)


@silent("ID-002")
@silent("ID-005")
@silent("ID-006")
@silent("ID-007")
@silent("ID-008")
@silent("ID-004")
def two_streams_interleaved():
    return fragments(interleaved(), (0, 0, 0, BEGIN), (1, 0, 0, BEGIN), (0, 0, 1, END), (1, 0, 1, MIDDLE), (0, 1, 51, BEGIN | END), (1, 0, 2, END),
                     (0, 2, 0, BEGIN | END))


@fires("ID-003")
def forward_tsn_with_i_data():
    scenario = fragments(interleaved(), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1, ((0, 0),)))


@silent("ID-003")
@silent("ID-010")
@silent("ID-015")
def i_forward_tsn_with_i_data():
    scenario = fragments(interleaved(), (0, 0, 0, BEGIN | END))
    return scenario.send(0, chunks.i_forward_tsn(scenario.ends[0].tsn - 1, ((0, 0, 0),)))


@fires("ID-004")
def same_mid():
    return fragments(interleaved(), (0, 0, 0, BEGIN | END), (0, 1, 0, BEGIN | END), (0, 1, 0, BEGIN | END))


@fires("ID-004")
def mid_goes_back():
    return fragments(interleaved(), (0, 5, 0, BEGIN | END), (0, 4, 0, BEGIN | END))


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


@fires("ID-005")
def third_fragment_4():
    return fragments(interleaved(), (0, 0, 51, BEGIN), (0, 0, 1, MIDDLE), (0, 0, 4, END))


@silent("ID-005")
def fragment_after_one_that_did_not_pass():
    scenario = fragments(interleaved(), (0, 0, 51, BEGIN), (0, 0, 1, MIDDLE))
    scenario.lose(0)
    return fragments(scenario, (0, 0, 3, END))


@fires("ID-005")
def second_fragment_0():
    return fragments(interleaved(), (0, 0, 51, BEGIN), (0, 0, 0, END))


@fires("ID-006")
def reserved_field():
    scenario = interleaved()
    return scenario.send(0, chunks.i_data(scenario.ends[0].tsn, b"user", reserved=1))


@fires("ID-007")
def one_stream_interleaved():
    return fragments(interleaved(), (0, 0, 0, BEGIN), (0, 1, 0, BEGIN), (0, 0, 1, END))


@silent("ID-007")
def given_up_halfway():
    return fragments(interleaved(), (0, 0, 0, BEGIN), (0, 1, 0, BEGIN), (0, 1, 1, END))


@fires("ID-008")
def end_twice():
    return fragments(interleaved(), (0, 0, 0, BEGIN), (0, 0, 1, END), (0, 0, 2, END))


@fires("ID-010")
def i_forward_tsn_of_length_12():
    scenario = interleaved()
    return scenario.send(0, chunks.chunk(chunks.I_FORWARD_TSN, 0, bytes(8)))


@fires("ID-012")
def partial_without_i_forward_tsn():
    return interleaved(listed(chunks.I_DATA, chunks.FORWARD_TSN), b"")


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


@breaks("ID-001")
def i_data_without_negotiation_in_capture(editor):
    continuation = Continuation(editor, where=is_not_interleaved)
    continuation.send(continuation.near, chunks.i_data(continuation.ends[continuation.near].tsn, bytes(20)))
    return continuation.near


@breaks("ID-002")
def data_though_negotiated_in_capture(editor):
    continuation = InterleavedCapture(editor)
    return continuation.data(continuation.near, sid=continuation.sid).near


@breaks("ID-003")
def forward_tsn_with_i_data_in_capture(editor):
    continuation = InterleavedCapture(editor)
    return continuation.send(continuation.near, chunks.forward_tsn(continuation.ends[continuation.near].tsn - 1)).near


@breaks("ID-003", causes=("ID-015",))
def i_forward_tsn_with_data(editor):
    return forwards_without_negotiation(editor)


@breaks("ID-015", causes=("ID-003",))
def i_forward_tsn_without_negotiation(editor):
    return forwards_without_negotiation(editor)


def forwards_without_negotiation(editor):
    continuation = Continuation(editor, where=is_not_interleaved)
    return continuation.send(continuation.near, chunks.i_forward_tsn(continuation.ends[continuation.near].tsn - 1)).near


@breaks("ID-004")
def same_mid_in_capture(editor):
    return InterleavedCapture(editor).fragments((0, 0, BEGIN | END), (1, 0, BEGIN | END), (1, 0, BEGIN | END)).near


@breaks("ID-004")
def mid_goes_back_in_capture(editor):
    return InterleavedCapture(editor).fragments((5, 0, BEGIN | END), (4, 0, BEGIN | END)).near


@breaks("ID-005")
def third_fragment_4_in_capture(editor):
    return InterleavedCapture(editor).fragments((0, 51, BEGIN), (0, 1, 0), (0, 4, END)).near


@breaks("ID-005")
def second_fragment_0_in_capture(editor):
    return InterleavedCapture(editor).fragments((0, 51, BEGIN), (0, 0, END)).near


@breaks("ID-006")
def reserved_field_in_capture(editor):
    return InterleavedCapture(editor).fragments((0, 0, BEGIN | END), reserved=1).near


@breaks("ID-006")
def reserved_flag(editor):
    return InterleavedCapture(editor).fragments((0, 0, BEGIN | END | 0x40)).near


@breaks("ID-007")
def one_stream_interleaved_in_capture(editor):
    return InterleavedCapture(editor).fragments((0, 0, BEGIN), (1, 0, BEGIN), (0, 1, END)).near


@breaks("ID-008")
def end_twice_in_capture(editor):
    return InterleavedCapture(editor).fragments((0, 0, BEGIN), (0, 1, END), (0, 2, END)).near


@breaks("ID-008", causes=("ID-005",))
def begin_twice(editor):
    return InterleavedCapture(editor).fragments((0, 0, BEGIN), (0, 1, BEGIN), (0, 2, END)).near


@breaks("ID-010")
def i_forward_tsn_of_length_12_in_capture(editor):
    continuation = InterleavedCapture(editor)
    new_cum_tsn = continuation.ends[continuation.near].tsn - 1 & 0xFFFFFFFF
    return continuation.send(continuation.near, chunks.chunk(chunks.I_FORWARD_TSN, 0, new_cum_tsn.to_bytes(4, "big") + bytes(4))).near


@breaks("ID-012")
def partial_without_i_forward_tsn_in_capture(editor):
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


@breaks("ID-004")
def first_mid_3(editor):
    continuation = InterleavedCapture(editor, highest=1000)
    editor.deny_partial(continuation.association)
    return continuation.fragments((3, 0, BEGIN | END)).near


LEFT_OUT = [
    ("ID-011", "merged into RC-010", "the MID is read as the SSN there"),
    ("ID-013", "dropped", "2^31 outstanding messages or fragments exceed any window and memory; cannot occur in a capture"),
    ("ID-014", "dropped", "receiver buffer use and partial delivery are invisible; ID-007 and window rules cover what is decidable"),
]
