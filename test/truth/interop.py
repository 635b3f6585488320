# SPDX-License-Identifier: GPL-2.0-or-later
"""Linux against usrsctp: what the kernel's trace does not explain was sent by usrsctp."""

import linux
import usrsctp


def kinds(folder, end, seen):
    """The retransmissions of this end with their truth. `seen`: their evidence."""
    by_kernel = linux.kinds(folder, end, seen)
    by_usrsctp = usrsctp.kinds(folder, end, seen)
    return [other if one.truth == "undecided" else one for one, other in zip(by_kernel, by_usrsctp)]
