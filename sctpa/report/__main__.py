# SPDX-License-Identifier: GPL-2.0-or-later
"""./run report: has a capture read, writes the three files. Leaves each of that to the module of its name."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

from sctpa import captures, interrupts, safe_paths, tshark, whole_files
from sctpa.arguments import STATUS_NOT_READ, STATUS_PLUGIN, STATUS_READ, asserted, say, show
from sctpa.names import cause, safe_text
from sctpa.tshark import Failed, Host

try:
    from . import arguments, case, joined, ladder, packets, page
    from .anonymised import Anonymised
except ModuleNotFoundError as error:
    # ./run installs what is missing; the windows start this without it.
    say(f"the Python package {error.name} is not installed; in Debian it is in python3-{error.name}")
    sys.exit(STATUS_PLUGIN)


def _step(chosen, text):
    if chosen.progress:
        say(f"step: {text}")


def _join(chosen, folder):
    """(the files of a sequence as one Capture, whether each was read to its end)."""
    _step(chosen, "joining the files")
    one = joined.write(chosen.captures, folder, tshark.as_user())
    for message in one.messages:
        say(message)
    if chosen.complete and one.has_gap:
        say("the capture is incomplete; --complete is ignored")
        chosen.complete = False
    if not chosen.anonymise:
        chosen.settings.append(f"sctp_analysis.capture_files:{one.files}")
    return one.capture, one.is_whole


def _settle(chosen):
    """The options for tshark, and those that commands in the report repeat. Returns the Anonymised, None unless asked for."""
    anonymised = Anonymised() if chosen.anonymise else None
    options = chosen.options + asserted(chosen)
    chosen.shown_options = [anonymised.option(option) for option in options] if anonymised else options
    settings = [anonymised.option(option) for option in chosen.settings] if anonymised else chosen.settings
    # User data that is zero is no message.
    chosen.options = [f"sctp_analysis.messages:{'FALSE' if anonymised else 'TRUE'}", *settings, *chosen.shown_options]
    return anonymised


def _write(chosen, host, capture):
    """Writes the three files about a capture; returns the Case and what the pages show."""
    out = pathlib.Path(chosen.out).absolute()
    _step(chosen, "reading the capture")
    read = case.read(host, capture, chosen.association, chosen.timeout)
    safe_paths.made_folder(out)
    _step(chosen, f"listing the packets of association {read.number}")
    found = case.packets_of(host, capture.path, read.number, chosen.timeout)
    with contextlib.ExitStack() as stack:
        folder = safe_paths.folder(out)
        stack.callback(os.close, folder)
        # All three take their names when all are whole.
        issue, html, pcapng = (
            stack.enter_context(whole_files.written_in(folder, out / name))
            for name in ("issue.md", "report.html", "evidence.pcapng")
        )
        evidence, rows = packets.write(
            host,
            capture.path,
            read.assoc,
            found,
            pcapng,
            chosen.timeout,
            lambda text: _step(chosen, text),
            lambda path, frames: ladder.rows(host, path, frames, read.capture["start_epoch_s"] or 0, chosen.timeout),
        )
        _step(chosen, "writing the page")
        facts = page.Facts(read, evidence, found, rows, chosen, capture)
        for file, text in ((html, page.html(facts)), (issue, page.markdown(facts))):
            file.write(text.encode("utf-8", "backslashreplace"))
        for file in (issue, html, pcapng):
            file.flush()
    return read, facts


def _report(chosen):
    with tempfile.TemporaryDirectory(dir=Host.from_environment([]).links) as folder:
        os.chmod(folder, 0o755)
        if not chosen.sequence and os.path.isdir(chosen.captures[0]):
            raise Failed(STATUS_NOT_READ, f"{chosen.captures[0]}: is a folder, not a capture")
        original, is_whole = (
            _join(chosen, folder) if chosen.sequence else (captures.find(chosen.captures, os.devnull)[0][0], True)
        )
        if original.fault:
            raise Failed(STATUS_NOT_READ, f"{original.name}: {original.fault}")
        anonymised = _settle(chosen)
        host = Host.from_environment(chosen.options)
        host.check()
        if anonymised:
            _step(chosen, "anonymising the capture")
        try:
            capture, message = (
                anonymised.capture(host, original, folder, chosen.timeout) if anonymised else (original, None)
            )
            read, facts = _write(chosen, host, capture)
        except Failed as error:
            raise Failed(error.status, f"{original.name}: {error}") from error
    changed = captures.CHANGED if captures.changed(original) else None
    message = changed or message or read.message
    if message:
        say(f"{original.name}: {message}")
    lacking = f"; read alone it lacks {', '.join(facts.lacking)}" if facts.lacking else ""
    show(
        safe_text(
            f"{chosen.out}: report.html, issue.md, and evidence.pcapng with {len(facts.evidence.frames):,} packets of association {read.number}{lacking}"
        )
        + "\n"
    )
    return STATUS_NOT_READ if message or not is_whole else STATUS_READ


def main():
    chosen = arguments.parse(sys.argv[1:])
    interrupts.heed()
    try:
        return _report(chosen)
    except Failed as error:
        say(str(error))
        return error.status
    except OSError as error:
        say(interrupts.shortage(error) or f"{error.filename or chosen.out}: {cause(error)}")
        return STATUS_NOT_READ
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        say(said[-1] if said else f"editcap ended with status {error.returncode} and gave no cause")
        return STATUS_NOT_READ
    except interrupts.Interrupted as interrupted:
        say("interrupted")
        tshark.end_all()
        os._exit(interrupted.status)
    except Exception as error:
        if not (text := interrupts.shortage(error)):
            raise
        say(text)
        return STATUS_NOT_READ


if __name__ == "__main__":
    sys.exit(main())
