"""Comms of the `comm` package, without a Jupyter kernel: what widgets (ipywidgets, anywidget) say to the page.

The messages are followed, so that the state of every widget is known when the cell ends: it is stored with the
display. While the process is kept (keeping.py), messages go to the page and come from it.
"""

import json
import threading

TARGET = "jupyter.widget"

# Called with each message while the process is kept: (type, comm_id, content, buffers).
listener = None
# comm id -> _Model, in the order in which they were opened.
models = {}
_comms = {}
_count = 0
_lock = threading.RLock()


class _Model:
    """The state of one widget, as its messages tell it."""

    __slots__ = ("state", "buffers", "closed")

    def __init__(self):
        self.state = {}
        self.buffers = {}  # path as a tuple -> bytes
        self.closed = False

    def update(self, data, buffers):
        """Apply an `update` message: a key that it names gets a new value, with the buffers of that value."""
        state = data.get("state")
        if not isinstance(state, dict):
            return
        for path in [path for path in self.buffers if path[0] in state]:
            del self.buffers[path]
        self.state.update(state)
        for path, buffer in zip(data.get("buffer_paths") or (), buffers):
            if path:
                self.buffers[tuple(path)] = buffer


def hook_comm(module):
    """Replace the comms of the `comm` package, which go nowhere, as that package intends."""
    parts = getattr(module, "base_comm", None)
    base = getattr(parts, "BaseComm", None)
    if base is None or not hasattr(module, "create_comm"):
        return  # a module of another purpose that has this name

    class CellComm(base):
        """A comm whose messages are followed. Its id is the same in each run, so that equal runs store equal displays."""

        def __init__(self, *args, comm_id=None, **options):
            super().__init__(*args, comm_id=comm_id or _next_id(), **options)

        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_keys):
            publish(self, msg_type, data, buffers)

        def close(self, data=None, metadata=None, buffers=None, deleting=False):
            if deleting:
                return  # nothing in the cell refers to the widget any more: what it shows stays
            super().close(data, metadata, buffers)

        def __reduce__(self):
            # With what it has said: another cell that reads the widget shows it, too.
            model = models.get(self.comm_id)
            parts = None if model is None else (model.state, model.buffers)
            return _opened_elsewhere, (self.comm_id, self.target_name, parts)

    module.create_comm = CellComm


def _opened_elsewhere(comm_id, target_name, parts):
    """The comm of a widget that another cell made."""
    import comm

    opened = comm.create_comm(target_name=target_name, comm_id=comm_id, primary=False)
    comm.get_comm_manager().register_comm(opened)
    if parts is not None and comm_id not in models:
        _comms[comm_id] = opened
        models[comm_id] = model = _Model()
        model.state, model.buffers = parts
    return opened


def _next_id():
    global _count
    with _lock:
        while True:
            _count += 1
            comm_id = "%032x" % _count
            if comm_id not in _comms:  # a widget that another cell made may have it
                return comm_id


def publish(comm, kind, data, buffers):
    """Follow one message of a comm, and pass it on while the process is kept."""
    content = json.loads(plain(data or {}))
    buffers = [bytes(memoryview(buffer).cast("B")) for buffer in buffers or ()]
    with _lock:
        if kind == "comm_open":
            _comms[comm.comm_id] = comm
            if comm.target_name == TARGET:
                models[comm.comm_id] = _Model()
        model = models.get(comm.comm_id)
        if model is not None:
            if kind == "comm_close":
                model.closed = True
            elif kind == "comm_open" or content.get("method") in ("update", "echo_update"):
                model.update(content, buffers)
        if listener is not None:
            listener(kind, comm.comm_id, content, buffers)


def receive(comm_id, data, buffers):
    """A message of the page for one comm. False where the cell has no such comm."""
    comm = _comms.get(comm_id)
    if comm is None or comm._msg_callback is None:
        return False
    with _lock:
        model = models.get(comm_id)
        if model is not None and data.get("method") == "update":
            model.update(data, buffers)
    # The callback itself: the package's own way to it asks for an IPython shell.
    comm._msg_callback(
        {
            "content": {"comm_id": comm_id, "data": data},
            "buffers": [memoryview(buffer) for buffer in buffers],
            "header": {},
            "metadata": {},
            "parent_header": {},
        }
    )
    return True


def plain(value):
    """JSON that every reader takes: no NaN, and other objects as text."""
    try:
        return json.dumps(value, default=_plain_object, allow_nan=False)
    except ValueError:
        return json.dumps(_without_nan(value), default=_plain_object)


def _plain_object(value):
    tolist = getattr(value, "tolist", None)  # numpy's scalars and arrays
    if callable(tolist):
        return _without_nan(tolist())
    isoformat = getattr(value, "isoformat", None)
    return isoformat() if callable(isoformat) else str(value)


def _without_nan(value):
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, dict):
        return {key: _without_nan(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(part) for part in value]
    return value
