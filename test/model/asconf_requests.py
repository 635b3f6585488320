# SPDX-License-Identifier: GPL-2.0-or-later
"""Requests of ASCONF chunks, as scenarios and mutations make them, and what announces the chunks."""

from generate import chunks

WITHOUT_AUTH = chunks.tlv(chunks.EXTENSIONS, bytes((chunks.ASCONF, chunks.ASCONF_ACK)))
NEW = "10.99.9.1"    # of no endpoint of the lab or of a scenario


def _request(kind, address, correlation=1):
    return chunks.asconf_param(kind, correlation, chunks.address(address))


def add(address=NEW, correlation=1):
    return _request(chunks.ADD_IP, address, correlation)


def delete(address, correlation=1):
    return _request(chunks.DELETE_IP, address, correlation)


def primary(address, correlation=1):
    return _request(chunks.SET_PRIMARY, address, correlation)
