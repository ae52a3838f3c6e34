/** Tests the script that chooses the unit tests of `npm run check`, on made-up sources and on those of the project. */

import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The functions of the script, which is plain JavaScript. */
interface Script {
  affectedTests(sources: ReadonlyMap<string, string>, changed: readonly string[]): readonly string[] | null;
  readSources(): ReadonlyMap<string, string>;
}
const path = pathToFileURL(join(ROOT, 'scripts/lib/affectedTests.mjs')).href;
const { affectedTests, readSources } = (await import(path)) as Script; // the functions declared above

const SOURCES = new Map([
  ['src-shared/a.ts', ''],
  ['src-shared/a.test.ts', `import { a } from './a.ts';`],
  ['src-main/b.ts', `export { a } from '../src-shared/a.ts';`],
  ['src-main/b.test.ts', `const { b } = await import('./b.ts');`],
  ['src-main/worker.ts', ''],
  ['src-main/start.ts', `new Worker(new URL('./worker.ts', import.meta.url));`],
  ['src-main/start.test.ts', `import type { Start } from "./start.ts";`],
  ['src-renderer/c.tsx', ''],
  ['src-renderer/c.test.tsx', `import { C } from './c.tsx';`],
  ['src-renderer/shown.test.tsx', `import './c.css';`],
  ['src-main/harnessFolder.ts', `shippedDir('harness', 'harness');`],
  ['src-main/harness.test.ts', `import { folder } from './harnessFolder.ts';`],
  ['src-main/examples.test.ts', `new URL('../examples', import.meta.url);`],
  ['src-main/tables.ts', `new URL('../e2e/services/', import.meta.url);`],
  ['src-main/tables.test.ts', `import { written } from './tables.ts';`],
  ['e2e/contract/d.test.ts', `import '../../src-shared/a.ts';`],
  ['e2e/architecture/e.test.ts', ''],
]);
const E = 'e2e/architecture/e.test.ts';

describe('the unit tests that a change affects', () => {
  it.each<[name: string, changed: readonly string[], tests: readonly string[] | null]>([
    ['no file', [], [E]],
    ['a document', ['docs/architecture.md', 'README.md'], [E]],
    ['a test', ['src-main/start.test.ts'], ['src-main/start.test.ts', E]],
    ['a file that others import', ['src-shared/a.ts'], ['src-shared/a.test.ts', 'src-main/b.test.ts', E]],
    ['a file that is started as a program', ['src-main/worker.ts'], ['src-main/start.test.ts', E]],
    ['a file that was deleted', ['src-renderer/c.css'], ['src-renderer/shown.test.tsx', E]],
    ['a test of the built program', ['e2e/contract/d.test.ts'], [E]],
    ['the harness', ['harness/python/harness.py'], ['src-main/harness.test.ts', E]],
    ['an example', ['docs/a.md', 'examples/first/notebook.toml'], ['src-main/examples.test.ts', E]],
    ['a program that writes tables', ['e2e/services/tables.py'], ['src-main/tables.test.ts', E]],
    ['the configuration of browser tests', ['playwright.config.ts', 'vitest.process.config.ts'], [E]],
    ['the script of the test stages', ['scripts/lib/testStages.mjs'], [E]],
    ['the configuration of the formatter', ['biome.json'], [E]],
    ['the commands of the project', ['package.json'], [E]],
    ['a package', ['package-lock.json'], null],
    ['the configuration of unit tests', ['vitest.config.ts'], null],
    ['the configuration of TypeScript', ['src-main/tsconfig.json'], null],
    ['a set-up file of all tests', ['e2e/support/propertySeed.ts'], null],
  ])('[AR-30] a change of %s', (_name, changed, tests) => {
    expect(affectedTests(SOURCES, changed)).toEqual(tests);
  });

  it('[AR-30] a change of a file that most others import affects most tests of the project', () => {
    const tests = affectedTests(readSources(), ['src-shared/wire/cell.ts']) ?? [];
    expect(tests).toContain('src-main/session/open/sessions.test.ts');
    expect(tests).toContain('src-renderer/notebook/undo.test.tsx');
    expect(tests.length).toBeGreaterThan(200);
  });
});
