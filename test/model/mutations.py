# SPDX-License-Identifier: GPL-2.0-or-later
"""The register of mutations: each breaks one rule in one place of a real capture, and leaves the rest as it was.

A mutation takes a PacketEditor, changes it and returns the number of the end that broke the rule, or raises NoPlace when the capture holds no place
for it. causes: rules whose MUST or SHOULD findings are true consequences of the breach. Those of a chapter stand in chapters/<chapter>.py.
"""

import collections

import chapters

Mutation = collections.namedtuple("Mutation", "rule mutate causes")
ALL = []


def breaks(rule, causes=()):
    def register(mutate):
        ALL.append(Mutation(rule, mutate, frozenset(causes)))
        return mutate
    return register


def load():
    chapters.modules()
    return ALL
