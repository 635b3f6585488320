# SPDX-License-Identifier: GPL-2.0-or-later
"""No name that docs/compatibility.md promises vanishes or becomes another thing within a major version, and new ones are noted.

Leaves out the form of texts for people.
"""

import collections
import os
import re

import pytest

import promised
import registered

UPDATE = os.environ.get("SCTPA_DOCUMENTS") == "update"
LEAST = {"field": 200, "report": 15, "preference": 20, "rule": 300, "json": 300, "csv": 100, "series": 20, "option": 60, "status": 25}


@pytest.fixture(scope="module")
def there(tshark):
    found = promised.names(tshark)
    if UPDATE:
        promised.add_missing(found, registered.version())
    return found


def test_names_are_found(there):
    counts = collections.Counter(kind for kind, _ in there)
    assert set(counts) == set(LEAST) and all(counts[kind] >= least for kind, least in LEAST.items()), counts


def test_what_was_promised_is_there(there):
    assert list(promised.broken(promised.ledger(), there, promised.candidates())) == []


def test_every_name_is_noted_with_its_version(there):
    noted = promised.ledger()
    assert sorted(set(there) - set(noted)) == [], "note them with test/documents/update"
    for since in {since for _, since in noted.values()}:
        assert [int(part) for part in since.split(".")] <= [int(part) for part in registered.version().split(".")], since


def test_each_way_to_break_a_promise_is_found():
    noted = {("field", "a"): ("uint32", "1.0.0"), ("json", "b"): ("", "1.0.0"), ("rule", "X-1"): ("RFC 1", "1.0.0"), ("rule", "X-2"): ("RFC 2", "1.0.0")}
    whole = {name: what for name, (what, _) in noted.items()}
    assert list(promised.broken(noted, whole, set())) == []
    assert list(promised.broken(noted, whole | {("field", "a"): "string"}, set())) == ["field a, since 1.0.0: was uint32, is string"]
    without = {name: what for name, what in whole.items() if name not in {("json", "b"), ("rule", "X-1"), ("rule", "X-2")}}
    assert list(promised.broken(noted, without, {"X-1"})) == ["json b, since 1.0.0: is gone", "rule X-2, since 1.0.0: its number is free again"]


def test_the_schema_has_one_number():
    schema = registered.schema()
    number = re.fullmatch(r"sctp-analysis/(\d+)", schema["title"]).group(1)
    assert schema["properties"]["schema"] == {"const": schema["title"]} and schema["$id"] == f"urn:sctp-analysis:{number}"
