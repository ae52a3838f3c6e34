import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRequirement } from '../../../src-shared/notebook/requirement.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { doWork, type EnvironmentWork, type RequestedRWork } from '../environmentWork.ts';
import { readProjectFile } from '../folder/projectFile.ts';
import { readProjectFiles } from '../folder/projectUndo.ts';
import { createTestIndex, projectText, type TestIndex, uvForTests } from '../testing/testIndex.ts';
import { findPythons } from '../uv/findPythons.ts';
import { venvDir, venvPython } from '../venv/venv.ts';
import { storePackagesMissingFrom } from './storePackages.ts';

const uvPath = uvForTests();
const [python] = await findPythons();

type Work = Exclude<EnvironmentWork, RequestedRWork>;
const list = (...lines: readonly string[]): Work => ({
  action: 'import',
  warnings: [],
  requirements: lines.flatMap((line) => readRequirement(line) ?? []),
});

interface Row {
  readonly name: string;
  /** The project's dependencies before. Default: apple and the three packages. */
  readonly before?: readonly string[];
  /** The dependencies to which the file is edited before the job. */
  readonly edited?: readonly string[];
  readonly work: Work | ((files: { project: string; lock: string }) => Work);
  /** The dependencies after the job. */
  readonly after: readonly string[];
  readonly message: string | null;
  readonly error?: RegExp;
}

const THREE = ['pyarrow>=18.0.0', 'orjson>=3.10.0', 'cloudpickle>=3.0.0'];
const ALL_KEPT = `Added ${THREE.join(', ')}, which Cellar needs to store results.`;
const ROWS: readonly Row[] = [
  {
    name: 'an import that lists none of them',
    work: list('pear'),
    after: ['pear', ...THREE],
    message: ALL_KEPT,
  },
  { name: 'an empty import', work: list(), after: THREE, message: ALL_KEPT },
  {
    name: 'an import that lists one of them',
    work: list('PyArrow==19.0', 'pear'),
    after: ['PyArrow==19.0', 'pear', ...THREE.slice(1)],
    message: 'Added orjson>=3.10.0, cloudpickle>=3.0.0, which Cellar needs to store results.',
  },
  {
    name: 'bounds set by the user stay',
    before: ['pyarrow<19', ...THREE.slice(1)],
    work: list('pear'),
    after: ['pear', 'pyarrow<19', ...THREE.slice(1)],
    message: 'Added pyarrow<19',
  },
  {
    name: 'a notebook that never had them',
    before: ['apple'],
    work: list('pear'),
    after: ['pear'],
    message: null,
  },
  {
    name: 'removing one of them',
    work: { action: 'remove', name: 'pyarrow' },
    after: ['apple', ...THREE],
    message: null,
    error: /pyarrow cannot be removed because Cellar stores results with it/,
  },
  { name: 'removing another', work: { action: 'remove', name: 'apple' }, after: THREE, message: null },
  {
    name: 'a file edited by hand, then a sync',
    edited: ['apple', 'pear'],
    work: { action: 'sync', isRequested: true },
    after: ['apple', 'pear', ...THREE],
    message: ALL_KEPT,
  },
  {
    name: 'a file edited by hand, then another package',
    edited: ['apple'],
    work: { action: 'add', requirements: ['pear'], dev: false },
    after: ['apple', 'pear>=1.0', ...THREE],
    message: ALL_KEPT,
  },
  {
    name: 'restoring files without them',
    work: ({ project, lock }) => ({
      action: 'restore',
      before: 'uv add',
      lock,
      project: project.replace(/dependencies = .*/, 'dependencies = ["pear"]'),
    }),
    after: ['pear', ...THREE],
    message: ALL_KEPT,
  },
];

describe.skipIf(uvPath === null || python === undefined)('packages that results are stored with', () => {
  let index: TestIndex;
  const uv = { kind: 'found', path: uvPath ?? '', version: '0.13.8', source: 'setting' } as const;
  beforeAll(async () => {
    index = await createTestIndex();
    for (const name of ['apple', 'pear']) await index.wheel({ name, version: '1.0' });
    for (const version of ['18.0', '19.0']) await index.wheel({ name: 'pyarrow', version });
    await index.wheel({ name: 'orjson', version: '3.10' });
    await index.wheel({ name: 'cloudpickle', version: '3.0' });
  });
  afterAll(() => index.close());

  it.each(ROWS)(
    '[SO-233] $name',
    async ({ name, before = ['apple', ...THREE], edited, work, after, message, error }) => {
      const minor = python?.minor ?? '';
      const dir = notebookFolder(
        await index.notebook(name.replaceAll(/[ ,]+/g, '-'), {
          python: minor,
          dependencies: before,
        }),
      );
      const request = { dir, uv, python: null, env: index.env };
      expect(await doWork({ action: 'sync', isRequested: false }, request)).toMatchObject({ kind: 'ready' });
      if (edited !== undefined)
        await writeFile(join(dir, 'pyproject.toml'), projectText('edited', minor, edited));
      const { project, lock } = await readProjectFiles(dir);
      let output = '';
      const outcome = await doWork(
        typeof work === 'function' ? work({ project: project ?? '', lock: lock ?? '' }) : work,
        {
          ...request,
          onText: (stream, text) => {
            if (stream === 'stdout') output += text;
          },
        },
      );
      if (error === undefined) expect(outcome).toMatchObject({ kind: 'ready', error: null });
      else expect(outcome.error).toMatch(error);
      expect((await readProjectFile(dir))?.requirements).toEqual(after);
      if (message === null) expect(output).not.toContain('Added');
      else expect(output).toContain(message);
      if (!before.includes('orjson>=3.10.0')) return;
      expect(storePackagesMissingFrom(await readFile(join(dir, 'uv.lock'), 'utf8'))).toEqual([]);
      const imports = ['-c', 'import pyarrow, orjson, cloudpickle; print("there")'];
      expect(execFileSync(venvPython(venvDir(dir)), imports, { encoding: 'utf8' })).toBe('there\n');
    },
  );
});
