/**
 * Checks that only the table of ownPlaces.ts names paths in a notebook's .svc folder, and that the page of that folder
 * is generated from it.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { OWN_PLACES } from '../../src-main/notebook/folder/ownPlaces.ts';
import { withFolderTables } from './folderTables.ts';
import { TEST_SUPPORT } from './folderWrites.ts';
import { NAMES_OWN_FOLDER, ownFolderTexts, PLACE_TABLES, placesWithoutWriter } from './placeTables.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

describe('[AR-40] one table has every path in .svc', () => {
  const files = readdirSync(join(ROOT, 'src-main'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !TEST_SUPPORT.test(name));
  const naming = files.filter(
    (name) => ownFolderTexts(name, readFileSync(join(ROOT, 'src-main', name), 'utf8')).length > 0,
  );

  it('no other file names the folder', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(naming.toSorted()).toEqual(Object.values(NAMES_OWN_FOLDER).flat().toSorted());
  });

  it('each place is in the table once, and its writer exists', () => {
    const paths = Object.values(OWN_PLACES).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(placesWithoutWriter()).toEqual([]);
  });
});

test('[AR-41] docs/how-to/svc-folder.md has the current table (written by `node scripts/architecture.mjs`)', () => {
  const page = readFileSync(join(ROOT, 'docs/how-to/svc-folder.md'), 'utf8');
  expect(page).toBe(withFolderTables(page, PLACE_TABLES));
});

const CODES = [
  ["join(dir, '.svc');", ['.svc']],
  ["join(dir, '.svc/undo.json');", ['.svc/undo.json']],
  ['const text = `see /.svc/x`;', ['see /.svc/x']],
  ['/^\\.svc$/.test(name);', ['/^\\.svc$/']],
  ["// '.svc/undo.json'\nconst name = '.svc-tmp-1';", []],
  ["const other = 'x.svc';", []],
] as const;
test.each(CODES)('[AR-40] %j names the folder in %j', (code, texts) => {
  expect(ownFolderTexts('x.ts', code)).toEqual(texts);
});
