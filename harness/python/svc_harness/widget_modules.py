"""Collects the JavaScript of widget libraries that Cellar does not include, from their installed versions.

A library for classic notebooks (bqplot, ipyleaflet, ipympl, …) installs one AMD module under
`share/jupyter/nbextensions`. It is stored with the display, since the page that shows it has no network access.
"""

import base64
import os
import re
import sys

# Modules that the page includes.
_OF_THE_PAGE = re.compile(r"@jupyter-widgets/(base|controls|output)$|anywidget$|$")
_NAME = re.compile(r"(@[a-z0-9_-]+/)?[a-z0-9_-][a-z0-9_.-]*$", re.IGNORECASE)
_PICTURE = re.compile(r"[a-z0-9_-]+\.(png|svg|gif)$", re.IGNORECASE)
# Size limit for a module or picture; if one is larger, the page reports the library as missing.
_MOST_BYTES = 16 * 1024 * 1024
_MOST_PICTURE_BYTES = 64 * 1024


def modules_of(state):
    """`{"modules": {name: text}}` for the libraries of these widgets; empty if the page needs none."""
    names = set()
    for entry in state.values():
        names.add(str(entry["model_module"]))
        names.add(str(entry["state"].get("_view_module") or ""))
    texts = {name: _text_of(name) for name in sorted(names) if not _OF_THE_PAGE.match(name)}
    modules = {name: text for name, text in texts.items() if text is not None}
    return {"modules": modules} if modules else {}


def _text_of(name):
    if not _NAME.match(name):
        return None
    for prefix in dict.fromkeys((sys.prefix, sys.base_prefix)):
        folder = os.path.join(prefix, "share", "jupyter", "nbextensions", *name.split("/"))
        text = _read(os.path.join(folder, "index.js"), _MOST_BYTES)
        if text is not None:
            return _with_pictures(text.decode("utf-8", "replace"), folder)
    return None


def _with_pictures(text, folder):
    """The module with picture files (such as markers of a map) embedded in place of their names."""
    for file in sorted(os.listdir(folder)):
        quoted = '"%s"' % file
        if not _PICTURE.match(file) or quoted not in text:
            continue
        data = _read(os.path.join(folder, file), _MOST_PICTURE_BYTES)
        if data is not None:
            kind = "svg+xml" if file.lower().endswith("svg") else file[-3:].lower()
            text = text.replace(quoted, '"data:image/%s;base64,%s"' % (kind, base64.b64encode(data).decode("ascii")))
    return text


def _read(path, most):
    try:
        if os.path.getsize(path) > most:
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
