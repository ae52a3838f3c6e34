import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { type ProjectFiles, readProjectFiles } from './folder/projectUndo.ts';
import { markSyncStarted, recoverEnvironment } from './syncMarker.ts';
import { readMarker, venvPython, writeMarker } from './venv/venv.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

const BEFORE: ProjectFiles = { project: 'name = "before"\n', lock: 'version = 1\n' };
const AFTER: ProjectFiles = { project: 'name = "after"\n', lock: 'version = 2\n' };
const NEW = '.svc/venv-00000001';
const digest = (text: string | null): string =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex');

/** Makes an environment with a record of these files, or, for null, an incomplete one. */
async function environment(path: string, from: ProjectFiles | null): Promise<void> {
  const python = venvPython(path);
  await mkdir(dirname(python), { recursive: true });
  await symlink(process.execPath, python);
  if (from === null) return;
  await writeMarker(path, {
    id: 'e',
    pyprojectSha256: digest(from.project),
    lockSha256: digest(from.lock),
    lockDigest: null,
    pythonVersion: '3.13.0',
    installed: '',
    syncedAt: 0,
    durationMs: 0,
    notice: null,
  });
}

/** The state that a killed edit of the packages left: environments and files → the files that must count. */
const ROWS: readonly {
  readonly name: string;
  readonly environments: Readonly<Record<string, ProjectFiles | null>>;
  readonly files: ProjectFiles;
  readonly is: ProjectFiles;
}[] = [
  {
    name: 'while the new environment is built',
    environments: { '.venv': BEFORE, [NEW]: null },
    files: AFTER,
    is: BEFORE,
  },
  {
    name: 'when the new environment is complete but not in place',
    environments: { '.venv': BEFORE, [NEW]: AFTER },
    files: AFTER,
    is: BEFORE,
  },
  {
    name: 'between the two renames',
    environments: { [`${NEW}-old`]: BEFORE, [NEW]: AFTER },
    files: AFTER,
    is: AFTER,
  },
  {
    name: 'when the new environment is in place',
    environments: { [`${NEW}-old`]: BEFORE, '.venv': AFTER },
    files: AFTER,
    is: AFTER,
  },
];

test.each(ROWS)('[EN-37] killed $name: files and environment match', async ({ environments, files, is }) => {
  const dir = notebookFolder(await mkdtemp(join(tmpdir(), 'cellar-swap-')));
  folders.push(dir);
  await markSyncStarted(dir, BEFORE, { isEdit: true, after: AFTER });
  for (const [path, from] of Object.entries(environments)) await environment(join(dir, path), from);
  await writeFile(join(dir, 'pyproject.toml'), files.project ?? '');
  await writeFile(join(dir, 'uv.lock'), files.lock ?? '');
  await recoverEnvironment(dir);
  expect(await readProjectFiles(dir)).toEqual(is);
  expect((await readMarker(join(dir, '.venv')))?.pyprojectSha256).toBe(digest(is.project));
  expect((await readdir(join(dir, '.svc'))).filter((name) => name !== '.gitignore')).toEqual([]);
});
