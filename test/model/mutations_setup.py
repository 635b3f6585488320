# SPDX-License-Identifier: GPL-2.0-or-later
"""Set-up broken: what INIT and INIT ACK say, cookies, what is sent too early."""

from generate import chunks
from mutations import breaks
from packet_editor import NoPlace
from continuation import MS, S, Continuation
from captured_associations import COOKIE_ACK, COOKIE_ECHO, INIT, INIT_ACK, chunks_of, pack, params_of

UNKNOWN = 0xBF00
COOKIE = 7


def once(association):
    """Each step of the set-up was sent once."""
    return all(association.steps[kind] == 1 for kind in (INIT, INIT_ACK, COOKIE_ECHO, COOKIE_ACK))


def is_straight(association):
    """The INIT ACK came from where the INIT went."""
    return once(association) and association.init.packet["destination"] == association.init_ack.packet["source"]


def said(editor, end, at, value, where=once):
    """Another value in the INIT (end 0) or INIT ACK."""
    association = editor.association(where)
    place = (association.init, association.init_ack)[end]
    editor.edit(place.packet, place.at + at, value)
    return association, place


@breaks("HS-001")
def init_with_tag(editor):
    association = editor.association(once)
    editor.edit(association.init.packet, 4, pack(77))
    return 0


@breaks("HS-002")
def init_with_initiate_tag_0(editor):
    association, place = said(editor, 0, 4, bytes(4))
    editor.end_after(place.packet)
    return 0


@breaks("HS-003")
def init_ack_with_initiate_tag_0(editor):
    association, place = said(editor, 1, 4, bytes(4))
    editor.end_after(place.packet)
    return 1


@breaks("HS-004", causes=("TX-012",))
def small_window_in_init(editor):
    said(editor, 0, 8, pack(1499))
    return 0


@breaks("HS-004", causes=("TX-012",))
def small_window_in_init_ack(editor):
    said(editor, 1, 8, pack(1499))
    return 1


@breaks("HS-005", causes=("HS-028", "TX-011", "RX-024"))
def no_outbound_streams_in_init(editor):
    said(editor, 0, 12, bytes(2))
    return 0


@breaks("HS-005", causes=("HS-030", "TX-011", "RX-024"))
def no_outbound_streams_in_init_ack(editor):
    said(editor, 1, 12, bytes(2))
    return 1


@breaks("HS-006", causes=("HS-007", "HS-028", "TX-011", "RX-024"))
def no_inbound_streams_in_init(editor):
    said(editor, 0, 14, bytes(2))
    return 0


@breaks("HS-006", causes=("HS-030", "TX-011", "RX-024"))
def no_inbound_streams_in_init_ack(editor):
    said(editor, 1, 14, bytes(2))
    return 1


@breaks("HS-007")
def init_ack_with_too_many_streams(editor):
    association = editor.association(lambda association: once(association) and association.value(0, 14, 2) < 65535)
    editor.edit(association.init_ack.packet, association.init_ack.at + 12, (association.value(0, 14, 2) + 1).to_bytes(2, "big"))
    return 1


@breaks("HS-007", causes=("TX-011", "RX-024"))
def init_that_accepts_fewer_streams(editor):
    association = editor.association(lambda association: once(association) and association.value(1, 12, 2) > 1)
    editor.edit(association.init.packet, association.init.at + 14, (association.value(1, 12, 2) - 1).to_bytes(2, "big"))
    return 1


def cookie_of(association):
    """(offset of the parameter in the packet of the INIT ACK, length)."""
    for kind, at, length in params_of(association.init_ack):
        if kind == COOKIE:
            return at, length
    raise NoPlace


@breaks("HS-008", causes=("HS-012", "HS-048"))
def init_ack_without_cookie(editor):
    association = editor.association(once)
    editor.edit(association.init_ack.packet, cookie_of(association)[0], UNKNOWN.to_bytes(2, "big"))
    return 1


def elsewhere(address):
    return address[:-1] + bytes([address[-1] ^ 0x40])


@breaks("HS-010", causes=("PM-022", "HS-057", "PM-006", "PM-007"))
def init_ack_to_another_address(editor):
    association = editor.association(once)
    packet = association.init_ack.packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@breaks("HS-012", causes=("HS-048",))
def other_cookie_echoed(editor):
    association = editor.association(once)
    place = association.first(0, COOKIE_ECHO)
    editor.edit(place.packet, place.at + place.length - 5, b"MUTED"[:5])
    return 0


@breaks("HS-013")
def cookie_with_the_tag_of_another(editor):
    association = editor.association(once)
    first, echo = association.init_ack, association.first(0, COOKIE_ECHO)
    editor.again(association.init.packet)
    second = editor.again(first.packet)
    tag = association.tags[1] ^ 0x5A5A5A5A
    editor.edit(second, first.at + 4, pack(tag))
    editor.edit(second, cookie_of(association)[0] + 8, b"OTHER")
    editor.edit(echo.packet, 4, pack(tag))
    editor.end_after(echo.packet)
    return 0


@breaks("HS-015")
def heartbeat_before_cookie_ack(editor):
    association = editor.near(0, lambda association: once(association) and chunks.HEARTBEAT not in association.demands(1))
    editor.inject(association.first(0, COOKIE_ECHO).packet, chunks.heartbeat(), after_ns=MS)
    return 0


def first_data(association, end):
    place = association.first(end, 0)
    if place is None or COOKIE_ECHO in [kind for kind, _, _ in chunks_of(place.packet["sctp"])] or 0 in association.demands(1 - end):
        raise NoPlace
    return place, place.packet["sctp"][place.at:place.at + (place.length + 3) // 4 * 4]


@breaks("HS-017")
def data_before_cookie_echo(editor):
    association = editor.association(once)
    _, chunk = first_data(association, 0)
    editor.inject(association.first(0, COOKIE_ECHO).packet, chunk, ahead=True)
    return 0


@breaks("HS-018")
def sack_before_cookie_ack(editor):
    association = editor.near(1, lambda association: once(association) and 3 not in association.demands(0))
    editor.inject(association.first(1, COOKIE_ACK).packet, chunks.sack(association.initial_tsn(0) - 1), ahead=True)
    return 1


@breaks("HS-019")
def tsn_before_the_initial_one(editor):
    association = editor.association(once)
    end = editor.pick(end for end in (0, 1) if association.first(end, 0))
    place, chunk = first_data(association, end)
    editor.inject(place.packet, chunk[:4] + pack(association.initial_tsn(end) - 1) + chunk[8:], ahead=True)
    return end


@breaks("HS-020")
def first_data_acknowledged_late(editor):
    continuation = Continuation(editor, is_young=True)
    continuation.data(continuation.far).wait(250 * MS).sack(continuation.near)
    continuation.data(continuation.far).sack(continuation.near)
    return continuation.near


@breaks("HS-023")
def init_sent_ten_times(editor):
    association = editor.association(once)
    editor.end_after(association.init.packet)
    for number in range(1, 11):
        editor.again(association.init.packet, number * 3 * S)
    return 0


@breaks("HS-024")
def cookie_echoed_ten_times(editor):
    association = editor.association(once)
    packet = association.first(0, COOKIE_ECHO).packet
    editor.end_after(packet)
    for number in range(1, 11):
        editor.again(packet, number * 3 * S)
    return 0


@breaks("HS-028", causes=("HS-005", "TX-011", "RX-024"))
def init_without_streams_accepted(editor):
    said(editor, 0, 12, bytes(2))
    return 1


@breaks("HS-029", causes=("HS-002",))
def init_with_tag_0_accepted(editor):
    association, place = said(editor, 0, 4, bytes(4), is_straight)
    editor.edit(association.init_ack.packet, 4, bytes(4))
    editor.end_after(association.init_ack.packet)
    return 1


@breaks("HS-030", causes=("HS-005", "TX-011", "RX-024"))
def init_ack_without_streams_accepted(editor):
    said(editor, 1, 12, bytes(2))
    return 0


@breaks("HS-031", causes=("FMT-034",))
def host_name_accepted(editor):
    association = editor.association(once)
    editor.add_param(association.init, chunks.tlv(chunks.HOST_NAME, b"host.example"))
    return 1


@breaks("HS-033")
def init_refused_with_tag_0(editor):
    association = editor.association(is_straight)
    packet = association.init_ack.packet
    editor.replace(packet, packet["sctp"][:4] + bytes(8) + chunks.abort())
    editor.end_after(packet)
    return 1


@breaks("HS-037")
def other_tag_in_collision(editor):
    association = editor.near(0, lambda association: once(association) and association.is_single() and all(association.first(end, 0) for end in (0, 1)))
    own, theirs = association.init, association.init_ack
    body = theirs.packet["sctp"][theirs.at + 4:theirs.at + 20]
    editor.inject(theirs.packet, chunks.chunk(INIT, 0, body), vtag=0, after_ns=-2 * MS)
    answer = chunks.init_ack(association.tags[0] ^ 0x1234567, association.initial_tsn(0))
    editor.inject(own.packet, answer, vtag=association.tags[1], after_ns=theirs.packet["time_ns"] - own.packet["time_ns"] - 2 * MS + 100_000)
    return 0


def restart(continuation, tags, tsns=(7, 9)):
    """A set-up anew between the same endpoints, up to COOKIE ACK; tags of both."""
    association = continuation.association
    continuation.like = [association.init.packet, association.init_ack.packet]
    continuation.send(0, chunks.init(tags[0], tsns[0]), vtag=0).send(1, chunks.init_ack(tags[1], tsns[1], cookie=b"cookie%d" % tags[0]), vtag=tags[0])
    continuation.send(0, chunks.cookie_echo(b"cookie%d" % tags[0]), vtag=tags[1])
    return continuation.send(1, chunks.cookie_ack(), vtag=tags[0])


def restarting(editor):
    """(continuation near the responder, its association, which is alive, the tag of an INIT that comes now)"""
    continuation = Continuation(editor, near=1)
    association = continuation.association
    continuation.like = [association.init.packet, association.init_ack.packet]
    return continuation, association, association.tags[0] ^ 0x3333333


@breaks("HS-038")
def restart_with_the_living_tag(editor):
    continuation, association, tag = restarting(editor)
    continuation.send(0, chunks.init(tag, 7), vtag=0).send(1, chunks.init_ack(association.tags[1], 9), vtag=tag)
    return 1


@breaks("HS-039")
def restart_with_another_address(editor):
    continuation, association, tag = restarting(editor)
    continuation.send(0, chunks.init(tag, 7, chunks.address("192.0.2.77")), vtag=0)
    own = {association.init.packet["destination"], association.init_ack.packet["source"]}
    listed = b"".join(chunks.tlv(5 if len(address) == 4 else 6, address) for address in sorted(own))
    continuation.send(1, chunks.init_ack(association.tags[1] ^ 0x5555, 9, params=listed), vtag=tag)
    return 1


@breaks("HS-043")
def tag_used_again(editor):
    continuation = Continuation(editor)
    association = continuation.association
    continuation.send(0, chunks.shutdown(continuation.tsn[1] - 1)).send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete()).wait(S)
    restart(continuation, (association.tags[0] ^ 0x3333333, association.tags[1]))
    return 1


def one_after_another(editor, tags, tsns):
    """Associations of the same two endpoints, each shut down before the next; tags and Initial TSNs of end 0."""
    continuation = Continuation(editor)
    for tag, tsn in zip(tags, tsns):
        peer, peer_tsn = editor.rng.randrange(1, 1 << 32), editor.rng.randrange(1 << 32)
        continuation.send(0, chunks.shutdown(continuation.tsn[1] - 1)).send(1, chunks.shutdown_ack()).send(0, chunks.shutdown_complete()).wait(S)
        restart(continuation, (tag, peer), (tsn, peer_tsn))
        continuation.association.tags, continuation.tsn = [tag, peer], [tsn, peer_tsn]
    return 0


@breaks("HS-044")
def tags_that_count(editor):
    first, step = editor.rng.randrange(1 << 31), editor.rng.randrange(1, 1 << 27)
    return one_after_another(editor, range(first, first + 8 * step, step), [editor.rng.randrange(1 << 32) for _ in range(8)])


@breaks("HS-045")
def tsns_that_count(editor):
    first, step = editor.rng.randrange(1 << 31), editor.rng.randrange(1, 1 << 27)
    return one_after_another(editor, [editor.rng.randrange(1, 1 << 32) for _ in range(8)], range(first, first + 8 * step, step))


@breaks("HS-046")
def large_init_ack(editor):
    association = editor.association(once)
    editor.add_param(association.init_ack, chunks.tlv(UNKNOWN, bytes(1300)))
    return 1


@breaks("HS-048", causes=("HS-012",))
def unknown_cookie_accepted(editor):
    association = editor.near(1, once)
    place = association.first(0, COOKIE_ECHO)
    editor.edit(place.packet, place.at + place.length - 5, b"MUTED")
    return 1


@breaks("HS-052")
def second_cookie_echoed(editor):
    association = editor.near(0, once)
    first, echo = association.init_ack, association.first(0, COOKIE_ECHO)
    editor.again(association.init.packet, 100_000)
    second = editor.again(first.packet, echo.packet["time_ns"] - first.packet["time_ns"] + MS)
    at, length = cookie_of(association)
    editor.edit(second, at + length - 5, b"OTHER")
    editor.inject(echo.packet, chunks.cookie_echo(second["sctp"][at + 4:at + length]), after_ns=MS + 200_000)
    return 0


@breaks("HS-057", causes=("PM-022", "PM-007"))
def cookie_ack_to_an_unconfirmed_address(editor):
    association = editor.association(lambda association: once(association) and len(chunks_of(association.first(1, COOKIE_ACK).packet["sctp"])) == 1)
    packet = association.first(1, COOKIE_ACK).packet
    packet["destination"] = elsewhere(packet["destination"])
    return 1


@breaks("HS-014")
def inits_of_a_collision_not_answered(editor):
    """The peer sends INITs of its own before its INIT ACK: the endpoint goes on as if none had come."""
    association = editor.near(0, lambda association: once(association) and association.is_single() and all(association.first(end, 0) for end in (0, 1)))
    theirs = association.init_ack
    body = theirs.packet["sctp"][theirs.at + 4:theirs.at + 20]
    for number in range(4):
        editor.inject(theirs.packet, chunks.chunk(INIT, 0, body), vtag=0, after_ns=-2 * MS + number * 100_000)
    return 0


@breaks("FMT-018")
def bundled_init(editor):
    association = editor.association(once)
    editor.add_chunk(association.init.packet, chunks.heartbeat())
    return 0


@breaks("FMT-018")
def bundled_shutdown_complete(editor):
    association = editor.association(lambda association: association.first(None, 14))
    place = association.first(None, 14)
    editor.add_chunk(place.packet, chunks.error(chunks.tlv(7)))
    return association.sender(place.packet)


@breaks("PD-001")
def pad_in_init_ack(editor):
    association = editor.association(once)
    editor.add_param(association.init_ack, chunks.tlv(chunks.PADDING, bytes(20)))
    return 1


@breaks("PD-002")
def pad_inside_the_cookie(editor):
    association = editor.association(once)
    pad = chunks.tlv(chunks.PADDING, bytes(range(1, 21)))
    at, length = cookie_of(association)
    if length < 40:
        raise NoPlace
    editor.add_param(association.init, pad)
    editor.edit(association.init_ack.packet, at + 8, pad)
    echo = association.first(0, COOKIE_ECHO)
    editor.edit(echo.packet, echo.at + 8, pad)
    return 1


@breaks("PD-003", causes=("FMT-042",))
def pad_reported(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.PAD, 0, bytes(8)))
    continuation.send(continuation.far, chunks.error(chunks.tlv(6, chunks.chunk(chunks.PAD, 0, bytes(8)))))
    return continuation.far


@breaks("PD-004")
def pad_with_flags(editor):
    continuation = Continuation(editor)
    continuation.send(continuation.near, chunks.chunk(chunks.PAD, 1, bytes(8)))
    return continuation.near
