# SPDX-License-Identifier: GPL-2.0-or-later
"""What of the captures a triage is about: packets by a display filter and a time window, associations by addresses of their endpoints.

Leaves filtering to tshark. Needs the standard library only.
"""

import argparse
import datetime
import ipaddress
import json
import re
from typing import NamedTuple

from sctpa.names import safe_text

EPOCH_S = re.compile(r"-?\d{1,11}(\.\d{1,9})?")
UTC = datetime.timezone.utc


def time(text):
    """A type of argparse: a time as seconds since 1970, as text that a display filter takes. text: such seconds, or ISO 8601, in UTC where it names no
    other zone."""
    if EPOCH_S.fullmatch(text):
        return text
    try:
        read = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{safe_text(text)} is no time: 2024-12-31T23:59:59.5 (UTC, or with +01:00) or seconds since 1970"
        ) from None
    read = read if read.tzinfo else read.replace(tzinfo=UTC)
    elapsed = read - datetime.datetime(1970, 1, 1, tzinfo=UTC)
    return f"{elapsed.days * 86400 + elapsed.seconds}.{elapsed.microseconds:06}"


def network(text):
    """A type of argparse: an address or a network."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{safe_text(text)} is neither an address nor a network such as 10.1.0.0/16"
        ) from None


class Selection(NamedTuple):
    """filter: a display filter, None; begin, end: as of time(), None; only: networks, one of which an address of an endpoint must be in, none: any."""

    filter: str | None = None
    begin: str | None = None
    end: str | None = None
    only: tuple = ()

    def display_filter(self):
        """The display filter of packets counted, None: all are."""
        terms = [f"({self.filter})"] * bool(self.filter) + [f"frame.time_epoch >= {self.begin}"] * bool(self.begin)
        terms += [f"frame.time_epoch < {self.end}"] * bool(self.end)
        return " && ".join(terms) or None

    def takes(self, addresses):
        """Is an association one of those asked for? addresses: of both endpoints, as text; names of hosts are never."""
        return not self.only or any(
            address in network for address in map(_address, addresses) if address for network in self.only
        )

    def words(self):
        """What is asked for, for people; empty: everything."""
        said = [f"packets that match {self.display_filter()}"] * bool(self.display_filter())
        return said + [f"associations of {', '.join(map(str, self.only))}"] * bool(self.only)


def _address(text):
    try:
        return ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return None


def key(selection):
    """What tells results of one selection from those of another."""
    return json.dumps([selection.filter, selection.begin, selection.end, [str(network) for network in selection.only]])
