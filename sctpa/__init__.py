# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of ./run that are written in Python: a package each, named as the command (check also has compare, matrix and explain, sequence is
--sequence and --follow). What several of them share lies beside these packages.
"""
