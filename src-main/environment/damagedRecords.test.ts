/**
 * Damaged record files of the environment (job history, interrupted Python and R changes) are set aside as
 * `.bad`, not deleted.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type NotebookFolder, notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { loadJobHistory } from './jobHistory.ts';
import { recoverR } from './r/rStage.ts';
import { recoverEnvironment } from './syncMarker.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-damaged-')));
  await mkdir(join(dir, '.svc'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const RECORDS: readonly (readonly [string, (dir: NotebookFolder) => Promise<unknown>])[] = [
  ['environment_jobs.json', loadJobHistory],
  ['sync-in-progress.json', recoverEnvironment],
  ['r-in-progress.json', recoverR],
];

test.each(RECORDS)('[AR-42] a damaged %s is set aside, not deleted', async (name, load) => {
  await writeFile(join(dir, '.svc', name), '{"lockBefore":"x"');
  await load(dir);
  expect(await readdir(join(dir, '.svc'))).toEqual([`${name}.bad`]);
  expect(await readFile(join(dir, '.svc', `${name}.bad`), 'utf8')).toBe('{"lockBefore":"x"');
});

test('[AR-42] in a folder that is not trusted a damaged record stays', async () => {
  await writeFile(join(dir, '.svc/environment_jobs.json'), '[');
  expect(await loadJobHistory(dir, { repairs: false })).toEqual([]);
  expect(await readdir(join(dir, '.svc'))).toEqual(['environment_jobs.json']);
});
