# SPDX-License-Identifier: GPL-2.0-or-later
"""The folder of results: what was read of each capture, kept so that an interrupted run goes on, and the files people take away.

    OUT/report.html associations.ndjson *.csv
    OUT/resume/KEY.json             one per capture that is done: how it ended, what it holds; written last
    OUT/resume/KEY.ndjson.gz        a line per association
    OUT/resume/KEY.N.plots          what the plots of association N show
    OUT/resume/key                  the secret of the pseudonyms; for the owner only
    OUT/resume/writing              locked by the run that writes what people take away

Every file appears under its name when it is whole (whole_files.py). What cannot be read, or is not what was written, counts as not there. Leaves
what the lines say to capture_job.py.
"""

import contextlib
import errno
import functools
import gzip
import hashlib
import json
import os
import pathlib
import secrets
import weakref
import zlib

from sctpa import safe_paths, whole_files
from sctpa.records import LINE_BYTES_MAX

KEY_BYTES = 32
# Of a head or of plots, unpacked; those of a ring of 10,000 files have 3 MB.
KEPT_BYTES_MAX = 64 << 20


class Damaged(Exception):
    """What was kept of a capture cannot be read."""


# What comes of reading what somebody else, or a disk, made of it.
DAMAGE = (Damaged, ValueError, LookupError, TypeError, AttributeError, RecursionError)


class Folder:
    """OUT. Files that root writes belong to the folder's owner. Who that is may change OUT at any moment, so everything in it is reached
    through OUT and OUT/resume held open, and no symbolic link in them is followed. identity: what OUT was when it was first held.
    """

    def __init__(self, path, identity=None):
        self.path = pathlib.Path(path).absolute()
        self._identity = identity

    def __reduce__(self):
        return Folder, (self.path, self._identity)

    def make(self):
        """Makes what is missing. Root makes a folder as the user it is for: OUT as who called sudo, where that user may, and resume as the owner
        of OUT. So root gives no folder away, which might be another by then. Several machines may make it at once. Raises OSError.
        """
        _make(self.path)
        self._out = self._hold_out()
        owner = os.fstat(self._out)
        with contextlib.suppress(FileExistsError), _acting_as(owner.st_uid, owner.st_gid):
            os.mkdir("resume", 0o700, dir_fd=self._out)
        with whole_files.unfinished(self._resume, 0o600, self._give):
            pass

    def _hold(self, path, flags, above=None):
        """A folder as a descriptor that stays open as long as this object."""
        return self._held(os.open(path, os.O_RDONLY | os.O_DIRECTORY | flags, dir_fd=above))

    def _held(self, folder):
        weakref.finalize(self, os.close, folder)
        return folder

    def _hold_out(self):
        out = self._held(safe_paths.folder(self.path))
        state = os.fstat(out)
        if self._identity not in (None, (state.st_dev, state.st_ino)):
            raise OSError(errno.ESTALE, "was replaced by another folder", str(self.path))
        self._identity = state.st_dev, state.st_ino
        return out

    @functools.cached_property
    def _out(self):
        return self._hold_out()

    @functools.cached_property
    def _resume(self):
        """Raises OSError when it is a symbolic link, or a folder of somebody else: in the OUT of another user root's is also somebody else's, since
        that user may have given this name to any folder in OUT."""
        path = str(self.path / "resume")
        try:
            resume = self._hold("resume", os.O_NOFOLLOW, self._out)
        except NotADirectoryError:
            raise OSError(errno.ENOTDIR, "is a symbolic link, or no folder", path) from None
        owner, above = os.fstat(resume).st_uid, os.fstat(self._out).st_uid
        if owner != above and (owner != os.geteuid() or owner == 0):
            raise OSError(errno.EPERM, f"belongs to user {owner}, not to user {above}, who owns the folder above", path)
        return resume

    def _give(self, file):
        """Makes a file, by its descriptor, the property of OUT's owner."""
        if os.geteuid() == 0:
            owner = os.fstat(self._out)
            os.fchown(file, owner.st_uid, owner.st_gid)

    @contextlib.contextmanager
    def _whole(self, folder, target, mode):
        """A binary file that takes the name target in the folder with this descriptor when the block ends without an exception."""
        try:
            with whole_files.whole(folder, target, mode, self._give) as file:
                yield file
        except OSError as error:
            # Where a file is full the system says no name.
            if error.filename is None:
                raise OSError(error.errno, error.strerror, str(self.path)) from None
            raise

    def output(self, name):
        """Context of a binary file OUT/name."""
        return self._whole(self._out, name, 0o666 & ~whole_files.umask())

    def _put(self, name):
        return self._whole(self._resume, name, 0o600)

    def _kept(self, name):
        """A file of OUT/resume, to be read. Raises OSError."""
        return open(
            name,
            "rb",
            opener=lambda path, flags: os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self._resume),
        )

    @contextlib.contextmanager
    def writing(self, wait_said):
        """Context in which no other run writes what people take away, so that all of it is of one run. Calls wait_said() before it waits for one that
        does. Where the file system knows no locks nobody waits. Raises OSError."""
        handle = os.open("writing", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600, dir_fd=self._resume)
        try:
            self._give(handle)
            if not whole_files.locked(handle, False):
                wait_said()
                whole_files.locked(handle, True)
            yield
        finally:
            os.close(handle)

    def secret(self):
        """The key of the pseudonyms of this folder, made when there is none. Several machines may ask at once. Raises OSError, also where it is no
        such key: pseudonyms by another one would be others, and by none, none."""
        with contextlib.suppress(FileNotFoundError):
            return self._kept_secret()
        with whole_files.unfinished(self._resume, 0o600, self._give) as (name, file):
            file.write(secrets.token_bytes(KEY_BYTES))
            file.close()
            with contextlib.suppress(FileExistsError):
                os.link(name, "key", src_dir_fd=self._resume, dst_dir_fd=self._resume)
        return self._kept_secret()

    def _kept_secret(self):
        with self._kept("key") as file:
            secret = file.read(KEY_BYTES + 1)
        if len(secret) != KEY_BYTES:
            raise OSError(
                errno.EINVAL,
                "is damaged: remove it, and pseudonyms will be others than before",
                str(self.path / "resume" / "key"),
            )
        return secret

    def head(self, key):
        """What is known of a capture; None when it is not done."""
        try:
            with self._kept(f"{key}.json") as file:
                return _unsealed(file)
        except (OSError, *DAMAGE):
            return None

    @contextlib.contextmanager
    def lines_to(self, key):
        """Context with a function that takes a line of bytes without its newline."""
        with self._put(f"{key}.ndjson.gz") as file, gzip.GzipFile(
            "", "wb", compresslevel=1, fileobj=file, mtime=0
        ) as packed:
            yield lambda line: packed.write(line + b"\n")

    def put_plots(self, key, number, plots):
        with self._put(f"{key}.{number}.plots") as file:
            file.write(gzip.compress(_sealed(plots), 1, mtime=0))

    def plots(self, key, number):
        """None when there are none."""
        try:
            with self._kept(f"{key}.{number}.plots") as file, gzip.open(file, "rb") as unpacked:
                return _unsealed(unpacked)
        except (EOFError, OSError, zlib.error, *DAMAGE):
            return None

    def put_head(self, key, head):
        """Says that a capture is done."""
        with self._put(f"{key}.json") as file:
            file.write(_sealed(head))

    def lines(self, key, count):
        """The lines of a capture that is done, which has so many. Raises Damaged, perhaps behind some of them."""
        try:
            with self._kept(f"{key}.ndjson.gz") as file, gzip.open(file, "rb") as lines:
                for _ in range(count):
                    line = lines.readline(LINE_BYTES_MAX)
                    if not line.endswith(b"\n"):
                        raise Damaged
                    yield line
                if lines.read(1):
                    raise Damaged
        except (OSError, EOFError, zlib.error) as error:
            raise Damaged from error

    def forget(self, key):
        """Has a capture read again by the next run."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{key}.json", dir_fd=self._resume)

    def clear_unfinished(self):
        """Removes what killed runs left."""
        for folder in (self._out, self._resume):
            whole_files.clear(folder)


def _digest(words):
    return hashlib.sha256(json.dumps(words, separators=(",", ":")).encode()).hexdigest()


def _sealed(words):
    """A dict as bytes from which _unsealed makes it again."""
    return json.dumps({**words, "digest": _digest(words)}, separators=(",", ":")).encode()


def _unsealed(file):
    """The dict in a binary file. Raises one of DAMAGE where it is not one that was written whole. Memory: KEPT_BYTES_MAX at most, and what is in it."""
    data = file.read(KEPT_BYTES_MAX + 1)
    if len(data) > KEPT_BYTES_MAX:
        raise Damaged
    words = json.loads(data)
    if words.pop("digest") != _digest(words):
        raise Damaged
    return words


def _make(folder):
    caller = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if all(map(str.isdigit, caller)):
        with contextlib.suppress(PermissionError), _acting_as(*map(int, caller)):
            safe_paths.made_folder(folder)
            return
    safe_paths.made_folder(folder)


@contextlib.contextmanager
def _acting_as(user, group):
    """What root makes in the block is that user's."""
    if os.geteuid() != 0:
        yield
        return
    own_group = os.getegid()
    try:
        os.setegid(group)
        os.seteuid(user)
        yield
    finally:
        os.seteuid(0)
        os.setegid(own_group)
