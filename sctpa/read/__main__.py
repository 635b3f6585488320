# SPDX-License-Identifier: GPL-2.0-or-later
"""./run CAPTURE: reports of captures, or Wireshark with one. Leaves each of that to the module of its name."""

import os
import sys

from sctpa import interrupts
from sctpa.arguments import STATUS_NOT_READ, STATUS_READ
from sctpa.tshark import Failed, Host

from . import arguments
from .said import say


def _report(chosen):
    """The exit status. Raises Failed."""
    host = Host.from_environment(())
    chosen.captures = chosen.captures or [os.environ["SCTPA_DEMO"]]
    if told := os.environ.get("SCTPA_TOLD"):
        say(told)
    if chosen.keys:
        from . import keys

        chosen.options.append(keys.option(host, chosen.keys))
    if chosen.gui:
        from . import window

        window.become(host, chosen)
    from .reading import Reader

    reader = Reader(host, chosen.reports, chosen.options)
    if chosen.sequence or len(chosen.captures) > 1:
        from . import ring
    if chosen.sequence:
        return STATUS_READ if ring.report(reader, chosen.captures, chosen.follow) else STATUS_NOT_READ
    if len(chosen.captures) > 1:
        ring.hint(chosen.captures)
    are_whole = [reader.capture(name) for name in chosen.captures]
    return STATUS_READ if all(are_whole) else STATUS_NOT_READ


def _open_all():
    """Where the caller closed a standard file, none of ours may take its place."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


def main():
    _open_all()
    chosen = arguments.parse(sys.argv[1:])
    interrupts.heed()
    try:
        return _report(chosen)
    except Failed as error:
        say(str(error))
        return error.status
    except interrupts.Interrupted as interrupted:
        return interrupted.status
    except Exception as error:
        if not (text := interrupts.shortage(error)):
            raise
        say(text)
        return STATUS_NOT_READ


if __name__ == "__main__":
    sys.exit(main())
