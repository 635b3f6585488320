# SPDX-License-Identifier: GPL-2.0-or-later
"""./run triage: finds the captures, has them read, writes what people take away. Leaves each of that to the module of its name."""

import importlib.util
import os
import pathlib
import sys
import traceback

from sctpa import captures, interrupts
from sctpa.arguments import IS_INSTALLED, STATUS_NOT_READ, STATUS_PLUGIN, STATUS_READ, STATUS_USAGE, say
from sctpa.names import cause
from sctpa.tshark import Failed, Host

from . import arguments, selection
from .results import Folder

OURS = pathlib.Path(__file__).parent
READERS = (OURS.parent, OURS, OURS.parent / "sequence")


def _plural(count, noun):
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _read(pool, job, found):
    from . import batch, progress

    shown = progress.begin(len(found), sum(capture.size for capture in found))
    try:
        return batch.read(pool, job, found, shown)
    finally:
        shown.close()


def _report(pool, job, found, lost, sections):
    from sctpa import rule_table
    from . import outputs, overview, report

    counted = overview.Overview(sections)

    def complain(capture, message):
        say(f"{capture.name}: {message}")

    with job.folder.writing(
        lambda: say(f"{job.folder.path}: another run is writing its results there; waiting for it")
    ):
        failed = outputs.write(job, found, lost, counted, complain)
        chosen = counted.chosen()
        report.make_plots(pool, job, found, chosen, complain)
        report.write(job, found, counted, chosen, rule_table.ask(job.host) if counted.rules else {})
    say(
        f"{_plural(counted.captures['all'], 'capture')}, {failed:,} not read to the end; {_plural(counted.sums['associations'], 'association')}, "
        f"{_plural(len(chosen), 'section')}: {job.folder.path / 'report.html'}"
    )
    return failed


def _find(chosen, host):
    """(captures, how many folders could not be listed); says what was left out. Raises OSError when the list of captures cannot be read."""
    from sctpa.sequence import grouping

    listed, together = captures.listed(chosen.files_from) if chosen.files_from else ([], {})
    found, others, complaints = captures.find(chosen.captures + listed, chosen.out)
    for error in complaints:
        say(f"{error.filename}: {cause(error)}")
    if others:
        say(f"left out {_plural(others, 'file')} that look like no capture")
    if found and chosen.sequence:
        found = grouping.grouped(found, host.as_user, together)
    return found, len(complaints)


def _list_unread(job, found):
    """Prints the captures that a run would read: their files, each behind a NUL, and a NUL after each capture."""
    for capture in found:
        if not capture.fault and job.folder.head(job.key(capture)) is None:
            sys.stdout.buffer.write(
                b"".join(os.fsencode(file.path) + b"\0" for file in capture.parts or (capture,)) + b"\0"
            )
    sys.stdout.buffer.flush()


def _job(chosen, host, folder):
    """The Job of what was asked for; makes the folder. Raises OSError when that is not possible."""
    from . import capture_job

    folder.make()
    folder.clear_unfinished()
    secret = folder.secret() if chosen.anonymise else None
    engine = host.engine(*READERS) + (f" {secret.hex()}" if secret else "")
    engine += " prefixes" * chosen.keep_prefixes
    engine += f" {selection.key(chosen.selection)}" if chosen.selection.words() else ""
    return capture_job.Job(host, folder, engine, chosen.timeout, secret, chosen.selection, chosen.keep_prefixes)


def _triage(chosen):
    from sctpa import workers

    host = Host.from_environment(chosen.options)
    if chosen.keep_prefixes and not importlib.util.find_spec("yacryptopan"):
        folder, then = (
            ("FOLDER", "with FOLDER in PYTHONPATH") if IS_INSTALLED else ("build/python", "in the folder of ./run")
        )
        say(f"--keep-prefixes needs the Python package yacryptopan: pip install --target {folder} yacryptopan, {then}")
        return STATUS_PLUGIN
    try:
        found, complaints = _find(chosen, host)
    except OSError as error:
        say(_complaint(error, chosen.files_from))
        return STATUS_USAGE
    if not found:
        say("no captures in what was named")
        return STATUS_NOT_READ
    host.check()
    try:
        job = _job(chosen, host, Folder(chosen.out))
    except OSError as error:
        say(_complaint(error, chosen.out))
        return STATUS_USAGE
    if chosen.list_unread:
        _list_unread(job, found)
        return STATUS_NOT_READ if complaints else STATUS_READ
    pool = workers.Pool(chosen.jobs)
    lost = _read(pool, job, found)
    if chosen.report:
        failed = _report(pool, job, found, lost, chosen.sections)
    else:
        failed = sum(
            (lost.get(job.key(capture)) or job.folder.head(job.key(capture)) or {"message": ""})["message"] is not None
            for capture in found
        )
    return STATUS_NOT_READ if failed or complaints else STATUS_READ


def _complaint(error, out):
    """What an OSError says, of the file or folder that it names, else of the folder of results."""
    name = error.filename if isinstance(error.filename, str) and os.path.isabs(error.filename) else out
    return f"{name}: {cause(error)}"


def main():
    chosen = arguments.parse(sys.argv[1:])
    interrupts.heed()
    try:
        return _triage(chosen)
    except Failed as error:
        say(str(error))
        status = error.status
    except OSError as error:
        say(interrupts.shortage(error) or _complaint(error, chosen.out))
        status = STATUS_NOT_READ
    except interrupts.Interrupted as interrupted:
        say("interrupted; the same call goes on from here")
        status = interrupted.status
    except Exception as error:
        if text := interrupts.shortage(error):
            say(f"{text}; the same call goes on from here")
        else:
            traceback.print_exc()
        status = STATUS_NOT_READ
    # Without waiting for what the workers are reading.
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main())
