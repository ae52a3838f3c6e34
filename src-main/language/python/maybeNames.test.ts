import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPythonAnalyzer, type PythonAnalyzer } from './analyzer.ts';
import { PythonOracle } from './testing/oracle.ts';

/**
 * Names that a Python cell reads or defines on some paths only: rows by hand, then generated programs whose runs in
 * Python are compared with the analysis.
 */

const LONG = process.env['LONG'] === '1';
const TIMEOUT_MS = LONG ? 900_000 : 240_000;

let python: PythonAnalyzer;
let oracle: PythonOracle;
beforeAll(async () => {
  python = await loadPythonAnalyzer();
  oracle = new PythonOracle();
});
afterAll(() => oracle.close());

/** `R`: names read if an earlier cell defines them. `D`: names that the cell may not define. */
function letteredNames(source: string): string {
  const { parsed, maybeReferences, maybeDefines } = python.analyze(source);
  if (!parsed) throw new Error(`not a program: ${source}`);
  return Object.entries({ R: maybeReferences, D: maybeDefines })
    .filter(([, names]) => names.length > 0)
    .map(([letter, names]) => `${letter} ${names.join(',')}`)
    .join(' ');
}

const FLOW: readonly (readonly [source: string, names: string])[] = [
  ['x = 1', ''],
  ['if c: x = 1', 'D x'],
  ['if c: x = 1\nprint(x)', 'R x'],
  ['if c: x = 1\nelse: x = 2', ''],
  ['if c: x = 1\nelif d: x = 2\nelse: x = 3', ''],
  ['if c: x = 1\nelif d: x = 2', 'D x'],
  ['if c: x = 1\nelse: raise E', ''],
  ['x = 0\nif c: x = 1', ''],
  ['if c: x = 1\nx = 2', ''],
  ['if True: x = 1', ''],
  ['if __name__ == "__main__": x = 1', ''],
  ['for i in s: x = i', 'D i,x'],
  ['for i in s: x = i\nelse: y = 1', 'D i,x'],
  ['for i in s:\n  if i: break\nelse: y = 1', 'D i,y'],
  ['for i in s:\n  for j in t: pass\n  else: break\nelse: y = 1', 'D i,j,y'],
  ['for i in s:\n  if i: continue\n  else: y = 1\n  print(y)', 'D i,y'],
  ['while c: x = 1', 'D x'],
  ['while True:\n  x = f()\n  if x: break', ''],
  ['while True:\n  if c: break\n  x = f()', 'D x'],
  ['while 1:\n  try: x = f()\n  except E: continue\n  break', ''],
  ['try: x = 1\nexcept E: pass', 'D x'],
  ['try: x = 1\nexcept E: x = 2', ''],
  ['try: x = 1\nexcept E: raise', ''],
  ['try: x = 1\nfinally: y = 2', ''],
  ['try: a()\nexcept E: pass\nelse: x = 1', 'D x'],
  ['try: x = 1\nexcept E as e: x = 2', 'D e'],
  ['try: import m\nexcept ImportError: m = None', ''],
  ['with open(p) as f: x = 1', ''],
  ['with suppress(E): x = 1', 'D x'],
  ['with open(p) as f, manager: x = 1', 'D x'],
  ['match v:\n  case 1: x = 1\n  case _: x = 2', ''],
  ['match v:\n  case 1: x = 1\n  case other: x = 2', 'D other'],
  ['match v:\n  case 1: x = 1\n  case _ if c: x = 2', 'D x'],
  ['match v:\n  case {"k": a}: pass', 'D a'],
  ['c and (x := 1)', 'D x'],
  ['(x := 1) and c', ''],
  ['y = (x := 1) if c else 2', 'D x'],
  ['[x := i for i in s]', 'D x'],
  ['def f():\n  global x\n  x = 1', 'D x'],
  ['if c:\n  def f(): pass', 'D f'],
  ['def f(): return x\nx = 1', ''],
  ['def f(): return x\nf()\nx = 1', 'R x'],
  ['@d\ndef f(): return x\nx = 1', 'R x'],
  ['if c: x = 1\ndef f(): return x', 'R x'],
  ['def f():\n  if c: x = 1\n  return x', ''],
  ['def f():\n  raise E\nx = 1', ''],
  ['class C:\n  if c: x = 1', ''],
  ['if c: _x = 1', ''],
  ['if c: x += 1', ''],
  ['import sys\nif c: sys.exit()\nx = 1', 'D x'],
  ['if c: raise SystemExit\nx = 1', 'D x'],
  ['x: int', ''],
  ['import a', ''],
  ['import a.b', 'R a'],
  ['import a.b as c', ''],
  ['from a.b import c', ''],
  ['a = 1\nimport a.b', ''],
  ['def f():\n  import a.b', ''],
];

test.each(FLOW)('[SO-100] %j', (source, names) => {
  expect(letteredNames(source)).toBe(names);
});

const TEXTS: readonly (readonly [source: string, names: string])[] = [
  ['df.query("a > @x and b == @y.z")', 'R x,y'],
  ['df.query(f"a > @x and {b}")', 'R x'],
  ['df.query("mail == \'a@b\'")', ''],
  ['x = 1\ndf.query("a > @x")', ''],
  ['df.query("a > @x")\nx = 1', 'R x'],
  ['df.eval("c = a + @x")', 'R x'],
  ['pd.eval("x + y.z")', 'R x,y'],
  ['ne.evaluate("2 * a + \'b\'")', 'R a'],
  ['duckdb.sql("SELECT a FROM t JOIN u ON t.i = u.i, v WHERE a IN (SELECT b FROM w)")', 'R t,u,v,w'],
  ['duckdb.sql("FROM t SELECT f(a, b)")', 'R t'],
  ['duckdb.sql("select * from \\"my\\", s.t, read_csv(\'x\') -- from z\\n")', 'R my'],
  ['duckdb.sql("summarize t")', 'R t'],
  ['duckdb.sql("with a as (select 1 from b) select * from a")', 'R a,b'],
  ['duckdb.sql(f"select * from {n} join t using (i)")', 'R i,t'],
  ['duckdb.sql("select * from " + n + " join t")', 'R t'],
  ['q = "select * from t"\ncon.execute(q)', 'R t'],
  ['pl.sql("select * from (a join b on a.i = b.i), c")', 'R a,b,c'],
  ['sqldf("select * from t", locals())', 'R t'],
  ['pd.read_sql("select * from t", con)', 'R t'],
  ['smf.ols("y ~ scale(x)", data=d)', 'R scale,x,y'],
  ['eval("x + len(z)")', 'R len,x,z'],
  ['exec("y = x")', 'R x'],
  ['eval("x", {"x": 1})', ''],
  ['eval("x", globals())', 'R x'],
  ['eval("(")', ''],
  ['globals()["x"]; locals().get("y"); vars()["z"]', 'R x,y,z'],
  ['if "x" not in globals(): x = 0', 'R x'],
  ['globals()["x"] = 1', ''],
  ['globals()["x"] += 1', 'R x'],
  ['"{x} {{y}} {z.a[0]:>3}".format(**locals())', 'R x,z'],
  ['"%(x)s" % vars()', 'R x'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of Python
  ['Template("$x ${y} $$z").substitute(globals())', 'R x,y'],
  ['def f(x):\n  return df.query("a > @x and b > @y")', 'R y'],
  ['[df.query("a > @x") for x in s]', ''],
  ['print("select * from t")', ''],
];

test.each(TEXTS)('[SO-101] %j', (source, names) => {
  expect(letteredNames(source)).toBe(names);
});

/** Statements over few names, so that branches collide. `coin()` is a condition, `risk()` may raise. */
const name = fc.constantFrom('a', 'b', 'c');
type Block = readonly string[];
const indent = (lines: Block): Block => lines.map((line) => `  ${line}`);

const { block } = fc.letrec<{ block: Block; statement: Block }>((tie) => {
  const body = tie('block').map(indent);
  const compound = (...parts: readonly (string | fc.Arbitrary<Block>)[]) =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant([part]) : part)))
      .map((blocks): Block => blocks.flat());
  const line = (build: (one: string, other: string) => string) =>
    fc.tuple(name, name).map(([one, other]): Block => [build(one, other)]);
  return {
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((blocks) => blocks.flat()),
    statement: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      line((one) => `${one} = new()`),
      line((one) => `use(${one})`),
      line((one, other) => `coin() and (${one} := ${other})`),
      line((one, other) => `[(${one} := i) for i in some(${other})]`),
      line((one, other) => `(${one} := new()) if coin() else use(${other})`),
      line((one) => `def f(): return ${one}`),
      fc.constant(['risk()']),
      fc.constant(['exit()']),
      compound('if coin():', body),
      compound('if coin():', body, 'else:', body),
      compound('if coin():', body, 'elif coin():', body, 'else:', body),
      fc
        .tuple(name, body, body)
        .map(([one, main, other]) => [`for ${one} in some(0):`, ...main, 'else:', ...other]),
      compound('for i in some(0):', body, '  if coin(): break', body, 'else:', body),
      compound('for i in some(0):', '  if coin(): continue', body),
      compound('while coin():', body),
      compound('while True:', body, '  if coin(): break', body, '  if coin(): break'),
      fc
        .tuple(name, body, body, body)
        .map(([one, main, caught, other]) => [
          'try:',
          ...main,
          `except Failed as ${one}:`,
          ...caught,
          'else:',
          ...other,
        ]),
      compound('try:', body, 'except Failed:', body, 'finally:', body),
      compound('with Quiet():', body),
      fc
        .tuple(name, body, body)
        .map(([one, main, other]) => [
          'match coin():',
          `  case True if coin():`,
          ...indent(main),
          `  case ${one}:`,
          ...indent(other),
        ]),
    ),
  };
});

const program = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map((blocks) => ['def f(): return 0', ...blocks.flat(), 'f()'].join('\n'));

describe('[SO-100] reads of values of earlier cells, compared with Python', () => {
  test('the analysis lists every name that Python read or left with an earlier value', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const sources = fc.sample(program, { numRuns: LONG ? 20_000 : 200, seed: 20 });
    const runs = await oracle.run(sources, 20);
    let observations = 0;
    const wrong = sources.flatMap((source, at) => {
      const { references, maybeReferences, maybeDefines } = python.analyze(source);
      const outcome = runs[at] ?? { read: [], left: [] };
      const reads = new Set([...references, ...maybeReferences]);
      observations += outcome.read.length + outcome.left.length;
      const missedReads = outcome.read.filter((one) => !reads.has(one));
      const { defines } = python.analyze(source);
      const missedDefines = outcome.left.filter(
        (one) => defines.includes(one) && !reads.has(one) && !maybeDefines.includes(one),
      );
      return missedReads.length + missedDefines.length === 0 ? [] : [{ source, missedReads, missedDefines }];
    });
    expect(wrong.sort((x, y) => x.source.length - y.source.length).slice(0, 3)).toEqual([]);
    expect(observations).toBeGreaterThan(sources.length / 4);
  });
});
