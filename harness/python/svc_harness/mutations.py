"""Warnings about changes to inputs that other cells will not see.

Inputs are compared by content before and after the cell: by digest, and where the digests differ, with a fresh copy.
"""

import os
import sys

from .content_compare import is_same
from .content_digest import digest, is_immutable
from .real_types import class_attribute, package_of

# Larger values are not read again for the comparison.
_MAX_READ_AGAIN = 256 << 20
_ITERATORS = ("StringIO", "BytesIO")


class MutationWatch:
    """Takes digests of the inputs before the cell runs, and creates the warnings afterwards.

    `specs`: from the manifest, to read an input again; `base`: the folder its files are relative to. `handed_on`: names
    the cell exports because its source changes them in place; only the code among them is watched.
    """

    def __init__(self, inputs, specs=None, base="", handed_on=()):
        self._specs, self._base = specs or {}, base
        self._values = {}
        self._slices = _watch_slices(inputs)
        for name, value in inputs.items():
            if name not in handed_on and not is_immutable(value) and not _is_code(value):
                value_digest = digest(value)
                if value_digest is not None:
                    self._values[name] = (value, value_digest)

    def warnings(self, inputs, namespace, exported, source=""):
        """Warnings for deleted inputs and for changes that are not exported."""
        warnings = []
        for name in inputs:
            if name not in namespace:
                warnings.append(_deleted(name))
            elif name in self._values and name not in exported and self._is_changed(name) and not _assigns(source, name):
                warnings.append(_changed(name, self._values[name][0]))
        for one in self._slices:
            warnings.extend(_changed_code(name, parts) for name, parts in one.changed_code().items())
            warnings.extend(
                _changed_used(name, one.user_of(name))
                for name, value, before in one.changed_values()
                if _differs(value, before, name, *one.spec_of(name))
            )
            warnings.extend(_set_global(name, one.user_of(name)) for name in one.rebound_values())
        return warnings

    def _is_changed(self, name):
        value, before = self._values[name]
        return _differs(value, before, name, self._specs.get(name), self._base)


def _differs(value, before, name, spec, base):
    after = digest(value)
    if after is None or after.equals(before):
        return False
    # The file of shared code would return this process's module, including the change.
    if spec is None or spec.get("content_type") == "module/cell" or _size(spec, base) > _MAX_READ_AGAIN:
        return True
    from .decode import read_input

    try:
        return not is_same(read_input(name, spec, base), value)
    except Exception:
        return True  # without a comparison, the differing digests decide


def _size(spec, base):
    if spec.get("kind") == "sweep_dict":
        return sum(_size(inner, base) for inner in spec["variants"].values())
    return os.path.getsize(os.path.join(base, spec["file"]))


def _watch_slices(inputs):
    """Watch code of other cells; only processes that opened slices have any."""
    if "svc_harness.shared_modules" not in sys.modules:
        return []
    from .slice_watch import watch_slices

    return watch_slices(inputs)


def _is_code(value):
    from .real_types import is_definition, of_cells

    if not (is_definition(value) and of_cells(value)):
        return False
    from .shared_modules import opened_of

    return opened_of(value) is not None


def _assigns(source, name):
    """Whether the cell assigns the name at its top level, which exports its value: `model = model`."""
    if not source:
        return False
    from .top_level import assigned_names

    return name in assigned_names(source)


def warning(name, message, suggestion, fix=None):
    """`fix`: the fix the window offers: `keep` assigns the name in this cell, `setup` makes it a set-up cell."""
    entry = {"var_name": name, "message": message, "suggestion": suggestion}
    if fix is not None:
        entry["fix"] = fix
    return entry


def _deleted(name):
    return warning(
        name,
        "%s was deleted here; other cells still see it." % name,
        "Deleting an input frees memory in this cell only.",
    )


def _changed(name, value):
    kind = type(value)
    if _is_random(kind):
        message = "This cell drew numbers from %s; other cells get its earlier state and draw the same numbers." % name
    elif kind.__name__ in _ITERATORS or class_attribute(kind, "__next__") is not None:
        message = "This cell read from %s; other cells get it at its earlier position." % name
    else:
        message = "This cell changed %s in place; other cells get it without the change." % name
    return warning(name, message, "To pass on the change, add the line `%s = %s` to this cell." % (name, name), "keep")


def _is_random(kind):
    names = [base.__name__ for base in kind.__mro__ if package_of(base) in ("random", "_random", "numpy", "torch")]
    return any(name in ("Random", "Generator", "RandomState", "BitGenerator") for name in names)


def _changed_code(name, parts):
    what = listed(parts)
    return warning(
        name,
        "%s changed here; other cells get %s as its source says." % ("T" + what[1:] if what.startswith("the ") else what, name),
        "Make the change in the cell that defines %s." % name,
    )


def _changed_used(key, name):
    return warning(
        key,
        "%s, which %s uses, changed in this cell; other cells get it without the change." % (key, name),
        "Pass the value to %s and return it, then assign it in this cell." % name,
    )


def _set_global(key, name):
    return warning(
        key,
        "%s, a global of %s, was set in this cell; other cells get it without the change." % (key, name),
        "Return the value from %s, then assign it in this cell." % name,
    )


def listed(parts):
    """Up to three names for a message, and the number of others."""
    first = parts[:3]
    more = len(parts) - len(first)
    return ", ".join(first) + (" and %d more" % more if more else "")
