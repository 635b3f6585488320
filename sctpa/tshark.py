# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tshark with the plugin, as the user ./run chose, and says in one line what went wrong.

./run tells by the environment: SCTPA_AS_USER (the words that start a command as that user), SCTPA_HOME (an empty folder of that
user), SCTPA_LINKS (a folder of the caller's that this user may enter), SCTPA_PLUGINS, SCTPA_CONFIG. Leaves what is printed to its callers.
"""

import concurrent.futures
import contextlib
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import threading
from typing import NamedTuple

from . import whole_files
from .arguments import STATUS_NOT_READ
from .names import NO_FILE, NO_PERMISSION

REFUSED = re.compile(r"^-z sctp,series,(\d+): (?:association|the capture)")
NOT_LOADED = ('-o flag "sctp_analysis.capture_name:', 'Invalid -z argument "sctp,')
FILTER_REFUSED = re.compile(r"Couldn't register sctp,\w+ tap: .*? is invalid - (.*)")
# What the plugin says of a preference that it does not understand, and what it does then.
NOT_TAKEN = ("; nothing is asserted", "; every rule is judged")
SUFFIX = re.compile(r"(?:\.[A-Za-z0-9]{1,8}){0,2}\Z")
NOISE = re.compile(r"^Running as user|save preferences to remove|^ *$|^Warning: program compiled against")
SETTINGS = (
    "preferences",
    "sctp_analysis_auth_keys",
    "hosts",
    "subnets",
    "disabled_protos",
    "enabled_protos",
    "heuristic_protos",
    "decode_as_entries",
)


# What we start ends when we are killed, whatever it is at.
ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL")
# Of what tshark says about a file: these are about what it holds, all else about the moment.
OF_CONTENTS = re.compile("cut short|isn't a capture file|damaged or corrupt|decompress|support")
OF_THE_MOMENT = {"doesn't exist": NO_FILE, "don't have permission": NO_PERMISSION}

_running = set()
_starting = threading.Lock()


def end_all():
    """Kills what this process has started and not waited for, and lets it start nothing more: call it right before the end, in a thread of
    its own where the main thread may be about to start something."""
    _starting.acquire()
    for process in list(_running):
        process.kill()


class Failed(Exception):
    """No capture can be read: the plugin does not load, a preference is wrong. status: what ./run ends with."""

    def __init__(self, status, message):
        # Both are arguments, so that it can go from a worker to its parent.
        super().__init__(status, message)
        self.status, self.message = status, message

    def __str__(self):
        return self.message


def as_user():
    """The words that start a command as the user who runs tshark."""
    return tuple(os.environ.get("SCTPA_AS_USER", "").split())


class Outcome(NamedTuple):
    """How a run ended. message: None when the capture was read to its end; final: asking again would say the same; is_ours: the
    message holds nothing from the capture or of its name; notes: what is odd about the files of a capture that several hold; was_killed: there is no
    whole report."""

    message: str | None
    final: bool
    is_ours: bool = True
    notes: tuple = ()
    was_killed: bool = False


class Host(NamedTuple):
    """Who runs tshark, where, with what."""

    as_user: tuple
    home: str
    links: str
    plugins: str
    config: str
    options: tuple

    @classmethod
    def from_environment(cls, options):
        names = ("SCTPA_HOME", "SCTPA_LINKS", "SCTPA_PLUGINS", "SCTPA_CONFIG")
        if any(name not in os.environ for name in names):
            raise Failed(3, f"started without ./run: {', '.join(names)} are not all set")
        return cls(as_user(), *(os.environ[name] for name in names), tuple(options))

    def _environment(self):
        # TMPDIR is ours.
        ours = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
        return {
            **ours,
            "LC_ALL": "C.UTF-8",
            "HOME": self.home,
            "WIRESHARK_CONFIG_DIR": self.config,
            "WIRESHARK_PLUGIN_DIR": self.plugins,
        }

    def start(self, arguments, stdin, stderr):
        """tshark as a process whose standard output is a pipe. A terminal's interrupt does not reach it: it would end with a report of what
        it has read as if that were all."""
        return subprocess.Popen(
            [*self.as_user, *ENDS_WITH_US, "tshark", *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=self.home,
            env=self._environment(),
            start_new_session=True,
        )

    def may_read(self, path):
        """False for a file that only the caller, root, can read."""
        return (
            not self.as_user
            or subprocess.run([*self.as_user, "test", "-r", path], check=False, cwd="/").returncode == 0
        )

    def engine(self, *readers):
        """What results depend on besides the capture: plugin, the programs that read what it prints, Wireshark, options, settings. Keys go into a hash only.
        readers: the folders of these programs."""
        digest = hashlib.sha256(repr(self.options).encode("utf-8", "surrogateescape"))
        programs = sorted(file for folder in readers for file in folder.glob("*.py"))
        for file in [*sorted(pathlib.Path(self.plugins).glob("*/epan/sctp_analysis.so")), *programs]:
            digest.update(file.read_bytes())
        for name in SETTINGS:
            file = pathlib.Path(self.config) / name
            digest.update(file.read_bytes() if file.is_file() else b"-")
        version = subprocess.run(["tshark", "--version"], capture_output=True, check=False, cwd="/").stdout.split(
            b"\n"
        )[0]
        return digest.hexdigest() + version.decode("utf-8", "replace")

    def check(self):
        """Raises Failed when tshark refuses the options or does not load the plugin."""
        with tempfile.TemporaryFile() as messages:
            process = self.start([*self.preferences(), "-G", "currentprefs"], subprocess.DEVNULL, messages)
            process.communicate()
            messages.seek(0)
            complain(messages.read().decode("utf-8", "replace"))

    def preferences(self):
        # The first tells whether the plugin is there.
        return ["-o", "sctp_analysis.capture_name:", *(word for option in self.options for word in ("-o", option))]


def complain(text):
    lines = [line.removeprefix("tshark: ") for line in text.splitlines() if not NOISE.search(line)]
    if any(line.startswith(NOT_LOADED) for line in lines):
        cause = next(
            (each for each in lines if re.search(r"Couldn't load plugin|plugin .* (was|has|in multiple)", each)),
            "no cause given",
        )
        raise Failed(3, f"tshark did not load the plugin: {cause}")
    for line in lines:
        if refused := FILTER_REFUSED.match(line):
            raise Failed(2, f"the filter is not valid: {refused[1]}")
        if line.endswith(NOT_TAKEN):
            raise Failed(2, line.rpartition(";")[0])
        if re.match("(Invalid )?-o flag ", line):
            # The value may be a key: only the name of the preference is said.
            name = re.search(r'-o flag "([^":]*(?::[^":]*)?)', line)
            raise Failed(
                2,
                f"-o flag \"{name[1].split(':')[0] if name else ''}...\" is not a preference that tshark takes with this value",
            )


class Run:
    """tshark on one capture: `stdout` to read, then outcome(). Ended after timeout_s. prints_packets: those that arguments ask for, with -T; feed:
    a sequence.grouping.Feed that writes the capture, which no file holds."""

    def __init__(self, host, path, arguments, timeout_s, prints_packets=False, feed=None):
        self._stack = contextlib.ExitStack()
        self._messages = self._stack.enter_context(tempfile.TemporaryFile())
        stdin, self._source, self._feed = subprocess.DEVNULL, "-", feed
        self._is_complete = "sctp_analysis.capture_complete:TRUE" in host.options
        if feed:
            stdin, arguments = subprocess.PIPE, [*self._tell_files(host), *arguments]
        elif host.may_read(path):
            self._source = self._link(host, path)
        else:
            stdin = self._stack.enter_context(open(path, "rb"))
        words = [*["-q"] * (not prints_packets), "-r", self._source, *host.preferences(), *arguments]
        with _starting:
            self.process = host.start(words, stdin, self._messages)
            _running.add(self.process)
        self.stdout = self.process.stdout
        if feed:
            feeder = self._stack.enter_context(concurrent.futures.ThreadPoolExecutor(1))
            self._fed = feeder.submit(self._copy)
        self._timeout_s, self._late = timeout_s, False
        self._timer = threading.Timer(timeout_s, self._give_up)
        self._timer.daemon = True
        self._timer.start()

    def _copy(self):
        with whole_files.naming(self._kept.name):
            self._feed.copy(self.process.stdin, self._kept)

    def _open_folder(self, host):
        """A folder that the user of tshark may enter, as long as the run lasts."""
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(dir=host.links))
        os.chmod(folder, 0o755)
        return folder

    def _tell_files(self, host):
        """Words that tell the plugin where the table of the files will be."""
        table = os.path.join(self._open_folder(host), "files")
        self._kept = self._stack.enter_context(open(table, "wb", buffering=0))
        os.chmod(table, 0o644)
        # Of what is known to lack files nobody can assert that it is complete.
        return [
            "-o",
            f"sctp_analysis.capture_files:{table}",
            *["-o", "sctp_analysis.capture_complete:FALSE"] * self._feed.lacks_files(),
        ]

    def _link(self, host, path):
        """Another name of the capture, which says nothing: tshark repeats it in its messages, and a capture's may look like any of them.
        The suffix stays, since tshark tries the formats of that suffix first."""
        folder = self._open_folder(host)
        link = os.path.join(folder, "capture" + SUFFIX.search(path)[0])
        os.symlink(path, link)
        return link

    def _give_up(self):
        self._late = True
        self.process.kill()

    def lines(self):
        """What tshark wrote on stderr so far, one line each."""
        # Not by seek: tshark writes by the same position.
        text = os.pread(self._messages.fileno(), 1 << 16, 0).decode("utf-8", "replace")
        return [line.removeprefix("tshark: ") for line in text.splitlines() if not NOISE.search(line)]

    def refused_series(self):
        """Numbers of associations that the capture has not."""
        return {int(match[1]) for line in self.lines() if (match := REFUSED.search(line))}

    def drain(self):
        """Reads what is left, so that tshark ends by itself."""
        while self.stdout.read(1 << 20):
            pass

    def end(self):
        """Waits for the end of a further run over a capture, of which it is known how it can be read. Raises Failed where this one did not get so far."""
        outcome = self.outcome()
        if not outcome.final:
            raise Failed(STATUS_NOT_READ, outcome.message)

    def outcome(self):
        """Waits for the end; what came of it."""
        self.stdout.close()
        status = self.process.wait()
        _running.discard(self.process)
        self._timer.cancel()
        if self._feed:
            self._fed.result()
        lines = [line for line in self.lines() if not REFUSED.search(line)]
        refused = bool(self.refused_series())
        self._stack.close()
        if self._late:
            return Outcome(f"given up after {self._timeout_s} s", False, was_killed=True)
        complain("\n".join(lines))
        outcome = _explain(status, [line.replace(f'The file "{self._source}"', "it") for line in lines], refused)
        if self._feed is None:
            return outcome
        return outcome._replace(
            message=outcome.message or self._feed.message(),
            final=outcome.final and not self._feed.may_fare_better(),
            notes=self._feed.notes(self._is_complete),
        )


def _explain(status, lines, refused):
    message = next((line for line in lines if re.search("cut short|capture file", line)), lines[0] if lines else None)
    if message and "cut short in the middle of a packet" in message:
        return Outcome("cut short in the middle of a packet; the report covers what is there", True)
    if message and "isn't a capture file" in message:
        return Outcome("is not a capture file that Wireshark understands", True)
    if message and "damaged or corrupt" in message:
        return Outcome(
            "is damaged or corrupt" + "".join(f" {line}" for line in lines[1:2] if line.startswith("(")), True, False
        )
    if message and (gone := next((words for pattern, words in OF_THE_MOMENT.items() if pattern in message), None)):
        return Outcome(gone, False)
    if status == 0 or (status == 1 and refused and not lines):
        return Outcome(None, True)
    if status < 0 or status > 128:
        return Outcome(f"tshark ended by signal {-status if status < 0 else status - 128}", False, was_killed=True)
    final = bool(message and OF_CONTENTS.search(message))
    return Outcome(message or f"tshark ended with status {status} and gave no cause", final, not message)
