"""Content digests of values, taken before and after a cell runs: equal digests mean that nothing changed.

The value is pickled into a hash, so no copy is kept. Unequal digests do not prove a change, since a cache may have
been filled in between; content_compare.py compares the contents then.
"""

import sys
import types

from .real_types import class_attribute, is_cell_module, is_class, package_of

# Limit for the hashed part of a pickle; buffers of arrays count separately.
_MAX_PICKLED = 64 << 20
_MAX_BUFFER = 64 << 20
_CHUNK = 1 << 20
_BLOCK = 1 << 16
_DEPTH = 5000
_SAMPLED_ITEMS = 20_000
_NAMED = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
_IMMUTABLE = frozenset((int, float, str, bool, bytes, complex, type(None), range, types.ModuleType, type(...)))


def is_immutable(value):
    """Whether values of this exact type cannot be changed in place."""
    return type(value) in _IMMUTABLE


class Digest:
    """`held`: values of libraries with immutable data (Arrow, Polars), compared by the library."""

    __slots__ = ("content", "held")

    def __init__(self, content, held):
        self.content, self.held = content, held

    def equals(self, other):
        return (
            self.content == other.content
            and len(self.held) == len(other.held)
            and all(same_held(one, two) for one, two in zip(self.held, other.held))
        )


def digest(value):
    """The Digest of a value, or None if it cannot be pickled.

    Exact up to 64 MiB of pickle and 64 MiB per array. Beyond that, arrays are hashed by blocks and their sum, lists and
    dicts by the first 64 MiB and a sample of their items, and all else by its first 64 MiB.
    """
    for tolerant in (False, True):
        try:
            return _digest(value, tolerant)
        except Exception:
            continue  # the second attempt omits the parts that cannot be pickled
    return None


def same_held(one, two):
    """Whether two Arrow or Polars values are equal, including missing values and NaN."""
    if one is two:
        return True
    if type(one) is not type(two):
        return False
    try:
        if package_of(type(one)) != "polars":
            return bool(one.equals(two))
        if type(one).__name__ == "DataFrame":
            return one.schema == two.schema and bool(one.equals(two))
        return one.name == two.name and one.dtype == two.dtype and bool(one.equals(two))
    except Exception:
        return True  # object columns cannot be compared


class _Enough(BaseException):
    """The limit for hashed bytes is reached. A BaseException, so that no `__reduce__` swallows it."""


class _Sink:
    """A write-only file that hashes its data."""

    def __init__(self):
        self.content = 0
        self._size = 0

    def write(self, data):
        self.add(bytes(data))
        self._size += len(data)
        if self._size > _MAX_PICKLED:
            raise _Enough

    def add(self, part):
        self.content = hash((self.content, part))

    def add_buffer(self, buffer):
        view = memoryview(buffer.raw()).cast("B")
        self.add(view.nbytes)
        if view.nbytes <= _MAX_BUFFER:
            for start in range(0, view.nbytes, _CHUNK):
                self.add(bytes(view[start : start + _CHUNK]))
            return
        step = max(_BLOCK, view.nbytes // (_MAX_BUFFER // _BLOCK))
        for start in range(0, view.nbytes, step):
            self.add(bytes(view[start : start + _BLOCK]))
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            # The sum reveals one changed element, the blocks reveal another order.
            whole = view.nbytes // 8 * 8
            self.add(int(numpy.frombuffer(view[:whole], numpy.uint64).sum()))


def _digest(value, tolerant):
    sink = _Sink()
    pickler = _pickler()(sink, tolerant)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEPTH))
    try:
        pickler.dump(value)
    except _Enough:
        sample = _sample(value)
        if sample is not None:
            sink.add(_digest(sample, tolerant).content)
    finally:
        sys.setrecursionlimit(limit)
    return Digest(sink.content, pickler.held)


def _sample(value):
    if type(value) not in (list, dict):
        return None
    items = value if type(value) is list else list(value.items())
    return items[:: len(items) // _SAMPLED_ITEMS + 1] + items[-100:] + [len(items)]


_class = None


def _pickler():
    """The pickler class, created on first use: cells without inputs do not import pickle."""
    global _class
    if _class is None:
        import pickle

        class Hashing(pickle.Pickler):
            def __init__(self, sink, tolerant):
                super().__init__(sink, protocol=5, buffer_callback=sink.add_buffer)
                self.held = []
                self._tolerant = tolerant

            def reducer_override(self, item):
                special = special_of(type(item)) if item is not token else None
                if special is not None:
                    return special(item, self.held)
                if self._tolerant:
                    try:
                        return item.__reduce_ex__(5)
                    except Exception:
                        return _named(item, None)
                return NotImplemented

        _class = Hashing
    return _class


_specials = {}


def special_of(kind):
    """The function `special(item, held)` that reduces values of a class differently from pickle, or None."""
    if kind not in _specials:
        _specials[kind] = _find_special(kind)
    return _specials[kind]


def _find_special(kind):
    if issubclass(kind, (type, *_NAMED)):
        return _named
    package = package_of(kind)
    if package == "pyarrow" and class_attribute(kind, "equals") is not None:
        return _hold
    if package == "polars" and kind.__name__ in ("DataFrame", "Series"):
        return _hold_clone
    if package == "pandas" and kind.__name__ in ("DataFrame", "Series"):
        return _pandas
    if package == "torch" and class_attribute(kind, "untyped_storage") is not None:
        return _tensor
    if package in ("matplotlib", "mpl_toolkits"):
        from .figure_state import is_artist_class, reduce_artist

        return reduce_artist if is_artist_class(kind) else None
    if is_cell_module(kind.__module__) and _pickles_its_own_way(kind):
        return _fields
    return None


def _pickles_its_own_way(kind):
    """Whether pickling would run code of a cell, which may have side effects."""
    names = ("__reduce__", "__reduce_ex__", "__getstate__")
    return any(name in base.__dict__ for base in kind.__mro__ if is_cell_module(base.__module__) for name in names)


def token(*_parts):
    """Placeholder for a specially reduced value in a pickle. Never called: these pickles are not read."""


def _named(item, _held):
    kind = item if is_class(item) else type(item)
    return (token, (type(item).__name__, str(kind.__module__), str(getattr(item, "__qualname__", ""))))


def _hold(item, held):
    held.append(item)
    return (token, (len(held),))


def _hold_clone(item, held):
    held.append(item.clone())
    return (token, (len(held),))


def _pandas(item, _held):
    """Column by column: pandas may regroup columns of one dtype at any time."""
    if item.ndim == 1:
        return (token, (item.index, item.name, item.attrs, _plain_array(item.array)))
    arrays = getattr(item, "_iter_column_arrays", None)
    columns = arrays() if arrays is not None else (item.iloc[:, at].array for at in range(item.shape[1]))
    return (token, (item.index, item.columns, item.attrs, *map(_plain_array, columns)))


def _plain_array(array):
    return array.to_numpy() if type(array).__name__ in ("NumpyExtensionArray", "PandasArray") else array


def _tensor(item, _held):
    about = (str(item.dtype), tuple(item.shape), str(item.device), item.requires_grad)
    plain = item.detach().cpu()
    if str(item.dtype) == "torch.bfloat16":
        plain = plain.float()
    return (token, (*about, plain.numpy()))


def _fields(item, _held):
    return (token, (type(item).__qualname__, fields_of(item)))


def fields_of(item):
    """{name: value} of an object's attributes, including slots, without running its own code."""
    fields = {}
    for base in type(item).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if type(slots) is str else slots:
            if name not in ("__dict__", "__weakref__"):
                try:
                    fields[name] = object.__getattribute__(item, name)
                except AttributeError:
                    continue  # a slot that was never set
    try:
        fields.update(object.__getattribute__(item, "__dict__"))
    except AttributeError:
        pass
    return fields
