# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGTERM, SIGINT and SIGHUP as an exception, so that what is open is closed and the program says how it ends. Also what to say when
the system gives no more. Leaves ending to the caller."""

import errno
import signal

SHORT = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal came. status: what the program ends with, as a shell has it."""

    def __init__(self, number):
        super().__init__(number)
        self.status = 128 + number


def _raise(number, _):
    # The end has begun: a second one must not come amid it. Of one that has come already, Python would say that it is ignored.
    for each in SIGNALS:
        signal.signal(each, lambda *_: None)
    raise Interrupted(number)


def heed():
    """Has these signals raise Interrupted in the main thread from now on; SIGHUP not where it is ignored, as by nohup."""
    for each in SIGNALS:
        if each != signal.SIGHUP or signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, _raise)


def shortage(error):
    """What an exception says in one line where the system, not we, could go no further; None: it is a defect of ours, or says so itself."""
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, OSError) and error.errno in SHORT:
        return f"the system gives no more: {error.strerror.lower()}"
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "the system starts no more threads for this user"
    from concurrent.futures.process import BrokenProcessPool

    # Of the process that starts the workers.
    if isinstance(error, (EOFError, BrokenPipeError, BrokenProcessPool)):
        return "the system starts no more processes, or killed one that reads captures"
    return None
