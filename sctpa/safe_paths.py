# SPDX-License-Identifier: GPL-2.0-or-later
"""The way to a file that is written, or to a folder, a folder after the other, each held open: whoever may write on that way cannot lead us elsewhere.

A symbolic link is followed where it belongs to root, to who runs this, or to who called sudo for it. Any other might be there so that we overwrite what
only we may write: an error names its owner. Leaves writing to whole_files.py.
"""

import contextlib
import errno
import os
import stat

# As many as Linux follows.
LINKS_MAX = 40
# To look up names in a folder only, as far as the system knows that.
_SEARCH = getattr(os, "O_PATH", os.O_RDONLY)


def is_trusted(user):
    """May links and devices of this user be used?"""
    caller = os.environ.get("SUDO_UID", "")
    return user in (0, os.geteuid()) or (os.geteuid() == 0 and caller.isdecimal() and user == int(caller))


def _of_stranger(user, what, path):
    return OSError(errno.EPERM, f"{what} of user {user} is in the way, who is neither you nor root", str(path))


def _link_text(name, folder, path):
    """What a symbolic link leads to. Owner and text are of the same link, where the system can hold one open. Raises OSError."""
    if hasattr(os, "O_PATH"):
        link = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
        try:
            owner, text = os.fstat(link).st_uid, os.readlink("", dir_fd=link)
        finally:
            os.close(link)
    else:
        owner, text = os.stat(name, dir_fd=folder, follow_symlinks=False).st_uid, os.readlink(name, dir_fd=folder)
    if not is_trusted(owner):
        raise _of_stranger(owner, "a symbolic link", path)
    return text


class _Walk:
    """Where a way has come to: the folder open as at, and the names that are left, the next one last."""

    def __init__(self, path):
        self._path, self._links, self.at, self.left = path, 0, None, []
        self._follow(os.fsencode(path) or b".")
        if self.at is None:
            self.at = os.open(".", _SEARCH | os.O_DIRECTORY)

    def _follow(self, text):
        if text.startswith(b"/"):
            self._go(os.open("/", _SEARCH | os.O_DIRECTORY))
        self.left += [name for name in reversed(text.split(b"/")) if name not in (b"", b".")]

    def _go(self, folder):
        self.close()
        self.at = folder

    def close(self):
        if self.at is not None:
            os.close(self.at)
        self.at = None

    def is_link(self):
        """Is the next name one of a symbolic link? It is followed then. Raises OSError."""
        name = self.left[-1]
        try:
            if not stat.S_ISLNK(os.stat(name, dir_fd=self.at, follow_symlinks=False).st_mode):
                return False
        except FileNotFoundError:
            return False
        self._links += 1
        if self._links > LINKS_MAX:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(self._path))
        text = os.fsencode(_link_text(name, self.at, self._path))
        self.left.pop()
        self._follow(text)
        return True

    def enter(self, may_make):
        """Goes into the folder of the next name; whether it was made for that. Raises OSError."""
        name, made = self.left[-1], False
        with contextlib.suppress(FileExistsError):
            if may_make and name != b"..":
                os.mkdir(name, dir_fd=self.at)
                made = True
        self._go(os.open(name, _SEARCH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=self.at))
        self.left.pop()
        return made


@contextlib.contextmanager
def _naming(path):
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _walked(path, keep, may_make):
    """(the _Walk to the folder before the last `keep` names, whether that folder was made). Raises OSError that names path."""
    with _naming(path), contextlib.ExitStack() as stack:
        walk, made = _Walk(path), False
        stack.callback(walk.close)
        while walk.left:
            if walk.is_link():
                continue
            if len(walk.left) <= keep:
                break
            made = walk.enter(may_make)
        stack.pop_all()
        return walk, made


def place(path):
    """(descriptor of the folder, name in it) of a file, whether there is one or not. The name is none of a link that may be followed. Raises OSError that
    names path."""
    walk, _ = _walked(path, 1, False)
    # Only / and what leads there have no name.
    return walk.at, os.fsdecode(walk.left[0]) if walk.left else "."


def made_folder(path):
    """Makes a folder, and those above, where they are missing: did this call make it? Raises OSError that names path."""
    walk, made = _walked(path, 0, True)
    walk.close()
    return made


def folder(path):
    """Descriptor of a folder. Raises OSError that names path."""
    walk, _ = _walked(path, 0, False)
    with _naming(path):
        try:
            return os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=walk.at)
        finally:
            walk.close()
