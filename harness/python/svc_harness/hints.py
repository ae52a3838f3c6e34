"""Hints for failures caused by running in a notebook, shown below the error."""

import re

_MAGIC = re.compile(r"^\s*(?:[\w, ]+=\s*)?(%%?\w|!!?\s*[\w./~$-]|\?{1,2}\w)|[\w\])]\?{1,2}\s*$")

_LEFT = (
    "A cell that exits counts as failed, so the cells that read it do not run. "
    "To skip code without a failure, put it under an `if`."
)


def hint(error):
    """A hint of one or two sentences, or None."""
    if isinstance(error, NameError):
        return _of_private_name(error.name)
    if isinstance(error, SyntaxError):
        return _of_magic(error.text)
    if isinstance(error, SystemExit):
        return _LEFT if error.code in (None, 0) else None
    if isinstance(error, RuntimeError):
        return _of_event_loop(str(error))
    return None


def _of_private_name(name):
    if not name or not name.startswith("_") or name.endswith("__"):
        return None
    public = name.lstrip("_")
    renamed = "rename it to `%s`" % public if public else "give it a name that does not start with _"
    return "A name that starts with _ stays in the cell that assigns it. To use `%s` in another cell, %s." % (name, renamed)


def _of_magic(line):
    if not isinstance(line, str) or not _MAGIC.search(line):
        return None
    return (
        "Commands that start with %, ! or ? are Jupyter syntax, not Python. To run a program, use "
        "`subprocess.run(...)`, for help use `help(name)`, and to install a package use the Environment panel."
    )


def _of_event_loop(text):
    if "cannot be called from a running event loop" in text:
        return (
            "This cell uses `await` outside a function, so its event loop is running: "
            "write `await main()` instead of `asyncio.run(main())`."
        )
    if text == "no running event loop":
        return "A cell has an event loop where it uses `await` outside a function: await the task in this cell."
    return None
