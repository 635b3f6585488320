# SPDX-License-Identifier: GPL-2.0-or-later
"""Senders of data: streams, SSNs, fragments, PPIDs, I bits, the window, and what is sent again."""

import dataclasses

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_0, MS, S, ScenarioBuilder, assertions
from register import fires, silent
from scripts import SINGLE, Setting, alters, violates
from packet_editor import NoPlace, edit_all
from captured_associations import flags_of, is_later, pack, tsn_of, u16, u32
from partial_reliability import SUPPORTS_PARTIAL
from two_paths import TWO_PATHS, two_paths


BOTH = chunks.BEGIN | chunks.END


def up(params=(b"", b""), **options):
    """An association that is set up, with a round trip measured."""
    return ScenarioBuilder(**options).set_up(params=params).data().sack()


def send(scenario, *datas, gap_ns=None):
    """DATA chunks of end 0 in one packet: (options of chunks.data) each, TSNs one after the other unless given."""
    end, parts = scenario.ends[0], []
    for data in datas:
        tsn = data.pop("tsn", end.tsn)
        parts.append(chunks.data(tsn, data.pop("payload", bytes(20)), **data))
        end.tsn = tsn + 1
    return scenario.send(0, *parts, gap_ns=gap_ns)


def sending():
    """End 0, at the tap, sent messages in fragments and whole ones, which are acknowledged."""
    scenario = ScenarioBuilder(ports=(5001, 5002)).set_up()
    for _ in range(3):
        for flags in (BOTH, chunks.BEGIN, 0, chunks.END, BOTH):
            scenario.rounds(0, flags=flags, size=40)
    return scenario.exchange(2)


def sending_much():
    return ScenarioBuilder(ports=(5001, 5002)).set_up().rounds(0, 120)


def is_plain(association):
    return not association.is_partial() and not association.has(chunks.I_DATA, chunks.RE_CONFIG)


PLAIN = Setting(where=is_plain)


def some(editor, fits=lambda place: flags_of(place) & 7 == BOTH, where=is_plain):
    """(association, sender, DATA chunk) near the sender; the chunk behind it is acknowledged, too."""
    association = editor.association(lambda association: association.near is not None and where(association))
    end = association.near
    acked = association.acked(1 - end)
    places = [place for place in association.places(end) if is_later(acked, tsn_of(place)) and fits(place)]
    return association, end, editor.pick(places)


def inner(place):
    return not flags_of(place) & (chunks.BEGIN | chunks.UNORDERED)


def going_on(skips, params=(b"", b"")):
    """Data of end 0, a TSN of which never passes."""
    scenario = up(params=params).data()
    if skips:
        scenario.lose(0)
    return scenario.data().wait(50 * MS).data().wait(50 * MS).data()


@fires("TX-001", asserted=COMPLETE_AT_END_0)
@silent("TX-001", judged=False)
@silent("TX-001", asserted=COMPLETE, judged=False)
def tsn_left_out():
    return going_on(True)


@fires("TX-001", asserted=COMPLETE_AT_END_0)
def first_tsn_left_out():
    scenario = ScenarioBuilder().set_up()
    scenario.lose(0)
    return scenario.data().data()


@silent("TX-001", asserted=COMPLETE_AT_END_0)
def tsns_in_sequence():
    return going_on(False)


@silent("TX-001", asserted=COMPLETE_AT_END_0, judged=False)
def tsn_given_up_unsent():
    return going_on(True, (SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))


def reported_up_to_left_out(scenario, parts, wait_ns):
    """A TSN of end 0 never passes, the one behind it does, and a SACK reports that; parts leave wait_ns later, and something else long after them."""
    left_out = scenario.lose(0)
    scenario.data().send(1, chunks.sack(left_out - 1, gaps=[(2, 2)])).wait(wait_ns)
    if parts is not None:
        scenario.send(0, parts(left_out))
    return scenario.wait(S).data()


def partly_reliable():
    return up(params=(SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))


@fires("TX-001", asserted=COMPLETE_AT_END_0)
@silent("TX-001", asserted=COMPLETE, judged=False)
@silent("TX-001", judged=False)
def tsn_left_out_and_never_given_up():
    return reported_up_to_left_out(partly_reliable(), None, 0)


def left_out_and_sent_on(wait_ns):
    """End 0, near the tap, sends something so long after a SACK that reaches up to a TSN that never passed."""
    scenario = ScenarioBuilder().set_up().exchange(3)
    return reported_up_to_left_out(scenario, None, 0).wait(wait_ns).heartbeat(0)


@fires("TX-001")
def tsn_left_out_for_several_timers():
    return left_out_and_sent_on(25 * S)


@silent("TX-001", judged=False)
def tsn_perhaps_lost_before_the_tap():
    return left_out_and_sent_on(5 * S)


@fires("TX-001", asserted=COMPLETE_AT_END_0)
def tsn_left_out_and_given_up_after_a_second():
    return reported_up_to_left_out(partly_reliable(), lambda tsn: chunks.forward_tsn(tsn + 1, ((0, 0),)), S)


@silent("TX-001", asserted=COMPLETE_AT_END_0)
def tsn_left_out_and_given_up_in_time():
    return reported_up_to_left_out(partly_reliable(), lambda tsn: chunks.forward_tsn(tsn + 1, ((0, 0),)), 400 * MS)


@silent("TX-001", asserted=assertions(complete=True, taken_at=TWO_PATHS[0]))
def tsn_that_waits_for_another_path():
    return reported_up_to_left_out(two_paths(), lambda tsn: chunks.data(tsn, bytes(20)), 100 * MS)


@fires("TX-001", asserted=assertions(complete=True, taken_at=TWO_PATHS[0]))
@silent("TX-001", asserted=COMPLETE_AT_END_0, judged=False)
def tsn_left_out_on_all_paths():
    """10.0.0.1 is one of two addresses: the TSN may have left by the other."""
    return reported_up_to_left_out(two_paths(), None, 0)


@alters("TX-002", of=sending)
def shorter_content_sent_again(editor):
    association = editor.association(lambda association: association.near is not None)
    place = editor.pick(place for place in association.places(association.near, alone=True) if place.length > 24)
    again = editor.again(place.packet, 1000)
    editor.replace(again, again["sctp"][:14] + (place.length - 4).to_bytes(2, "big") + again["sctp"][16:-4])
    return association.near


@alters("TX-002", of=sending)
def other_content_sent_again(editor):
    association = editor.association(lambda association: association.near is not None)
    place = editor.pick(place for place in association.places(association.near, alone=True) if place.length > 24)
    again = editor.again(place.packet, 1000)
    editor.edit(again, place.at + 20, bytes(byte ^ 0x55 for byte in again["sctp"][place.at + 20:place.at + 24]))
    return association.near


@silent("TX-002")
def same_payload_sent_again_with_i_bit():
    scenario = up().data(size=20)
    return scenario.wait(S).send(0, chunks.data(scenario.ends[0].tsn - 1, bytes(20), ssn=1, flags=chunks.BEGIN | chunks.END |
                                            chunks.IMMEDIATE)).sack()


@silent("TX-002")
def unordered_sent_again_with_other_ssn():
    scenario = up()
    flags = chunks.BEGIN | chunks.END | chunks.UNORDERED
    send(scenario, dict(ssn=5, flags=flags))
    return scenario.wait(S).send(0, chunks.data(scenario.ends[0].tsn - 1, bytes(20), ssn=6, flags=flags)).sack()


@alters("TX-003", of=sending, causes=("TX-004",))
def first_ssn_is_one(editor):
    association = editor.association(lambda association: association.near is not None and is_plain(association))
    end, acked = association.near, association.acked(1 - association.near)
    firsts = first_of_stream(association, end)
    place = editor.pick(place for place in association.places(end)
                       if tsn_of(place) in firsts and flags_of(place) & 7 == BOTH and not is_later(tsn_of(place), acked))
    edit_all(editor, association, end, tsn_of(place), 10, b"\0\1")
    return end


@silent("TX-003")
@silent("TX-004")
@silent("TX-011")
def streams_begin_at_zero():
    scenario = ScenarioBuilder().set_up()
    send(scenario, dict(sid=0, ssn=0), dict(sid=3, ssn=0), dict(sid=3, ssn=7, flags=chunks.BEGIN | chunks.END | chunks.UNORDERED))
    return send(scenario, dict(sid=3, ssn=1), dict(sid=9, ssn=0), dict(sid=0, ssn=1)).sack()


@fires("TX-004")
def ssn_left_out():
    scenario = up()
    return send(scenario, dict(ssn=2)).sack()


@fires("TX-004")
def ssn_counts_unordered_message():
    scenario = up()
    send(scenario, dict(ssn=1, flags=chunks.BEGIN | chunks.END | chunks.UNORDERED))
    return send(scenario, dict(ssn=2)).sack()


@silent("TX-004")
def ssn_wraps():
    scenario = ScenarioBuilder().send(0, chunks.heartbeat()).send(1, chunks.heartbeat_ack())
    return send(scenario, dict(ssn=65534), dict(ssn=65535), dict(ssn=0), dict(ssn=1)).sack()


@silent("TX-004")
def ssn_of_message_given_up():
    scenario = up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    send(scenario, dict(ssn=1))
    send(scenario, dict(ssn=3))
    return scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1, [(0, 2)])).sack()


@silent("TX-004")
def ssn_after_reset():
    scenario = up()
    send(scenario, dict(ssn=1)).sack()
    scenario.send(0, chunks.re_config(chunks.tlv(chunks.OUTGOING_RESET, bytes(12))))
    scenario.send(1, chunks.re_config(chunks.tlv(chunks.RESPONSE, bytes(7) + b"\1")))
    return send(scenario, dict(ssn=0)).sack()


@alters("TX-007", of=sending, causes=("TX-004", "TX-009"))
def fragment_of_another_stream(editor):
    association, end, place = some(editor, inner)
    sid = u16(place.packet["sctp"], place.at + 8)
    edit_all(editor, association, end, tsn_of(place), 8, (sid ^ 1).to_bytes(2, "big"))
    return end


@silent("TX-007")
@silent("TX-008")
@silent("TX-009")
@silent("TX-010")
def unordered_fragments_with_any_ssn():
    scenario = up()
    return send(scenario, dict(ssn=1, flags=chunks.BEGIN | chunks.UNORDERED), dict(ssn=9, flags=chunks.UNORDERED),
                dict(ssn=7, flags=chunks.END | chunks.UNORDERED), dict(ssn=1)).sack()


@alters("TX-008", of=sending)
def fragment_with_another_ppid(editor):
    association, end, place = some(editor, inner)
    edit_all(editor, association, end, tsn_of(place), 12, pack(u32(place.packet["sctp"], place.at + 12) ^ 1))
    return end


@violates("TX-009", PLAIN, causes=("TX-010",))
def message_between_fragments(talk):
    near = talk.near
    first, between = talk.chunk(near, flags=chunks.BEGIN), talk.chunk(near, flags=BOTH | chunks.UNORDERED)
    talk.send(near, first, between, talk.chunk(near, flags=chunks.END)).sack(talk.far)


@fires("TX-009")
def fragments_with_a_message_between():
    scenario = up()
    return send(scenario, dict(ssn=1, flags=chunks.BEGIN), dict(sid=1, ssn=0), dict(ssn=1, flags=chunks.END)).sack()


def left_out(gaps):
    """A first and a last fragment in one packet, two TSNs between them left out; what the receiver says it has of them."""
    scenario = up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    tsn = scenario.ends[0].tsn
    send(scenario, dict(ssn=1, flags=chunks.BEGIN))
    send(scenario, dict(ssn=1, tsn=tsn, flags=chunks.BEGIN), dict(ssn=1, tsn=tsn + 3, flags=chunks.END))
    scenario.send(1, chunks.sack(tsn, gaps=gaps))
    return send(scenario, dict(ssn=2), gap_ns=S)


@fires("TX-009")
def fragments_with_tsns_left_out():
    return left_out([(3, 3)])


@silent("TX-009")
def fragments_that_the_capture_missed():
    return left_out([(1, 3)])


@silent("TX-009")
def fragments_between_lost_before_tap():
    scenario = up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    tsn = scenario.ends[0].tsn
    send(scenario, dict(ssn=1, flags=chunks.BEGIN))
    send(scenario, dict(ssn=1, tsn=tsn + 3, flags=chunks.END))
    return send(scenario, dict(ssn=2), gap_ns=S)


@fires("TX-010")
def fragment_after_end():
    scenario = up()
    return send(scenario, dict(ssn=1), dict(ssn=2, flags=chunks.END)).sack()


@alters("TX-010", of=sending, causes=("TX-004", "TX-009"))
def message_without_end(editor):
    association, end, place = some(editor)
    editor.deny_partial(association)
    edit_all(editor, association, end, tsn_of(place), 1, bytes([flags_of(place) & ~chunks.END]))
    return end


def message_broken_off(wait_ns, is_acked=False, is_forwarded=False):
    """Partial reliability was agreed on: of a message the first fragment leaves, and the next message begins wait_ns later."""
    scenario = send(partly_reliable(), dict(ssn=1), dict(ssn=2, flags=chunks.BEGIN))
    if is_acked:
        scenario.sack()
    if is_forwarded:
        scenario.send(0, chunks.forward_tsn(scenario.ends[0].tsn - 1, ((0, 2),)))
    scenario.wait(wait_ns)
    return send(scenario, dict(ssn=3)).sack()


@fires("TX-010")
def message_broken_off_at_once():
    return message_broken_off(0)


@fires("TX-010")
def message_broken_off_though_nothing_held_it_back():
    return message_broken_off(70 * MS, is_acked=True)


@silent("TX-010")
def message_given_up():
    return message_broken_off(70 * MS)


@silent("TX-010")
def message_given_up_and_told():
    return message_broken_off(0, is_forwarded=True)


@fires("TX-010")
def first_message_without_beginning():
    return send(ScenarioBuilder().set_up(), dict(ssn=0, flags=chunks.END)).sack()


@silent("TX-010", judged=False)
def first_message_of_an_association_under_way():
    """Its INITs were not captured: it may be in the middle."""
    return send(ScenarioBuilder(), dict(ssn=0, flags=chunks.END)).sack()


@alters("TX-011", of=sending, causes=("TX-003", "TX-004", "RX-024"))
def stream_beyond_the_agreed(editor):
    def has_room(association):
        return is_plain(association) and max(association.value(0, 12, 2), association.value(0, 14, 2), association.value(1, 12, 2), association.value(1, 14, 2)) < 65535
    association = editor.association(lambda association: association.near is not None and has_room(association))
    end = association.near
    place = editor.pick(place for place in association.places(end) if flags_of(place) & 3 == BOTH)
    sid = max(association.value(0, 12, 2), association.value(0, 14, 2), association.value(1, 12, 2), association.value(1, 14, 2))
    edit_all(editor, association, end, tsn_of(place), 8, sid.to_bytes(2, "big"))
    return end


@silent("TX-011")
def stream_was_added():
    scenario = up()
    send(scenario, dict(sid=9)).sack()
    scenario.send(0, chunks.re_config(chunks.tlv(chunks.ADD_OUTGOING, bytes(8))))
    scenario.send(1, chunks.re_config(chunks.tlv(chunks.RESPONSE, bytes(7) + b"\1")))
    return send(scenario, dict(sid=10)).sack()


def acknowledged_with_data(scenario):
    """End 0 sends data, end 1 acknowledges it together with data of its own, end 0 that."""
    scenario.data(0)
    tsn = scenario.ends[0].tsn - 1
    end = scenario.ends[1]
    scenario.send(1, chunks.sack(tsn), chunks.data(end.tsn, b"answer", ssn=end.ssn))
    end.tsn += 1
    end.ssn += 1
    scenario.sack(0)
    return tsn


def window_of(talk, a_rwnd, packets):
    """The window shrinks to a_rwnd while packets are acknowledged; then so many packets of 1000 bytes leave."""
    near, far = talk.near, talk.far
    for _ in range(4):
        talk.data(near, size=1000).sack(far, a_rwnd=a_rwnd).wait(100 * MS)
    for number in range(packets):
        talk.data(near, size=1000)
        if number % 5 == 4:
            talk.sack(far, number // 2, a_rwnd=a_rwnd).wait(50 * MS)
    return talk.sack(far)


@violates("TX-012", dataclasses.replace(PLAIN, is_reliable=True))
def window_overrun(talk):
    window_of(talk, 4000, 60)


@silent("TX-012", judged=False)
def window_filled():
    """The fifth packet leaves into a full window, once."""
    return window_of(PLAIN.made(), 4000, 5)


@silent("TX-012")
def window_of_all_numbers():
    """What a window near 2^32 leaves beyond it has no room in 32 bits."""
    return window_of(PLAIN.made(), 0xFFFFFFFF, 60)


@silent("TX-012")
def window_taken_back_in_flight():
    scenario = ScenarioBuilder().set_up()
    for _ in range(4):
        scenario.data(size=1000).sack().wait(100 * MS)
    scenario.data(size=1000).sack(1, a_rwnd=4000)
    for _ in range(20):
        scenario.data(size=1000)
    return scenario.sack()


def into_closed_window(packets, wait_ns, a_rwnd=0, **options):
    """The window closes with nothing outstanding; then so many packets leave, each wait_ns after the one before."""
    scenario = ScenarioBuilder(**options).set_up()
    for _ in range(3):
        scenario.data(size=1000).sack().wait(10 * MS)
    scenario.data(size=1000).sack(1, a_rwnd=a_rwnd)
    for _ in range(packets):
        scenario.data(size=1000, gap_ns=wait_ns)
    return scenario


@fires("TX-012", asserted=COMPLETE_AT_END_0)
@silent("TX-012")
def new_data_beside_the_probe():
    return into_closed_window(2, 22 * MS)


@fires("TX-012", asserted=COMPLETE_AT_END_0)
def new_data_with_the_window_used_up():
    return into_closed_window(4, 22 * MS, a_rwnd=2500)


@fires("TX-012", asserted=COMPLETE_AT_END_0, certainty="probable")
def new_data_two_milliseconds_after_the_window_closed():
    """It answered the INIT ACK within 0.1 ms."""
    return into_closed_window(4, 2 * MS)


@silent("TX-012", asserted=COMPLETE_AT_END_0)
def new_data_of_a_slow_host_after_the_window_closed():
    """It takes 9 ms for each packet, and has not taken the SACK yet."""
    return into_closed_window(4, 2 * MS, near_ns=9 * MS)


@silent("TX-012", asserted=COMPLETE_AT_END_0)
def probe_of_a_closed_window():
    return into_closed_window(1, 22 * MS)


@silent("TX-012", asserted=COMPLETE_AT_END_0)
def last_packet_beyond_a_window_with_some_room():
    """RFC 4960 6.1 A forbids new data only once rwnd is 0."""
    return into_closed_window(3, 22 * MS, a_rwnd=2500)


def up_to_an_edge(packets, a_rwnd=8000, step_ns=30 * MS):
    """The receiver does not read: each SACK acknowledges a packet of 1,000 bytes and announces as much less. So many packets leave, two for each SACK."""
    scenario = ScenarioBuilder().set_up()
    first = scenario.ends[0].tsn
    for number in range(packets):
        scenario.data(size=1000)
        if number % 2 and number > 2:
            acked = number // 2
            scenario.send(1, chunks.sack(first + acked, a_rwnd=max(a_rwnd - 1000 * (acked + 1), 0))).wait(step_ns)
    return scenario


@fires("TX-012", asserted=COMPLETE_AT_END_0)
@silent("TX-012", judged=False)
def new_data_beyond_an_edge_that_stays():
    return up_to_an_edge(12)


def beside_probes(times):
    """A window of 0 is probed; each probe is dropped, and another packet leaves beside it."""
    scenario = into_closed_window(1, S)
    for number in range(times):
        scenario.sack(1, number + 1, a_rwnd=0).wait(S).data(size=1000)
    return scenario


@fires("TX-012", certainty="probable")
def new_data_beside_the_probe_again_and_again():
    return beside_probes(4)


@silent("TX-012", judged=False)
def new_data_beside_the_probe_twice():
    return beside_probes(2)


@silent("TX-012", asserted=COMPLETE_AT_END_0, judged=False)
def new_data_up_to_an_edge_that_stays():
    return up_to_an_edge(8)


@silent("TX-012", asserted=COMPLETE_AT_END_0)
def new_data_into_room_that_shutdowns_acknowledge():
    """The receiver shuts down: what it takes it acknowledges by SHUTDOWN, which says nothing of a_rwnd."""
    scenario = up_to_an_edge(7)
    for _ in range(6):
        scenario.shutdown(1).wait(30 * MS)
        for _ in range(2):
            scenario.data(size=1000)
    return scenario


@silent("TX-012", asserted=COMPLETE_AT_END_0)
def new_data_right_after_the_window_closed():
    return into_closed_window(4, MS // 10)


def acknowledged_and_sent_again(wait_ns):
    """SACKs come alone: nothing the receiver sends shows that they reached the sender."""
    scenario = up().data().data().sack().wait(wait_ns)
    return scenario.send(0, chunks.data(scenario.ends[0].tsn - 2, bytes(20), ssn=1))


@fires("TX-018", asserted=COMPLETE_AT_END_0)
@silent("TX-018", judged=False)
@silent("TX-018", asserted=COMPLETE, judged=False)
def acknowledged_long_ago_sent_again():
    return acknowledged_and_sent_again(S)


@silent("TX-018", asserted=COMPLETE_AT_END_0)
def acknowledged_a_moment_ago_sent_again():
    return acknowledged_and_sent_again(50 * MS)


@silent("TX-018", asserted=COMPLETE_AT_END_0, judged=False)
def acknowledged_by_an_nr_sack_that_was_not_negotiated():
    scenario = up().data()
    tsn = scenario.ends[0].tsn - 1
    return scenario.send(1, chunks.nr_sack(tsn)).wait(S).send(0, chunks.data(tsn, bytes(20), ssn=1))


@silent("TX-018", asserted=COMPLETE_AT_END_0, judged=False)
def acknowledged_beyond_all_that_was_sent():
    """Its sender believes no such SACK."""
    scenario = up().data()
    tsn = scenario.ends[0].tsn - 1
    return scenario.send(1, chunks.sack(tsn + 5)).wait(S).send(0, chunks.data(tsn, bytes(20), ssn=1))


@violates("TX-018")
def acknowledged_sent_again(talk):
    near, far = talk.near, talk.far
    sent = talk.data(near).sent
    talk.send(far, talk.saying(far), talk.chunk(far)).sack(near).wait(S).send(near, sent)


@silent("TX-018")
def acknowledgement_was_perhaps_lost():
    scenario = up()
    acknowledged_with_data(scenario)
    scenario.data(0).sack()
    return scenario.wait(S).send(0, chunks.data(scenario.ends[0].tsn - 1, bytes(20), ssn=2))


def acknowledged_by_sacks_alone(sacks, gap_ns=300 * MS):
    """So many SACKs acknowledge a TSN, which is sent again a second later."""
    scenario = up().data(0)
    tsn = scenario.ends[0].tsn - 1
    for _ in range(sacks):
        scenario.sack(1, gap_ns=gap_ns)
    return scenario.wait(S).send(0, chunks.data(tsn, bytes(20), ssn=1))


@fires("TX-018")
def acknowledged_by_three_sacks_and_sent_again():
    return acknowledged_by_sacks_alone(3)


@silent("TX-018", judged=False)
def acknowledged_by_two_sacks_that_were_perhaps_lost():
    return acknowledged_by_sacks_alone(2)


@silent("TX-018", judged=False)
def acknowledged_by_a_burst_of_sacks_that_was_perhaps_lost():
    return acknowledged_by_sacks_alone(5, gap_ns=MS)


def gap_acked(scenario, again, taken_back=False):
    """Three TSNs, the first lost; SACKs say so four times; then TSN number again is sent again."""
    first = scenario.ends[0].tsn
    scenario.data().data().data()
    for _ in range(4):
        scenario.send(1, chunks.sack(first - 1, gaps=() if taken_back and _ == 3 else [(2, 3)]), gap_ns=200 * MS)
    return scenario.send(0, chunks.data(first + again, bytes(20), ssn=1 + again))


@violates("TX-019")
def gap_acked_sent_again(talk):
    near, far = talk.near, talk.far
    again = talk.data(near).data(near).sent
    talk.data(near)
    for _ in range(4):
        talk.wait(2 * talk.gaps_ns[far] + 200 * MS).sack(far, 3, gaps=((2, 3),))
    talk.send(near, again)


@silent("TX-019")
def missing_sent_again():
    return gap_acked(up(), 0)


@alters("TX-022", of=sending_much)
def ppid_reversed(editor):
    association = editor.association(lambda association: association.first(0, chunks.DATA))
    for place in messages(association, 0):
        editor.edit(place.packet, place.at + 12, bytes((60, 0, 0, 0)))
    return 0


@silent("TX-022")
def ppid_in_network_order():
    scenario = ScenarioBuilder().set_up()
    for ssn in range(12):
        send(scenario, dict(ssn=ssn, ppid=60)).sack()
    return scenario


def ppids_on_port(port, ppid):
    scenario = ScenarioBuilder(ports=(5001, port)).set_up()
    for ssn in range(12):
        send(scenario, dict(ssn=ssn, ppid=ppid)).sack()
    return scenario


@fires("TX-021")
def s1ap_on_port_of_ngap():
    return ppids_on_port(38412, 18)


@silent("TX-021")
def ngap_on_its_port():
    return ppids_on_port(38412, 60)


@silent("TX-021")
def no_ppid_on_port_of_ngap():
    return ppids_on_port(38412, 0)


def hundred(flags):
    scenario = ScenarioBuilder().set_up()
    for ssn in range(110):
        send(scenario, dict(ssn=ssn, flags=flags(ssn)))
        if ssn % 2:
            scenario.sack()
    return scenario


@alters("TX-024", of=sending_much)
def i_bit_on_all(editor):
    association = editor.association(lambda association: association.first(0, chunks.DATA))
    places = messages(association, 0)
    if len({tsn_of(place) for place in places}) < 110:
        raise NoPlace
    for place in places:
        editor.edit(place.packet, place.at + 1, bytes([flags_of(place) | chunks.IMMEDIATE]))
    return 0


@silent("TX-024")
def i_bit_on_every_second():
    return hundred(lambda ssn: chunks.BEGIN | chunks.END | (chunks.IMMEDIATE if ssn % 2 else 0))


def one_is_missing(others):
    """One TSN is sent again and again each second; others: is further data acknowledged meanwhile?"""
    scenario = up()
    first = scenario.ends[0].tsn
    scenario.data()
    for n in range(1, 8):
        if others:
            scenario.data().send(1, chunks.sack(first - 1, gaps=[(2, 1 + n)]))
        scenario.wait(S).send(0, chunks.data(first, bytes(20), ssn=1))
    return scenario


@violates("TX-027", SINGLE, causes=("CC-003",))
def one_tsn_never_arrives(talk):
    near, far = talk.near, talk.far
    lost = talk.data(near).sent
    for number in range(1, 9):
        talk.data(near).sack(far, number + 1, gaps=((2, 1 + number),)).send(near, lost, gap_ns=S)


@silent("TX-027")
def nothing_arrives():
    return one_is_missing(False)


def gap_acked_first(again):
    """Five TSNs, the first lost; SACKs say so; then TSNs by their number are sent again."""
    scenario = up()
    first = scenario.ends[0].tsn
    scenario.data().data().data().data().data().send(1, chunks.sack(first - 1, gaps=[(2, 5)]), gap_ns=S)
    for number in again:
        scenario.send(0, chunks.data(first + number, bytes(20), ssn=1 + number), gap_ns=MS)
    return scenario


@fires("TX-028")
def those_received_sent_again():
    return gap_acked_first((1, 2, 3))


@silent("TX-028")
def the_missing_one_sent_again_first():
    return gap_acked_first((0, 1, 2, 3))


@silent("TX-028", judged=False)
def tail_probe_sent_again():
    return gap_acked_first((4, 0))


@fires("TX-029")
def diameter_without_ppid():
    return ppids_on_port(3868, 0)


@silent("TX-029")
def diameter_with_its_ppid():
    return ppids_on_port(3868, 46)


@silent("TX-029", judged=False)
def sgsap_without_ppid():
    return ppids_on_port(29118, 0)


def long_message(bytes_of_it, fragmented=True):
    scenario = ScenarioBuilder().set_up().exchange(2).data(0, size=bytes_of_it)
    if fragmented:
        scenario.fragmented.add(len(scenario.flow.items))
    return scenario.sack(1)


PMTU_1500 = assertions(parameters=["10.0.0.1 PMTU=1500"])


@fires("TX-017", asserted=PMTU_1500)
def message_left_to_ip_to_fragment():
    return long_message(2800)


@fires("TX-017")
def message_left_to_some_ip_to_fragment():
    return long_message(2800)


@silent("TX-017", asserted=PMTU_1500)
def router_fragments():
    return long_message(1400)


@silent("TX-017", asserted=PMTU_1500)
def message_as_long_on_the_wire():
    return long_message(2800, fragmented=False)


@alters("TX-002", of=sending)
def other_ppid_sent_again(editor):
    association = editor.association(lambda association: association.near is not None)
    place = editor.pick(association.places(association.near, alone=True))
    again = editor.again(place.packet, 1000)
    editor.edit(again, place.at + 12, pack(u32(again["sctp"], place.at + 12) ^ 0x55))
    return association.near


def first_of_stream(association, end):
    seen = {}
    for place in association.places(end):
        if not flags_of(place) & chunks.UNORDERED:
            sid = u16(place.packet["sctp"], place.at + 8)
            if sid not in seen or is_later(tsn_of(seen[sid]), tsn_of(place)):
                seen[sid] = place
    return {tsn_of(place) for place in seen.values()}


@alters("TX-004", of=sending, causes=("TX-003",))
def other_ssn(editor):
    association, end, place = some(editor, lambda place: flags_of(place) & 7 == BOTH and u16(place.packet["sctp"], place.at + 10) > 0)
    ssn = u16(place.packet["sctp"], place.at + 10)
    edit_all(editor, association, end, tsn_of(place), 10, (ssn + 5 & 0xFFFF).to_bytes(2, "big"))
    return end


@alters("TX-007", of=sending, causes=("TX-004", "TX-009"))
def fragment_with_another_ssn(editor):
    association, end, place = some(editor, inner)
    ssn = u16(place.packet["sctp"], place.at + 10)
    edit_all(editor, association, end, tsn_of(place), 10, (ssn ^ 8).to_bytes(2, "big"))
    return end


@alters("TX-010", of=sending, causes=("TX-003", "TX-004", "TX-007"))
def message_without_beginning(editor):
    association, end, place = some(editor)
    editor.deny_partial(association)
    edit_all(editor, association, end, tsn_of(place), 1, bytes([flags_of(place) & ~chunks.BEGIN]))
    return end


def messages(association, end):
    """DATA chunks of which the sender sent ten messages or more."""
    places = list(association.places(end))
    if len({tsn_of(place) for place in places if flags_of(place) & chunks.BEGIN}) < 12:
        raise NoPlace
    return places


@alters("TX-021", of=sending_much)
def ppid_of_another_service(editor):
    association = editor.association(lambda association: association.first(0, chunks.DATA) and not association.is_partial())
    for place in messages(association, 0):
        editor.edit(place.packet, place.at + 12, pack(18))
    client, server = association.init.packet["sctp"][:2], association.init.packet["sctp"][2:4]
    if client == server:
        raise NoPlace
    for packet in association.packets:
        at = 2 if association.sender(packet) == 0 else 0
        editor.edit(packet, at, (38412).to_bytes(2, "big"))
    return 0


LEFT_OUT = [
    ("TX-005", "dropped", "merged into TX-004"),
    ("TX-006", "dropped", "merged into TX-004"),
    ("TX-013", "left out", "whether a TSN is marked depends on how misses are counted, and cwnd may hold it back"),
    ("TX-014", "left out", "a TSN so far ahead cannot be told from one behind"),
    ("TX-015", "left out", "never seen; a window of 65,536 messages that no capture loss explains is rare"),
    ("TX-016", "left out", "minor; the room in the packet and the sender's PMTU are guesses"),
    ("TX-023", "left out", "cutting fragments to fill packets is a choice; the sizes are measured"),
    ("TX-025", "left out", "bundling is a choice (SCTP_NODELAY); the sizes are measured"),
    ("TX-026", "left out",
     "E3 has no keyword, and marked chunks are sent for reasons that do not show (ASCONF, HEARTBEAT, timers per chunk)"),
]
