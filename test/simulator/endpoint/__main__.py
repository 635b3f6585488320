# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists the decisions of an endpoint that a deviation can replace: file, method and the first sentence of what it says of itself.

    python3 -m simulator.endpoint [TEXT]        in the folder test; only rows with this text

Leaves out whether replacing one makes sense: that is deviation.py's.
"""

import inspect
import sys

from .association import Association
from .endpoint import Endpoint


def decisions():
    """(file, method, first sentence) of every method with a docstring, in the order of the classes."""
    rows = []
    for owner in Association.__mro__[:-1] + Endpoint.__mro__[:-1]:
        for name, method in vars(owner).items():
            if inspect.isfunction(method) and method.__doc__ and not name.startswith("__"):
                sentence = " ".join(method.__doc__.split()).split(". ")[0].rstrip(".")
                rows.append((inspect.getmodule(owner).__name__.rsplit(".", 1)[-1], name, sentence))
    return rows


def main():
    text = sys.argv[1].lower() if len(sys.argv) > 1 else ""
    for row in decisions():
        line = "{:22} {:38} {}".format(*row)
        if text in line.lower():
            print(line)


if __name__ == "__main__":
    main()
