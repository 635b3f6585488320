# SPDX-License-Identifier: GPL-2.0-or-later
"""Which associations are the worst, in the order of `-z sctp,triage`, as the JSON says. Leaves showing them to the commands."""

import heapq


def resent(assoc):
    """Retransmissions of both directions."""
    return sum(sum(direction["retransmissions"].values()) for direction in assoc["directions"])


def levels(assoc):
    """How many rules of level MUST and SHOULD were violated, which is proven; and how many of either only probably. Counted per endpoint."""
    return tuple(assoc["violations"][name] for name in ("must", "should", "probable"))


def counts(finding):
    """Does it affect a verdict?"""
    return finding["affects_verdict"]


def rank(assoc):
    """(place, -weight): sorts the worst first."""
    return assoc["rank"]["place"], -assoc["rank"]["weight"]


def stack(assoc, end):
    """The implementation that an endpoint seems to be; None when nothing says."""
    known = None if end is None else assoc["endpoints"][end]["stack"]
    return known and known["name"]


class Worst:
    """The worst of what is offered, `most` of them, the worst first; memory is bounded by it."""

    def __init__(self, most):
        self._most, self._heap, self._count = most, [], 0

    def offer(self, order, what):
        """order: as rank(); of equals the first offered are kept."""
        self._count += 1
        entry = (tuple(-part for part in order), -self._count, what)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        elif self._heap and entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def __iter__(self):
        return (what for _, _, what in sorted(self._heap, key=lambda entry: entry[:2], reverse=True))

    def orders(self):
        """(order, what), the worst first."""
        return [
            (tuple(-part for part in order), what)
            for order, _, what in sorted(self._heap, key=lambda entry: entry[:2], reverse=True)
        ]


class Varied:
    """Of what is offered the worst `alike` of each kind, so that one trouble of a thousand captures does not hide the others.
    Memory: `kinds` times `alike` entries; what is of no kind among the first `kinds` shares one."""

    def __init__(self, alike, kinds):
        self._alike, self._kinds_max, self._kinds = alike, kinds, {}

    def offer(self, order, what, like):
        if like not in self._kinds and len(self._kinds) >= self._kinds_max:
            like = None
        self._kinds.setdefault(like, Worst(self._alike)).offer(order, what)

    def __iter__(self):
        """(kind, what), the worst first."""
        kept = [(order, like, what) for like, kind in self._kinds.items() for order, what in kind.orders()]
        return ((like, what) for _, like, what in sorted(kept, key=lambda entry: entry[0]))
