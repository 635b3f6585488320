# SPDX-License-Identifier: GPL-2.0-or-later
"""A scenario whose packets pass at given seconds, and what the first screen says of it."""

from application_messages import ScenarioBuilder
from generate import chunks
from report_text import triage_of


class TimedScenario(ScenarioBuilder):
    """Packets pass at the seconds since the last packet of the set-up; TSNs count from 0. `frames` is the number of the last one."""

    def __init__(self, paths=1, near_ns=100_000, far_ns=20_000_000, params=(b"", b""), **options):
        addresses = [[f"10.{10 * end + path}.0.{end + 1}" for path in range(paths)] for end in (0, 1)]
        super().__init__(addresses=addresses, near_ns=near_ns, far_ns=far_ns, **options)
        listed = [b"".join(map(chunks.address, end.addresses)) for end in self.ends] if paths > 1 else params
        self.set_up(params=listed)
        self.now_ns = 0

    @property
    def frames(self):
        return len(self.flow.items)

    def at(self, seconds, sender, *parts, path=0, **options):
        """A packet at so many seconds; returns its frame."""
        time_ns = round(seconds * 10**9)
        self.send(sender, *parts, source=path, destination=path, gap_ns=time_ns - self.now_ns, **options)
        self.now_ns = time_ns
        return self.frames

    def tsn(self, sender, number):
        return self.ends[sender].initial_tsn + number & 0xFFFFFFFF

    def data_at(self, seconds, sender, *numbers, path=0, size=100, **options):
        return self.at(seconds, sender, *(chunks.data(self.tsn(sender, number), bytes(size), ssn=number) for number in numbers), path=path, **options)

    def sack_at(self, seconds, sender, number, path=0, gaps=(), duplicates=(), a_rwnd=131072, **options):
        """Of the data that the other endpoint sent."""
        return self.at(seconds, sender, chunks.sack(self.tsn(1 - sender, number), a_rwnd, gaps=gaps,
                                                    duplicates=[self.tsn(1 - sender, one) for one in duplicates]), path=path, **options)

    def heartbeat_at(self, seconds, sender, path=0, after=None):
        info = round(seconds * 1000).to_bytes(8, "big")
        frame = self.at(seconds, sender, chunks.heartbeat(info), path=path)
        if after is not None:
            self.at(seconds + after, 1 - sender, chunks.heartbeat_ack(info), path=path)
        return frame


def page_of(tshark, folder, scenario):
    """The triage report in one line."""
    scenario.write_capture(folder / "capture.pcapng")
    return triage_of(tshark, folder / "capture.pcapng")
