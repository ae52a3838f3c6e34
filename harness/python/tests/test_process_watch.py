"""Warnings for process settings a cell changed, but not for changes by imports or settings that were restored."""

import os
import sys
import unittest

import support

NP, PD, PLT, PL, SK = ("numpy",), ("pandas",), ("matplotlib",), ("polars",), ("sklearn",)

# name, libraries, cell, names of the warnings
CHANGED = [
    ("random seed", (), "import random\nrandom.seed(42)", ["random.seed()"]),
    ("random seed imported by name", (), "from random import seed\nseed(42)", ["random.seed()"]),
    ("random seed in a function", (), "import random\ndef f():\n    random.seed(1)\nf()", ["random.seed()"]),
    ("random seed and draw", (), "import random\nrandom.seed(1)\nrandom.random()", ["random.seed()"]),
    ("random seed in a module of the notebook", (), "import helper\nhelper.seed_all()", ["random.seed()"]),
    ("numpy seed", NP, "import numpy as np\nnp.random.seed(0)", ["numpy.random.seed()"]),
    ("numpy seed by keyword", NP, "import numpy as np\nnp.random.seed(seed=0)", ["numpy.random.seed()"]),
    ("pandas option", PD, "import pandas as pd\npd.set_option('display.max_rows', 7)", ["pandas options"]),
    ("pandas option as attribute", PD, "import pandas as pd\npd.options.display.max_rows = 7", ["pandas options"]),
    ("rcParams", PLT, "import matplotlib.pyplot as plt\nplt.rcParams['figure.figsize'] = (16, 9)", ["matplotlib.rcParams"]),
    ("rc", PLT, "import matplotlib\nmatplotlib.rc('lines', linewidth=9)", ["matplotlib.rcParams"]),
    ("style", PLT, "import matplotlib.pyplot as plt\nplt.style.use('ggplot')", ["matplotlib.rcParams"]),
    ("environment set", (), "import os\nos.environ['MY_FLAG'] = '1'", ["os.environ"]),
    ("environment updated", (), "import os\nos.environ.update(A='1', B='2')", ["os.environ"]),
    ("environment deleted", (), "import os\ndel os.environ['PATH']", ["os.environ"]),
    ("folder", (), "import os\nos.makedirs('sub', exist_ok=True)\nos.chdir('sub')", ["working directory"]),
    ("sys.path appended", (), "import sys\nsys.path.append('lib')", ["sys.path"]),
    ("sys.path inserted", (), "import sys\nsys.path.insert(0, 'lib')", ["sys.path"]),
    ("sys.path assigned", (), "import sys\nsys.path = ['lib', *sys.path]", ["sys.path"]),
    ("warnings ignored", (), "import warnings\nwarnings.filterwarnings('ignore')", ["warnings filters"]),
    ("warnings as errors", (), "import warnings\nwarnings.simplefilter('error')", ["warnings filters"]),
    ("warnings ignored by a module of the notebook", (), "import helper\nhelper.quiet()", ["warnings filters"]),
    ("decimal precision", (), "import decimal\ndecimal.getcontext().prec = 5", ["decimal context"]),
    ("decimal context", (), "from decimal import setcontext, Context\nsetcontext(Context(prec=3))", ["decimal context"]),
    ("logging level", (), "import logging\nlogging.basicConfig(level=logging.INFO)", ["logging"]),
    ("logger handler", (), "import logging\nlogging.getLogger('app').addHandler(logging.StreamHandler())", ["logging"]),
    ("handler that does nothing", (), "import logging\nlogging.getLogger('app').addHandler(logging.NullHandler())", ["logging handlers"]),
    ("output closed", (), "import sys\nsys.stdout.close()", ["streams"]),
    ("list of a module of the notebook, by a function of it", (), "import shared\nshared.add(1)", ["shared.LOG"]),
    ("global of a module of the notebook", (), "from shared import count\ncount()", ["shared.n"]),
    ("class of a module of the notebook", (), "import shared\nshared.C().items.append(1)", ["shared.C.items"]),
    ("default value of a module of the notebook", (), "import shared\nshared.collect(1)", ["the default values of shared.collect"]),
    ("module that a module of the notebook imports", (), "import uses_shared\nuses_shared.add()", ["shared.LOG"]),
    ("logging disabled", (), "import logging\nlogging.disable(logging.ERROR)", ["logging"]),
    *((("umask", (), "import os\nos.umask(0o077)", ["umask"]),) if sys.platform == "linux" else ()),
    ("recursion limit", (), "import sys\nsys.setrecursionlimit(50_000)", ["interpreter settings"]),
    ("locale", (), "import locale\nlocale.setlocale(locale.LC_ALL, 'POSIX' if locale.setlocale(locale.LC_ALL) not in ('C', 'POSIX') else 'C.UTF-8')", ["locale"]),
    ("socket timeout", (), "import socket\nsocket.setdefaulttimeout(5)", ["socket timeout"]),
    ("time zone", (), "import os, time\nos.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()", ["os.environ", "time zone"]),
    ("numpy print options", NP, "import numpy as np\nnp.set_printoptions(precision=2)", ["numpy print options"]),
    ("numpy errors", NP, "import numpy as np\nnp.seterr(all='raise')", ["numpy errors"]),
    ("polars config", PL, "import polars as pl\npl.Config.set_tbl_rows(3)", ["os.environ"]),
    ("sklearn config", SK, "import sklearn\nsklearn.set_config(display='text')", ["sklearn config"]),
    ("module attribute", (), "import math\nmath.tau2 = 7", ["math.tau2"]),
    ("module attribute changed", (), "import math as m\nm.pi = 3", ["m.pi"]),
    ("function replaced", (), "import json\n_old = json.dumps\njson.dumps = lambda *a, **k: 'patched'", ["json.dumps"]),
    ("setattr", (), "import json\nsetattr(json, 'dumps', None)", ["json.dumps"]),
    ("module attribute deleted", (), "import math\ndel math.tau", ["math.tau"]),
    ("method of a class of a library", (), "import fractions\nfractions.Fraction.half = lambda self: self / 2", ["fractions.Fraction.half"]),
    ("class imported by name", (), "from fractions import Fraction\nFraction.half = lambda self: self / 2", ["Fraction.half"]),
    ("constant of a module of the notebook", (), "import helper\nhelper.DEBUG = True", ["helper.DEBUG"]),
    ("dict of a module of the notebook", (), "import helper\nhelper.SETTINGS['k'] = 1", ["helper.SETTINGS"]),
    ("dict imported by name", (), "from helper import SETTINGS\nSETTINGS.update(k=1)", ["SETTINGS"]),
    ("nested dict of a module", (), "import helper\nhelper.SETTINGS['deep']['k'] = 1", ["helper.SETTINGS"]),
    ("object of a module of the notebook", (), "import helper\nhelper.conf.level = 3", ["helper.conf.level"]),
    ("settings made by a module of the notebook", (), "import settings", ["decimal context"]),
    ("current axes of another cell", PLT, "import matplotlib.pyplot as plt\nprint(len(plt.gca().lines))", ["plt.gca()"]),
    ("several", (), "import os, random\nos.environ['A'] = '1'\nrandom.seed(1)", ["random.seed()", "os.environ"]),
]

UNCHANGED = [
    ("nothing", (), "x = 1"),
    ("draw", (), "import random\nrandom.random(); random.shuffle([1, 2])"),
    ("draw with numpy", NP, "import numpy as np\nnp.random.rand(); np.random.default_rng(0).random()"),
    ("own generators", NP, "import random, numpy as np\nrandom.Random(1).random(); np.random.RandomState(0).rand()"),
    ("seed from the system", (), "import random\nrandom.seed()"),
    ("seed restored", (), "import random\ns = random.getstate()\nrandom.seed(1)\nrandom.setstate(s)"),
    ("option in a context", PD, "import pandas as pd\nwith pd.option_context('display.max_rows', 3): pd.get_option('display.max_rows')"),
    ("option restored", PD, "import pandas as pd\npd.set_option('display.max_rows', 7)\npd.reset_option('display.max_rows')"),
    ("rc in a context", PLT, "import matplotlib.pyplot as plt\nwith plt.rc_context({'lines.linewidth': 9}): plt.plot([1])"),
    ("style in a context", PLT, "import matplotlib.pyplot as plt\nwith plt.style.context('ggplot'): plt.plot([1])\nplt.show()"),
    ("current axes drawn on", PLT, "import matplotlib.pyplot as plt\nax = plt.gca()\nax.plot([1])\nplt.gcf().suptitle('t')"),
    ("environment read", (), "import os\nos.environ.get('A'); dict(os.environ); os.getenv('PATH')"),
    ("environment restored", (), "import os\nos.environ['A'] = '1'\ndel os.environ['A']"),
    ("folder restored", (), "import os\no = os.getcwd()\nos.chdir('/')\nos.chdir(o)"),
    ("warnings caught", (), "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    warnings.warn('x')"),
    ("import while warnings are caught", (), "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    import filtering_library\nimport filtering_library"),
    ("library that filters warnings", (), "import filtering_library"),
    ("library that is imported by a module of the notebook", (), "import uses_library"),
    ("decimal in a context", (), "import decimal\nwith decimal.localcontext() as c:\n    c.prec = 3\n    decimal.Decimal(1) / 3\ndecimal.Decimal(1) / 3"),
    ("logging", (), "import logging\nlogging.warning('w')\nlogging.getLogger('app').info('i')"),
    ("errors in a context", NP, "import numpy as np\nwith np.errstate(all='ignore'): np.float64(1) / 0"),
    ("print options in a context", NP, "import numpy as np\nwith np.printoptions(precision=2): repr(np.pi)"),
    ("modules read", (), "import math, json, os.path, sys\nmath.pi; json.dumps([1]); os.path.join('a'); sys.stdout.write('x\\n'); sys.argv"),
    ("patch removed again", (), "import math\nfrom unittest import mock\nwith mock.patch('math.pi', 3): math.pi\nold = math.tau\nmath.tau = 1\nmath.tau = old"),
    ("module set to the same", (), "import helper\nhelper.DEBUG = False"),
    ("module of the notebook read", (), "import helper\nhelper.SETTINGS.get('k'); helper.SETTINGS.copy(); helper.conf.level"),
    ("own objects", (), "import types\na = types.SimpleNamespace()\na.x = 1\nd = {}\nd['k'] = 1\nd.update(j=2)"),
    ("failing import", (), "try:\n    import no_such_module_here\nexcept ImportError: pass"),
    ("imports", (), "import email.mime.text, xml.dom.minidom, sqlite3, asyncio, ctypes, unittest"),
    ("science imports", NP + PD + PLT + SK, "import numpy, pandas, matplotlib.pyplot as plt, sklearn.linear_model\nplt.plot([1])\nplt.show()"),
    ("fit", SK, "from sklearn.ensemble import RandomForestClassifier\nRandomForestClassifier(3, n_jobs=2, random_state=0).fit([[1], [2]], [0, 1])"),
    ("polars", PL, "import polars as pl\npl.DataFrame({'a': [1]}).select(pl.col('a').sum())"),
    ("set-up cell", (), "# The settings\n# @setup\nimport random\nrandom.seed(1)"),
    ("module of the notebook that fills a cache", (), "import shared\nshared.model(); shared.remember(1)"),
    ("module of the notebook loaded again", (), "import importlib, shared\nimportlib.reload(shared)"),
    ("module of the notebook that changes another as it loads", (), "import changes_shared"),
    ("handler that a library adds", (), "import handling_library\nclass NullHandler: pass"),
]

FILES = {
    "helper.py": "import random, types\nDEBUG = False\nSETTINGS = {'deep': {}}\nconf = types.SimpleNamespace(level=1)\n"
    "def seed_all(): random.seed(1)\n"
    "def quiet():\n    import warnings\n    warnings.simplefilter('ignore')\n",
    "settings.py": "import decimal\ndecimal.getcontext().prec = 5\n",
    "shared.py": "LOG = []\nn = 0\n_model = None\n_cache = {}\nclass C:\n    items = []\n"
    "def add(x): LOG.append(x)\ndef count():\n    global n\n    n += 1\ndef collect(x, into=[]): into.append(x)\n"
    "def model():\n    global _model\n    if _model is None: _model = {}\n    return _model\ndef remember(x): _cache[x] = x\n",
    "uses_shared.py": "import shared\ndef add(): shared.add(1)\n",
    "changes_shared.py": "import shared\nshared.add(1)\n",
    "uses_library.py": "import filtering_library\n",
}
LIBRARY = (
    "import warnings, os, sys, logging\nwarnings.filterwarnings('ignore', message='of the library')\n"
    "os.environ['LIBRARY_READY'] = '1'\nsys.path.append('/library')\nlogging.getLogger('library').setLevel(10)\n"
)
LIBRARIES = {
    "filtering_library.py": LIBRARY,
    "handling_library.py": "import logging\nlogging.getLogger('handling').addHandler(logging.NullHandler())\n",
}


class Case(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()
        self.library = os.path.join(self.bench.root, "library")
        os.mkdir(self.library)
        for folder, files in ((self.bench.cwd, FILES), (self.library, LIBRARIES)):
            for name, text in files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)

    def tearDown(self):
        self.bench.close()

    def run_cell(self, source, run=None):
        import sys

        sys.path.append(self.library)
        try:
            ran = (run or self.bench.run_forked)(source, manifest={"store": []})
        finally:
            sys.path.remove(self.library)
        self.assertEqual(ran.code, 0, ran.result)
        return ran.result["mutation_warnings"]


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class ProcessSettings(Case):
    # [SO-157]
    def test_replaced_functions_of_json_leave_the_result_readable(self):
        ran = self.bench.run_forked("import json\njson.dumps = json.loads = lambda *a, **k: None\nx = {'a': [1]}\nx")
        self.assertEqual((ran.code, ran.result["variables"]["x"]["preview"]), (0, {"a": [1]}))
        self.assertEqual(ran.bytes_of(ran.result["variables"]["x"]), b'{"a": [1]}')

    # [SO-154]
    def test_a_cell_that_only_makes_settings_can_become_a_set_up_cell(self):
        rows = [
            ("import random\nrandom.seed(1)", "setup"),
            ("import random\nrandom.seed(1)\ndef f(): pass", "setup"),
            ("import random\nrandom.seed(1)\nx = 5", None),
        ]
        for source, fix in rows:
            with self.subTest(source):
                (one,) = self.run_cell(source)
                self.assertEqual((one.get("fix"), "# @setup" in one["suggestion"]), (fix, True))

    # [SO-152]
    def test_the_message_names_what_changed(self):
        rows = [
            ("import os\nos.environ['MY_FLAG'] = '1'", "The environment variable MY_FLAG changed in this cell only"),
            ("import decimal\ndecimal.getcontext().prec = 5", "The decimal context (prec) changed in this cell only"),
            ("import random\nrandom.seed(1)", "random.seed() takes effect in this cell only"),
        ]
        for source, message in rows:
            with self.subTest(source):
                self.assertIn(message, self.run_cell(source)[0]["message"])

    # [SO-152]
    def test_a_library_that_the_cell_imports_first(self):
        rows = [
            (PD, "import pandas as pd\npd.set_option('display.max_rows', 7)", ["pandas options"]),
            (NP, "import numpy as np\nnp.random.seed(0)", ["numpy.random.seed()"]),
            (PLT, "import matplotlib.pyplot as plt\nplt.style.use('ggplot')", ["matplotlib.rcParams"]),
        ]
        if support.IS_LONG:
            rows.append((NP + PD + SK, "import pandas, sklearn.linear_model, matplotlib.pyplot", []))
        for libraries, source, expected in rows:
            if support.missing(libraries) is None:
                with self.subTest(source):
                    warnings = self.run_cell(source, self.bench.run)
                    self.assertEqual([one["var_name"] for one in warnings], expected, warnings)


def _add(kind, name, libraries, source, expected):
    @unittest.skipIf(support.missing(libraries), support.missing(libraries))
    def test(self):
        for library in libraries:
            __import__({"matplotlib": "matplotlib.pyplot"}.get(library, library))
        warnings = self.run_cell(source)
        self.assertEqual([one["var_name"] for one in warnings], expected, warnings)

    setattr(ProcessSettings, "test_%s_%s" % (kind, name.replace(" ", "_")), test)


# [SO-152] [SO-320] [SO-332] [SO-334]
for _row in CHANGED:
    _add("changed", *_row)
# [SO-153]
for _row in UNCHANGED:
    _add("unchanged", *_row, [])


if __name__ == "__main__":
    unittest.main()
