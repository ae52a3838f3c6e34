"""The client of a Cellar server (`Client`): materializes scans and SQL, and stores, names, tags and promotes
artifacts.
"""

import hashlib
import json
import re
import time

from .errors import SvcError
from .filters import filters_of
from .results import Result
from .tables import encoded, form_of
from .transport import Transport

SCAN = "scan@v1"
SQL = "duckdb_sql@v1"
PUT = "svc-client/put@v1"
# Default time limit for a build, and the polling intervals, short at first, in seconds.
_BUILD_SECONDS = 3600
_FIRST_LOOK, _LAST_LOOK = 0.02, 1.0
_URI = re.compile(r"svc://artifact/([^/@\\]+)@v=([1-9][0-9]*)\Z")
_NOT_FOUND = 404


class Client:
    """A Cellar server. `headers`: sent with every request, e.g. a credential. `timeout`: idle timeout in seconds.

    `build_timeout`: seconds that `materialize` waits for a build, including its time in the queue.
    """

    SvcError = SvcError

    def __init__(self, url, headers=None, *, timeout=None, build_timeout=_BUILD_SECONDS):
        self._transport = url if hasattr(url, "send") else Transport(url, headers, timeout)
        self._promotion = None
        self._build_timeout = build_timeout

    def __repr__(self):
        return "Client(%r)" % (self._transport.url,)

    def materialize(
        self,
        inputs,
        *,
        columns=None,
        filters=None,
        snapshot_id=None,
        sql=None,
        executor=None,
        params=None,
        name=None,
        refresh=False,
    ):
        """The rows of a table, or the result of a transform. It is stored, so the next same request returns
        immediately.

        `inputs`: a table (`"/warehouse#ns.table"`, `"catalog:ns.table"`), an artifact, a Result or `svc://name/NAME`,
        or a list of them. Without `sql` or `executor` one table is scanned: `columns`, `filters` such as `[("price",
        ">", 10)]`, `snapshot_id`. `sql`: a query over `input0`, `input1` and so on. `executor`: another transform of
        the server, with its `params`. `name`: a name for the result. `refresh`: build it even if it is stored.
        """
        body = {
            "inputs": _addresses(inputs),
            "transform": _transform(columns, filters, snapshot_id, sql, executor, params),
            "refresh": bool(refresh),
        }
        if name is not None:
            body["name"] = name
        until = time.monotonic() + self._build_timeout
        answer = self._transport.send("POST", "/v1/materialize", body, until=until).json()
        uri = answer.get("artifact_uri")
        if answer.get("build_id"):
            self._wait(answer["build_id"], until)
        elif answer.get("state") == "building" and answer.get("stream_url"):
            # The rows are built when they are fetched; the artifact's URI is only final then.
            stream = self._transport.send("GET", answer["stream_url"], until=until)
            return Result(stream.headers.get("X-Svc-Artifact-Uri"), None, stream.body)
        return self.get(uri)

    def get(self, artifact):
        """The rows of an artifact, by its URI. They are downloaded on first access."""
        uri = _address(artifact)
        path = _path(uri) + "/data"
        return Result(uri, lambda: self._transport.send("GET", path).body)

    def put(self, data, *, name=None, inputs=(), params=None):
        """Store a table (pandas, polars, pyarrow, a dict of lists of equal length) or other JSON. Returns its URI.

        The same data with the same `inputs` and `params` is stored once. `inputs`: the artifacts it was made from, for
        its lineage. `name`: a name for it.
        """
        form, content = encoded(data)
        spec = {"form": form, "sha256": hashlib.sha256(content).hexdigest()}
        if params is not None:
            spec["params"] = params
        metadata = {"inputs": _addresses(inputs), "transform": {"executor": PUT, "params": spec}}
        if name is not None:
            metadata["name"] = name
        head = json.dumps(metadata, allow_nan=False).encode("utf-8")
        if form == "arrow":
            body, content_type = form_of(head, content)
        else:
            # Replaces the closing brace of the metadata by the data, which is JSON already.
            body, content_type = head[:-1] + b', "data": ' + content + b"}", "application/json"
        return self._transport.send("PUT", "/v1/artifacts", body, content_type).json()["artifact_uri"]

    def set_name(self, name, artifact):
        """Point a name at a version."""
        artifact_id, version = _parts(_address(artifact))
        body = {"name": name, "artifact_id": artifact_id, "version": version}
        self._transport.send("POST", "/v1/names", body)

    def set_alias(self, name, alias, artifact=None):
        """Point an alias of a name at a version; by default, at the version the name points at.

        Returns "applied", "unchanged", or "pending" if the alias is protected and the change needs approval.
        """
        artifact_id, version = _parts(self.resolve(name) if artifact is None else _address(artifact))
        body = {"artifact_id": artifact_id, "version": version}
        path = "/v1/names/%s/aliases/%s" % (_quoted(name), _quoted(alias, ""))
        return self._transport.send("PUT", path, body).json()["status"]

    def set_tag(self, artifact, key, value):
        """Set a tag of a version. The value is a string."""
        self._transport.send("PUT", _path(_address(artifact)) + "/tags", {"key": key, "value": value})

    def tags(self, artifact):
        """The tags of a version: {key: value}."""
        return self._transport.send("GET", _path(_address(artifact)) + "/tags").json()["tags"]

    def resolve(self, name, default=None):
        """The URI that a name points at. `default`: returned for an unknown name instead of raising an error."""
        return self._resolved("/v1/names/%s" % _quoted(name), default)

    def resolve_alias(self, name, alias, default=None):
        """The URI that an alias of a name points at. `default`: returned for an unknown alias instead of an error."""
        return self._resolved("/v1/names/%s/aliases/%s" % (_quoted(name), _quoted(alias, "")), default)

    def resolve_version(self, artifact_id, version):
        """The URI of a version, if it is stored."""
        uri = "svc://artifact/%s@v=%s" % (artifact_id, version)
        self._transport.send("GET", _path(uri))
        return uri

    def aliases(self, name):
        """The aliases of a name: {alias: URI}."""
        aliases = self._transport.send("GET", "/v1/names/%s/aliases" % _quoted(name)).json()["aliases"]
        return {one["alias"]: "svc://artifact/%s@v=%d" % (one["artifact_id"], one["version"]) for one in aliases}

    def promote(self, artifact, *, name=None, alias=None, tags=None):
        """Copy a result of this notebook and the artifacts it was made from to the shared store, and name it there.

        Returns its URI in that store.
        """
        if self._promotion is None:
            raise SvcError("promote() copies results of a notebook, so it works only in its cells. Use put() to store data.")
        body = {key: value for key, value in (("name", name), ("alias", alias), ("tags", tags)) if value is not None}
        artifact_id, version = _parts(_address(artifact))
        path = "/%s/v/%d/promote" % (_quoted(artifact_id, ""), version)
        return self._promotion.send("POST", path, body).json()["artifact_uri"]

    def promote_by(self, transport):
        """Set the transport of promote(); for the program that runs a notebook."""
        self._promotion = transport

    def _resolved(self, path, default):
        try:
            return self._transport.send("GET", path).json()["artifact_uri"]
        except SvcError as error:
            if error.status == _NOT_FOUND and default is not None:
                return default
            raise

    def _wait(self, build_id, until):
        """Wait until a build has ended. @raises SvcError with its message if it failed"""
        pause = _FIRST_LOOK
        while True:
            build = self._transport.send("GET", "/v1/builds/%s" % _quoted(build_id, "")).json()
            if build["state"] == "ready":
                return
            if build["state"] == "failed":
                raise SvcError(build.get("error_message") or "The build failed without a message.", None, build.get("error_code"))
            if time.monotonic() > until:
                raise SvcError(
                    "The build %s did not end within %g seconds. It goes on; the same request gets its result later."
                    % (build_id, self._build_timeout)
                )
            time.sleep(pause)
            pause = min(pause * 1.5, _LAST_LOOK)


def _transform(columns, filters, snapshot_id, sql, executor, params):
    scan = {"columns": _columns(columns), "filters": filters_of(filters), "snapshot_id": snapshot_id}
    scan = {key: value for key, value in scan.items() if value is not None}
    if sql is None and executor is None:
        return {"executor": SCAN, "params": {**(params or {}), **scan}}
    if scan:
        raise SvcError("%s is for scans of a table, not for transforms. Write it into the query." % ", ".join(scan))
    if sql is None:
        return {"executor": executor, "params": params or {}}
    if executor not in (None, SQL):
        raise SvcError("sql is for %s. Give the query of %s in params." % (SQL, executor))
    return {"executor": SQL, "params": {**(params or {}), "sql": sql}}


def _columns(columns):
    if columns is None:
        return None
    return [columns] if isinstance(columns, str) else list(columns)


def _addresses(inputs):
    if isinstance(inputs, (str, Result)):
        inputs = [inputs]
    return [_address(one) for one in inputs]


def _address(one):
    uri = one.artifact_uri if isinstance(one, Result) else one
    if isinstance(uri, str):
        return uri
    if isinstance(one, Result):
        raise SvcError("This result has no address, because the server has no artifact store. Set SVC_ARTIFACT_DIR on the server.")
    raise SvcError("%r is not an address. Use the text of one, or a result of materialize()." % (one,))


def _parts(uri):
    """(id, version) from an artifact's URI."""
    match = _URI.match(uri)
    if match is None:
        raise SvcError("%r is not the address of an artifact. It has the form svc://artifact/ID@v=1; resolve() gives it for a name." % (uri,))
    return match.group(1), int(match.group(2))


def _path(uri):
    artifact_id, version = _parts(uri)
    return "/v1/artifacts/%s/v/%d" % (_quoted(artifact_id, ""), version)


def _quoted(text, safe="/"):
    from urllib.parse import quote

    return quote(str(text), safe=safe)
