# SPDX-License-Identifier: GPL-2.0-or-later
"""Round-trip times as the tap sees them: one TSN at a time per path, by Karn's rule, and heartbeats.

A sender whose retransmission timer runs out sends something again (RFC 9260 6.3.3). Where it sends nothing again for longer, it had an
acknowledgement that the capture lacks, and the one that is there measures nothing. How long the timer is, only the sender knows: within
1 s (RTO.Min, section 16) it never runs out here; beyond half as much again as by 6.3.1, or as twice the wait before a retransmission since the
last sample, it has; between the two the sample is UNKNOWN.

Where the definitions leave a choice: a TSN that is first seen after a higher one may have been sent before, unseen, and is not timed; only
the first transmission of a TSN at all starts a timing, not the first one to another path,
and none is started for a TSN that is acknowledged already; abandoning the timed TSN ends the timing without a sample; each copy of a
HEARTBEAT_ACK that the network made gives a sample."""


import collections

UNKNOWN = object()
MIN_NS, INITIAL_NS, MAX_NS = 10**9, 3 * 10**9, 60 * 10**9   # RTO.Min, RTO.Max of RFC 9260; RTO.Initial of RFC 4960, the longer one


class RetransmissionTimer:
    """T3-rtx of one path, as late as it can have been started."""

    def __init__(self):
        self.started_ns = self.again_ns = 0
        self.srtt_ns = self.rttvar_ns = None
        self.backed_off_ns = 0      # after a retransmission
        self.is_unsure = False      # the plugin may time another TSN than the reference

    def start(self, time_ns):
        self.started_ns = time_ns

    def again(self, time_ns):
        """Something was sent again: perhaps by this timer."""
        self.backed_off_ns = 2 * max(self._rto_ns(), time_ns - self.started_ns)
        self.started_ns = self.again_ns = time_ns

    def measured(self, sample_ns):
        if self.srtt_ns is None:
            self.srtt_ns, self.rttvar_ns = sample_ns, sample_ns / 2
        else:
            self.rttvar_ns += (abs(self.srtt_ns - sample_ns) - self.rttvar_ns) / 4
            self.srtt_ns += (sample_ns - self.srtt_ns) / 8
        if self.started_ns > self.again_ns:     # until then it runs as long as it was set to
            self.backed_off_ns = 0

    def _rto_ns(self):
        return INITIAL_NS if self.srtt_ns is None else max(MIN_NS, self.srtt_ns + 4 * self.rttvar_ns)

    def has_run_out(self, time_ns):
        """True, False or UNKNOWN."""
        waited_ns = time_ns - self.started_ns
        if waited_ns <= MIN_NS:
            return False
        return True if waited_ns > 1.5 * min(max(self._rto_ns(), self.backed_off_ns), MAX_NS) else UNKNOWN


class DataTimer:
    """One direction's DATA. The paths are destination addresses."""

    def __init__(self):
        self.timed = {}     # path -> (tsn, time_ns of its transmission)
        self.timers = collections.defaultdict(RetransmissionTimer)
        self.gone_on_in = 0     # frame: what was sent before it was acknowledged, the capture does not show when

    def sent(self, entry, was_idle):
        """After a transmission of the Tsn was added. was_idle: nothing was outstanding on its path before."""
        _, time_ns, path = entry.transmissions[-1]
        if len(entry.transmissions) > 1:
            self._stop({entry.tsn})
            for changed in {path, entry.transmissions[-2][2]}:
                self.timers[changed].again(time_ns)
        elif not entry.was_acked:
            self._sent_first(entry, self.timers[path], was_idle)

    def _sent_first(self, entry, timer, was_idle):
        _, time_ns, path = entry.transmissions[-1]
        if was_idle:
            timer.start(time_ns)
            timer.is_unsure = False
        elif not entry.is_behind:
            self._goes_on(entry, timer)
        if path not in self.timed and not entry.is_behind:
            self.timed[path] = (entry.tsn, time_ns)

    def _goes_on(self, entry, timer):
        """New data instead of what the timer would send again."""
        frame, time_ns, path = entry.transmissions[-1]
        has_run_out = timer.has_run_out(time_ns)
        if has_run_out is UNKNOWN:
            timer.is_unsure = True
        elif has_run_out:
            self.timed.pop(path, None)
            self.gone_on_in = frame
            timer.start(time_ns)

    def acked(self, entries, covered, time_ns):
        """The samples in ns that an acknowledgement of these Tsns ends; covered: those that the cum TSN passes."""
        samples = [self._sample(self.timers[path], time_ns, start) for path, start in self._stop({entry.tsn for entry in entries})]
        for entry in covered:
            self.timers[entry.transmissions[-1][2]].start(time_ns)
        return [sample for sample in samples if sample is not None]

    def longest(self, entries, time_ns):
        """How long the oldest of these Tsns, which were sent once and are acknowledged now, waited for it, None: none did."""
        waited = []
        for frame, sent_ns, path in (entry.transmissions[0] for entry in entries):
            has_run_out = self.timers[path].has_run_out(time_ns)
            if has_run_out is UNKNOWN or self.timers[path].is_unsure:
                return UNKNOWN
            if not has_run_out and frame >= self.gone_on_in:
                waited.append(time_ns - sent_ns)
        return max(waited, default=None)

    def _sample(self, timer, time_ns, start_ns):
        has_run_out = timer.has_run_out(time_ns)
        if has_run_out is UNKNOWN or timer.is_unsure:
            return UNKNOWN
        if has_run_out:
            return None
        timer.measured(time_ns - start_ns)
        return time_ns - start_ns

    def restart(self, time_ns):
        """COOKIE ECHO or COOKIE ACK: DATA bundled with the former waits for its answer, not for a timer of its own."""
        for timer in self.timers.values():
            timer.start(time_ns)

    def abandoned(self, entries):
        self._stop({entry.tsn for entry in entries})

    def _stop(self, tsns):
        ended = [path for path, (tsn, _) in self.timed.items() if tsn in tsns]
        return [(path, self.timed.pop(path)[1]) for path in ended]


class HeartbeatTimer:
    """Both ends of an association."""

    def __init__(self):
        self.sent_ns = {}       # (sender, content) -> time of the last HEARTBEAT

    def sample(self, heartbeat, sender, time_ns):
        """The sample in ns of a HEARTBEAT_ACK, else None."""
        if not heartbeat.is_ack:
            self.sent_ns[sender, heartbeat.info] = time_ns
            return None
        start = self.sent_ns.get((1 - sender, heartbeat.info))
        return None if start is None else time_ns - start
