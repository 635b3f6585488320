# SPDX-License-Identifier: GPL-2.0-or-later
"""With the plugin, everything that Wireshark says by itself stays byte for byte what it is without: fields, upper layers, packet
list, protocol hierarchy, with Decode As and SCTP's preferences too.

By default the smallest captures of every folder; SCTPA_ALL_CAPTURES=1 takes all. Leaves our own fields to test_fields.py."""

import itertools
import json
import os
import re

import pytest

from conftest import capture_files

SMALLEST = 2
OURS = "sctp.analysis"


def sample():
    files = capture_files()
    if os.environ.get("SCTPA_ALL_CAPTURES"):
        return files
    by_stack = itertools.groupby(files, key=lambda path: path.parent.parent if path.parent.name != "captures" else path.parent)
    return [path for _, group in by_stack for path in sorted(group, key=lambda path: path.stat().st_size)[:SMALLEST]]


def name_of(path):
    return f"{path.parent.name}-{path.name}"


@pytest.fixture(params=sample(), ids=name_of)
def one(request):
    return request.param


def both(tshark, *arguments):
    """What tshark says without and with the plugin."""
    without, with_plugin = (tshark(*arguments, plugin=plugin, timeout=900) for plugin in (False, True))
    assert with_plugin.returncode == without.returncode, with_plugin.stderr
    assert with_plugin.stderr == without.stderr
    return without.stdout, with_plugin.stdout


def without_ours(value):
    """JSON objects as lists of pairs, since keys repeat; ours left out."""
    if isinstance(value, list):
        return [without_ours(item) for item in value if not (isinstance(item, tuple) and item[0].startswith(OURS))]
    if isinstance(value, tuple):
        return value[0], without_ours(value[1])
    return value


def pairs(text):
    return without_ours(json.loads(text, object_pairs_hook=list))


def assert_same_fields(tshark, *arguments):
    plain, ours = both(tshark, *arguments, "-T", "json")
    assert OURS not in plain
    for before, after in itertools.zip_longest(pairs(plain), pairs(ours)):
        assert after == before


def without_subtree(text):
    """The text of -V without the lines of our subtree."""
    return re.sub(r"^    \[SCTP analysis\]\n(     +.*\n)*", "", text, flags=re.M)


@pytest.mark.thorough_but_one_in(5)
def test_every_field_of_every_protocol(one, tshark):
    assert_same_fields(tshark, "-r", one)


@pytest.mark.thorough_but_one_in(5)
def test_the_text_of_every_packet(one, tshark):
    plain, ours = both(tshark, "-r", one, "-V")
    assert without_subtree(ours) == plain


@pytest.mark.thorough_but_one_in(5)
def test_the_packet_list(one, tshark):
    plain, ours = both(tshark, "-r", one)
    assert ours == plain


@pytest.mark.thorough_but_one_in(5)
def test_the_packet_list_of_two_passes(one, tshark):
    plain, ours = both(tshark, "-r", one, "-2")
    assert ours == plain


@pytest.mark.thorough_but_one_in(5)
def test_the_protocol_hierarchy(one, tshark):
    plain, ours = both(tshark, "-r", one, "-q", "-z", "io,phs", "-z", "sctp,stat", "-z", "conv,sctp", "-z", "endpoints,sctp")
    assert ours == plain


PREFERENCES = [
    ("-o", "sctp.checksum:CRC 32c"),
    ("-o", "sctp.checksum:Automatic"),
    ("-o", "sctp.relative_tsns:FALSE", "-o", "sctp.association_index:TRUE"),
    ("-o", "sctp.reassembly:FALSE", "-o", "sctp.ulp_dissection:FALSE"),
    ("-o", "sctp.show_port_numbers_in_tree:FALSE"),
    ("-d", "sctp.port==5000,m3ua"),
    ("-d", "sctp.ppi==0,m2ua"),
    ("-d", "udp.port==9900,sctp"),
    ("-o", "sctp.udp.port:9900"),
    ("--disable-protocol", "sctp"),
]


def capture_named(part):
    return next(path for path in capture_files() if part in str(path))


@pytest.mark.thorough_but_one_in(6)
@pytest.mark.parametrize("options", PREFERENCES, ids=lambda options: options[1])
@pytest.mark.parametrize("name", ["linux/aborts/A", "interop/interop-udp/A"])
def test_preferences_and_decode_as_of_sctp(name, options, tshark):
    assert_same_fields(tshark, "-r", capture_named(name), "-c", "200", *options)


def test_the_comparison_sees_a_difference(tshark):
    """Else every test above could pass on nothing."""
    capture = capture_named("linux/aborts/A")
    text = tshark("-r", capture, "-T", "json", "-c", "20").stdout
    assert OURS in text
    assert pairs(text) != pairs(text.replace('"sctp.srcport"', '"sctp.other"'))
    assert pairs(text) == pairs(text.replace(f'"{OURS}.checksum": "crc32c"', f'"{OURS}.checksum": "bad"'))
