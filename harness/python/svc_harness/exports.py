"""Determines which names a cell exports to other cells, and writes their values to the output folder."""


from . import execute
from .displays import failure, write_encoded
from .encode import encode
from .real_types import is_definition, of_cells
from .unread import TooMuch


def exported_names(namespace, before, mutation_defines, store):
    """Public names that are new, rebound to another object, or changed in place on purpose.

    A name in `store` counts even if it is bound to the same object as before: `x = True` over an input True.
    """
    always = set(mutation_defines)
    if store != "all":
        always.update(store)
    return [
        name
        for name, value in namespace.items()
        if type(name) is str
        and name.isidentifier()  # a name is also a file name
        and not name.startswith("_")
        and (name not in before or value is not before[name] or name in always)
    ]


def write_exports(namespace, names, store, displays, allowance=None):
    """(meta of every exported name: complete when stored, else a preview; warnings about shared code).

    `allowance`: the limit for storing names that no cell reads yet (unread.py); None for no limit.
    """
    variables = {}
    stored = [name for name in names if store == "all" or name in store]
    sharing = _sharing(namespace, stored)
    constants = ()
    if sharing is not None:
        sharing.write = lambda name: _store_for_code(name, namespace, variables, displays, allowance)
        constants = sharing.constants(stored)
    for name in names:
        if name not in variables:
            constant_of = sharing if name in constants else None
            variables[name] = _exported(name, namespace, stored, displays, constant_of, allowance)
    warnings = []
    if sharing is not None and allowance is None:
        code_names = [name for name in stored if variables[name].get("content_type") == "module/cell"]
        warnings.extend(sharing.warnings([name for name in code_names if name in sharing.verdict.injects]))
    if displays.entries:
        variables["_"] = displays.entries[-1]
    return variables, warnings


def _sharing(namespace, stored):
    """The cell's shared code, if a function or class of its own is to be stored; else None."""
    if not any(is_definition(namespace[name]) and of_cells(namespace[name]) for name in stored):
        return None
    from .code_sharing import current

    sharing = current()
    try:
        return sharing if any(name in sharing.verdict.code.symbols for name in stored) else None
    except SyntaxError:
        return None


def _store_for_code(name, namespace, variables, displays, allowance):
    """Store a value that shared code needs, although no cell reads it by name.

    @raises TooMuch: no cell reads that code yet, and the value exceeds the limit
    """
    if name not in variables or not _is_final(variables[name]):
        meta = _exported(name, namespace, (name,), displays, None, allowance)
        if not _is_final(meta):
            raise TooMuch
        variables[name] = meta
    return variables[name]


def _is_final(meta):
    """Whether the value was written or its error is known, rather than only previewed."""
    return "file" in meta or "error" in meta


def _exported(name, namespace, stored, displays, constant_of, allowance=None):
    value = namespace[name]
    outer, execute.writing = execute.writing, name
    try:
        if name not in stored or not _is_admitted(value, displays, allowance):
            return _previewed(value)
        if constant_of is not None:
            return write_encoded(constant_of.encode_constant(name), name, displays.output_dir)
        return _written(name, value, displays, allowance)
    except TooMuch:
        return _previewed(value)
    except SystemExit as error:
        # Errors of code that writes a value must not end the cell, which succeeded.
        return failure(error, value) if allowance is None else _previewed(value)
    except Exception as error:
        return failure(error, value)
    finally:
        execute.writing = outer


def _is_admitted(value, displays, allowance):
    return allowance is None or _is_trailing(value, displays) or allowance.admits(value)


def _is_trailing(value, displays):
    """Whether this value has just been written as the trailing expression."""
    trailing = displays.trailing
    return trailing is not None and trailing[0] is value and "injected" not in trailing[1]


def _written(name, value, displays, allowance):
    if _is_trailing(value, displays):
        return displays.trailing[1]
    if allowance is None:
        return write_encoded(encode(value, name=name), name, displays.output_dir)
    return allowance.spend(
        lambda: write_encoded(encode(value, name=name), name, displays.output_dir, allowance)
    )


def _previewed(value):
    encoded = encode(value, head=True)
    return {"content_type": encoded.content_type, "bytes": 0, **encoded.meta}
