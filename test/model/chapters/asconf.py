# SPDX-License-Identifier: GPL-2.0-or-later
"""Address reconfiguration: what is announced, ASCONF, its answers, and the use of addresses."""

import dataclasses
import ipaddress

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_1, COMPLETE_NOT_CAPPED, MS, QUIET_AND_TIMED_AT_END_0, S, TIMED_AT_END_0, ScenarioBuilder, assertions
from register import fires, silent
from scripts import Setting, alters, violates
from packet_editor import NoPlace, replace_param
from continuation import Continuation
from captured_associations import is_later, is_multihomed, is_set_up_once, pack, params_of, tsn_of
from asconf_requests import NEW, WITHOUT_AUTH, add, delete, primary
from authentication import SUPPORT, auth, wanting
from partial_reliability import FORWARD_TSN_LISTED, SUPPORTS_PARTIAL, give_up, partially_reliable

ALL_THREE = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH)))
OFFER = SUPPORT + wanting(chunks.ASCONF, chunks.ASCONF_ACK) + ALL_THREE
NEWER = "10.99.8.1"
TWO = (["10.0.0.1", "10.0.1.1"], ["10.0.0.2"])


def has_asconf(association):
    return all({chunks.ASCONF, chunks.ASCONF_ACK, chunks.AUTH} <= association.extensions(end) and chunks.ASCONF in association.demands(end)
               for end in (0, 1))


def changes_no_address(association):
    return not association.has(chunks.ASCONF)


def text(address):
    return str(ipaddress.ip_address(address))


class ChangeSteps:
    """Ends that negotiated ASCONF with AUTH; `asks` is the one whose addresses change. Its numbers count from the next one."""

    @property
    def asks(self):
        return self.near

    @property
    def number(self):
        return self.ends[self.asks].initial_tsn

    @property
    def own(self):
        """The address that it uses."""
        return text(self.ends[self.asks].addresses[0])

    def other(self):
        """Another one of its addresses, used before."""
        found = sorted(address for address in self.ends[self.asks].addresses if len(address) != 16 and text(address) != self.own)
        if not found:
            raise NoPlace
        return text(found[0])

    def without_demands(self):
        """What follows may lack the AUTH that its receiver wants."""
        return self

    def asconf(self, number, *requests):
        return chunks.asconf(self.number + number & 0xFFFFFFFF, self.own, *requests)

    def ask(self, number, *requests, **options):
        return self.send(self.asks, auth(), self.asconf(number, *requests), **options)

    def answer(self, number, *responses, **options):
        return self.send(1 - self.asks, auth(), chunks.asconf_ack(self.number + number & 0xFFFFFFFF, *responses), **options)


class Change(ChangeSteps, ScenarioBuilder):
    asks = 0


class ChangeInCapture(ChangeSteps, Continuation):
    """Where the last ASCONF of the capture has no answer yet, it gets one first, so that the next may be sent (RFC 5061 5.1)."""

    number = None

    def __init__(self, editor, *words, **options):
        super().__init__(editor, *words, **options)
        self.number = self.association.initial_tsn(self.asks)
        for place in self.association.places(self.asks, chunks.ASCONF):
            if not is_later(self.number, number := tsn_of(place)):
                self.number = number + 1
        answered = {tsn_of(place) for place in self.association.places(1 - self.asks, chunks.ASCONF_ACK)}
        if self.number != self.association.initial_tsn(self.asks) and self.number - 1 not in answered:
            self.answer(-1)

    def without_demands(self):
        self.association.demands = lambda end: set()
        return self


class ChangeByFarInCapture(ChangeInCapture):
    @property
    def asks(self):
        return self.far


CHANGE = Setting(
    addresses=TWO, params=(OFFER + b"".join(map(chunks.address, TWO[0])), OFFER), synthetic=Change, captured=ChangeInCapture,
    where=lambda association: has_asconf(association) and len(association.init.packet["source"]) == 4)
FIRST_CHANGE = CHANGE.also(changes_no_address)
MULTIHOMED = CHANGE.also(is_multihomed)
CHANGE_BY_FAR = dataclasses.replace(CHANGE, captured=ChangeByFarInCapture)


def change(offers=(OFFER, OFFER), near=0, addresses=TWO):
    """Round trips show the tap to be near that end; end 0 asks."""
    gaps_ns = (20 * MS, MS // 10) if near else (MS // 10, 20 * MS)
    return Change(addresses, *gaps_ns).set_up((offers[0] + b"".join(map(chunks.address, addresses[0])), offers[1])).exchange(2)


@violates("AS-001", CHANGE, causes=("AU-007",))
def asconf_without_auth(talk):
    talk.without_demands().send(talk.asks, talk.asconf(0, add()))


@violates("AS-018", CHANGE)
def asconf_changed(talk):
    talk.ask(0, add()).wait(S).ask(0, add(NEWER))


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
    scenario = change().ask(0, add()).answer(0).heartbeat(1, destination=NEW).ask(1, delete("10.0.1.1")).answer(1)
    return scenario.ask(2, add("10.0.1.1")).answer(2).data(0, source="10.0.1.1")


@silent("AS-018")
def asconf_sent_again():
    return change().ask(0, add()).wait(S).ask(0, add(), source=1).answer(0, destination=1)


def may_not_be_asked(association):
    return chunks.ASCONF not in association.extensions(1 - association.near) | association.demands(1 - association.near)


@violates("AS-002", Setting(params=(OFFER, SUPPORT), where=may_not_be_asked))
def asconf_to_a_peer_without(talk):
    talk.send(talk.near, auth(), chunks.asconf(talk.ends[talk.near].initial_tsn, NEW, add()))


@violates("AS-003", FIRST_CHANGE.also(is_set_up_once))
def first_number_is_one_less(talk):
    talk.data(talk.asks).sack(1 - talk.asks).ask(-1, add())


def first_number(step, sender=0):
    """The first ASCONF has another number than the initial TSN by step; no data before it."""
    scenario = change()
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


@violates("AS-005", CHANGE)
def second_asconf_before_the_answer(talk):
    talk.ask(0, add()).ask(1, add(NEWER, 2)).wait(S).ask(0, add())


@silent("AS-005")
def second_asconf_bundled_into_a_retransmission():
    scenario = change().ask(0, add()).wait(S)
    first = scenario.ends[0].initial_tsn
    scenario.send(0, auth(), chunks.asconf(first, "10.0.0.1", add()), chunks.asconf(first + 1, "10.0.0.1", add("10.0.8.1", 2)))
    return scenario.wait(S).ask(0, add()).answer(0)


@fires("AS-005")
def second_asconf_and_the_answer_after_it():
    return change().ask(0, add()).ask(1, add("10.0.8.1", 2)).answer(0)


@violates("AS-006", CHANGE, by_far=True)
def answer_to_the_next_number(talk):
    talk.ask(0, add()).answer(1)


@silent("AS-006", accused=1)
def answers_sent_again():
    return change().ask(0, add()).answer(0).ask(1, add("10.0.8.1")).answer(1).answer(0)


@violates("AS-006", CHANGE, by_far=True)
def answer_in_another_number_space(talk):
    talk.ask(0, add()).answer(1 << 30)


@violates("AS-007", MULTIHOMED, by_far=True)
def answers_elsewhere(talk):
    other = talk.other()
    talk.ask(0, add()).answer(0, destination=other).ask(1, add(NEWER)).answer(1, destination=other)


@violates("AS-008", CHANGE, by_far=True)
def other_correlation_id(talk):
    talk.ask(0, add()).answer(0, chunks.asconf_param(chunks.SUCCESS, 7))


@violates("AS-008", CHANGE)
def correlation_id_twice(talk):
    talk.ask(0, add(), add(NEWER))


@silent("AS-008", accused=1)
def same_correlation_id():
    return change().ask(0, add()).answer(0, chunks.asconf_param(chunks.SUCCESS, 1)) \
        .ask(1, add("10.0.8.1")).answer(1, chunks.asconf_param(chunks.SUCCESS, 1))


@violates("AS-009", CHANGE)
def asconf_without_lookup_address(talk):
    talk.send(talk.asks, auth(), chunks.chunk(chunks.ASCONF, 0, pack(talk.number) + add()))


@violates("AS-010", CHANGE)
def asconf_after_shutdown_ack(talk):
    talk.shutdown(talk.far).shutdown_ack(talk.near).ask(0, add())


@violates("AS-011", CHANGE)
def new_address_used_at_once(talk):
    talk.ask(0, add()).data(talk.asks, source=NEW).wait(S).ask(0, add())


@violates("AS-011", CHANGE)
def new_address_used_before_the_answer(talk):
    talk.ask(0, add()).data(talk.asks, source=NEW).answer(0)


@silent("AS-011")
def new_address_used_for_the_asconf():
    return change().ask(0, add()).wait(S).ask(0, add(), source=NEW).answer(0, destination=NEW).data(0, source=NEW)


@silent("AS-011")
def new_address_used_after_the_answer():
    return change().ask(0, add()).wait(S).ask(0, add()).answer(0).data(0, source=NEW)


@violates("AS-012", MULTIHOMED)
def deleted_address_used(talk):
    other = talk.other()
    talk.ask(0, delete(other)).wait(S).data(talk.asks, source=other).ask(0, delete(other)).answer(0)


@violates("AS-012", MULTIHOMED)
def deleted_address_used_after_the_answer(talk):
    other = talk.other()
    talk.ask(0, delete(other)).answer(0).wait(3 * S).data(talk.asks, source=other)


@silent("AS-012")
def deleted_address_added_again():
    return change().ask(0, delete("10.0.1.1")).answer(0).ask(1, add("10.0.1.1")).answer(1).wait(3 * S).data(0, source=1)


@fires("AS-007", accused=1)
def one_answer_elsewhere():
    return change().ask(0, add()).answer(0, destination=1)


@alters("AS-013", of=change, causes=("AS-014",))
def last_address_deleted(editor):
    talk = FIRST_CHANGE.sought(editor)
    place = (talk.association.init, talk.association.init_ack)[talk.asks]
    listed = {text(place.packet["sctp"][at + 4:at + length]) for kind, at, length in params_of(place) if kind in (5, 6)}
    listed |= {text(pair[0]) for pair in talk.association.pairs(talk.asks)}
    return talk.ask(0, *(delete(address, number) for number, address in enumerate(sorted(listed), 1))).asks


@silent("AS-013")
def renumbered():
    return change().ask(0, delete("10.0.1.1"), add(NEW, 2), delete("10.0.0.1", 3), source=NEW)


@silent("AS-013")
def added_again_and_the_answer_not_captured():
    return change().ask(0, delete("10.0.0.1"), source=1).answer(0, destination=1).ask(1, add("10.0.0.1"), source=1).wait(S).ask(2, delete("10.0.1.1"))


@violates("AS-014", MULTIHOMED, causes=("AS-013",))
def own_source_deleted(talk):
    talk.ask(0, delete(talk.own))


@violates("AS-015", CHANGE, by_far=True, causes=("AS-014", "AS-013"))
def deletion_of_the_source_granted(talk):
    talk.ask(0, delete(talk.own)).answer(0)


@silent("AS-015", accused=1)
def own_source_deleted_and_refused():
    refusal = chunks.asconf_param(chunks.ERROR_INDICATION, 1, chunks.tlv(0xA2, delete("10.0.0.1")))
    return change().ask(0, delete("10.0.0.1")).answer(0, refusal).wait(S).ask(1, delete("10.0.0.1"), source=1).answer(1, destination=1)


@silent("AS-015", accused=1, judged=False)
def own_source_deleted_then_from_another():
    return change().ask(0, delete("10.0.0.1")).wait(S).ask(0, delete("10.0.0.1"), source=1).answer(0, destination=1)


@alters("AS-016", 1, of=lambda: change(near=1))
def data_to_an_added_address(editor):
    talk = CHANGE_BY_FAR.sought(editor)
    return talk.ask(0, add()).answer(0).data(talk.near, destination=NEW).near


@silent("AS-016", accused=1)
def heartbeat_to_an_added_address_first():
    return change(near=1).ask(0, add()).answer(0, destination=NEW).heartbeat(1, destination=NEW).data(1, destination=NEW)


def data_to_a_deleted_address_after(talk, gap_ns):
    other = talk.other()
    return talk.ask(0, delete(other)).answer(0).wait(gap_ns).data(1 - talk.asks, destination=other)


@violates("AS-017", MULTIHOMED, by_far=True)
def data_to_a_deleted_address(talk):
    data_to_a_deleted_address_after(talk, 20 * S)


@silent("AS-017", accused=1)
def data_to_a_deleted_address_at_once_and_added_again():
    scenario = change().ask(0, delete("10.0.1.1")).answer(0).data(1, destination=1)
    return scenario.wait(12 * S).data(1).ask(1, add("10.0.1.1")).answer(1).data(1, destination=1)


@fires("AS-017", accused=1, asserted=COMPLETE_AT_END_1)
@silent("AS-017", accused=1, judged=False)
def data_to_a_deleted_address_two_seconds_later():
    return data_to_a_deleted_address_after(change(), 2 * S)


@silent("AS-017", accused=1, asserted=COMPLETE_AT_END_1, judged=False)
def data_to_a_deleted_address_half_a_second_later():
    return data_to_a_deleted_address_after(change(), S // 2)


@violates("AS-020", CHANGE)
def multicast_added(talk):
    talk.ask(0, add("224.1.2.3"))


def repeated(talk, is_answered=False, first=0):
    for number in range(5):
        talk.ask(first, add(), gap_ns=(1 << number) * S)
        if is_answered and number == 2:
            talk.answer(first)
        talk.data(talk.asks).sack(1 - talk.asks)
    return talk


@violates("AS-021", CHANGE, by_far=True)
def asconf_not_answered(talk):
    repeated(talk)


@silent("AS-021", accused=1, judged=False)
def asconf_of_a_number_that_is_not_due():
    return repeated(change(), first=7)


@silent("AS-021", accused=1, judged=False)
def second_asconf_that_leaves_out_a_number():
    return repeated(change().ask(0, add()).answer(0), first=2)


@silent("AS-021", accused=1)
def asconf_answered_late():
    return repeated(change(), is_answered=True)


@fires("AS-033", asserted=TIMED_AT_END_0)
def asconf_not_repeated_while_data_flows():
    scenario = change().ask(0, add())
    for _ in range(4):
        scenario.data(0, gap_ns=S).sack(1)
    return scenario


@fires("AS-033", asserted=QUIET_AND_TIMED_AT_END_0)
@silent("AS-033", asserted=TIMED_AT_END_0, judged=False)
def asconf_is_the_last_packet():
    return change().ask(0, add())


@silent("AS-033", asserted=QUIET_AND_TIMED_AT_END_0, judged=False)
def asconf_that_is_answered():
    return change().ask(0, add()).answer(0).data(0, gap_ns=5 * S).sack(1)


def offering():
    return ScenarioBuilder().set_up((OFFER, OFFER))


def listing(editor):
    """(end, INIT or INIT ACK, offset and length of its Supported Extensions)"""
    association = editor.association(lambda association: is_set_up_once(association) and has_asconf(association))
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    return end, place, *next((at, length) for kind, at, length in params_of(place) if kind == chunks.EXTENSIONS)


@alters("AS-023", None, of=offering, causes=("FMT-031",))
def extensions_twice(editor):
    end, place, at, length = listing(editor)
    editor.add_param(place, place.packet["sctp"][at:at + length])
    return end


@silent("AS-023")
@silent("AS-025")
@silent("AS-027")
@silent("AS-031")
def extensions_once():
    return ScenarioBuilder().set_up((OFFER + chunks.tlv(chunks.ADAPTATION, bytes(4)), chunks.tlv(chunks.UNRECOGNIZED, ALL_THREE) + ALL_THREE))


def unknown(kind):
    return chunks.error(chunks.tlv(6, chunks.chunk(kind, 0, bytes(12))))


@violates("AS-024", CHANGE, by_far=True)
def listed_asconf_refused(talk):
    talk.ask(0, add()).send(1 - talk.asks, unknown(chunks.ASCONF))


@silent("AS-024", accused=1)
def unlisted_asconf_refused():
    return change(offers=(OFFER, SUPPORT)).ask(0, add()).send(1, unknown(chunks.ASCONF))


@violates("AS-025", CHANGE)
def adaptation_in_asconf(talk):
    talk.ask(0, add(), chunks.tlv(chunks.ADAPTATION, bytes(4)))


@violates("AS-031", CHANGE, causes=("RC-005",))
def add_ip_in_re_config(talk):
    talk.send(talk.asks, chunks.re_config(add()))


def bundle(talk, *numbers):
    talk.ask(0, add()).wait(S)
    return talk.send(talk.asks, auth(), *(talk.asconf(number, add(f"10.99.8.{number}")) for number in numbers))


@violates("AS-026", CHANGE)
def asconfs_descending(talk):
    bundle(talk, 2, 1)


@silent("AS-026")
def asconfs_ascending():
    return bundle(change(), 1, 2)


@alters("AS-027", None, of=offering)
def extensions_without_auth(editor):
    end, place, at, length = listing(editor)
    replace_param(editor, place, at, length, chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK))))
    return end


@fires("AS-027")
@alters("AS-028", 1, of=offering, causes=("AS-027",))
def asconf_without_auth_offered(editor):
    association = editor.association(lambda association: is_set_up_once(association) and has_asconf(association))
    for kind, at, length in reversed(params_of(association.init)):
        if kind in (0x8002, 0x8003, 0x8004):
            editor.edit(association.init.packet, at, b"\xbf\0")
        elif kind == chunks.EXTENSIONS:
            replace_param(editor, association.init, at, length, chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK))))
    return 1


@silent("AS-028", accused=1)
def asconf_with_auth_offered():
    return ScenarioBuilder().set_up((OFFER, OFFER))


@silent("AS-028", accused=1, judged=False)
def asconf_without_auth_offered_to_an_end_without():
    return ScenarioBuilder().set_up((WITHOUT_AUTH, b""))


@silent("AS-001", judged=False)
def asconf_as_it_was_offered_without_auth():
    scenario = ScenarioBuilder().set_up((WITHOUT_AUTH, WITHOUT_AUTH)).exchange(2)
    number = scenario.ends[0].initial_tsn
    return scenario.send(0, chunks.asconf(number, "10.0.0.1", add())).send(1, chunks.asconf_ack(number))


@violates("AS-029", CHANGE, causes=("AS-024",))
def asconf_after_refusals(talk):
    for gap_ns in (S, 3 * S):
        talk.ask(0, add()).send(1 - talk.asks, unknown(chunks.ASCONF)).wait(gap_ns)
    talk.ask(1, add())


@silent("AS-029")
def asconf_sent_again_after_refusals():
    scenario = change(offers=(OFFER, SUPPORT))
    for gap_ns in (S, 4 * S):
        scenario.ask(0, add()).send(1, unknown(chunks.ASCONF)).wait(gap_ns)
    return scenario.ask(0, add())


TAKEN_AT = assertions(taken_at=["10.0.0.1"])


def refused_once(again):
    """One ERROR; where again, the ASCONF is sent once more."""
    scenario = change(offers=(OFFER, SUPPORT)).ask(0, add()).send(1, unknown(chunks.ASCONF))
    return scenario.ask(0, add(), gap_ns=2 * S) if again else scenario.exchange(2)


@fires("AS-029", asserted=TAKEN_AT)
def asconf_sent_again_after_it_was_refused_at_the_tap():
    return refused_once(True)


@silent("AS-029", judged=False, asserted=TAKEN_AT)
def no_asconf_after_it_was_refused_at_the_tap():
    return refused_once(False)


@violates("AS-030", FIRST_CHANGE)
def primary_of_a_strange_address(talk):
    talk.ask(0, primary(NEW))


@silent("AS-030")
def primary_of_an_address_added_before():
    return change().ask(0, add(), primary(NEW, 2))


@silent("AS-030", judged=False)
def primary_of_an_address_whose_answer_was_not_captured():
    return change().ask(0, add()).wait(S).ask(1, primary(NEW))


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
    return change().ask(0, add()).wait(S).exchange(2)


@fires("AS-032", 1, asserted=COMPLETE_AT_END_1)
def asconf_answered_after_a_second():
    return change().ask(0, add()).answer(0, gap_ns=S)


@silent("AS-032", 1, asserted=COMPLETE_AT_END_1)
def asconf_answered_at_once():
    return change().ask(0, add()).answer(0).wait(S).exchange(2)


@silent("AS-032", 1, asserted=COMPLETE_AT_END_1, judged=False)
def asconf_without_auth_discarded():
    scenario = change()
    return scenario.send(0, chunks.asconf(scenario.ends[0].initial_tsn, "10.0.0.1", add())).wait(S).exchange(2)


@silent("AS-032", 1, asserted=COMPLETE_AT_END_1, judged=False)
def asconf_out_of_turn_discarded():
    return change().ask(5, add()).wait(S).exchange(2)


def asked_again(*gaps_ns, addresses=TWO, to=(0,)):
    """The ASCONF, and again after each gap, to these addresses of the peer in turn."""
    scenario = change(addresses=addresses)
    for place, gap_ns in enumerate((MS, *gaps_ns)):
        scenario.ask(0, add(), destination=to[place % len(to)], gap_ns=gap_ns)
    return scenario


BOTH_TWO = (["10.0.0.1", "10.0.1.1"], ["10.0.0.2", "10.0.1.2"])


@fires("AS-019", asserted=COMPLETE_NOT_CAPPED)
def asconf_every_two_seconds():
    return asked_again(2 * S, 2 * S, 2 * S)


@fires("AS-019", asserted=COMPLETE_NOT_CAPPED)
def asconf_to_two_addresses_in_turn_not_backed_off():
    return asked_again(S, 3 * S, S, 3 * S, addresses=BOTH_TWO, to=(0, 1))


@silent("AS-019", asserted=COMPLETE_NOT_CAPPED)
def asconf_backed_off():
    return asked_again(S, 2 * S, 4 * S)


@silent("AS-019", asserted=COMPLETE_NOT_CAPPED)
def asconf_to_two_addresses_with_rtos_of_their_own():
    return asked_again(3 * S, S, 6 * S, 2 * S, addresses=BOTH_TWO, to=(0, 1))


@silent("AS-019", asserted=assertions(complete=True, parameters=["* RTO.Max=3000"]))
def asconf_at_the_longest_rto():
    return asked_again(S, 2 * S, 3 * S, 3 * S)


def aborted_after_deletion(is_answered):
    """The peer aborts, at the address that was deleted, or is being deleted; the endpoint probes it later."""
    scenario = change().ask(0, delete("10.0.1.1"))
    if is_answered:
        scenario.answer(0)
    return scenario.abort(1, destination=1).heartbeat(0, answered=False, gap_ns=2 * S)


@silent("SM-012", asserted=assertions(complete=True, taken_at=TWO[0]), judged=False)
def abort_to_an_address_that_is_being_deleted():
    return aborted_after_deletion(is_answered=False)


@fires("SM-012", asserted=assertions(complete=True, taken_at=TWO[0]))
def abort_after_the_deletion_was_answered():
    return aborted_after_deletion(is_answered=True)


def asconf_three_times(*parts):
    """2 s and 1 s apart; data is acknowledged within the first of these waits, or the second."""
    scenario = change().ask(0, add())
    for gap_ns, is_measured in zip((2 * S, S), parts):
        if is_measured:
            scenario.data(0).sack(1)
        scenario.ask(0, add(), gap_ns=gap_ns)
    return scenario


@fires("AS-019", asserted=COMPLETE_NOT_CAPPED)
def asconf_sooner_than_its_running_timer_allows():
    return asconf_three_times(False, True)


@silent("AS-019", judged=False, asserted=COMPLETE_NOT_CAPPED)
def asconf_again_after_another_round_trip():
    return asconf_three_times(True, False)


LEFT_OUT = [
    ("AS-004", "left out", "an ASCONF that was not captured looks the same as a number left out; far jumps are AS-003"),
    ("AS-022", "left out", "needs proof that the ASCONF-ACK was received and verified, and that no ASCONF left unseen"),
]
