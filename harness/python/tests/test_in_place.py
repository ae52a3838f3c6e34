"""Warnings for in-place changes that other cells do not see, and for nothing else."""

import os
import re
import unittest

import support

NP, PD, PL, PLT, SK = ("numpy", "pyarrow"), ("pandas", "pyarrow"), ("polars", "pyarrow"), ("matplotlib",), ("sklearn",)
CLASS = "class C:\n    n = 0\n    items = []\n    def __init__(self):\n        self.w = [1]\n    def fit(self, x):\n        self.w_ = sum(x)\n"
FRAME = "import pandas as pd\nx = pd.DataFrame({'a': range(1000), 'b': [0.5] * 1000, 's': list('ab') * 500})"
ARRAY = "import numpy as np\nx = np.arange(100.0)"
POLARS = "import polars as pl\nx = pl.DataFrame({'a': [1, 2, None], 's': ['p', 'q', 'r']})"
MODEL = "from sklearn.linear_model import LinearRegression\nx = LinearRegression()"
FITTED = MODEL + ".fit([[1], [2]], [1, 2])"
AXES = "import matplotlib.pyplot as plt\nfig, x = plt.subplots()\nx.plot([1, 2])\nx.hist([1, 2, 2])\nx.set_title('t')\nx.legend(['l'])"

# name, libraries, cell that creates x, cell that changes it
CHANGED = [
    ("list", (), "x = [1]", "x.append(2)"),
    ("list sorted", (), "x = [2, 1]", "x.sort()"),
    ("element of a large list", (), "x = list(range(300_000))", "x[123_457] = -1"),
    ("list below a list", (), "x = [[0], [0]]", "for r in x: r[0] = 5"),
    ("list inside a tuple", (), "x = (1, [2])", "x[1].append(3)"),
    ("dict", (), "x = {}", "x.update(a=1)"),
    ("order of a dict", (), "x = {'a': 1, 'b': 2}", "x['a'] = x.pop('a')"),
    ("set", (), "x = {1}", "x.add(2)"),
    ("another name", (), "x = []", "q = x; q.append(7)"),
    ("through a function", (), "x = []", "(lambda l: l.append(1))(x)"),
    ("shuffle", (), "x = list(range(50))", "import random; random.Random(1).shuffle(x)"),
    ("Counter", (), "from collections import Counter\nx = Counter('aab')", "x.update('b')"),
    ("defaultdict", (), "from collections import defaultdict\nx = defaultdict(list)", "x['a'].append(1)"),
    ("defaultdict touched", (), "from collections import defaultdict\nx = defaultdict(list)", "x['a']"),
    ("deque", (), "from collections import deque\nx = deque([1])", "x.rotate(); x.append(2)"),
    ("OrderedDict", (), "from collections import OrderedDict\nx = OrderedDict(a=1, b=2)", "x.move_to_end('a')"),
    ("ChainMap", (), "from collections import ChainMap\nx = ChainMap({'a': 1})", "x['b'] = 2"),
    ("UserDict", (), "from collections import UserDict\nx = UserDict(a=1)", "x['b'] = 2"),
    ("array", (), "import array\nx = array.array('i', [1, 2])", "x[0] = 9"),
    ("bytearray", (), "x = bytearray(b'ab')", "x[0] = 0"),
    ("heap", (), "x = [3, 4, 5]", "import heapq; heapq.heappop(x)"),
    ("random.Random", (), "import random\nx = random.Random(1)", "x.random()"),
    ("list iterator", (), "x = iter([1, 2, 3])", "next(x)"),
    ("range iterator", (), "x = iter(range(5))", "for v in x: break"),
    ("enumerate", (), "x = enumerate([1, 2])", "next(x)"),
    ("zip", (), "x = zip([1, 2], [3, 4])", "next(x)"),
    ("StringIO read", (), "import io\nx = io.StringIO('a\\nb')", "x.readline()"),
    ("StringIO written", (), "import io\nx = io.StringIO()", "x.write('a')"),
    ("BytesIO", (), "import io\nx = io.BytesIO(b'ab')", "x.read(1)"),
    ("SimpleNamespace", (), "import types\nx = types.SimpleNamespace(k=1)", "setattr(x, 'k', 2)"),
    ("deep attribute", (), "import types\nx = types.SimpleNamespace(k=[[1]])", "x.k[0].append(2)"),
    ("ElementTree", (), "import xml.etree.ElementTree as ET\nx = ET.fromstring('<a><b/></a>')", "x[0].set('k', 'v')"),
    ("Fraction in a list", (), "from fractions import Fraction\nx = [Fraction(1, 2)]", "x[0] += 1"),
    ("mutated by itertools", (), "x = iter([1, 2, 3])", "import itertools; list(itertools.islice(x, 2))"),
    ("configparser", (), "import configparser\nx = configparser.ConfigParser()", "x.add_section('a')"),
    ("logger's own list", (), "import dataclasses\nx = {'k': [{'j': (1, [2])}]}", "x['k'][0]['j'][1].append(3)"),
    ("object of a cell", (), CLASS + "x = C()", "x.fit([1, 2])"),
    ("object's list", (), CLASS + "x = C()", "x.w.append(2)"),
    ("objects in a list", (), CLASS + "x = [C() for _ in range(500)]", "x[250].w.append(2)"),
    ("class attribute", (), CLASS + "x = C", "x.n = 5"),
    ("class attribute's list", (), CLASS + "x = C", "x.items.append(5)"),
    ("new class attribute", (), CLASS + "x = C", "x.m = 5"),
    ("method added to a class", (), CLASS + "x = C", "x.fit = lambda self, y: None"),
    ("function attribute", (), "def x():\n    return x.n", "x.n = 1"),
    ("mutable default", (), "def x(v, acc=[]):\n    acc.append(v)\n    return acc", "x(1)"),
    ("numpy element", NP, ARRAY, "x[50] = -1"),
    ("numpy fill", NP, ARRAY, "x.fill(2)"),
    ("numpy out", NP, ARRAY, "import numpy as np; np.add(x, 1, out=x)"),
    ("numpy sort", NP, "import numpy as np\nx = np.arange(9_000_000)[::-1].copy()", "x.sort()"),
    ("element of a large array", NP, "import numpy as np\nx = np.zeros(9_000_000)", "x[4_321_987] = 1"),
    ("numpy view", NP, ARRAY, "b = x[:2]; b[:] = 1"),
    ("numpy shape", NP, ARRAY, "x.shape = (10, 10)"),
    ("numpy objects", NP, "import numpy as np\nx = np.array([[1], [2, 3]], dtype=object)", "x[1].append(4)"),
    ("numpy Generator", NP, "import numpy as np\nx = np.random.default_rng(0)", "x.random()"),
    ("numpy RandomState", NP, "import numpy as np\nx = np.random.RandomState(0)", "x.rand()"),
    ("array in a dict", NP, "import numpy as np\nx = {'w': np.zeros(3)}", "x['w'] += 1"),
    ("frame column", PD, FRAME, "x['n'] = 1"),
    ("frame cell", PD, FRAME, "x.loc[567, 'b'] = 9.0"),
    ("frame text", PD, FRAME, "x.loc[567, 's'] = 'z'"),
    ("frame insert", PD, FRAME, "x.insert(0, 'n', 1)"),
    ("frame pop", PD, FRAME, "y = x.pop('b')"),
    ("frame sorted", PD, FRAME, "x.sort_values('s', inplace=True)"),
    ("frame index", PD, FRAME, "x.index = range(1, 1001)"),
    ("frame column names", PD, FRAME, "x.columns = list('abz')"),
    ("frame rows", PD, FRAME, "x.drop(index=5, inplace=True)"),
    ("frame attrs", PD, FRAME, "x.attrs['k'] = 1"),
    ("frame type", PD, FRAME, "x['a'] = x['a'].astype('float64')"),
    ("frame in a list", PD, FRAME + "\nx = [x]", "x[0].iloc[0, 0] = 9"),
    ("series", PD, "import pandas as pd\nx = pd.Series([1, 2])", "x.iloc[0] = 5"),
    ("series name", PD, "import pandas as pd\nx = pd.Series([1, 2])", "x.name = 'k'"),
    ("categories", PD, "import pandas as pd\nx = [pd.Series(list('aba'), dtype='category')]", "x[0].iloc[0] = 'b'"),
    ("dates", PD, "import pandas as pd\nx = pd.DataFrame({'d': pd.date_range('2026', periods=3)})", "x.loc[1, 'd'] += x.loc[1, 'd'] - x.loc[0, 'd']"),
    ("polars cell", PL, POLARS, "x[0, 'a'] = 9"),
    ("polars column", PL, POLARS, "x.insert_column(0, x['a'].alias('b'))"),
    ("polars drop", PL, POLARS, "x.drop_in_place('s')"),
    ("polars names", PL, POLARS, "x.columns = ['b', 'c']"),
    ("polars extend", PL, POLARS, "x.extend(x.clone())"),
    ("polars in a dict", PL, POLARS + "\nx = {'k': x}", "x['k'][0, 'a'] = 9"),
    ("fit alone", SK, MODEL, "x.fit([[1], [2]], [1, 2]);"),
    ("fit again", SK, FITTED, "x.fit([[1], [2]], [3, 5]);"),
    ("set_params", SK, MODEL, "x.set_params(fit_intercept=False);"),
    ("partial fit", SK, "from sklearn.linear_model import SGDRegressor\nx = SGDRegressor()", "x.partial_fit([[1], [2]], [1, 2]);"),
    ("pipeline", SK, "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler\nx = make_pipeline(StandardScaler())", "x.fit([[1], [2]]);"),
    ("plot on axes", PLT, AXES, "x.plot([1, 2, 3]);"),
    ("title of axes", PLT, AXES, "x.set_title('other');"),
    ("limits of axes", PLT, AXES, "x.set_xlim(0, 9);"),
    ("line of axes", PLT, AXES, "x.lines[0].set_color('red')"),
    ("plot on a figure", PLT, AXES.replace("fig, x", "x, ax").replace("x.plot", "ax.plot").replace("x.hist", "ax.hist").replace("x.set_title", "ax.set_title").replace("x.legend", "ax.legend"), "x.axes[0].plot([3, 1]);"),
    ("axes in an array", PLT, "import matplotlib.pyplot as plt\nfig, x = plt.subplots(1, 2)", "x[1].scatter([1], [2]);"),
    ("grid", PLT, AXES, "x.grid(True)"),
]

LOOKS = CLASS + (
    "    from functools import cached_property\n"
    "    @cached_property\n    def total(self):\n        return 5\n"
    "    def area(self):\n        if not hasattr(self, '_cache'):\n            self._cache = {}\n"
    "        self._cache[1] = 2\n        return 1\nx = C()"
)
ODD = (
    "class Odd:\n    count = 0\n    def __getstate__(self):\n        self.count = self.count + 1\n        return {'k': 1}\n"
    "    def __setstate__(self, state):\n        self.__dict__.update(state)\n"
)
UNCHANGED = [
    ("list read", (), "x = [[1], [2]]", "sorted(x); len(x); x[0]; list(x); repr(x); x == x; x.copy().append(1)"),
    ("dict read", (), "x = {'a': [1, 2]}", "y = sorted(x['a']); x.get('b'); dict(x); list(x.items())"),
    ("dict set to the same", (), "x = {'a': 'text', 'b': 'text'}", "x['a'] = 'te' + 'xt'"),
    ("changed and restored", (), "x = [1, 2]", "x.append(3); x.pop()"),
    ("set read", (), "x = {1, 2, 'a'}", "for v in x: pass\nlen(x | {9})"),
    ("set rebuilt", (), "x = set(range(100))", "x.add(1000); x.discard(1000); x.discard(5); x.add(5)"),
    ("deepcopy", (), "x = [[1]]", "import copy; y = copy.deepcopy(x); y[0].append(2)"),
    ("sorted copy", (), "x = [2, 1]", "y = sorted(x); y.append(3)"),
    ("rebound", (), "x = [1]", "x = x + [2]"),
    ("passed on", (), "from collections import Counter\nx = Counter('a')", "x.update('b'); x = x"),
    ("passed on first", (), "x = [1]", "x = x\nx.append(2)"),
    ("json", (), "x = {'a': [1]}", "import json; json.dumps(x)"),
    ("pickled", (), CLASS + "x = [C()]", "import pickle; pickle.dumps(x)"),
    ("counter read", (), "from collections import Counter\nx = Counter('aab')", "x.most_common(1); x['missing']; sum(x.values())"),
    ("defaultdict read", (), "from collections import defaultdict\nx = defaultdict(list, a=[1])", "x.get('b'); 'c' in x; x['a']"),
    ("deque read", (), "from collections import deque\nx = deque([1, 2])", "list(x); x[0]; x.count(1)"),
    ("StringIO value", (), "import io\nx = io.StringIO('ab')", "x.getvalue(); x.tell()"),
    ("generator state", (), "import random\nx = random.Random(1)", "s = x.getstate(); x.random(); x.setstate(s)"),
    ("paths and dates", (), "import pathlib, datetime\nx = [pathlib.Path('a'), datetime.date(2026, 1, 1)]", "str(x[0]); hash(x[0]); x[0].parent; x[0].name; x[0].suffix; x[1].year"),
    ("Decimal", (), "from decimal import Decimal\nx = [Decimal('1.5')]", "x[0] + 1; hash(x[0])"),
    ("compiled pattern", (), "import re\nx = re.compile('a+')", "x.match('aa'); x.findall('a')"),
    ("cycle", (), "x = []\nx.append(x)", "len(x); repr(x)"),
    ("Fraction", (), "from fractions import Fraction\nx = Fraction(1, 3)", "hash(x); x + 1"),
    ("nan", (), "x = [float('nan'), 1.0]", "y = [v == v for v in x]; x[0] = x[0]"),
    ("strings hashed", (), "x = ['a' * n for n in range(50)]", "set(x); {v: 1 for v in x}"),
    ("partial", (), "import functools\nx = functools.partial(int, base=2)", "x('11')"),
    ("object read", (), CLASS + "x = C()", "vars(x); x.w; repr(x); dir(x); x.w[0]"),
    ("cached_property", (), LOOKS, "x.total; x.total"),
    ("attribute named cache", (), LOOKS, "x.area()"),
    ("class read", (), CLASS + "x = C", "x.n; x(); x().fit([1]); isinstance(1, x); x.__mro__; x.__doc__"),
    ("subclass made", (), CLASS + "x = C", "class D(x): pass\nD()"),
    ("abstract class", (), "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\nx = A", "isinstance(1, x); x.__abstractmethods__"),
    ("dataclass", (), "from dataclasses import dataclass\n@dataclass\nclass P:\n    a: int = 1\nx = P()", "x == x; repr(x); hash(type(x)); x.a"),
    ("enum", (), "import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\nx = E", "x.A; x['B']; list(x); x(1)"),
    ("enum flags", (), "import enum\nclass E(enum.Flag):\n    A = 1\n    B = 2\nx = E", "x.A | x.B; x(3)"),
    ("function called", (), "def x(v, acc=()):\n    return v", "x(1); x.__name__; x.__doc__"),
    ("memo of a function", (), "_cache = {}\ndef x(n):\n    _cache[n] = n\n    return n", "x(1)"),
    ("lru_cache", (), "import functools\n@functools.lru_cache\ndef x(n):\n    return n", "x(1); x(1)"),
    ("own __getstate__", (), ODD + "x = Odd()", "x.k"),
    ("class with slots", (), "class S:\n    __slots__ = ('a', 'b')\n    def __init__(self): self.a = 1\nx = S()", "x.a"),
    ("module", (), "import math as x", "x.pi"),
    ("large list", (), "x = list(range(200_000))", "sum(x); x[5]; max(x)"),
    ("array read", NP, ARRAY, "x.sum(); x[3]; x[::2]; x.T; (x + 1); x.reshape(10, 10); repr(x)"),
    ("array set to the same", NP, ARRAY, "x[0] = x[0]; x[:] = x.copy()"),
    ("array locked", NP, ARRAY, "x.flags.writeable = False"),
    ("masked array", NP, "import numpy as np\nx = np.ma.array([1, 2], mask=[0, 1])", "x.sum(); x.filled(0); repr(x)"),
    ("generator read", NP, "import numpy as np\nx = np.random.default_rng(0)", "x.bit_generator.state; repr(x)"),
    ("large array", NP, "import numpy as np\nx = np.zeros((3_000_000, 3))", "x.mean(axis=0)"),
    ("frame read", PD, FRAME, "x.describe(); x.head(); len(x); repr(x); x.info(buf=__import__('io').StringIO()); x.values; x.T; x.dtypes; x._repr_html_()"),
    ("frame grouped", PD, FRAME, "x.groupby('s').sum(); x.groupby('s').apply(len); [g for g in x.groupby('s')]"),
    ("frame iterated", PD, FRAME, "for r in x.head().itertuples(): pass\nfor i, r in x.head().iterrows(): r['a'] = 1"),
    ("frame selected", PD, FRAME, "x.loc[5]; x['a']; x.a; x[x.a > 5]; x.query('a > 5'); x.index.get_loc(3); 3 in x.index; x.index.is_unique"),
    ("frame joined", PD, FRAME, "x.merge(x, on='a'); import pandas as pd; pd.concat([x, x]); x.pivot_table(index='s', values='b'); x.sort_values('b')"),
    ("frame copied", PD, FRAME, "y = x.copy(); y['n'] = 1; z = x.assign(n=2); x.dropna(); x.drop(columns='a')"),
    ("frame of many inserts", PD, "import pandas as pd\nx = pd.DataFrame({'a': [1, 2]})\nfor i in range(20): x['c%d' % i] = i", "x.sum(); x.values; x.mean(axis=1)"),
    ("frame set to the same", PD, FRAME, "x['a'] = x['a']; x['s'] = x['s'].copy()"),
    ("series read", PD, FRAME + "\nx = x['s']", "x.value_counts(); x.str.upper(); x.unique(); x.iloc[3]; x.map(len)"),
    ("index read", PD, "import pandas as pd\nx = pd.Index([3, 1, 2])", "x.get_loc(1); x.is_unique; x.is_monotonic_increasing; 5 in x"),
    ("multi index read", PD, "import pandas as pd\nx = pd.DataFrame({'v': range(4)}, index=pd.MultiIndex.from_product([[1, 2], list('ab')]))", "x.loc[1]; x.xs('a', level=1); x.unstack(); x.index.is_unique"),
    ("categories read", PD, "import pandas as pd\nx = pd.Series(list('aba'), dtype='category')", "x.cat.codes; x.value_counts(); x == 'a'; x.cat.categories.get_loc('a')"),
    ("dates read", PD, "import pandas as pd\nx = pd.DataFrame({'d': pd.date_range('2026', periods=30)})", "x.d.dt.month; x.set_index('d').resample('D').size(); x.d.max()"),
    ("frames in a dict", PD, FRAME + "\nx = {'k': x}", "x['k'].describe(); x['k'].groupby('s').size()"),
    ("grouped frame", PD, FRAME + "\nx = x.groupby('s')", "x.sum(numeric_only=True); x.groups; x.size(); len(x)"),
    ("polars read", PL, POLARS, "x.describe(); x.select('a'); x.filter(x['a'] > 1); repr(x); x['a'].sum(); x.to_dicts(); x.lazy().collect()"),
    ("polars changed copy", PL, POLARS, "y = x.clone(); y[0, 'a'] = 9; x.with_columns(b=1)"),
    ("model read", SK, FITTED, "x.predict([[3]]); x.score([[1], [2]], [1, 2]); repr(x); x.get_params(); x._repr_html_()"),
    ("forest read", SK, "from sklearn.ensemble import RandomForestClassifier\nx = RandomForestClassifier(5).fit([[1], [2], [3]], [0, 1, 1])", "x.predict([[3]]); x.predict_proba([[1]]); x.feature_importances_"),
    ("neighbours read", SK, "from sklearn.neighbors import KNeighborsClassifier\nx = KNeighborsClassifier(1).fit([[1], [2], [3]], [0, 1, 1])", "x.predict([[3]]); x.kneighbors([[1]])"),
    ("clone fitted", SK, MODEL, "from sklearn.base import clone; clone(x).fit([[1], [2]], [1, 2])"),
    ("pipeline read", SK, "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler\nx = make_pipeline(StandardScaler()).fit([[1], [2]])", "x.transform([[1]]); repr(x)"),
    ("figure shown", PLT, AXES, "x.figure"),
    ("axes read", PLT, AXES, "x.get_xlim(); len(x.lines); x.figure.savefig(__import__('io').BytesIO()); x.get_legend(); x.get_xticks()"),
    ("figure displayed", PLT, "import matplotlib.pyplot as plt\nx, ax = plt.subplots()\nax.plot([1, 2]); ax.axis('equal'); ax.text(0, 0, 't'); ax.annotate('a', (0, 0))\nx.tight_layout()", "display(x)\nx"),
    ("another figure", PLT, AXES, "import matplotlib.pyplot as plt; fig2, ax2 = plt.subplots(); ax2.plot([1])"),
]


# name, libraries, cell, what the warnings report as shared
SHARED = [
    ("one list in two names", (), "a = b = [0]", ["a and b"]),
    ("one list in three names", (), "a = b = c = [0]", ["a and b", "a and c"]),
    ("parent and child", (), "a = [1]\nb = {'k': a}", ["a and b['k']"]),
    ("parent first", (), "b = {'k': [1]}\na = b['k']", ["a and b['k']"]),
    ("deeper child", (), "a = [1]\nb = [{'k': (0, a)}]", ["a and b[0]['k'][1]"]),
    ("siblings", (), "c = [1]\na = [c]\nb = [c]\ndel c", ["a[0] and b[0]"]),
    ("twice in one value", (), "c = [1]\na = {'x': c, 'y': c}\ndel c", ["a['x'] and a['y']"]),
    ("rows that are one list", (), "a = [[0]] * 3", ["a[0] and a[1]"]),
    ("object of a cell", (), CLASS + "a = C()\nb = [a]", ["a and b[0]"]),
    ("attribute of an object", (), CLASS + "a = C()\nb = a.w", ["b and a.w"]),
    ("deque", (), "from collections import deque\na = deque()\nb = a", ["a and b"]),
    ("frame in a dict", PD, "import pandas as pd\na = pd.DataFrame({'v': [1]})\nb = {'k': a}", ["a and b['k']"]),
    ("part of an array", NP, "import numpy as np\na = np.zeros(3)\nb = a[:2]", ["a and b"]),
    ("array in another shape", NP, "import numpy as np\na = np.zeros(4)\nb = a.reshape(2, 2)\nc = b.T", ["a and b", "a and c"]),
    ("bytes as an array", NP, "import numpy as np\na = bytearray(b'abcd')\nb = np.frombuffer(a, 'u1')", ["a and b"]),
]
NOT_SHARED = [
    ("values that cannot change", (), "a = (1, 2)\nb = [a, a]\nc = 'text'\nd = [c, c]"),
    ("copies", (), "a = [1]\nb = list(a)\nc = {'k': a.copy()}"),
    ("private name", (), "_a = [1]\nb = {'k': _a}"),
    ("pickled together", (), "a = {1: [1]}\na[2] = a[1]"),
    ("cycle", (), "a = []\na.append(a)"),
    ("functions and modules", (), "import math\na = [math, len]\nb = [math, len]"),
    ("members of an enumeration", (), "import enum\nclass E(enum.Enum):\n    A = 1\na = [E.A]\nb = E.A"),
    ("frozen", (), "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    v: int\na = P(1)\nb = [a]"),
    ("axes of a figure", PLT, "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()"),
    ("two halves of an array", NP, "import numpy as np\nc = np.zeros((4, 2))\na = c[:, :1]\nb = c[:, 1]\ndel c"),
    ("copies of an array", NP, "import numpy as np\na = np.zeros(3)\nb = a[:2].copy()\nc = a + 1"),
    ("parts of a frame", PD, "import pandas as pd\na = pd.DataFrame({'v': [1]})\nb = a['v']\nc = a.copy()"),
]


class Case(unittest.TestCase):
    def setUp(self):
        self.bench = support.Bench()

    def tearDown(self):
        self.bench.close()

    def warned(self, producer, consumer, names=("x",)):
        """Warnings of a cell that reads `names` from the previous cell."""
        first = self.bench.run_forked(producer)
        self.assertEqual((first.code, first.stderr), (0, ""), first.result)
        inputs = {}
        for name in names:
            meta = first.result["variables"][name]
            self.assertIn("file", meta, meta)
            inputs[name] = {**first.input(name), "uri": "svc://" + name}
            if meta.get("injected") is not None:
                inputs[name]["injected"] = {
                    key: first.input(key.partition("#")[0]) for key, uri in meta["injected"].items() if uri is None
                }
        second = self.bench.run_forked(consumer, manifest={"inputs": inputs, "store": []})
        self.assertEqual(second.code, 0, second.result)
        return second.result["mutation_warnings"]


def _load(libraries):
    """Libraries are loaded once here, so that forked runs start immediately."""
    for name in libraries:
        __import__({"matplotlib": "matplotlib.pyplot"}.get(name, name))


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class InPlace(Case):
    pass


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class InPlaceOfLibraries(Case):
    """Runs after the other class, by its name: a process with many libraries loaded takes four times as long to fork."""


def _case_of(libraries):
    return InPlaceOfLibraries if libraries else InPlace


def _add(kind, name, libraries, producer, consumer, expected):
    @unittest.skipIf(support.missing(libraries), support.missing(libraries))
    def test(self):
        _load(libraries)
        warnings = self.warned(producer, consumer)
        self.assertEqual([one["var_name"] for one in warnings], expected, warnings)

    setattr(_case_of(libraries), "test_%s_%s" % (kind, name.replace(" ", "_")), test)


def _add_shared(name, libraries, source, expected):
    @unittest.skipIf(support.missing(libraries), support.missing(libraries))
    def test(self):
        _load(libraries)
        ran = self.bench.run_forked(source)
        self.assertEqual((ran.code, ran.stderr), (0, ""), ran.result)
        warnings = ran.result["mutation_warnings"]
        self.assertEqual([re.split(" are the same object| share memory", one["message"])[0] for one in warnings], expected)

    setattr(_case_of(libraries), "test_shared_" + name.replace(" ", "_"), test)


# [SO-156]
for _row in SHARED:
    _add_shared(*_row)
for _row in NOT_SHARED:
    _add_shared(*_row, [])
# [SO-150]
for _row in CHANGED:
    _add("changed", *_row, ["x"])
# [SO-151]
for _row in UNCHANGED:
    _add("unchanged", *_row, [])


if __name__ == "__main__":
    unittest.main()
