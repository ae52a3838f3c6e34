/** Limits how often files compare a cell's language with a name, instead of reading the facts of the language. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { foreignNames } from './languageNames.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Comparisons of a cell's language with a name, in files that belong to no language. Instead of a new one, give the
 * language's facts a property (src-shared/notebook/languages). Lower the number with each comparison removed.
 */
const MAX_COMPARISONS = 10;

function productFiles(): readonly string[] {
  return ['src-main', 'src-shared', 'src-renderer'].flatMap((root) =>
    readdirSync(join(ROOT, root), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .filter(({ parentPath }) => !/[/\\]testing$/.test(parentPath))
      .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).replaceAll('\\', '/')),
  );
}

describe('[AR-20] the names of languages', () => {
  it('are compared in no more places than the limit', () => {
    const places = productFiles().flatMap((path) => {
      const names = foreignNames(path, readFileSync(join(ROOT, path), 'utf8'));
      return names.map((name) => `${path}: ${name}`);
    });
    expect(places.length, places.join('\n')).toBeLessThanOrEqual(MAX_COMPARISONS);
  });

  it.each([
    ['src-main/session/a.ts', "if (cell.language === 'sql') run();", ['sql']],
    ['src-main/session/a.ts', "language !== 'r' && 'python' === cell?.language", ['r', 'python']],
    ['src-main/session/a.ts', "if (answer.kind === 'python') run();", []],
    ['src-main/session/a.ts', "if (LANGUAGES[language].runs) run('sql');", []],
    ['src-main/language/r/names.ts', "language === 'r'", []],
    ['src-renderer/state/sqlStart.ts', "language === 'sql' || language === 'r'", ['r']],
    ['src-main/session/reduce/run.ts', "language === 'r'", ['r']],
  ])('in %s: %s', (path, text, names) => {
    expect(foreignNames(path, text)).toEqual(names);
  });
});
