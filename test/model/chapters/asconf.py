# SPDX-License-Identifier: GPL-2.0-or-later
"""Address reconfiguration: what is announced, ASCONF, its answers, and the use of addresses."""

import ipaddress

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_1, MS, QUIET_AND_TIMED_AT_END_0, S, TIMED_AT_END_0, ScenarioBuilder, assertions
from register import fires, silent
from mutations import breaks
from packet_editor import NoPlace, replace_param
from continuation import Continuation
from captured_associations import is_later, is_multihomed, is_set_up_once, params_of, u32
from asconf_requests import NEW, WITHOUT_AUTH, add, delete, primary
from authentication import SUPPORT, auth, wanting
from partial_reliability import FORWARD_TSN_LISTED, SUPPORTS_PARTIAL, give_up, partially_reliable

ALL_THREE = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH)))
OFFER = SUPPORT + wanting(chunks.ASCONF, chunks.ASCONF_ACK) + ALL_THREE
TWO = (["10.0.0.1", "10.0.1.1"], ["10.0.0.2"])


class Change(ScenarioBuilder):
    """After a set-up that offers ASCONF, with round trips that show the tap to be near end 0; numbers count from the initial TSN."""

    def __init__(self, addresses=TWO, offers=(OFFER, OFFER), listed=True):
        super().__init__(addresses)
        listing = b"".join(chunks.address(text) for text in addresses[0]) if listed else b""
        self.set_up((offers[0] + listing, offers[1])).exchange(2)

    def ask(self, number, *requests, lookup="10.0.0.1", **options):
        return self.send(0, auth(), chunks.asconf(self.ends[0].initial_tsn + number & 0xFFFFFFFF, lookup, *requests), **options)

    def answer(self, number, *responses, **options):
        return self.send(1, auth(), chunks.asconf_ack(self.ends[0].initial_tsn + number & 0xFFFFFFFF, *responses), **options)


@fires("AS-001")
@fires("AS-018")
def asconf_without_auth_and_changed():
    scenario = Change()
    number = scenario.ends[0].initial_tsn
    scenario.send(0, chunks.asconf(number, "10.0.0.1", add()))
    return scenario.wait(S).send(0, chunks.asconf(number, "10.0.0.1", add("10.0.8.1")))


@silent("AS-001")
@silent("AS-002")
@silent("AS-003")
@silent("AS-006", accused=1)
@silent("AS-007", accused=1)
@silent("AS-009")
@silent("AS-010")
@silent("AS-012")
@silent("AS-014")
@silent("AS-020")
def changes_in_order():
    scenario = Change()
    scenario.ask(0, add()).answer(0).heartbeat(1, destination=NEW)
    scenario.ask(1, delete("10.0.1.1")).answer(1)
    return scenario.ask(2, add("10.0.1.1")).answer(2).data(0, source="10.0.1.1")


@silent("AS-018")
def asconf_sent_again():
    return Change().ask(0, add()).wait(S).ask(0, add(), source=1).answer(0, destination=1)


@fires("AS-002")
def asconf_to_a_peer_without():
    return Change(offers=(OFFER, SUPPORT)).ask(0, add())


@fires("AS-003")
def first_number_is_one():
    scenario = Change()
    return scenario.send(0, auth(), chunks.asconf(scenario.ends[0].initial_tsn - 1, "10.0.0.1", add()))


def first_number(step, sender=0):
    """The first ASCONF has another number than the initial TSN by step; no data before it."""
    scenario = Change()
    own = scenario.ends[sender]
    return scenario.send(sender, auth(), chunks.asconf(own.initial_tsn + step, own.addresses[0], add(f"10.0.7.{sender + 1}")))


@fires("AS-003", asserted=COMPLETE)
def first_number_is_one_above_the_initial_tsn():
    return first_number(1)


@fires("AS-003", accused=1, asserted=COMPLETE)
def first_number_of_the_answerer_is_seven_above():
    return first_number(7, sender=1)


@silent("AS-003", asserted=COMPLETE)
def first_number_is_the_initial_tsn():
    return first_number(0).answer(0).ask(1, add("10.0.8.1", 2))


@silent("AS-003")
def first_number_that_was_captured_is_the_second():
    return first_number(1)


@fires("AS-005")
def second_asconf_before_the_answer():
    return Change().ask(0, add()).ask(1, add("10.0.8.1", 2)).wait(S).ask(0, add())


@silent("AS-005")
def second_asconf_bundled_into_a_retransmission():
    scenario = Change().ask(0, add()).wait(S)
    first = scenario.ends[0].initial_tsn
    scenario.send(0, auth(), chunks.asconf(first, "10.0.0.1", add()), chunks.asconf(first + 1, "10.0.0.1", add("10.0.8.1", 2)))
    return scenario.wait(S).ask(0, add()).answer(0)


@fires("AS-005")
def second_asconf_and_the_answer_after_it():
    return Change().ask(0, add()).ask(1, add("10.0.8.1", 2)).answer(0)


@fires("AS-006", accused=1)
def answer_to_the_next_number():
    return Change().ask(0, add()).answer(1)


@silent("AS-006", accused=1)
def answers_sent_again():
    return Change().ask(0, add()).answer(0).ask(1, add("10.0.8.1")).answer(1).answer(0)


@fires("AS-006", accused=1)
def answer_in_the_own_number_space():
    scenario = Change().ask(0, add())
    return scenario.send(1, auth(), chunks.asconf_ack(scenario.ends[0].initial_tsn ^ 1 << 30))


@fires("AS-007", accused=1)
def answers_elsewhere():
    return Change().ask(0, add()).answer(0, destination=1).ask(1, add("10.0.8.1")).answer(1, destination=1)


@fires("AS-008", accused=1)
def other_correlation_id():
    return Change().ask(0, add()).answer(0, chunks.asconf_param(chunks.SUCCESS, 7))


@silent("AS-008", accused=1)
def same_correlation_id():
    return Change().ask(0, add()).answer(0, chunks.asconf_param(chunks.SUCCESS, 1)) \
        .ask(1, add("10.0.8.1")).answer(1, chunks.asconf_param(chunks.SUCCESS, 1))


@fires("AS-009")
def asconf_without_lookup_address():
    scenario = Change()
    return scenario.send(0, auth(), chunks.chunk(chunks.ASCONF, 0, scenario.ends[0].initial_tsn.to_bytes(4, "big") + add()))


@fires("AS-010")
def asconf_after_shutdown_ack():
    scenario = Change()
    scenario.send(1, chunks.shutdown(scenario.ends[0].tsn - 1)).send(0, chunks.shutdown_ack())
    return scenario.ask(0, add())


@fires("AS-011")
def new_address_used_at_once():
    return Change().ask(0, add()).data(0, source=NEW).wait(S).ask(0, add())


@fires("AS-011")
def new_address_used_before_the_answer():
    return Change().ask(0, add()).data(0, source=NEW).answer(0)


@silent("AS-011")
def new_address_used_for_the_asconf():
    return Change().ask(0, add()).wait(S).ask(0, add(), source=NEW).answer(0, destination=NEW).data(0, source=NEW)


@silent("AS-011")
def new_address_used_after_the_answer():
    return Change().ask(0, add()).wait(S).ask(0, add()).answer(0).data(0, source=NEW)


@fires("AS-012")
def deleted_address_used():
    return Change().ask(0, delete("10.0.1.1")).wait(S).data(0, source=1).ask(0, delete("10.0.1.1")).answer(0)


@fires("AS-012")
def deleted_address_used_after_the_answer():
    return Change().ask(0, delete("10.0.1.1")).answer(0).wait(3 * S).data(0, source=1)


@silent("AS-012")
def deleted_address_added_again():
    change = Change().ask(0, delete("10.0.1.1")).answer(0).ask(1, add("10.0.1.1")).answer(1)
    return change.wait(3 * S).data(0, source=1)


@fires("AS-007", accused=1)
def one_answer_elsewhere():
    return Change().ask(0, add()).answer(0, destination=1)


@fires("AS-013")
def last_address_deleted():
    return Change().ask(0, delete("10.0.1.1"), delete("10.0.0.1", 2))


@silent("AS-013")
def renumbered():
    return Change().ask(0, delete("10.0.1.1"), add(NEW, 2), delete("10.0.0.1", 3), source=NEW)


@silent("AS-013")
def added_again_and_the_answer_not_captured():
    change = Change().ask(0, delete("10.0.0.1"), source=1).answer(0, destination=1)
    return change.ask(1, add("10.0.0.1"), source=1).wait(S).ask(2, delete("10.0.1.1"))


@fires("AS-014")
@fires("AS-015", accused=1)
def own_source_deleted():
    return Change().ask(0, delete("10.0.0.1")).answer(0)


@silent("AS-015", accused=1)
def own_source_deleted_and_refused():
    refusal = chunks.asconf_param(chunks.ERROR_INDICATION, 1, chunks.tlv(0xA2, delete("10.0.0.1")))
    return Change().ask(0, delete("10.0.0.1")).answer(0, refusal).wait(S).ask(1, delete("10.0.0.1"), source=1).answer(1, destination=1)


@silent("AS-015", accused=1, judged=False)
def own_source_deleted_then_from_another():
    return Change().ask(0, delete("10.0.0.1")).wait(S).ask(0, delete("10.0.0.1"), source=1).answer(0, destination=1)


class NearPeer(Change):
    """The tap is near end 1, which is asked."""

    def __init__(self):
        ScenarioBuilder.__init__(self, TWO, near_ns=20 * MS, far_ns=MS // 10)
        self.set_up((OFFER + chunks.address("10.0.0.1") + chunks.address("10.0.1.1"), OFFER)).exchange(2)


@fires("AS-016", accused=1)
def data_to_an_added_address():
    return NearPeer().ask(0, add()).answer(0).data(1, destination=NEW)


@silent("AS-016", accused=1)
def heartbeat_to_an_added_address_first():
    return NearPeer().ask(0, add()).answer(0, destination=NEW).heartbeat(1, destination=NEW).data(1, destination=NEW)


@fires("AS-017", accused=1)
def data_to_a_deleted_address():
    return Change().ask(0, delete("10.0.1.1")).answer(0).wait(20 * S).data(1, destination=1)


@silent("AS-017", accused=1)
def data_to_a_deleted_address_at_once_and_added_again():
    scenario = Change().ask(0, delete("10.0.1.1")).answer(0).data(1, destination=1)
    return scenario.wait(12 * S).data(1).ask(1, add("10.0.1.1")).answer(1).data(1, destination=1)


def data_to_a_deleted_address_after(gap_ns):
    return Change().ask(0, delete("10.0.1.1")).answer(0).wait(gap_ns).data(1, destination=1)


@fires("AS-017", accused=1, asserted=COMPLETE_AT_END_1)
@silent("AS-017", accused=1, judged=False)
def data_to_a_deleted_address_two_seconds_later():
    return data_to_a_deleted_address_after(2 * S)


@silent("AS-017", accused=1, asserted=COMPLETE_AT_END_1, judged=False)
def data_to_a_deleted_address_half_a_second_later():
    return data_to_a_deleted_address_after(S // 2)


@fires("AS-020")
def multicast_added():
    return Change().ask(0, add("224.1.2.3"))


def repeated(answered, first=0, scenario=None):
    scenario = scenario or Change()
    for number in range(4):
        scenario.ask(first, add(), gap_ns=(1 << number) * S)
        if answered and number == 2:
            scenario.answer(first)
        scenario.data(0).sack(1)
    return scenario


@fires("AS-021", accused=1)
def asconf_not_answered():
    return repeated(False)


@silent("AS-021", accused=1, judged=False)
def asconf_of_a_number_that_is_not_due():
    return repeated(False, first=7)


@silent("AS-021", accused=1, judged=False)
def second_asconf_that_leaves_out_a_number():
    scenario = Change()
    scenario.ask(0, add()).answer(0)
    return repeated(False, first=2, scenario=scenario)


@silent("AS-021", accused=1)
def asconf_answered_late():
    return repeated(True)


@fires("AS-033", asserted=TIMED_AT_END_0)
def asconf_not_repeated_while_data_flows():
    scenario = Change().ask(0, add())
    for _ in range(4):
        scenario.data(0, gap_ns=S).sack(1)
    return scenario


@fires("AS-033", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("AS-033", asserted=TIMED_AT_END_0, judged=False)
def asconf_is_the_last_packet():
    return Change().ask(0, add())


@silent("AS-033", asserted=QUIET_AND_TIMED_AT_END_0, judged=False)
def asconf_that_is_answered():
    return Change().ask(0, add()).answer(0).data(0, gap_ns=5 * S).sack(1)


@fires("AS-023")
def extensions_twice():
    return ScenarioBuilder().set_up((ALL_THREE + ALL_THREE, b""))


@silent("AS-023")
@silent("AS-025")
@silent("AS-027")
@silent("AS-031")
def extensions_once():
    return ScenarioBuilder().set_up((OFFER + chunks.tlv(chunks.ADAPTATION, bytes(4)), chunks.tlv(chunks.UNRECOGNIZED, ALL_THREE) + ALL_THREE))


def unknown(kind):
    return chunks.error(chunks.tlv(6, chunks.chunk(kind, 0, bytes(12))))


@fires("AS-024", accused=1)
def listed_asconf_refused():
    return Change().ask(0, add()).send(1, unknown(chunks.ASCONF))


@silent("AS-024", accused=1)
def unlisted_asconf_refused():
    return Change(offers=(OFFER, SUPPORT)).ask(0, add()).send(1, unknown(chunks.ASCONF))


@fires("AS-025")
def adaptation_in_asconf():
    return Change().ask(0, add(), chunks.tlv(chunks.ADAPTATION, bytes(4)))


@fires("AS-031")
def add_ip_in_reconfig():
    return Change().send(0, chunks.re_config(add()))


def bundle(*numbers):
    scenario = Change()
    scenario.ask(0, add())
    first = scenario.ends[0].initial_tsn
    return scenario.wait(S).send(0, auth(), *(chunks.asconf(first + number, "10.0.0.1", add(f"10.0.8.{number}")) if number is not None
                                          else chunks.heartbeat() for number in numbers))


@fires("AS-026")
def asconfs_descending():
    return bundle(2, 1)


@silent("AS-026")
def asconfs_ascending():
    return bundle(1, 2)


@fires("AS-027")
@fires("AS-028", accused=1)
def asconf_without_auth_offered():
    return ScenarioBuilder().set_up((WITHOUT_AUTH, WITHOUT_AUTH))


@silent("AS-028", accused=1)
def asconf_with_auth_offered():
    return ScenarioBuilder().set_up((OFFER, OFFER))


@silent("AS-028", accused=1, judged=False)
def asconf_without_auth_offered_to_an_end_without():
    return ScenarioBuilder().set_up((WITHOUT_AUTH, b""))


def refused(*numbers):
    scenario = Change(offers=(OFFER, SUPPORT)).ask(0, add()).send(1, unknown(chunks.ASCONF)).wait(S)
    scenario.ask(0, add()).send(1, unknown(chunks.ASCONF)).wait(3 * S)
    for number in numbers:
        scenario.ask(number, add(), gap_ns=S)
    return scenario


@silent("AS-001", judged=False)
def asconf_as_it_was_offered_without_auth():
    scenario = ScenarioBuilder().set_up((WITHOUT_AUTH, WITHOUT_AUTH)).exchange(2)
    number = scenario.ends[0].initial_tsn
    return scenario.send(0, chunks.asconf(number, "10.0.0.1", add())).send(1, chunks.asconf_ack(number))


@fires("AS-029")
def asconf_after_refusals():
    return refused(1)


@silent("AS-029")
def asconf_sent_again_after_refusals():
    return refused(0)


TAKEN_AT = assertions(taken_at=["10.0.0.1"])


def refused_once(again):
    """One ERROR; where again, the ASCONF is sent once more."""
    scenario = Change(offers=(OFFER, SUPPORT)).ask(0, add()).send(1, unknown(chunks.ASCONF))
    return scenario.ask(0, add(), gap_ns=2 * S) if again else scenario.exchange(2)


@fires("AS-029", asserted=TAKEN_AT)
def asconf_sent_again_after_it_was_refused_at_the_tap():
    return refused_once(True)


@silent("AS-029", judged=False, asserted=TAKEN_AT)
def no_asconf_after_it_was_refused_at_the_tap():
    return refused_once(False)


@fires("AS-030")
def primary_of_a_strange_address():
    return Change().ask(0, primary(NEW))


@silent("AS-030")
def primary_of_an_address_added_before():
    return Change().ask(0, add(), primary(NEW, 2))


@silent("AS-030", judged=False)
def primary_of_an_address_whose_answer_was_not_captured():
    return Change().ask(0, add()).wait(S).ask(1, primary(NEW))


def refuses(scenario):
    """End 1 says that it does not know FORWARD-TSN."""
    return scenario.send(1, chunks.error(chunks.tlv(6, chunks.chunk(chunks.FORWARD_TSN, 0, bytes(8)))))


@silent("AS-024", accused=1)
def unannounced_forward_tsn_refused():
    """End 1 lists the chunk, and end 0 announced nothing."""
    return refuses(give_up(partially_reliable((b"", SUPPORTS_PARTIAL + FORWARD_TSN_LISTED)), 0))


@silent("AS-024", accused=1)
def forward_tsn_refused_that_was_listed_only():
    """RFC 3758 3.3.1 asks for the parameter, RFC 5061 4.2.7 for the list."""
    return refuses(give_up(partially_reliable((SUPPORTS_PARTIAL, FORWARD_TSN_LISTED)), 0))


@fires("AS-024", accused=1)
def announced_forward_tsn_refused():
    return refuses(give_up(partially_reliable((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL + FORWARD_TSN_LISTED)), 0))


@fires("AS-032", 1, asserted=COMPLETE_AT_END_1)
@silent("AS-032", 1, asserted=COMPLETE, judged=False)
def asconf_ignored():
    return Change().ask(0, add()).wait(S).exchange(2)


@fires("AS-032", 1, asserted=COMPLETE_AT_END_1)
def asconf_answered_after_a_second():
    return Change().ask(0, add()).answer(0, gap_ns=S)


@silent("AS-032", 1, asserted=COMPLETE_AT_END_1)
def asconf_answered_at_once():
    return Change().ask(0, add()).answer(0).wait(S).exchange(2)


@silent("AS-032", 1, asserted=COMPLETE_AT_END_1, judged=False)
def asconf_without_auth_discarded():
    scenario = Change()
    return scenario.send(0, chunks.asconf(scenario.ends[0].initial_tsn, "10.0.0.1", add())).wait(S).exchange(2)


@silent("AS-032", 1, asserted=COMPLETE_AT_END_1, judged=False)
def asconf_out_of_turn_discarded():
    return Change().ask(5, add()).wait(S).exchange(2)


NEWER = "10.99.8.1"


def text(address):
    return str(ipaddress.ip_address(address))


def packed(address):
    return ipaddress.ip_address(address).packed


def can_change(association):
    return all({chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH} <= association.extensions(end) and chunks.ASCONF in association.demands(end)
               for end in (0, 1))


class ChangeInCapture(Continuation):
    """An association that negotiated ASCONF with AUTH; `asks` is the end whose addresses change."""

    def __init__(self, editor, asks_far=False, where=lambda association: True, **options):
        super().__init__(
            editor, where=lambda association: can_change(association) and where(association) and len(association.init.packet["source"]) == 4, **options)
        self.asks = self.far if asks_far else self.near
        self.number = self.association.initial_tsn(self.asks)
        for place in self.association.places(self.asks, chunks.ASCONF):
            number = u32(place.packet["sctp"], place.at + 4)
            if not is_later(self.number, number):
                self.number = number + 1
        self.own, self.peer = text(self.like[self.asks]["source"]), text(self.like[self.asks]["destination"])

    def asconf(self, number, *requests):
        return chunks.asconf(self.number + number & 0xFFFFFFFF, self.own, *requests)

    def ask(self, number, *requests, **options):
        return self.send(self.asks, auth(), self.asconf(number, *requests), **options)

    def answer(self, number, *responses, **options):
        return self.send(1 - self.asks, auth(), chunks.asconf_ack(self.number + number & 0xFFFFFFFF, *responses), **options)

    def other(self):
        """Another address of the end that asks, used before."""
        found = sorted(address for address in self.ends[self.asks].addresses if len(address) == 4 and text(address) != self.own)
        if not found:
            raise NoPlace
        return text(found[0])


@breaks("AS-001", causes=("AU-007",))
def asconf_without_auth(editor):
    change = ChangeInCapture(editor)
    change.association.demands = lambda end: set()
    change.send(change.asks, change.asconf(0, add()))
    return change.asks


@breaks("AS-002")
def asconf_to_a_peer_without_in_capture(editor):
    continuation = Continuation(editor, where=lambda association: chunks.ASCONF not in association.extensions(1 - association.near)
                                and chunks.ASCONF not in association.demands(1 - association.near))
    continuation.send(continuation.near, auth(), chunks.asconf(continuation.association.initial_tsn(continuation.near), NEW, add()))
    return continuation.near


@breaks("AS-003")
def first_number_is_one_less(editor):
    change = ChangeInCapture(editor, where=lambda association: not association.has(chunks.ASCONF) and is_set_up_once(association))
    change.data(change.asks).sack(1 - change.asks).ask(-1, add())
    return change.asks


@breaks("AS-005")
def second_asconf_before_the_answer_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).ask(1, add(NEWER, 2)).wait(S).ask(0, add())
    return change.asks


@breaks("AS-006")
def answer_to_the_next_number_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).answer(1)
    return 1 - change.asks


@breaks("AS-006")
def answer_in_another_number_space(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).answer(1 << 30)
    return 1 - change.asks


@breaks("AS-007")
def answers_elsewhere_in_capture(editor):
    change = ChangeInCapture(editor, where=is_multihomed)
    other = packed(change.other())
    change.ask(0, add()).answer(0, destination=other).ask(1, add(NEWER)).answer(1, destination=other)
    return 1 - change.asks


@breaks("AS-008")
def other_correlation_id_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).answer(0, chunks.asconf_param(chunks.SUCCESS, 7))
    return 1 - change.asks


@breaks("AS-008")
def correlation_id_twice(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add(), add(NEWER))
    return change.asks


@breaks("AS-009")
def asconf_without_lookup_address_in_capture(editor):
    change = ChangeInCapture(editor)
    change.send(change.asks, auth(), chunks.chunk(chunks.ASCONF, 0, (change.number & 0xFFFFFFFF).to_bytes(4, "big") + add()))
    return change.asks


@breaks("AS-010")
def asconf_after_shutdown_ack_in_capture(editor):
    change = ChangeInCapture(editor)
    change.send(change.far, chunks.shutdown(change.ends[change.near].tsn - 1)).send(change.near, chunks.shutdown_ack()).ask(0, add())
    return change.asks


@breaks("AS-011")
def new_address_used_before_the_answer_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).send(change.asks, change.chunk(change.asks), source=packed(NEW)).answer(0)
    return change.asks


@breaks("AS-011")
def new_address_used_at_once_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).send(change.asks, change.chunk(change.asks), source=packed(NEW)).wait(S).ask(0, add())
    return change.asks


@breaks("AS-012")
def deleted_address_used_after_the_answer_in_capture(editor):
    change = ChangeInCapture(editor, where=is_multihomed)
    other = change.other()
    change.ask(0, delete(other)).answer(0).wait(3 * S).send(change.asks, change.chunk(change.asks), source=packed(other))
    return change.asks


@breaks("AS-012")
def deleted_address_used_in_capture(editor):
    change = ChangeInCapture(editor, where=is_multihomed)
    other = change.other()
    change.ask(0, delete(other)).wait(S).send(change.asks, change.chunk(change.asks), source=packed(other))
    change.ask(0, delete(other)).answer(0)
    return change.asks


@breaks("AS-013", causes=("AS-014",))
def last_address_deleted_in_capture(editor):
    change = ChangeInCapture(editor, where=lambda association: not association.has(chunks.ASCONF))
    places = (change.association.init, change.association.init_ack)
    place = places[change.asks]
    listed = {text(place.packet["sctp"][at + 4:at + length]) for kind, at, length in params_of(place) if kind in (5, 6)}
    listed |= {text(pair[0]) for pair in change.association.pairs(change.asks)}
    change.ask(0, *(delete(address, number) for number, address in enumerate(sorted(listed), 1)))
    return change.asks


@breaks("AS-014", causes=("AS-013",))
def own_source_deleted_in_capture(editor):
    change = ChangeInCapture(editor, where=is_multihomed)
    change.ask(0, delete(change.own))
    return change.asks


@breaks("AS-015", causes=("AS-014", "AS-013"))
def deletion_of_the_source_granted(editor):
    change = ChangeInCapture(editor)
    change.ask(0, delete(change.own)).answer(0)
    return 1 - change.asks


@breaks("AS-016")
def data_to_an_added_address_in_capture(editor):
    change = ChangeInCapture(editor, asks_far=True)
    change.ask(0, add()).answer(0).send(change.near, change.chunk(change.near), destination=packed(NEW))
    return change.near


@breaks("AS-017")
def data_to_a_deleted_address_in_capture(editor):
    change = ChangeInCapture(editor, where=is_multihomed)
    other = change.other()
    change.ask(0, delete(other)).answer(0).wait(20 * S)
    change.send(change.far, change.chunk(change.far), destination=packed(other))
    return change.far


@breaks("AS-018")
def asconf_changed(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).wait(S).ask(0, add(NEWER))
    return change.asks


@breaks("AS-020")
def multicast_added_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add("224.1.2.3"))
    return change.asks


@breaks("AS-021")
def asconf_not_answered_in_capture(editor):
    change = ChangeInCapture(editor)
    for number in range(5):
        change.ask(0, add(), gap_ns=(1 << number) * S).data(change.asks).sack(1 - change.asks)
    return 1 - change.asks


def listing(editor):
    """(end, INIT or INIT ACK, offset and length of its Supported Extensions)"""
    association = editor.association(lambda association: is_set_up_once(association) and can_change(association))
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    return end, place, *next((at, length) for kind, at, length in params_of(place) if kind == chunks.EXTENSIONS)


@breaks("AS-023", causes=("FMT-031",))
def extensions_twice_in_capture(editor):
    end, place, at, length = listing(editor)
    editor.add_param(place, place.packet["sctp"][at:at + length])
    return end


@breaks("AS-024")
def listed_asconf_refused_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).send(1 - change.asks, unknown_asconf())
    return 1 - change.asks


def unknown_asconf():
    return chunks.error(chunks.tlv(6, chunks.chunk(chunks.ASCONF, 0, bytes(12))))


@breaks("AS-025")
def adaptation_in_asconf_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add(), chunks.tlv(chunks.ADAPTATION, bytes(4)))
    return change.asks


@breaks("AS-026")
def asconfs_descending_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).wait(S)
    change.send(change.asks, auth(), change.asconf(2, add()), change.asconf(1, add(NEWER)))
    return change.asks


@breaks("AS-027")
def extensions_without_auth(editor):
    end, place, at, length = listing(editor)
    replace_param(editor, place, at, length, chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK))))
    return end


@breaks("AS-028", causes=("AS-027",))
def asconf_without_auth_offered_in_capture(editor):
    association = editor.association(lambda association: is_set_up_once(association) and can_change(association))
    for kind, at, length in reversed(params_of(association.init)):
        if kind in (0x8002, 0x8003, 0x8004):
            editor.edit(association.init.packet, at, b"\xbf\0")
        elif kind == chunks.EXTENSIONS:
            replace_param(editor, association.init, at, length, chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK))))
    return 1


@breaks("AS-029", causes=("AS-024",))
def asconf_after_refusals_in_capture(editor):
    change = ChangeInCapture(editor)
    change.ask(0, add()).send(change.far, unknown_asconf()).wait(S)
    change.ask(0, add()).send(change.far, unknown_asconf()).wait(3 * S).ask(1, add())
    return change.asks


@breaks("AS-030")
def primary_of_a_strange_address_in_capture(editor):
    change = ChangeInCapture(editor, where=lambda association: not association.has(chunks.ASCONF))
    change.ask(0, primary(NEW))
    return change.asks


@breaks("AS-031", causes=("RC-005",))
def add_ip_in_re_config(editor):
    change = ChangeInCapture(editor)
    change.send(change.asks, chunks.re_config(add()))
    return change.asks


LEFT_OUT = [
    ("AS-004", "left out", "an ASCONF that was not captured looks the same as a number left out; far jumps are AS-003"),
    ("AS-019", "left out", "equal intervals are right once RTO.Max is reached, and RTO.Max is not known from a capture"),
    ("AS-022", "left out", "needs proof that the ASCONF-ACK was received and verified, and that no ASCONF left unseen"),
]
