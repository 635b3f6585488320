# SPDX-License-Identifier: GPL-2.0-or-later
"""Triage of many captures: tshark with the plugin on each, then NDJSON, CSV and one HTML report of all.

Knows no SCTP of its own: what it says of associations is what `-z sctp,json` and `-z sctp,series` print (docs/reports.md).
"""
