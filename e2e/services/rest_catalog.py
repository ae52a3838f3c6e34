"""A REST catalog over a SQLite catalog of pyiceberg, whose classes of requests and updates validate the input.

Usage: rest_catalog.py FOLDER. Prints the port it listens on, on loopback, and serves until its input ends.
"""

import json
import sys
import threading
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import (
    CommitFailedException,
    NamespaceAlreadyExistsError,
    NoSuchNamespaceError,
    NoSuchTableError,
    TableAlreadyExistsError,
)
from pyiceberg.schema import Schema
from pyiceberg.table import CommitTableRequest, StagedTable

warnings.filterwarnings("ignore")
LOCK = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    catalog = None

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_one(self, method):
        parts = [unquote(part).replace("\x1f", ".") for part in urlsplit(self.path).path.split("/")[2:]]
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or "null")
        try:
            with LOCK:
                self.answer(200, self.serve(method, parts, body))
        except (NoSuchTableError, NoSuchNamespaceError) as error:
            self.answer(404, {"error": {"message": str(error), "type": type(error).__name__, "code": 404}})
        except (CommitFailedException, TableAlreadyExistsError, NamespaceAlreadyExistsError) as error:
            self.answer(409, {"error": {"message": str(error), "type": type(error).__name__, "code": 409}})
        except Exception as error:  # noqa: BLE001 a server must answer
            print(repr(error), file=sys.stderr, flush=True)
            self.answer(400, {"error": {"message": repr(error), "type": type(error).__name__, "code": 400}})

    def do_GET(self):
        self.handle_one("GET")

    def do_POST(self):
        self.handle_one("POST")

    def serve(self, method, parts, body):
        match method, parts:
            case "GET", ["config"]:
                return {"defaults": {}, "overrides": {}}
            case "POST", ["namespaces"]:
                self.catalog.create_namespace(tuple(body["namespace"]))
                return {"namespace": body["namespace"], "properties": {}}
            case "POST", ["namespaces", namespace, "tables"]:
                return self.stage(namespace, body)
            case "GET", ["namespaces", namespace, "tables", name]:
                return self.loaded(self.catalog.load_table(f"{namespace}.{name}"))
            case "POST", ["namespaces", namespace, "tables", name]:
                request = CommitTableRequest.model_validate(body)
                table = self.table(namespace, name)
                answer = self.catalog.commit_table(table, request.requirements, request.updates)
                return answer.model_dump_json(by_alias=True)
        raise NoSuchTableError("/".join(parts))

    def table(self, namespace, name):
        try:
            return self.catalog.load_table(f"{namespace}.{name}")
        except NoSuchTableError:
            schema = Schema()
            return self.catalog._create_staged_table(f"{namespace}.{name}", schema)

    def stage(self, namespace, body):
        if not self.catalog.namespace_exists(namespace):
            raise NoSuchNamespaceError(namespace)
        assert body["stage-create"] is True
        identifier = f"{namespace}.{body['name']}"
        if self.catalog.table_exists(identifier):
            raise TableAlreadyExistsError(identifier)
        # The catalog assigns its own ids.
        schema = Schema.model_validate(body["schema"])
        staged = self.catalog._create_staged_table(identifier, schema)
        assert isinstance(staged, StagedTable)
        return self.loaded(staged)

    def loaded(self, table):
        return json.dumps(
            {
                "metadata-location": table.metadata_location,
                "metadata": json.loads(table.metadata.model_dump_json(by_alias=True)),
                "config": {},
            }
        )


def main(folder):
    Handler.catalog = SqlCatalog(
        "lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}"
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    server.shutdown()


main(*sys.argv[1:])
