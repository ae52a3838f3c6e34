/** Checks that every path of the project that the architecture and how-to pages name exists. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** A page, and the folders that its paths may be relative to. */
const PAGES: readonly (readonly [page: string, bases: readonly string[]])[] = [
  ['docs/data-flow.md', ['']],
  ['docs/architecture.md', ['', 'src-main', 'src-shared']],
  // README.md only lists the others; the page of .svc also names paths inside that folder.
  ...readdirSync(join(ROOT, 'docs/how-to'))
    .filter((name) => name !== 'README.md')
    .map((name) => [`docs/how-to/${name}`, ['']] as const),
];

/** The roots of the project's files; other paths of a how-to page are paths in a notebook. */
const OWN = /^(src-[\w-]+|e2e|scripts|harness|docs|examples)\//;

/** Code in backticks that names a file or folder of the project: segments with slashes, or a root folder. */
function pathsOf(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => /^(src-[\w-]+|[\w.-]+\/([\w.-]+\/)*[\w.-]*)$/.test(span));
}

it.each(PAGES)('[AR-9] every path %s names exists', (page, bases) => {
  const isRecipe = page.startsWith('docs/how-to/');
  const paths = pathsOf(readFileSync(join(ROOT, page), 'utf8')).filter((path) => !isRecipe || OWN.test(path));
  expect(paths.length).toBeGreaterThan(isRecipe ? 5 : 10);
  expect(paths.filter((path) => !bases.some((base) => existsSync(join(ROOT, base, path))))).toEqual([]);
});
