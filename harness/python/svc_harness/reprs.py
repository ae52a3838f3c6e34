"""Short and fast repr of any value, whatever its `__repr__` does."""

from .alarm import within
from .previews import MAX_TEXT

# Time limit; a repr that queries a database or walks a directory tree is abandoned.
MAX_SECONDS = 2.0
# Depth limit; below it, Python's own repr is used.
_MOST_DEPTH = 20
_BRACKETS = {list: "[]", tuple: "()", set: "{}", frozenset: ("frozenset({", "})"), dict: "{}"}
_EMPTY = {set: "set()", frozenset: "frozenset()"}


class _TookTooLong(BaseException):
    """A BaseException, so that a repr which catches Exception is stopped too."""


class Foreign(Exception):
    """A value of a class outside the standard library."""


def repr_text(value):
    """repr in at most MAX_TEXT characters and MAX_SECONDS. Never raises an Exception or SystemExit."""
    try:
        return within(MAX_SECONDS, lambda: _Text(MAX_TEXT).of(value), _TookTooLong)
    except _TookTooLong:
        return "<%s: repr() took longer than %g s>" % (type(value).__name__, MAX_SECONDS)
    except (Exception, SystemExit) as error:
        return "<%s: repr() failed: %s>" % (type(value).__name__, type(error).__name__)


def builtin_text(value, most):
    """repr in at most `most` characters of a value that consists of built-in types only; otherwise None."""
    try:
        return _Text(most, builtin_only=True).of(value)
    except Exception:  # a foreign class, or a number Python refuses to convert to a string
        return None


class _Text:
    """Produces the same text as `repr`, but stops within containers when the limit is reached."""

    def __init__(self, most, builtin_only=False):
        self.most = most
        self.left = most + 1
        self.builtin_only = builtin_only
        self.parts = []
        self.open = set()

    def of(self, value):
        self.value(value, 0)
        text = "".join(self.parts)
        return text if len(text) <= self.most else text[: self.most - 1] + "…"

    def add(self, text):
        # A subclass of str may return anything for its slices.
        text = str.__getitem__(text, slice(self.left))
        self.parts.append(text)
        self.left -= len(text)

    def value(self, value, depth):
        kind = type(value)
        if kind is str or kind is bytes:
            self.add(repr(value[: self.left]))
        elif kind in _BRACKETS and depth < _MOST_DEPTH:
            self.container(value, depth)
        elif self.builtin_only and kind not in _PLAIN:
            raise Foreign(kind)
        else:
            self.add(repr(value))

    def container(self, value, depth):
        kind = type(value)
        opening, closing = _BRACKETS[kind]
        if not value and kind in _EMPTY:
            self.add(_EMPTY[kind])
        elif id(value) in self.open:
            self.add("%s...%s" % (opening, closing))
        else:
            self.open.add(id(value))
            self.add(opening)
            self.items(value, depth)
            self.add(",)" if kind is tuple and len(value) == 1 else closing)
            self.open.discard(id(value))

    def items(self, value, depth):
        is_dict = type(value) is dict
        for at, item in enumerate(value):
            if self.left <= 0:
                return
            if at > 0:
                self.add(", ")
            self.value(item, depth + 1)
            if is_dict:
                self.add(": ")
                self.value(value[item], depth + 1)


_PLAIN = frozenset((int, float, complex, bool, type(None), type(...), range, slice))
