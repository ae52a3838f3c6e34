"""Displays of widgets: the state stored with them, and output captured by an Output, with the real libraries."""

import base64
import json
import os
import tempfile
import unittest

import support

VIEW = "application/vnd.jupyter.widget-view+json"
_WIDGETS = "import ipywidgets as w\nfrom IPython.display import display, clear_output\n"

# name, source, an expected entry of the state: (model name, key, value)
STATES = [
    ("a slider", "w.IntSlider(3, max=9)", [("IntSliderModel", "value", 3), ("IntSliderModel", "max", 9)]),
    ("changed after it was shown", "s = w.IntSlider(3)\ndisplay(s)\ns.value = 7", [("IntSliderModel", "value", 7)]),
    ("the contents of a box", "w.VBox([w.Text('a'), w.Checkbox(True)])", [("TextModel", "value", "a"), ("CheckboxModel", "value", True)]),
    ("a link that no widget refers to", "a, b = w.IntText(1), w.IntText(2)\nlink = w.jslink((a, 'value'), (b, 'value'))\nw.HBox([a, b])", [("LinkModel", "target", None)]),
    ("not a number", "w.FloatText(float('nan'))", [("FloatTextModel", "value", None)]),
    ("printed in an Output", "o = w.Output()\ndisplay(o)\nwith o:\n    print('in')\n    print('side')", [("OutputModel", "outputs", [{"output_type": "stream", "name": "stdout", "text": "in\nside\n"}])]),
    ("cleared", "o = w.Output()\ndisplay(o)\nwith o:\n    print('old')\n    clear_output()\n    print('new')", [("OutputModel", "outputs", [{"output_type": "stream", "name": "stdout", "text": "new\n"}])]),
    ("cleared with nothing after it, waiting", "o = w.Output()\ndisplay(o)\nwith o:\n    print('old')\n    clear_output(wait=True)", [("OutputModel", "outputs", [{"output_type": "stream", "name": "stdout", "text": "old\n"}])]),
    ("displayed in an Output", "o = w.Output()\ndisplay(o)\nwith o:\n    display(Markdown('# x'))", [("OutputModel", "outputs", [{"output_type": "display_data", "data": {"text/markdown": "# x"}, "metadata": {}}])]),
    ("interact", "@w.interact(x=(0, 10))\ndef f(x=4):\n    print(x * x)", [("OutputModel", "outputs", [{"output_type": "stream", "name": "stdout", "text": "16\n"}]), ("IntSliderModel", "value", 4)]),
    ("tqdm.notebook", "from tqdm.notebook import tqdm\nfor _ in tqdm(range(5)):\n    pass", [("FloatProgressModel", "value", 5.0), ("FloatProgressModel", "bar_style", "success")]),
    ("anywidget", "import anywidget, traitlets\nclass Counter(anywidget.AnyWidget):\n    _esm = 'export default { render() {} }'\n    count = traitlets.Int(2).tag(sync=True)\nCounter()", [("AnyModel", "count", 2), ("AnyModel", "_esm", "export default { render() {} }")]),
]

# name, source, expected state of its Output
OUTPUTS = [
    ("an error in interact", "@w.interact(x=3)\ndef f(x):\n    1 / 0", "ZeroDivisionError: division by zero"),
    ("a figure in interact", "import matplotlib.pyplot as plt\n@w.interact(x=3)\ndef f(x):\n    plt.plot([1, x])", "image/png"),
    ("a table in interact", "import pandas as pd\n@w.interact(x=3)\ndef f(x):\n    return pd.DataFrame({'a': [x]})", "text/html"),
    ("a widget in an Output", "o = w.Output()\ndisplay(o)\nwith o:\n    display(w.IntSlider(5))", "IntSliderModel"),
    ("a cut is noted", "o = w.Output()\nwith o:\n    for _ in range(20):\n        print('a' * 100_000)\no", "… earlier text is left out …"),
]


@unittest.skipIf(not hasattr(os, "fork"), "runs are forked here")
@unittest.skipIf(support.missing(["ipywidgets", "anywidget", "tqdm"]), "widget libraries are not installed here")
class WidgetTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Runs are forked from a process that has imported the libraries, as from a template.
        import anywidget  # noqa: F401
        import ipywidgets  # noqa: F401
        import tqdm.notebook  # noqa: F401

    def setUp(self):
        self.bench = support.Bench()
        self.addCleanup(self.bench.close)

    def state(self, ran, index=-1):
        self.assertTrue(ran.result and ran.result["success"], ran.stderr)
        entry = ran.result["displays"][index]
        self.assertEqual(VIEW, entry["content_type"], entry)
        return json.loads(ran.bytes_of(entry))

    # [WG-30]
    def test_states(self):
        for name, source, wanted in STATES:
            with self.subTest(name):
                document = self.state(self.bench.run_forked(_WIDGETS + source))
                state = document["state"]
                self.assertEqual(2, state["version_major"])
                self.assertIn(document["model_id"], state["state"])
                models = list(state["state"].values())
                for model, key, value in wanted:
                    states = [one["state"] for one in models if one["model_name"] == model]
                    self.assertTrue(states, (model, [one["model_name"] for one in models]))
                    if value is not None:
                        self.assertIn(value, [one.get(key) for one in states])

    # [WG-30]
    def test_outputs(self):
        for name, source, wanted in OUTPUTS:
            with self.subTest(name):
                text = json.dumps(self.state(self.bench.run_forked(_WIDGETS + source)), ensure_ascii=False)
                self.assertIn(wanted, text)
                self.assertLess(len(text), 1_500_000)

    # [WG-30]
    def test_buffers(self):
        """Bytes are stored as base64, except those that a later message replaced."""
        source = "i = w.Image(value=b'old')\ndisplay(i)\ni.value = b'\\x00\\xffnew'"
        document = self.state(self.bench.run_forked(_WIDGETS + source))
        (image,) = [one for one in document["state"]["state"].values() if one["model_name"] == "ImageModel"]
        (buffer,) = image["buffers"]
        self.assertEqual((["value"], b"\x00\xffnew"), (buffer["path"], base64.b64decode(buffer["data"])))

    # [WG-30]
    def test_equal_runs(self):
        """Equal runs store equal displays."""
        source = _WIDGETS + "w.VBox([w.IntSlider(1), w.Text('x')])"
        texts = {json.dumps(self.state(self.bench.run(source)), sort_keys=True) for _ in range(2)}
        self.assertEqual(1, len(texts))

    # [WG-30]
    def test_closed(self):
        """A widget that the cell closed shows nothing; one that was garbage collected stays."""
        ran = self.bench.run_forked(_WIDGETS + "s = w.IntSlider()\ndisplay(s)\ns.close()")
        self.assertEqual([], ran.result["displays"])
        ran = self.bench.run_forked(_WIDGETS + "display(w.IntSlider(5))\nw.Widget.widgets.clear()\nimport gc\ngc.collect()\nNone")
        self.assertEqual([], [one for one in ran.result["displays"] if one["content_type"] != VIEW])
        self.assertTrue(self.state(ran)["state"]["state"])

    # [WG-30]
    def test_failed_cell(self):
        """A cell that fails keeps the state up to the failure; an error inside an Output is shown in it."""
        ran = self.bench.run_forked(_WIDGETS + "s = w.IntSlider(3)\ndisplay(s)\ns.value = 8\n1 / 0")
        self.assertFalse(ran.result["success"])
        states = json.loads(ran.bytes_of(ran.result["displays"][0]))["state"]["state"].values()
        self.assertIn(8, [one["state"].get("value") for one in states])
        ran = self.bench.run_forked(_WIDGETS + "o = w.Output()\nwith o:\n    1 / 0\no")
        self.assertIn("ZeroDivisionError", json.dumps(self.state(ran)))

    # [WG-60]
    def test_modules(self):
        """A library's script that the page lacks is stored with the display, including its pictures."""
        with tempfile.TemporaryDirectory() as prefix:
            folder = os.path.join(prefix, "share", "jupyter", "nbextensions", "their-widgets")
            os.makedirs(folder)
            with open(os.path.join(folder, "index.js"), "w", encoding="utf-8") as file:
                file.write('define(["@jupyter-widgets/base"], base => ({ pin: r.p + "pin.png", none: "gone.png" }))')
            with open(os.path.join(folder, "pin.png"), "wb") as file:
                file.write(b"\x89PNG")
            source = _WIDGETS + (
                "import sys\nsys.prefix = %r\nimport traitlets as t\n"
                "class Pin(w.DOMWidget):\n"
                "    _model_name = t.Unicode('PinModel').tag(sync=True)\n"
                "    _model_module = t.Unicode(%r).tag(sync=True)\n"
                "w.VBox([Pin()])"
            )
            document = self.state(self.bench.run_forked(source % (prefix, "their-widgets")))
            picture = base64.b64encode(b"\x89PNG").decode("ascii")
            script = 'define(["@jupyter-widgets/base"], base => ({ pin: r.p + "data:image/png;base64,%s", none: "gone.png" }))'
            self.assertEqual({"their-widgets": script % picture}, document["modules"])
            for absent in ("other-widgets", "../their-widgets", "/etc/their-widgets", "their-widgets/.."):
                with self.subTest(absent):
                    self.assertNotIn("modules", self.state(self.bench.run_forked(source % (prefix, absent))))

    # [WG-31]
    def test_too_large(self):
        """State over the size limit is refused with advice."""
        ran = self.bench.run_forked(_WIDGETS + "w.HTML('x' * 40_000_000)")
        (entry,) = ran.result["displays"]
        self.assertEqual("error", entry["content_type"])
        self.assertIn("takes 40 MB", entry["error"])
        self.assertIn("Show less data", entry["error"])

    # [WG-30]
    def test_read_by_another_cell(self):
        """A widget created by another cell is shown with its state."""
        made = self.bench.run(_WIDGETS + "s = w.IntSlider(6)")
        ran = self.bench.run("s", manifest={"inputs": {"s": made.input("s")}})
        state = self.state(ran)["state"]["state"]
        self.assertIn(6, [one["state"].get("value") for one in state.values()])
