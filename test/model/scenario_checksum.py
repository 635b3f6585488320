# SPDX-License-Identifier: GPL-2.0-or-later
"""Checksums, and SCTP in UDP and DTLS."""

import struct

from generate import chunks, packet
from scenario_builder import MS, S, ScenarioBuilder
from register import fires, silent

ZERO = bytes(4)
ACCEPTS = chunks.tlv(chunks.ZERO_CHECKSUM, struct.pack("!I", 1))
UDP = (9899, 40000)
SUPPORTS_PARTIAL = chunks.tlv(chunks.FORWARD_TSN_SUPPORTED)
DTLS = 2
WEBRTC_STRING, WEBRTC_STRING_EMPTY, WEBRTC_BINARY_EMPTY = 51, 56, 57


def zeros(scenario, n=3):
    for _ in range(n):
        scenario.data(0, checksum=ZERO)
    return scenario


def adler32(sctp):
    low, high = 1, 0
    for byte in sctp:
        low = (low + byte) % 65521
        high = (high + low) % 65521
    return struct.pack("!I", high << 16 | low)


def with_adler(scenario, n):
    for _ in range(n):
        one, other = scenario.ends
        part = chunks.data(one.tsn, b"user")
        scenario.send(0, part, checksum=adler32(packet.sctp(one.port, other.port, other.tag, part, checksum=ZERO)))
        one.tsn += 1
    return scenario


@fires("FMT-004")
def adler_three_times():
    return with_adler(ScenarioBuilder().set_up(), 3)


@silent("FMT-004", judged=False)
def adler_once():
    return with_adler(ScenarioBuilder().set_up(), 1)


@fires("ZC-001")
def zeros_not_accepted():
    return zeros(ScenarioBuilder().set_up().exchange())


@silent("ZC-001", judged=False)
def one_zero():
    return zeros(ScenarioBuilder().set_up().exchange(), 1)


@silent("ZC-001", judged=False)
def zeros_accepted():
    return zeros(ScenarioBuilder().set_up((b"", ACCEPTS)))


@fires("UE-004")
def zeros_in_udp():
    return zeros(ScenarioBuilder(udp=UDP).set_up().exchange())


@silent("UE-004")
@silent("UE-002", accused=1)
def right_checksums_in_udp():
    return ScenarioBuilder(udp=UDP).set_up().exchange()


@fires("UE-002", accused=1)
def answers_to_another_port():
    scenario = ScenarioBuilder(udp=UDP).set_up()
    for _ in range(3):
        scenario.data(0).sack(1)
        scenario.flow.items[-1].udp = (40000, 9900)
    return scenario


@silent("UE-002", accused=1)
def peer_changed_its_port():
    scenario = ScenarioBuilder(udp=UDP).set_up()
    scenario.udp[0] = 9900
    return scenario.data(0).sack(1).data(0).sack(1)


@fires("UE-009")
def addresses_over_dtls():
    return ScenarioBuilder(encapsulation=DTLS).set_up((chunks.address("10.0.0.1"), b""))


@fires("UE-010")
def address_types_over_dtls():
    return ScenarioBuilder(encapsulation=DTLS).set_up((chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!H", 5)), b""))


def asconf_over_dtls(address):
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up()
    return scenario.send(0, chunks.asconf(1, address, chunks.asconf_param(chunks.ADD_IP, 1, chunks.address(address))))


@fires("UE-011")
def address_in_asconf_over_dtls():
    return asconf_over_dtls("10.0.0.1")


@silent("UE-011")
def wildcard_in_asconf_over_dtls():
    return asconf_over_dtls("0.0.0.0")


@silent("UE-009")
@silent("UE-010")
def extensions_over_dtls():
    return ScenarioBuilder(encapsulation=DTLS).set_up((chunks.tlv(chunks.EXTENSIONS, b"\xc0\x82\x40\xc2"), b""))


def webrtc_message(user_data, ppid=WEBRTC_STRING_EMPTY, flags=chunks.BEGIN | chunks.END, encapsulation=DTLS):
    scenario = ScenarioBuilder(encapsulation=encapsulation).set_up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, user_data, ppid=ppid, flags=flags))


def webrtc_i_data(flags, user_data, ppid_or_fsn=WEBRTC_STRING_EMPTY):
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up((chunks.tlv(chunks.EXTENSIONS, bytes([chunks.I_DATA])),) * 2)
    scenario.send(0, chunks.i_data(scenario.ends[0].tsn, b"message", ppid_or_fsn=WEBRTC_STRING, flags=chunks.BEGIN))
    return scenario.send(0, chunks.i_data(scenario.ends[0].tsn + 1, user_data, ppid_or_fsn=ppid_or_fsn, flags=flags))


@fires("UE-014")
def text_sent_as_empty():
    return webrtc_message(b"text")


@fires("UE-014")
def one_byte_of_text_sent_as_empty():
    return webrtc_message(b"t", WEBRTC_BINARY_EMPTY)


@fires("UE-014")
def fragment_sent_as_empty():
    return webrtc_message(b"\0", flags=chunks.BEGIN)


@fires("UE-014")
def text_in_i_data_sent_as_empty():
    return webrtc_i_data(chunks.BEGIN | chunks.END, b"text")


@silent("UE-014")
def zero_byte_sent_as_empty():
    return webrtc_message(b"\0")


@silent("UE-014")
def zero_byte_sent_as_empty_unordered():
    return webrtc_message(b"\0", WEBRTC_BINARY_EMPTY, chunks.BEGIN | chunks.END | chunks.UNORDERED)


@silent("UE-014", judged=False)
def text_sent_as_text():
    return webrtc_message(b"text", WEBRTC_STRING)


@silent("UE-014", judged=False)
def fragment_of_which_the_fsn_looks_like_empty():
    return webrtc_i_data(chunks.END, b"text")


@silent("UE-014", judged=False)
def text_over_ip():
    """Nothing says that the frame holds WebRTC."""
    return webrtc_message(b"text", encapsulation=0)


def with_udp_checksum(checksum):
    scenario = ScenarioBuilder(udp=UDP).set_up().exchange()
    scenario.udp_checksum = checksum
    return scenario


@fires("UE-005")
def udp_checksum_of_zero():
    return with_udp_checksum(0)


@silent("UE-005")
def udp_checksum_computed_as_zero():
    return with_udp_checksum(0xFFFF)


@silent("UE-005", judged=False)
def udp_checksum_not_known():
    return with_udp_checksum(None)


@fires("ZC-003")
def cookie_echo_with_zero():
    scenario = ScenarioBuilder().init(0).init_ack(1, ACCEPTS)
    return scenario.send(0, chunks.cookie_echo(b"cookie"), checksum=ZERO)


@silent("ZC-003")
def zeros_after_the_cookie_echo():
    return zeros(ScenarioBuilder().set_up((b"", ACCEPTS)))


@silent("ZC-003", judged=False)
def sums_left_to_the_hardware():
    scenario = ScenarioBuilder().send(0, chunks.init(1, 1), checksum=ZERO).init_ack(1)
    return scenario.send(0, chunks.cookie_echo(b"cookie"), checksum=ZERO)


def accepts_in(nbytes):
    return ScenarioBuilder().set_up((chunks.tlv(chunks.ZERO_CHECKSUM, bytes(nbytes)), b""))


@fires("ZC-007")
def zero_checksum_parameter_of_length_12():
    return accepts_in(8)


@silent("ZC-007")
def zero_checksum_parameter_of_a_draft():
    return accepts_in(0)


def wrong_checksums(n, answered):
    """End 0 sends one message again and again; end 1 makes right checksums."""
    scenario = ScenarioBuilder()
    scenario.send(0, chunks.init(scenario.ends[0].tag, scenario.ends[0].tsn), vtag=0, checksum=b"\1\2\3\4").init_ack(1)
    tsn = scenario.ends[0].tsn
    for _ in range(n):
        scenario.send(0, chunks.data(tsn, b"user"), gap_ns=2000 * MS, checksum=b"\1\2\3\4").send(1, chunks.heartbeat())
        if answered:
            scenario.send(1, chunks.sack(tsn))
    return scenario


@fires("FMT-003")
def no_right_checksum_and_no_answer():
    return wrong_checksums(12, answered=False)


@silent("FMT-003", judged=False)
def no_right_checksum_and_answers():
    """The hardware of the host that was captured makes them."""
    return wrong_checksums(12, answered=True)


@silent("FMT-003", judged=False)
def wrong_checksums_among_right_ones():
    scenario = ScenarioBuilder().set_up()
    for _ in range(12):
        scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), gap_ns=2000 * MS, checksum=b"\1\2\3\4")
    return scenario


def init_twice(first, second):
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    for checksum in (first, second):
        scenario.send(0, chunks.init(end.tag, end.tsn), vtag=0, gap_ns=3000 * MS, checksum=checksum)
    return scenario.init_ack(1).send(0, chunks.cookie_echo(b"cookie")).send(1, chunks.cookie_ack())


@fires("ZC-002")
def init_with_zero_and_again_without():
    return init_twice(ZERO, None)


@silent("ZC-002")
def init_twice_with_checksums():
    return init_twice(None, None)


@silent("ZC-002")
def init_twice_left_to_the_hardware():
    return init_twice(ZERO, ZERO)


def abort_with(checksum, t):
    scenario = ScenarioBuilder().set_up((ACCEPTS, ACCEPTS)).exchange()
    return scenario.send(0, chunks.abort(t=t), vtag=scenario.ends[not t].tag, checksum=checksum)


@fires("ZC-004")
def abort_with_t_bit_and_zero():
    return abort_with(ZERO, True)


@silent("ZC-004")
def abort_with_t_bit_and_checksum():
    return abort_with(None, True)


@silent("ZC-004", judged=False)
def abort_of_the_association_with_zero():
    return abort_with(ZERO, False)


def accepts_method(method):
    return ScenarioBuilder().set_up((chunks.tlv(chunks.ZERO_CHECKSUM, struct.pack("!I", method)), b""))


@fires("ZC-005")
def zero_checksum_by_method_0():
    return accepts_method(0)


@silent("ZC-005")
def zero_checksum_by_dtls():
    return accepts_method(1)


def asconf_with(checksum):
    param = chunks.asconf_param(chunks.ADD_IP, 1, chunks.address("10.0.0.9"))
    scenario = ScenarioBuilder().set_up((ACCEPTS, ACCEPTS)).exchange()
    return scenario.send(0, chunks.asconf(1, "10.0.0.1", param), checksum=checksum)


@fires("ZC-009")
def asconf_with_zero():
    return asconf_with(ZERO)


@silent("ZC-009")
def asconf_with_checksum():
    return asconf_with(None)


def changes_its_port(answer_to, n=3):
    """End 0 moves to another UDP port; end 1 acknowledges what came from there."""
    scenario = ScenarioBuilder(udp=UDP).set_up().exchange().wait(500 * MS)
    scenario.udp[0] = 9900
    for _ in range(n):
        scenario.data(0).sack(1)
        scenario.flow.items[-1].udp = (40000, answer_to)
    return scenario


@fires("UE-002", accused=1)
def acknowledges_to_the_old_port():
    return changes_its_port(9899)


@silent("UE-002", accused=1)
def acknowledges_to_the_new_port():
    return changes_its_port(9900)


@silent("UE-002", accused=1)
def old_port_while_packets_cross():
    """What was sent from the old port may arrive after the first from the new one."""
    scenario = ScenarioBuilder(udp=UDP).set_up()
    scenario.data(0)
    scenario.udp[0] = 9900
    for _ in range(2):
        scenario.data(0).sack(1)
        scenario.flow.items[-1].udp = (40000, 9899)
    return scenario


def channels_opened(*streams):
    """DATA_CHANNEL_OPEN of end 0, then of end 1."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up().exchange()
    for sender, sid in enumerate(streams):
        scenario.send(sender, chunks.data(scenario.ends[sender].tsn, bytes((3,)) + bytes(11), sid=sid, ppid=50))
        scenario.ends[sender].tsn += 1
    return scenario


@fires("UE-016", accused=1)
def both_open_even_streams():
    return channels_opened(0, 2)


@fires("UE-016", accused=1)
def both_open_odd_streams():
    return channels_opened(1, 1)


@silent("UE-016", accused=1)
def one_opens_even_streams_one_odd():
    return channels_opened(0, 1)


def goes_on_without_udp(answers_in_udp):
    """The data of end 0 comes in UDP no more; end 1 acknowledges it."""
    scenario = ScenarioBuilder(udp=UDP).set_up().exchange(3).wait(4 * S)
    for _ in range(3):
        scenario.data(0)
        scenario.flow.items[-1].udp = None
        scenario.sack(1)
        if not answers_in_udp:
            scenario.flow.items[-1].udp = None
    return scenario


@fires("UE-007", accused=1)
def answers_in_udp_what_came_without():
    return goes_on_without_udp(True)


@silent("UE-007", accused=1)
def answers_without_udp_what_came_without():
    return goes_on_without_udp(False)


def channel_answered(is_answered):
    """DATA_CHANNEL_OPEN of end 0, and a HEARTBEAT of end 1 long after it."""
    scenario = channels_opened(0).sack(1)
    if is_answered:
        scenario.send(1, chunks.data(scenario.ends[1].tsn, b"\2", ppid=50)).send(0, chunks.sack(scenario.ends[1].tsn))
    return scenario.wait(12 * S).heartbeat(1)


@fires("UE-017", accused=1)
def data_channel_not_answered():
    return channel_answered(False)


@silent("UE-017", accused=1)
def data_channel_answered():
    return channel_answered(True)


@silent("UE-017", accused=1)
def data_channel_answered_late():
    scenario = channels_opened(0).sack(1)
    scenario.wait(9 * S).send(1, chunks.data(scenario.ends[1].tsn, b"\2", ppid=50)).send(0, chunks.sack(scenario.ends[1].tsn))
    return scenario.wait(12 * S).heartbeat(1)


def given_up(sender, is_request):
    """The last message of a sender whose DATA_CHANNEL_OPEN was acknowledged, unless that is the message."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    opening = chunks.data(scenario.ends[sender].tsn, struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), sid=sender, ppid=50)
    scenario.send(sender, opening)
    last = scenario.ends[sender].tsn
    if not is_request:
        scenario.send(1 - sender, chunks.sack(last))
        scenario.send(1 - sender, chunks.data(scenario.ends[1 - sender].tsn, b"\2", sid=sender, ppid=50))
        scenario.send(sender, chunks.sack(scenario.ends[1 - sender].tsn))
        last += 1
        scenario.send(sender, chunks.data(last, b"text", sid=sender, ssn=1, ppid=51))
    scenario.wait(S).send(sender, chunks.forward_tsn(last, ((sender, 0 if is_request else 1),)))
    return scenario.send(1 - sender, chunks.sack(last)).wait(12 * S).heartbeat(1 - sender)


@fires("UE-019")
@silent("UE-017", accused=1, judged=False)
def request_given_up():
    return given_up(0, True)


@fires("UE-019", accused=1)
@silent("UE-017", judged=False)
def request_of_the_answerer_given_up():
    return given_up(1, True)


@silent("UE-019", judged=False)
@silent("UE-017", accused=1)
def message_of_an_open_channel_given_up():
    return given_up(0, False)


@silent("UE-019")
def another_message_given_up_before_the_request_was_acknowledged():
    """The message before the request is given up, and then the request is acknowledged."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up((SUPPORTS_PARTIAL, SUPPORTS_PARTIAL))
    first = scenario.ends[0].tsn
    scenario.send(0, chunks.data(first, b"text", ppid=51))
    scenario.send(0, chunks.data(first + 1, struct.pack("!BBHIHH", 3, 1, 0, 0, 0, 0), sid=2, ppid=50))
    return scenario.wait(S).send(0, chunks.forward_tsn(first, ((0, 0),))).send(1, chunks.sack(first + 1))


def retransmitted(times, limit):
    """A message on a channel that may be retransmitted limit times."""
    scenario = ScenarioBuilder(encapsulation=DTLS).set_up().exchange()
    opening = struct.pack("!BBHIHH", 3, 0x81, 0, limit, 0, 0)
    scenario.send(0, chunks.data(scenario.ends[0].tsn, opening, sid=2, ppid=50))
    message = chunks.data(scenario.ends[0].tsn + 1 & 0xFFFFFFFF, bytes(20), sid=2, ppid=53)
    scenario.send(0, message)
    for _ in range(times):
        scenario.send(0, message, gap_ns=S)
    return scenario


@fires("UE-018")
def message_retransmitted_twice_instead_of_once():
    return retransmitted(2, limit=1)


@silent("UE-018")
def message_retransmitted_once():
    return retransmitted(1, limit=1)


@silent("UE-018")
def message_retransmitted_twice():
    return retransmitted(2, limit=2)
