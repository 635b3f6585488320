# SPDX-License-Identifier: GPL-2.0-or-later
"""Partial reliability: FORWARD-TSN, and data that was given up."""

from generate import chunks
from generate.conversation import WHOLE
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, COMPLETE_AT_END_1, MS, QUIET_AND_TIMED_AT_END_0, S, TIMED_AT_END_0, ScenarioBuilder
from register import fires, silent
from mutations import breaks
from scripts import RELIABLE, alters, violates
from packet_editor import NoPlace, replace_param
from captured_associations import is_set_up_once, pack, params_of, u16
from interleaving import I_DATA_LISTED, interleaved
from partial_reliability import FORWARD_TSN_LISTED, PARTIAL, SUPPORTS_PARTIAL, forward, give_up, lose_two, partially_reliable


@silent("PR-019", accused=1, judged=False)
def forward_tsn_with_i_data_answered_by_abort():
    scenario = interleaved(SUPPORTS_PARTIAL + I_DATA_LISTED, SUPPORTS_PARTIAL + I_DATA_LISTED)
    return scenario.send(0, chunks.forward_tsn(scenario.lose(0))).abort(1, causes=(chunks.tlv(13, b"FORWARD-TSN", last=True),))


NEVER_RESET = PARTIAL.also(lambda association: not association.has(chunks.RE_CONFIG))


@breaks("PR-023", causes=("PR-001",))
@violates("PR-001", RELIABLE, causes=("PR-023",))
def nobody_announced(talk):
    talk.send(talk.near, chunks.forward_tsn(talk.last_tsn(talk.near)))


@fires("PR-001")
def peer_did_not_announce():
    return give_up(partially_reliable((SUPPORTS_PARTIAL, b"")), 0)


@silent("PR-001")
@silent("PR-002")
@silent("PR-004")
@silent("PR-007")
@silent("PR-008")
@silent("PR-009")
def peer_listed_the_chunk():
    return give_up(partially_reliable((SUPPORTS_PARTIAL, FORWARD_TSN_LISTED)), 0)


@violates("PR-002", PARTIAL)
def forward_tsn_of_length_10(talk):
    talk.send(talk.near, chunks.chunk(chunks.FORWARD_TSN, 0, pack(talk.last_tsn(talk.near)) + bytes(2)))


@alters("PR-003", None, of=partially_reliable)
def supported_of_length_8(editor):
    association = editor.association(is_set_up_once)
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    for kind, at, length in params_of(place):
        if kind == chunks.FORWARD_TSN_SUPPORTED:
            replace_param(editor, place, at, length, chunks.tlv(chunks.FORWARD_TSN_SUPPORTED, bytes(4)))
            return end
    raise NoPlace


@fires("PR-003")
def second_of_length_8():
    return ScenarioBuilder().set_up((SUPPORTS_PARTIAL + chunks.tlv(chunks.FORWARD_TSN_SUPPORTED, bytes(4)), b""))


@silent("PR-003")
def supported_of_length_4():
    return ScenarioBuilder().set_up((SUPPORTS_PARTIAL, b""))


@violates("PR-004", PARTIAL)
def far_ahead(talk):
    talk.send(talk.near, chunks.forward_tsn(talk.last_tsn(talk.near) + 5000))


@violates("PR-007", PARTIAL)
def stream_not_listed(talk):
    give_up(talk)


def give_up_one(streams, flags=WHOLE, sid=2):
    """A message that no SACK reported, and the FORWARD-TSN over it."""
    return forward(partially_reliable().data(0, sid=sid, flags=flags), streams, gap_ns=S)


SPARE_STREAM = 7


def used_streams(association):
    """One more than the highest stream that its DATA names."""
    return 1 + max((u16(place.packet["sctp"], place.at + 8) for end in (0, 1) for place in association.places(end)), default=0)


@violates("PR-006", NEVER_RESET.also(lambda association: used_streams(association) < SPARE_STREAM))
def stream_of_an_unordered_message_listed(talk):
    """An unordered message on a stream that the association did not use is given up and listed."""
    talk.data(talk.near, sid=SPARE_STREAM, flags=WHOLE | chunks.UNORDERED).wait(S)
    talk.send(talk.near, chunks.forward_tsn(talk.last_tsn(talk.near), ((SPARE_STREAM, 0),)))


@silent("PR-006")
def stream_of_ordered_and_unordered_messages_listed():
    return give_up_one(((0, 4),), flags=7, sid=0)


@silent("PR-006")
def stream_of_a_message_that_did_not_pass_listed():
    scenario = partially_reliable()
    scenario.lose(0)
    return forward(scenario, ((3, 0),), gap_ns=S)


@fires("PR-007")
def stream_not_listed_of_the_first_tsn():
    return give_up_one(())


@silent("PR-007")
def stream_listed_of_the_first_tsn():
    return give_up_one(((2, 0),))


@silent("PR-007")
def unordered_not_listed():
    return give_up(partially_reliable(), flags=7)


LONG_LIST = tuple((stream, 9) for stream in range(1, 300))


@fires("PR-007")
def missing_in_a_long_list():
    return give_up(partially_reliable(), before=LONG_LIST)


@silent("PR-007")
@silent("PR-009")
def at_the_end_of_a_long_list():
    return give_up(partially_reliable(), 0, before=LONG_LIST)


@fires("PR-009")
def lower_at_the_end_of_a_long_list():
    return give_up(partially_reliable(), -1, before=LONG_LIST)


@violates("PR-009", NEVER_RESET)
def lower_sequence_number_listed(talk):
    give_up(talk, -1)


@violates("PR-009", NEVER_RESET)
def sequence_number_that_was_not_sent_listed(talk):
    give_up(talk, 3)


@fires("PR-009")
def sequence_number_that_was_not_sent_yet_listed():
    return give_up(partially_reliable(), 1)


@fires("PR-009")
def sequence_number_of_another_stream_listed():
    return give_up_one(((2, 0), (0, 7)))


@silent("PR-009")
def number_of_a_message_that_was_acknowledged_listed():
    return give_up_one(((2, 0), (0, 3)))


@silent("PR-009", judged=False)
def number_of_a_message_given_up_unsent_listed():
    """Two TSNs were assigned and never sent: their messages may be of the stream that is listed."""
    scenario = partially_reliable()
    scenario.ends[0].tsn += 2
    return forward(scenario, ((0, 5), (4, 0)), gap_ns=S)


def give_up_interleaved(streams, flags=3):
    """Message 0 of stream 1, in I-DATA that no SACK reported, and the I-FORWARD-TSN over it; accused is the endpoint that answered the INIT."""
    scenario = interleaved(SUPPORTS_PARTIAL + I_DATA_LISTED, SUPPORTS_PARTIAL + I_DATA_LISTED)
    end = scenario.ends[1]
    return scenario.send(1, chunks.i_data(end.tsn, b"user", 1, 0, 0, flags)).send(1, chunks.i_forward_tsn(end.tsn, streams), gap_ns=S)


@fires("PR-009", accused=1)
def mid_that_was_not_sent_listed():
    return give_up_interleaved(((1, 0, 70000),))


@fires("PR-009", accused=1)
def mid_of_unordered_messages_listed_of_which_none_was_sent():
    return give_up_interleaved(((1, 0, 0), (1, 1, 0)))


@silent("PR-009", accused=1)
def mid_of_the_unordered_message_listed():
    return give_up_interleaved(((1, 1, 0),), flags=7)


@violates("PR-008", PARTIAL)
def stream_listed_twice(talk):
    give_up(talk, -1, 0)


def give_up_first_fragment(talk, flags, again_gap_ns=S):
    """A fragment that begins a message, and another TSN, are reported missing; FORWARD-TSN passes the first, the other is sent again."""
    near, far = talk.near, talk.far
    end = talk.ends[near]
    talk.data(near, flags=chunks.BEGIN)
    first = end.stream, end.ssn - 1
    following = talk.data(near, flags=flags).sent
    talk.data(near, sid=end.stream + 1).wait(S).sack(far, 3, gaps=((3, 3),)).wait(S)
    return talk.send(near, chunks.forward_tsn(talk.last_tsn(near) - 2, (first,))).send(near, following, gap_ns=again_gap_ns)


@violates("PR-010", PARTIAL)
def rest_of_the_message_sent_again(talk):
    give_up_first_fragment(talk, chunks.END)


@fires("PR-010", asserted=COMPLETE_AT_END_0)
@silent("PR-010", judged=False)
def rest_of_the_message_sent_again_soon():
    return give_up_first_fragment(PARTIAL.made(), chunks.END, 5 * MS)


@silent("PR-010")
def next_message_sent_again():
    return give_up_first_fragment(PARTIAL.made(), WHOLE)


def given_up_and_sent_again(talk, gap_ns):
    near, end = talk.near, talk.ends[talk.near]
    lost = lose_two(talk)
    return talk.send(near, chunks.forward_tsn(talk.last_tsn(near) - 1, ((end.stream, end.ssn - 1),))).send(near, lost, gap_ns=gap_ns)


@violates("PR-011", PARTIAL)
def sent_again_after_it_was_given_up(talk):
    given_up_and_sent_again(talk, S)


@fires("PR-011", asserted=COMPLETE_AT_END_0)
@silent("PR-011", judged=False)
def sent_again_soon_after_it_was_given_up():
    return given_up_and_sent_again(PARTIAL.made(), 5 * MS)


@silent("PR-011", asserted=COMPLETE_AT_END_0)
def new_data_soon_after_it():
    return give_up(partially_reliable(), 0).data(0, gap_ns=5 * MS)


@silent("PR-011")
def new_data_after_it():
    return give_up(partially_reliable(), 0).data(0, gap_ns=S)


def violation_told(scenario):
    return scenario.abort(1, causes=(chunks.tlv(13, b"what for", last=True),))


@fires("PR-019", accused=1)
def forward_tsn_answered_by_abort():
    return violation_told(give_up(partially_reliable(), 0))


@silent("PR-019", accused=1)
def forward_tsn_and_then_the_user_aborts():
    return give_up(partially_reliable(), 0).abort(1, causes=(chunks.user_abort(b"bye"),))


@silent("PR-019", accused=1, judged=False)
def abort_after_data_that_follows_the_forward_tsn():
    return violation_told(give_up(partially_reliable(), 0).data(0))


@fires("PR-023")
def sender_did_not_announce():
    return give_up(partially_reliable((b"", SUPPORTS_PARTIAL)), 0)


@fires("PR-023", accused=1)
def answerer_did_not_announce():
    scenario = partially_reliable((SUPPORTS_PARTIAL, b"")).data(1)
    return scenario.wait(S).send(1, chunks.forward_tsn(scenario.ends[1].tsn - 1, ((0, 0),)))


@silent("PR-023")
def sender_listed_the_chunk():
    return give_up(partially_reliable((FORWARD_TSN_LISTED, SUPPORTS_PARTIAL)), 0)


def given_up(answered_ns, cum=0):
    """End 1 misses a TSN, which end 0 gives up; after a time, its SACK: cum TSNs short of what was given up."""
    scenario = partially_reliable()
    tsn = scenario.lose(0)
    scenario.send(0, chunks.forward_tsn(tsn, ((0, scenario.ends[0].ssn),)))
    scenario.ends[0].ssn += 1
    return scenario.send(1, chunks.sack(tsn - cum), gap_ns=answered_ns).wait(S).data(0).sack(1)


@fires("PR-014", 1, asserted=COMPLETE_AT_END_1)
@silent("PR-014", 1, asserted=COMPLETE, judged=False)
def forward_tsn_acknowledged_after_a_second():
    return given_up(S)


@fires("PR-014", 1, asserted=COMPLETE_AT_END_1)
def sack_that_leaves_out_what_was_given_up():
    return given_up(MS, cum=1)


def passed_over(gap_ns, is_told=True):
    """Data comes gap_ns behind a FORWARD-TSN, and the SACK reports it above what was given up, or takes both."""
    scenario = partially_reliable()
    tsn = scenario.lose(0)
    scenario.send(0, chunks.forward_tsn(tsn, ((0, scenario.ends[0].ssn),))).data(0, gap_ns=gap_ns)
    scenario.send(1, chunks.sack(tsn - 1, gaps=((2, 2),)) if is_told else chunks.sack(tsn + 1))
    return scenario.send(1, chunks.sack(tsn + 1), gap_ns=10 * MS).wait(S).data(0).sack(1)


@fires("PR-014", 1, asserted=COMPLETE_AT_END_1)
@silent("PR-014", 1, asserted=COMPLETE, judged=False)
def forward_tsn_passed_over_by_the_sack_for_what_came_later():
    return passed_over(20 * MS)


def passed_over_again(times):
    """End 1 gives a TSN up, and tells so once more whenever end 0 reports later data above it; at last it takes it."""
    scenario = partially_reliable()
    tsn = scenario.lose(1)
    for number in range(times):
        scenario.send(1, chunks.forward_tsn(tsn, ((0, scenario.ends[1].ssn),))).data(1)
        scenario.send(0, chunks.sack(tsn - 1, gaps=((2, 2 + number),)))
    scenario.send(1, chunks.forward_tsn(tsn, ((0, scenario.ends[1].ssn),))).send(0, chunks.sack(tsn + times))
    return scenario


@fires("PR-014", 0)
def forward_tsn_passed_over_three_times():
    return passed_over_again(3)


@silent("PR-014", 0, judged=False)
def forward_tsn_passed_over_twice():
    return passed_over_again(2)


@silent("PR-014", 1, asserted=COMPLETE_AT_END_1)
def forward_tsn_that_waited_with_data_for_the_host():
    return passed_over(2 * MS)


@silent("PR-014", 1, asserted=COMPLETE_AT_END_1)
def forward_tsn_taken_with_what_came_later():
    return passed_over(20 * MS, is_told=False)


@silent("PR-014", 1, asserted=COMPLETE_AT_END_1)
def forward_tsn_acknowledged_as_late_as_data_may_be():
    return given_up(450 * MS)


@silent("PR-014", 1, asserted=COMPLETE_AT_END_1)
def heartbeat_answered_before_the_sack_that_may_wait():
    scenario = partially_reliable()
    tsn = scenario.lose(0)
    scenario.send(0, chunks.forward_tsn(tsn, ((0, scenario.ends[0].ssn),))).heartbeat(0)
    return scenario.send(1, chunks.sack(tsn), gap_ns=200 * MS).wait(S).heartbeat(0)


@silent("RX-010", asserted=COMPLETE_AT_END_0, judged=False)
@silent("HS-020", asserted=COMPLETE_AT_END_0, judged=False)
def forward_tsn_for_data_before_the_cookie_ack():
    """Who waits for the COOKIE ACK discards the DATA; the FORWARD-TSN a second later is acknowledged at once."""
    scenario = ScenarioBuilder().init(params=SUPPORTS_PARTIAL).init_ack(params=SUPPORTS_PARTIAL).cookie_echo().data(1).cookie_ack().data(0).sack(1)
    tsn = scenario.ends[1].tsn - 1
    return scenario.send(1, chunks.forward_tsn(tsn, ((0, scenario.ends[1].ssn - 1),)), gap_ns=S).sack(0)


@silent("RX-013", 1, asserted=COMPLETE_AT_END_1, judged=False)
def forward_tsn_that_the_sack_beside_it_had_not_taken():
    """The SACK answers the DATA right before it and reports the gap; the next one, for the FORWARD-TSN, acknowledges the same TSN as the last."""
    scenario = partially_reliable()
    scenario.data(0).sack(1).data(0).sack(1)
    lost = scenario.lose(0)
    scenario.data(0).send(0, chunks.forward_tsn(lost, ((0, scenario.ends[0].ssn),)), gap_ns=3000)
    scenario.send(1, chunks.sack(lost - 1, gaps=((2, 2),)), gap_ns=200)
    return scenario.send(1, chunks.sack(lost + 1), gap_ns=60 * MS)


def waiting(*gaps_ns):
    """A message is given up, nothing acknowledges that, and it is told again after each of gaps."""
    scenario = partially_reliable()
    tsn = scenario.lose(0)
    told = chunks.forward_tsn(tsn, ((0, scenario.ends[0].ssn),))
    scenario.send(0, told)
    for gap_ns in gaps_ns:
        scenario.send(0, told, gap_ns=gap_ns)
    return scenario, tsn


@fires("PR-025", asserted=TIMED_AT_END_0)
def forward_tsn_not_repeated_while_heartbeats_pass():
    return waiting()[0].heartbeat(0, gap_ns=6 * S)


@fires("PR-025", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("PR-025", asserted=TIMED_AT_END_0, judged=False)
def forward_tsn_is_the_last_packet():
    return waiting()[0]


@fires("PR-025", asserted=TIMED_AT_END_0)
def forward_tsn_repeated_after_six_seconds():
    return waiting(6 * S)[0]


@silent("PR-025", asserted=QUIET_AND_TIMED_AT_END_0)
def forward_tsn_repeated_when_the_timer_expires_then_acknowledged():
    scenario, tsn = waiting(S, 2 * S)
    return scenario.send(1, chunks.sack(tsn), gap_ns=MS)


def waiting_at_shutdown(covered):
    """The peer shuts down, and acknowledges what was given up by that or not."""
    scenario, tsn = waiting()
    return scenario.send(1, chunks.shutdown(tsn - (not covered)), gap_ns=300 * MS).heartbeat(0, gap_ns=6 * S)


@fires("PR-025", asserted=TIMED_AT_END_0)
def forward_tsn_not_repeated_after_a_shutdown():
    return waiting_at_shutdown(covered=False)


@silent("PR-025", asserted=TIMED_AT_END_0, judged=False)
def forward_tsn_that_a_shutdown_covers():
    return waiting_at_shutdown(covered=True)


def unheeded(sacks, again_ns=None, covers=False):
    """A FORWARD-TSN is lost; so many SACKs do not cover it; after a time it comes again, or a SACK covers it."""
    scenario, tsn = waiting()
    first = scenario.ends[0].tsn
    for number in range(sacks):
        scenario.data(gap_ns=50 * MS).send(1, chunks.sack(tsn - 1, gaps=[(2, first - tsn + number + 1)]))
    if covers:
        scenario.sack(1)
    if again_ns:
        scenario.send(0, chunks.forward_tsn(tsn, ((0, 2),)), gap_ns=again_ns)
    return scenario.wait(S).heartbeat(0)


@fires("PR-025", asserted=COMPLETE_AT_END_0)
@silent("PR-025", judged=False)
def forward_tsn_not_repeated_though_sacks_pass():
    return unheeded(10)


@fires("PR-025", asserted=COMPLETE_AT_END_0)
def forward_tsn_repeated_long_after_a_sack():
    return unheeded(10, again_ns=S)


@silent("PR-025", asserted=COMPLETE_AT_END_0)
def forward_tsn_repeated_soon_after_a_sack():
    return unheeded(10, again_ns=100 * MS)


@silent("PR-025", asserted=COMPLETE_AT_END_0, judged=False)
def forward_tsn_that_a_later_sack_covers():
    return unheeded(10, covers=True)


@silent("PR-025", asserted=COMPLETE_AT_END_0, judged=False)
def forward_tsn_that_few_sacks_do_not_cover():
    return unheeded(3)


@silent("PR-014", 1, asserted=COMPLETE_AT_END_1, judged=False)
def forward_tsn_out_of_reach():
    scenario = partially_reliable()
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn + 5000)).wait(S).exchange(2)


@silent("PR-014", 1, asserted=COMPLETE_AT_END_1, judged=False)
def forward_tsn_of_a_stream_that_does_not_exist():
    scenario = partially_reliable()
    return scenario.send(0, chunks.forward_tsn(scenario.lose(0), ((50, 0),))).wait(S).exchange(2)


def unannounced(*answer):
    """FORWARD-TSN to end 1, which did not announce it; its answer, if any."""
    scenario = partially_reliable((SUPPORTS_PARTIAL, b""))
    chunk = chunks.forward_tsn(scenario.lose(0))
    scenario.send(0, chunk)
    if answer:
        scenario.send(1, *answer)
    return scenario.wait(S).heartbeat(0)


@fires("PR-024", 1, asserted=COMPLETE_AT_END_1)
@silent("PR-024", 1, asserted=COMPLETE, judged=False)
def unannounced_forward_tsn_ignored():
    return unannounced()


@fires("PR-024", 1, asserted=COMPLETE_AT_END_1)
def unannounced_forward_tsn_acknowledged():
    return unannounced(chunks.sack(7))


@silent("PR-024", 1, asserted=COMPLETE_AT_END_1)
def unannounced_forward_tsn_reported():
    return unannounced(chunks.error(chunks.tlv(6, chunks.forward_tsn(7), last=True)))


@silent("PR-024", 1, asserted=COMPLETE_AT_END_1, judged=False)
def announced_forward_tsn_acknowledged():
    return given_up(MS)


LEFT_OUT = [
    ("PR-005", "left out", "the clause names no such case; a delay of FORWARD-TSN is allowed"),
    ("PR-012", "left out", "a FORWARD-TSN that passed the tap may be lost behind it"),
    ("PR-013", "dropped", "a SACK cannot report gaps below its own cum ack, so this is PR-012"),
    ("PR-016", "left out", "a SACK that passed the tap may be lost before the sender"),
    ("PR-017", "left out", "the PMTU is internal to the sender"),
    ("PR-018", "merged into PR-001", "a peer that reports the parameter does not announce it"),
    ("PR-020", "left out", "the T3 rules of TIMER judge silence"),
    ("PR-021", "dropped", "lifetimes are per message and invisible; RFC7496 policies differ per message; no pattern can be learned safely"),
    ("PR-022", "left out", "the TSN may have come on a way that the tap does not see"),
]
