import type { Row } from './row.ts';

/**
 * Rows of the soundness test: values of every type: a reader gets them unchanged, or they are refused with a message
 * that names them.
 */
export const VALUE_TYPES: readonly Row[] = [
  {
    name: 'period-index',
    cells: [
      'import pandas as pd\nv = pd.period_range("2026-01", periods=2, freq="M")',
      'print(type(v).__name__, list(map(str, v)))',
    ],
  },
  {
    name: 'interval-index',
    cells: ['import pandas as pd\nv = pd.interval_range(0, 2)', 'print(type(v).__name__, list(map(str, v)))'],
  },
  {
    name: 'categorical-index',
    cells: ['import pandas as pd\nv = pd.CategoricalIndex(["a", "b"])', 'print(type(v).__name__, list(v))'],
  },
  {
    name: 'multi-index',
    cells: [
      'import pandas as pd\nv = pd.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["n", "c"])',
      'print(type(v).__name__, list(v), list(v.names))',
    ],
  },
  {
    name: 'datetime-index-zone',
    cells: [
      'import pandas as pd\nv = pd.date_range("2026-01-01", periods=2, tz="Europe/Berlin")',
      'print(type(v).__name__, v.tz, v.freqstr)',
    ],
  },
  {
    name: 'timedelta-index',
    cells: [
      'import pandas as pd\nv = pd.to_timedelta([1, 2], unit="h")',
      'print(type(v).__name__, list(map(str, v)))',
    ],
  },
  { name: 'range-index', cells: ['import pandas as pd\nv = pd.RangeIndex(0, 10, 2)', 'print(repr(v))'] },
  {
    name: 'frame-with-period-index',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": [1, 2]}, index=pd.period_range("2026-01", periods=2, freq="M"))',
      'print(type(v.index).__name__, list(map(str, v.index)))',
    ],
  },
  {
    name: 'frame-with-interval-column',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": pd.cut([1, 5], [0, 3, 6])})',
      'print(v.a.dtype, list(map(str, v.a)))',
    ],
  },
  {
    name: 'frame-with-multi-columns',
    cells: [
      'import pandas as pd\nv = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))',
      'print(list(v.columns))',
    ],
  },
  {
    name: 'frame-with-integer-columns',
    cells: ['import pandas as pd\nv = pd.DataFrame([[1, 2]])', 'print(list(v.columns), v[0].tolist())'],
  },
  {
    name: 'frame-with-duplicate-columns',
    cells: [
      'import pandas as pd\nv = pd.DataFrame([[1, 2]], columns=["a", "a"])',
      'print(list(v.columns), v.shape)',
    ],
    allow: 'message',
  },
  {
    name: 'frame-with-objects',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": [{1}, (2,)]})',
      'print([type(x).__name__ for x in v.a])',
    ],
    allow: 'message',
  },
  {
    name: 'frame-with-none-and-nan',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": [1.0, None], "b": ["x", None]})',
      'print(v.isna().values.tolist(), v.dtypes.astype(str).tolist())',
    ],
  },
  {
    name: 'frame-with-categories',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": pd.Categorical(["x"], categories=["y", "x"], ordered=True)})',
      'print(v.a.cat.ordered, list(v.a.cat.categories))',
    ],
  },
  {
    name: 'series-named',
    cells: [
      'import pandas as pd\nv = pd.Series([1], name="n", index=["i"])',
      'print(v.name, list(v.index), type(v).__name__)',
    ],
  },
  {
    name: 'series-of-datetimes',
    cells: ['import pandas as pd\nv = pd.Series(pd.to_datetime(["2026-01-01"]))', 'print(v.dtype, v[0])'],
  },
  {
    name: 'empty-frame',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": pd.Series(dtype="int64")})',
      'print(v.shape, v.dtypes.astype(str).tolist())',
    ],
  },
  {
    name: 'index-with-name',
    cells: [
      'import pandas as pd\nv = pd.DataFrame({"a": [1]}, index=pd.Index(["x"], name="key"))',
      'print(v.index.name, list(v.index))',
    ],
  },
  { name: 'numpy-scalar', cells: ['import numpy as np\nv = np.float32(0.1)', 'print(type(v).__name__, v)'] },
  {
    name: 'numpy-structured',
    cells: [
      'import numpy as np\nv = np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])',
      'print(v.dtype.names, v["a"].tolist())',
    ],
  },
  {
    name: 'numpy-strings',
    cells: ['import numpy as np\nv = np.array(["a", "bc"])', 'print(v.dtype, v.tolist())'],
  },
  {
    name: 'numpy-objects',
    cells: ['import numpy as np\nv = np.array([1, "a", None], dtype=object)', 'print(v.dtype, v.tolist())'],
  },
  {
    name: 'numpy-fortran-order',
    cells: [
      'import numpy as np\nv = np.asfortranarray(np.arange(4).reshape(2, 2))',
      'print(v.flags.f_contiguous, v.tolist())',
    ],
    allow: 'message',
  },
  {
    name: 'numpy-masked',
    cells: [
      'import numpy as np\nv = np.ma.array([1, 2], mask=[False, True])',
      'print(type(v).__name__, v.tolist())',
    ],
    allow: 'message',
  },
  {
    name: 'numpy-datetime',
    cells: ['import numpy as np\nv = np.array(["2026-01-01"], dtype="datetime64[D]")', 'print(v.dtype, v)'],
  },
  {
    name: 'numpy-zero-dimensions',
    cells: ['import numpy as np\nv = np.array(5)', 'print(v.shape, v.dtype)'],
  },
  {
    name: 'numpy-read-only',
    cells: ['import numpy as np\nv = np.arange(3)\nv.flags.writeable = False', 'print(v.flags.writeable)'],
    allow: 'message',
  },
  {
    name: 'numpy-complex',
    cells: ['import numpy as np\nv = np.array([1 + 2j])', 'print(v.dtype, v.tolist())'],
  },
  { name: 'complex', cells: ['v = 1 + 2j', 'print(v)'] },
  { name: 'large-integer', cells: ['v = 2**63', 'print(v, v + 1)'] },
  { name: 'negative-large-integer', cells: ['v = -(2**70)', 'print(v)'] },
  { name: 'float-special', cells: ['v = [float("nan"), float("inf"), -0.0]', 'print(v)'] },
  { name: 'bytes', cells: ['v = b"\\x00\\xff"', 'print(v)'] },
  {
    name: 'date-and-time',
    cells: [
      'import datetime as dt\nv = [dt.date(2026, 1, 1), dt.datetime(2026, 1, 1, tzinfo=dt.timezone.utc), dt.timedelta(1)]',
      'print(v)',
    ],
  },
  {
    name: 'decimal-and-fraction',
    cells: [
      'from decimal import Decimal\nfrom fractions import Fraction\nv = [Decimal("1.10"), Fraction(1, 3)]',
      'print(v)',
    ],
  },
  {
    name: 'uuid-and-path',
    cells: [
      'import uuid\nfrom pathlib import PurePosixPath\nv = [uuid.UUID(int=5), PurePosixPath("a/b")]',
      'print(v)',
    ],
  },
  { name: 'dict-with-integer-keys', cells: ['v = {1: "a", (2, 3): "b", None: "c"}', 'print(v)'] },
  { name: 'nested-tuples', cells: ['v = (1, (2, [3, {4}]))', 'print(v)'] },
  { name: 'int-subclass', cells: ['class N(int):\n    pass\nv = N(3)', 'print(type(v).__name__, v + 1)'] },
  {
    name: 'dict-subclass',
    cells: ['class D(dict):\n    x = 1\nv = D(a=1)', 'print(type(v).__name__, v, v.x)'],
  },
  {
    name: 'str-enum',
    cells: [
      'from enum import StrEnum\nclass C(StrEnum):\n    A = "a"\nv = C.A',
      'print(type(v).__name__, v)',
    ],
  },
  {
    name: 'default-factory-lambda',
    cells: ['from collections import defaultdict\nv = defaultdict(lambda: 5)', 'print(v["x"])'],
    allow: 'message',
  },
  { name: 'ellipsis-and-notimplemented', cells: ['v = [..., NotImplemented]', 'print(v)'], allow: 'message' },
  { name: 'range-and-slice', cells: ['v = [range(1, 5, 2), slice(1, 2)]', 'print(v)'] },
  { name: 'exception-with-fields', cells: ['v = ValueError("a", 1)', 'print(repr(v), v.args)'] },
  { name: 'recursive-list', cells: ['v = [1]\nv.append(v)', 'print(v[1] is v, len(v))'], allow: 'message' },
  {
    name: 'shared-inside-one-value',
    cells: ['a = [1]\nv = [a, a]', 'print(v[0] is v[1])'],
    allow: 'message',
  },
  { name: 'boolean-in-list', cells: ['v = [True, 1, 1.0]', 'print(v, [type(x).__name__ for x in v])'] },
  {
    name: 'newtype-beside-function',
    cells: [
      'from typing import NewType\nUid = NewType("Uid", int)\ndef f(x: Uid) -> Uid:\n    return x',
      'print(f(Uid(3)))',
    ],
  },
  {
    name: 'type-alias-beside-function',
    cells: ['type V = list[int]\ndef f(x: V) -> V:\n    return x', 'print(f([1]), V.__value__)'],
  },
  {
    name: 'class-alias-beside-function',
    cells: ['class A:\n    x = 1\nB = A\ndef f():\n    return B().x', 'print(f(), B is A)'],
  },
  {
    name: 'polars-frame',
    cells: [
      'import polars as pl\nv = pl.DataFrame({"a": [1], "b": ["x"]})',
      'print(v.to_dict(as_series=False), v.dtypes)',
    ],
  },
  {
    name: 'polars-series',
    cells: ['import polars as pl\nv = pl.Series("n", [1, 2])', 'print(v.name, v.to_list())'],
  },
  {
    name: 'polars-categorical',
    cells: [
      'import polars as pl\nv = pl.Series("n", ["a"], dtype=pl.Categorical)',
      'print(v.dtype, v.to_list())',
    ],
  },
  {
    name: 'arrow-table',
    cells: ['import pyarrow as pa\nv = pa.table({"a": [1]})', 'print(type(v).__name__, v.to_pydict())'],
  },
  {
    name: 'arrow-array',
    cells: ['import pyarrow as pa\nv = pa.array([1, None])', 'print(type(v).__name__, v.to_pylist())'],
  },
  {
    name: 'sparse-matrix',
    cells: [
      'from scipy import sparse\nv = sparse.csr_matrix([[0, 1]])',
      'print(type(v).__name__, v.toarray().tolist())',
    ],
  },
  {
    name: 'sklearn-model',
    cells: [
      'from sklearn.linear_model import LinearRegression\nv = LinearRegression().fit([[1], [2]], [1, 2])',
      'print(round(float(v.coef_[0]), 6))',
    ],
  },
  {
    name: 'compiled-pattern',
    cells: ['import re\nv = re.compile("a+", re.I)', 'print(v.pattern, v.flags, v.match("AA").group())'],
  },
  {
    name: 'functools-cache',
    cells: ['import functools\n@functools.cache\ndef v(x):\n    return x * 2', 'print(v(2))'],
  },
  {
    name: 'bound-method',
    cells: ['class A:\n    def m(self):\n        return 5\nv = A().m', 'print(v())'],
    allow: 'message',
  },
  {
    name: 'class-with-class-method-alias',
    cells: [
      'class A:\n    n = 1\n    @classmethod\n    def make(cls):\n        return cls.n\nv = A.make',
      'print(v())',
    ],
    allow: 'message',
  },
];
