/** Recorded Jupyter notebooks with the kernel's results, for tests that compare Cellar with a kernel. */

/**
 * Typical notebooks for lessons and small analyses, with the kernel's result for each cell: printed text,
 * value of the last expression (`repr`), type of the error. Recorded with IPython 9.18 on Python 3.13, all
 * cells in order.
 */
export interface Lesson {
  readonly name: string;
  readonly cells: readonly KernelCell[];
}

type KernelCell = readonly [source: string, gave?: KernelResult];

export interface KernelResult {
  readonly stdout?: string;
  readonly value?: string;
  readonly error?: string;
}

export const LESSONS: readonly Lesson[] = [
  {
    name: 'variables and types of a first lesson',
    cells: [
      ["x = 3\ny = 4.5\nname = 'Ada'"],
      ['type(x), type(y), type(name)', { value: "(<class 'int'>, <class 'float'>, <class 'str'>)" }],
      ["print(f'{name}: {x * y:.2f}')", { stdout: 'Ada: 13.50\n' }],
      ['x = x + 1\nx', { value: '4' }],
      ['print(x)', { stdout: '4\n' }],
    ],
  },
  {
    name: 'a counter in a cell that was run once',
    cells: [
      ['total = 0'],
      ['for i in range(5):\n    total += i\ntotal', { value: '10' }],
      ["print('total', total)", { stdout: 'total 10\n' }],
    ],
  },
  {
    name: 'lists, dictionaries and comprehensions',
    cells: [
      ["ages = {'Ann': 31, 'Bo': 25}\nages['Cy'] = 40"],
      ['sorted(ages, key=ages.get)', { value: "['Bo', 'Ann', 'Cy']" }],
      ['[n.upper() for n in ages if ages[n] > 30]', { value: "['ANN', 'CY']" }],
      ["ages.pop('Bo')\nlen(ages)", { value: '2' }],
    ],
  },
  {
    name: 'functions and recursion',
    cells: [
      ['def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)'],
      ['fact(10)', { value: '3628800' }],
      ['%time fact(20)', { value: '2432902008176640000' }],
      ['%timeit -n 1 -r 1 fact(5)'],
    ],
  },
  {
    name: 'classes with inheritance',
    cells: [
      [
        "class Animal:\n    sound = '...'\n    def speak(self):\n        return f'{type(self).__name__}: {self.sound}'",
      ],
      ["class Dog(Animal):\n    sound = 'Woof'"],
      ['d = Dog()\nd.speak()', { value: "'Dog: Woof'" }],
      ['isinstance(d, Animal)', { value: 'True' }],
      ['print(d.speak(), Animal().speak())', { stdout: 'Dog: Woof Animal: ...\n' }],
    ],
  },
  {
    name: 'an exception that is caught, and one that is not',
    cells: [
      [
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print('caught', e)",
        { stdout: 'caught division by zero\n' },
      ],
      ["int('x')", { error: 'ValueError' }],
      ["print('after')", { stdout: 'after\n' }],
    ],
  },
  {
    name: 'reading and writing a file',
    cells: [
      ["with open('notes.txt', 'w') as f:\n    f.write('one\\ntwo\\n')"],
      ["lines = open('notes.txt').read().split()\nlines", { value: "['one', 'two']" }],
      ["import os\nos.path.getsize('notes.txt')", { value: '8' }],
      ["os.remove('notes.txt')\nos.path.exists('notes.txt')", { value: 'False' }],
    ],
  },
  {
    name: 'random numbers with a seed above',
    cells: [
      ['import random\nrandom.seed(42)'],
      ['random.randint(1, 100)', { value: '82' }],
      ['[random.randint(1, 6) for _ in range(3)]', { value: '[1, 1, 6]' }],
    ],
  },
  {
    name: 'numpy arrays',
    cells: [
      ['import numpy as np\na = np.arange(12).reshape(3, 4)'],
      ['a.sum(axis=0)', { value: 'array([12, 15, 18, 21])' }],
      ['a[a % 2 == 0]', { value: 'array([ 0,  2,  4,  6,  8, 10])' }],
      ['b = a.T @ a\nb.shape, int(b.trace())', { value: '((4, 4), 506)' }],
      ['np.allclose(np.linalg.inv(np.eye(2)), np.eye(2))', { value: 'True' }],
    ],
  },
  {
    name: 'numpy with a global seed',
    cells: [
      ['import numpy as np\nnp.random.seed(0)\nz = np.random.rand(3)'],
      ['print(z.round(4))', { stdout: '[0.5488 0.7152 0.6028]\n' }],
      ['print(np.random.rand(2).round(4))', { stdout: '[0.5449 0.4237]\n' }],
    ],
  },
  {
    name: 'a table from a dictionary',
    cells: [
      ['import pandas as pd'],
      ["df = pd.DataFrame({'city': ['Rome', 'Oslo', 'Rome'], 'sales': [3, 5, 4]})"],
      ["df['tax'] = df.sales * 0.2\ndf.shape", { value: '(3, 3)' }],
      ["print(df.groupby('city').sales.sum().to_dict())", { stdout: "{'Oslo': 5, 'Rome': 7}\n" }],
      ["df.query('sales > 3').city.tolist()", { value: "['Oslo', 'Rome']" }],
    ],
  },
  {
    name: 'a table that is changed further down',
    cells: [
      ["import pandas as pd\ndf = pd.DataFrame({'a': [3, 1, 2]})"],
      ["df.sort_values('a', inplace=True)"],
      ['print(df.a.tolist())', { stdout: '[1, 2, 3]\n' }],
      ['df.drop(df.index[0], inplace=True)\nlen(df)', { value: '2' }],
    ],
  },
  {
    name: 'a csv in memory',
    cells: [
      ["import io, csv\ntext = 'name,score\\nAnn,3\\nBo,5\\n'"],
      ["rows = list(csv.DictReader(io.StringIO(text)))\nrows[0]['name']", { value: "'Ann'" }],
      ["sum(int(r['score']) for r in rows)", { value: '8' }],
    ],
  },
  {
    name: 'text and regular expressions',
    cells: [
      ["import re\ns = 'Order 12: 3 apples; Order 7: 10 pears'"],
      ["re.findall(r'Order (\\d+)', s)", { value: "['12', '7']" }],
      ["re.sub(r'\\d+', '#', s)", { value: "'Order #: # apples; Order #: # pears'" }],
      ["print(s.lower().count('order'))", { stdout: '2\n' }],
    ],
  },
  {
    name: 'dates',
    cells: [
      ['from datetime import date, timedelta\nstart = date(2024, 2, 28)'],
      ['days = [start + timedelta(n) for n in range(3)]\ndays[-1].isoformat()', { value: "'2024-03-01'" }],
      ['(date(2024, 12, 25) - start).days', { value: '301' }],
    ],
  },
  {
    name: 'a generator that is used up',
    cells: [
      ['g = (n * n for n in range(4))'],
      ['next(g)', { value: '0' }],
      ['list(g)', { value: '[1, 4, 9]' }],
    ],
  },
  {
    name: 'a simulation in several cells',
    cells: [
      [
        'import random\nrng = random.Random(1)\ndef walk(n):\n    at = 0\n    for _ in range(n):\n        at += rng.choice([-1, 1])\n    return at',
      ],
      ['ends = [walk(10) for _ in range(5)]\nends', { value: '[0, 2, -4, 0, 4]' }],
      ['print(sum(ends) / len(ends))', { stdout: '0.4\n' }],
    ],
  },
  {
    name: 'a decorator and a closure',
    cells: [
      ['def twice(f):\n    def inner(*args):\n        return f(f(*args))\n    return inner'],
      ['@twice\ndef add3(x):\n    return x + 3'],
      ['add3(1)', { value: '7' }],
      ['counter = []\ndef note(x):\n    counter.append(x)\n    return len(counter)'],
      ["note('a')", { value: '1' }],
      ["note('b')", { value: '2' }],
    ],
  },
  {
    name: 'json and nested data',
    cells: [
      ['import json\ndoc = json.loads(\'{"a": [1, {"b": null}], "c": true}\')'],
      ["doc['a'][1]", { value: "{'b': None}" }],
      ['print(json.dumps(doc, sort_keys=True))', { stdout: '{"a": [1, {"b": null}], "c": true}\n' }],
      ["doc['a'].append(3)\nlen(doc['a'])", { value: '3' }],
    ],
  },
  {
    name: 'matplotlib in a lesson',
    cells: [
      ["%matplotlib inline\nimport matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt"],
      ["xs = range(5)\nplt.plot(xs, [x ** 2 for x in xs])\nplt.title('Squares');"],
      ['print(max(x ** 2 for x in xs))', { stdout: '16\n' }],
    ],
  },
  {
    name: 'named tuples, enums and data classes',
    cells: [
      [
        "from collections import namedtuple, Counter\nfrom dataclasses import dataclass\nP = namedtuple('P', 'x y')",
      ],
      ['p = P(1, 2)\np.x + p.y', { value: '3' }],
      ['@dataclass\nclass Item:\n    name: str\n    price: float = 1.0'],
      ["Item('pen') == Item('pen', 1.0)", { value: 'True' }],
      ["Counter('banana').most_common(1)", { value: "[('a', 3)]" }],
    ],
  },
  {
    name: 'a linear regression by hand',
    cells: [
      ['xs = [1, 2, 3, 4]\nys = [2.1, 3.9, 6.2, 7.8]'],
      ['n = len(xs)\nmx, my = sum(xs) / n, sum(ys) / n'],
      [
        'slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)\nround(slope, 3)',
        { value: '1.94' },
      ],
      ['intercept = my - slope * mx\nprint(round(intercept, 3))', { stdout: '0.15\n' }],
    ],
  },
  {
    name: 'threads and a pool',
    cells: [
      ['from concurrent.futures import ThreadPoolExecutor\ndef square(n):\n    return n * n'],
      [
        'with ThreadPoolExecutor(2) as pool:\n    out = list(pool.map(square, range(5)))\nout',
        { value: '[0, 1, 4, 9, 16]' },
      ],
      ['print(sum(out))', { stdout: '30\n' }],
    ],
  },
  {
    name: 'environment variables and the working folder',
    cells: [
      ["import os\nos.environ['LEVEL'] = '3'"],
      ["print(os.environ.get('LEVEL', 'none'))", { stdout: '3\n' }],
      ['%env LEVEL=4', { stdout: 'env: LEVEL=4\n' }],
      ["print(os.environ.get('LEVEL', 'none'))", { stdout: '4\n' }],
    ],
  },
  {
    name: 'decimal and fractions',
    cells: [
      ['from decimal import Decimal, getcontext\ngetcontext().prec = 6'],
      ['print(Decimal(1) / Decimal(7))', { stdout: '0.142857\n' }],
      ['from fractions import Fraction\nFraction(3, 6) + Fraction(1, 3)', { value: 'Fraction(5, 6)' }],
    ],
  },
  {
    name: 'the result of the cell above',
    cells: [
      ['2 + 3', { value: '5' }],
      ['_ * 10', { value: '50' }],
      ['print(_)', { stdout: '50\n' }],
    ],
  },
];
