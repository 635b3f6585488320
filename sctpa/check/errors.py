# SPDX-License-Identifier: GPL-2.0-or-later
"""How ./run check and its kin end: the statuses, and wrong usage that shows only when files or rules are read."""

STATUS_NOTHING_NEW, STATUS_VIOLATIONS, STATUS_USAGE, STATUS_NOT_JUDGED = range(4)


class WrongUsage(Exception):
    """An option, or a file that one names, is wrong: one line says why."""
