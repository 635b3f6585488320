# SPDX-License-Identifier: GPL-2.0-or-later
"""Pseudonyms for what tells who spoke in what was read of captures, by sctpa/anonymise.py. The key is of one run and kept nowhere."""

import secrets

from sctpa.anonymise import Pseudonyms

KEY_BYTES = 32


def _finding(pseudonyms, finding):
    return {
        **finding,
        "in_file": None,
        **{part: finding[part] and pseudonyms.addresses_in(finding[part]) for part in ("expected", "seen")},
    }


def _end(pseudonyms, end):
    return end._replace(
        addresses=tuple(map(pseudonyms.address, end.addresses)),
        unreported={rule: {**each, "in_file": None} for rule, each in end.unreported.items()},
    )


def _reading(pseudonyms, reading):
    # What tshark says of a capture may hold its name.
    return reading._replace(
        message=reading.message and "could not be read to its end",
        ends=tuple(_end(pseudonyms, end) for end in reading.ends),
        findings=tuple(_finding(pseudonyms, finding) for finding in reading.findings),
    )


def replace(sides):
    """Replaces names, addresses and text in each Read."""
    pseudonyms = Pseudonyms(secrets.token_bytes(KEY_BYTES))
    for side in sides:
        side.readings = [_reading(pseudonyms, reading) for reading in side.readings]
        side.names = [pseudonyms.capture(capture.path) for capture in side.found]
