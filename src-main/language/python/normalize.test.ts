import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPythonAnalyzer, type PythonAnalyzer } from './analyzer.ts';
import { PythonOracle } from './testing/oracle.ts';
import { damage, pythonProgram } from './testing/programs.ts';

/** The long suite runs more seeds and reads the whole library. */
const LONG = process.env['LONG'] === '1';
const TIMEOUT_MS = LONG ? 900_000 : 240_000;

let python: PythonAnalyzer;
let oracle: PythonOracle;

beforeAll(async () => {
  python = await loadPythonAnalyzer();
  oracle = new PythonOracle();
});
afterAll(() => oracle.close());

/** Plain statements, normalized exactly as `ast.unparse` writes them. */
const PLAIN: readonly string[] = [
  'y=x+1',
  'x = 1',
  "a=  'it''s'   # note",
  'x = "a\\tb\\x00\\u00e9\\\'" \'"\'',
  "x = b'\\xff\\'' b\"a\"",
  'x=1_000+0xFF',
  'a=b=c',
  'a,b=b,a',
  'x=(a,)',
  'f( a,*c,b = 1,**d )',
  'f(a,\n  b,\n)',
  'return_ = not a  is  not b',
  'x=-y**2',
  'x=a if b else c',
  'x=[i for i in j if k]',
  'x={1:2,**k,}',
  'x={1,2}',
  'x=a[1:2,...]',
  'x: int=1',
  'x+=1',
  'del a,b',
  'import a.b as c,d',
  'from . import(a,b as c)',
  'from ..x.y import *',
  'assert a,b',
  'global a,b',
  'if(x):pass\nelif y:pass\nelse:z',
  'for i,j in 1,2:\n  break\nelse:\n  continue',
  'while(True):\n\n  # note\n  x',
  'with a as b,c:x',
  'try:\n a\nexcept(A,B)as e:\n b\nfinally:\n c',
  'def f(a:int=1,*b,c=2,**d)->int:\n  return a,b\nx',
  'class C(  ):\n x=1\n\n\n def f(self): ...',
  '@d(1)\nasync def f():\n  await x\n  yield\n  return',
  'x=lambda a,*b:a',
  'x=lambda:0',
  'x = (\n  a\n  + b\n)',
  'x = a \\\n  + b',
  'raise E(1)from None',
  'x=(yield_)',
  '3 .real',
  'x=f"{ a }{b!r:>3}"',
];

test('plain statements are written as ast.unparse writes them', { timeout: TIMEOUT_MS }, async () => {
  const unparsed = await oracle.unparse(PLAIN);
  expect(PLAIN.map((source) => python.analyze(source).normalized)).toEqual(unparsed);
});

/** Pairs that must not share a normal form. */
const DISTINCT: readonly (readonly [string, string])[] = [
  ['if x:\n  a\n  b', 'if x:\n  a\nb'],
  ['x = "a b"', 'x = "a  b"'],
  ['x = "# a"', 'x = ""'],
  ['x = b"a"', 'x = "a"'],
  ['x = f"{a}"', 'x = "{a}"'],
  ['x = f"{a}"', 'x = f"{a }="'],
  ['x = f"{a=}"', 'x = f"{a = }"'],
  ['x = r"\\n"', 'x = "\\n"'],
  ['x = "\\ud83d\\ude00"', 'x = "\\U0001f600"'],
  ['x = 1', 'x = 1.0'],
  ['x = 1', 'x = 1j'],
  ['(x): int', 'x: int'],
  ['x = a,', 'x = a'],
  ['x[a,]', 'x[a]'],
  ['a - (b - c)', 'a - b - c'],
  ['"doc"', 'pass'],
  ['match x:\n  case a,: pass', 'match x:\n  case a: pass'],
  ['x = """a\n  b"""', 'x = """a\nb"""'],
  ['is_ = not a', 'is_not = a'],
];

test.each(DISTINCT)('[PV-1] %j is not %j', (one, other) => {
  expect(python.analyze(one).normalized).not.toBe(python.analyze(other).normalized);
});

/**
 * The normal form of a program is the same program. So two programs with one normal form are equal, and a source that
 * Python refuses never has the normal form of a program.
 */
async function expectSameMeaning(sources: readonly string[]): Promise<number> {
  const parsed = sources.flatMap((source) => {
    const analysis = python.analyze(source);
    return analysis.parsed ? [{ source, normalized: analysis.normalized }] : [];
  });
  const before = await oracle.judge(parsed.map(({ source }) => source));
  const after = await oracle.judge(parsed.map(({ normalized }) => normalized));
  const different = parsed.filter((_, at) => before[at]?.dump !== after[at]?.dump);
  expect(different).toEqual([]);
  return parsed.length;
}

test('[PV-1] random programs keep their meaning', { timeout: TIMEOUT_MS }, async () => {
  expect(
    await expectSameMeaning(fc.sample(pythonProgram, { numRuns: LONG ? 5000 : 75, seed: 7 })),
  ).toBeGreaterThan(50);
});

test('[PV-1] modules of the standard library keep their meaning', { timeout: TIMEOUT_MS }, async () => {
  const files = await oracle.library({
    from: LONG ? 0 : 11,
    every: LONG ? 1 : 94,
    limit: LONG ? 1_000_000 : 40_000,
  });
  expect(await expectSameMeaning(files.map(({ source }) => source))).toBeGreaterThan(3);
});

/** The grammar does not support parentheses around a starred target: `a, *(b) = c`. */
const KNOWN_GAP = /\*\s*\(/;

test('a damaged source keeps its meaning, and is refused only if Python refuses it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const programs = fc.sample(pythonProgram, { numRuns: LONG ? 10_000 : 160, seed: 13 });
  const damaged = programs.map((source, at) => damage(source, at * 31 + 5));
  expect(await expectSameMeaning(damaged)).toBeGreaterThan(50);
  const verdicts = await oracle.judge(damaged);
  const refused = damaged.filter((source, at) => verdicts[at]?.names && !python.analyze(source).parsed);
  const unexplained = refused.filter((source) => !KNOWN_GAP.test(source));
  expect(unexplained).toEqual([]);
});

test('string literals keep their value', { timeout: TIMEOUT_MS }, async () => {
  const unit = fc.constantFrom(
    ...[
      'a',
      ' ',
      "'",
      '"',
      '\\\\',
      '\\n',
      '\\t',
      '\\x41',
      '\\101',
      '\\u00e9',
      '\\U0001F600',
      '\\ud800',
      '\\N{DASH}',
    ],
    ...['\\q', '\\\n', 'é', '😀', '\u00a0', '\u200b', '\\0', '{', '}', '#', '\\N{EM DASH}', '\\777'],
  );
  const literal = fc
    .record({
      prefix: fc.constantFrom('', 'r', 'b', 'u', 'Rb', 'BR', 'U', 'f', 'rF'),
      quote: fc.constantFrom("'", '"', "'''", '"""'),
      body: fc.array(unit, { maxLength: 6 }).map((units) => units.join('')),
    })
    .map(({ prefix, quote, body }) => `${prefix}${quote}${body}${quote}`);
  const source = fc.array(literal, { minLength: 1, maxLength: 2 }).map((parts) => `x = ${parts.join(' ')}`);
  expect(
    await expectSameMeaning(fc.sample(source, { numRuns: LONG ? 50_000 : 400, seed: 3 })),
  ).toBeGreaterThan(250);
});

test('[PV-1] formatting never changes the normal form', { timeout: TIMEOUT_MS }, async () => {
  const files = await oracle.library({ from: 17, every: LONG ? 97 : 388, limit: 20_000 });
  const programs = fc.sample(pythonProgram, { numRuns: LONG ? 5000 : 75, seed: 5 });
  const sources = [...programs, ...files.map(({ source }) => source)];
  const reformatted = await oracle.reformat(sources.map((source, seed) => ({ source, seed })));
  const pairs = sources.flatMap((source, at) => {
    const text = reformatted[at];
    return typeof text === 'string' ? [{ source, text }] : [];
  });
  expect(pairs.length).toBeGreaterThan(50);
  for (const { source, text } of pairs) {
    const { normalized } = python.analyze(source);
    if (python.analyze(text).normalized !== normalized) throw new Error(`${source}\nis not\n${text}`);
  }
});
