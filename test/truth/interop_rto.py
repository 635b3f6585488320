# SPDX-License-Identifier: GPL-2.0-or-later
"""Samples of Linux against usrsctp: the kernel's from its trace, usrsctp's from its tables."""

import linux_rto
import usrsctp_rto
from samples import Samples


def samples(folder, end):
    kernel, other = linux_rto.samples(folder, end), usrsctp_rto.samples(folder, end)
    if not kernel.samples or not other.samples:
        return other if other.samples else kernel
    return Samples(kernel.samples + other.samples, linux_rto.TICK_S)
