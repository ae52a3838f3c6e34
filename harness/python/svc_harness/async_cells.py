"""Runs cells that use `await`, `async for` or `async with` outside a function, in one event loop.

asyncio is imported only here, so that other cells do not pay for it.
"""

import asyncio
import sys

# Seconds to wait for cancelled tasks to stop.
_PATIENCE = 5


def run_async(codes, namespace):
    """Evaluate code objects one after another in a separate event loop. Returns the value of the last one.

    Tasks that are still running are cancelled, which is reported on stderr.
    """
    loop = asyncio.new_event_loop()
    outcome = {"value": None, "error": None}
    finished = False
    try:
        asyncio.set_event_loop(loop)
        # The error is passed as a value: raised through the loop, its traceback would include asyncio's frames.
        loop.run_until_complete(_evaluate(codes, namespace, outcome))
        finished = True
    except KeyboardInterrupt as interrupt:
        raise interrupt.with_traceback(None)
    finally:
        try:
            _end_tasks(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
            if finished and outcome["error"] is None:
                loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            asyncio.set_event_loop(None)
            loop.close()
    if outcome["error"] is not None:
        raise outcome["error"]
    return outcome["value"]


async def _evaluate(codes, namespace, outcome):
    try:
        for code in codes:
            value = eval(code, namespace)
            outcome["value"] = await value if code.co_flags & _COROUTINE else value
    except BaseException as error:
        outcome["error"] = error


_COROUTINE = 0x80  # inspect.CO_COROUTINE, without importing inspect


def _end_tasks(loop):
    tasks = asyncio.all_tasks(loop)
    if not tasks:
        return
    for task in tasks:
        task.cancel()
    _, left = loop.run_until_complete(asyncio.wait(tasks, timeout=_PATIENCE))
    names = ", ".join(sorted({_name_of(task) for task in tasks}))
    many = "1 task was" if len(tasks) == 1 else "%d tasks were" % len(tasks)
    print(
        "svc: %s still running when the cell ended and %s cancelled (%s). "
        "To get the result, await the task in the cell that starts it." % (many, many.split()[-1], names),
        file=sys.stderr,
    )
    if left:
        print("svc: %d of them did not stop." % len(left), file=sys.stderr)


def _name_of(task):
    work = task.get_coro()
    return getattr(work, "__qualname__", None) or type(work).__name__
