"""Small JSON-safe previews of values, for result files and frames."""

from .real_types import is_a, is_class

MAX_ROWS = 20
MAX_TEXT = 4000
# A preview is sent in frames; anything beyond about this many characters of JSON is omitted.
BUDGET = 32_000
_MAX_SAFE_INTEGER = 2**53 - 1


class Coercion:
    """Converts values to strict JSON within a budget; `truncated`: something was omitted."""

    def __init__(self, budget=BUDGET):
        self.left = budget
        self.truncated = False

    def value(self, value, depth=0):
        kind = type(value)
        if value is None or kind is bool:
            self.left -= 5
            return value
        if kind is int:
            self.left -= 8
            return value if -_MAX_SAFE_INTEGER <= value <= _MAX_SAFE_INTEGER else self._text(value)
        if kind is float:
            self.left -= 12
            if value - value == 0:
                return value
            return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
        if kind is str:
            return self._cut(value)
        if depth < 20 and issubclass(kind, dict):
            out = {}
            for key, item in value.items():
                if self.left <= 0:
                    self.truncated = True
                    break
                out[self._cut(key if type(key) is str else _text_of(key))] = self.value(item, depth + 1)
            return out
        if depth < 20 and issubclass(kind, (list, tuple)):
            out = []
            for item in value:
                if self.left <= 0:
                    self.truncated = True
                    break
                out.append(self.value(item, depth + 1))
            return out
        if is_a(value, "numpy", "generic"):
            plain = value.item()
            if type(plain) in (bool, int, float, str):
                return self.value(plain)
        return self._text(value)

    def _text(self, value):
        return self._cut(_text_of(value))

    def _cut(self, text):
        room = min(MAX_TEXT, max(self.left, 1))
        self.left -= len(text) + 3
        if len(text) <= room:
            return text
        self.truncated = True
        return text[: room - 1] + "…"


def _text_of(value):
    try:
        return str(value)
    except Exception as error:
        return "<%s: str() failed: %s>" % (type(value).__name__, type(error).__name__)


def json_preview(value, meta):
    """Set `preview` (and `preview_truncated`) of `meta` to the value itself."""
    coercion = Coercion()
    meta["preview"] = coercion.value(value)
    if coercion.truncated:
        meta["preview_truncated"] = True
    return meta


def class_text(value):
    """`<set object>`, `<function f>`, `<class C>`: the preview of a pickle."""
    kind = type(value).__name__
    if is_class(value):
        return "<class %s>" % value.__name__
    if kind in ("function", "builtin_function_or_method", "method"):
        return "<function %s>" % getattr(value, "__name__", "?")
    return "<%s object>" % kind
