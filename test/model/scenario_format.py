# SPDX-License-Identifier: GPL-2.0-or-later
"""Packets and chunks by themselves."""

import struct

from generate import chunks
from scenario_builder import ScenarioBuilder
from register import fires, silent


def with_params(params, kind=chunks.INIT):
    """A set-up whose INIT (INIT ACK) carries params."""
    return ScenarioBuilder().set_up((params, b"") if kind == chunks.INIT else (b"", params))


def up():
    return ScenarioBuilder().set_up()


def said(*parts):
    """Established, then one packet of end 0 with these chunks."""
    return up().send(0, *parts)


@fires("FMT-018")
def init_with_data():
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    return scenario.send(0, chunks.init(end.tag, end.tsn), chunks.data(end.tsn, b"early"), vtag=0)


@silent("FMT-018")
@silent("FMT-046")
@silent("FMT-006")
@silent("FMT-007")
@silent("FMT-009")
@silent("FMT-010")
@silent("FMT-011")
@silent("FMT-015")
@silent("FMT-040")
@silent("FMT-001")
@silent("FMT-002")
def init_alone():
    return ScenarioBuilder().set_up()


@fires("FMT-001")
def source_port_0():
    return ScenarioBuilder(ports=(0, 5001)).set_up()


@fires("FMT-002")
def destination_port_0():
    return ScenarioBuilder(ports=(5001, 0)).set_up()


@fires("FMT-005")
def packet_without_a_chunk():
    return ScenarioBuilder().set_up().send(0).exchange()


@silent("FMT-005", judged=False)
def packet_without_a_chunk_that_came_in_fragments():
    scenario = ScenarioBuilder().set_up().send(0).exchange()
    scenario.fragmented = {5}
    return scenario


@silent("FMT-005", judged=False)
def packets_cut_behind_their_common_header():
    return ScenarioBuilder(snap=12).set_up().exchange()


@fires("FMT-006")
def length_3():
    return said(chunks.chunk(chunks.HEARTBEAT, 0, b"", length=3))


@fires("FMT-007")
def length_beyond():
    return said(chunks.chunk(chunks.HEARTBEAT, 0, bytes(8), length=20))


@fires("FMT-008")
def padding_of_ones():
    return said(chunks.data(1, b"user")[:-4] + b"\0\0\1\0", struct.pack("!BBHIHHI", 0, 3, 17, 1, 0, 0, 0) + b"u\0\0\1")


@silent("FMT-008")
def user_data_of_ones():
    scenario = up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"\1\1\1\1\1"))


@fires("FMT-009")
def trailing_bytes():
    return said(chunks.heartbeat(), b"\0\0")


@fires("FMT-010")
def no_padding():
    return said(chunks.heartbeat(b"12345")[:-3])


@fires("FMT-011")
def init_flags():
    scenario = ScenarioBuilder()
    end = scenario.ends[0]
    init = bytearray(chunks.init(end.tag, end.tsn))
    init[1] = 0x10
    return scenario.send(0, bytes(init), vtag=0)


@fires("FMT-012")
def reserved_data_flag():
    scenario = up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user", flags=0x13))


@silent("FMT-012")
@silent("FMT-013")
@silent("FMT-017")
def immediate_data():
    scenario = up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"u", flags=0x0B))


@fires("FMT-013")
def data_without_user_data():
    scenario = up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b""))


@fires("FMT-014")
def long_shutdown():
    return said(chunks.chunk(chunks.SHUTDOWN, 0, bytes(8)))


@silent("FMT-014")
@silent("FMT-048")
def good_shutdown():
    return up().exchange().shut_down()


@fires("FMT-015")
def short_init():
    scenario = ScenarioBuilder()
    return scenario.send(0, chunks.chunk(chunks.INIT, 0, struct.pack("!III", scenario.ends[0].tag, 1500, 0x10001)), vtag=0)


@fires("FMT-016")
def sack_with_one_gap_too_many():
    return said(chunks.chunk(chunks.SACK, 0, struct.pack("!IIHHHH", 1, 1500, 2, 0, 2, 3)))


@silent("FMT-016")
def sack_with_gap_and_duplicate():
    scenario = up()
    return scenario.send(1, chunks.sack(scenario.ends[0].tsn - 1)).data(0, source=0).send(
        0, chunks.sack(scenario.ends[1].tsn - 1, gaps=((2, 3),), duplicates=(5,)))


@fires("FMT-017")
def data_of_12_bytes():
    return said(chunks.chunk(chunks.DATA, 3, bytes(8)))


@fires("FMT-019")
def sack_after_data():
    scenario = up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), chunks.sack(scenario.ends[1].tsn - 1))


@silent("FMT-019")
def pad_after_data():
    scenario = up()
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.data(scenario.ends[0].tsn, b"user"), chunks.chunk(chunks.PAD, 0, bytes(20)))


@fires("FMT-020")
def descending():
    scenario = up()
    tsn = scenario.ends[0].tsn
    return scenario.send(0, chunks.data(tsn + 1, b"user"), chunks.data(tsn, b"user"))


@silent("FMT-020")
def ascending_over_the_wrap():
    scenario = ScenarioBuilder(tsns=(0xFFFFFFFF, 7)).set_up()
    return scenario.send(0, chunks.data(0xFFFFFFFF, b"user"), chunks.data(0, b"user"))


@fires("FMT-021")
def abort_with_data():
    scenario = up()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"user"), chunks.abort())


@fires("FMT-022")
def sack_after_abort():
    scenario = up()
    return scenario.send(0, chunks.abort(), chunks.sack(scenario.ends[1].tsn - 1))


@silent("FMT-021")
@silent("FMT-022")
def sack_before_abort():
    scenario = up()
    return scenario.send(0, chunks.sack(scenario.ends[1].tsn - 1), chunks.abort())


@fires("FMT-023")
def cookie_echo_second():
    scenario = ScenarioBuilder()
    scenario.init().init_ack()
    return scenario.send(0, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4))), chunks.cookie_echo())


@silent("FMT-023")
def cookie_echo_after_auth():
    scenario = ScenarioBuilder()
    scenario.init().init_ack()
    return scenario.send(0, chunks.auth(0, 1, bytes(20)), chunks.cookie_echo(), chunks.data(scenario.ends[0].tsn, b"user"))


@fires("FMT-024", accused=1)
def cookie_ack_second():
    scenario = ScenarioBuilder()
    scenario.init().init_ack().cookie_echo()
    return scenario.send(1, chunks.sack(scenario.ends[0].tsn - 1), chunks.cookie_ack())


@silent("FMT-024", accused=1)
def cookie_ack_after_auth():
    scenario = ScenarioBuilder()
    scenario.init().init_ack().cookie_echo()
    return scenario.send(1, chunks.auth(0, 1, bytes(20)), chunks.cookie_ack(), chunks.sack(scenario.ends[0].tsn - 1))


@fires("FMT-028")
def parameter_of_length_2():
    return with_params(chunks.tlv(chunks.ECN, b"", length=2))


@fires("FMT-029")
def parameter_beyond_its_chunk():
    return with_params(chunks.tlv(chunks.ECN, b"", length=12))


@fires("FMT-030")
def parameters_without_padding():
    return with_params(chunks.tlv(chunks.EXTENSIONS, b"\xc0", last=True) + chunks.tlv(chunks.ECN))


@silent("FMT-028")
@silent("FMT-029")
@silent("FMT-030")
@silent("FMT-031")
def last_parameter_padded_by_the_chunk():
    return with_params(chunks.address("10.0.0.1") + chunks.address("10.0.0.3") + chunks.tlv(chunks.EXTENSIONS, b"\xc0", last=True))


@fires("FMT-031")
def ecn_twice():
    return with_params(2 * chunks.tlv(chunks.ECN))


@fires("FMT-032")
def delete_in_init():
    return with_params(chunks.asconf_param(chunks.DELETE_IP, 1, chunks.address("10.0.0.1")))


@silent("FMT-032")
def set_primary_in_init():
    return with_params(chunks.asconf_param(chunks.SET_PRIMARY, 1, chunks.address("10.0.0.1")))


@fires("FMT-033")
def mapped_address():
    return with_params(chunks.address("::ffff:10.0.0.1"))


@silent("FMT-033")
@silent("FMT-037")
def both_families():
    return with_params(chunks.address("10.0.0.1") + chunks.address("2001:db8::1"))


@fires("FMT-034")
def host_name():
    return with_params(chunks.tlv(chunks.HOST_NAME, b"host.example\0"))


@silent("FMT-034")
def padding_only():
    return with_params(chunks.tlv(chunks.PADDING, bytes(8)))


@fires("FMT-035")
def host_names_supported():
    return with_params(chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!HHH", 5, 6, 11)))


@silent("FMT-035")
def addresses_supported():
    return with_params(chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!HH", 5, 6)))


@fires("FMT-036")
def loopback_listed():
    return with_params(chunks.address("127.0.0.1"))


@silent("FMT-036")
def private_address_listed():
    return with_params(chunks.address("192.168.1.1"))


@fires("FMT-037")
def address_of_length_12():
    return with_params(chunks.tlv(chunks.IPV4, bytes((10, 0, 0, 1, 0, 0, 0, 0))))


@fires("FMT-038")
def cause_beyond_its_chunk():
    return said(chunks.abort(chunks.tlv(12, b"text", length=40)))


@fires("FMT-039")
def stale_cookie_of_length_12():
    return said(chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(8))))


@silent("FMT-038")
@silent("FMT-039")
@silent("FMT-041")
def causes_with_text():
    return said(chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4)), chunks.tlv(13, b"unpadded text", last=True)))


@fires("FMT-040")
def tag_0():
    scenario = up()
    return scenario.send(0, chunks.heartbeat(), vtag=0)


@fires("FMT-041")
def error_without_cause():
    return said(chunks.error())


@fires("FMT-046")
def type_191():
    return said(chunks.chunk(191, 0, bytes(4)))


@fires("FMT-048")
def data_with_shutdown():
    scenario = up()
    return scenario.send(0, chunks.shutdown(scenario.ends[1].tsn - 1), chunks.data(scenario.ends[0].tsn, b"user"))


@fires("FMT-049")
def heartbeat_with_flags():
    return said(chunks.chunk(chunks.HEARTBEAT, 0x80, chunks.tlv(1, bytes(40))))


@silent("FMT-049")
def abort_with_the_t_bit():
    return said(chunks.heartbeat(), chunks.abort(t=True))


def reports_chunk(kind):
    return ScenarioBuilder().set_up().send(0, chunks.heartbeat(), chunks.chunk(kind, 0, bytes(8))) \
        .send(1, chunks.error(chunks.tlv(6, chunks.chunk(kind, 0, bytes(8)))))


@fires("FMT-042", accused=1)
def chunk_reported_that_asks_for_no_report():
    return reports_chunk(0x9E)


@silent("FMT-042", accused=1)
def chunk_reported_that_asks_for_it():
    return reports_chunk(0xDE)


@fires("FMT-042", accused=1)
def chunk_reported_that_was_not_sent():
    return ScenarioBuilder().set_up().exchange().send(1, chunks.error(chunks.tlv(6, chunks.chunk(0xDE, 0, bytes(8)))))


@silent("FMT-042", accused=1, judged=False)
def chunk_reported_that_was_cut_from_the_capture():
    scenario = ScenarioBuilder(snap=60).set_up().exchange()
    return scenario.send(0, chunks.heartbeat(bytes(80)), chunks.chunk(0xDE, 0, bytes(8))) \
        .send(1, chunks.error(chunks.tlv(6, chunks.chunk(0xDE, 0, bytes(8)))))


def reports_param(kind, reported=b"unknown."):
    return ScenarioBuilder().set_up((chunks.tlv(kind, b"unknown."), chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(kind, reported))))


@fires("FMT-043", accused=1)
def parameter_reported_that_the_init_has_not():
    return reports_param(0xDABC, b"another.")


@fires("FMT-043", accused=1)
def parameter_reported_that_asks_for_no_report():
    return reports_param(0x9ABC)


@silent("FMT-043", accused=1)
def parameter_reported_that_asks_for_it():
    return reports_param(0xDABC)
