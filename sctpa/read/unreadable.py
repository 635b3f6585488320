# SPDX-License-Identifier: GPL-2.0-or-later
"""Why a file cannot be read, before tshark is asked. Leaves what the file holds to tshark."""

import os
import stat

from sctpa.names import NO_FILE, NO_PERMISSION


def unreadable_cause(path, wanted="capture"):
    """What keeps us from reading the file, which should be a capture; None: nothing."""
    try:
        state = os.stat(path)
    except PermissionError:
        return NO_PERMISSION
    except (OSError, ValueError):
        return NO_FILE
    if stat.S_ISDIR(state.st_mode):
        return f"is a folder, not a {wanted}"
    if not os.access(path, os.R_OK):
        return NO_PERMISSION
    return "is empty (0 bytes)" if stat.S_ISREG(state.st_mode) and not state.st_size else None
