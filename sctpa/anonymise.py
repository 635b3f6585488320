# SPDX-License-Identifier: GPL-2.0-or-later
"""Replaces what tells who spoke: addresses, host names, file names and text that came from packets.

The same original has the same pseudonym in all results of a folder (a keyed hash), and nobody without the key, which lies in
resume/ of that folder, can compare a guess with it. Ports, tags, TSNs, times and sizes stay. Addresses may keep what they have in common: Crypto-PAn
(Xu, Fan, Ammar and Moon, ICNP 2002), by the package yacryptopan.
"""

import functools
import hashlib
import hmac
import ipaddress
import re

# Everything that may be an address; what is none after all (12:30:45) stays.
ADDRESS = re.compile(
    r"(?<![\w:.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)(?:%[\w.]+)?(?![\w:])"
)
CAUSE = re.compile(r"[A-Za-z][A-Za-z /()-]{0,60}|cause \d+")
OF_PEER = {"abort", "error"}


def _prefix_preserving(key):
    """A function from an address to its pseudonym, both as text."""
    from yacryptopan import CryptoPAn

    return functools.lru_cache(ADDRESSES_REMEMBERED)(CryptoPAn(key).anonymize)


def _address(text):
    """The address that text is, None when it is none."""
    try:
        return ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return None


# Distinct addresses at a time whose pseudonyms are remembered: one of IPv6 takes half a millisecond.
ADDRESSES_REMEMBERED = 10_000


class Pseudonyms:
    """Pseudonyms under a secret key of 32 bytes. keeps_prefixes: addresses that begin alike have pseudonyms that do, as long; raises ImportError where
    yacryptopan is missing."""

    def __init__(self, key, keeps_prefixes=False):
        self._key = key
        self._hosts = []
        self._prefix_preserving = _prefix_preserving(key) if keeps_prefixes else None

    def _word(self, kind, original):
        digest = hmac.new(
            self._key, f"{kind}\0{original}".encode("utf-8", "surrogateescape"), hashlib.sha256
        ).hexdigest()
        return f"{kind}-{digest[:10]}"

    def capture(self, name):
        return self._word("capture", name)

    def text(self, original):
        return self._word("text", original)

    def address(self, original):
        """An address, or the name that stands for one."""
        address = _address(original)
        if address and self._prefix_preserving:
            return self._prefix_preserving(address.compressed)
        return self._word(f"ipv{address.version}", address.compressed) if address else self._word("host", original)

    def addresses_in(self, text):
        """Text with pseudonyms for addresses, and for the names of hosts of the association taken last."""
        for host in self._hosts:
            text = text.replace(host, self.address(host))
        return ADDRESS.sub(lambda match: self.address(match[0]) if _address(match[0]) else match[0], text)

    def _detail(self, kind, detail):
        """What an ABORT or ERROR says after the name of its cause came from the peer."""
        if detail is None or kind not in OF_PEER:
            return detail and self.addresses_in(detail)
        cause, colon, said = detail.partition(": ")
        if not CAUSE.fullmatch(cause):
            return self.text(detail)
        return f"{cause}: {self.text(said)}" if colon else cause

    def capture_words(self, capture):
        """Replaces the addresses in the filter of a capture of the JSON, in what was asserted of it and in its refused INITs, in place."""
        capture["filter"] = capture["filter"] and self.addresses_in(capture["filter"])
        for name in ("taken_at", "endpoint_parameters"):
            capture["asserted"][name] = [self.addresses_in(text) for text in capture["asserted"][name]]
        for init in capture["refused_inits"]:
            for name in ("source", "destination", "reporter"):
                init[name] = self.address(init[name])

    def association(self, assoc):
        """Replaces in an association of the JSON, in place."""
        names = [name for end in assoc["endpoints"] for name in end["addresses"]]
        names += [
            name
            for path in assoc["paths"]
            for name in (path["destination"], *(pair["source"] for pair in path["pairs"]))
            if name
        ]
        self._hosts = sorted({name for name in names if not _address(name)}, key=len, reverse=True)
        for end in assoc["endpoints"]:
            end["addresses"] = [self.address(name) for name in end["addresses"]]
        for path in assoc["paths"]:
            path["destination"] = path["destination"] and self.address(path["destination"])
            for pair in path["pairs"]:
                pair["source"] = pair["source"] and self.address(pair["source"])
        for direction in assoc["directions"]:
            for pause in direction["pauses"]["list"] if direction["pauses"] else ():
                pause["destination"] = pause["destination"] and self.address(pause["destination"])
            for handover in direction["handovers"] or ():
                for key in ("source", "to_source"):
                    handover[key] = handover[key] and self.address(handover[key])
        for event in assoc["events"]:
            event["detail"] = self._detail(event["kind"], event["detail"])
        for finding in assoc["findings"] or []:
            for part in ("expected", "seen"):
                finding[part] = finding[part] and self.addresses_in(finding[part])
        if assoc["abort"]:
            said = assoc["abort"]
            said["cause_text"] = said["cause_text"] and self.text(said["cause_text"])
            said["cause_contents"] = said["cause_contents"] and self.addresses_in(said["cause_contents"])
        for event in assoc["application"]["events"] if assoc["application"] else ():
            event["event"] = self.addresses_in(event["event"])
