# SPDX-License-Identifier: GPL-2.0-or-later
"""Congestion control: what a young association sends near the tap, in fragments of 1,400 bytes."""

from generate import chunks
from mutations import breaks
from continuation import MS, Continuation

SIZE = 1400


class Transfer(Continuation):
    """TSNs count from 0; two of them are a message."""

    def __init__(self, editor):
        super().__init__(editor, where=lambda association: association.is_single(), is_young=True)
        self.base, self.made = self.tsn[self.near], []
        editor.deny_partial(self.association)

    def new(self, packets):
        for _ in range(packets):
            flags = chunks.END if len(self.made) % 2 else chunks.BEGIN
            self.made.append(self.chunk(self.near, size=SIZE, flags=flags))
            self.send(self.near, self.made[-1])
        return self

    def again(self, number, **options):
        return self.send(self.near, self.made[number], **options)

    def acks(self, cum, *gaps, gap_ns=None):
        """gaps: first and last TSN."""
        gaps = [(first - cum, last - cum) for first, last in gaps]
        return self.send(self.far, chunks.sack(self.base + cum, self.a_rwnd[self.far], gaps), gap_ns=gap_ns)

    def acks_all(self, below=0):
        return self.acks(len(self.made) - 1 - below)

    def grown(self):
        """Four packets, then three for each SACK."""
        self.new(4)
        for _ in range(6):
            self.acks_all(2).new(3)
        return self.acks_all()

    def lose(self, reports=3):
        """Ten packets, of which the first is lost, as SACKs report: its number."""
        lost = len(self.made)
        self.new(10)
        self.reports(lost, range(1, reports + 1), MS)
        return lost

    def reports(self, lost, lasts, gap_ns):
        for last in lasts:
            self.acks(lost - 1, (lost + 1, lost + last), gap_ns=None if last == 1 else gap_ns)
        return self


@breaks("CC-001")
def ten_packets_at_once(editor):
    return Transfer(editor).new(10).near


@breaks("CC-002")
def all_behind_the_first_sack(editor):
    return Transfer(editor).new(3).acks(1).new(30).near


@breaks("CC-003")
def two_packets_by_the_timer(editor):
    transfer = Transfer(editor).grown().new(1)
    return transfer.again(-1, gap_ns=1100 * MS).new(1).wait(60 * MS).acks_all().near


@breaks("CC-005")
def sent_again_at_the_first_report(editor):
    transfer = Transfer(editor).grown()
    for _ in range(2):
        transfer.again(transfer.lose(1)).acks_all()
        transfer.new(1).wait(60 * MS).acks_all()
    return transfer.near


@breaks("CC-007")
def sent_again_at_every_report(editor):
    transfer = Transfer(editor).grown()
    for _ in range(3):
        lost = transfer.lose()
        transfer.again(lost).reports(lost, (4, 5, 6), MS).again(lost).acks_all()
    return transfer.near
