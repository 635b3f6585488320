# SPDX-License-Identifier: GPL-2.0-or-later
"""Dynamic address reconfiguration: what is announced, ASCONF, its answers, and the use of addresses."""

import ipaddress

from asconf import NEW, add, delete, primary
from generate import chunks
from mutations import breaks
from mutations_auth import auth, replace_param
from mutations_paths import multihomed
from mutations_setup import once
from packet_editor import NoPlace
from continuation import S, Continuation
from captured_associations import ASCONF, ASCONF_ACK, AUTH, EXTENSIONS, is_later, params_of, u32

NEWER = "10.99.8.1"


def text(address):
    return str(ipaddress.ip_address(address))


def packed(address):
    return ipaddress.ip_address(address).packed


def can_change(association):
    return all({ASCONF, ASCONF_ACK, AUTH} <= association.extensions(end) and ASCONF in association.demands(end) for end in (0, 1))


class Change(Continuation):
    """An association that negotiated ASCONF with AUTH; `asks` is the end whose addresses change."""

    def __init__(self, editor, asks_far=False, where=lambda association: True, **options):
        super().__init__(editor, where=lambda association: can_change(association) and where(association) and len(association.init.packet["source"]) == 4, **options)
        self.asks = self.far if asks_far else self.near
        self.number = self.association.initial_tsn(self.asks)
        for place in self.association.places(self.asks, ASCONF):
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
        found = sorted(pair[0] for pair in self.ways(self.asks) if len(pair[0]) == 4 and text(pair[0]) != self.own)
        if not found:
            raise NoPlace
        return text(found[0])


@breaks("AS-001", causes=("AU-007",))
def asconf_without_auth(editor):
    change = Change(editor)
    change.association.demands = lambda end: set()
    change.send(change.asks, change.asconf(0, add()))
    return change.asks


@breaks("AS-002")
def asconf_to_a_peer_without(editor):
    continuation = Continuation(editor, where=lambda association: ASCONF not in association.extensions(1 - association.near) and ASCONF not in association.demands(1 - association.near))
    continuation.send(continuation.near, auth(), chunks.asconf(continuation.association.initial_tsn(continuation.near), NEW, add()))
    return continuation.near


@breaks("AS-003")
def first_number_is_one_less(editor):
    change = Change(editor, where=lambda association: not association.has(ASCONF) and once(association))
    change.data(change.asks).sack(1 - change.asks).ask(-1, add())
    return change.asks


@breaks("AS-005")
def second_asconf_before_the_answer(editor):
    change = Change(editor)
    change.ask(0, add()).ask(1, add(NEWER, 2)).wait(S).ask(0, add())
    return change.asks


@breaks("AS-006")
def answer_to_the_next_number(editor):
    change = Change(editor)
    change.ask(0, add()).answer(1)
    return 1 - change.asks


@breaks("AS-006")
def answer_in_another_number_space(editor):
    change = Change(editor)
    change.ask(0, add()).answer(1 << 30)
    return 1 - change.asks


@breaks("AS-007")
def answers_elsewhere(editor):
    change = Change(editor, where=multihomed)
    other = packed(change.other())
    change.ask(0, add()).answer(0, destination=other).ask(1, add(NEWER)).answer(1, destination=other)
    return 1 - change.asks


@breaks("AS-008")
def other_correlation_id(editor):
    change = Change(editor)
    change.ask(0, add()).answer(0, chunks.asconf_param(chunks.SUCCESS, 7))
    return 1 - change.asks


@breaks("AS-008")
def correlation_id_twice(editor):
    change = Change(editor)
    change.ask(0, add(), add(NEWER))
    return change.asks


@breaks("AS-009")
def asconf_without_lookup_address(editor):
    change = Change(editor)
    change.send(change.asks, auth(), chunks.chunk(ASCONF, 0, (change.number & 0xFFFFFFFF).to_bytes(4, "big") + add()))
    return change.asks


@breaks("AS-010")
def asconf_after_shutdown_ack(editor):
    change = Change(editor)
    change.send(change.far, chunks.shutdown(change.tsn[change.near] - 1)).send(change.near, chunks.shutdown_ack()).ask(0, add())
    return change.asks


@breaks("AS-011")
def new_address_used_before_the_answer(editor):
    change = Change(editor)
    change.ask(0, add()).send(change.asks, change.chunk(change.asks), source=packed(NEW)).answer(0)
    return change.asks


@breaks("AS-011")
def new_address_used_at_once(editor):
    change = Change(editor)
    change.ask(0, add()).send(change.asks, change.chunk(change.asks), source=packed(NEW)).wait(S).ask(0, add())
    return change.asks


@breaks("AS-012")
def deleted_address_used_after_the_answer(editor):
    change = Change(editor, where=multihomed)
    other = change.other()
    change.ask(0, delete(other)).answer(0).wait(3 * S).send(change.asks, change.chunk(change.asks), source=packed(other))
    return change.asks


@breaks("AS-012")
def deleted_address_used(editor):
    change = Change(editor, where=multihomed)
    other = change.other()
    change.ask(0, delete(other)).wait(S).send(change.asks, change.chunk(change.asks), source=packed(other))
    change.ask(0, delete(other)).answer(0)
    return change.asks


@breaks("AS-013", causes=("AS-014",))
def last_address_deleted(editor):
    change = Change(editor, where=lambda association: not association.has(ASCONF))
    places = (change.association.init, change.association.init_ack)
    place = places[change.asks]
    listed = {text(place.packet["sctp"][at + 4:at + length]) for kind, at, length in params_of(place) if kind in (5, 6)}
    listed |= {text(pair[0]) for pair in change.association.pairs(change.asks)}
    change.ask(0, *(delete(address, number) for number, address in enumerate(sorted(listed), 1)))
    return change.asks


@breaks("AS-014", causes=("AS-013",))
def own_source_deleted(editor):
    change = Change(editor, where=multihomed)
    change.ask(0, delete(change.own))
    return change.asks


@breaks("AS-015", causes=("AS-014", "AS-013"))
def deletion_of_the_source_granted(editor):
    change = Change(editor)
    change.ask(0, delete(change.own)).answer(0)
    return 1 - change.asks


@breaks("AS-016")
def data_to_an_added_address(editor):
    change = Change(editor, asks_far=True)
    change.ask(0, add()).answer(0).send(change.near, change.chunk(change.near), destination=packed(NEW))
    return change.near


@breaks("AS-017")
def data_to_a_deleted_address(editor):
    change = Change(editor, where=multihomed)
    other = change.other()
    change.ask(0, delete(other)).answer(0).wait(20 * S)
    change.send(change.far, change.chunk(change.far), destination=packed(other))
    return change.far


@breaks("AS-018")
def asconf_changed(editor):
    change = Change(editor)
    change.ask(0, add()).wait(S).ask(0, add(NEWER))
    return change.asks


@breaks("AS-020")
def multicast_added(editor):
    change = Change(editor)
    change.ask(0, add("224.1.2.3"))
    return change.asks


@breaks("AS-021")
def asconf_not_answered(editor):
    change = Change(editor)
    for number in range(5):
        change.ask(0, add(), gap_ns=(1 << number) * S).data(change.asks).sack(1 - change.asks)
    return 1 - change.asks


def listing(editor):
    """(end, INIT or INIT ACK, offset and length of its Supported Extensions)"""
    association = editor.association(lambda association: once(association) and can_change(association))
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    return end, place, *next((at, length) for kind, at, length in params_of(place) if kind == EXTENSIONS)


@breaks("AS-023", causes=("FMT-031",))
def extensions_twice(editor):
    end, place, at, length = listing(editor)
    editor.add_param(place, place.packet["sctp"][at:at + length])
    return end


@breaks("AS-024")
def listed_asconf_refused(editor):
    change = Change(editor)
    change.ask(0, add()).send(1 - change.asks, unknown_asconf())
    return 1 - change.asks


def unknown_asconf():
    return chunks.error(chunks.tlv(6, chunks.chunk(ASCONF, 0, bytes(12))))


@breaks("AS-025")
def adaptation_in_asconf(editor):
    change = Change(editor)
    change.ask(0, add(), chunks.tlv(chunks.ADAPTATION, bytes(4)))
    return change.asks


@breaks("AS-026")
def asconfs_descending(editor):
    change = Change(editor)
    change.ask(0, add()).wait(S)
    change.send(change.asks, auth(), change.asconf(2, add()), change.asconf(1, add(NEWER)))
    return change.asks


@breaks("AS-027")
def extensions_without_auth(editor):
    end, place, at, length = listing(editor)
    replace_param(editor, place, at, length, chunks.tlv(EXTENSIONS, bytes((ASCONF, ASCONF_ACK))))
    return end


@breaks("AS-028", causes=("AS-027",))
def asconf_without_auth_offered(editor):
    association = editor.association(lambda association: once(association) and can_change(association))
    for kind, at, length in reversed(params_of(association.init)):
        if kind in (0x8002, 0x8003, 0x8004):
            editor.edit(association.init.packet, at, b"\xbf\0")
        elif kind == EXTENSIONS:
            replace_param(editor, association.init, at, length, chunks.tlv(EXTENSIONS, bytes((ASCONF, ASCONF_ACK))))
    return 1


@breaks("AS-029", causes=("AS-024",))
def asconf_after_refusals(editor):
    change = Change(editor)
    change.ask(0, add()).send(change.far, unknown_asconf()).wait(S)
    change.ask(0, add()).send(change.far, unknown_asconf()).wait(3 * S).ask(1, add())
    return change.asks


@breaks("AS-030")
def primary_of_a_strange_address(editor):
    change = Change(editor, where=lambda association: not association.has(ASCONF))
    change.ask(0, primary(NEW))
    return change.asks


@breaks("AS-031", causes=("RC-005",))
def add_ip_in_re_config(editor):
    change = Change(editor)
    change.send(change.asks, chunks.re_config(add()))
    return change.asks
