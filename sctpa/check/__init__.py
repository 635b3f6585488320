# SPDX-License-Identifier: GPL-2.0-or-later
"""Conformance as a gate: ./run check, compare, explain and matrix, over what `-z sctp,json` and `-z sctp,rules` print (docs/ci.md).

Knows no SCTP of its own: findings, fingerprints and which rules had an occasion are the plugin's. tshark is run by sctpa/tshark.py.
"""
