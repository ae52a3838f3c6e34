"""The display format of each library's plots, and the effect of `show()`, with fake libraries."""

import os
import unittest

import support


def _library(name, body):
    """Source that creates a module of this name, whose classes claim to be defined in it."""
    return (
        "import sys, types\n"
        "_m = types.ModuleType(%r)\n"
        "exec(%r, _m.__dict__)\n"
        "sys.modules[%r] = _m\n"
        "_m.display = display\n"
    ) % (name, body, name)


_PLOTLY = _library(
    "plotly.basedatatypes",
    "import types\n"
    "class BaseFigure:\n"
    "    data = [types.SimpleNamespace(type='bar')]\n"
    "    def to_json(self): return '{\"data\": []}'\n"
    "    def _repr_html_(self): return 'a script of a network'\n"
    # Like the library: it displays itself, and `show` makes that a display of the cell.
    "    def _ipython_display_(self): display(self)\n",
)
_BOKEH = (
    _library("bokeh.models.layouts", "class LayoutDOM: pass\n")
    + "_Layout = _m.LayoutDOM\n"
    + _library("bokeh", "")
    + _library("bokeh.resources", "INLINE = 'inline'\n")
    + _library("bokeh.embed", "def file_html(models, resources, title): return '<p>%s %r</p>' % (resources, title)\n")
)
_PYVIS = _library(
    "pyvis.network",
    "class Network:\n"
    "    cdn_resources, width, height = 'local', '100%', '300px'\n"
    "    def generate_html(self, notebook): return '<p title=\"q\">%s</p>' % self.cdn_resources\n",
)
_FRAME = _library(
    "IPython.lib.display",
    "class IFrame:\n"
    "    def __init__(self, src): self.src, self.width, self.height = src, 400, 300\n"
    "    def _repr_html_(self): return 'by address'\n",
)
_VIDEO = _library(
    "IPython.core.display",
    "class Video:\n"
    "    embed = mimetype = url = width = height = None\n"
    "    def __init__(self, filename): self.filename = filename\n"
    "    def _repr_html_(self): return 'by address'\n",
)
_GRAPHVIZ = _library(
    "graphviz.graphs",
    "class Digraph:\n"
    "    source, engine = 'digraph { a -> b }', 'dot-that-is-not-here'\n"
    "    def _repr_mimebundle_(self, include=None, exclude=None): raise OSError('no dot')\n",
)
# The script of the installed version is a file of the package.
_LETS_PLOT = (
    "import os\nos.makedirs('package_data', exist_ok=True)\n"
    "open('package_data/lets-plot.min.js', 'w').write('LetsPlot = \"</script>\"')\n"
    + _library("lets_plot", "")
    + "_m.__file__ = os.path.abspath('__init__.py')\n"
    + _library(
        "lets_plot.plot.core",
        "class PlotSpec:\n"
        "    def to_html(self): return '<script src=\"https://cdn.example.org/lets-plot@v4/lets-plot.min.js\"></script><p>plot</p>'\n",
    )
)

# name, source, content type, text
ROWS = [
    ("plotly", _PLOTLY + "_m.BaseFigure()", "application/vnd.plotly.v1+json", '{"data": []}'),
    ("plotly displayed", _PLOTLY + "display(_m.BaseFigure())", "application/vnd.plotly.v1+json", '{"data": []}'),
    ("bokeh", _BOKEH + "_Layout()", "text/html", "<p>inline ''</p>"),
    (
        "pyvis",
        _PYVIS + "_m.Network()",
        "text/html",
        '<iframe srcdoc="&lt;p title=&quot;q&quot;&gt;in_line&lt;/p&gt;" width="100%" height="300px" frameborder="0" style="display:block;max-width:100%"></iframe>',
    ),
    (
        "page of the notebook",
        "open('a.html', 'w').write('<p>x</p>')\n" + _FRAME + "_m.IFrame('a.html')",
        "text/html",
        '<iframe srcdoc="&lt;p&gt;x&lt;/p&gt;" width="400" height="300" frameborder="0" style="display:block;max-width:100%"></iframe>',
    ),
    ("page elsewhere", _FRAME + "_m.IFrame('https://example.org/a.html')", "text/html", "by address"),
    ("page that does not exist", _FRAME + "_m.IFrame('none.html')", "text/html", "by address"),
    ("file that is not a page", "open('a.txt', 'w').write('x')\n" + _FRAME + "_m.IFrame('a.txt')", "text/html", "by address"),
    (
        "video of the notebook",
        "open('a.mp4', 'w').write('x')\n" + _VIDEO + "_m.Video('a.mp4')",
        "text/html",
        '<video controls src="data:video/mp4;base64,eA=="></video>',
    ),
    (
        "graph without its program",
        _GRAPHVIZ + "_m.Digraph()",
        "text/plain",
        "Graphviz needs its program “dot-that-is-not-here” to draw this graph, and it is not installed. Install Graphviz from "
        "graphviz.org or by the system's package manager, or draw the graph with Mermaid in a text cell.\n\ndigraph { a -> b }",
    ),
    ("Lets-Plot", _LETS_PLOT + "_m.PlotSpec()", "text/html", '<script>LetsPlot = "<\\/script>"</script><p>plot</p>'),
    ("class of a library", _PLOTLY + "_m.BaseFigure", "text/plain", None),
]

# A fake library as a file of the notebook: hooks match by module name.
_ALTAIR = (
    "class Renderers:\n"
    "    active = 'default'\n"
    "    def names(self): return ['default', 'mimetype']\n"
    "    def enable(self, name): self.active = name\n"
    "renderers = Renderers()\n"
    "class TopLevelMixin:\n"
    "    def show(self): raise ValueError('opens a browser')\n"
    "    def _repr_mimebundle_(self, include=None, exclude=None):\n"
    "        return {'application/vnd.vegalite.v6.json': {'mark': 'bar'}} if renderers.active == 'mimetype' else {'text/html': 'h'}\n"
)

# name, source, content types
HOOKS = [
    ("trailing chart", "import altair\naltair.TopLevelMixin()", ["application/vnd.vegalite.v6.json"]),
    ("chart that is shown", "import altair\naltair.TopLevelMixin().show()", ["application/vnd.vegalite.v6.json"]),
    ("renderer of the cell", "import altair\naltair.renderers.enable('html')\naltair.TopLevelMixin()", ["text/html"]),
]


class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bench = support.Bench()
        with open(os.path.join(cls.bench.cwd, "altair.py"), "w", encoding="utf-8") as file:
            file.write(_ALTAIR)

    @classmethod
    def tearDownClass(cls):
        cls.bench.close()

    def shown(self, source):
        ran = self.bench.run(source, manifest={"store": []})
        self.assertEqual((ran.code, ran.stderr), (0, ""), ran.result and ran.result.get("traceback"))
        return ran, ran.result["displays"]

    # [VA-44] [VA-45] [VA-91]
    def test_forms(self):
        for name, source, content_type, text in ROWS:
            with self.subTest(name):
                ran, displays = self.shown(source)
                self.assertEqual([one["content_type"] for one in displays], [content_type])
                if text is not None:
                    self.assertEqual(ran.bytes_of(displays[0]).decode(), text)

    # [VA-44]
    def test_hooks(self):
        for name, source, types in HOOKS:
            with self.subTest(name):
                _, displays = self.shown(source)
                self.assertEqual([one["content_type"] for one in displays], types)

    # [VA-45]
    def test_a_plot_that_cannot_be_made_is_reported_and_shown_as_before(self):
        # It displays itself with `display(self)`, which must not recurse endlessly.
        broken = _PLOTLY + "_m.BaseFigure.to_json = lambda self: 1 / 0\n_m.BaseFigure()"
        ran = self.bench.run(broken, manifest={"store": []})
        self.assertEqual([one["content_type"] for one in ran.result["displays"]], ["text/html"])
        self.assertEqual(ran.stderr, "svc: BaseFigure.display failed: ZeroDivisionError: division by zero\n" * 2)


if __name__ == "__main__":
    unittest.main()
