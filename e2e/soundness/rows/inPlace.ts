import type { Row } from './row.ts';

/** Rows of the soundness test: values of an earlier cell that a later cell changes in place. */
export const IN_PLACE: readonly Row[] = [
  {
    name: 'alias-of-an-array',
    cells: ['import numpy as np\na=np.zeros(2)', 'b=a', 'b[0]=1', 'print(a.tolist())'],
    allow: 'message',
    needs: 'numpy',
  },
  {
    name: 'alias-reshaped',
    cells: ['import numpy as np\na=np.zeros(4)', 'b=a.reshape(2,2)', 'b[0]=1', 'print(a.tolist())'],
    allow: 'message',
    needs: 'numpy',
  },
  {
    name: 'alias-changed-at-its-origin',
    cells: ['import numpy as np\na=np.zeros(4)', 'b=a[:2]', 'a[0]=7', 'print(b.tolist())'],
    allow: 'message',
    needs: 'numpy',
  },
  {
    name: 'alias-row-changed-at-its-origin',
    cells: ['grid=[[1, 2], [3, 4]]', 'row=grid[0]', 'grid[0][1]=5', 'print(row, grid)'],
    allow: 'message',
  },
  {
    name: 'alias-of-a-frame',
    cells: ['import pandas as pd\ndf=pd.DataFrame({"a":[1,2]})', 'd2=df', 'd2["b"]=3', 'print(list(df))'],
    allow: 'message',
    needs: 'pandas',
  },
  {
    name: 'alias-of-an-element',
    cells: ['d={"k":{}}', 'x=d["k"]', 'x["y"]=2', 'print(d,x)'],
    allow: 'message',
  },
  {
    name: 'view-of-a-value-changed-later',
    cells: ['import numpy as np\na=np.arange(6)', 'v=a[::2]', 'v[0]=99', 'print(a.tolist(), v.tolist())'],
    allow: 'message',
    needs: 'numpy',
  },
  {
    name: 'dict-setitem',
    cells: ['d={}', "d['k']=1", 'print(d)'],
    steps: [{ edit: [1, "d['k']=2"] }, { edit: [0, "d={'z':0}"] }],
    allow: 'message',
  },
  { name: 'dict-update-method', cells: ['d={}', 'd.update(k=1)', 'print(d)'], allow: 'message' },
  {
    name: 'attr-set',
    cells: ['class O: pass\no=O()', 'o.v=3', 'print(o.v)'],
    steps: [{ edit: [1, 'o.v=4'] }],
    allow: 'message',
  },
  {
    name: 'class-attr-set',
    cells: ['class C:\n    n=0', 'C.n=5', 'print(C.n)'],
    steps: [{ edit: [1, 'C.n=6'] }],
    allow: 'message',
  },
  {
    name: 'function-attr',
    cells: ['def f():\n    return f.n\nf.n=1', 'print(f())'],
    steps: [{ edit: [0, 'def f():\n    return f.n\nf.n=2'] }],
    allow: 'message',
  },
  {
    name: 'function-attr-later-cell',
    cells: ['def f():\n    return f.n', 'f.n=1', 'print(f())'],
    allow: 'message',
  },
  {
    name: 'mutate-through-function',
    cells: ['def push(l):\n    l.append(1)', 'L=[]', 'push(L)', 'print(L)'],
    allow: 'message',
  },
  { name: 'alias-two-names', cells: ['x=[1]\ny=x', 'y.append(2)\nprint(x)'], allow: 'message' },
  { name: 'iterator-shared', cells: ['it=iter([1,2,3])', 'next(it)', 'print(next(it))'], allow: 'message' },
  {
    name: 'numpy-view',
    cells: ['import numpy as np\na=np.zeros(3)', 'b=a[:2]\nb[:]=1', 'print(a.tolist())'],
    allow: 'message',
  },
  {
    name: 'df-inplace',
    cells: [
      "import pandas as pd\ndf=pd.DataFrame({'x':[3,1,2]})",
      "df.sort_values('x',inplace=True)",
      'print(df.x.tolist())',
    ],
    steps: [{ edit: [0, "import pandas as pd\ndf=pd.DataFrame({'x':[9,1,2]})"] }],
    allow: 'message',
  },
  {
    name: 'df-column',
    cells: ["import pandas as pd\ndf=pd.DataFrame({'x':[3,1,2]})", "df['y']=df.x*2", 'print(df.y.sum())'],
    steps: [
      { edit: [1, "df['y']=df.x*3"] },
      { edit: [0, "import pandas as pd\ndf=pd.DataFrame({'x':[4]})"] },
    ],
    allow: 'message',
  },
  {
    name: 'df-loc',
    cells: [
      "import pandas as pd\ndf=pd.DataFrame({'x':[3,1,2]})",
      "df.loc[df.x>1,'x']=0",
      'print(df.x.tolist())',
    ],
    steps: [{ edit: [1, "df.loc[df.x>2,'x']=0"] }],
    allow: 'message',
  },
  {
    name: 'df-insert-method',
    cells: ["import pandas as pd\ndf=pd.DataFrame({'x':[3]})", "df.insert(0,'a',1)", 'print(list(df))'],
    allow: 'message',
  },
  {
    name: 'df-pop',
    cells: ["import pandas as pd\ndf=pd.DataFrame({'x':[3],'y':[1]})", "df.pop('y')", 'print(list(df))'],
    allow: 'message',
  },
  {
    name: 'setattr-call',
    cells: ['class O: pass\no=O()', "setattr(o,'v',3)", 'print(o.v)'],
    allow: 'message',
  },
  {
    name: 'random-shuffle',
    cells: [
      'import random\nL=list(range(5))',
      'random.seed(0)\nrandom.shuffle(L)',
      'print(L==list(range(5)))',
    ],
    allow: 'message',
  },
  {
    name: 'np-fill',
    cells: ['import numpy as np\na=np.zeros(3)', 'a.fill(7)', 'print(a.tolist())'],
    allow: 'message',
  },
  {
    name: 'defaultdict-touch',
    cells: ['from collections import defaultdict\nd=defaultdict(list)', "d['a'].append(1)", 'print(dict(d))'],
    allow: 'message',
  },
  {
    name: 'counter-update',
    cells: ["from collections import Counter\nc=Counter('aab')", "c.update('b')", "print(c['b'])"],
    allow: 'message',
  },
  { name: 'list-sort', cells: ['L=[3,1,2]', 'L.sort()', 'print(L)'], allow: 'message' },
  { name: 'set-add', cells: ['s={1}', 's.add(2)', 'print(sorted(s))'], allow: 'message' },
  {
    name: 'sklearn-like-fit',
    cells: [
      'class Model:\n    def fit(s,x):\n        s.mean_=sum(x)/len(x)\n        return s\nmodel=Model()',
      'model.fit([1,2,3])',
      'print(model.mean_)',
    ],
    allow: 'message',
  },
  {
    name: 'view-of-an-array',
    cells: ['import numpy as np\na=np.zeros(3)\nv=a[:2]', 'v[:]=5\nprint(a.tolist())'],
    needs: 'numpy',
    allow: 'message',
  },
];
