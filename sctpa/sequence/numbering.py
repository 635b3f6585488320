# SPDX-License-Identifier: GPL-2.0-or-later
"""Which interface of a later file is which one of an earlier file. Leaves how a file describes them to sctpa/pcapng.py."""

import collections

from sctpa import pcapng


class Numbering:
    """One numbering for the interfaces of all files. known: these, by their numbers; of_file: the number of each interface of the file, in its order.
    Memory: that of the interfaces that differ, and a number for each of the file at hand."""

    def __init__(self):
        self.known = []
        # By description as bytes, whose hashes nobody can foresee, unlike those of numbers.
        self._alike = {}
        self.begin_file()

    def begin_file(self):
        """A file, or a section of one, begins: its interfaces are counted from 0 again."""
        self.of_file = []
        self._named, self._passed = set(), collections.Counter()

    def number(self, interface):
        """The number of an interface that is in no file, and whether it is new. O(1)."""
        alike = self._alike.setdefault(pcapng.description(interface), [])
        return (alike[0], False) if alike else (self._new(interface, alike), True)

    def _new(self, interface, alike):
        alike.append(len(self.known))
        self.known.append(interface)
        return alike[-1]

    def _first_not_named(self, key):
        """Of those described alike that this file has not named yet; None. Each is passed once a file."""
        alike = self._alike[key]
        while self._passed[key] < len(alike) and alike[self._passed[key]] in self._named:
            self._passed[key] += 1
        return alike[self._passed[key]] if self._passed[key] < len(alike) else None

    def add(self, interface):
        """Takes the next interface of the file into of_file. Is it new? Else it is the one of the same number where that is described alike, or the
        first one described alike that this file has not named yet. O(1), amortised over the interfaces of the file."""
        own, key = len(self.of_file), pcapng.description(interface)
        alike = self._alike.setdefault(key, [])
        is_own = own < len(self.known) and own not in self._named and pcapng.description(self.known[own]) == key
        number = own if is_own else self._first_not_named(key)
        is_new = number is None
        if is_new:
            number = self._new(interface, alike)
        self._named.add(number)
        self.of_file.append(number)
        return is_new
