# SPDX-License-Identifier: GPL-2.0-or-later
"""Partial reliability: FORWARD-TSN."""

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, MS, S, ScenarioBuilder
from register import fires, silent

SUPPORTED = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
LISTED = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.FORWARD_TSN,)), last=True)


def up(params=(SUPPORTED, SUPPORTED)):
    return ScenarioBuilder().set_up(params).exchange(2)


def forward(scenario, streams, ahead=0, **options):
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1 + ahead, streams), **options)


def give_up(scenario, streams, flags=3):
    """Two messages of stream 0 that are reported missing, and the FORWARD-TSN over them."""
    end = scenario.ends[0]
    for _ in range(2):
        scenario.send(0, chunks.data(end.tsn, b"user", ssn=end.ssn, flags=flags))
        end.tsn += 1
        end.ssn += 1
    scenario.send(0, chunks.data(end.tsn, b"user", sid=1))
    scenario.send(1, chunks.sack(end.tsn - 3, gaps=((3, 3),)), gap_ns=S)
    forward(scenario, streams, gap_ns=S)
    end.tsn += 1
    return scenario


@fires("PR-001")
def peer_did_not_announce():
    return give_up(up((SUPPORTED, b"")), ((0, 5),))


@silent("PR-001")
@silent("PR-002")
@silent("PR-004")
@silent("PR-007")
@silent("PR-008")
@silent("PR-009")
def peer_listed_the_chunk():
    return give_up(up((SUPPORTED, LISTED)), ((0, 5),))


@fires("PR-002")
def length_10():
    return up().send(0, chunks.chunk(chunks.FORWARD_TSN, 0, bytes(6)))


@fires("PR-003")
def supported_of_length_8():
    return ScenarioBuilder().set_up((chunks.tlv(chunks.FORWARD_TSN_SUPPORTED, bytes(4)), b""))


@fires("PR-003")
def second_of_length_8():
    return ScenarioBuilder().set_up((SUPPORTED + chunks.tlv(chunks.FORWARD_TSN_SUPPORTED, bytes(4)), b""))


@silent("PR-003")
def supported_of_length_4():
    return ScenarioBuilder().set_up((SUPPORTED, b""))


@fires("PR-004")
def far_ahead():
    return forward(up(), (), ahead=5000)


@fires("PR-007")
def stream_not_listed():
    return give_up(up(), ())


def give_up_one(streams, flags=3, sid=2):
    """A message that no SACK reported, and the FORWARD-TSN over it."""
    scenario = up()
    end = scenario.ends[0]
    scenario.send(0, chunks.data(end.tsn, b"user", sid=sid, flags=flags))
    end.tsn += 1
    return forward(scenario, streams, gap_ns=S)


@fires("PR-006")
def stream_of_an_unordered_message_listed():
    return give_up_one(((3, 0),), flags=7, sid=3)


@silent("PR-006")
def stream_of_ordered_and_unordered_messages_listed():
    return give_up_one(((0, 4),), flags=7, sid=0)


@silent("PR-006")
def stream_of_a_message_that_did_not_pass_listed():
    scenario = up()
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
    return give_up(up(), (), flags=7)


LONG_LIST = tuple((stream, 9) for stream in range(1, 300))


@fires("PR-007")
def missing_in_a_long_list():
    return give_up(up(), LONG_LIST)


@silent("PR-007")
@silent("PR-009")
def at_the_end_of_a_long_list():
    return give_up(up(), (*LONG_LIST, (0, 5)))


@fires("PR-009")
def lower_at_the_end_of_a_long_list():
    return give_up(up(), (*LONG_LIST, (0, 4)))


@fires("PR-009")
def lower_sequence_number_listed():
    return give_up(up(), ((0, 4),))


@fires("PR-008")
def stream_listed_twice():
    return give_up(up(), ((0, 4), (0, 5)))


def give_up_first_fragment(ssn_step, flags):
    """A fragment that begins a message, and another TSN, are reported missing; FORWARD-TSN passes the first, the other is sent again."""
    scenario = up()
    end = scenario.ends[0]
    scenario.send(0, chunks.data(end.tsn, b"user", ssn=end.ssn, flags=chunks.BEGIN))
    following = chunks.data(end.tsn + 1, b"user", ssn=end.ssn + ssn_step, flags=flags)
    scenario.send(0, following).send(0, chunks.data(end.tsn + 2, b"user", sid=1))
    scenario.send(1, chunks.sack(end.tsn - 1, gaps=((3, 3),)), gap_ns=S)
    scenario.send(0, chunks.forward_tsn(end.tsn, ((0, end.ssn),)), gap_ns=S)
    return scenario.send(0, following, gap_ns=S)


@fires("PR-010")
def rest_of_the_message_sent_again():
    return give_up_first_fragment(0, chunks.END)


@silent("PR-010")
def next_message_sent_again():
    return give_up_first_fragment(1, chunks.BEGIN | chunks.END)


@fires("PR-011")
def sent_again_after_it_was_given_up():
    scenario = give_up(up(), ((0, 5),))
    return scenario.send(0, chunks.data(scenario.ends[0].tsn - 2, b"user", ssn=5), gap_ns=S)


@silent("PR-011")
def new_data_after_it():
    scenario = give_up(up(), ((0, 5),))
    return scenario.data(0, gap_ns=S)


def told_twice(wait_ns):
    """End 1 gives a message up and says so twice; the second FORWARD-TSN is answered after wait_ns."""
    scenario = up()
    tsn = scenario.lose(1)
    scenario.send(1, chunks.forward_tsn(tsn)).send(0, chunks.sack(tsn))
    scenario.send(1, chunks.forward_tsn(tsn), gap_ns=S).wait(wait_ns)
    return scenario.send(0, chunks.sack(tsn))


@fires("PR-015", asserted=COMPLETE_AT_END_0)
@silent("PR-015", judged=False)
def forward_tsn_answered_after_1500_ms():
    return told_twice(1500 * MS)


@silent("PR-015", asserted=COMPLETE_AT_END_0)
def forward_tsn_answered_after_400_ms():
    return told_twice(400 * MS)


def violation_told(scenario):
    return scenario.abort(1, causes=(chunks.tlv(13, b"what for", last=True),))


@fires("PR-019", accused=1)
def forward_tsn_answered_by_abort():
    return violation_told(give_up(up(), ((0, 5),)))


@silent("PR-019", accused=1)
def forward_tsn_and_then_the_user_aborts():
    return give_up(up(), ((0, 5),)).abort(1, causes=(chunks.user_abort(b"bye"),))


@silent("PR-019", accused=1, judged=False)
def abort_after_data_that_follows_the_forward_tsn():
    return violation_told(give_up(up(), ((0, 5),)).data(0))


@fires("PR-023")
def sender_did_not_announce():
    return give_up(up((b"", SUPPORTED)), ((0, 5),))


@fires("PR-023", accused=1)
def answerer_did_not_announce():
    scenario = up((SUPPORTED, b""))
    scenario.data(1)
    return scenario.wait(S).send(1, chunks.forward_tsn(scenario.ends[1].tsn - 1, ((0, 0),)))


@silent("PR-023")
def sender_listed_the_chunk():
    return give_up(up((LISTED, SUPPORTED)), ((0, 5),))


def refuses(scenario):
    """End 1 says that it does not know FORWARD-TSN."""
    return scenario.send(1, chunks.error(chunks.tlv(6, chunks.chunk(chunks.FORWARD_TSN, 0, bytes(8)))))


@silent("AS-024", accused=1)
def unannounced_forward_tsn_refused():
    """End 1 lists the chunk, and end 0 announced nothing."""
    return refuses(give_up(up((b"", SUPPORTED + LISTED)), ((0, 5),)))


@silent("AS-024", accused=1)
def forward_tsn_refused_that_was_listed_only():
    """RFC 3758 3.3.1 asks for the parameter, RFC 5061 4.2.7 for the list."""
    return refuses(give_up(up((SUPPORTED, LISTED)), ((0, 5),)))


@fires("AS-024", accused=1)
def announced_forward_tsn_refused():
    return refuses(give_up(up((SUPPORTED, SUPPORTED + LISTED)), ((0, 5),)))
