# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGTERM and SIGINT as an exception, so that what is open is closed and the program says how it ends. Leaves ending to the caller."""

import signal


class Interrupted(BaseException):
    """A signal came. status: what the program ends with, as a shell has it."""

    def __init__(self, number):
        super().__init__(number)
        self.status = 128 + number


def _raise(number, _):
    raise Interrupted(number)


def heed():
    """Has both signals raise Interrupted in the main thread from now on."""
    signal.signal(signal.SIGTERM, _raise)
    signal.signal(signal.SIGINT, _raise)
