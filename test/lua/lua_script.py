# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a script of lua/ in tshark; tests import the fixtures scripts and run_script. Leaves out what the scripts say."""

import pathlib

import pytest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
LUA = TOP / "lua"
CAPTURES = TOP / "test" / "captures"


def copied_scripts(folder):
    """The scripts in a folder that tshark's user may read; returns it."""
    for path in LUA.glob("*.lua"):
        (folder / path.name).write_bytes(path.read_bytes())
        (folder / path.name).chmod(0o644)
    folder.chmod(0o755)
    return folder


def options(script, *arguments):
    """The options of tshark that run a script with arguments."""
    return ["-X", f"lua_script:{script}", *(part for text in arguments for part in ("-X", f"lua_script1:{text}"))]


def capture(name):
    """linux/restart/A: a capture of test/captures."""
    return next(path for path in (CAPTURES / f"{name}{suffix}" for suffix in (".pcapng.gz", ".pcap.gz")) if path.exists())


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    return copied_scripts(tmp_path_factory.mktemp("lua"))


@pytest.fixture
def run_script(tshark, scripts):
    """run_script("sctp_batch.lua", capture, "rows=streams", passes=2): what tshark prints; the script must load and not fail."""

    def run(name, path, *arguments, passes=1):
        result = tshark("-q", "-r", path, *(["-2"] if passes == 2 else []), *options(scripts / name, *arguments))
        assert (result.returncode, result.stderr) == (0, ""), result.stderr
        return result.stdout

    return run
