import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { notebookFolder } from './notebookFolder.ts';
import { isNamed, OWN_PLACES, type OwnName, ownName, ownPath, ownPlace } from './ownPlaces.ts';
import { loadRecord, type RecordForm, removeRecord, saveRecord } from './record.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-record-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const schema = z.object({ n: z.number() });
const place = () => ownPlace(dir, 'history', 'x.json');

/** What is at the place of the record, and whether it counts as damaged. */
const FOUND: readonly (readonly [string, string | null, boolean])[] = [
  ['half a file', '{"n":', true],
  ['an empty file', '', true],
  ['another shape', '{"n":"one"}', true],
  ['a large file', `{"n":1${' '.repeat(200)}}`, true],
  ['nothing', null, false],
];

describe('[AR-42] a record that cannot be read counts as missing, and its bytes are not deleted', () => {
  it.each(FOUND)('%s', async (_name, content, isDamaged) => {
    await mkdir(join(dir, '.svc/history'), { recursive: true });
    if (content !== null) await writeFile(join(dir, '.svc/history/x.json'), content);
    const options = { maxBytes: 100 };
    expect(await loadRecord(place(), schema, { ...options, repairs: false })).toEqual({
      value: null,
      isDamaged,
    });
    expect(await readdir(join(dir, '.svc/history'))).toEqual(isDamaged ? ['x.json'] : []);
    expect(await loadRecord(place(), schema, options)).toEqual({ value: null, isDamaged });
    expect(await readdir(join(dir, '.svc/history'))).toEqual(isDamaged ? ['x.json.bad'] : []);
    await saveRecord(place(), { n: 2 });
    expect((await loadRecord(place(), schema)).value).toEqual({ n: 2 });
    if (content !== null) expect(await readFile(join(dir, '.svc/history/x.json.bad'), 'utf8')).toBe(content);
  });

  it('a link is renamed, and its target is unchanged', async () => {
    await mkdir(join(dir, '.svc/history'), { recursive: true });
    await writeFile(join(dir, 'mine'), '{"n":1}');
    await symlink('../../mine', join(dir, '.svc/history/x.json'));
    expect(await loadRecord(place(), schema)).toEqual({ value: null, isDamaged: true });
    await saveRecord(place(), { n: 2 });
    expect(await readFile(join(dir, 'mine'), 'utf8')).toBe('{"n":1}');
  });

  it('a file in place of the folder is left there', async () => {
    await writeFile(join(dir, '.svc'), 'mine');
    expect(await loadRecord(place(), schema)).toEqual({ value: null, isDamaged: false });
    await expect(saveRecord(place(), { n: 2 }, { makesFolder: true })).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
    expect(await readFile(join(dir, '.svc'), 'utf8')).toBe('mine');
  });
});

const FORMS: readonly (readonly [RecordForm, string])[] = [
  ['bare', '{"n":1}'],
  ['line', '{"n":1}\n'],
  ['pretty', '{\n  "n": 1\n}\n'],
];
test.each(FORMS)('[AR-43] saves the form "%s" for the owner only, with its folder', async (form, text) => {
  await saveRecord(place(), { n: 1 }, { form, makesFolder: true });
  const path = ownPath(dir, 'history', 'x.json');
  expect(await readFile(path, 'utf8')).toBe(text);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  await removeRecord(place());
  await removeRecord(place());
  expect(await readdir(join(dir, '.svc/history'))).toEqual([]);
});

test('[AR-43] does not recreate a deleted notebook folder', async () => {
  await rm(dir, { recursive: true });
  await expect(saveRecord(place(), { n: 1 }, { makesFolder: true })).rejects.toMatchObject({
    code: 'ENOENT',
  });
  expect((await loadRecord(place(), schema)).value).toBeNull();
});

const NAMES: readonly (readonly [OwnName, readonly string[], string])[] = [
  ['undo', [], '.svc/undo.json'],
  ['fetch', ['index.json'], '.svc/fetch/index.json'],
  ['remoteRun', ['c1'], '.svc/remote-run-c1.json'],
  ['retiredVenv', ['0123abcd', 'bin'], '.svc/venv-0123abcd-old/bin'],
];
test.each(NAMES)('[AR-40] the place %s %j is %s', (name, parts, path) => {
  expect(ownName(name, ...parts)).toBe(path);
  expect(ownPath(notebookFolder('/n'), name, ...parts)).toBe(join('/n', path));
});

test('[AR-40] a part of a name cannot leave the folder, and an id is required', () => {
  expect(() => ownPlace(notebookFolder('/n'), 'remoteRun', '../../x')).toThrow(RangeError);
  expect(() => ownPlace(notebookFolder('/n'), 'history', '..', 'x')).toThrow(RangeError);
  expect(() => ownPlace(notebookFolder('/n'), 'stagedR')).toThrow(RangeError);
});

const FILES = ['venv-0123abcd', 'venv-0123abcd-old', 'venv-0123abcd-gone', 'r-0123abcd', 'r-0123abcd.lock'];
const OTHERS = ['venv-0123abc', 'venv-0123abcdx', 'venv-0123ABCD', 'venv-', 'r-0123abcd-new', 'undo.jsonx'];
test.each([...FILES, ...OTHERS])('[AR-40] %s has the name of at most one place', (file) => {
  const names = (Object.keys(OWN_PLACES) as OwnName[]).filter((name) => isNamed(name, file));
  expect(names).toHaveLength(FILES.includes(file) ? 1 : 0);
});
