# SPDX-License-Identifier: GPL-2.0-or-later
"""All cases by name. A case is a function of a random.Random that returns a merge.Case; equal seeds give equal bytes."""

import random

from . import cases_copies, cases_icmp, cases_many, cases_missing, cases_paths, cases_setup
from .merge import Case

CASES = {
    name.replace("case_", ""): function
    for module in (cases_many, cases_missing, cases_setup, cases_paths, cases_copies, cases_icmp)
    for name, function in vars(module).items()
    if name.startswith("case_")
}


def make(name, seed=1) -> Case:
    """The case `name`; seed decides tags, TSNs and everything else that is random in its packets."""
    case = CASES[name](random.Random(f"{name} {seed}"))
    case.name = name
    return case
