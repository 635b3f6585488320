# SPDX-License-Identifier: GPL-2.0-or-later
"""The key log of DTLS that Wireshark reads, or a copy where its user cannot read it. Leaves decryption to Wireshark."""

import os
import re

from sctpa.arguments import STATUS_NOT_READ
from sctpa.tshark import Failed

from .reading import making
from .unreadable import unreadable_cause

KEY = re.compile(rb"[A-Z_0-9]+ [0-9A-Fa-f]+ [0-9A-Fa-f]+")


def option(host, keys):
    """The preference that has Wireshark read the key log. Raises Failed where it is none."""
    if cause := unreadable_cause(keys, "key log"):
        raise Failed(STATUS_NOT_READ, f"{keys}: {cause}")
    with open(keys, "rb") as file:
        if not any(KEY.match(line) for line in file):
            raise Failed(STATUS_NOT_READ, f"{keys}: holds no keys of DTLS (lines such as CLIENT_RANDOM ...)")
    path = os.path.join(os.getcwd(), keys)
    if not host.may_read(path):
        path = _copied(host, path)
    return f"tls.keylog_file:{path}"


def _copied(host, path):
    """A copy for the user of tshark alone. Not where others may put a link: home belongs to them."""
    state, made = os.stat(host.home), os.path.join(os.path.dirname(host.home), "keys")
    with making(), open(path, "rb") as source, open(
        os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
    ) as copy:
        copy.write(source.read())
        os.chown(made, state.st_uid, state.st_gid)
    return made
