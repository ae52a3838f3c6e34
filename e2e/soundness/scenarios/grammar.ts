/**
 * The grammar of random notebooks for the soundness test: the texts of their cells, their files, and how often each
 * kind is drawn.
 */

import { pick } from '../../support/seeded.ts';

export type Random = () => number;

/** A kind of cell or step; its weight is in {@link WEIGHTS}. */
export type Feature = keyof typeof WEIGHTS;

/**
 * How often each kind of cell and step is drawn; 0 switches one off.
 */
export const WEIGHTS = {
  // Cells.
  constant: 4,
  arithmetic: 4,
  text: 2,
  list: 2,
  loop: 2,
  definedFunction: 3,
  calledFunction: 3,
  definedClass: 2,
  instance: 2,
  branches: 2,
  seededRandom: 1,
  frame: 1,
  frameRead: 1,
  printed: 2,
  shown: 2,
  failing: 0.5,
  environmentRead: 2,
  mountRead: 2,
  inPlace: 1,
  /** A name that is set only under a condition and that a cell above also sets. */
  conditional: 1,
  /** Functions and classes that read a global name, which a cell between them and their caller may set again. */
  readGlobal: 1,
  environmentInFunction: 1,
  fileRead: 2,
  fileReadThroughName: 1,
  fileReadInFunction: 1,
  fileWritten: 2,
  listing: 1,
  nocacheRead: 1,
  // Steps.
  edit: 8,
  revert: 4,
  comment: 3,
  runOne: 6,
  runAll: 4,
  setEnvironment: 2,
  writeMounted: 2,
  writeData: 3,
  removeData: 1,
  editFile: 2,
  rerun: 2,
  force: 1,
  reopen: 2,
  kill: 1,
  killAfterRun: 1,
  killDuringRun: 1,
};

export function draw<T extends Feature>(random: Random, from: readonly T[]): T {
  const total = from.reduce((sum, one) => sum + WEIGHTS[one], 0);
  let left = random() * total;
  for (const one of from) {
    left -= WEIGHTS[one];
    if (left < 0) return one;
  }
  throw new Error('nothing to draw from');
}

const CELLS = [
  'constant',
  'arithmetic',
  'text',
  'list',
  'loop',
  'definedFunction',
  'calledFunction',
  'definedClass',
  'instance',
  'branches',
  'seededRandom',
  'frame',
  'frameRead',
  'printed',
  'shown',
  'failing',
  'environmentRead',
  'mountRead',
  'inPlace',
  'conditional',
  'environmentInFunction',
  'fileRead',
  'fileReadThroughName',
  'fileReadInFunction',
  'fileWritten',
  'listing',
  'nocacheRead',
] as const satisfies readonly Feature[];
type CellKind = (typeof CELLS)[number];

/** The files at the start of a scenario. The mount `raw` is the folder `mounted`. */
export const FILES = { 'data/a.txt': '1', 'data/b.txt': '2', 'mounted/a.txt': '3', 'mounted/b.txt': '4' };
export const DATA_PATHS = ['data/a.txt', 'data/b.txt'] as const;
export const MOUNTED_PATHS = ['mounted/a.txt', 'mounted/b.txt'] as const;

/** Names by kind of value: number, list, text, function of one number, class, object, data frame, path. */
const NAMES = {
  n: ['n0', 'n1', 'n2'],
  l: ['l0', 'l1'],
  s: ['s0', 's1'],
  f: ['f0', 'f1', 'f2'],
  c: ['C0', 'C1'],
  o: ['o0', 'o1'],
  d: ['d0', 'd1'],
  p: ['p0'],
} as const;
type Kind = keyof typeof NAMES;

/** A name of one kind that the cells above set; now and then any name of the kind. */
function above(random: Random, kind: Kind, texts: readonly string[]): string {
  const names: readonly string[] = NAMES[kind];
  const set = names.filter((name) =>
    texts.some((text) => new RegExp(`\\b(def |class )?${name}\\b *(=|\\()`).test(text)),
  );
  return pick(random, set.length > 0 && random() < 0.97 ? set : names);
}

/** The expression that a function reads besides its arguments. */
function globalOf(random: Random, texts: readonly string[]): string {
  const name = above(random, 'n', texts);
  return WEIGHTS.readGlobal > 0 ? name : '1';
}

const small = (random: Random): number => Math.floor(random() * 5);

/** The source of a random cell below the cells with these texts. */
export function randomCell(random: Random, texts: readonly string[]): string {
  const has = (kind: Kind): boolean =>
    NAMES[kind].some((name) => texts.some((text) => new RegExp(`^(def |class )?${name}\\b`, 'm').test(text)));
  const needs: Partial<Record<CellKind, Kind>> = {
    arithmetic: 'n',
    calledFunction: 'f',
    instance: 'c',
    frameRead: 'd',
    inPlace: 'l',
    fileReadThroughName: 'p',
  };
  const possible = CELLS.filter((kind) => needs[kind] === undefined || has(needs[kind]));
  return BODIES[draw(random, possible)](random, texts);
}

type Body = (random: Random, texts: readonly string[]) => string;

const BODIES: Readonly<Record<CellKind, Body>> = {
  constant: (random) => `${pick(random, NAMES.n)} = ${small(random)}`,
  arithmetic: (random, texts) =>
    `${pick(random, NAMES.n)} = ${above(random, 'n', texts)} ${pick(random, ['+', '*', '-'])} ${above(random, 'n', texts)}\nprint(${above(random, 'n', texts)})`,
  text: (random, texts) => `${pick(random, NAMES.s)} = f"<{${above(random, 'n', texts)}}>"`,
  list: (random) => `${pick(random, NAMES.l)} = [${small(random)}, ${small(random)}]`,
  loop: (random, texts) => {
    const name = pick(random, NAMES.n);
    return `${name} = 0\nfor i in range(${small(random)}):\n    ${name} += i + ${small(random)}\nprint(${name}, ${above(random, 'n', texts)})`;
  },
  definedFunction: (random, texts) => {
    const name = pick(random, NAMES.f);
    const others = NAMES.f.filter((other) => other < name);
    const call = others.length > 0 && random() < 0.4 ? `${above(random, 'f', texts)}(x)` : 'x';
    const inside = call.startsWith(name) ? 'x' : call;
    return `def ${name}(x):\n    return ${inside} + ${pick(random, [String(small(random)), globalOf(random, texts)])}`;
  },
  calledFunction: (random, texts) =>
    `${pick(random, NAMES.n)} = ${above(random, 'f', texts)}(${small(random)})\nprint(${above(random, 'f', texts)}(${small(random)}))`,
  definedClass: (random, texts) =>
    `class ${pick(random, NAMES.c)}:\n    k = ${small(random)}\n    def __init__(self, v):\n        self.v = v\n    def get(self):\n        return self.v * ${small(random)} + self.k + ${globalOf(random, texts)}`,
  instance: (random, texts) => {
    const name = pick(random, NAMES.o);
    return `${name} = ${above(random, 'c', texts)}(${small(random)})\nprint(${name}.get())`;
  },
  branches: (random, texts) => {
    const name = pick(random, NAMES.n);
    return `if ${above(random, 'n', texts)} > ${small(random)}:\n    ${name} = ${small(random)}\nelse:\n    ${name} = ${above(random, 'n', texts)} + 10\nprint(${name})`;
  },
  seededRandom: (random) =>
    `import random\n${pick(random, NAMES.n)} = random.Random(${small(random)}).randint(0, 99)`,
  frame: (random, texts) =>
    `import pandas as pd\n${pick(random, NAMES.d)} = pd.DataFrame({"a": [${small(random)}, ${above(random, 'n', texts)}]})`,
  frameRead: (random, texts) => `${pick(random, NAMES.n)} = int(${above(random, 'd', texts)}["a"].sum())`,
  printed: (random, texts) =>
    `print(${above(random, 'n', texts)}, ${above(random, pick(random, ['n', 'l', 's']), texts)})`,
  shown: (random, texts) => above(random, pick(random, ['n', 'l', 's']), texts),
  failing: (random, texts) => `print(${above(random, 'n', texts)})\nraise ValueError("as written")`,
  environmentRead: (random) =>
    `import os\n${pick(random, NAMES.s)} = ${pick(random, ['os.environ.get("MODE")', 'os.getenv("MODE")', 'os.environ.get("OTHER", "none")'])}`,
  mountRead: (random) => `${pick(random, NAMES.s)} = (raw / "${pick(random, ['a', 'b'])}.txt").read_text()`,
  inPlace: (random, texts) => {
    const name = above(random, 'l', texts);
    return `${name}.append(${small(random)})\nprint(${name})`;
  },
  conditional: (random, texts) =>
    `if ${above(random, 'n', texts)} > ${small(random)}:\n    ${pick(random, NAMES.n)} = ${small(random)}`,
  environmentInFunction: (random) =>
    `import os\ndef ${pick(random, NAMES.f)}(x):\n    return x + len(os.environ.get("MODE", ""))`,
  fileRead: (random) =>
    pick(random, [
      `${pick(random, NAMES.s)} = open("${pick(random, DATA_PATHS)}").read()`,
      `from pathlib import Path\n${pick(random, NAMES.s)} = Path("${pick(random, DATA_PATHS)}").read_text()`,
      `p0 = "${pick(random, DATA_PATHS)}"`,
    ]),
  fileReadThroughName: (random, texts) =>
    `${pick(random, NAMES.s)} = open(${above(random, 'p', texts)}).read()`,
  fileReadInFunction: (random) =>
    `def ${pick(random, NAMES.f)}(x):\n    return x + len(open("${pick(random, DATA_PATHS)}").read())`,
  fileWritten: (random, texts) =>
    `p0 = "${pick(random, ['out/a.txt', 'out/b.txt'])}"\nimport os\nos.makedirs("out", exist_ok=True)\nwith open(p0, "w") as file:\n    file.write(str(${above(random, 'n', texts)}))\ndel file`,
  listing: (random) => `import os\n${pick(random, NAMES.l)} = sorted(os.listdir("data"))`,
  nocacheRead: (random) =>
    `# @nocache\n${pick(random, NAMES.s)} = open("${pick(random, DATA_PATHS)}").read()`,
};
