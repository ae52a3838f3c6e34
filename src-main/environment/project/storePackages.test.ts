import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRequirement } from '../../../src-shared/notebook/requirement.ts';
import { type AskedRWork, doWork, type EnvironmentWork } from '../environmentWork.ts';
import { readProjectFile } from '../folder/projectFile.ts';
import { readProjectFiles } from '../folder/projectUndo.ts';
import { createTestIndex, projectText, type TestIndex, uvForTests } from '../testIndex.ts';
import { findPythons } from '../uv/findPythons.ts';
import { venvDir, venvPython } from '../venv/venv.ts';
import { missingFrom } from './storePackages.ts';

const uvPath = uvForTests();
const [python] = await findPythons();

type Work = Exclude<EnvironmentWork, AskedRWork>;
const list = (...lines: readonly string[]): Work => ({
  ...{ action: 'import', warnings: [] },
  requirements: lines.flatMap((line) => readRequirement(line) ?? []),
});

interface Row {
  readonly name: string;
  /** The project's dependencies at first. Default: apple and the three. */
  readonly has?: readonly string[];
  /** A person edits the file to these before the job. */
  readonly edited?: readonly string[];
  readonly work: Work | ((files: { project: string; lock: string }) => Work);
  /** The dependencies afterwards. */
  readonly is: readonly string[];
  readonly kept: string | null;
  readonly error?: RegExp;
}

const THREE = ['pyarrow>=18.0.0', 'orjson>=3.10.0', 'cloudpickle>=3.0.0'];
const ALL_KEPT = `Added ${THREE.join(', ')}, which Cellar needs to store results.`;
const ROWS: readonly Row[] = [
  { name: 'an import that lists none', work: list('pear'), is: ['pear', ...THREE], kept: ALL_KEPT },
  { name: 'an empty import', work: list(), is: THREE, kept: ALL_KEPT },
  {
    name: 'an import that lists one of them',
    work: list('PyArrow==19.0', 'pear'),
    is: ['PyArrow==19.0', 'pear', ...THREE.slice(1)],
    kept: 'Added orjson>=3.10.0, cloudpickle>=3.0.0, which Cellar needs to store results.',
  },
  {
    name: 'bounds of a person stay',
    has: ['pyarrow<19', ...THREE.slice(1)],
    work: list('pear'),
    is: ['pear', 'pyarrow<19', ...THREE.slice(1)],
    kept: 'Added pyarrow<19',
  },
  { name: 'a notebook that never had them', has: ['apple'], work: list('pear'), is: ['pear'], kept: null },
  {
    name: 'removing one of them',
    work: { action: 'remove', name: 'pyarrow' },
    is: ['apple', ...THREE],
    kept: null,
    error: /pyarrow cannot be removed because Cellar stores results with it/,
  },
  { name: 'removing another', work: { action: 'remove', name: 'apple' }, is: THREE, kept: null },
  {
    name: 'a file edited by hand, then a sync',
    edited: ['apple', 'pear'],
    work: { action: 'sync', asked: true },
    is: ['apple', 'pear', ...THREE],
    kept: ALL_KEPT,
  },
  {
    name: 'a file edited by hand, then another package',
    edited: ['apple'],
    work: { action: 'add', requirements: ['pear'], dev: false },
    is: ['apple', 'pear>=1.0', ...THREE],
    kept: ALL_KEPT,
  },
  {
    name: 'going back to files without them',
    work: ({ project, lock }) => ({
      ...{ action: 'restore', before: 'uv add', lock },
      project: project.replace(/dependencies = .*/, 'dependencies = ["pear"]'),
    }),
    is: ['pear', ...THREE],
    kept: ALL_KEPT,
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
    async ({ name, has = ['apple', ...THREE], edited, work, is, kept, error }) => {
      const minor = python?.minor ?? '';
      const dir = await index.notebook(name.replaceAll(/[ ,]+/g, '-'), { python: minor, dependencies: has });
      const request = { dir, uv, python: null, env: index.env };
      expect(await doWork({ action: 'sync', asked: false }, request)).toMatchObject({ kind: 'ready' });
      if (edited !== undefined)
        await writeFile(join(dir, 'pyproject.toml'), projectText('edited', minor, edited));
      const { project, lock } = await readProjectFiles(dir);
      let said = '';
      const outcome = await doWork(
        typeof work === 'function' ? work({ project: project ?? '', lock: lock ?? '' }) : work,
        {
          ...request,
          onText: (stream, text) => {
            if (stream === 'stdout') said += text;
          },
        },
      );
      if (error === undefined) expect(outcome).toMatchObject({ kind: 'ready', error: null });
      else expect(outcome.error).toMatch(error);
      expect((await readProjectFile(dir))?.requirements).toEqual(is);
      if (kept === null) expect(said).not.toContain('Added');
      else expect(said).toContain(kept);
      if (!has.includes('orjson>=3.10.0')) return;
      expect(missingFrom(await readFile(join(dir, 'uv.lock'), 'utf8'))).toEqual([]);
      const imports = ['-c', 'import pyarrow, orjson, cloudpickle; print("there")'];
      expect(execFileSync(venvPython(venvDir(dir)), imports, { encoding: 'utf8' })).toBe('there\n');
    },
  );
});
