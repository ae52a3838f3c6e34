"""The exception that every failed request of the client raises."""


class SvcError(Exception):
    """A failed request; the message says what went wrong and what to do.

    `status`: HTTP status, or None without a response. `code`: the server's or a failed build's error code, or None.
    """

    def __init__(self, message, status=None, code=None):
        super().__init__(message)
        self.status = status
        self.code = code
