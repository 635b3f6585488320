# SPDX-License-Identifier: GPL-2.0-or-later
"""Every value that the built-in dissector decodes, ours decodes too: field by field, frame by frame, over a quarter of the captures
(SCTPA_ALL_CAPTURES=1: all).

fields.tsv is the table: built-in field, ours below sctp.analysis.chunk (several when the built-in has one field for several
chunks or parameters), or - and why there is none. Order counts where one field stands against one, else only values."""

import collections
import pathlib

import pytest

from conftest import capture_files, wireshark_release
from scenarios.generate import compare, every_field

TABLE = pathlib.Path(__file__).with_name("fields.tsv")
OPTIONS = ("-o", "sctp_analysis.decode:all", "-o", "sctp.relative_tsns:FALSE", "-o", "sctp.ulp_dissection:FALSE",
           "-o", "sctp.reassembly:FALSE", "-o", "tcp.desegment_tcp_streams:FALSE", "-d", "udp.port==9900,sctp")
FRAME_FIELDS = {"_ws.malformed": "FT_NONE", "frame.cap_len": "FT_UINT32", "frame.len": "FT_UINT32"}
# Quoted packets and frames that are no SCTP at all; ours decodes no packets quoted by ICMP.
FRAMES = "sctp && !icmp && !icmpv6"


def table():
    """(built-in field, our fields, difference)"""
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()][1:]
    return [("sctp." + built_in, [] if ours == "-" else ["sctp.analysis.chunk." + name for name in ours.split(",")], difference)
            for built_in, ours, difference in rows]


def known_fields(tshark):
    lines = tshark("-G", "fields").stdout.splitlines()
    return {columns[2]: columns[3] for columns in (line.split("\t") for line in lines) if columns[0] == "F" and columns[2].startswith("sctp.")}


def test_every_field_of_the_built_in_is_in_the_table(tshark):
    listed = {built_in for built_in, _, _ in table()}
    built_in = {name for name in known_fields(tshark) if not name.startswith("sctp.analysis")}
    assert built_in - listed == set()


def test_every_intended_difference_has_a_reason():
    assert [row for row in table() if bool(row[1]) == bool(row[2])] == []


def test_our_fields_of_the_table_exist(tshark):
    known = known_fields(tshark)
    assert sorted({name for _, ours, _ in table() for name in ours if not name.endswith("*")} - set(known)) == []


def plain(value, kind):
    """A value without its way of display; bytes and text as hexadecimal text."""
    if kind == "FT_BYTES":
        return value.replace(":", "")
    if kind.startswith(("FT_UINT", "FT_BOOLEAN")):
        return {"True": 1, "False": 0}[value] if value in ("True", "False") else int(value, 0)
    return value.encode(errors="surrogateescape").hex() if kind.startswith("FT_STRING") else value


def rows_of(tshark, capture, kinds):
    """Per frame with SCTP: its number and a dict field -> values. kinds: field -> type."""
    arguments = ["-r", capture, "-n", *OPTIONS, "-Y", FRAMES, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=\x01"]
    for name in ("frame.number", *kinds):
        arguments += ["-e", name]
    result = tshark(*arguments, timeout=900)
    assert result.returncode == 0, result.stderr
    compare.check_messages(result.stderr)
    for line in result.stdout.split("\n"):
        if line:
            frame, *columns = line.split("\t")
            yield int(frame), {name: [plain(value, kinds[name]) for value in column.split("\x01") if value]
                               for name, column in zip(kinds, columns) if column}


def mapped(known):
    """(built-in field, our fields) of this Wireshark; x.* stands for all fields below x."""
    for built_in, ours, _ in table():
        names = [name for pattern in ours for name in known if name == pattern or pattern.endswith("*") and name.startswith(pattern[:-1])]
        if built_in in known and names:
            yield built_in, names


def differences(tshark, capture, covered=None):
    """(frame, built-in field, its first values, our first values); covered: Counter of compared values per built-in field."""
    known = {**known_fields(tshark), **FRAME_FIELDS}
    pairs = list(mapped(known))
    names = sorted({name for built_in, ours in pairs for name in (built_in, *ours)} | set(FRAME_FIELDS))
    wrong = []
    for frame, values in rows_of(tshark, capture, {name: known[name] for name in names}):
        for built_in, ours in pairs:
            theirs, mine = values.get(built_in, []), [value for name in ours for value in values.get(name, [])]
            if covered is not None:
                covered[built_in] += len(theirs)
            same = theirs == mine if len(ours) == 1 else collections.Counter(theirs) == collections.Counter(mine)
            if not same and not is_intended(built_in, theirs, mine, values):
                wrong.append((frame, built_in, theirs[:8], mine[:8]))
    return wrong


# A field that comes more often in a packet may stand in a tree that was full before its end.
MAY_FILL_THE_TREE = 5_000
NOT_IN_BUILT_IN = {0x8001, 0x8005, 0x8006, 0xC007, 0xC008}


def is_intended(built_in, theirs, mine, values):
    """Differences of a frame: the built-in stops at a T bit of PKTDROP, at a malformed chunk, and at a cut one, where ours goes on; types
    that it does not know; text, which ends at a NUL in ours; since 4.6 no more of ours than a tree has room for."""
    if wireshark_release() >= (4, 6) and len(theirs) > MAY_FILL_THE_TREE and theirs[:len(mine)] == mine:
        return True
    missing = collections.Counter(theirs) - collections.Counter(mine)
    is_cut = values["frame.cap_len"] < values["frame.len"]
    if not missing and (1 in values.get("sctp.pckdrop_t_bit", []) or "_ws.malformed" in values or is_cut):
        return True
    if built_in == "sctp.cause_information":
        return sorted(value.removesuffix("00") for value in theirs) == sorted(value.removesuffix("00") for value in mine)
    if built_in == "sctp.parameter_value":
        return missing.total() <= len([kind for kind in values.get("sctp.parameter_type", []) if kind in NOT_IN_BUILT_IN])
    return built_in == "sctp.chunk_value" and 0x41 in values.get("sctp.chunk_type", [])


@pytest.mark.thorough_but_one_in(8)
def test_decodes_as_the_built_in(quarter_of_captures, tshark):
    capture = quarter_of_captures
    wrong = differences(tshark, capture)
    assert wrong[:10] == [], f"{len(wrong)} differences in {capture}"


def test_decodes_generated_packets_as_the_built_in(tshark, tmp_path):
    every_field.write(tmp_path / "every_field.pcapng")
    wrong = differences(tshark, tmp_path / "every_field.pcapng")
    assert wrong[:30] == [], f"{len(wrong)} differences"


def test_generated_packets_exercise_every_field(tshark, tmp_path):
    """So that none of the comparisons above is one of nothing with nothing."""
    every_field.write(tmp_path / "every_field.pcapng")
    covered = collections.Counter()
    differences(tshark, tmp_path / "every_field.pcapng", covered)
    assert [built_in for built_in, _ in mapped(known_fields(tshark)) if not covered[built_in]] == []
