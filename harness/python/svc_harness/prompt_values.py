"""Renders values as text for prompts (harness/CONTRACT.md, "Values of a prompt").

Each placeholder is a name followed by steps: attributes that are neither methods nor private, and calls without
arguments of describe, head and tail of pandas objects. Other placeholders stay as written: their text is null.
"""

import io
import os

from . import plain_json as json
from .real_types import is_a

VALUES_FILE = "prompt-values.json"

_CALLS = ("describe", "head", "tail")
_LEFT = {"text": None}
# Row limit for tables: each row takes at least a character and a line break.
_MOST_ROWS = 4_000


def write_values(wanted, inputs, output_dir):
    """Write the text of every placeholder, in order."""
    room = wanted["room"]
    texts = [_rendered(inputs, one, room) for one in wanted["values"]]
    with io.open(os.path.join(output_dir, VALUES_FILE), "w", encoding="utf-8", errors="replace") as file:
        json.dump(texts, file)


def _rendered(inputs, placeholder, room):
    root = placeholder["root"]
    if root not in inputs:
        return {"text": None, "note": "`%s` could not be read; the prompt contains its placeholder." % root}
    try:
        exists, value = _follow(inputs[root], placeholder["steps"])
        return {"text": text_of(value, room)} if exists else _LEFT
    except Exception as error:
        expression = ".".join([root] + [step["name"] for step in placeholder["steps"]])
        note = "`%s` could not be converted to text (%s: %s); the prompt contains its placeholder."
        return {"text": None, "note": note % (expression, type(error).__name__, error)}


def _follow(value, steps):
    """Follow the steps from a value; returns (whether they exist, value)."""
    for step in steps:
        name, call = step["name"], step["arguments"]
        if name.startswith("_") or not hasattr(value, name):
            return False, None
        if call is not None:
            if name not in _CALLS or call.strip() or not is_a(value, "pandas", "DataFrame", "Series"):
                return False, None
            value = getattr(value, name)()
            continue
        value = getattr(value, name)
        if callable(value):
            return False, None
    return True, value


def text_of(value, room):
    """A value in at most `room` characters: tables by whole rows, arrays by shape and first values, data as JSON."""
    if is_a(value, "pandas", "DataFrame"):
        return _pandas(value, room)
    if is_a(value, "pandas", "Series"):
        return _series(value, room)
    if is_a(value, "polars", "DataFrame"):
        return _table(value.columns, len(value), value.head(_MOST_ROWS).rows(), room)
    if is_a(value, "polars", "Series"):
        return _table([value.name or "value"], len(value), [(one,) for one in value.head(_MOST_ROWS)], room)
    if is_a(value, "pyarrow", "Table", "RecordBatch"):
        head = value.slice(0, _MOST_ROWS)
        columns = [column.to_pylist() for column in head.columns]
        return _table(value.schema.names, value.num_rows, list(zip(*columns)), room)
    if is_a(value, "numpy", "ndarray"):
        return _cut(_array(value), room)
    if isinstance(value, (dict, list, tuple)):
        return _cut(_json(value), room)
    return _cut(str(value), room)


def _pandas(frame, room):
    import pandas as pd

    head = frame.head(_MOST_ROWS)
    plain = isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
    names = [str(name) for name in frame.columns]
    if not plain:
        names = [" / ".join(str(name or "") for name in frame.index.names).strip() or "index"] + names
    rows = head.itertuples(index=not plain, name=None)
    return _table(names, len(frame), list(rows), room, width=len(frame.columns))


def _series(series, room):
    return _pandas(series.to_frame(name=series.name if series.name is not None else "value"), room)


def _table(names, count, rows, room, width=None):
    """A header with shape and columns, then the complete rows that fit."""
    names = [str(name) for name in names]
    columns = len(names) if width is None else width
    head = "%d rows x %d columns\ncolumns: %s\n" % (count, columns, ", ".join(names))
    cells = [[_cell(value) for value in row] for row in rows]
    lines, left = [" | ".join(names)], room - len(head) - len(" | ".join(names))
    for at, row in enumerate(cells):
        line = " | ".join(row)
        rest = count - at - 1
        # If rows follow, the line that counts them needs room too.
        left -= len(line) + 1
        if left < (len(_more(rest)) if rest else 0):
            return _cut(head + "\n".join(lines), room - len(_more(count - at))) + _more(count - at)
        lines.append(line)
    if count > len(cells):
        return head + "\n".join(lines) + _more(count - len(cells))
    return head + "\n".join(lines)


def _more(rows):
    return "\n... (%d more rows)" % rows if rows else ""


def _cell(value):
    text = "" if value is None else str(value)
    return " ".join(text.split("\n")) if "\n" in text else text


def _array(array):
    first = ", ".join(str(one) for one in array.ravel()[:10].tolist())
    more = ", ..." if array.size > 10 else ""
    return "numpy array, shape %s, dtype %s\nfirst values: [%s%s]" % (array.shape, array.dtype, first, more)


def _json(value):
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        # Keys that are not strings, or a value that contains itself.
        return str(value)


def _cut(text, room):
    if len(text) <= room:
        return text
    return "%s\n… (cut: %s of %s characters)" % (text[:room], format(room, ","), format(len(text), ","))
