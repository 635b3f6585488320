# SPDX-License-Identifier: GPL-2.0-or-later
"""Two SCTP endpoints that run over a network whose every fate is known: captures with the truth beside them.

Written from the clauses of the RFCs; no part of the plugin is read or called. Leaves out what the kernel of a real host does beside SCTP.
"""
