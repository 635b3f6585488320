# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures made of thin air, each with the truth about its associations.

An own writer instead of scapy: a million packets take seconds, not an hour, and every byte, also a wrong one, is chosen here.
Only the standard library is used, and of this project the files and the checksum of sctpa/, which the plugin does not read. Nothing is shared with
the plugin or with test/lab.

    crc32c   the checksum          chunks   chunks, parameters, causes      packet   headers around them, down to the link
    pcapng   the files             conversation    steps of two ends             merge    many associations into one capture, truth
    association   two endpoints and what they say, packet by packet
    cases*   one function per case compare  what tshark said against the truth
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3]))
