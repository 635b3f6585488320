# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests share: tshark with the plugin as a user Wireshark accepts, captures, versions.

Leaves out building (test/run) and everything that knows SCTP.
"""

import collections
import fcntl
import functools
import hashlib
import os
import pathlib
import pickle
import shutil
import signal
import stat
import subprocess
import tempfile

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent
PLUGINS = pathlib.Path(os.environ.get("SCTPA_PLUGIN_DIR", TOP / "build" / "release" / "plugins"))
CAPTURES = TOP / "test" / "captures"
MORE_CAPTURES = pathlib.Path(os.environ.get("SCTPA_CAPTURES") or "/nonexistent").resolve()
NOBODY = 65534


def pytest_configure(config):
    """Names the marks; those that need SCTPA_CAPTURES run alone by pytest -m more_captures.

    Temporary folders lie in /tmp/sctpa-pytest.*, open to the user tshark runs as; pytest's own are closed to it. SIGINT and SIGHUP are heeded, also
    in what tests start, where who ran them had these ignored: a shell in the background, nohup. Workers, which may be threads beside the main one,
    have them from the process that starts them."""
    if not hasattr(config, "workerinput"):
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    config.addinivalue_line("markers", "thorough: takes long, or its like is tested without the mark: runs with test/run --all, or where it is selected")
    config.addinivalue_line("markers", "thorough_but_one_in(share, never=part): of the tests of this function, see mark_thorough")
    config.addinivalue_line("markers", "more_captures: needs captures that are no part of the project: the folder that SCTPA_CAPTURES names")
    if config.option.basetemp is None:
        config.stash_folder = tempfile.mkdtemp(prefix="sctpa-pytest.", dir="/tmp")
        os.chmod(config.stash_folder, 0o755)
        config.option.basetemp = os.path.join(config.stash_folder, "base")


def pytest_unconfigure(config):
    if hasattr(config, "stash_folder"):
        shutil.rmtree(config.stash_folder, ignore_errors=True)


def mark_thorough(items):
    """Gives the mark to those that thorough_but_one_in(SHARE, never=PART) leaves out of the tests of one function: all but one in SHARE, the same ones
    each time, and all with PART in their names."""
    seen = collections.Counter()
    for item in items:
        for mark in item.iter_markers("thorough_but_one_in"):
            never = mark.kwargs.get("never")
            if never and never in item.name:
                item.add_marker(pytest.mark.thorough)
                continue
            function = item.path, item.originalname
            if seen[function] % mark.args[0]:
                item.add_marker(pytest.mark.thorough)
            seen[function] += 1


def pytest_collection_modifyitems(items):
    """A test with an argument below SCTPA_CAPTURES bears the mark, too; without that folder those marked are skipped."""
    mark_thorough(items)
    for item in items:
        values = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if any(str(MORE_CAPTURES) in str(value) for value in values):
            item.add_marker(pytest.mark.more_captures)
        elif item.get_closest_marker("more_captures") and not MORE_CAPTURES.is_dir():
            item.add_marker(pytest.mark.skip(reason="needs captures that are no part of the project (SCTPA_CAPTURES)"))


@pytest.fixture(scope="session", autouse=True)
def open_base_folder(tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    while folder.name and folder.parent != pathlib.Path("/tmp"):
        os.chmod(folder, 0o755)
        folder = folder.parent


@pytest.fixture
def tmp_path(tmp_path):
    """pytest's, but tshark may read and write there."""
    os.chmod(tmp_path, 0o777)
    return tmp_path


def unprivileged():
    """The start of a command line that Wireshark loads plugins under."""
    if os.geteuid() and os.getegid():
        return []
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def is_open(path):
    """True when every user can read the file, its folders included."""
    return bool(path.stat().st_mode & stat.S_IROTH) and all(
        folder.stat().st_mode & stat.S_IXOTH for folder in path.resolve().parents
    )


class Tshark:
    """Runs tshark; one per session. `folder` is readable and writable for tshark's user, `shared` one of all sessions of the run."""

    def __init__(self, folder, shared=None):
        self.folder = folder
        self.shared = shared or folder
        self.home = folder / "home"
        self.none = folder / "no_plugins"
        self.with_plugin = folder / "plugins"
        self.home.mkdir()
        self.none.mkdir()
        os.chmod(self.home, 0o777)
        if PLUGINS.exists():
            shutil.copytree(PLUGINS, self.with_plugin)
            subprocess.run(["chmod", "-R", "a+rX", self.with_plugin], check=True)
        self._copies = {}

    def __call__(self, *arguments, plugin=True, timeout=300, program="tshark", stdin=None, stdout=subprocess.PIPE, text=True, environment=None):
        """Run `tshark arguments...`; returns subprocess.CompletedProcess (stdout, stderr, returncode).

        A file that tshark's user cannot read is passed as a copy of the same name. `plugin=False` runs without the
        plugin, `program` another program of Wireshark's; `text=False` gives bytes.
        """
        if plugin and not list(self.with_plugin.glob("*/epan/*.so")):
            pytest.fail(f"no plugin in {PLUGINS}: run `./run --build`")
        variables = {
            **os.environ,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "HOME": str(self.home),
            "WIRESHARK_PLUGIN_DIR": str(self.with_plugin if plugin else self.none),
            **(environment or {}),
        }
        for name in ("WIRESHARK_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
            variables.pop(name, None)
        return subprocess.run(
            [*unprivileged(), program, *map(self._readable, arguments)],
            stdin=stdin or subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=variables,
            cwd=self.home,
            timeout=timeout,
            **({"encoding": "utf-8", "errors": "surrogateescape"} if text else {}),
        )

    def json_report(self, path, *options):
        """The text of -z sctp,json for a capture that stays as it is. It is made once for all sessions of the run."""
        def make():
            result = self("-n", "-q", "-r", path, *options, "-z", "sctp,json", timeout=600)
            if result.returncode not in (0, 2):
                raise RuntimeError(f"{path}: {result.stderr[:500]}")
            return result.stdout
        return made_once_in(self.shared, hashlib.sha256(repr((str(path), options)).encode()).hexdigest(), make)

    def _readable(self, argument):
        argument = str(argument)
        path = pathlib.Path(argument)
        if len(argument) > 4000 or "\n" in argument or not path.is_file():
            return argument
        path = path.resolve() if not path.is_absolute() else path
        if is_open(path):
            return str(path)
        state = path.stat()
        key = (str(path), state.st_mtime_ns, state.st_size)
        if key not in self._copies:
            copy = self.folder / f"copy{len(self._copies)}" / path.name
            copy.parent.mkdir()
            shutil.copyfile(path, copy)
            os.chmod(copy, 0o644)
            self._copies[key] = copy
        return str(self._copies[key])


def made_once_in(folder, name, make):
    """What make() returns, of a kind that pickle keeps, made by the first worker that asks; others wait for it."""
    kept = folder / f"{name}.pickle"
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            begun = folder / f"{name}.begun"
            begun.write_bytes(pickle.dumps(make()))
            begun.rename(kept)
    return pickle.loads(kept.read_bytes())


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A folder of all workers of the run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "reports"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def made_once(shared):
    """made_once(NAME, MAKE): see made_once_in."""
    return functools.partial(made_once_in, shared)


@pytest.fixture(scope="session")
def tshark(tmp_path_factory, shared):
    """tshark("-r", capture, ...) with the plugin; see Tshark.__call__."""
    folder = tmp_path_factory.mktemp("tshark")
    os.chmod(folder, 0o755)
    return Tshark(folder, shared)


@functools.cache
def wireshark_release():
    """The installed Wireshark as (major, minor, micro)."""
    first = subprocess.run(["tshark", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    number = next(word for word in first.split() if word[0].isdigit())
    return tuple(int(part) for part in number.rstrip(".").split(".")[:3])


@pytest.fixture(scope="session")
def wireshark_version():
    """The installed Wireshark as (major, minor, micro)."""
    return wireshark_release()


def capture_files(folders=(CAPTURES, MORE_CAPTURES)):
    """Every capture of the project, and of SCTPA_CAPTURES where that is set."""
    return sorted(
        path
        for folder in folders
        if folder.is_dir()
        for path in folder.rglob("*")
        if path.is_file() and path.name.endswith((".pcap", ".pcapng", ".cap", ".pcap.gz", ".pcapng.gz"))
    )


@pytest.fixture(scope="session")
def captures():
    """All captures as a list of paths."""
    return capture_files()


def one_in(share, cases):
    """One case of so many, the same ones each time; with SCTPA_ALL_CAPTURES=1 in the environment all of them."""
    return cases[:: 1 if os.environ.get("SCTPA_ALL_CAPTURES") else share]


def pytest_generate_tests(metafunc):
    """A test with the argument `capture` runs once per capture; `half_of_captures`, `quarter_of_captures` and `sampled_capture`: for one in two,
    four and eight."""
    for argument, share in (("capture", 1), ("half_of_captures", 2), ("quarter_of_captures", 4), ("sampled_capture", 8)):
        if argument in metafunc.fixturenames:
            files = [path for folder in (CAPTURES, MORE_CAPTURES) for path in one_in(share, capture_files([folder]))]
            metafunc.parametrize(argument, files, ids=[capture_id(path) for path in files])


def capture_id(path):
    """linux/aborts/client.pcapng.gz: the path below the folder of captures."""
    return str(next(path.relative_to(folder) for folder in (CAPTURES, MORE_CAPTURES) if path.is_relative_to(folder)))
