/** Checks that files used only by tests are in folders named `testing`, and what unit tests may not use. */

import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The scripts are plain JavaScript. */
interface Script {
  readSources(): ReadonlyMap<string, string>;
}
const script = pathToFileURL(join(ROOT, 'scripts/lib/affectedTests.mjs')).href;
const { readSources }: Script = await import(script);

/** Matches a path in quotes, of an import, an export or a program that is started. */
const REFERENCE = /['"`](\.{1,2}\/[^'"`\n]+)['"`]/g;

const isOfTests = (path: string): boolean =>
  path.startsWith('e2e/') || /\.(?:test|spec)\.tsx?$/.test(path) || path.includes('/testing/');

/** The files outside `testing` folders to which only tests refer, directly or through each other. */
function misplaced(sources: ReadonlyMap<string, string>): readonly string[] {
  const readers = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const [, reference = ''] of text.matchAll(REFERENCE)) {
      const target = posix.join(posix.dirname(path), reference);
      readers.set(target, [...(readers.get(target) ?? []), path]);
    }
  }
  const support = new Set<string>();
  for (let size = -1; size !== support.size; ) {
    size = support.size;
    for (const path of sources.keys()) {
      const by = readers.get(path) ?? [];
      const isSupport = by.length > 0 && by.every((reader) => isOfTests(reader) || support.has(reader));
      if (isSupport && !isOfTests(path)) support.add(path);
    }
  }
  return [...support].sort();
}

/** Files from which `scripts/reference.mjs` generates pages. */
const USED_ELSEWHERE: readonly string[] = [
  'src-main/cli/reference.ts',
  'src-main/config/reference.ts',
  'src-main/server/reference.ts',
];

it('files that only tests use are in a folder named testing, beside the code', () => {
  expect(misplaced(readSources())).toEqual(USED_ELSEWHERE);
});

it.each([
  {
    name: 'a helper of a test',
    files: { 'src-main/a/helper.ts': '', 'src-main/a/a.test.ts': "'./helper.ts'" },
  },
  {
    name: 'a helper of a helper',
    files: { 'src-main/a/helper.ts': '', 'src-main/a/testing/b.ts': "'../helper.ts'" },
  },
])('a file beside the code is misplaced: $name', ({ files }) => {
  expect(misplaced(new Map(Object.entries(files)))).toEqual(['src-main/a/helper.ts']);
});

it('a file that the product uses too is not misplaced', () => {
  const sources = {
    'src-main/a/helper.ts': '',
    'src-main/a/a.test.ts': "'./helper.ts'",
    'src-main/b.ts': "'./a/helper.ts'",
  };
  expect(misplaced(new Map(Object.entries(sources)))).toEqual([]);
});

/** What needs the module loader of Vitest or a document; unit tests have neither. */
const OF_COMPONENT_TESTS =
  /\bvi\.(?:mock|doMock|importActual|importMock|resetModules)\(|^\/\/ @vitest-environment/m;

/** The unit tests that have to be component tests. */
function notForNode(sources: ReadonlyMap<string, string>): readonly string[] {
  return [...sources]
    .filter(([path, text]) => path.endsWith('.test.ts') && OF_COMPONENT_TESTS.test(text))
    .map(([path]) => path);
}

it('[AR-59] no unit test mocks modules, loads them again or asks for a document', () => {
  const sources = [...readSources()].filter(([path]) => path !== 'e2e/architecture/testSupport.test.ts');
  expect(notForNode(new Map(sources))).toEqual([]);
});

it.each([
  ['a mocked module', "vi.mock('./b.ts');", true],
  ['modules that are loaded again', '  vi.resetModules();', true],
  ['a document', '// @vitest-environment jsdom\nimport a from "./a.ts";', true],
  ['a function that counts its calls', 'const call = vi.fn();', false],
])('[AR-59] a unit test with %s', (_name, text, isRefused) => {
  expect(notForNode(new Map([['src-main/a/a.test.ts', text]]))).toEqual(
    isRefused ? ['src-main/a/a.test.ts'] : [],
  );
  expect(notForNode(new Map([['src-renderer/a/a.test.tsx', text]]))).toEqual([]);
});
