# SPDX-License-Identifier: GPL-2.0-or-later
"""The baseline: a text file with a line per accepted fingerprint, its expiry and the reason. --update-baseline adds lines; the rest is
kept by hand.

    # comment
    RX-013/responder/3d0f1c7a  2027-06-30  ticket 4711: two SACKs in one packet
    ID-012/initiator/2ec19181  -           accepted for good
"""

import datetime
import os
import re
from typing import NamedTuple

from sctpa import whole_files
from sctpa.arguments import COMMAND

from .errors import WrongUsage

FINGERPRINT = re.compile(r"[A-Z]+-\d+/(initiator|responder|either|unknown)/[0-9a-f]{8}")
HEAD = f"""# Findings that {COMMAND} check accepts. FINGERPRINT  EXPIRY (a day, or - for none)  REASON
"""


class Accepted(NamedTuple):
    """A line. expires: the last day on which it accepts, None: for good."""

    fingerprint: str
    expires: datetime.date | None
    reason: str
    number: int


def _line(path, number, text):
    def wrong(why):
        return WrongUsage(f"{path}:{number}: {why}")

    cells = text.split(None, 2)
    if len(cells) < 3:
        raise wrong("not of the form FINGERPRINT EXPIRY REASON")
    fingerprint, expiry, reason = cells
    if not FINGERPRINT.fullmatch(fingerprint):
        raise wrong("the first word is no fingerprint")
    try:
        expires = None if expiry == "-" else datetime.date.fromisoformat(expiry)
    except ValueError as error:
        raise wrong(f"{expiry} is neither a day such as 2027-06-30 nor -") from error
    return Accepted(fingerprint, expires, reason.strip(), number)


def read(path, may_be_missing=False):
    """{fingerprint: Accepted}. Raises WrongUsage."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError as error:
        if may_be_missing:
            return {}
        raise WrongUsage(f"{path}: there is no such file (--update-baseline writes it)") from error
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path}: {getattr(error, 'strerror', None) or 'is no UTF-8 text'}") from error
    found = {}
    for number, text in enumerate(lines, 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        accepted = _line(path, number, text)
        if accepted.fingerprint in found:
            raise WrongUsage(f"{path}:{number}: the same fingerprint as in line {found[accepted.fingerprint].number}")
        found[accepted.fingerprint] = accepted
    return found


def is_expired(accepted, today):
    return accepted.expires is not None and today > accepted.expires


def names(fingerprint):
    """The fingerprints whose lines accept this one: itself; of an endpoint in a collision of INITs, which has either role, also the same
    defect of an initiator or a responder. Baselines written when collisions had the role of the first INIT stay good that way.
    """
    rule, role, digest = fingerprint.split("/")
    return (fingerprint, *(f"{rule}/{other}/{digest}" for other in ("initiator", "responder") if role == "either"))


def accepting(lines, fingerprint, today):
    """The Accepted that accepts a fingerprint today, None. lines: what read() returned."""
    return next(
        (lines[name] for name in names(fingerprint) if name in lines and not is_expired(lines[name], today)), None
    )


def add(path, findings, today):
    """Appends a line for each finding, {fingerprint: finding}, that has none; what stands in the file stays. Returns how many. The file is whole at any
    moment, and where several add to it at once, all lines get into it. Raises WrongUsage and OSError."""
    with whole_files.alone_in(os.path.dirname(os.path.realpath(path))):
        there = read(path, True)
        new = {fingerprint: finding for fingerprint, finding in sorted(findings.items()) if fingerprint not in there}
        if new:
            _append(
                path,
                [
                    f"{fingerprint}  -  {finding['title']} (accepted by --update-baseline on {today})\n"
                    for fingerprint, finding in new.items()
                ],
            )
    return len(new)


def _append(path, lines):
    old = HEAD
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            old = file.read()
    if old and not old.endswith("\n"):
        old += "\n"
    with whole_files.written(path) as file:
        file.write((old + "".join(lines)).encode("utf-8"))
