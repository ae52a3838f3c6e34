"""Detects what a cell assigns to modules or changes in their containers: `math.pi = 3`, `config.PATHS.append(p)`."""

import sys
import types

from .code_state import same_state, state_of
from .content_digest import is_immutable
from .real_types import is_class

# Watched as process settings instead.
_ELSEWHERE = frozenset((("sys", "path"), ("os", "environ"), ("warnings", "filters"), ("matplotlib", "rcParams")))
_CONTAINERS = (list, dict, set, bytearray)
_MISSING = object()


class PatchWatch:
    """Records the values at all places the source may change; modules loaded later are added then."""

    def __init__(self, source, inputs):
        modules = {name: (value.__name__,) for name, value in inputs.items() if type(value) is types.ModuleType}
        self._places = _places(source, modules) if modules or "import" in source else {}
        self._before = {}
        self.look()

    def look(self):
        """Record the values in modules loaded since the last call."""
        for place in self._places:
            if place not in self._before and place[0] in sys.modules:
                self._before[place] = self._state(place)

    def changed(self):
        """{dotted name: as written in the cell} of the places whose value has changed."""
        return {
            ".".join(place): self._places[place][0]
            for place, before in self._before.items()
            if not _same(before, self._state(place))
        }

    def _state(self, place):
        value = _find(place)
        if value is _MISSING:
            return value
        _, is_assigned = self._places[place]
        if type(value) in _CONTAINERS or is_assigned and is_immutable(value):
            return state_of(value)
        # Objects are compared by identity, since inspecting them may be slow; callables may load lazily.
        return (value, None, None) if is_assigned else _MISSING


def _same(before, after):
    if before is _MISSING or after is _MISSING:
        return before is after
    return same_state(before, after)


def _find(place):
    value = sys.modules.get(place[0], _MISSING)
    for name in place[1:]:
        if is_class(value):
            value = next((base.__dict__[name] for base in value.__mro__ if name in base.__dict__), _MISSING)
        else:
            try:
                value = object.__getattribute__(value, "__dict__").get(name, _MISSING)
            except (AttributeError, TypeError):
                return _MISSING
        if value is _MISSING:
            return _MISSING
    return value


def _places(source, modules):
    """{(module, attribute, …): (as written, whether assigned)} of what the source assigns, deletes or may mutate."""
    import _ast as ast  # importing `ast` takes longer than a small cell runs

    try:
        tree = compile(source, "<places>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError:
        return {}
    nodes = list(_nodes(ast, tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                modules[alias.asname or root] = (alias.name if alias.asname else root,)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                modules[alias.asname or alias.name] = (node.module, alias.name)
    places = {}
    for node in nodes:
        target = _target(ast, node)
        chain = _chain(ast, target) if target is not None else None
        if chain is None or chain[0] not in modules:
            continue
        place = _of_submodule((*modules[chain[0]], *chain[1:]))
        if len(place) > 1 and place[:2] not in _ELSEWHERE:
            is_assigned = isinstance(target, ast.Attribute) and not isinstance(target.ctx, ast.Load)
            places[place] = (".".join(chain), is_assigned or places.get(place, (None, False))[1])
    return places


def _nodes(ast, tree):
    level = [tree]
    while level:
        node = level.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                level.append(value)
            elif type(value) is list:
                level.extend(item for item in value if isinstance(item, ast.AST))


def _of_submodule(place):
    """`os.path.sep` as ('os.path', 'sep'): submodules are separate modules."""
    while len(place) > 2 and ".".join(place[:2]) in sys.modules:
        place = (".".join(place[:2]), *place[2:])
    return place


def _target(ast, node):
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return node
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.value  # a method that may change its object
        if isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and len(node.args) > 1:
            name = node.args[1]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                return ast.Attribute(node.args[0], name.value, ast.Store())
    return None


def _chain(ast, node):
    names = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        else:
            names.clear()  # an item: its container is compared as a whole
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else None
