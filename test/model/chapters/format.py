# SPDX-License-Identifier: GPL-2.0-or-later
"""Chunks, parameters and causes by themselves: lengths, flags, padding, how often and where they stand."""

import struct

from generate import chunks
from scenario_builder import COMPLETE, COMPLETE_AT_END_1, MS, S, ScenarioBuilder
from register import fires, silent
from set_ups import announces
from scripts import alters, violates
from packet_editor import HEADER, edit_all
from captured_associations import flags_of, is_set_up_once, pack, params_of, tsn_of
from one_packet import established, said


def with_params(params, kind=chunks.INIT):
    """A set-up whose INIT (INIT ACK) carries params."""
    return ScenarioBuilder().set_up((params, b"") if kind == chunks.INIT else (b"", params))


@silent("FMT-046")
@silent("FMT-006")
@silent("FMT-007")
@silent("FMT-011")
@silent("FMT-015")
def init_alone():
    return ScenarioBuilder().set_up()


@violates("FMT-006")
def chunk_of_length_3(talk):
    talk.send(talk.near, chunks.chunk(chunks.ERROR, 0, b"", length=3))


@violates("FMT-007")
def chunk_beyond_its_packet(talk):
    talk.send(talk.near, chunks.chunk(chunks.HEARTBEAT, 0, chunks.tlv(1, bytes(4)), length=40))


@violates("FMT-008")
def padding_of_ones(talk):
    talk.send(talk.near, talk.chunk(talk.near, size=5)[:-3] + b"\1\1\1")


@silent("FMT-008")
def user_data_of_ones():
    scenario = established()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"\1\1\1\1\1"))


@alters("FMT-011", None)
def init_with_flags(editor):
    association = editor.association(is_set_up_once)
    end = editor.rng.randrange(2)
    place = (association.init, association.init_ack)[end]
    editor.edit(place.packet, place.at + 1, b"\x10")
    return end


@alters("FMT-012", None)
def data_with_a_reserved_flag(editor):
    association = editor.association(lambda association: association.first(None, 0))
    place = editor.pick(association.places())
    end = association.sender(place.packet)
    edit_all(editor, association, end, tsn_of(place), 1, bytes([flags_of(place) | 0x40]))
    return end


@silent("FMT-012")
@silent("FMT-013")
@silent("FMT-017")
def immediate_data():
    scenario = established()
    return scenario.send(0, chunks.data(scenario.ends[0].tsn, b"u", flags=0x0B))


@violates("FMT-013")
def data_without_user_data(talk):
    talk.data(talk.near, size=0)


@violates("FMT-014")
def long_shutdown(talk):
    talk.send(talk.near, chunks.chunk(chunks.SHUTDOWN, 0, struct.pack("!II", talk.last_tsn(talk.far), 0)))


@silent("FMT-014")
def good_shutdown():
    return established().exchange().shut_down()


@alters("FMT-015")
def init_of_16_bytes(editor):
    association = editor.association(is_set_up_once)
    place = association.init
    editor.replace(place.packet, place.packet["sctp"][:HEADER] + chunks.chunk(chunks.INIT, 0, place.packet["sctp"][HEADER + 4:HEADER + 16]))
    editor.end_after(place.packet)
    return 0


@violates("FMT-016")
def sack_counts_a_block_too_many(talk):
    body = struct.pack("!IIHHHH", talk.last_tsn(talk.far), talk.ends[talk.near].a_rwnd, 2, 0, 2, 2)
    talk.send(talk.near, chunks.chunk(chunks.SACK, 0, body))


@silent("FMT-016")
def sack_with_gap_and_duplicate():
    scenario = established()
    return scenario.sack(1).data(0, source=0).send(
        0, chunks.sack(scenario.ends[1].tsn - 1, gaps=((2, 3),), duplicates=(5,)))


@violates("FMT-017")
def data_of_12_bytes(talk):
    talk.send(talk.near, chunks.chunk(chunks.DATA, 3, pack(talk.ends[talk.near].tsn, 0)))


@alters("FMT-028", None)
def parameter_of_length_2(editor):
    return announces(editor, chunks.tlv(chunks.ECN, b"", length=2))


@alters("FMT-029", None)
def parameter_beyond_its_chunk(editor):
    return announces(editor, chunks.tlv(chunks.ECN, b"", length=12))


def is_odd(association):
    return is_set_up_once(association) and any(length % 4 for _, _, length in params_of(association.init)[:-1])


@alters("FMT-030", of=lambda: ScenarioBuilder().set_up((chunks.tlv(chunks.EXTENSIONS, b"\xc0") + chunks.tlv(chunks.ECN), b"")))
def parameters_without_padding(editor):
    place = editor.association(is_odd).init
    sctp = place.packet["sctp"]
    params = b"".join(sctp[at:at + length] for _, at, length in params_of(place))
    editor.replace_chunk(place, chunks.chunk(chunks.INIT, 0, sctp[place.at + 4:place.at + 20] + params))
    editor.end_after(place.packet)
    return 0


@silent("FMT-028")
@silent("FMT-029")
@silent("FMT-030")
@silent("FMT-031")
def last_parameter_padded_by_the_chunk():
    return with_params(chunks.address("10.0.0.1") + chunks.address("10.0.0.3") + chunks.tlv(chunks.EXTENSIONS, b"\xc0", last=True))


@alters("FMT-031")
def ecn_twice(editor):
    return announces(editor, 2 * chunks.tlv(chunks.ECN), end=0)


@alters("FMT-032", None)
def delete_in_the_set_up(editor):
    return announces(editor, chunks.asconf_param(chunks.DELETE_IP, 1, chunks.address("10.99.9.1")))


@silent("FMT-032")
def set_primary_in_init():
    return with_params(chunks.asconf_param(chunks.SET_PRIMARY, 1, chunks.address("10.0.0.1")))


@alters("FMT-033", None)
def mapped_address(editor):
    return announces(editor, chunks.address("::ffff:10.99.9.1"))


@silent("FMT-033")
@silent("FMT-037")
def both_families():
    return with_params(chunks.address("10.0.0.1") + chunks.address("2001:db8::1"))


@alters("FMT-034", None, causes=("HS-031",))
def host_name(editor):
    return announces(editor, chunks.tlv(chunks.HOST_NAME, b"host.example\0"))


@silent("FMT-034")
def padding_only():
    return with_params(chunks.tlv(chunks.PADDING, bytes(8)))


@alters("FMT-035", causes=("FMT-031",))
def host_names_supported(editor):
    return announces(editor, chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!HHH", 5, 6, 11)), end=0)


@silent("FMT-035")
def addresses_supported():
    return with_params(chunks.tlv(chunks.ADDRESS_TYPES, struct.pack("!HH", 5, 6)))


@fires("FMT-036")
def loopback_listed():
    return with_params(chunks.address("127.0.0.1"))


@silent("FMT-036")
def private_address_listed():
    return with_params(chunks.address("192.168.1.1"))


@alters("FMT-037", None)
def address_of_length_12(editor):
    return announces(editor, chunks.tlv(chunks.IPV4, bytes((10, 99, 9, 1)) + bytes(4)))


@violates("FMT-038")
def cause_beyond_its_chunk(talk):
    talk.send(talk.near, chunks.abort(chunks.tlv(12, b"text", length=40)))


@violates("FMT-039")
def stale_cookie_of_length_12(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(8))))


@silent("FMT-038")
@silent("FMT-039")
@silent("FMT-041")
def causes_with_text():
    return said(chunks.error(chunks.tlv(chunks.STALE_COOKIE, bytes(4)), chunks.tlv(13, b"unpadded text", last=True)))


@violates("FMT-041")
def error_without_cause(talk):
    talk.send(talk.near, chunks.error())


@violates("FMT-046")
def reserved_type(talk):
    talk.send(talk.near, chunks.chunk(191, 0, bytes(4)))


@fires("FMT-049")
def heartbeat_with_flags():
    return said(chunks.chunk(chunks.HEARTBEAT, 0x80, chunks.tlv(1, bytes(40))))


@silent("FMT-049")
def heartbeat_without_flags():
    return said(chunks.heartbeat())


@silent("FMT-059")
def abort_with_the_t_bit():
    return said(chunks.heartbeat(), chunks.abort(t=True))


@silent("FMT-059")
def error_of_a_middlebox():
    return said(chunks.chunk(chunks.ERROR, 0x02, chunks.tlv(0xB1, bytes(16))))


@fires("FMT-059")
def abort_with_a_reserved_flag():
    return said(chunks.chunk(chunks.ABORT, 0x81, b""))


@fires("FMT-059")
def shutdown_complete_with_a_reserved_flag():
    return said(chunks.chunk(chunks.SHUTDOWN_COMPLETE, 0x02, b""))


@fires("FMT-059")
def re_config_with_flags():
    return said(chunks.chunk(chunks.RE_CONFIG, 0x01, chunks.tlv(17, struct.pack("!IHH", 1, 1, 0))))


@fires("FMT-059")
def forward_tsn_with_flags():
    return said(chunks.chunk(chunks.FORWARD_TSN, 0x01, struct.pack("!I", 1)))


def reports_chunk(kind):
    return ScenarioBuilder().set_up().send(0, chunks.heartbeat(), chunks.chunk(kind, 0, bytes(8))) \
        .send(1, chunks.error(chunks.tlv(6, chunks.chunk(kind, 0, bytes(8)))))


@fires("FMT-042", accused=1)
def chunk_reported_that_asks_for_no_report():
    return reports_chunk(0x9E)


@silent("FMT-042", accused=1)
def chunk_reported_that_asks_for_it():
    return reports_chunk(0xDE)


@violates("FMT-042")
def reports_a_chunk_that_was_not_sent(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(6, chunks.chunk(0xDE, 0, bytes(8)))))


def reports_another(sent, reported, packets_between=2):
    """A chunk, and the report of another one; accused is the endpoint that set up."""
    scenario = ScenarioBuilder().set_up().exchange().send(1, chunks.chunk(0xEF, 0, bytes(3)), chunks.chunk(0xDE, 0, sent))
    return scenario.exchange(packets_between).send(0, chunks.error(chunks.tlv(6, reported)))


@fires("FMT-042")
def chunk_of_another_type_reported_than_that_sent():
    return reports_another(b"\1", chunks.chunk(0xE1, 0, b"abcd"))


@fires("FMT-042")
def chunk_reported_with_other_contents():
    return reports_another(b"sent", chunks.chunk(0xDE, 0, b"seen"), 0)


@silent("FMT-042")
def second_chunk_reported_as_it_was_sent():
    return reports_another(b"sent.", chunks.chunk(0xDE, 0, b"sent."))


@silent("FMT-042")
def chunk_reported_in_part():
    return reports_another(bytes(100), chunks.chunk(0xDE, 0, bytes(100))[:20])


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


def cause_8(*params):
    """ERROR that reports parameters."""
    return chunks.error(chunks.tlv(8, b"".join(chunks.tlv(kind, value) for kind, value in params), last=True))


def reports_of_init_ack(*reported):
    """The INIT ACK has two unknown parameters; the ERROR comes with the next packet of its receiver."""
    return ScenarioBuilder().set_up((b"", chunks.tlv(0xC0DE, b"five.") + chunks.tlv(0xF00D, b""))).send(0, cause_8(*reported)).exchange(1)


@fires("FMT-050")
def parameter_reported_in_error_that_the_init_ack_has_not():
    return reports_of_init_ack((0xC1C1, b"abcd"))


@fires("FMT-050")
def second_parameter_reported_with_another_value():
    return reports_of_init_ack((0xF00D, b""), (0xC0DE, b"six.."))


@fires("FMT-050")
def parameter_reported_in_error_that_asks_for_no_report():
    return reports_of_init_ack((0x8005, b""))


@silent("FMT-050")
def both_parameters_of_the_init_ack_reported():
    return reports_of_init_ack((0xC0DE, b"five."), (0xF00D, b""))


@silent("FMT-050")
def parameter_of_another_chunk_reported():
    unknown = chunks.tlv(0xE777, b"new")
    scenario = ScenarioBuilder().set_up().send(1, chunks.chunk(chunks.RE_CONFIG, 0, chunks.tlv(16, bytes(4) + b"\0\0\0\1") + unknown))
    return scenario.send(0, cause_8((0xE777, b"new")))


@silent("FMT-050")
def parameter_reported_in_part():
    return ScenarioBuilder().set_up((b"", chunks.tlv(0xC0DE, bytes(40)))).send(0, chunks.error(chunks.tlv(8, chunks.tlv(0xC0DE, bytes(8), length=44))))


def unknown_chunk(kind):
    return ScenarioBuilder().set_up().exchange().send(0, chunks.chunk(kind, 0, bytes(4)))


@fires("FMT-051", 1, asserted=COMPLETE_AT_END_1)
def unknown_chunk_not_reported():
    return unknown_chunk(0x7E).heartbeat(0, gap_ns=S)


@silent("FMT-051", 1, asserted=COMPLETE_AT_END_1)
def unknown_chunk_reported():
    return unknown_chunk(0x7E).send(1, chunks.error(chunks.tlv(6, chunks.chunk(0x7E, 0, bytes(4)), last=True)), gap_ns=MS).heartbeat(0, gap_ns=S)


@silent("FMT-051", 1, asserted=COMPLETE_AT_END_1, judged=False)
def unknown_chunk_to_be_skipped_in_silence():
    return unknown_chunk(0xBE).heartbeat(0, gap_ns=S)


def unknown_in_init(kind, report=b"", before=b""):
    """INIT with a parameter that no document has; the INIT ACK with what it reports of it."""
    return ScenarioBuilder().init(params=before + chunks.tlv(kind, b"abcd")).init_ack(params=report, gap_ns=MS).cookie_echo().cookie_ack()


def reported(kind):
    return chunks.tlv(8, chunks.tlv(kind, b"abcd"))


@fires("FMT-052", 1, asserted=COMPLETE_AT_END_1)
@silent("FMT-052", 1, asserted=COMPLETE, judged=False)
def unknown_parameter_of_init_passed_over():
    return unknown_in_init(0xFF00)


@fires("FMT-052", 1, asserted=COMPLETE_AT_END_1)
def unknown_parameter_that_says_to_stop_passed_over():
    return unknown_in_init(0x7F00)


@silent("FMT-052", 1, asserted=COMPLETE_AT_END_1)
def unknown_parameter_of_init_reported():
    return unknown_in_init(0xFF00, reported(0xFF00))


@silent("FMT-052", 1, asserted=COMPLETE_AT_END_1, judged=False)
def unknown_parameter_that_asks_for_no_report():
    return unknown_in_init(0xBF00)


@silent("FMT-052", 1, asserted=COMPLETE_AT_END_1, judged=False)
def unknown_parameter_behind_one_that_says_to_stop():
    return unknown_in_init(0xFF00, before=chunks.tlv(0x3F00, b"abcd"))


def causes(*given):
    return said(chunks.error(*given))


@fires("FMT-039")
def missing_parameter_counted_that_is_not_there():
    return causes(chunks.tlv(2, struct.pack("!IH", 2, 7)))


@silent("FMT-039")
def missing_parameter_counted():
    return causes(chunks.tlv(2, struct.pack("!IH", 1, 7)))


@fires("FMT-032")
def random_in_asconf():
    return said(chunks.asconf(1, "10.0.0.1", chunks.tlv(chunks.RANDOM, bytes(32))))


@silent("FMT-032")
def adaptation_in_asconf():
    """AS-025 tells it."""
    return said(chunks.asconf(1, "10.0.0.1", chunks.tlv(chunks.ADAPTATION, bytes(4))))


@violates("FMT-053")
def reserved_field_of_invalid_stream(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(1, struct.pack("!HH", 70, 1))))


@silent("FMT-053")
def invalid_stream():
    return causes(chunks.tlv(1, struct.pack("!HH", 70, 0)))


@alters("FMT-054")
def cookie_preservative_of_length_4(editor):
    return announces(editor, chunks.tlv(9), end=0)


@fires("FMT-054", accused=1)
def adaptation_of_length_12():
    return with_params(chunks.tlv(chunks.ADAPTATION, bytes(8)), chunks.INIT_ACK)


@fires("FMT-054")
def address_types_of_length_7():
    return with_params(chunks.tlv(12, bytes((0, 5, 0))))


@silent("FMT-054")
def parameters_of_right_lengths():
    return with_params(chunks.tlv(9, bytes(4)) + chunks.tlv(12, struct.pack("!HH", 5, 6)) + chunks.tlv(chunks.ADAPTATION, bytes(4)) + chunks.tlv(0x8000))


@violates("FMT-055")
def unknown_chunk_reported_without_it(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(6)))


@fires("FMT-055")
def unknown_parameter_reported_without_it():
    return causes(chunks.tlv(8, b"\0\0"))


@silent("FMT-055")
def unresolvable_address_named():
    return causes(chunks.tlv(5, chunks.address("10.0.0.9")))


@violates("FMT-056")
def restart_refused_without_addresses(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(11)))


@fires("FMT-056")
def restart_refused_for_a_host_name():
    return said(chunks.abort(chunks.tlv(11, chunks.tlv(11, b"name"))))


@silent("FMT-056")
def restart_refused_for_two_addresses():
    return said(chunks.abort(chunks.tlv(11, chunks.address("10.0.0.9") + chunks.address("2001:db8::9"))))


@fires("FMT-057", accused=1)
def empty_state_cookie():
    scenario = ScenarioBuilder().init()
    end = scenario.ends[1]
    return scenario.send(1, chunks.init_ack(end.tag, end.tsn, cookie=b""))


@alters("FMT-057", 1)
def unrecognized_parameter_that_is_empty(editor):
    return announces(editor, chunks.tlv(chunks.UNRECOGNIZED), end=1)


@silent("FMT-057", accused=1)
def unrecognized_parameter_that_has_no_value():
    return with_params(chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(0xC0FF)), chunks.INIT_ACK)


def asked_by(kind, *inner):
    return said(chunks.asconf(1, "10.0.0.1", chunks.asconf_param(kind, 1, *inner)))


@violates("FMT-058", causes=("AS-001", "AS-002", "AS-003", "AU-007"))
def address_added_that_is_not_there(talk):
    talk.send(talk.near, chunks.asconf(1, "10.0.0.1", chunks.asconf_param(chunks.ADD_IP, 1)))


@fires("FMT-058")
def two_addresses_deleted_by_one_request():
    return asked_by(chunks.DELETE_IP, chunks.address("10.0.1.1"), chunks.address("10.0.2.1"))


@fires("FMT-058")
def host_name_made_primary():
    return asked_by(chunks.SET_PRIMARY, chunks.tlv(11, b"host.example"))


@silent("FMT-058")
def ipv6_address_added():
    return asked_by(chunks.ADD_IP, chunks.address("2001:db8::9"))


@fires("FMT-058")
def success_of_length_12():
    return said(chunks.asconf_ack(1, chunks.asconf_param(chunks.SUCCESS, 1, bytes(4))))


@silent("FMT-058")
def success():
    return said(chunks.asconf_ack(1, chunks.asconf_param(chunks.SUCCESS, 1)))


@alters("FMT-014", 1)
def long_cookie_ack(editor):
    association = editor.association(is_set_up_once)
    editor.replace_chunk(association.first(1, chunks.COOKIE_ACK), chunks.chunk(chunks.COOKIE_ACK, 0, bytes(4)))
    return 1


@alters("FMT-036", None)
def multicast_listed(editor):
    return announces(editor, chunks.address("224.1.2.3"))


@violates("FMT-059")
def error_with_a_reserved_flag(talk):
    talk.send(talk.near, chunks.chunk(chunks.ERROR, 0x80, chunks.tlv(13, b"text")))


@alters("FMT-049", None)
def cookie_chunk_with_flags(editor):
    association = editor.association(is_set_up_once)
    end = editor.rng.randrange(2)
    place = association.first(end, (chunks.COOKIE_ECHO, chunks.COOKIE_ACK)[end])
    editor.edit(place.packet, place.at + 1, b"\x01")
    return end


@violates("FMT-042")
def reports_a_chunk_that_asks_for_no_report(talk):
    talk.send(talk.near, chunks.error(chunks.tlv(6, chunks.chunk(0x9E, 0, bytes(8)))))


@alters("FMT-043", 1)
def reports_a_parameter_that_was_not_sent(editor):
    return announces(editor, chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(0xDABC, b"unknown.")), end=1)


@alters("FMT-043", 1)
def reports_a_parameter_that_asks_for_no_report(editor):
    return announces(editor, chunks.tlv(chunks.UNRECOGNIZED, chunks.tlv(0x9ABC, b"unknown.")), end=1)


@violates("FMT-050")
def reports_in_error_a_parameter_that_was_not_sent(talk):
    talk.send(talk.near, cause_8((0xC1C1, b"abcd")))


LEFT_OUT = [
    ("FMT-044", "dropped", "unknown TLVs of the initiator are invisible, late separate sending is a MAY, too early sending is HS-015"),
    ("FMT-045", "left out", "the clause binds the receiver only"),
    ("FMT-047", "dropped", "unknown types and processing order are invisible"),
]
