# SPDX-License-Identifier: GPL-2.0-or-later
"""One queue of events in integer nanoseconds, and the streams of random numbers of a simulation.

Leaves out everything that knows packets: a callback is called at its time, that is all.
"""

import heapq
import random

MICROSECOND_NS = 1_000
MILLISECOND_NS = 1_000_000
SECOND_NS = 1_000_000_000


class Timer:
    """A callback that waits for its time."""

    __slots__ = ("time_ns", "callback", "arguments")

    def __init__(self, time_ns, callback, arguments):
        self.time_ns = time_ns
        self.callback = callback
        self.arguments = arguments

    @property
    def is_running(self):
        """Neither called nor cancelled yet."""
        return self.callback is not None

    def cancel(self):
        """Never calls the callback; cancelling what ran or was cancelled does nothing."""
        self.callback = None


class Simulation:
    """Time, events, random streams and running numbers of one simulation; the seed determines all of it."""

    def __init__(self, seed):
        """seed: an integer or a text."""
        self.seed = seed
        self.now_ns = 0
        self._queue = []
        self._order = 0
        self._randoms = {}
        self._numbers = {}

    def at(self, time_ns, callback, *arguments):
        """Calls callback(*arguments) at time_ns, or now if that is past. Of one time, first asked for is first called."""
        timer = Timer(max(time_ns, self.now_ns), callback, arguments)
        self._order += 1
        heapq.heappush(self._queue, (timer.time_ns, self._order, timer))
        return timer

    def after(self, delay_ns, callback, *arguments):
        """Calls callback(*arguments) delay_ns from now."""
        return self.at(self.now_ns + delay_ns, callback, *arguments)

    def random(self, name):
        """The random.Random of that name: the same numbers on every run of the seed, whatever other streams are drawn from."""
        stream = self._randoms.get(name)
        if stream is None:
            stream = self._randoms[name] = random.Random(f"{self.seed}/{name}")
        return stream

    def number(self, name):
        """0, 1, 2, ... of that name."""
        number = self._numbers.get(name, 0)
        self._numbers[name] = number + 1
        return number

    def run(self, until_ns=None, events_max=None):
        """Calls what is due, in order, up to until_ns (included) or for events_max events. True: nothing is left that is due by then."""
        queue = self._queue
        events = 0
        while queue and (until_ns is None or queue[0][0] <= until_ns):
            timer = queue[0][2]
            if timer.callback is None:
                heapq.heappop(queue)
                continue
            if events_max is not None and events >= events_max:
                return False
            time_ns, _, timer = heapq.heappop(queue)
            self.now_ns = time_ns
            callback, timer.callback = timer.callback, None
            callback(*timer.arguments)
            events += 1
        if until_ns is not None:
            self.now_ns = max(self.now_ns, until_ns)
        return True
