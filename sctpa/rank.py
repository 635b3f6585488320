# SPDX-License-Identifier: GPL-2.0-or-later
"""Which associations are the worst: in the order of `-z sctp,triage`, as far as the JSON tells. Leaves showing them to the commands."""

import heapq

FAILED = ("abort", "failed", "refused", "no_answer", "not_closed", "restarted")
QUIET_EVENTS = {"setup", "shutdown", "abort"}
BY_APPLICATION = "aborted by the application"
CLASSES = (
    *FAILED,
    "MUST violated",
    BY_APPLICATION,
    "window closed",
    "path or other trouble",
    "retransmissions",
    "SHOULD violated",
    "probably violated",
    "open",
    "shutdown",
)


def resent(assoc):
    """Retransmissions of both directions."""
    return sum(sum(direction["retransmissions"].values()) for direction in assoc["directions"])


def levels(assoc):
    """How many rules of level MUST and SHOULD were violated, which is proven; and how many of either only probably. Counted per endpoint."""
    words = [(finding["level"], finding["certainty"]) for finding in assoc["findings"] or []]
    return (
        words.count(("MUST", "proven")),
        words.count(("SHOULD", "proven")),
        words.count(("MUST", "probable")) + words.count(("SHOULD", "probable")),
    )


def counts(finding):
    """Does it affect a verdict?"""
    return finding["level"] != "heuristic" and finding["certainty"] != "possible"


def _is_by_application(assoc):
    return assoc["abort"] is not None and assoc["abort"]["by_application"]


def rank(assoc):
    """(class, -weight): sorts the worst first. A failed association is worse the more rules it violated; one that its application
    aborted did not fail."""
    must, should, probable = levels(assoc)
    zero_windows = sum(direction["zero_windows"] for direction in assoc["directions"])
    trouble = sum(event["kind"] not in QUIET_EVENTS for event in assoc["events"])
    sent_again = resent(assoc)
    if assoc["end"] in FAILED and not _is_by_application(assoc):
        return FAILED.index(assoc["end"]), -must
    for name, weight in (
        ("MUST violated", must),
        (BY_APPLICATION, _is_by_application(assoc)),
        ("window closed", zero_windows),
        ("path or other trouble", trouble),
        ("retransmissions", sent_again),
        ("SHOULD violated", should),
        ("probably violated", probable),
    ):
        if weight:
            return CLASSES.index(name), -weight
    return CLASSES.index("open" if assoc["end"] == "open" else "shutdown"), 0


def likeness(assoc):
    """Associations alike in this are the same trouble over again: how they ended, which rules were violated by which stacks, and how
    bad they are otherwise."""
    rules = sorted(
        {(finding["rule"], stack(assoc, finding["accused"])) for finding in assoc["findings"] or [] if counts(finding)}
    )
    return f"{rank(assoc)[0]} {assoc['end']} {rules}"


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
