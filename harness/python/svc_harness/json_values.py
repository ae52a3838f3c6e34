"""Determines which values JSON round-trips (content type json/object), and encodes them."""

from itertools import chain, islice
from json import dumps  # a cell may replace json.dumps


_SCALARS = frozenset((int, float, str, bool, type(None)))
_CONTAINERS = frozenset((dict, list))
# Number of parts of a large value to check for a preview.
_SAMPLED = 2_000
_LONG_TEXT = 1_000_000
# Depth limit; a cycle also reaches it.
_DEEPEST = 400


def json_text(value):
    """JSON text of `value`, or None if reading it back would change its value or types.

    Only exact builtin types qualify: subclasses (enums, named tuples, numpy floats) would lose their class. Shared
    sub-objects become copies; values with cycles are refused.
    """
    if type(value) not in _SCALARS and not _is_plain_tree(value):
        return None
    try:
        text = dumps(value, ensure_ascii=True)
        if "\\ud" in text and not _encodable(value):
            return None
    except (ValueError, RecursionError, OverflowError):
        return None  # a cycle, nested too deeply, or an integer with more digits than Python converts
    return text


def is_likely_json(value):
    """Estimate for previews of what `json_text` would return: large values are judged by their first parts."""
    if type(value) is str and len(value) > _LONG_TEXT:
        return True
    plain, whole = _sampled(value)
    return json_text(value) is not None if whole else plain


def _sampled(value):
    """(whether all checked parts are plain, whether everything was checked)"""
    level = [value]
    looked_at = 0
    depth = 0
    whole = True
    while level:
        depth += 1
        if depth > _DEEPEST:
            return False, False
        below = []
        for part in level:
            looked_at += 1
            kind = type(part)
            if kind is dict and set(map(type, islice(part, _SAMPLED))) <= {str}:
                items = part.values()
            elif kind is list:
                items = part
            elif kind in _SCALARS:
                continue
            else:
                return False, False
            whole = whole and len(part) <= _SAMPLED
            below.extend(islice(items, max(0, _SAMPLED - len(below))))
        whole = whole and len(below) < _SAMPLED
        if looked_at > 4 * _SAMPLED:
            return True, False
        level = below
    return True, whole


def _is_plain_tree(value):
    """Checks one level at a time, so that the work per element is done in C."""
    if type(value) not in _CONTAINERS:
        return False
    level = [value]
    depth = 0
    while level:
        below = []
        for container in level:
            if type(container) is dict:
                if container and set(map(type, container)) != {str}:
                    return False
                items = container.values()
            else:
                items = container
            kinds = set(map(type, items))
            if kinds <= _SCALARS:
                continue
            if not kinds <= _SCALARS | _CONTAINERS:
                return False
            below.append([item for item in items if type(item) in _CONTAINERS])
        level = list(chain.from_iterable(below))
        depth += 1
        if depth > _DEEPEST:
            return False
    return True


def _encodable(value):
    """False if a string contains a surrogate: a pair of them would be read back as one character."""
    try:
        dumps(value, ensure_ascii=False).encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False
