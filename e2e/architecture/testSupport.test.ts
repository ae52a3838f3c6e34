/** Checks that files used only by tests are in folders named `testing`. */

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
