# SPDX-License-Identifier: GPL-2.0-or-later
"""All statements of the plugin about one scenario of the lab that its truth decides. Leaves out kinds of retransmission, round trips and RTO (compare)."""

import endings
import expiries
import head_of_line
import losses
import truth

SOURCES = expiries, endings, losses, head_of_line
KINDS = "timer", "ending", "lost", "lost before the tap", "spurious", "given up", "head-of-line delay"


def of(tshark, folder):
    """statement.Statement of all its taps."""
    return [statement for tap in truth.taps(folder) for source in SOURCES for statement in source.statements(tshark, folder, tap)]
