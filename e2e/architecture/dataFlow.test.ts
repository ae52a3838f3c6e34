import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** A page, and the folders its paths may be counted from. */
const PAGES: readonly (readonly [page: string, bases: readonly string[]])[] = [
  ['docs/data-flow.md', ['']],
  ['docs/architecture.md', ['', 'src-main', 'src-shared']],
];

/** Code in backticks that names a file or folder of the project: segments with slashes, or a root by itself. */
function pathsOf(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => /^(src-[\w-]+|[\w.-]+\/([\w.-]+\/)*[\w.-]*)$/.test(span));
}

it.each(PAGES)('[AR-9] every path %s names exists', (page, bases) => {
  const paths = pathsOf(readFileSync(join(ROOT, page), 'utf8'));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !bases.some((base) => existsSync(join(ROOT, base, path))))).toEqual([]);
});
