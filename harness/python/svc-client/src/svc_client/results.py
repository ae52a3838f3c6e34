"""What a request gives: rows of Arrow that pyarrow, pandas or polars read."""

import importlib

from .errors import SvcError


class Result:
    """Rows of a scan, a transform or a stored artifact. They are downloaded when they are first read.

    `artifact_uri`: their address in the artifact store; None where the server has no store.
    """

    def __init__(self, artifact_uri, fetch, data=None):
        self.artifact_uri = artifact_uri
        self._fetch = fetch
        self._data = data

    def __repr__(self):
        return "Result(%s)" % (self.artifact_uri or "not stored")

    def bytes(self):
        """The Arrow IPC stream."""
        if self._data is None:
            self._data = self._fetch()
        return self._data

    def arrow(self):
        """A pyarrow.Table."""
        arrow = package("pyarrow", "arrow() and pandas()", "pyarrow")
        try:
            with importlib.import_module("pyarrow.ipc").open_stream(arrow.BufferReader(self.bytes())) as reader:
                return reader.read_all()
        except arrow.ArrowInvalid as error:
            raise SvcError("%s is not a table: %s. Read it by bytes()." % (self.artifact_uri or "The result", error)) from None

    def pandas(self):
        """A pandas.DataFrame."""
        package("pandas", "pandas()", "pandas")
        return self.arrow().to_pandas()

    def polars(self):
        """A polars.DataFrame."""
        polars = package("polars", "polars()", "polars")
        return polars.read_ipc_stream(self.bytes())

    def __arrow_c_stream__(self, requested_schema=None):
        return self.arrow().__arrow_c_stream__(requested_schema)


def package(name, what, install):
    """A package that `what` needs. @raises ModuleNotFoundError naming the package to add"""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError("%s needs the package %s. Add it to the environment." % (what, install), name=name) from None
