# SPDX-License-Identifier: GPL-2.0-or-later
"""Protects --keep-prefixes: pseudonyms of addresses have as many leading bits in common as the addresses, in all results."""

import importlib.util
import ipaddress
import itertools
import subprocess
import sys

import pytest

from triage_runs import TOP, complaints, gather, triage  # noqa: F401

sys.path.append(str(TOP / "build/python"))
NEEDS_PACKAGE = pytest.mark.skipif(not importlib.util.find_spec("yacryptopan"), reason="yacryptopan is not in build/python")
NAMES = ("linux/mh-failover/A.pcapng.gz", "linux/mh-v4v6/A.pcapng.gz")


def common_bits(one, other):
    one, other = map(ipaddress.ip_address, (one, other))
    if one.version != other.version:
        return None
    return one.max_prefixlen - (int(one) ^ int(other)).bit_length()


def addresses(triage):  # noqa: F811
    return [address for line in triage.associations() for end in line["endpoints"] for address in end["addresses"]]


@NEEDS_PACKAGE
def test_common_prefixes_stay_as_long_and_no_original_is_left(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", *NAMES)
    triage("--sections", "0", folder)
    before = addresses(triage)
    result = triage("--anonymise", "--keep-prefixes", folder)
    assert result.returncode == 0, result.stderr
    after = addresses(triage)
    assert len(before) == len(after) > 6 and not set(before) & set(after)
    for (one, other), (new_one, new_other) in zip(itertools.combinations(before, 2), itertools.combinations(after, 2)):
        assert common_bits(one, other) == common_bits(new_one, new_other)
    for name, content in triage.everything().items():
        if name == "report.html" or name.endswith((".csv", ".ndjson")):
            assert not any(address.encode() in content for address in before), name


@NEEDS_PACKAGE
def test_the_pseudonyms_are_those_of_the_published_example():
    """Those that the authors' sample trace has for the key of their code."""
    from sctpa.anonymise import Pseudonyms
    key = bytes((21, 34, 23, 141, 51, 164, 207, 128, 19, 10, 91, 22, 73, 144, 125, 16, 216, 152, 143, 131, 121, 121, 101, 39, 98, 87, 76, 45, 42, 132, 34, 2))
    pseudonyms = Pseudonyms(key, True)
    assert [pseudonyms.address(text) for text in ("128.11.68.132", "129.118.74.4", "24.0.250.221")] == ["135.242.180.132", "134.136.186.123", "100.15.198.226"]


def test_without_the_package_or_anonymise_it_says_so(triage, tmp_path):  # noqa: F811
    folder = gather(tmp_path / "in", NAMES[0])
    assert complaints(triage("--keep-prefixes", folder))[0].startswith("--keep-prefixes needs --anonymise")
    words, variables = triage.command("--anonymise", "--keep-prefixes", folder)
    result = subprocess.run(words, env={**variables, "PYTHONPATH": str(TOP)}, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", cwd="/", check=False)
    assert result.returncode == 3 and "needs the Python package yacryptopan" in result.stderr
