# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the task of each capture in worker processes. A worker that is killed costs nobody else's result.

The workers are concurrent.futures'. Leaves what a task does to those who call it, other machines to docs/commands.md.
"""

import concurrent.futures
import contextlib
import functools
import multiprocessing
import os
import signal
import threading
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver, resource_tracker

from . import interrupts, tshark, whole_files

# How long a worker without a task may take to end.
END_S = 5
_stderr = threading.RLock()
KILLED = "the process that read it was killed (out of memory?)"


def _end():
    tshark.end_all()
    whole_files.drop_all()
    os._exit(1)


def _end_beside(*_):
    """The main thread, where signals are handled, may be starting a tshark."""
    threading.Thread(target=_end).start()


def _watch_parent():
    """A worker whose parent was killed or interrupted would wait for ever, and its tshark go on."""

    def watch():
        multiprocessing.parent_process().join()
        _end()

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_beside)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _unheard():
    """Context in which what is started takes over a stderr that nobody reads."""
    with _stderr:
        ours, none = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(none, 2)
            yield
        finally:
            os.dup2(ours, 2)
            os.close(ours)
            os.close(none)


def _hush():
    """Has what multiprocessing starts beside the workers, now and again when it was killed, say nothing, nor the workers: where the system gives no more, or
    one was killed, they would print tracebacks, and we say it in a line. What a task raises reaches us otherwise."""
    for module, of_module in (
        (resource_tracker, resource_tracker._resource_tracker),
        (forkserver, forkserver._forkserver),
    ):
        of_module.ensure_running = module.ensure_running = _unheard()(
            functools.partial(type(of_module).ensure_running, of_module)
        )
    threading.excepthook = lambda ended: interrupts.shortage(ended.exc_value) or threading.__excepthook__(ended)


class Pool:
    """At most `jobs` processes, and twice as many tasks handed out: memory does not grow with the number of captures."""

    def __init__(self, jobs):
        self._jobs = jobs
        self._pool = None
        self._in_hand = {}

    def _submit(self, task, arguments):
        if self._pool is None:
            _hush()
            self._pool = concurrent.futures.ProcessPoolExecutor(
                self._jobs, multiprocessing.get_context("forkserver"), _watch_parent
            )
        self._in_hand[self._pool.submit(task, *arguments)] = arguments

    def _drop(self):
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        # One that was killed while it took a task from the queue keeps the others from it for ever.
        for worker in multiprocessing.active_children():
            worker.join(END_S)
            worker.kill()

    def _alone(self, task, arguments):
        """The result, or None when the process was killed again, or had no memory left, this time surely by this task."""
        self._submit(task, arguments)
        (future,) = self._in_hand
        self._in_hand.clear()
        try:
            return future.result()
        except MemoryError:
            return None
        except BrokenProcessPool:
            self._drop()
            return None

    def _finished(self, task):
        done, _ = concurrent.futures.wait(self._in_hand, return_when=concurrent.futures.FIRST_COMPLETED)
        suspects = []
        for future in done:
            arguments = self._in_hand.pop(future)
            try:
                yield arguments, future.result()
            except (BrokenProcessPool, MemoryError):
                suspects.append(arguments)
        if suspects:
            suspects += self._in_hand.values()
            self._in_hand.clear()
            self._drop()
            for arguments in suspects:
                yield arguments, self._alone(task, arguments)

    def _rest(self, task):
        """All in hand as they end, and then the workers."""
        while self._in_hand:
            yield from self._finished(task)
        if self._pool is not None:
            self._drop()

    def run(self, task, all_arguments):
        """(arguments, result) of task(*arguments) as they end; the result is None when its process was killed. What a task raises
        is raised here. Interrupted, it does not wait for the tasks in hand: they end with this process."""
        try:
            for arguments in all_arguments:
                while len(self._in_hand) >= 2 * self._jobs:
                    yield from self._finished(task)
                try:
                    self._submit(task, arguments)
                except BrokenProcessPool:
                    # A worker was killed since the last of them was asked how it ended.
                    yield from self._rest(task)
                    self._submit(task, arguments)
            yield from self._rest(task)
        except BaseException:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
            raise
