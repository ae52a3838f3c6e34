"""Reads the inputs of a run: files written by earlier runs, turned back into values."""

import importlib
import os

from . import plain_json as json

R_ONLY = "application/x-r-rds"


class InputRefused(Exception):
    """An input that prevents the cell from starting; `code` becomes the result's `error_code`."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code


def read_input(name, spec, base):
    """The value of one manifest input. Raises InputRefused, or any error from decoding or the library."""
    if spec.get("kind") == "sweep_dict":
        return {variant: read_input(name, inner, base) for variant, inner in sorted(spec["variants"].items())}
    content_type = spec["content_type"]
    path = os.path.join(base, spec["file"])
    if content_type == R_ONLY:
        raise InputRefused(
            "R_ONLY_ARTIFACT",
            "%r contains a value that only R can read: convert it to a data.frame or a list in its R cell" % name,
        )
    if content_type in _SHARED:
        return _read_shared(path, spec, base)
    reader = _READERS.get(content_type)
    if reader is None:
        raise ValueError("no reader for content type %s" % content_type)
    return reader(name, path)


# Content types that may involve code of another cell
_SHARED = ("module/cell", "module/cell-instance", "pickle/object")


def _read_shared(path, spec, base):
    """Code of another cell, an instance of its class, or a pickle that contains either."""
    from . import shared_modules

    content_type = spec["content_type"]
    if content_type == "module/cell":
        return shared_modules.read_symbol(path, spec.get("injected") or {}, base)
    from .pickles import read_pickle

    part = "value" if content_type == "module/cell-instance" else None
    return shared_modules.read_with(read_pickle, path, spec, base, part)


def _read_arrow(name, path):
    from .arrow_tables import read_arrow
    from .arrow_tensors import PrecisionNarrowed

    try:
        return read_arrow(path)
    except PrecisionNarrowed as error:
        raise InputRefused("PRECISION_NARROWED", "%r: %s" % (name, error)) from None


def _read_json(_name, path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _read_text(_name, path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


# module -> submodules that cells above imported. The cell's own imports are added.
imported_above = {}


def _read_module(_name, path):
    form = _read_json(_name, path)
    module = importlib.import_module(form["module_name"])
    for below in form.get("submodules", ()):
        importlib.import_module(below)
        imported_above.setdefault(form["module_name"], set()).add(below)
    return module


def _read_path(_name, path):
    import pathlib

    return pathlib.Path(path)


_READERS = {
    "arrow/ipc": _read_arrow,
    "json/object": _read_json,
    "module/import": _read_module,
    "text/markdown": _read_text,
    "file/path": _read_path,
}
