# SPDX-License-Identifier: GPL-2.0-or-later
"""`./run watch`: reports on SCTP as it passes. What is worth reporting the plugin's -z sctp,watch decides; here is where packets come from, and who is told."""
