# SPDX-License-Identifier: GPL-2.0-or-later
"""Which endpoints a gate is about: --endpoint ADDR[:PORT]|initiator|responder."""

import ipaddress
import re
from typing import NamedTuple


class Endpoint(NamedTuple):
    """A role, or an address and perhaps a port."""

    text: str
    role: str | None = None
    address: str | None = None
    port: int | None = None

    def __str__(self):
        return self.text

    def fits(self, end):
        """Is it the captures_read.End?"""
        if self.role:
            return end.role == self.role
        return self.port in (None, end.port) and any(_same(self.address, address) for address in end.addresses)


def _same(address, text):
    try:
        return ipaddress.ip_address(text.split("%")[0]) == ipaddress.ip_address(address)
    except ValueError:
        return False


def read(text):
    """Raises ValueError."""
    if text in ("initiator", "responder"):
        return Endpoint(text, text)
    match = re.fullmatch(r"\[(.+)\]:(\d+)", text) or re.fullmatch(r"([^:]+):(\d+)", text)
    address, port = (match[1], int(match[2])) if match else (text.strip("[]"), None)
    if port is not None and port > 0xFFFF:
        raise ValueError(text)
    return Endpoint(text, None, str(ipaddress.ip_address(address)), port)
