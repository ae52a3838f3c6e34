/**
 * Checks what a normal run leaves out: browser tests by `longOnly` and `longUnless` of e2e/support/longOnly.ts, process
 * and unit tests by `longTest` and `rowsOfRun` of e2e/support/longRun.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longOnly } from '../support/longOnly.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const SPECS = ['e2e/app', 'e2e/journey'].flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder))
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `${folder}/${name}`),
);

/** Unit and component tests beside the code, process tests, the simulation, and browser tests. */
const IN_NORMAL_RUN =
  /^(src-[a-z]+\/.*\.test\.tsx?|e2e\/(contract|faults|crash|simulation)\/\w+\.test\.ts|e2e\/(app|journey)\/\w+\.spec\.ts)$/;

const PROCESS_TESTS = ['contract', 'crash', 'faults', 'hostile', 'soundness'].flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, 'e2e', folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `e2e/${folder}/${name}`),
);

const UNIT_TESTS = ['src-main', 'src-shared', 'src-renderer'].flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
);

const source = (file: string): string => readFileSync(join(PROJECT_ROOT, file), 'utf8');

/** The file paths in the calls of `longOnly` and `longUnless` in a spec. */
function longCalls(spec: string): readonly { readonly call: string; readonly files: readonly string[] }[] {
  const calls = source(spec).matchAll(
    /\b(longOnly|longUnless)\(([^;]*?)\),\s*async|\b(longOnly)\(([^)]*)\)/g,
  );
  return [...calls].map(([, call, words, other, otherWords]) => ({
    call: call ?? other ?? '',
    files: [...(words ?? otherWords ?? '').matchAll(/'([^']+\/[^']+)'/g)].map(([, file = '']) => file),
  }));
}

/** Whether a normal run has tests of a file. */
function keepsNormalTests(file: string): boolean {
  if (!file.endsWith('.spec.ts')) return /\b(it|test)(\.\w+|\()|^\s*test(\.\w+|\()/m.test(source(file));
  const tests = source(file).match(/^\s*test\(/gm)?.length ?? 0;
  const long = source(file).match(/\blongOnly\(/g)?.length ?? 0;
  return tests > long;
}

const LEFT_OUT = SPECS.flatMap((spec) => longCalls(spec).map((row) => ({ spec, ...row })));

it('[AR-48] the check reads the calls', () => {
  expect(LEFT_OUT.length).toBeGreaterThan(20);
  const words = SPECS.map((spec) => source(spec).match(/\blong(Only|Unless)\(/g)?.length ?? 0);
  expect(LEFT_OUT).toHaveLength(words.reduce((sum, count) => sum + count, 0));
  expect(longOnly('a.test.ts')).toEqual({
    tag: '@long',
    annotation: { type: 'in a normal run', description: 'a.test.ts' },
  });
});

it('[AR-48] a browser test that only the long run has names existing tests of a normal run', () => {
  const wrong = LEFT_OUT.filter(
    ({ files }) =>
      files.length === 0 ||
      files.some((file) => !IN_NORMAL_RUN.test(file) || !existsSync(join(PROJECT_ROOT, file))),
  );
  expect(wrong).toEqual([]);
});

it('[AR-48] each named file has tests in a normal run', () => {
  const named = new Set(LEFT_OUT.flatMap(({ files }) => files).filter((file) => file.endsWith('.spec.ts')));
  expect([...named].filter((file) => !keepsNormalTests(file))).toEqual([]);
});

/** The paths in each call of `longTest` in a file of process or unit tests. */
function longTests(file: string): readonly (readonly string[])[] {
  const calls = source(file).matchAll(/\blongTest\(([^)]*)\)/g);
  return [...calls].map(([, words = '']) => [...words.matchAll(/'([^']+)'/g)].map(([, path = '']) => path));
}

const LEFT_TO_LONG = [...PROCESS_TESTS, ...UNIT_TESTS].flatMap((test) =>
  longTests(test).map((files) => ({ test, files })),
);

it('[AR-55] a process or unit test that only the long run has names existing tests of a normal run', () => {
  expect(LEFT_TO_LONG.length).toBeGreaterThan(5);
  const wrong = LEFT_TO_LONG.filter(
    ({ files }) =>
      files.length === 0 ||
      files.some((file) => !IN_NORMAL_RUN.test(file) || !existsSync(join(PROJECT_ROOT, file))),
  );
  expect(wrong).toEqual([]);
});

it('[AR-55] each file named by a process or unit test has tests in a normal run', () => {
  const named = new Set(LEFT_TO_LONG.flatMap(({ files }) => files));
  expect([...named].filter((file) => !keepsNormalTests(file))).toEqual([]);
});

it('[AR-56] a normal run uses some rows of a table, the long run all of them', () => {
  const rows = ['a', 'b', 'c', 'd'];
  expect(rowsOfRun(rows, (_row, index) => index % 2 === 0, false)).toEqual(['a', 'c']);
  expect(rowsOfRun(rows, (row) => row === 'd', true)).toEqual(rows);
  expect(() => rowsOfRun(rows, () => false, true)).toThrow('no row of this table');
});
