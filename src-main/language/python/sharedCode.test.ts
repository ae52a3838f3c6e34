import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlockReason } from '../../../src-shared/wire/harness.ts';
import { loadPythonAnalyzer, type PythonAnalyzer } from './analyzer.ts';
import { judgeSharedCode } from './judgeSharedCode.ts';
import { PythonOracle } from './testing/oracle.ts';
import { pythonProgram } from './testing/programs.ts';

const LONG = process.env['LONG'] === '1';
const TIMEOUT_MS = LONG ? 900_000 : 240_000;
const HARNESS = fileURLToPath(new URL('../../../harness/python', import.meta.url));

let python: PythonAnalyzer;
let oracle: PythonOracle;

beforeAll(async () => {
  python = await loadPythonAnalyzer();
  oracle = new PythonOracle();
});
afterAll(() => oracle.close());

interface Program {
  readonly source: string;
  readonly wired: readonly string[];
  /** Names that a later cell defines; absent: none. */
  readonly below?: readonly string[];
}

interface Answer {
  readonly exports: Readonly<Record<string, string>>;
  readonly blocked: Readonly<Record<string, readonly BlockReason[]>>;
  readonly injects: Readonly<Record<string, readonly string[]>>;
  readonly is_module: boolean;
}

function ours({ source, wired, below = [] }: Program): Answer | null {
  const { sharedCode } = python.analyze(source);
  if (sharedCode === null) return null;
  const judgement = judgeSharedCode(sharedCode, new Set(wired), new Set(below));
  return {
    exports: Object.fromEntries(judgement.exports.map(({ name, kind }) => [name, kind])),
    blocked: Object.fromEntries(judgement.blocked),
    injects: Object.fromEntries([...judgement.injects].filter(([, names]) => names.length > 0)),
    is_module: judgement.isModule,
  };
}

/** The harness's answers for the same programs, by Python's own parser. */
function theirs(programs: readonly Program[]): readonly (Answer | null)[] {
  const script = fileURLToPath(new URL('sharedOracle.py', import.meta.url));
  const { stdout, stderr } = spawnSync('python3', ['-I', '-X', 'utf8', script, HARNESS], {
    input: `${JSON.stringify(programs)}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (stdout === '') throw new Error(stderr);
  // sharedOracle.py answers in the declared shape.
  return JSON.parse(stdout) as readonly (Answer | null)[];
}

interface Row extends Program {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>> | null;
  readonly blocked?: Readonly<Record<string, readonly string[]>>;
  readonly injects?: Answer['injects'];
  readonly is_module?: boolean;
}

const FIXTURES = fileURLToPath(new URL('../../../harness/fixtures/shared_code.json', import.meta.url));
// The harness's tests read the same rows. The file has this shape.
const ROWS = JSON.parse(readFileSync(FIXTURES, 'utf8')) as readonly Row[];

function reasonText({ code, name, within }: BlockReason, symbol: string): string {
  return `${code} ${name}${within === '' || within === symbol ? '' : ` in ${within}`}`;
}

test.each(ROWS)('[GR-30] shared code: $name', ({ exports, blocked, injects, is_module, ...program }) => {
  const answer = ours(program);
  expect(
    answer === null
      ? { exports: null }
      : {
          ...answer,
          blocked: Object.fromEntries(
            Object.entries(answer.blocked).map(([name, reasons]) => [
              name,
              reasons.map((reason) => reasonText(reason, name)),
            ]),
          ),
        },
  ).toEqual(exports === null ? { exports } : { exports, blocked, injects, is_module });
});

function differences(programs: readonly Program[]) {
  const answers = theirs(programs);
  return programs.flatMap((program, at) => {
    const mine = ours(program);
    const other = answers[at] ?? null;
    return JSON.stringify(mine) === JSON.stringify(other) ? [] : [{ program, mine, other }];
  });
}

const NAMES = ['a', 'b', 'c', 'd', 'g', '_p', 'print', 'q', 'r'];

test('[GR-31] server and harness agree on random programs', { timeout: TIMEOUT_MS }, async () => {
  const program = fc.record({
    source: sharedProgram(),
    wired: fc.subarray(NAMES),
    below: fc.subarray(NAMES),
  });
  const programs = fc.sample(program, { numRuns: LONG ? 10_000 : 400, seed: 7 });
  // A program that Python's compiler refuses is never run, so nothing of it is stored.
  const verdicts = await oracle.judge(programs.map(({ source }) => source));
  const compiled = programs.filter((_, at) => verdicts[at]?.names);
  expect(compiled.length).toBeGreaterThan(200);
  expect(differences(compiled).slice(0, 3)).toEqual([]);
});

/** Random programs with many constants, lambdas, definitions and star imports, which decide about shared code. */
function sharedProgram(): fc.Arbitrary<string> {
  const name = fc.constantFrom(...NAMES);
  const line = fc.oneof(
    fc.tuple(name, fc.constantFrom('1', '-2', '[1, {2}]', '"t"', 'None')).map(([x, v]) => `${x} = ${v}`),
    name.map((x) => `${x}: int = (1, 2)`),
    fc.tuple(name, name).map(([x, y]) => `${x} = lambda v: ${y}`),
    fc.tuple(name, name, name).map(([x, y, z]) => `def ${x}(v=${y}):\n    return ${z} + v`),
    fc.tuple(name, name).map(([x, y]) => `def ${x}() -> ${y}:\n    global ${y}\n    ${y} = 1`),
    fc
      .tuple(name, name, name)
      .map(([x, y, z]) => `class ${x}(${y}):\n    ${z} = ${z}\n    def m(self): return ${y}`),
    fc.constant('from m import *'),
    name.map((x) => `import ${x}`),
  );
  return fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 6 }), fc.option(pythonProgram, { freq: 2, nil: null }))
    .map(([lines, program]) => {
      if (program === null) return lines.join('\n');
      // A `from __future__` import has to stay first.
      return `${program}\n${lines.join('\n')}`;
    });
}

test('[GR-31] server and harness agree on standard library modules', {
  timeout: TIMEOUT_MS,
}, async () => {
  const files = await oracle.library({
    from: LONG ? 0 : 11,
    every: LONG ? 1 : 94,
    limit: LONG ? 1_000_000 : 40_000,
  });
  expect(files.length).toBeGreaterThan(3);
  const verdicts = await oracle.judge(files.map(({ source }) => source));
  const compiled = files.filter((_, at) => verdicts[at]?.names);
  const differing = differences(compiled.map(({ source }) => ({ source, wired: [] })));
  expect(differing.map(({ mine, other }) => ({ mine, other })).slice(0, 2)).toEqual([]);
});
