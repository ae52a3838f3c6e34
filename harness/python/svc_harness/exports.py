"""Which names a cell gives to others, and writing them (semantics 6.2)."""

from .displays import failure, write_encoded
from .encode import encode


def exported_names(namespace, before, mutation_defines, store):
    """Public names that are new, rebound (another object than before) or changed in place on purpose.

    A name in `store` counts even when it is bound to the very same object: `x = True` over an input True.
    """
    wanted = set(mutation_defines)
    if store != "all":
        wanted.update(store)
    return [
        name
        for name, value in namespace.items()
        if type(name) is str
        and name.isidentifier()  # a name is also a file's name
        and not name.startswith("_")
        and (name not in before or value is not before[name] or name in wanted)
    ]


def write_exports(namespace, names, store, displays):
    """Meta of every exported name: written in full when stored, else a preview."""
    variables = {}
    for name in names:
        value = namespace[name]
        stored = store == "all" or name in store
        try:
            variables[name] = _written(name, value, displays) if stored else _previewed(value)
        except Exception as error:
            variables[name] = failure(error, value)
    if displays.entries:
        variables["_"] = displays.entries[-1]
    return variables


def _written(name, value, displays):
    if displays.trailing is not None and displays.trailing[0] is value:
        return displays.trailing[1]  # the trailing expression wrote this very value a moment ago
    return write_encoded(encode(value), name, displays.output_dir)


def _previewed(value):
    encoded = encode(value, head=True)
    return {"content_type": encoded.content_type, "bytes": 0, **encoded.meta}
