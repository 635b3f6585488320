# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that appear under their names when they are whole, whatever kills who writes them.

Until then a file has a name that begins with UNFINISHED, and whoever writes it holds a lock on it: what nobody holds was left by a process that
was killed. Leaves what is written to its callers.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
import stat
import threading
import time

from . import safe_paths
from .safe_paths import LINKS_MAX

UNFINISHED = ".unfinished-"
# Locks of another machine may not show here, on some network file systems: its files are left until they are this old.
OTHERS_S = 24 * 3600

_being_written = set()
_beginning = threading.Lock()


def _own_prefix():
    return f"{UNFINISHED}{hashlib.sha256(os.uname().nodename.encode()).hexdigest()[:8]}-"


def umask():
    """The mask of the process, which stays as it is."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def locked(handle, may_wait):
    """Takes the lock of an open file. False: another process has it; where locks do not work everybody gets it. Waits for it where may_wait."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if may_wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _made(folder):
    """(name, descriptor) of a new file in a folder that no other run takes for one that was left."""
    while True:
        name = _own_prefix() + secrets.token_hex(8)
        with _beginning:
            handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
            _being_written.add((folder, name))
        locked(handle, True)
        if os.fstat(handle).st_nlink:
            return name, handle
        _being_written.discard((folder, name))
        os.close(handle)


@contextlib.contextmanager
def unfinished(folder, mode, prepare=lambda handle: None):
    """(name, binary file): a file in the folder with this descriptor, which prepare(descriptor) sees first. The name is free again when the block
    ends; until then the file stays locked, closed or not. Raises OSError."""
    name, handle = _made(folder)
    lock = os.dup(handle)
    try:
        with os.fdopen(handle, "wb") as file:
            prepare(handle)
            os.fchmod(handle, mode)
            yield name, file
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        _being_written.discard((folder, name))
        os.close(lock)


@contextlib.contextmanager
def whole(folder, target, mode, prepare=lambda handle: None):
    """A binary file that takes the name target in the folder with this descriptor when the block ends without an exception. Raises OSError."""
    with unfinished(folder, mode, prepare) as (name, file):
        yield file
        file.close()
        os.replace(name, target, src_dir_fd=folder, dst_dir_fd=folder)


@contextlib.contextmanager
def naming(path):
    """Has an OSError that names no file, as that of a full disk, or one that stands for path, name path."""
    try:
        yield
    except OSError as error:
        name = error.filename and os.fsdecode(error.filename)
        if name is None or name.startswith(UNFINISHED) or name == os.path.basename(path):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextlib.contextmanager
def written(path):
    """The same of a file called path, which keeps its mode and, where root writes it, its owner; a symbolic link stays one, and is followed as
    safe_paths.py says. What is no regular file, as a device or a pipe, is written as it is, as are descriptors (/dev/stdout), and a file in a folder where
    no other may be made. Raises OSError that names path."""
    with naming(path), contextlib.ExitStack() as stack:
        if (ours := _own_descriptor(path)) is not None:
            yield stack.enter_context(os.fdopen(os.dup(ours), "wb"))
            return
        folder, name = safe_paths.place(path)
        stack.callback(os.close, folder)
        yield stack.enter_context(_written_at(folder, name, _old(folder, name)))


@contextlib.contextmanager
def written_in(folder, path):
    """The same of a file with the name that path ends with in the folder with this descriptor; a link of that name is replaced."""
    name = os.path.basename(path)
    old = _old(folder, name)
    with naming(path), _written_at(folder, name, None if old and stat.S_ISLNK(old.st_mode) else old) as file:
        yield file


def _old(folder, name):
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _written_at(folder, name, old):
    if old and not (stat.S_ISREG(old.st_mode) and os.access(".", os.W_OK | os.X_OK, dir_fd=folder)):
        return os.fdopen(_opened(folder, name, 0), "wb")
    with contextlib.suppress(PermissionError):
        listed = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
        try:
            clear(listed)
        finally:
            os.close(listed)

    def give(handle):
        if old and os.geteuid() == 0:
            os.fchown(handle, old.st_uid, old.st_gid)

    return whole(folder, name, stat.S_IMODE(old.st_mode) if old else 0o666 & ~umask(), give)


def _opened(folder, name, flags):
    """Descriptor of a file that is written where it is, from its end on with O_APPEND, else anew. A pipe or a device must belong to somebody whose links
    would be followed; so must the folder of a file that has more names, which might be a file of others. Raises OSError.
    """
    old = _old(folder, name)
    if old:
        _check(old, folder, name)
    handle = os.open(name, os.O_WRONLY | os.O_NOFOLLOW | flags, 0o666, dir_fd=folder)
    try:
        now = os.fstat(handle)
        _check(now, folder, name)
        if stat.S_ISREG(now.st_mode) and not flags & os.O_APPEND:
            os.ftruncate(handle, 0)
        return handle
    except OSError:
        os.close(handle)
        raise


def _check(state, folder, name):
    above = os.fstat(folder)
    if not stat.S_ISREG(state.st_mode) and not safe_paths.is_trusted(state.st_uid):
        raise OSError(errno.EPERM, f"is no regular file, and belongs to user {state.st_uid}", name)
    if (
        stat.S_ISREG(state.st_mode)
        and state.st_nlink > 1
        and (above.st_mode & stat.S_IWOTH or not safe_paths.is_trusted(above.st_uid))
    ):
        raise OSError(errno.EPERM, "has more than one name, in a folder that others may write", name)


def appended(path):
    """Descriptor of a file called path, made where it is missing, that is written at its end. Links, pipes, devices and descriptors as with written().
    Raises OSError that names path."""
    if (ours := _own_descriptor(path)) is not None:
        return os.dup(ours)
    folder, name = safe_paths.place(path)
    try:
        return _opened(folder, name, os.O_CREAT | os.O_APPEND)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        os.close(folder)


def _own_descriptor(path):
    """The descriptor of this process that a path as /dev/stdout stands for; None: it stands for none. The file behind it is another's to name."""
    ours = os.path.realpath("/proc/self/fd")
    for _ in range(LINKS_MAX):
        folder, name = os.path.split(os.path.abspath(path))
        if os.path.realpath(folder) == ours and name.isdecimal():
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


@contextlib.contextmanager
def alone_in(folder):
    """Context in which no other process is that asked to be alone in this folder, where locks work and the folder may be listed. Raises OSError."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(PermissionError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, handle)
            locked(handle, True)
        yield


def clear(folder):
    """Removes from the folder with this descriptor what killed processes left there."""
    for name in os.listdir(folder):
        if name.startswith(UNFINISHED):
            with contextlib.suppress(OSError):
                _remove_if_left(folder, name)


def _remove_if_left(folder, name):
    """Removes it with its lock held: who has just made it waits for the lock, and then sees that the file has no name any more."""
    if not name.startswith(_own_prefix()):
        if os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime < time.time() - OTHERS_S:
            os.unlink(name, dir_fd=folder)
        return
    handle = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        if _nobody_writes(handle):
            os.unlink(name, dir_fd=folder)
    finally:
        os.close(handle)


def _nobody_writes(handle):
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        return os.fstat(handle).st_mtime < time.time() - OTHERS_S


def drop_all():
    """Removes what this process is writing, and lets it begin nothing more: for one that ends without leaving its blocks, in a thread of its own."""
    _beginning.acquire()
    for folder, name in list(_being_written):
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)
