"""Console completions: names in the namespace, modules, and attributes of values."""

import builtins
import keyword
import sys

MAX_NAMES = 200


def names_after(namespace, text):
    """Completions of the last name in `text`, the part of the line before the cursor.

    `x.upp` completes attributes of `x`, and `upp` completes names. Only chains of plain names are completed: after a
    call, an index or a string, completion would have to evaluate code. Private names are included only after an
    underscore.
    """
    chain = _chain_of(text)
    if chain is None:
        return []
    *path, prefix = chain
    if _is_import(text):
        names = _module_names(path)
    elif path:
        exists, value = _value_of(namespace, path)
        names = dir(value) if exists else []
    else:
        names = [*namespace, *dir(builtins), *keyword.kwlist]
    private = prefix.startswith("_")
    fitting = {
        name
        for name in names
        if isinstance(name, str) and name.startswith(prefix) and name.isidentifier() and (private or name[0] != "_")
    }
    fitting.discard(prefix)
    return sorted(fitting, key=lambda name: (name.startswith("_"), name.lower(), name))[:MAX_NAMES]


def _chain_of(text):
    """The dotted names at the end of `text`, the last possibly empty; None if other code precedes them."""
    start = len(text)
    while start > 0 and (text[start - 1] == "." or ("_" + text[start - 1]).isidentifier()):
        start -= 1
    chain = text[start:].split(".")
    if any(part != "" and not part.isidentifier() for part in chain) or "" in chain[:-1] or chain == [""]:
        return None
    # In `f().x` and `x[0].y` only the dot and what follows match: the first part is empty.
    return chain


def _is_import(text):
    line = text.rsplit("\n", 1)[-1].lstrip()
    return line.startswith("import ") or (line.startswith("from ") and " import " not in line)


def _module_names(path):
    if not path:
        import pkgutil

        return [*sys.builtin_module_names, *(module.name for module in pkgutil.iter_modules())]
    module = sys.modules.get(".".join(path))
    if module is None or not hasattr(module, "__path__"):
        return []
    import pkgutil

    return [module_info.name for module_info in pkgutil.iter_modules(module.__path__)]


def _value_of(namespace, path):
    first, *rest = path
    if first in namespace:
        value = namespace[first]
    elif hasattr(builtins, first):
        value = getattr(builtins, first)
    else:
        return False, None
    for name in rest:
        try:
            value = getattr(value, name)
        except Exception:
            return False, None
    return True, value
