# SPDX-License-Identifier: GPL-2.0-or-later
"""Which endpoints a gate is about: --endpoint ADDR[:PORT]|initiator|responder|stack=NAME, or with --test those at --taken-at."""

import ipaddress
import re
from typing import NamedTuple


class Endpoint(NamedTuple):
    """A role, an address and perhaps a port, or part of the name of a stack, as it is recognised by INIT and INIT ACK. In a collision of INITs
    both endpoints have either role."""

    text: str
    role: str | None = None
    address: str | None = None
    port: int | None = None
    stack: str | None = None

    def __str__(self):
        return self.text

    def fits(self, end):
        """Is it the captures_read.End?"""
        if self.role:
            return end.role in (self.role, "either")
        if self.stack:
            return self.stack.casefold() in (end.stack or "").casefold()
        return self.port in (None, end.port) and any(_same(self.address, address) for address in end.addresses)


class Place(NamedTuple):
    """Addresses and networks, as --taken-at has them."""

    text: str
    networks: tuple

    def __str__(self):
        return f"at {self.text}"

    def fits(self, end):
        """Has the captures_read.End an address there?"""
        return any(_within(network, address) for network in self.networks for address in end.addresses)


def _within(network, address):
    try:
        return ipaddress.ip_address(address) in network
    except ValueError:
        return False


def place(texts):
    """The Place of the values of --taken-at. Raises ValueError."""
    words = [word for text in texts for word in re.split(r"[\s,]+", text) if word]
    return Place(", ".join(words), tuple(ipaddress.ip_network(word, strict=False) for word in words))


def _same(address, text):
    try:
        return ipaddress.ip_address(text.split("%")[0]) == ipaddress.ip_address(address)
    except ValueError:
        return False


def read(text):
    """Raises ValueError."""
    if text in ("initiator", "responder"):
        return Endpoint(text, text)
    if text.startswith("stack=") and text != "stack=":
        return Endpoint(text, stack=text.removeprefix("stack="))
    match = re.fullmatch(r"\[(.+)\]:(\d+)", text) or re.fullmatch(r"([^:]+):(\d+)", text)
    address, port = (match[1], int(match[2])) if match else (text.strip("[]"), None)
    if port is not None and port > 0xFFFF:
        raise ValueError(text)
    return Endpoint(text, None, str(ipaddress.ip_address(address)), port)
