"""Implements comms of the `comm` package without a Jupyter kernel, for widgets (ipywidgets, anywidget).

Messages are recorded, so that the state of every widget is known when the cell ends; it is stored with the display.
While the process is kept alive (widget_session.py), messages are exchanged with the page.
"""

import json
import threading

TARGET = "jupyter.widget"

# Called with each message while the process is kept alive: (type, comm_id, content, buffers).
listener = None
# comm id -> _Model, in order of creation.
models = {}
_comms = {}
_count = 0
_lock = threading.RLock()


class _Model:
    """The state of one widget, built from its messages."""

    __slots__ = ("state", "buffers", "closed")

    def __init__(self):
        self.state = {}
        self.buffers = {}  # path as a tuple -> bytes
        self.closed = False

    def update(self, data, buffers):
        """Apply an `update` message: each key in it gets a new value and that value's buffers."""
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
    """Replace the no-op comms of the `comm` package, through that package's extension points."""
    parts = getattr(module, "base_comm", None)
    base = getattr(parts, "BaseComm", None)
    if base is None or not hasattr(module, "create_comm"):
        return  # an unrelated module of the same name

    class CellComm(base):
        """A comm that records its messages. Its id is the same in each run, so that equal runs store equal displays."""

        def __init__(self, *args, comm_id=None, **options):
            super().__init__(*args, comm_id=comm_id or _next_id(), **options)

        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **_keys):
            publish(self, msg_type, data, buffers)

        def close(self, data=None, metadata=None, buffers=None, deleting=False):
            if deleting:
                return  # the widget was garbage collected: its display stays
            super().close(data, metadata, buffers)

        def __reduce__(self):
            # With its state: another cell that reads the widget shows it, too.
            model = models.get(self.comm_id)
            parts = None if model is None else (model.state, model.buffers)
            return _opened_elsewhere, (self.comm_id, self.target_name, parts)

    module.create_comm = CellComm


def _opened_elsewhere(comm_id, target_name, parts):
    """The comm of a widget created by another cell."""
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
            if comm_id not in _comms:  # a widget created by another cell may use it
                return comm_id


def publish(comm, kind, data, buffers):
    """Record one message of a comm, and forward it while the process is kept alive."""
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
    """Handle a message from the page for one comm. Returns False if the comm does not exist."""
    comm = _comms.get(comm_id)
    if comm is None or comm._msg_callback is None:
        return False
    with _lock:
        model = models.get(comm_id)
        if model is not None and data.get("method") == "update":
            model.update(data, buffers)
    # Call the callback directly: the package's own method requires an IPython shell.
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
    """Strict JSON value: NaN is replaced, and unsupported objects become strings."""
    try:
        return json.dumps(value, default=_plain_object, allow_nan=False)
    except ValueError:
        return json.dumps(_without_nan(value), default=_plain_object)


def _plain_object(value):
    tolist = getattr(value, "tolist", None)  # numpy scalars and arrays
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
