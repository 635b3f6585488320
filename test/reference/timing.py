"""Round-trip times as the tap sees them: one TSN at a time per path, by Karn's rule, and heartbeats.

Where the definitions leave a choice: a TSN that is first seen after a higher one may have been sent before, unseen, and is not timed; only
the first transmission of a TSN at all starts a timing, not the first one to another path,
and none is started for a TSN that is acknowledged already; abandoning the timed TSN ends the timing without a sample; each copy of a
HEARTBEAT_ACK that the network made gives a sample."""


class DataTimer:
    """One direction's DATA. The paths are destination addresses."""

    def __init__(self):
        self.timed = {}     # path -> (tsn, time_ns of its transmission)

    def sent(self, entry):
        """After a transmission of the Tsn was added."""
        _, time_ns, path = entry.transmissions[-1]
        if len(entry.transmissions) > 1:
            self._stop({entry.tsn})
        elif path not in self.timed and not entry.was_acked and not entry.is_behind:
            self.timed[path] = (entry.tsn, time_ns)

    def acked(self, entries, time_ns):
        """The samples in ns that an acknowledgement of these Tsns ends."""
        return [time_ns - start for start in self._stop({entry.tsn for entry in entries})]

    def abandoned(self, entries):
        self._stop({entry.tsn for entry in entries})

    def _stop(self, tsns):
        ended = [path for path, (tsn, _) in self.timed.items() if tsn in tsns]
        return [self.timed.pop(path)[1] for path in ended]


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
