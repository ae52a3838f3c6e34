import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import { diagnose, withoutPasswords } from './diagnose.ts';
import { projectText, uvForTests } from './testing/testIndex.ts';

/** A text → the text without passwords. */
test.each([
  ['http://me:secret@proxy:3128', 'http://[hidden]@proxy:3128'],
  ['me:secret@proxy:3128', '[hidden]@proxy:3128'],
  ['uv add x @ https://t0ken@host/x.whl', 'uv add x @ https://[hidden]@host/x.whl'],
  ['https://me:p@ss@host/simple', 'https://[hidden]@host/simple'],
  ['https://host/simple?access_token=abc&x=1', 'https://host/simple?access_token=[hidden]&x=1'],
  ['https://host:8080/simple localhost,127.0.0.1', 'https://host:8080/simple localhost,127.0.0.1'],
])('[EN-71] %s', (text, expected) => {
  expect(withoutPasswords(text)).toBe(expected);
});

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-diagnose-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const uv = uvForTests();
const foundUv = { kind: 'found', path: uv ?? '', version: '0.13.8', source: 'setting' } as const;

/** The state of a folder → a row marked as a problem. */
const FOLDERS: readonly {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly missingUv?: true;
  readonly row: readonly [section: string, name: string, words: string];
}[] = [
  { name: 'no project', row: ['Environment', 'pyproject.toml', 'is missing'] },
  {
    name: 'no environment',
    files: { 'pyproject.toml': projectText('x', '3.13', []) },
    row: ['Environment', '.venv', 'is missing'],
  },
  {
    name: 'a broken project',
    files: { 'pyproject.toml': '[project' },
    row: ['Environment', 'pyproject.toml', 'cannot be read'],
  },
  {
    name: 'a lock with merge markers',
    files: { 'uv.lock': '<<<<<<< ours' },
    row: ['Environment', 'uv.lock', 'cannot be read'],
  },
  {
    name: 'an environment without its Python',
    files: { '.venv/pyvenv.cfg': 'version = 3.12.1' },
    row: ['Environment', '.venv', 'is missing or has no Python'],
  },
  {
    name: 'leftovers of a killed job',
    files: { '.svc/venv-0123abcd/x': '', '.svc/sync-in-progress.json': '{}' },
    row: ['Environment', 'Leftovers', 'venv-0123abcd'],
  },
  {
    name: 'a lock without the packages that store results',
    files: { 'uv.lock': 'version = 1\n[[package]]\nname = "pyarrow"\nversion = "18.0.0"\n' },
    row: ['Results', 'Missing packages', 'orjson, cloudpickle. Without them, results are stored as pickles'],
  },
  {
    name: 'leftovers of a replaced environment',
    files: { '.svc/venv-0123abcd-gone/x': '' },
    row: ['Environment', 'Leftovers', 'venv-0123abcd-gone'],
  },
  {
    name: 'missing certificates',
    env: { SSL_CERT_FILE: '/nowhere/corp.pem' },
    row: ['Network', 'SSL_CERT_FILE', 'ENOENT'],
  },
  { name: 'no uv', missingUv: true, row: ['uv', 'uv', 'there is none'] },
];

test.skipIf(uv === null).each(FOLDERS)(
  '[EN-71] reports: $name',
  async ({ name, files = {}, env = {}, missingUv, row }) => {
    const dir = notebookFolder(join(root, name));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(dir, path, '..'), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    await mkdir(dir, { recursive: true });
    const sections = await diagnose({
      dir,
      uv: missingUv === true ? { kind: 'missing', message: 'there is none' } : foundUv,
      cacheDir: join(root, 'not-made-yet'),
      trusted: true,
      env: { ...process.env, ...env },
    });
    const [section, key, text] = row;
    const rows = sections.find(({ title }) => title === section)?.rows ?? [];
    expect(rows.find((one) => one.name === key)).toMatchObject({
      value: expect.stringContaining(text),
      problem: true,
    });
  },
);

test.skipIf(uv === null)(
  '[EN-71] a proxy is shown without its password, and rows without a problem are not marked',
  async () => {
    const dir = notebookFolder(join(root, 'fine'));
    await mkdir(dir);
    const env = {
      ...process.env,
      https_proxy: 'http://me:secret@proxy:3128',
      UV_DEFAULT_INDEX: 'https://me:secret@host/simple',
    };
    const sections = await diagnose({ dir, uv: foundUv, cacheDir: root, trusted: true, env });
    expect(JSON.stringify(sections)).not.toContain('secret');
    const network = sections.find(({ title }) => title === 'Network')?.rows ?? [];
    expect(network).toContainEqual({
      name: 'HTTPS_PROXY',
      value: 'http://[hidden]@proxy:3128',
      problem: false,
    });
    const tool = sections.find(({ title }) => title === 'uv')?.rows ?? [];
    expect(tool.filter(({ problem }) => problem)).toEqual([]);
  },
);
