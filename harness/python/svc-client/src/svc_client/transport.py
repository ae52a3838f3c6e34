"""HTTP requests to the server with urllib, which is imported by the first request."""

import json
import time

from .errors import SvcError

# Default idle timeout in seconds.
_TIMEOUT = 300
_MAX_MESSAGE = 2_000


class Response:
    """A response that was read completely."""

    __slots__ = ("headers", "body")

    def __init__(self, headers, body):
        self.headers, self.body = headers, body

    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            raise SvcError("The server gave an answer that is not JSON. Check that the address is that of a Cellar server.") from None


class Transport:
    """One server and the headers it needs. `user_agent`: identifies this client."""

    def __init__(self, url, headers=None, timeout=None, user_agent="svc-client"):
        self.url = str(url).rstrip("/")
        self._headers = _checked(headers or {})
        self._timeout = _TIMEOUT if timeout is None else timeout
        self._user_agent = user_agent
        self._opener = None
        if not self.url.startswith(("http://", "https://")):
            raise SvcError("%r is not the address of a server. Use an http:// or https:// address." % (self.url,))

    def __repr__(self):
        # Not shown: headers may contain credentials.
        return "Transport(%r)" % (self.url,)

    # Refused: a pickle would contain the credentials.
    def __reduce_ex__(self, _protocol):
        raise TypeError("A client of a server cannot be pickled, because it has the credentials of the server. Create it where it is used.")

    def send(self, method, path, body=None, content_type="application/json", until=None):
        """Send a request; retries until the time `until` while the server is busy (429). @raises SvcError"""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body, allow_nan=False).encode("utf-8")
        while True:
            try:
                seconds = self._timeout if until is None else max(self._timeout, until - time.monotonic())
                return self._send(method, path, body, content_type, seconds)
            except _Busy as busy:
                wait = busy.seconds
                if until is None or time.monotonic() + wait > until:
                    raise SvcError(busy.args[0], 429) from None
                time.sleep(wait)

    def _send(self, method, path, body, content_type, seconds):
        import http.client
        import urllib.error
        import urllib.request

        if self._opener is None:
            self._opener = _opener(self.url)
        headers = {"User-Agent": self._user_agent, **self._headers}
        if body is not None:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=seconds) as answer:
                return Response(answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except urllib.error.URLError as error:
            raise self._silence(error.reason, seconds) from None
        except (http.client.HTTPException, OSError) as error:
            raise self._silence(error, seconds) from None

    def _refusal(self, error):
        status = error.code
        if 300 <= status < 400:
            # A redirect target must not get the credentials of this server.
            return SvcError(
                "The server %s redirects to %s. Redirects are not followed; connect to that address."
                % (self.url, error.headers.get("Location", "another address")),
                status,
            )
        import http.client

        try:
            text = error.read(1 << 20).decode("utf-8", "replace")
        except (http.client.HTTPException, OSError):
            text = ""
        message, code = _sentence(text)
        message = message or "The server answered with status %d." % status
        if status == 429:
            return _Busy(message, error.headers.get("Retry-After"))
        return SvcError(message, status, code)

    def _silence(self, reason, seconds):
        if isinstance(reason, ConnectionRefusedError):
            return SvcError("No server answers at %s. Start it, or check the address." % self.url)
        if isinstance(reason, TimeoutError):
            return SvcError("The server %s did not answer within %g seconds. Try again, or allow more time by `timeout`." % (self.url, seconds))
        return SvcError("The request to %s was cut off: %s. Try again." % (self.url, reason or type(reason).__name__))


class Unavailable:
    """Replaces a transport if there is no server: every request fails with a message that says what to do."""

    url = None

    def __init__(self, message):
        self._message = message

    def send(self, *_request, **_options):
        raise SvcError(self._message)


class _Busy(Exception):
    def __init__(self, message, retry_after):
        super().__init__(message)
        try:
            self.seconds = min(max(float(retry_after), 0.1), 60.0)
        except (TypeError, ValueError):
            self.seconds = 1.0


def _checked(headers):
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str) or any(c in name + value for c in "\r\n\0"):
            # Without the value, which may be a credential.
            raise SvcError("The header %r is not valid: names and values are text of one line." % (name,))
    return dict(headers)


def _opener(url):
    """An opener that follows no redirects and bypasses proxies for this machine; both could leak the credentials."""
    import ipaddress
    import urllib.parse
    import urllib.request

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_arguments):
            return None

    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        is_own = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_own = host == "localhost"
    handlers = [NoRedirect()]
    if is_own:
        handlers.append(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(*handlers)


def _sentence(text):
    """(message, code) of an error response: `{"detail": text | {error, message, …}}`, or plain text."""
    try:
        answer = json.loads(text)
    except ValueError:
        return _short(text), None
    detail = answer.get("detail", answer) if isinstance(answer, dict) else answer
    code = answer.get("error_code") if isinstance(answer, dict) else None
    if isinstance(detail, str):
        return _short(detail), code
    if isinstance(detail, dict):
        message = detail.get("message") or detail.get("detail") or detail.get("error")
        return _short(str(message) if message else json.dumps(detail)), code or detail.get("error")
    if isinstance(detail, list):
        parts = [_problem(one) for one in detail]
        return _short("The request is not valid: %s." % "; ".join(parts)), code
    return _short(text), code


def _problem(part):
    if not isinstance(part, dict):
        return str(part)
    where = ".".join(str(one) for one in part.get("loc", ()))
    return "%s (%s)" % (part.get("msg", "not valid"), where) if where else str(part.get("msg", "not valid"))


def _short(text):
    text = text.strip()
    return text if len(text) <= _MAX_MESSAGE else text[:_MAX_MESSAGE] + "…"
