"""The fixture that tests of lua/ share: a script run over a capture."""

import pytest
from lua_script import copied_scripts, options


@pytest.fixture(scope="session")
def scripts(tmp_path_factory):
    folder = copied_scripts(tmp_path_factory.mktemp("lua"))
    folder.chmod(0o755)
    return folder


@pytest.fixture
def run_script(tshark, scripts):
    """run_script("sctp_batch.lua", capture, "rows=streams", passes=2): what tshark prints; the script must load and not fail."""

    def run(name, path, *arguments, passes=1, more=()):
        result = tshark("-q", "-r", path, *(["-2"] if passes == 2 else []), *more, *options(scripts / name, *arguments))
        assert (result.returncode, result.stderr) == (0, ""), result.stderr
        return result.stdout

    return run
