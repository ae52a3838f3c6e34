"""Inspects the top-level code of a cell, outside functions and classes."""

import ast

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def top_level_nodes(tree):
    """Every node that runs in the cell's own scope; definitions themselves, but not their bodies."""
    level = [tree]
    while level:
        node = level.pop()
        yield node
        if not isinstance(node, _SCOPES):
            level.extend(reversed(list(ast.iter_child_nodes(node))))


def assigned_names(source):
    """Names bound by an assignment at the top level; empty if the source does not parse."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return frozenset()
    return frozenset(
        node.id for node in top_level_nodes(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
