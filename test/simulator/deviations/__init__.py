# SPDX-License-Identifier: GPL-2.0-or-later
"""The rows of deviations, one file a subject. Leaves out how they are put into an endpoint: deviation.py."""
