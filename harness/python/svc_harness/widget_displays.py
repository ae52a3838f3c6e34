"""Adds the state of widgets to their displays at the end of a cell."""

import json
import os

from . import displays
from .encode import encode_text
from .widget_state import VIEW, document


def settle(entries, output_dir):
    """The displays, with the state of each widget added to its view, and without those of closed widgets."""
    settled = []
    for entry in entries:
        if entry.get("content_type") != VIEW:
            settled.append(entry)
            continue
        path = os.path.join(output_dir, entry["file"])
        try:
            with open(path, encoding="utf-8") as file:
                view = json.load(file)
            text = document(view, view.get("model_id"))
            if text is None:
                os.unlink(path)
                continue
            encoded = encode_text((VIEW, ".json"), text, entry.get("preview"))
            name = entry["file"][: -len(".json")]
            settled.append(displays.write_encoded(encoded, name, output_dir))
        except Exception as error:
            failed = displays.failure(error, None)
            settled.append({**failed, "type": "widget", "content_type": "error"})
    return settled
