# SPDX-License-Identifier: GPL-2.0-or-later
"""Senders of data: TSNs, streams, fragments, what is sent again and when."""

from generate import chunks
from mutations import breaks
from packet_editor import NoPlace
from continuation import MS, S, Continuation
from captured_associations import DATA, I_DATA, RE_CONFIG, is_later, pack, u16, u32

BOTH = chunks.BEGIN | chunks.END


def is_plain(association):
    return not association.is_partial() and not association.has(I_DATA, RE_CONFIG)


def tsn_of(place):
    return u32(place.packet["sctp"], place.at + 4)


def flags_of(place):
    return place.packet["sctp"][place.at + 1]


def edit_all(editor, association, end, tsn, at, value):
    """The same change in every transmission of a TSN."""
    for place in list(association.places(end)):
        if tsn_of(place) == tsn:
            editor.edit(place.packet, place.at + at, value)


def some(editor, fits=lambda place: flags_of(place) & 7 == BOTH, where=is_plain):
    """(association, sender, DATA chunk) near the sender; the chunk behind it is acknowledged, too."""
    association = editor.association(lambda association: association.near is not None and where(association))
    end = association.near
    acked = association.acked(1 - end)
    places = [place for place in association.places(end) if is_later(acked, tsn_of(place)) and fits(place)]
    return association, end, editor.pick(places)


@breaks("TX-002")
def other_ppid_sent_again(editor):
    association = editor.association(lambda association: association.near is not None)
    place = editor.pick(association.places(association.near, alone=True))
    again = editor.again(place.packet, 1000)
    editor.edit(again, place.at + 12, pack(u32(again["sctp"], place.at + 12) ^ 0x55))
    return association.near


@breaks("TX-002")
def other_content_sent_again(editor):
    association = editor.association(lambda association: association.near is not None)
    place = editor.pick(place for place in association.places(association.near, alone=True) if place.length > 24)
    again = editor.again(place.packet, 1000)
    editor.edit(again, place.at + 20, bytes(byte ^ 0x55 for byte in again["sctp"][place.at + 20:place.at + 24]))
    return association.near


@breaks("TX-002")
def shorter_content_sent_again(editor):
    association = editor.association(lambda association: association.near is not None)
    place = editor.pick(place for place in association.places(association.near, alone=True) if place.length > 24)
    again = editor.again(place.packet, 1000)
    editor.replace(again, again["sctp"][:14] + (place.length - 4).to_bytes(2, "big") + again["sctp"][16:-4])
    return association.near


def first_of_stream(association, end):
    seen = {}
    for place in association.places(end):
        if not flags_of(place) & chunks.UNORDERED:
            sid = u16(place.packet["sctp"], place.at + 8)
            if sid not in seen or is_later(tsn_of(seen[sid]), tsn_of(place)):
                seen[sid] = place
    return {tsn_of(place) for place in seen.values()}


@breaks("TX-003", causes=("TX-004",))
def first_ssn_is_one(editor):
    association = editor.association(lambda association: association.near is not None and is_plain(association))
    end, acked = association.near, association.acked(1 - association.near)
    firsts = first_of_stream(association, end)
    place = editor.pick(place for place in association.places(end)
                       if tsn_of(place) in firsts and flags_of(place) & 7 == BOTH and not is_later(tsn_of(place), acked))
    edit_all(editor, association, end, tsn_of(place), 10, b"\0\1")
    return end


@breaks("TX-004", causes=("TX-003",))
def other_ssn(editor):
    association, end, place = some(editor, lambda place: flags_of(place) & 7 == BOTH and u16(place.packet["sctp"], place.at + 10) > 0)
    ssn = u16(place.packet["sctp"], place.at + 10)
    edit_all(editor, association, end, tsn_of(place), 10, (ssn + 5 & 0xFFFF).to_bytes(2, "big"))
    return end


def inner(place):
    return not flags_of(place) & (chunks.BEGIN | chunks.UNORDERED)


@breaks("TX-007", causes=("TX-004", "TX-009"))
def fragment_of_another_stream(editor):
    association, end, place = some(editor, inner)
    sid = u16(place.packet["sctp"], place.at + 8)
    edit_all(editor, association, end, tsn_of(place), 8, (sid ^ 1).to_bytes(2, "big"))
    return end


@breaks("TX-007", causes=("TX-004", "TX-009"))
def fragment_with_another_ssn(editor):
    association, end, place = some(editor, inner)
    ssn = u16(place.packet["sctp"], place.at + 10)
    edit_all(editor, association, end, tsn_of(place), 10, (ssn ^ 8).to_bytes(2, "big"))
    return end


@breaks("TX-008")
def fragment_with_another_ppid(editor):
    association, end, place = some(editor, inner)
    edit_all(editor, association, end, tsn_of(place), 12, pack(u32(place.packet["sctp"], place.at + 12) ^ 1))
    return end


@breaks("TX-009", causes=("TX-010",))
def message_between_fragments(editor):
    continuation = Continuation(editor, where=is_plain)
    end = continuation.near
    first = continuation.chunk(end, flags=chunks.BEGIN)
    between = continuation.chunk(end, flags=BOTH | chunks.UNORDERED)
    continuation.send(end, first, between, continuation.chunk(end, flags=chunks.END)).sack(continuation.far)
    return end


@breaks("TX-010", causes=("TX-004", "TX-009"))
def message_without_end(editor):
    association, end, place = some(editor)
    editor.deny_partial(association)
    edit_all(editor, association, end, tsn_of(place), 1, bytes([flags_of(place) & ~chunks.END]))
    return end


@breaks("TX-010", causes=("TX-003", "TX-004", "TX-007"))
def message_without_beginning(editor):
    association, end, place = some(editor)
    editor.deny_partial(association)
    edit_all(editor, association, end, tsn_of(place), 1, bytes([flags_of(place) & ~chunks.BEGIN]))
    return end


@breaks("TX-011", causes=("TX-003", "TX-004", "RX-024"))
def stream_beyond_the_agreed(editor):
    def has_room(association):
        return is_plain(association) and max(association.value(0, 12, 2), association.value(0, 14, 2), association.value(1, 12, 2), association.value(1, 14, 2)) < 65535
    association = editor.association(lambda association: association.near is not None and has_room(association))
    end = association.near
    place = editor.pick(place for place in association.places(end) if flags_of(place) & 3 == BOTH)
    sid = max(association.value(0, 12, 2), association.value(0, 14, 2), association.value(1, 12, 2), association.value(1, 14, 2))
    edit_all(editor, association, end, tsn_of(place), 8, sid.to_bytes(2, "big"))
    return end


@breaks("TX-012")
def window_overrun(editor):
    continuation = Continuation(editor, where=is_plain)
    editor.deny_partial(continuation.association)
    end, far = continuation.near, continuation.far
    for _ in range(4):
        continuation.data(end, size=1000).sack(far, a_rwnd=4000).wait(100 * MS)
    for number in range(60):
        continuation.data(end, size=1000)
        if number % 5 == 4:
            continuation.sack(far, number // 2, a_rwnd=4000).wait(50 * MS)
    continuation.sack(far)
    return end


@breaks("TX-018")
def acknowledged_sent_again(editor):
    continuation = Continuation(editor)
    end, far = continuation.near, continuation.far
    continuation.data(end)
    sent, cum_tsn = continuation.sent, continuation.tsn[end] - 1
    continuation.send(far, chunks.sack(cum_tsn), continuation.chunk(far)).sack(end).wait(S).send(end, sent)
    return end


@breaks("TX-019")
def gap_acked_sent_again(editor):
    continuation = Continuation(editor)
    end, far = continuation.near, continuation.far
    continuation.data(end).data(end)
    again = continuation.sent
    continuation.data(end)
    for _ in range(4):
        continuation.wait(2 * continuation.association.rtt_ns + 200 * MS).sack(far, 3, gaps=((2, 3),))
    continuation.send(end, again)
    return end


@breaks("TX-020")
def old_data_after_shutdown_ack(editor):
    continuation = Continuation(editor)
    end = continuation.near
    old = continuation.data(end).sent
    continuation.sack(continuation.far)
    continuation.send(continuation.far, chunks.shutdown(continuation.tsn[end] - 1)).send(end, chunks.shutdown_ack())
    continuation.wait(S).send(end, old)
    return end


def messages(association, end):
    """DATA chunks of which the sender sent ten messages or more."""
    places = list(association.places(end))
    if len({tsn_of(place) for place in places if flags_of(place) & chunks.BEGIN}) < 12:
        raise NoPlace
    return places


@breaks("TX-021")
def ppid_of_another_service(editor):
    association = editor.association(lambda association: association.first(0, DATA) and not association.is_partial())
    for place in messages(association, 0):
        editor.edit(place.packet, place.at + 12, pack(18))
    client, server = association.init.packet["sctp"][:2], association.init.packet["sctp"][2:4]
    if client == server:
        raise NoPlace
    for packet in association.packets:
        at = 2 if association.sender(packet) == 0 else 0
        editor.edit(packet, at, (38412).to_bytes(2, "big"))
    return 0


@breaks("TX-022")
def ppid_reversed(editor):
    association = editor.association(lambda association: association.first(0, DATA))
    for place in messages(association, 0):
        editor.edit(place.packet, place.at + 12, bytes((60, 0, 0, 0)))
    return 0


@breaks("TX-024")
def i_bit_on_all(editor):
    association = editor.association(lambda association: association.first(0, DATA))
    places = messages(association, 0)
    if len({tsn_of(place) for place in places}) < 110:
        raise NoPlace
    for place in places:
        editor.edit(place.packet, place.at + 1, bytes([flags_of(place) | chunks.IMMEDIATE]))
    return 0


@breaks("TX-027", causes=("CC-003",))
def one_tsn_never_arrives(editor):
    continuation = Continuation(editor, where=lambda association: association.is_single())
    end, far = continuation.near, continuation.far
    continuation.data(end)
    lost = continuation.sent
    for number in range(1, 9):
        continuation.data(end).sack(far, number + 1, gaps=((2, 1 + number),)).send(end, lost, gap_ns=S)
    return end


def timeouts(editor, *gaps_ns):
    """Two TSNs without an answer, the lower one sent again after the gaps."""
    continuation = Continuation(editor, where=lambda association: len(association.pairs(association.near)) == 1)
    end = continuation.near
    continuation.rounds(end, 3).data(end)
    lost = continuation.sent
    continuation.data(end)
    for gap_ns in gaps_ns:
        continuation.send(end, lost, gap_ns=gap_ns)
    return end


@breaks("TM-001", causes=("TM-009",))
def timeout_of_half_a_second(editor):
    return timeouts(editor, 400 * MS, 800 * MS, 1600 * MS, 3200 * MS)


@breaks("TM-002")
def init_again_too_soon(editor):
    association = editor.association(lambda association: association.steps[1] == 1)
    editor.end_after(association.init.packet)
    editor.again(association.init.packet, 400 * MS)
    return 0


@breaks("TM-004")
def timeouts_not_doubled(editor):
    """The second alone, or some more, before the later ones double."""
    return timeouts(editor, *[3 * S] * editor.rng.randrange(2, 5), 6 * S, 12 * S)


@breaks("TM-006")
def never_sent_again(editor):
    """Nothing acknowledges a message, its sender probes the path, and never sends the message again."""
    continuation = Continuation(editor, where=lambda association: association.is_single() and not association.has(chunks.RE_CONFIG))
    end = continuation.near
    editor.deny_partial(continuation.association)
    continuation.rounds(end, 3).data(end)
    for _ in range(12):
        continuation.wait(editor.rng.randrange(8 * S, 14 * S)).heartbeat(end)
    return end


@breaks("TM-008")
def timeout_within_the_sack_delay(editor):
    continuation = Continuation(editor, where=lambda association: len(association.pairs(association.near)) == 1)
    end, far = continuation.near, continuation.far
    continuation.rounds(end, 30)
    for _ in range(6):
        continuation.data(end).wait(continuation.association.rtt_ns + 100 * MS).send(end, continuation.sent)
        continuation.sack(far, duplicates=(continuation.tsn[end] - 1,), gap_ns=30 * MS)
    return end


@breaks("TM-009")
def timer_goes_on_after_sack(editor):
    continuation = Continuation(editor, where=lambda association: len(association.pairs(association.near)) == 1)
    end, far = continuation.near, continuation.far
    continuation.rounds(end, 3).data(end).wait(800 * MS).data(end)
    lost = continuation.sent
    continuation.data(end).sack(far, 2)
    for gap_ns in (180 * MS, 2 * S, 4 * S):
        continuation.send(end, lost, gap_ns=gap_ns)
    return end


@breaks("TM-012")
def thirty_timeouts(editor):
    return timeouts(editor, *[S * min(1 << number, 60) for number in range(30)])


@breaks("TM-019")
def timeouts_do_not_grow(editor):
    return timeouts(editor, *[S] * 10)


@breaks("TM-013")
def given_up_after_five_timeouts(editor):
    end = timeouts(editor, *[S << number for number in range(4)])
    last = editor.packets[-1]
    editor.inject(last, chunks.abort(), after_ns=16 * S)
    return end
