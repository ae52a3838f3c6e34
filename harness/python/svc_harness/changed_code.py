"""Attributes set on classes and functions after their definition, which do not travel: code leaves as it is written.

A cell that sets `C.n = 5` on a class of another cell may not hand the class on as if it had not, and a class that
counts its own instances counts in each cell from the start.
"""

import types

from .looking import is_class

_LITERALS = (int, float, complex, str, bytes, bool, type(None), list, dict, set, tuple)
_MISSING = object()


def attributes(value):
    """{name: what shows a change} of a class or function, but for what Python itself puts there."""
    from .code_state import state_of

    return {
        name: state_of(item)
        for name, item in list(vars(value).items())
        if not (name.startswith("__") and name.endswith("__")) and not name.startswith("_abc_")
    }


def snapshot(module):
    """Attributes of the classes and functions a slice has just defined: {symbol: attributes}."""
    return {
        name: attributes(value)
        for name, value in vars(module).items()
        if _is_code(value) and value.__module__ == module.__name__
    }


def _is_code(value):
    return is_class(value) or type(value) is types.FunctionType


def changed_attributes(opened):
    """(symbol, attribute) of what this process changed since the slice was run, in order."""
    from .code_state import same_state

    found = []
    for symbol, before in opened.as_defined.items():
        value = vars(opened.module).get(symbol)
        if not _is_code(value) or value.__module__ != opened.module.__name__:
            continue
        now = attributes(value)
        for name in sorted(set(before) | set(now)):
            if not same_state(before.get(name), now.get(name)):
                found.append((symbol, name))
    return found


def warnings_of_own(code, namespace, symbols):
    """Literal attributes in the class bodies of this cell's slice that differ from the source."""
    import ast

    for one in code.statements:
        if not isinstance(one.node, ast.ClassDef) or one.node.name not in symbols:
            continue
        value = namespace.get(one.node.name)
        for statement in one.node.body if is_class(value) else ():
            for name, written in _written(statement):
                now = vars(value).get(name, _MISSING)
                if type(now) in _LITERALS and (type(now) is not type(written) or repr(now) != repr(written)):
                    yield _warning(one.node.name, name, "the cells that use it start from the value in the source")


def _written(statement):
    """(name, value) of an assignment of a literal in a class body."""
    import ast

    from .code_slice import is_literal

    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if len(targets) == 1 and isinstance(targets[0], ast.Name) and is_literal(statement.value):
        try:
            yield targets[0].id, ast.literal_eval(statement.value)
        except ValueError:
            return  # `not 1`, which is a literal to the slice


def _warning(symbol, attribute, what):
    return {
        "var_name": symbol,
        "message": "%s.%s was changed while this cell ran; %s" % (symbol, attribute, what),
        "suggestion": "Give %s its value where %s is defined, or keep what changes in a variable of its own."
        % (attribute, symbol),
    }
