# SPDX-License-Identifier: GPL-2.0-or-later
"""./run report: one association for somebody else to verify, as a page, a capture of the evidence, and text for an issue tracker.

Leaves many captures to sctpa/triage and the gate to sctpa/check.
"""
