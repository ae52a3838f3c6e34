import type { Row } from './row.ts';

/** Rows of the soundness test: classes and their objects, used in other cells than the one that defines the class. */
export const CLASSES: readonly Row[] = [
  {
    name: 'match-class',
    cells: [
      'from dataclasses import dataclass\n@dataclass\nclass P:\n    x:int\n    y:int',
      'p=P(1,2)',
      'match p:\n    case P(x=a,y=b): print(a,b)',
    ],
    steps: [{ edit: [1, 'p=P(3,4)'] }],
  },
  {
    name: 'pep695-class',
    cells: [
      'class Stack[T]:\n    def __init__(self): self.i=[]\n    def push(self,x:T): self.i.append(x)',
      's=Stack[int]()\ns.push(3)',
      'print(s.i)',
    ],
    steps: [{ edit: [1, 's=Stack[int]()\ns.push(4)'] }],
  },
  {
    name: 'property-setter',
    cells: [
      'class A:\n    def __init__(self): self._v=1\n    @property\n    def v(self): return self._v\n    @v.setter\n    def v(self,x): self._v=x*2',
      'a=A()\na.v=4',
      'print(a.v)',
    ],
    steps: [{ edit: [1, 'a=A()\na.v=5'] }],
  },
  {
    name: 'metaclass',
    cells: [
      "class M(type):\n    def __new__(m,n,b,d):\n        d['tag']=n\n        return super().__new__(m,n,b,d)",
      'class A(metaclass=M): pass',
      'print(A.tag, A().tag)',
    ],
  },
  {
    name: 'slots',
    cells: ["class A:\n    __slots__=('x',)\n    def __init__(s,x): s.x=x", 'a=A(3)', 'print(a.x)'],
    steps: [{ edit: [1, 'a=A(4)'] }],
  },
  {
    name: 'nested-class',
    cells: [
      'class Outer:\n    class Inner:\n        v=1\no=Outer.Inner()',
      'print(o.v, type(o).__qualname__)',
    ],
    steps: [{ edit: [0, 'class Outer:\n    class Inner:\n        v=2\no=Outer.Inner()'] }],
  },
  {
    name: 'dataclass',
    cells: [
      'from dataclasses import dataclass, field\n@dataclass\nclass P:\n    x:int\n    t:list=field(default_factory=list)',
      'p=P(1)',
      'print(p)',
    ],
    steps: [
      {
        edit: [
          0,
          'from dataclasses import dataclass, field\n@dataclass\nclass P:\n    x:int\n    t:list=field(default_factory=lambda:[9])',
        ],
      },
      { edit: [1, 'p=P(2)'] },
    ],
  },
  {
    name: 'dataclass-method-edit',
    cells: [
      'from dataclasses import dataclass\n@dataclass\nclass P:\n    x:int\n    def area(self): return self.x*2',
      'p=P(3)',
      'print(p.area())',
    ],
    steps: [
      {
        edit: [
          0,
          'from dataclasses import dataclass\n@dataclass\nclass P:\n    x:int\n    def area(self): return self.x*3',
        ],
      },
    ],
  },
  {
    name: 'enum',
    cells: [
      'from enum import Enum\nclass Color(Enum):\n    RED=1\n    BLUE=2',
      'c=Color.RED',
      'print(c is Color.RED, c, c.value)',
    ],
    steps: [{ edit: [0, 'from enum import Enum\nclass Color(Enum):\n    RED=5\n    BLUE=2'] }],
  },
  {
    name: 'enum-dict-keys',
    cells: [
      'from enum import Enum\nclass Color(Enum):\n    RED=1',
      "m={Color.RED:'r'}",
      'print(m[Color.RED])',
    ],
  },
  {
    name: 'pydantic',
    cells: [
      'from pydantic import BaseModel\nclass U(BaseModel):\n    name:str\n    age:int=3',
      "u=U(name='a')",
      'print(u, u.model_dump(), isinstance(u,U))',
    ],
    steps: [
      { edit: [0, 'from pydantic import BaseModel\nclass U(BaseModel):\n    name:str\n    age:int=4'] },
      { edit: [1, "u=U(name='b')"] },
    ],
    needs: 'pydantic',
  },
  {
    name: 'namedtuple',
    cells: [
      "from collections import namedtuple\nP=namedtuple('P','x y')",
      'p=P(1,2)',
      'print(p, p.x, isinstance(p,P))',
    ],
    steps: [{ edit: [1, 'p=P(3,2)'] }],
  },
  {
    name: 'typing-namedtuple',
    cells: [
      'from typing import NamedTuple\nclass P(NamedTuple):\n    x:int\n    y:int=0',
      'p=P(1)',
      'print(p)',
    ],
  },
  {
    name: 'abc',
    cells: [
      'from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def m(self): ...',
      'class B(A):\n    def m(self): return 1\nb=B()',
      'print(b.m(), isinstance(b,A))',
    ],
  },
  {
    name: 'cached-property',
    cells: [
      'from functools import cached_property\nclass A:\n    @cached_property\n    def v(self):\n        return 5\na=A()\na.v',
      "print(a.v, 'v' in a.__dict__)",
    ],
  },
  {
    name: 'class-instance-list',
    cells: [
      "class N:\n    def __init__(s,v): s.v=v\n    def __repr__(s): return f'N{s.v}'",
      "ns=[N(1),N(2)]\nd={'k':N(3)}",
      'print(ns,d, all(isinstance(n,N) for n in ns))',
    ],
    steps: [{ edit: [0, "class N:\n    def __init__(s,v): s.v=v\n    def __repr__(s): return f'M{s.v}'"] }],
  },
  {
    name: 'torch-like-reduce',
    cells: [
      'class T:\n    def __init__(s,a): s.a=a\n    def __reduce__(s): return (T,(s.a,))\nt=T([1,2])',
      'print(t.a)',
    ],
  },
  {
    name: 'pickle-roundtrip-own-class',
    cells: [
      'import pickle\nclass A:\n    def __init__(s): s.v=1',
      'a=pickle.loads(pickle.dumps(A()))',
      'print(a.v, isinstance(a,A))',
    ],
  },
  {
    name: 'type-identity-3cells',
    cells: ['class A: pass', 'a=A()', 'b=A()', 'print(type(a) is type(b), type(a) is A)'],
  },
  {
    name: 'subclasses-of-other-cells',
    cells: ['class Base: pass', 'class A(Base): pass', 'print([c.__name__ for c in Base.__subclasses__()])'],
    allow: 'message',
  },
  {
    name: 'class-registered-in-other-cell',
    cells: ['from abc import ABC\nclass A(ABC): pass', 'A.register(int)', 'print(isinstance(3, A))'],
    allow: 'message',
  },
  {
    name: 'isinstance-derived',
    cells: [
      'class A: pass',
      'class B(A): pass',
      'x=[A(),B()]',
      'print([isinstance(i,A) for i in x],[isinstance(i,B) for i in x])',
    ],
  },
  {
    name: 'staticmethod-classmethod',
    cells: [
      'class A:\n    n=1\n    @classmethod\n    def mk(cls): return cls()\n    @staticmethod\n    def s(x): return x+A.n',
      'a=A.mk()',
      'print(A.s(1), a.s(2))',
    ],
    steps: [
      {
        edit: [
          0,
          'class A:\n    n=2\n    @classmethod\n    def mk(cls): return cls()\n    @staticmethod\n    def s(x): return x+A.n',
        ],
      },
    ],
  },
  {
    name: 'overload-operators',
    cells: [
      'class V:\n    def __init__(s,x): s.x=x\n    def __add__(s,o): return V(s.x+o.x)\n    def __eq__(s,o): return isinstance(o,V) and s.x==o.x',
      'a=V(1)\nb=V(2)',
      'print((a+b)==V(3))',
    ],
  },
];
