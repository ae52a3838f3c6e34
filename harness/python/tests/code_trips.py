"""Code and typing objects that cells pass to each other: name -> cells in order, and what the last one prints.

A cell is its source and the names it exports. A trailing `# ->` cell checks what it received.
"""

_MULTI = "import multiprocessing as mp\nfrom concurrent.futures import ProcessPoolExecutor\n"

TRIPS = {
    "new type": ([("from typing import NewType\nU = NewType('U', int)", "U"), ("print(U, U(3), U.__supertype__)", "")], "__main__.U 3 <class 'int'>"),
    "new type beside a function": (
        [("from typing import NewType\nU = NewType('U', int)\ndef f(x: U) -> U: return U(x)", "U f"), ("print(f(3), f.__annotations__['x'] is U)", "")],
        "3 True",
    ),
    "new type of a class": (
        [("from typing import NewType\nclass A: pass\nU = NewType('U', A)", "U A"), ("print(U.__supertype__ is A)", "U A"), ("print(U.__supertype__ is A)", "")],
        "True",
    ),
    "two new types of one name": (
        [("from typing import NewType\nU = NewType('U', int)\nV = U\nU = NewType('U', int)", "U V"), ("print(U is V)", "")],
        "False",
    ),
    "type variable": ([("from typing import TypeVar\nT = TypeVar('T', bound=int)\ndef f(x: T) -> T: return x", "T f"), ("print(f.__annotations__['x'] is T, T.__bound__)", "")], "True <class 'int'>"),
    "parameters": ([("from typing import ParamSpec, TypeVarTuple\nP = ParamSpec('P')\nTs = TypeVarTuple('Ts')", "P Ts"), ("print(P, Ts)", "")], "~P Ts"),
    "class alias": ([("class A: pass\nB = A", "A B"), ("print(A is B)", "A B"), ("print(A is B)", "")], "True"),
    "class alias beside functions": (
        [
            ("class A: pass\nB = A\ndef make(x: B = None) -> B: return B()\nclass K(B): pass", "A B make K"),
            ("print(A is B, type(make()) is A, K.__bases__ == (A,))", "K A"),
            ("print(K.__bases__[0] is A)", ""),
        ],
        "True",
    ),
    "alias of a list of a class": (
        [
            ("class A: pass\nL = list[A]\ndef f(x: L) -> L: return x", "L f A"),
            ("print(L.__args__[0] is A, f.__annotations__['x'] == L)", "L f A"),
            ("print(L.__args__[0] is A, f.__annotations__['x'] == L, f(1))", ""),
        ],
        "True True 1",
    ),
    "alias given alone": (
        [("class A:\n    def g(self): return f(1)\nL = list[A]\ndef f(x: L) -> L: return x", "L"), ("L", "L"), ("print(L.__args__[0]().g())", "")],
        "1",
    ),
    "union of classes": (
        [("from typing import Callable\nclass A: pass\nclass B: pass\nAB = A | B\nC = Callable[[A], B]\ndef f(x: AB, c: C = None): return isinstance(x, AB)", "A AB f"), ("print(f(A()), f(3), isinstance(A(), AB))", "")],
        "True False True",
    ),
    "default made by the cell's own code": (
        [("class P: x = 1\ndef made(): return P()\ndefault = made()\ndef f(p=default): return p.x", "f P default"), ("print(f(), type(f.__defaults__[0]) is P, type(default) is P)", "")],
        "1 True True",
    ),
    "a class that reads an instance of itself": (
        [("class A:\n    def same(self): return type(a) is A\na = A()", "a A"), ("print(a.same(), A().same())", "a A"), ("print(a.same())", "")],
        "True",
    ),
    "value that a function needs and the cell reads": (
        [
            ("MISSING = object()\nshared = [1]", "MISSING shared"),
            ("def get(d, k): return d.get(k, MISSING)\ndef all_of(): return shared", "get all_of"),
            ("print(get({}, 'a') is MISSING, all_of() is shared)", ""),
        ],
        "True True",
    ),
    "value that functions of two cells need": (
        [
            ("class Missing: pass\nMISSING = Missing()", "MISSING Missing"),
            ("def get(d, k): return d.get(k, MISSING)", "get"),
            ("def is_missing(v): return v is MISSING", "is_missing"),
            ("print(is_missing(get({}, 'a')))", ""),
        ],
        "True",
    ),
    "exception with its cause and context": (
        [
            ("try:\n    try: {}['k']\n    except KeyError as inner: raise ValueError('v') from inner\nexcept ValueError as e: err = e", "err"),
            ("print(repr(err), repr(err.__cause__), err.__context__ is err.__cause__, err.__suppress_context__)", ""),
        ],
        "ValueError('v') KeyError('k') True True",
    ),
    "exception raised while another was handled": (
        [
            ("class E(Exception):\n    def __init__(self, a, b): super().__init__(a)\ntry:\n    try: 1 / 0\n    except ZeroDivisionError: raise E(1, 2)\nexcept E as e: err = e", "err E"),
            ("print(repr(err), repr(err.__cause__), repr(err.__context__), err.__suppress_context__)", ""),
        ],
        "E(1) None ZeroDivisionError('division by zero') False",
    ),
    "exception whose context cannot be stored": (
        [
            ("try:\n    try: raise ValueError((i for i in ()))\n    except ValueError: raise OSError(2, 'no', 'f')\nexcept OSError as e: err = e", "err"),
            ("print(repr(err), err.filename, err.__context__)", ""),
        ],
        "FileNotFoundError(2, 'no') f None",
    ),
    "parts of a package that two cells import": (
        [("import xml.dom", "xml"), ("import xml.sax", "xml"), ("print(hasattr(xml, 'dom'), hasattr(xml, 'sax'))", "")],
        "True True",
    ),
    "exception with other arguments": (
        [("class E(Exception):\n    def __init__(self, a, b):\n        super().__init__(a)\n        self.b = b\ne = E(1, 2)\ne.add_note('n')", "E e"), ("print(repr(e), e.b, e.__notes__, type(e) is E)", "")],
        "E(1) 2 ['n'] True",
    ),
    "subclasses of plain values with additional arguments": (
        [
            (
                "class M(int):\n    def __new__(cls, v, unit):\n        made = int.__new__(cls, v)\n        made.unit = unit\n        return made\n"
                "class T(tuple):\n    def __new__(cls, a, b): return super().__new__(cls, (a, b))\n"
                "class S(str):\n    __slots__ = ('u',)\n    def __new__(cls, v, u):\n        made = str.__new__(cls, v)\n        made.u = u\n        return made\n"
                "    def __str__(self): return 'other'\nm, t, s = M(5, 'EUR'), T(1, 2), S('x', 1)\nd = {'a': [m]}",
                "M T S m t s d",
            ),
            ("print(int(m), m.unit, type(m) is M, d['a'][0].unit, t == (1, 2), type(t) is T, repr(s), s.u)", ""),
        ],
        "5 EUR True EUR True True 'x' 1",
    ),
    "wrapper that looks up attributes": (
        [
            ("class W:\n    def __init__(self, i): self.i = i\n    def __getattr__(self, n):\n        if n.startswith('__'): raise AttributeError(n)\n        return getattr(self.i, n)\nw = W([1])", "w W"),
            ("v = [w]", "v"),
            ("print(v[0].i, v[0].count(1))", ""),
        ],
        "[1] 1",
    ),
    "class from a call": ([("from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P(1, 2)", "P p"), ("print(type(p) is P)", "P p"), ("print(type(p) is P, p)", "")], "True P(x=1, y=2)"),
    "member of an enum": ([("from enum import Enum\nclass C(Enum):\n    R = 1\nc = C.R\nd = {C.R: 1}", "C c d"), ("print(c is C.R, d[C.R])", "")], "True 1"),
    "nested class": ([("class A:\n    class B: pass\nb = A.B()\nB = A.B", "A b B"), ("print(type(b) is A.B, B is A.B)", "")], "True True"),
}
# `type` statements require Python 3.12.
TYPE_STATEMENTS = {
    "type alias": ([("type V = list[int]", "V"), ("print(V, V.__value__)", "V"), ("print(V, V.__value__)", "")], "V list[int]"),
    "type alias beside functions": (
        [("class A: pass\ntype V = list[A]\ndef f(x: V) -> V: return x\nv = [A()]", "V f A v"), ("print(V.__value__.__args__[0] is A, type(v[0]) is A, f.__annotations__['x'] is V)", "")],
        "True True True",
    ),
    "type alias with a parameter": ([("type V[T] = list[T] | int", "V"), ("print(V.__value__, V.__type_params__, V[int])", "")], "list[T] | int (T,) V[int]"),
}
# name -> cells, the refused name, text in its error
REFUSED = {
    "type alias that refers to itself": ([("type V = list[V] | int", "V")], "V", "`V` refers to itself"),
    "class attribute": ([("class C:\n    n = 0", "C"), ("C.n = 5", "C")], "C", "changed attribute"),
    "method": ([("class C:\n    def m(self): return 1", "C"), ("C.m = lambda self: 2", "C")], "C", "changed attribute"),
    "function attribute": ([("def f(): return f.n", "f"), ("f.n = 1", "f")], "f", "changed attribute"),
    "state that cannot be set": ([("class D:\n    def __setstate__(self, s): raise RuntimeError('no way')\nd = D()\nd.y = 1", "d")], "d", "written but not read again (RuntimeError: no way)"),
    "state that cannot be read": ([("class D:\n    def __getstate__(self): raise RuntimeError('no way')\nd = [D()]", "d")], "d", "no way"),
    "wrapper that looks up attributes before they exist": ([("class W:\n    def __init__(self, i): self.i = i\n    def __getattr__(self, n): return getattr(self.i, n)\nw = W([1])", "w")], "w", "written but not read again (RecursionError"),
    "dict that keeps a log": ([("class D(dict):\n    def __init__(self): self.log = []\n    def __setitem__(self, k, v):\n        self.log.append(k)\n        super().__setitem__(k, v)\nd = D()\nd[1] = 1", "d")], "d", "written but not read again (AttributeError"),
    "value made of code that needs it": ([("base = list()\nclass K:\n    x = base\nbase.append(K())", "base K")], "base", "circular"),
}
# name -> cells, names the last one warns about
WARNED = {
    "class attribute of another cell": ([("class C:\n    n = 0\nc = C()", "C c"), ("setattr(C, 'n', 5)", "")], ["C.n"]),
    "new class attribute": ([("class C: pass", "C"), ("setattr(C, 'n', 5)", "")], ["C.n"]),
    "list of a class": ([("class C:\n    items = []", "C"), ("C().items.append(1)", "")], ["C.items"]),
    "counter of a class": ([("class C:\n    n = 0\n    def __init__(self): C.n += 1\nc = C()", "C c")], ["C.n"]),
    "counter of a class of another cell": ([("class C:\n    n = 0\n    def __init__(self): C.n += 1", "C"), ("d = C()", "d")], ["C.n"]),
    "nothing changed": (
        [
            (
                "from enum import Enum\nfrom dataclasses import dataclass, field\nfrom abc import ABC, abstractmethod\n"
                "from functools import cached_property, lru_cache\nclass E(Enum):\n    R = 1\n@dataclass\nclass D:\n    a: int = 1\n"
                "    b: list = field(default_factory=list)\n@dataclass(slots=True)\nclass S:\n    a: int = 1\nclass B(ABC):\n    x = -1\n"
                "    @abstractmethod\n    def f(self): ...\nclass F(B):\n    def f(self): return 1\n    @cached_property\n"
                "    def g(self): return 2\n@lru_cache\ndef h(x): return x\nd, s = D(), S(); F().g; h(1)",
                "E D S B F h",
            ),
            ("d, s, f = D(), S(), F(); f.g; f.z = 1; h(2); E.R; isinstance(1, B)", "d s f"),
        ],
        [],
    ),
}
# name -> cells; what the last one prints, or its error
POOLS = {
    "spawn, function of the cell": ([(_MULTI + "k = 3\ndef f(n): return n * k\nwith mp.get_context('spawn').Pool(1) as pool: print(pool.map(f, [1, 2]))", "")], "[3, 6]"),
    "spawn, lambda": ([(_MULTI + "with mp.get_context('spawn').Pool(1) as pool: print(pool.map(lambda n: n + 1, [1]))", "")], "[2]"),
    "spawn, class of another cell": (
        [
            ("class P:\n    def __init__(self, x): self.x = x\n    def twice(self): return P(self.x * 2)\ndef go(p): return p.twice()", "P go"),
            (_MULTI + "with ProcessPoolExecutor(1, mp_context=mp.get_context('spawn')) as pool:\n    r = list(pool.map(go, [P(1), P(2)]))\nprint([p.x for p in r], [type(p) is P for p in r])", ""),
        ],
        "[2, 4] [True, True]",
    ),
    "forkserver, class of the cell": (
        [(_MULTI + "class P:\n    x = 1\ndef go(p): return p\nwith ProcessPoolExecutor(1, mp_context=mp.get_context('forkserver')) as pool:\n    print([type(p) is P for p in pool.map(go, [P()])])", "")],
        "[True]",
    ),
    "spawn as the default": ([(_MULTI + "mp.set_start_method('spawn')\ndef f(n): return n\nwith mp.Pool(1) as pool: print(pool.map(f, [1]))", "")], "[1]"),
    "spawn, process and queue": ([(_MULTI + "def f(q): q.put(f.__name__)\nc = mp.get_context('spawn')\nq = c.Queue()\np = c.Process(target=f, args=(q,))\np.start()\nprint(q.get())\np.join()", "")], "f"),
    "spawn, cached function": ([(_MULTI + "import functools\n@functools.lru_cache\ndef f(n): return n\ndef g(n): return f(n)\nwith mp.get_context('spawn').Pool(1) as pool: print(pool.map(g, [1]), pool.map(f, [2]))", "")], "[1] [2]"),
    "spawn, new type": ([(_MULTI + "from typing import NewType\nU = NewType('U', int)\ndef f(n: U) -> U: return U(n)\nwith mp.get_context('spawn').Pool(1) as pool: print(pool.map(f, [1]))", "")], "[1]"),
    "spawn, exception of the cell": ([(_MULTI + "class E(Exception):\n    def __init__(self, a, b): super().__init__(a)\ndef f(n): raise E(n, 2)\nwith mp.get_context('spawn').Pool(1) as pool: pool.map(f, [1])", "")], "E: 1"),
    "fork, exception of the cell": ([(_MULTI + "class E(Exception):\n    def __init__(self, a, b): super().__init__(a)\ndef f(n): raise E(n, 2)\nwith mp.get_context('fork').Pool(1) as pool: pool.map(f, [1])", "")], "E: 1"),
    "spawn, function with a lock": ([(_MULTI + "import threading\nl = threading.Lock()\ndef f(n):\n    with l: return n\nwith mp.get_context('spawn').Pool(1) as pool: pool.map(f, [1])", "")], "f is defined in a cell and cannot be sent to a worker process that starts empty"),
    "fork, function with a lock": ([(_MULTI + "import threading\nl = threading.Lock()\ndef f(n):\n    with l: return n\nwith mp.get_context('fork').Pool(1) as pool: print(pool.map(f, [1]))", "")], "[1]"),
}
