"""Builds the state of a displayed widget as a JSON document (`application/vnd.jupyter.widget-state+json`).

The document contains the widget, the widgets it refers to and those linked to any of them, so that the page can draw it
without a process.
"""

import base64

from . import comms
from .displays import VIEW
from .widget_modules import modules_of

# Size limit per display. Larger displays are refused, since every view of the notebook would read them.
MAX_BYTES = 32 * 1024 * 1024
_REFERENCE = "IPY_MODEL_"


class TooLarge(Exception):
    """The state of a widget is too large to store with a display."""


def document(view, root):
    """The view and the state of its widget as JSON text; None if the widget was closed.

    @raises TooLarge
    """
    model = comms.models.get(root)
    if model is not None and model.closed:
        return None
    state = state_of(reached(root))
    text = comms.plain({**view, "state": state, **modules_of(state["state"])})
    if len(text) > MAX_BYTES:
        raise TooLarge(
            "The state of this widget takes %.0f MB. At most %.0f MB are stored with a display. Show less data in it, "
            "for example a sample." % (len(text) / 1e6, MAX_BYTES / 1e6)
        )
    return text


def reached(root):
    """Ids of the widget, of all widgets it refers to, and of links (jslink) between them."""
    refers = {one: _references(model.state) for one, model in list(comms.models.items()) if not model.closed}
    ids = _below([root], refers)
    while True:
        # A link refers to widgets, but no widget refers to it.
        links = [
            one
            for one in refers
            if one not in ids and _is_link(comms.models[one]) and refers[one] and refers[one] <= ids
        ]
        if not links:
            return [one for one in refers if one in ids]
        ids |= _below(links, refers)


def _is_link(model):
    return str(model.state.get("_model_name", "")) in ("LinkModel", "DirectionalLinkModel")


def _below(roots, refers):
    ids = set()
    pending = list(roots)
    while pending:
        one = pending.pop()
        if one in ids or one not in refers:
            continue
        ids.add(one)
        pending.extend(refers[one])
    return ids


def _references(value):
    ids = set()
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            if part.startswith(_REFERENCE):
                ids.add(part[len(_REFERENCE) :])
        elif isinstance(part, dict):
            # The view of a widget inside a display of an Output.
            view = part.get(VIEW)
            if isinstance(view, dict) and isinstance(view.get("model_id"), str):
                ids.add(view["model_id"])
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)
    return ids


def state_of(ids):
    """The state of these widgets, with buffers in base64."""
    return {"version_major": 2, "version_minor": 0, "state": {one: _entry(comms.models[one]) for one in ids}}


def _entry(model):
    state = model.state
    entry = {
        "model_name": state.get("_model_name", ""),
        "model_module": state.get("_model_module", ""),
        "model_module_version": state.get("_model_module_version", ""),
        "state": state,
    }
    if model.buffers:
        entry["buffers"] = [
            {"path": list(path), "encoding": "base64", "data": base64.b64encode(data).decode("ascii")}
            for path, data in model.buffers.items()
        ]
    return entry
