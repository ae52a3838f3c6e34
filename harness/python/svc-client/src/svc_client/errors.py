"""The one exception of the client."""


class SvcError(Exception):
    """What went wrong, and what to do.

    `status`: of the server's answer, None without one. `code`: the name that the server or a failed build gives it, or
    None.
    """

    def __init__(self, message, status=None, code=None):
        super().__init__(message)
        self.status = status
        self.code = code
