# SPDX-License-Identifier: GPL-2.0-or-later
"""A timer of an endpoint: T1-init, T3-rtx, SACK, ...; what became of it goes to the truth.

Leaves out what is done when it expires: that is its callback's.
"""


class EndpointTimer:
    """Named; started and stopped any number of times. owner: an Association."""

    __slots__ = ("owner", "name", "path", "callback", "_timer", "started_ns", "expires_ns", "rto_ns")

    def __init__(self, owner, name, callback, path=None):
        self.owner = owner
        self.name = name
        self.path = path
        self.callback = callback
        self._timer = None
        self.started_ns = self.expires_ns = self.rto_ns = None

    @property
    def is_running(self):
        return self._timer is not None

    def start(self, delay_ns, rto_ns=None):
        """Expires after delay_ns; one that runs is restarted. rto_ns: the RTO that the delay follows from, for the truth."""
        self.stop()
        simulation = self.owner.simulation
        self.started_ns = simulation.now_ns
        self.expires_ns = self.started_ns + self.owner.timer_delay_ns(self.name, self.path, delay_ns)
        self.rto_ns = rto_ns
        self._timer = simulation.at(self.expires_ns, self._expire)

    def stop(self):
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self.record("cancelled")

    def _expire(self):
        self._timer = None
        self.record("expired")
        self.callback() if self.path is None else self.callback(self.path)

    def record(self, result):
        """For the truth. result: expired, cancelled, running (at the end of the run)."""
        self.owner.record(
            "timer", name=self.name, path=None if self.path is None else self.path.address, started_ns=self.started_ns, expires_ns=self.expires_ns,
            rto_ns=self.rto_ns, result=result,
        )  # fmt: skip
