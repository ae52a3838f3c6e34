"""Records which files of the notebook's folder were opened by native code, child processes or this process.

Linux only, using inotify: a watch for each folder, added before such code runs and read once the cell has ended. It
shows what happened in the folder but not which process did it, so it is only used for runs whose own code cannot
account for all opened files.
"""

import os
import struct
import sys

_OPEN, _CLOSE_WRITE, _MOVED_TO, _IS_FOLDER, _OVERFLOW = 0x20, 0x8, 0x80, 0x40000000, 0x4000
_NONBLOCK, _CLOEXEC = 0o4000, 0o2000000
# Larger folders are not watched: each watch uses kernel memory.
_MOST_FOLDERS = 200
_HEAD = struct.Struct("iIII")


class FolderEvents:
    """Owns an inotify descriptor. It is closed by the process's exit: closing it explicitly takes time."""

    def __init__(self, descriptor, folders, complete):
        self._descriptor, self._folders = descriptor, folders
        self.complete = complete  # False if some folders could not be watched

    def take(self):
        """(opened, written): paths in the order of their first event; None if events were lost."""
        if not self._is_ours():
            return None
        opened, written = {}, {}
        while True:
            try:
                data = os.read(self._descriptor, 1 << 16)
            except BlockingIOError:
                return list(opened), list(written)
            at = 0
            while at < len(data):
                watch, mask, _, length = _HEAD.unpack_from(data, at)
                name = data[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0")
                at += _HEAD.size + length
                if mask & _OVERFLOW:
                    return None
                if mask & _IS_FOLDER or watch not in self._folders or not name:
                    continue
                path = os.path.join(self._folders[watch], os.fsdecode(name))
                (opened if mask & _OPEN else written)[path] = True

    def _is_ours(self):
        """Whether the descriptor is still ours: the cell may have closed it and reused its number."""
        try:
            return os.readlink("/proc/self/fd/%d" % self._descriptor) == "anon_inode:inotify"
        except OSError:
            return False


def watch_folders(root, left_out):
    """Watch `root` and its subfolders except those named in `left_out`; None if this is not possible."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
        descriptor = libc.inotify_init1(_NONBLOCK | _CLOEXEC)
    except (ImportError, OSError, AttributeError):
        return None
    if descriptor < 0:
        return None
    folders, complete = {}, True
    for folder in _folders(root, left_out):
        if len(folders) == _MOST_FOLDERS:
            complete = False
            break
        watch = libc.inotify_add_watch(descriptor, os.fsencode(folder), _OPEN | _CLOSE_WRITE | _MOVED_TO)
        if watch < 0:
            complete = False
        else:
            folders[watch] = folder
    return FolderEvents(descriptor, folders, complete)


def _folders(root, left_out):
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        yield folder
        try:
            with os.scandir(folder) as entries:
                waiting.extend(
                    entry.path
                    for entry in entries
                    if entry.name not in left_out and entry.is_dir(follow_symlinks=False)
                )
        except OSError:
            continue  # cannot be listed, so files below it cannot be opened by name either
