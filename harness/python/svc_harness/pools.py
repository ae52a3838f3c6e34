"""Sends code of cells to worker processes that do not fork (`spawn`, `forkserver`).

Pickle stores a function as its module and name, which the receiver imports. A new worker has no such module: it would
die at its first task, and the pool would start new workers forever. So definitions of a cell are sent by value, with
cloudpickle, and what cannot be sent is refused immediately. Forked workers have the cell's code and are not affected.
Workers send their results in the same way (worker_main.py installs this module there).
"""

import functools
import os
import pickle
import sys
import types

from .real_types import is_cell_module, is_class
from .remaking import reduce_instance
from .typing_parts import reduce_typing_part
from .unstorable import explained

_WORKER_MAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker_main.py")

# Whether this process requested workers that do not fork, or is one.
_sends_code = False
_in_worker = False


def send_code():
    global _sends_code
    _sends_code = True


def watch_contexts(context):
    """Hook of multiprocessing.context: detects requests for workers that do not fork."""
    for name in ("SpawnContext", "ForkServerContext"):
        kind = getattr(context, name, None)
        if kind is not None:
            kind._check_available = _noting(kind._check_available)
    if context._default_context._default_context._name != "fork":
        send_code()


def _noting(check):
    def check_available(self):
        send_code()
        return check(self)

    return check_available


def patch_pickler(reduction):
    """Hook of multiprocessing.reduction: replaces the pickler of pools, queues and pipes."""
    reduction.ForkingPickler.reducer_override = _reducer_override


def patch_preparation(spawn):
    """Hook of multiprocessing.spawn: a worker runs worker_main.py instead of a program's main file."""
    prepare = spawn.get_preparation_data

    def get_preparation_data(name):
        data = prepare(name)
        data.pop("init_main_from_name", None)
        data["init_main_from_path"] = _WORKER_MAIN
        return data

    spawn.get_preparation_data = get_preparation_data


def _reducer_override(_pickler, item):
    if isinstance(item, BaseException):
        # Also for forked workers: an exception that cannot be unpickled ends the thread that waits for results.
        return reduce_instance(item)
    if not _sends_code:
        return NotImplemented
    reduced = _special(item)
    if reduced is not None:
        return reduced
    return _by_value(item) if _is_code(item) else NotImplemented


def _is_code(item):
    """Whether an item is a function or class of a cell."""
    return (is_class(item) or type(item) is types.FunctionType) and is_cell_module(item.__module__)


def _special(item):
    """How to send objects that pickle stores by name, or classes received from the other process; None for others."""
    part = reduce_typing_part(item)
    if part is not None:
        return part
    if not is_cell_module(getattr(item, "__module__", None)) or type(getattr(item, "__qualname__", None)) is not str:
        return None
    if is_class(item):
        return _known_class(item) if _in_worker else None
    if type(item).__name__ == "_lru_cache_wrapper":
        return (make_cached, (item.cache_parameters(), item.__wrapped__))
    if type(item) is not types.FunctionType and type(item.__reduce_ex__(4)) is str:
        raise _refusal(item, "a worker process would look it up by name")
    return None


def make_cached(parameters, function):
    """In pickles: a function with its own empty cache."""
    return functools.lru_cache(**parameters)(function)


def _known_class(kind):
    """A class received from the cell's process is sent back by reference: a copy would replace its methods there."""
    cloudpickle = sys.modules.get("cloudpickle.cloudpickle")
    class_id = getattr(cloudpickle, "_DYNAMIC_CLASS_TRACKER_BY_CLASS", {}).get(kind)
    return None if class_id is None else (cloudpickle._lookup_class_or_track, (class_id, None))


def _by_value(item):
    try:
        import cloudpickle
    except ImportError:
        raise _refusal(item, "it needs the package cloudpickle, which is not installed in this environment") from None
    import io

    class ByValue(cloudpickle.Pickler):
        def reducer_override(self, part):
            reduced = _special(part)
            return super().reducer_override(part) if reduced is None else reduced

    sink = io.BytesIO()
    try:
        ByValue(sink, protocol=5).dump(item)
    except pickle.PicklingError:
        raise
    except Exception as error:
        raise _refusal(item, explained(error)) from error
    return (pickle.loads, (sink.getvalue(),))


def _refusal(item, why):
    return pickle.PicklingError(
        "%s is defined in a cell and cannot be sent to a worker process that starts empty (%s). Pass plain functions "
        "and data, or use multiprocessing.get_context('fork')" % (item.__qualname__, why)
    )


def install_in_worker():
    """Called in a worker that did not fork: results are pickled in the same way as tasks."""
    import multiprocessing.reduction
    import multiprocessing.spawn

    global _in_worker
    _in_worker = True
    send_code()
    patch_pickler(sys.modules["multiprocessing.reduction"])
    patch_preparation(sys.modules["multiprocessing.spawn"])
