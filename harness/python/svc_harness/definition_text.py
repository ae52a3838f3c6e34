"""Writes the display of a function or class: its signature and its docstring."""

import inspect

_MAX_SIGNATURE = 400


def definition_text(value):
    kind = "class" if inspect.isclass(value) else "async def" if inspect.iscoroutinefunction(value) else "def"
    name = getattr(value, "__qualname__", "?")
    lines = ["%s %s%s" % (kind, name, _signature(value, kind))]
    about = inspect.getdoc(value) if not inspect.isclass(value) or "__doc__" in vars(value) else None
    # A dataclass without its own docstring repeats its signature.
    if isinstance(about, str) and not about.startswith(name + "("):
        lines += ["    " + line if line else "" for line in about.splitlines()[:20]]
    return "\n".join(lines)


def _signature(value, kind):
    try:
        text = str(inspect.signature(value))
    except (ValueError, TypeError):
        return ""  # builtins and unusual metaclasses have no signature
    except Exception:  # showing annotations and defaults may run their code
        return "(…)"
    text = text.replace("__main__.", "")
    if kind == "class" and text.endswith(" -> None"):
        text = text[: -len(" -> None")]
    return text if len(text) <= _MAX_SIGNATURE else "(…)"
