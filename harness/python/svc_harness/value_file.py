"""Files written by a run: value files, which are hashed while they are written, and the result file."""

import os
from io import open  # a cell may replace the builtin, and json.dumps
from json import dumps



class ValueFile:
    """A writable binary file that hashes the data written to it. Owns its file; use it as a context manager.

    Works as a sink for pickle, json and pyarrow (write, flush, close, closed).
    """

    def __init__(self, path, allowance=None):
        """`allowance`: from unread.py; writing more raises TooMuch."""
        import hashlib

        self._sha256 = hashlib.sha256
        self.path = path
        self._file = open(path, "wb", buffering=0)
        self._allowance = allowance
        self._restart()

    def _restart(self):
        self._hash = self._sha256()
        self.bytes = 0

    def restart(self):
        """Discard everything written, after a pickler failed half-way and before another one is tried."""
        self._file.seek(0)
        self._file.truncate()
        self._restart()

    def write(self, data):
        view = memoryview(data).cast("B")
        size = view.nbytes
        if self._allowance is not None:
            self._allowance.check(self.bytes + size)
        self._hash.update(view)
        done = self._file.write(view)
        while done < size:  # a raw file may write less than requested (2 GiB per call on Linux)
            done += self._file.write(view[done:])
        self.bytes += size
        return size

    @property
    def sha256(self):
        return self._hash.hexdigest()

    @property
    def closed(self):
        return self._file.closed

    def writable(self):
        return True

    def readable(self):
        return False

    def seekable(self):
        return False

    def tell(self):
        return self.bytes

    def flush(self):
        pass

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def file_stem(name):
    """`name`, or `name-<8 hex>` if it contains capitals, for case-insensitive file systems."""
    if name == name.lower():
        return name
    import hashlib

    return name + "-" + hashlib.sha256(name.encode("utf-8")).hexdigest()[:8]


RESULT_FILE = "harness-result.json"


def write_result(output_dir, result):
    """Write the result file atomically."""
    path = os.path.join(output_dir, RESULT_FILE)
    temporary = "%s.%d.tmp" % (path, os.getpid())
    text = dumps(result, allow_nan=False)
    with open(temporary, "wb") as file:
        file.write(text.encode("ascii"))
    os.replace(temporary, path)
