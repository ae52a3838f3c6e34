"""The result of a request, whose rows are downloaded on first access: as pyarrow, pandas or polars."""

import importlib

from .errors import SvcError


class Result:
    """Rows of a scan, a transform or a stored artifact. They are downloaded on first access.

    `artifact_uri`: their URI in the artifact store; None if the server has no store.
    """

    def __init__(self, artifact_uri, fetch, data=None):
        self.artifact_uri = artifact_uri
        self._fetch = fetch
        self._data = data

    def __repr__(self):
        return "Result(%s)" % (self.artifact_uri or "not stored")

    def bytes(self):
        """The Arrow IPC stream as bytes."""
        if self._data is None:
            self._data = self._fetch()
        return self._data

    def arrow(self):
        """The rows as a pyarrow.Table."""
        arrow = package("pyarrow", "arrow() and pandas()", "pyarrow")
        try:
            with importlib.import_module("pyarrow.ipc").open_stream(arrow.BufferReader(self.bytes())) as reader:
                return reader.read_all()
        except arrow.ArrowInvalid as error:
            raise SvcError("%s is not a table: %s. Read it by bytes()." % (self.artifact_uri or "The result", error)) from None

    def pandas(self):
        """The rows as a pandas.DataFrame."""
        package("pandas", "pandas()", "pandas")
        return self.arrow().to_pandas()

    def polars(self):
        """The rows as a polars.DataFrame."""
        polars = package("polars", "polars()", "polars")
        return polars.read_ipc_stream(self.bytes())

    def __arrow_c_stream__(self, requested_schema=None):
        return self.arrow().__arrow_c_stream__(requested_schema)


def package(name, what, install):
    """Import a package that `what` needs. @raises ModuleNotFoundError naming the package to install"""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError("%s needs the package %s. Add it to the environment." % (what, install), name=name) from None
