import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { syncEnvironment } from '../syncEnvironment.ts';
import { createTestIndex, projectText, type TestIndex, uvForTests } from '../testing/testIndex.ts';
import { findPythons } from '../uv/findPythons.ts';
import type { FoundUv } from '../uv/resolveUv.ts';
import { createLockMemory, renamedLock } from './lockMemory.ts';

const lockOf = (name: string) => `version = 1
revision = 3
requires-python = "==3.13.*"

[[package]]
name = "apple"
version = "1.0"
source = { registry = "https://index/simple" }

[[package]]
name = "${name}"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "apple" },
]

[package.metadata]
requires-dist = [{ name = "apple" }]

[[package]]
name = "pear"
version = "2.0"
source = { registry = "https://index/simple" }
`;
const plain = projectText('notebook', '3.13', ['apple', 'pear']);

describe('locks remembered for other new notebooks', () => {
  const projects: readonly { readonly name: string; readonly text: string; readonly recalled: boolean }[] = [
    { name: 'the same project', text: plain, recalled: true },
    { name: 'another name', text: plain.replace('"notebook"', '"My_note.Book"'), recalled: true },
    {
      name: 'another description',
      text: plain.replace('description = ""', 'description = "x"'),
      recalled: true,
    },
    { name: 'another version', text: plain.replace('0.1.0', '0.2.0'), recalled: false },
    { name: 'another Python', text: plain.replace('3.13', '3.12'), recalled: false },
    { name: 'another requirement', text: plain.replace('"pear"', '"pear>=1"'), recalled: false },
    { name: 'settings of uv', text: `${plain}exclude-newer = "2020-01-01"\n`, recalled: false },
    { name: 'another tool', text: `${plain}[tool.other]\n`, recalled: false },
    { name: 'a group of dependencies', text: `${plain}[dependency-groups]\ndev = []\n`, recalled: false },
    {
      name: 'a requirement from a file',
      text: plain.replace('"pear"', '"pear @ file:///x"'),
      recalled: false,
    },
    { name: 'the name of a package', text: plain.replace('"notebook"', '"Pear"'), recalled: false },
    { name: 'no name', text: plain.replace('"notebook"', '""'), recalled: false },
  ];
  it.each(projects)('[EN-7] $name: recalled $recalled', ({ text, recalled }) => {
    const memory = createLockMemory(() => 0);
    memory.keep(parse(plain), lockOf('notebook'));
    expect(memory.recall(parse(text)) !== null).toBe(recalled);
  });

  it('[EN-7] for ten minutes, even if a lock is read in between', () => {
    let now = 0;
    const memory = createLockMemory(() => now);
    memory.keep(parse(plain), lockOf('notebook'));
    now = 600_000;
    expect(memory.recall(parse(plain))).toBe(lockOf('notebook'));
    now = 600_001;
    expect(memory.recall(parse(plain))).toBeNull();
  });

  it('[EN-7] a project with other settings is not remembered', () => {
    const memory = createLockMemory(() => 0);
    memory.keep(parse(`${plain}index-url = "x"\n`), lockOf('notebook'));
    expect(memory.recall(parse(`${plain}index-url = "x"\n`))).toBeNull();
  });

  const layouts: readonly { readonly name: string; readonly lock: string }[] = [
    { name: 'no project entry', lock: lockOf('a').replace('virtual', 'directory') },
    { name: 'a workspace', lock: lockOf('a').replace('\n[[', '\n[manifest]\nmembers = ["a"]\n\n[[') },
    { name: 'truncated', lock: lockOf('a').slice(0, 150) },
    { name: 'another layout', lock: lockOf('a').replaceAll('\n[[package]]', '\n[[ package ]]') },
    { name: 'not a lock', lock: '' },
  ];
  it.each(layouts)('[EN-7] a lock with $name is not renamed', ({ lock }) => {
    expect(renamedLock(lock, 'b')).toBeNull();
  });
});

const uvPath = uvForTests();
const python = (await findPythons())[0];

describe.skipIf(uvPath === null || python === undefined)('recalled locks and the real uv', () => {
  let index: TestIndex;
  const uv: FoundUv = { kind: 'found', path: uvPath ?? '', version: '0.13.8', source: 'setting' };
  beforeAll(async () => {
    index = await createTestIndex();
    await index.wheel({ name: 'apple', version: '1.0' });
    await index.wheel({ name: 'pear', version: '1.0' });
  });
  afterAll(() => index.close());

  it.each(['aaa', 'Between_it', 'zzz'])(
    '[EN-7] %s gets the same lock as from uv, and the sync succeeds',
    async (name) => {
      const locks = createLockMemory();
      const sync = async (folder: string, memory = locks) => {
        const dir = notebookFolder(
          await index.notebook(folder, {
            python: python?.minor ?? '',
            dependencies: ['apple', 'pear>=1'],
          }),
        );
        const outcome = await syncEnvironment({ dir, uv, python: null, env: index.env, locks: memory });
        expect(outcome).toMatchObject({ kind: 'ready', error: null, lockfileChanged: true });
        return readFile(join(dir, 'uv.lock'), 'utf8');
      };
      const first = await sync(`first-of-${name}`);
      // A newer wheel, which only a new resolution would choose, distinguishes a recalled lock from a new one.
      await index.wheel({ name: 'pear', version: '2.0' });
      const lockText = await sync(name);
      await index.removeWheel({ name: 'pear', version: '2.0' });
      expect(lockText).not.toContain('pear-2.0');
      expect(lockText).toBe(renamedLock(first, name.toLowerCase().replace('_', '-')));
      const resolved = await sync(`${name}-x`, createLockMemory());
      const own = renamedLock(resolved, name.toLowerCase().replace('_', '-'));
      expect(lockText).toBe(own);
    },
  );

  it('[EN-7] a recalled lock is removed when the sync fails', async () => {
    const locks = createLockMemory();
    const project = { python: python?.minor ?? '', dependencies: ['apple'] };
    const run = async (name: string, path: FoundUv) => {
      const dir = notebookFolder(await index.notebook(name, project));
      const outcome = await syncEnvironment({ dir, uv: path, python: null, env: index.env, locks });
      const lock = await readFile(join(dir, 'uv.lock'), 'utf8').catch(() => null);
      return { kind: outcome.kind, lock: lock !== null };
    };
    expect(await run('good', uv)).toEqual({ kind: 'ready', lock: true });
    const broken: FoundUv = { kind: 'found', path: '/bin/false', version: '0.13.8', source: 'setting' };
    expect(await run('bad', broken)).toEqual({ kind: 'failed', lock: false });
  });
});
