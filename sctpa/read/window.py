# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark with one capture. ./run has its windows find the plugin."""

import os
import shutil

# What ./run told us, and nobody else.
OURS = (
    "PYTHONPATH",
    *(f"SCTPA_{name}" for name in ("AS_USER", "HOME", "LINKS", "PLUGINS", "CONFIG", "SERIES", "DEMO", "TOLD")),
)


def _of_another_user(host, path, environment):
    """The capture, and what it takes to open a window, for a user that is not root. The path to open."""
    state, work = os.stat(host.home), os.path.dirname(host.home)
    environment |= {"HOME": host.home, "XDG_RUNTIME_DIR": host.home}
    authority = os.environ.get("XAUTHORITY") or os.path.join(os.environ.get("HOME", ""), ".Xauthority")
    copies = [(authority, "Xauthority")] * os.access(authority, os.R_OK)
    if not host.may_read(path):
        copies.append((path, os.path.basename(path)))
    for source, name in copies:
        made = os.path.join(work, name)
        shutil.copyfile(source, made)
        os.chmod(made, 0o600)
        os.chown(made, state.st_uid, state.st_gid)
        if source == path:
            path = made
        else:
            environment["XAUTHORITY"] = made
    return path


def become(host, chosen):
    """Wireshark in place of this process. Raises OSError."""
    path = os.path.abspath(chosen.captures[0])
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    if before := environment.pop("SCTPA_PYTHONPATH", ""):
        environment["PYTHONPATH"] = before
    if os.geteuid() == 0:
        path = _of_another_user(host, path, environment)
    words = [word for option in chosen.options for word in ("-o", option)]
    words += ["-Y", chosen.filter] if chosen.filter else []
    command = [*host.as_user, "wireshark", *words, "-r", path]
    os.execvpe(command[0], command, environment)
