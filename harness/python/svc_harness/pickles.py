"""Values nothing else carries: plain pickle when it is enough, cloudpickle for what the cell defined."""

import sys

_PICKLE_DEPTH = 5000


class CannotStore(Exception):
    """The value has no serialised form; the text says why and what to do."""


def write_pickle(value, sink):
    """Write `value` to `sink` (a ValueFile) and return the codec used.

    Plain pickle stores what `__main__` defines by reference, which no other process can follow, so such
    values go to cloudpickle, which stores them by value.
    """
    import pickle

    class Plain(pickle.Pickler):
        def reducer_override(self, item):
            if getattr(item, "__module__", None) == "__main__" and hasattr(item, "__qualname__"):
                raise CannotStore(item.__qualname__)
            return NotImplemented

    # Pickling recurses twice per level of nesting; reading back does not.
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _PICKLE_DEPTH))
    try:
        Plain(sink, protocol=5).dump(value)
        return "pickle"
    except Exception as error:
        plain_error = error
    finally:
        sys.setrecursionlimit(limit)
    sink.restart()
    try:
        import cloudpickle
    except ImportError:
        if isinstance(plain_error, CannotStore):
            raise CannotStore(
                "%s is defined in the cell, and storing such values needs cloudpickle, "
                "which this environment does not have: add the package cloudpickle" % plain_error
            ) from None
        raise plain_error from None
    cloudpickle.Pickler(sink, protocol=5).dump(value)
    return "cloudpickle"


def read_pickle(path):
    import pickle

    with open(path, "rb", buffering=1 << 20) as file:
        return pickle.load(file)
