# SPDX-License-Identifier: GPL-2.0-or-later
"""Has the job of each capture done that is not done yet. Leaves what a job does to capture_job.py, the processes to sctpa/workers.py."""

from sctpa.workers import KILLED

from . import capture_job


def read(pool, job, found, progress):
    """Reads every capture that is not done. Says what cannot be read; returns the heads that are not kept, by key: they are to be
    tried again by the next run. Memory: about 0.5 kB for each of those."""
    lost = {}

    def told(capture, head, count):
        if head["message"]:
            progress.say(f"{capture.name}: {head['message']}")
        for note in head["notes"]:
            progress.say(note)
        count(capture.size)

    def to_do():
        for capture in found:
            key = job.key(capture)
            if capture.fault:
                lost[key] = capture_job.blank_head(job, capture, capture.fault)
                told(capture, lost[key], progress.skip)
            elif (head := job.folder.head(key)) is not None and not head["again"]:
                told(capture, head, progress.skip)
            else:
                yield job, capture

    for (_, capture), head in pool.run(capture_job.read, to_do()):
        head = head or capture_job.blank_head(job, capture, KILLED)
        kept = job.folder.head(job.key(capture))
        if kept is None or kept["message"] != head["message"]:
            lost[job.key(capture)] = head
        told(capture, head, progress.add)
    return lost
