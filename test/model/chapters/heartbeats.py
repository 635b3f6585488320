# SPDX-License-Identifier: GPL-2.0-or-later
"""HEARTBEATs: whether paths are verified and probed, what answers hold and where they go, what silence means."""

from generate import chunks
from scenario_builder import COMPLETE_AT_END_0, COMPLETE_AT_END_1, MS, S, ScenarioBuilder, assertions
from register import fires, silent
from mutations import breaks
from scripts import SINGLE, Setting, alters, violates
from packet_editor import NoPlace
from captured_associations import chunks_of, is_multihomed, is_set_up_once, params_of
from set_ups import elsewhere
from two_paths import LISTED, TWO_PATHS, TWO_WAYS, addresses_listed, two_paths


def used_paths(near=0):
    """Packets took both paths, both ways."""
    return two_paths(near).heartbeat(0, way=1).exchange(9)


def echoed(talk, change):
    for number in range(4):
        info = bytes([number]) * 40
        talk.send(talk.near, chunks.heartbeat(info), gap_ns=5 * S).send(talk.far, chunks.heartbeat_ack(change(info)))
    return talk


@violates("PM-001", by_far=True)
def wrong_echoes(talk):
    echoed(talk, lambda info: info[1:] + b"!")


@silent("PM-001", accused=1)
@silent("PM-004", accused=1)
@silent("PM-005")
@silent("PM-011")
def right_echoes():
    return echoed(two_paths(), lambda info: info).shut_down()


@silent("PM-001", accused=1)
def echoes_of_heartbeats_that_were_not_captured():
    scenario = echoed(two_paths(), lambda info: info)
    for number in range(2):
        scenario.new_id(0)
        scenario.heartbeat(0, answered=False, gap_ns=5 * S).send(1, chunks.heartbeat_ack(bytes([100 + number]) * 40), gap_ns=S)
    return scenario.heartbeat(0, gap_ns=5 * S).heartbeat(0, gap_ns=5 * S)


def one_wrong_echo(scenario, change):
    """After two right ones; the next HEARTBEAT is answered rightly again."""
    scenario.exchange(3).heartbeat(0, gap_ns=5 * S)
    info = b"i" * 40
    scenario.send(0, chunks.heartbeat(info), gap_ns=5 * S).send(1, chunks.heartbeat_ack(info))
    return scenario.heartbeat(0, answered=False, gap_ns=5 * S).send(1, chunks.heartbeat_ack(change(info))).heartbeat(0, gap_ns=5 * S)


@fires("PM-001", accused=1)
def one_wrong_echo_where_no_packet_is_missing():
    return one_wrong_echo(two_paths(), lambda info: b"!" * 40)


@silent("PM-001", accused=1)
def answer_before_comes_again():
    return one_wrong_echo(two_paths(), lambda info: info)


ALL_PASSED = assertions(complete=True)
AT_THE_ANSWERER = assertions(complete=True, taken_at=["10.0.0.2"])


def echo_of(info, echoed, asker=0):
    """One HEARTBEAT, its answer right after it, and data before and after."""
    scenario = ScenarioBuilder(near_ns=MS, far_ns=2 * MS).set_up().exchange(2).send(asker, chunks.heartbeat(info), gap_ns=S)
    return scenario.send(1 - asker, chunks.heartbeat_ack(echoed)).exchange(2)


@fires("PM-001", accused=1, asserted=AT_THE_ANSWERER)
def echo_with_one_byte_changed():
    return echo_of(b"address and time", b"address and tima")


@fires("PM-001", accused=0, asserted=ALL_PASSED)
def echo_cut_by_the_endpoint_that_set_up():
    return echo_of(b"0123456789abcdef", b"0123456789ab", asker=1)


@fires("PM-001", accused=1, asserted=ALL_PASSED)
def echo_of_nothing():
    return ScenarioBuilder().set_up().exchange(2).send(0, chunks.heartbeat(b"asked"), gap_ns=S).send(1, chunks.chunk(chunks.HEARTBEAT_ACK, 0, b""))


@fires("PM-001", accused=1)
def echo_with_other_bytes_while_its_heartbeat_waits():
    return echo_of(b"address and time", b"another address.")


@silent("PM-001", accused=1, asserted=AT_THE_ANSWERER)
def echoes_in_the_other_order():
    scenario = ScenarioBuilder().set_up().exchange(2)
    for info in (b"first", b"second"):
        scenario.send(0, chunks.heartbeat(info), gap_ns=S)
    return scenario.send(1, chunks.heartbeat_ack(b"second")).send(1, chunks.heartbeat_ack(b"first"), gap_ns=9 * S)


@silent("PM-001", accused=1, asserted=ALL_PASSED)
def echo_without_the_parameters_behind_the_info():
    info = chunks.tlv(1, b"address")
    scenario = ScenarioBuilder().set_up().exchange(2).send(0, chunks.chunk(chunks.HEARTBEAT, 0, info + chunks.tlv(0x8005, bytes(60))), gap_ns=S)
    return scenario.send(1, chunks.heartbeat_ack(b"address")).exchange(1)


@silent("PM-001", accused=1, judged=False)
def echo_of_a_heartbeat_before_the_capture():
    return ScenarioBuilder().exchange(2).send(1, chunks.heartbeat_ack(b"asked earlier"), gap_ns=S).exchange(2)


def to_a_third_address(params=(b"", b""), **options):
    """A HEARTBEAT to an address that the peer did not list."""
    scenario = ScenarioBuilder(TWO_PATHS).set_up((addresses_listed(TWO_PATHS[0]) + params[0], addresses_listed(TWO_PATHS[1]) + params[1])).exchange(3)
    return scenario.heartbeat(0, answered=False, destination="10.0.9.9", **options)


def foreign(addresses):
    """An address of the same family that is none of an association."""
    return "10.0.9.9" if len(addresses[0]) != 16 else "2001:db8::99"


def lists_its_addresses(association):
    return association.steps[1] == 1 and not all(chunks.ASCONF in association.extensions(end) for end in (0, 1))


@violates("HS-053", Setting(addresses=TWO_PATHS, params=LISTED, where=lists_its_addresses))
def heartbeat_to_an_address_not_listed(talk):
    talk.heartbeat(talk.near, destination=foreign(talk.ends[talk.far].addresses), answered=False)


@silent("HS-053")
def heartbeat_to_the_second_address_listed():
    return ScenarioBuilder(TWO_PATHS).set_up(LISTED).exchange(3).heartbeat(0, answered=False, destination=1)


@silent("HS-053", judged=False)
def heartbeat_to_an_address_that_asconf_may_have_added():
    both = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH)), last=True)
    return to_a_third_address((both, both))


@violates("HS-073", Setting(addresses=TWO_PATHS, params=LISTED, where=lists_its_addresses))
def data_from_an_address_not_listed(talk):
    talk.data(talk.near, source=foreign(talk.ends[talk.near].addresses))


@silent("HS-073")
def data_from_the_second_address_listed():
    return ScenarioBuilder(TWO_PATHS).set_up(LISTED).exchange(3).data(0, source=1)


@silent("HS-073", judged=False)
def data_from_an_address_that_asconf_may_have_added():
    both = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH)), last=True)
    return ScenarioBuilder(TWO_PATHS).set_up((both, both)).exchange(3).data(0, source=1)


@violates("PM-002")
def heartbeats_not_answered_but_data(talk):
    for _ in range(4):
        talk.heartbeat(talk.far, answered=False, gap_ns=2 * S).data(talk.far).sack(talk.near)


@silent("PM-002", accused=1)
def nothing_answered():
    scenario = two_paths(near=1)
    for _ in range(4):
        scenario.heartbeat(0, answered=False, gap_ns=2 * S)
    return scenario


@fires("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def one_heartbeat_not_answered():
    return ScenarioBuilder().set_up().exchange().heartbeat(0, answered=False).heartbeat(0, gap_ns=S)


@fires("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_answered_after_900_ms():
    return ScenarioBuilder().set_up().exchange().send(0, chunks.heartbeat(bytes(40))).send(1, chunks.heartbeat_ack(bytes(40)), gap_ns=900 * MS)


@fires("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def first_of_two_heartbeats_left_out():
    return ScenarioBuilder().set_up().exchange().heartbeat(0, answered=False).heartbeat(0)


@fires("PM-002", accused=0)
def three_heartbeats_not_answered_by_who_sends_on():
    scenario = ScenarioBuilder().set_up().exchange(3)
    for _ in range(3):
        scenario.heartbeat(1, answered=False, gap_ns=S)
    return scenario.wait(S).data(0).sack(1)


@silent("PM-002", accused=0)
def third_heartbeat_answered():
    """Two were lost behind the capture point."""
    scenario = ScenarioBuilder().set_up().exchange(3)
    for _ in range(2):
        scenario.heartbeat(1, answered=False, gap_ns=S)
    return scenario.heartbeat(1, gap_ns=S).wait(S).data(0).sack(1)


@silent("PM-002", accused=0)
def three_heartbeats_of_one_burst_lost():
    scenario = ScenarioBuilder().set_up().exchange(3)
    for _ in range(3):
        scenario.heartbeat(1, answered=False, gap_ns=100 * MS)
    return scenario.wait(S).data(0).sack(1)


@silent("PM-002", accused=0)
def nothing_comes_any_more():
    """The host of the endpoint may have stopped."""
    scenario = ScenarioBuilder().set_up().exchange(3)
    for _ in range(5):
        scenario.heartbeat(1, answered=False, gap_ns=2 * S)
    return scenario


@silent("PM-002", accused=1, asserted=COMPLETE_AT_END_1, judged=False)
def heartbeat_comes_while_the_shutdown_is_on_its_way():
    """End 1 is in SHUTDOWN-SENT when the HEARTBEAT comes, and answers none (8.3); its SHUTDOWN leaves 1 ms later."""
    return ScenarioBuilder().set_up().exchange().heartbeat(0, answered=False).shut_down(1, gap_ns=MS)


@fires("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_not_answered_long_before_the_shutdown():
    return ScenarioBuilder().set_up().exchange().heartbeat(0, answered=False).wait(S).shut_down(1)


@silent("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_to_an_endpoint_that_may_have_given_up():
    """Its own HEARTBEATs were not answered either: it may have closed the association without a word (8.1)."""
    scenario = ScenarioBuilder().set_up().exchange().heartbeat(0)
    for _ in range(2):
        scenario.heartbeat(1, answered=False, gap_ns=S)
    return scenario.heartbeat(0, answered=False).heartbeat(0, answered=False, gap_ns=S)


@silent("PM-002", accused=1, asserted=assertions(complete=True, taken_at=["10.0.0.2"], parameters=["10.0.0.2 Association.Max.Retrans=3"]))
def heartbeat_to_an_endpoint_whose_timer_expired_once_more():
    """What it retransmitted three times was sent four times in vain: four errors."""
    scenario = ScenarioBuilder().set_up().exchange().heartbeat(0).data(1)
    lost = scenario.flow.items[-1]
    for gap_ns in (S, 2 * S, 4 * S):
        scenario.send(1, *lost.chunks, gap_ns=gap_ns)
    return scenario.wait(10 * S).heartbeat(0, answered=False).heartbeat(0, answered=False, gap_ns=S)


@fires("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_to_an_endpoint_that_was_answered():
    scenario = ScenarioBuilder().set_up().exchange().heartbeat(0)
    for _ in range(3):
        scenario.heartbeat(1, gap_ns=S)
    return scenario.heartbeat(0, answered=False).heartbeat(0, answered=False, gap_ns=S)


@silent("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeats_by_another_way_after_the_restart():
    """The INIT went between the first addresses; the old association goes on between the second ones."""
    scenario = two_paths(near=1)
    old = scenario.ends[1].tag
    scenario.ends[1].tag = 0x1111_0001
    scenario.init(1, gap_ns=S)
    for _ in range(3):
        scenario.send(0, chunks.heartbeat(b"old"), vtag=old, way=1, gap_ns=S)
    return scenario


@silent("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
@silent("RX-035", 1, asserted=COMPLETE_AT_END_1)
def heartbeat_and_data_of_the_association_before_the_restart():
    """End 1 has begun anew, of which end 0 does not know yet: it discards what has the old tag (8.5)."""
    scenario = ScenarioBuilder().set_up().exchange().heartbeat(0)
    old = scenario.ends[1].tag
    scenario.ends[1].tag = 0x1111_0001
    scenario.init(1, gap_ns=S).send(0, chunks.heartbeat(b"old"), vtag=old)
    scenario.ends[1].tag = old
    scenario.data(0).wait(S).send(0, chunks.heartbeat(b"again"))
    scenario.ends[1].tag, scenario.ends[0].tag = 0x1111_0001, 0x1111_0002
    return scenario.init_ack(0, gap_ns=S).cookie_echo(1).cookie_ack(0)


@silent("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def two_heartbeats_answered_in_one_go():
    scenario = ScenarioBuilder().set_up().exchange()
    for info in (b"first", b"second"):
        scenario.send(0, chunks.heartbeat(info))
    return scenario.send(1, chunks.heartbeat_ack(b"first")).send(1, chunks.heartbeat_ack(b"second"))


@silent("PM-002", accused=1, asserted=COMPLETE_AT_END_1)
def two_heartbeats_answered_in_one_packet():
    scenario = ScenarioBuilder().set_up().exchange()
    for info in (b"first", b"second"):
        scenario.send(0, chunks.heartbeat(info))
    return scenario.send(1, chunks.heartbeat_ack(b"first"), chunks.heartbeat_ack(b"second")).wait(S).heartbeat(0)


@fires("PM-030", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_ack_unasked():
    return ScenarioBuilder().set_up().exchange().send(1, chunks.heartbeat_ack(bytes(40)))


def unasked_answers(count):
    """End 0, near the tap, answers so many HEARTBEATs twice."""
    scenario = ScenarioBuilder().set_up().exchange(3)
    for number in range(count):
        info = bytes([number]) * 40
        scenario.heartbeat(1, info=info, gap_ns=S).send(0, chunks.heartbeat_ack(info))
    return scenario


@fires("PM-030")
def three_heartbeats_answered_twice():
    return unasked_answers(3)


@silent("PM-030", judged=False)
def two_heartbeats_answered_twice():
    """Two were doubled behind the capture point."""
    return unasked_answers(2)


def two_answers(asked):
    scenario = ScenarioBuilder().set_up().exchange()
    for info in range(asked):
        scenario.send(0, chunks.heartbeat(bytes([info]) * 40))
    return scenario.send(1, chunks.heartbeat_ack(bytes(40)), chunks.heartbeat_ack(bytes([asked - 1]) * 40))


@fires("PM-030", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_answered_twice_in_one_packet():
    return two_answers(1)


@silent("PM-030", accused=1, asserted=COMPLETE_AT_END_1)
def two_heartbeats_answered_in_one_packet():
    return two_answers(2)


@fires("PM-030", asserted=COMPLETE_AT_END_0)
def heartbeat_after_the_end_answered():
    """The endpoint has no association any more: the HEARTBEAT is out of the blue."""
    scenario = ScenarioBuilder().set_up().exchange().shut_down().send(1, chunks.heartbeat(bytes(40)), gap_ns=S)
    return scenario.send(0, chunks.heartbeat_ack(bytes(40)), gap_ns=MS)


@silent("PM-030", asserted=COMPLETE_AT_END_0)
def heartbeat_in_cookie_echoed_answered():
    return ScenarioBuilder().init().init_ack().cookie_echo().send(1, chunks.heartbeat(bytes(40))).send(0, chunks.heartbeat_ack(bytes(40)), gap_ns=MS)


@silent("PM-030", accused=1, asserted=COMPLETE_AT_END_1)
def heartbeat_ack_asked_for():
    return ScenarioBuilder().set_up().exchange().heartbeat(0)


@violates("PM-004", TWO_WAYS, by_far=True)
def answer_to_another_address(talk):
    talk.heartbeat(talk.near, way=1, answered=False, info=b"\1" * 40)
    talk.send(talk.far, chunks.heartbeat_ack(b"\1" * 40), source=1, destination=0)


def is_answer_to_last(association, answer):
    """The HEARTBEAT that it echoes was the last of its way."""
    way, last = (answer.packet["destination"], answer.packet["source"]), None
    for packet in association.packets:
        if packet is answer.packet:
            break
        if (packet["source"], packet["destination"]) == way:
            for kind, at, length in chunks_of(packet["sctp"]):
                last = packet["sctp"][at + 4:at + length] if kind == chunks.HEARTBEAT else last
    return last == answer.packet["sctp"][answer.at + 4:answer.at + answer.length]


@breaks("PM-004")
def real_answer_to_another_address(editor):
    association = editor.association(is_multihomed)
    place = editor.pick(place for place in association.places(None, chunks.HEARTBEAT_ACK, alone=True)
                       if is_answer_to_last(association, place))
    place.packet["destination"] = elsewhere(place.packet["destination"])
    return association.sender(place.packet)


@silent("PM-004", accused=1)
def answer_to_one_of_two_heartbeats_with_the_same_info():
    scenario = two_paths()
    for path in (0, 1):
        scenario.send(0, chunks.heartbeat(bytes(40)), way=path)
    for path in (0, 1):
        scenario.send(1, chunks.heartbeat_ack(bytes(40)), way=path)
    return scenario


@violates("PM-005")
def heartbeat_without_info(talk):
    talk.send(talk.near, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(0x8555, bytes(20))))


def to_an_unconfirmed_address(editor, *parts):
    """The responder sends these right behind the COOKIE ACK to an address that the INIT listed and that no packet came from yet."""
    association = editor.near(1, lambda association: is_set_up_once(association) and is_multihomed(association)
                              and not any(part[0] in association.demands(0) for part in parts))
    ack = association.first(1, chunks.COOKIE_ACK).packet
    listed = sorted({association.init.packet["sctp"][at + 4:at + length] for kind, at, length in params_of(association.init) if kind in (5, 6)}
                    - {association.init_ack.packet["destination"], ack["destination"], association.first(0, chunks.COOKIE_ECHO).packet["source"]})
    listed = [address for address in listed if len(address) == len(ack["source"])]
    if not listed:
        raise NoPlace
    editor.inject(ack, *parts, destination=listed[0])
    return association


@alters("PM-006", 1, of=lambda: used_paths(near=1))
def short_nonce(editor):
    to_an_unconfirmed_address(editor, chunks.heartbeat(b"1234"))
    return 1


@silent("PM-006", accused=1)
def long_nonce():
    return two_paths().send(1, chunks.heartbeat(bytes(8)), way=1)


@alters("PM-007", 1, of=lambda: used_paths(near=1))
def sack_to_an_unconfirmed_address(editor):
    association = editor.near(1, is_set_up_once)
    to_an_unconfirmed_address(editor, chunks.sack(association.initial_tsn(0) - 1))
    return 1


@fires("PM-007", accused=1)
def data_to_an_unconfirmed_address():
    return two_paths(near=1).data(1, way=1)


@silent("PM-007", accused=1)
def heartbeat_ack_to_an_unconfirmed_address():
    return two_paths(near=1).heartbeat(0, way=1).heartbeat(1, way=1).data(1, way=1)


def data_beside_a_probe(is_answered):
    """End 1 probes the second address, and sends data there."""
    scenario = two_paths(near=1).send(1, chunks.heartbeat(), way=1)
    if is_answered:
        scenario.send(0, chunks.heartbeat_ack(), way=1)
    return scenario.data(1, way=1)


@fires("PM-007", accused=1, asserted=assertions(complete=True, taken_at=TWO_PATHS[1]))
@silent("PM-007", accused=1, asserted=COMPLETE_AT_END_1, judged=False)
def data_to_an_address_that_has_not_answered():
    """Before, the first packets of end 1 went to the first address."""
    return data_beside_a_probe(False)


@silent("PM-007", accused=1, asserted=assertions(complete=True, taken_at=TWO_PATHS[1]))
def data_to_an_address_that_has_answered():
    return data_beside_a_probe(True)


@silent("PM-007", accused=0, judged=False)
def data_to_an_address_that_the_user_named():
    return two_paths().data(0, way=1)


def beats(talk, jitter_ns=0):
    for number in range(14):
        talk.heartbeat(talk.near, gap_ns=5 * S + jitter_ns * (number % 3))
    return talk


@violates("PM-009")
def exact_heartbeats(talk):
    beats(talk)


@silent("PM-009")
def heartbeats_with_jitter():
    return beats(two_paths(), 300 * MS)


@violates("PM-011")
def heartbeat_after_shutdown(talk):
    talk.shutdown(talk.near).heartbeat(talk.near, answered=False, gap_ns=S)


@fires("PM-011", asserted=COMPLETE_AT_END_0)
@silent("PM-011")
def heartbeat_right_after_shutdown():
    return two_paths().shutdown(0).heartbeat(0, answered=False, gap_ns=MS)


@alters("PM-031", causes=("AU-007",))
def heartbeat_with_the_cookie_echo(editor):
    association = editor.association(lambda one: is_set_up_once(one) and one.init.packet["destination"] ==
                                     one.first(0, chunks.COOKIE_ECHO).packet["destination"])
    echo = association.first(0, chunks.COOKIE_ECHO).packet
    length = int.from_bytes(echo["sctp"][14:16], "big")
    editor.inject(echo, echo["sctp"][12:12 + length], chunks.heartbeat(bytes(40)), ahead=True)
    return 0


@silent("PM-031", judged=False)
def heartbeat_with_the_cookie_echo_to_an_unconfirmed_address():
    scenario = ScenarioBuilder(TWO_PATHS).init(params=addresses_listed(TWO_PATHS[0])).init_ack(params=addresses_listed(TWO_PATHS[1]))
    return scenario.send(0, chunks.cookie_echo(), chunks.heartbeat(bytes(40)), way=1).cookie_ack()


def infos(talk, *given, gap_ns=5 * S):
    """HEARTBEATs of the near end: number of the way and info of each."""
    for way, info in given:
        talk.heartbeat(talk.near, way=way, info=info * 40, gap_ns=gap_ns)
    return talk


@violates("PM-032")
def same_info_again(talk):
    infos(talk, (0, b"a"), (0, b"a"))


@fires("PM-032")
def same_info_to_another_address():
    return infos(two_paths(), (0, b"a"), (1, b"a"), gap_ns=MS)


@silent("PM-032")
def infos_that_differ():
    return infos(two_paths(), (0, b"a"), (1, b"b"), (0, b"c"), (1, b"d"))


@silent("PM-032")
def same_info_within_a_second():
    return infos(two_paths(), (0, b"a"), (0, b"a"), gap_ns=S // 2)


BEATS = "HB.interval=5000 RTO.Initial=1000 RTO.Max=60000"
BEATS_AT_END_0 = assertions(complete=True, taken_at=["10.0.0.1"], parameters=[f"10.0.0.1 {BEATS}"])
BEATS_AT_BOTH_OF_END_0 = assertions(complete=True, taken_at=TWO_PATHS[0], parameters=[f"{address} {BEATS}" for address in TWO_PATHS[0]])
BEATS_AT_BOTH_OF_END_1 = assertions(complete=True, taken_at=TWO_PATHS[1], parameters=[f"{address} {BEATS}" for address in TWO_PATHS[1]])


def idle(own_gap_ns=None, seconds=60):
    """End 1 probes every 6 s, end 0 only where own_gap_ns says how often."""
    scenario = ScenarioBuilder().set_up().exchange(1)
    for second in range(6, seconds, 6):
        scenario.wait(6 * S).heartbeat(1)
        if own_gap_ns and second * S % own_gap_ns == 0:
            scenario.heartbeat(0)
    return scenario


@fires("PM-033", asserted=BEATS_AT_END_0)
@silent("PM-033", asserted=COMPLETE_AT_END_0, judged=False)
def idle_path_never_probed():
    return idle()


@fires("PM-033", asserted=BEATS_AT_END_0)
def path_of_an_association_without_data_never_probed():
    scenario = ScenarioBuilder().set_up()
    for _ in range(8):
        scenario.wait(6 * S).heartbeat(1)
    return scenario


@silent("PM-033", asserted=BEATS_AT_END_0)
def idle_path_probed():
    return idle(own_gap_ns=12 * S)


@silent("PM-033", asserted=BEATS_AT_END_0, judged=False)
def path_that_carries_data():
    scenario = ScenarioBuilder().set_up().exchange(1)
    for _ in range(8):
        scenario.wait(6 * S).data(0).sack(1)
    return scenario


@silent("PM-033", asserted=BEATS_AT_END_0, judged=False)
def no_heartbeat_after_shutdown():
    return ScenarioBuilder().set_up().exchange(1).shutdown(0).heartbeat(1, answered=False, gap_ns=60 * S).abort(0)


@silent("PM-033", asserted=BEATS_AT_BOTH_OF_END_0)
def one_of_two_idle_paths_probed_in_each_period():
    scenario = two_paths()
    for path in (0, 1) * 3:
        scenario.wait(6500 * MS).heartbeat(0, way=path)
    return scenario


@fires("PM-033", asserted=BEATS_AT_BOTH_OF_END_0)
def second_of_two_paths_never_probed_again():
    scenario = two_paths().heartbeat(0, way=1)
    for _ in range(12):
        scenario.wait(6 * S).heartbeat(0)
    return scenario


FAILING_AT_BOTH_OF_END_0 = assertions(
    complete=True, taken_at=TWO_PATHS[0],
    parameters=[f"{address} HB.interval=5000 RTO.Initial=1000 RTO.Max=3000 PotentiallyFailed.Max.Retrans=0" for address in TWO_PATHS[0]])


def leaves_the_first_path():
    """Data to the first address is not acknowledged, and goes to the second one."""
    scenario = two_paths()
    tsn, ssn = scenario.ends[0].tsn, scenario.ends[0].ssn
    return scenario.data(0, gap_ns=S).send(0, chunks.data(tsn, bytes(20), ssn=ssn), way=1, gap_ns=S).send(1, chunks.sack(tsn), way=1)


def first_path_fails(is_probed):
    scenario = leaves_the_first_path()
    if is_probed:
        scenario.heartbeat(0, answered=False, gap_ns=MS)
    for _ in range(6):
        scenario.wait(S).data(0, way=1).sack(1, way=1)
    return scenario


@fires("PM-035", asserted=FAILING_AT_BOTH_OF_END_0)
@silent("PM-035", asserted=BEATS_AT_BOTH_OF_END_0, judged=False)
def potentially_failed_path_never_probed():
    return first_path_fails(is_probed=False)


@silent("PM-035", asserted=FAILING_AT_BOTH_OF_END_0)
def potentially_failed_path_probed():
    return first_path_fails(is_probed=True)


ONE_SECOND_AT_BOTH_OF_END_0 = assertions(
    complete=True, taken_at=TWO_PATHS[0],
    parameters=[f"{address} HB.interval=5000 RTO.Initial=1000 RTO.Min=1000 RTO.Max=60000 PotentiallyFailed.Max.Retrans=0" for address in TWO_PATHS[0]])


def first_path_fails_for(ns):
    """As first_path_fails, but for so long at the most."""
    return leaves_the_first_path().data(0, way=1, gap_ns=ns).abort(1)


@fires("PM-035", asserted=ONE_SECOND_AT_BOTH_OF_END_0)
def potentially_failed_path_not_probed_within_a_doubled_rto():
    return first_path_fails_for(4 * S)


@silent("PM-035", asserted=ONE_SECOND_AT_BOTH_OF_END_0, judged=False)
def potentially_failed_path_not_probed_yet():
    return first_path_fails_for(2500 * MS)


@silent("PM-035", asserted=ONE_SECOND_AT_BOTH_OF_END_0, judged=False)
def potentially_failed_path_on_which_data_is_outstanding():
    """RFC 7829 3 (6): T3-rtx of that data tells as much."""
    scenario = two_paths()
    tsn, ssn = scenario.ends[0].tsn, scenario.ends[0].ssn
    scenario.data(0, gap_ns=S).data(0).send(0, chunks.data(tsn, bytes(20), ssn=ssn), source=1, destination=1, gap_ns=S)
    scenario.send(1, chunks.sack(tsn), source=1, destination=1)
    return scenario.data(0, source=1, destination=1, gap_ns=4 * S).abort(1)


@silent("PM-035", asserted=ONE_SECOND_AT_BOTH_OF_END_0, judged=False)
def potentially_failed_path_probed_right_before_the_retransmission():
    scenario = two_paths()
    tsn, ssn = scenario.ends[0].tsn, scenario.ends[0].ssn
    scenario.data(0, gap_ns=S).heartbeat(0, answered=False, gap_ns=S)
    scenario.send(0, chunks.data(tsn, bytes(20), ssn=ssn), source=1, destination=1, gap_ns=MS // 100)
    scenario.send(1, chunks.sack(tsn), source=1, destination=1)
    return scenario.data(0, source=1, destination=1, gap_ns=4 * S).abort(1)


def verification(is_probed):
    scenario = ScenarioBuilder(TWO_PATHS).set_up(LISTED).exchange(2)
    if is_probed:
        scenario.wait(S).heartbeat(1, way=1)
    for _ in range(6):
        scenario.wait(6 * S).heartbeat(1)
    return scenario


@fires("PM-034", accused=1, asserted=BEATS_AT_BOTH_OF_END_1)
def unconfirmed_address_never_probed():
    return verification(is_probed=False)


@silent("PM-034", accused=1, asserted=BEATS_AT_BOTH_OF_END_1)
def unconfirmed_address_probed():
    return verification(is_probed=True)


@silent("PM-011")
def heartbeat_to_an_unconfirmed_address_held_up_behind_the_shutdown():
    return two_paths().shutdown(0).heartbeat(0, destination=1, answered=False, gap_ns=100 * MS)


@alters("PM-022", 1, causes=("HS-010", "HS-057", "PM-006", "PM-007"))
def init_ack_elsewhere(editor):
    association = editor.association(is_set_up_once)
    association.init_ack.packet["destination"] = elsewhere(association.init_ack.packet["destination"])
    return 1


@alters("PM-022", 1, causes=("HS-057", "PM-007"))
def cookie_ack_elsewhere(editor):
    association = editor.association(is_set_up_once)
    packet = association.first(1, chunks.COOKIE_ACK).packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@silent("PM-022", accused=1)
def cookie_ack_to_the_confirmed_address():
    return ScenarioBuilder(TWO_PATHS).init().init_ack().cookie_echo(source=1).cookie_ack()


def late_heartbeat(*paths):
    """After a minute, with a peer of three addresses."""
    addresses = (TWO_PATHS[0], [*TWO_PATHS[1], "10.0.2.2"])
    scenario = ScenarioBuilder(addresses).set_up((addresses_listed(TWO_PATHS[0]), addresses_listed(addresses[1]))).exchange(3)
    for path in paths:
        scenario.heartbeat(0, source=min(path, 1), destination=path)
    return scenario.heartbeat(0, gap_ns=70 * S)


@alters("PM-025", of=used_paths)
def listed_address_never_probed(editor):
    talk = TWO_WAYS.sought(editor)
    place = (talk.association.init, talk.association.init_ack)[talk.far]
    if talk.association.steps[1] > 1:
        raise NoPlace
    usual = talk.ways[0][1]
    editor.add_param(place, chunks.tlv(5 if len(usual) == 4 else 6, elsewhere(usual)))
    return talk.heartbeat(talk.near, gap_ns=70 * S).heartbeat(talk.near, way=1).near


@fires("PM-025")
def listed_address_without_heartbeat():
    return late_heartbeat(1)


@silent("PM-025")
def listed_addresses_with_heartbeats():
    return late_heartbeat(1, 2)


@silent("PM-025", judged=False)
def one_interface_captured():
    return late_heartbeat()


@violates("PM-027", TWO_WAYS)
def no_path_answers(talk):
    talk.heartbeat(talk.near).heartbeat(talk.near, way=1)
    for number in range(20):
        talk.heartbeat(talk.near, way=number % 2, answered=False, gap_ns=3 * S)


@silent("PM-027")
def one_path_answers():
    scenario = two_paths()
    for _ in range(8):
        scenario.heartbeat(0, answered=False, gap_ns=3 * S).heartbeat(0, way=1, gap_ns=3 * S)
    return scenario


def spaced(*gaps_ns, answered=True):
    """A HEARTBEAT, which is answered, and further ones after the gaps."""
    scenario = two_paths().heartbeat(0)
    for gap_ns in gaps_ns:
        scenario.wait(gap_ns).heartbeat(0, answered=answered)
    return scenario


@violates("PM-029")
def heartbeats_ever_later(talk):
    """The interval grows by twice as much each time, though each HEARTBEAT is answered."""
    interval_ns = talk.rng.randrange(2 * S, 30 * S)
    for number in range(8):
        talk.heartbeat(talk.near, gap_ns=interval_ns + (S << number))


@silent("PM-029")
def heartbeats_ever_later_within_the_jitter():
    return spaced(*[31 * S + (25 << number) * MS for number in range(6)])


@silent("PM-029")
def heartbeats_of_which_some_leave_late():
    return spaced(31 * S, 33 * S, 40 * S, 32 * S, 35 * S, 45 * S, 31 * S)


@silent("PM-029", judged=False)
def heartbeats_answered_late():
    scenario = two_paths()
    for number in range(7):
        scenario.heartbeat(0, gap_ns=(1 << number) * S, answer_gap_ns=(1 << number) * S)
    return scenario


@silent("PM-029")
def heartbeats_backed_off_without_answer():
    return spaced(*[(30 + (1 << number)) * S for number in range(7)], answered=False)


def data_before_the_heartbeat_ack(talk, late_ns):
    """Each HEARTBEAT is followed by data, whose SACK comes first."""
    near, far = talk.near, talk.far
    for number in range(4):
        info = bytes([number]) * 40
        talk.send(far, chunks.heartbeat(info), gap_ns=5 * S).data(far).sack(near).send(near, chunks.heartbeat_ack(info), gap_ns=late_ns)
    return talk


@violates("PM-003", SINGLE)
def heartbeat_ack_400_ms_after_the_sack(talk):
    data_before_the_heartbeat_ack(talk, 400 * MS)


@silent("PM-003")
def heartbeat_ack_right_behind_the_sack():
    return data_before_the_heartbeat_ack(SINGLE.made(), MS)


LEFT_OUT = [
    ("PM-008", "merged into PM-025", "an address that gets no packet at all is the case that can be told from a disabled heartbeat"),
    ("PM-010", "left out", "HB.Max.Burst can be set, and on-demand heartbeats look the same"),
    ("PM-012", "left out", "a HEARTBEAT that was not captured looks the same"),
    ("PM-018", "left out", "heartbeats can be disabled for an address; absence alone proves nothing"),
    ("PM-024", "merged into PM-002", "probes of the MTU are a gate that silences rules of heartbeats, no finding"),
]
