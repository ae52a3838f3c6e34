"""The `svc` client of a cell, for the notebook's server or a shared store.

The client is a separate package (svc-client), loaded on the first use of `svc`, so that runs start without it. It is
loaded as a submodule of `svc_harness`, so it does not clash with a `svc_client` package installed by the notebook.
"""

import os
import sys

NAME = "svc"

# The connection settings of the current run; None when the manifest has none, as on a worker.
current = None

_NO_SERVER = (
    "This run has no server, because `svc run` works without one. Open the notebook in the app or with `svc serve` and "
    "run the cell there, or set SVC_NOTEBOOK_REMOTE_STORE_URL to the address of a shared store."
)
_NO_PROMOTION = (
    "This run has no server that could promote a result. Open the notebook in the app or with `svc serve` and run the "
    "cell there."
)
ON_A_WORKER = (
    "A cell on a worker has no client svc. Run the cell on this machine, or give it what it needs from a cell that runs here."
)


def bind_client(namespace, manifest):
    """Bind `svc` before anything else is bound, so that a name `svc` of the notebook replaces it."""
    global current
    if manifest.get("svc_url") is None:
        return
    if current is None or current._manifest is not manifest:
        current = Ambient(manifest)
    namespace[NAME] = current


def lend_client(module, source):
    """Bind `svc` in a module of shared code, if its source uses the name."""
    if current is not None and NAME in source:
        vars(module).setdefault(NAME, current)


def is_ambient(value):
    return type(value) is Ambient


class Ambient:
    """Creates the client on first use."""

    __slots__ = ("_manifest", "_client")

    def __init__(self, manifest):
        self._manifest = manifest
        self._client = None

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._used(), name)

    def __dir__(self):
        return [name for name in dir(self._used()) if not name.startswith("_")]

    def __repr__(self):
        return "<client of %s>" % (self._manifest["svc_url"] or "no server")

    def __reduce_ex__(self, _protocol):
        # A pickled client would contain the credentials of this run.
        raise TypeError("The client svc cannot be stored or sent to another process. Every cell on this machine has it: use the name svc there.")

    def _used(self):
        if self._client is None:
            self._client = _client_of(self._manifest)
        return self._client


def _client_of(manifest):
    package = _package()
    transport = sys.modules[package.__name__ + ".transport"]
    agent = "svc-client (cell %s)" % (manifest.get("svc_cell_id") or "?")

    def connected(url, headers, otherwise):
        if not url:
            return transport.Unavailable(otherwise)
        return transport.Transport(url, headers, user_agent=agent.encode("ascii", "replace").decode("ascii"))

    client = package.Client(connected(manifest["svc_url"], manifest.get("svc_headers"), _NO_SERVER))
    headers = manifest.get("svc_promote_headers") or manifest.get("svc_headers")
    client.promote_by(connected(manifest.get("svc_promote_url"), headers, _NO_PROMOTION))
    return client


def _package():
    import importlib.util

    name = __package__ + ".svc_client"
    if name not in sys.modules:
        folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "svc-client", "src", "svc_client")
        path = os.path.join(folder, "__init__.py")
        spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[folder])
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]
