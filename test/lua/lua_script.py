"""Runs a script of lua/ in tshark. Leaves out what the scripts say."""

import pathlib

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
LUA = TOP / "lua"
CAPTURES = TOP / "test" / "captures"


def copied_scripts(folder, *more):
    """The scripts in a folder that tshark's user may read; returns it."""
    for path in [*LUA.glob("*.lua"), *more]:
        (folder / path.name).write_bytes(path.read_bytes())
        (folder / path.name).chmod(0o644)
    return folder


def options(script, *arguments):
    """The options of tshark that run a script with arguments."""
    return ["-X", f"lua_script:{script}", *(part for text in arguments for part in ("-X", f"lua_script1:{text}"))]


def capture(name):
    """linux/restart/A: a capture of test/captures."""
    return next(path for path in (CAPTURES / f"{name}{suffix}" for suffix in (".pcapng.gz", ".pcap.gz")) if path.exists())
