"""A local Google Cloud Storage: gcp-storage-emulator, with the features that it lacks and that mounts need.

The emulator returns the current version of an object for any generation and checks no identity. Here a read of an
older `generation` is answered with 404, like the service without versioning, and every request needs a token signed
with the key of one service account. Buckets whose names start with "public-" can be read without a token; an account
whose address starts with "reader" has no permission to write. As in the service, generations fit the numbers of
JavaScript, and an upload session reports if it has received nothing yet.

Usage: gcs.py <public key, PEM>; prints its port, and ends with its input.
"""

import base64
import json
import sys
import threading
import time
from functools import partial
from http.server import HTTPServer
from types import SimpleNamespace
from urllib.parse import parse_qs, unquote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from gcp_storage_emulator import server as emulator
from gcp_storage_emulator.handlers import buckets, objects
from gcp_storage_emulator.server import RequestHandler
from gcp_storage_emulator.storage import Storage

JSON_API = "/storage/v1/b/"


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


class Generations:
    """Unique times in microseconds, because the emulator's nanoseconds do not fit the numbers of JavaScript."""

    def __init__(self):
        self.last = 0

    def next(self):
        self.last = max(self.last + 1, time.time_ns() // 1000)
        return self.last


def session_so_far(response, storage, upload_id, fallback_end=0):
    """The received bytes of an upload session; without a Range if there are none."""
    response.status = objects.GoogleHTTPStatus.RESUME_INCOMPLETE
    received = storage.get_resumable_byte_count(upload_id)
    if received > 0:
        response["Range"] = "bytes=0-{}".format(received - 1)


class Locations:
    """The location of each bucket, from the request that creates it; the emulator does not store it."""

    def __init__(self):
        self.resource = buckets._make_bucket_resource
        self.by_name = {}

    def body_of(self, handler):
        body = body_of(handler)
        if handler.command == "POST" and urlsplit(handler.path).path == JSON_API.rstrip("/"):
            asked = json.loads(body)
            self.by_name[asked.get("name")] = asked.get("location", "US")
        return body

    def resource_of(self, name, **more):
        return {**self.resource(name, **more), "location": self.by_name.get(name, "US")}


def body_of(handler):
    """The body of a request, read in linear time; the emulator copies all received bytes for each chunk."""
    if handler.headers.get("Transfer-Encoding", "").lower() != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", "0")))
    chunks = []
    while (size := int(handler.rfile.readline().strip() or b"0", 16)) > 0:
        chunks.append(handler.rfile.read(size))
        handler.rfile.readline()
    return b"".join(chunks)


class Accounts:
    """The caller's identity, from the token that a service account signs for each request (RFC 7519, RS256)."""

    def __init__(self, public_key):
        self.key = serialization.load_pem_public_key(public_key)

    def who(self, authorization):
        """The account's address; None without a token, or with a token signed by another key."""
        signed, _, signature = authorization.removeprefix("Bearer ").rpartition(".")
        if signed == "":
            return None
        try:
            self.key.verify(decoded(signature), signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            return None
        return json.loads(decoded(signed.split(".")[1]))["iss"]


class Handler(RequestHandler):
    def __init__(self, accounts, storage, *args):
        self.accounts = accounts
        super().__init__(storage, *args)

    def do_GET(self):
        if self.may(writing=False) and self.has_generation():
            super().do_GET()

    def do_POST(self):
        if self.may(writing=True):
            super().do_POST()

    def do_PUT(self):
        if self.may(writing=True):
            super().do_PUT()

    def do_DELETE(self):
        if self.may(writing=True):
            super().do_DELETE()

    def may(self, writing):
        if writing and "upload_id" in parse_qs(urlsplit(self.path).query):
            return True  # the id of a session is the permission to write
        who = self.accounts.who(self.headers.get("Authorization", ""))
        if who is None:
            if not writing and self.path.startswith(JSON_API + "public-"):
                return True
            self.refuse(401, "Anonymous caller does not have access to the bucket.")
        elif writing and who.startswith("reader"):
            self.refuse(403, f"{who} does not have storage.objects.create access.")
        else:
            return True
        return False

    def has_generation(self):
        url = urlsplit(self.path)
        wanted = parse_qs(url.query).get("generation")
        if wanted is None:
            return True
        bucket, _, key = url.path.removeprefix("/download").removeprefix(JSON_API).partition("/o/")
        found = self.storage.objects.get(bucket, {}).get(unquote(key))
        if found is not None and found["generation"] == wanted[0]:
            return True
        self.refuse(404, "No such object: {}/{}#{}".format(bucket, key, wanted[0]))
        return False

    def refuse(self, status, message):
        error = {"code": status, "message": message, "errors": [{"message": message}]}
        body = json.dumps({"error": error}).encode()
        body_of(self)  # if bytes were left unread, the connection would be reset before the client reads the answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    objects.time = SimpleNamespace(time_ns=Generations().next)
    objects._resumable_incomplete = session_so_far
    locations = Locations()
    emulator._read_raw_data = locations.body_of
    buckets._make_bucket_resource = locations.resource_of
    accounts = Accounts(sys.argv[1].encode())
    handler = partial(Handler, accounts, Storage(use_memory_fs=True))
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
