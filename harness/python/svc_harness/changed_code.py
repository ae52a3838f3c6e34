"""Detects attributes, default arguments and class values changed after the definition of a class or function.

Other cells get the source only, so such a change would be lost: a cell that sets `C.n = 5` on a class of another cell
cannot export that class. For the same reason, a class that counts its own instances starts at zero in each cell.
"""

import builtins
import types
from collections import Counter, OrderedDict, deque

from .real_types import is_class

_LITERALS = (int, float, complex, str, bytes, bool, type(None), list, dict, set, tuple)
_MADE_BY_CALL = (list, dict, set, deque, Counter, OrderedDict)
_MISSING = object()


def attributes(value):
    """{name: comparison state} of the attributes of a class or function, without those Python sets itself."""
    from .code_state import state_of

    return {
        name: state_of(item)
        for name, item in list(vars(value).items())
        if not (name.startswith("__") and name.endswith("__")) and not name.startswith("_abc_")
    }


def snapshot(module):
    """{symbol: attributes} of the classes and functions a slice has just defined."""
    return {
        name: attributes(value)
        for name, value in vars(module).items()
        if _is_code(value) and value.__module__ == module.__name__
    }


def _is_code(value):
    return is_class(value) or type(value) is types.FunctionType


def changed_attributes(opened):
    """Sorted (symbol, attribute) pairs that this process changed since the slice ran."""
    from .code_state import same_state

    changes = []
    for symbol, before in opened.as_defined.items():
        value = vars(opened.module).get(symbol)
        if not _is_code(value) or value.__module__ != opened.module.__name__:
            continue
        now = attributes(value)
        for name in sorted(set(before) | set(now)):
            if not same_state(before.get(name), now.get(name)):
                changes.append((symbol, name))
    return changes


def warnings_of_own(code, namespace, symbols):
    """Warnings for changes this cell made to its functions and classes, where the source shows the initial value."""
    import ast

    for one in code.statements:
        node = one.node
        if isinstance(node, ast.ClassDef) and node.name in symbols:
            yield from _of_class(node, namespace)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in symbols:
            yield from _of_function(node, node.name, namespace.get(node.name))


def _of_class(node, namespace):
    value = namespace.get(node.name)
    if not is_class(value):
        return
    import ast

    for statement in node.body:
        for name, written in _written(statement, namespace):
            now = vars(value).get(name, _MISSING)
            if type(now) in (*_LITERALS, *_MADE_BY_CALL) and (type(now) is not type(written) or repr(now) != repr(written)):
                yield _warning("%s.%s" % (node.name, name), node.name, name)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _of_function(statement, "%s.%s" % (node.name, statement.name), vars(value).get(statement.name))


def _of_function(node, written, value):
    """A function without decorators starts without attributes and with the default values in its source."""
    if node.decorator_list or type(value) is not types.FunctionType or value.__name__ != node.name:
        return
    from .code_state import remembers

    for name in vars(value):
        if not remembers(name):
            yield _warning("%s.%s" % (written, name), written.partition(".")[0], name)
    positional = (*node.args.posonlyargs, *node.args.args)
    firsts = zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults, value.__defaults__ or ())
    keywords = value.__kwdefaults__ or {}
    keyword_only = ((one, first, keywords.get(one.arg, _MISSING)) for one, first in zip(node.args.kwonlyargs, node.args.kw_defaults))
    for argument, first, now in (*firsts, *keyword_only):
        if type(now) in (list, dict, set) and _is_changed(first, now):
            yield _warning("The default value of %s of %s" % (argument.arg, written), written.partition(".")[0], argument.arg)


def _is_changed(node, now):
    import ast

    from .code_slice import is_literal

    if not is_literal(node):
        return False
    try:
        written = ast.literal_eval(node)
    except ValueError:
        return False  # `[not 1]`, which the slice treats as a literal
    return type(now) is not type(written) or repr(now) != repr(written)


def _written(statement, namespace):
    """(name, value) of an assignment in a class body to a literal or an empty container such as `dict()`."""
    import ast

    from .code_slice import is_literal

    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if len(targets) != 1 or not isinstance(targets[0], ast.Name):
        return
    value = statement.value
    if is_literal(value):
        try:
            yield targets[0].id, ast.literal_eval(value)
        except ValueError:
            return  # `not 1`, which the slice treats as a literal
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args and not value.keywords:
        factory = namespace.get(value.func.id, getattr(builtins, value.func.id, None))
        if any(factory is kind for kind in _MADE_BY_CALL):
            yield targets[0].id, factory()


def _warning(what, symbol, part):
    return {
        "var_name": symbol,
        "message": "%s was changed while this cell ran; the cells that use it start from the value in the source" % what,
        "suggestion": "Set %s where %s is defined, or use a separate variable for what changes." % (part, symbol),
    }
