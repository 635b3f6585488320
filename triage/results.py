"""The folder of results: what was read of each capture, kept so that an interrupted run goes on, and the files people take away.

    OUT/report.html associations.ndjson associations.csv captures.csv
    OUT/resume/KEY.json             one per capture that is done: how it ended, what it holds; written last
    OUT/resume/KEY.ndjson.gz        a line per association
    OUT/resume/KEY.N.plots          what the plots of association N show
    OUT/resume/key                  the secret of the pseudonyms; for the owner only

Every file appears under its name when it is whole (rename). Leaves what the lines say to capture_job.py.
"""

import contextlib
import gzip
import json
import os
import pathlib
import secrets
import tempfile

KEY_BYTES = 32


class Folder:
    """OUT. Files that root writes belong to the folder's owner."""

    def __init__(self, path):
        self.path = pathlib.Path(path).absolute()
        self._resume = self.path / "resume"

    def make(self):
        """Makes what is missing; a new folder of root's belongs to who called sudo. Several machines may make it at once.
        Raises OSError."""
        if _made(self.path) and os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdigit():
            os.chown(self.path, int(os.environ["SUDO_UID"]), int(os.environ.get("SUDO_GID", -1)))
        _made(self._resume, 0o700)
        self._give(self._resume)
        with tempfile.TemporaryFile(dir=self._resume):
            pass

    def _give(self, file):
        if os.geteuid() == 0:
            owner = self.path.stat()
            os.chown(file, owner.st_uid, owner.st_gid)

    @contextlib.contextmanager
    def _whole(self, target, mode):
        """A binary file that takes the name target when the block ends without an exception."""
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".unfinished-")
        try:
            self._give(handle)
            os.fchmod(handle, mode)
            with os.fdopen(handle, "wb") as file:
                yield file
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise

    def output(self, name):
        """Context of a binary file OUT/name."""
        return self._whole(self.path / name, 0o666 & ~_umask())

    def secret(self):
        """The key of the pseudonyms of this folder, made when there is none. Several machines may ask at once."""
        path = self._resume / "key"
        if not path.exists():
            handle, name = tempfile.mkstemp(dir=self._resume, prefix=".unfinished-")
            os.write(handle, secrets.token_bytes(KEY_BYTES))
            os.close(handle)
            self._give(name)
            with contextlib.suppress(FileExistsError):
                os.link(name, path)
            os.unlink(name)
        return path.read_bytes()

    def head(self, key):
        """What is known of a capture; None when it is not done."""
        try:
            return json.loads((self._resume / f"{key}.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return None

    @contextlib.contextmanager
    def lines_to(self, key):
        """Context with a function that takes a line of bytes without its newline."""
        with self._whole(self._resume / f"{key}.ndjson.gz", 0o600) as file, \
                gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0) as packed:
            yield lambda line: packed.write(line + b"\n")

    def put_plots(self, key, number, plots):
        with self._whole(self._resume / f"{key}.{number}.plots", 0o600) as file:
            file.write(gzip.compress(json.dumps(plots, separators=(",", ":")).encode(), 1))

    def plots(self, key, number):
        """None when there are none."""
        try:
            return json.loads(gzip.decompress((self._resume / f"{key}.{number}.plots").read_bytes()))
        except (FileNotFoundError, EOFError, ValueError, OSError):
            return None

    def put_head(self, key, head):
        """Says that a capture is done."""
        with self._whole(self._resume / f"{key}.json", 0o600) as file:
            file.write(json.dumps(head).encode())

    def lines(self, key):
        """The lines of a capture that is done. Raises OSError or EOFError when they are damaged."""
        with gzip.open(self._resume / f"{key}.ndjson.gz", "rb") as file:
            yield from file

    def forget(self, key):
        """Has a capture read again by the next run."""
        (self._resume / f"{key}.json").unlink(missing_ok=True)

    def clear_unfinished(self, older_than_s):
        """Removes what killed runs left, once it is too old for another run to be writing it."""
        for place in (self.path, self._resume):
            for file in place.glob(".unfinished-*"):
                with contextlib.suppress(OSError):
                    if file.stat().st_mtime < older_than_s:
                        file.unlink()


def _made(folder, mode=0o777):
    """Whether this call made the folder: of several at once only one did."""
    try:
        folder.mkdir(mode, parents=True)
        return True
    except FileExistsError:
        folder.mkdir(mode, exist_ok=True)
        return False


def _umask():
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
