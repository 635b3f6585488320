# SPDX-License-Identifier: GPL-2.0-or-later
"""What ./run says of a capture in one line: what tshark wrote on stderr, and what its report shows. Leaves running it to reading.py."""

import os
import re
import subprocess

from sctpa import arguments
from sctpa.arguments import COMMAND, STATUS_PLUGIN, STATUS_USAGE
from sctpa.tshark import Failed

CHANGED = "changed while it was read; the report covers what was there"
CUT = "cut short in the middle of a packet; the report covers what is there"
NO_CAPTURE = "is not a capture file that Wireshark understands"
NOISE = re.compile("Running as user|.*save preferences to remove| *$")
# What refuses a word of ours, rather than the capture, or is about the file.
TELLING = re.compile(
    r"^Invalid -z|is invalid|-o flag|cut short|capture file|; nothing is asserted$|; every rule is judged$"
)
NOT_LOADED = re.compile(r"Couldn't load plugin|plugin .* (?:was|has|in multiple)")
NO_SCTP = re.compile(rb'^Contents: +0 SCTP packets|"sctp_packets": ?0,', re.M)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def say(text):
    """One line on stderr. Names of captures have ? for what a terminal would obey."""
    arguments.say(CONTROL.sub("?", text))


def _lines(text):
    return [
        line.removeprefix("tshark: ") for line in text.splitlines() if not NOISE.match(line.removeprefix("tshark: "))
    ]


def _check_plugin(lines):
    """Raises Failed where tshark does not know the first of our preferences: it has not loaded the plugin."""
    at = next((n for n, line in enumerate(lines) if line.startswith('-o flag "sctp_analysis.capture_name:')), None)
    if at is None:
        return
    cause = next((line for line in lines[:at] if NOT_LOADED.search(line)), None)
    if cause is None:
        version = subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=False).stdout
        cause = version.partition("\n")[0]
    series = os.environ.get("SCTPA_SERIES", "")
    raise Failed(STATUS_PLUGIN, f"tshark did not load the plugin, built for Wireshark {series}: {cause}")


def _check_usage(message):
    """Raises Failed where tshark refuses what it was called with."""
    refused = None
    if message.startswith("Invalid -z argument "):
        listed = f" ({COMMAND} --help lists the reports)" if message.startswith('Invalid -z argument "sctp,') else ""
        refused = message.partition("; it must be")[0] + listed
    elif message.startswith("Couldn't register ") and "is invalid - " in message:
        refused = f"the filter is not valid: {message.partition('is invalid - ')[2]}"
    elif "-o flag " in message:
        refused = message
    elif message.endswith(("; nothing is asserted", "; every rule is judged")):
        refused = message.rpartition("; ")[0]
    if refused:
        raise Failed(STATUS_USAGE, refused)


def explain(name, entry, status, text, begin, has_changed):
    """Says in one line what went wrong with a capture, if anything; whether it was read to its end. entry: what tshark calls it, name: what we do;
    text: what tshark wrote on stderr; begin: of its report. Raises Failed where no capture can be read so."""
    lines = _lines(text)
    _check_plugin(lines)
    message = next((line for line in lines if TELLING.search(line)), lines[0] if lines else "")
    if has_changed and begin and not re.search("-[zo] ", message):
        say(f"{name}: {CHANGED}")
        return False
    _check_usage(message)
    # Of a pipe that holds no capture 4.6 says the former: then there is no report.
    if "cut short in the middle of a packet" in message or "isn't a capture file" in message:
        say(f"{name}: {CUT if begin else NO_CAPTURE}")
        return False
    message = message.replace(f'"{entry}"', f'"{name}"')
    if status == 0:
        if message:
            say(f"{name}: {message}")
        if NO_SCTP.search(begin):
            say(f"{name}: has no SCTP packets")
        return True
    if status < 0:
        message = f"tshark ended by signal {-status}" + (f" ({message})" if message else "")
    say(f"{name}: {message or f'tshark ended with status {status} and gave no cause'}")
    return False
