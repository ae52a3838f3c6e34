import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { childEnvironment } from './childEnvironment.ts';

const dir = mkdtempSync(join(tmpdir(), 'cellar-env-'));
const bin = join(dir, 'bin');
mkdirSync(bin);
writeFileSync(join(dir, 'pyvenv.cfg'), '');
afterAll(() => rmSync(dir, { recursive: true }));

const base = {
  PATH: '/usr/bin',
  HOME: '/home/me',
  LC_ALL: 'C.UTF-8',
  DATABASE_URL: 'db',
  MY_FLAG: '1',
  SVC_HOST: 'h',
  SVC_PROXY_TOKEN: 's',
  INFISICAL_TOKEN: 's',
  SVC_NOTEBOOK_INFISICAL_TOKEN: 's',
  NODE_OPTIONS: '--x',
  npm_config_x: 'y',
  UV_INDEX_URL: 'https://user:pass@example.org',
  UV_CACHE_DIR: '/cache',
  PYTHONPATH: '/elsewhere',
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONWARNINGS: 'ignore',
  VIRTUAL_ENV: '/old',
};

const rows: readonly {
  readonly name: string;
  readonly allowlist: readonly string[] | null;
  readonly python: string;
  readonly gives: Record<string, string>;
}[] = [
  {
    name: 'without an allowlist: everything except the names of the server',
    allowlist: null,
    python: '/usr/bin/python3',
    gives: {
      PATH: '/usr/bin',
      HOME: '/home/me',
      LC_ALL: 'C.UTF-8',
      DATABASE_URL: 'db',
      MY_FLAG: '1',
      UV_INDEX_URL: 'https://user:pass@example.org',
      UV_CACHE_DIR: '/cache',
      PYTHONWARNINGS: 'ignore',
    },
  },
  {
    name: 'with an allowlist: the basic names and the listed ones, never a secret',
    allowlist: [
      'MY_*',
      'SVC_*',
      'SVC_HOST',
      'SVC_PROXY_TOKEN',
      'PYTHONPATH',
      'INFISICAL_*',
      'INFISICAL_TOKEN',
    ],
    python: '/usr/bin/python3',
    gives: {
      PATH: '/usr/bin',
      HOME: '/home/me',
      LC_ALL: 'C.UTF-8',
      MY_FLAG: '1',
      SVC_HOST: 'h',
      UV_CACHE_DIR: '/cache',
      PYTHONWARNINGS: 'ignore',
    },
  },
  {
    name: 'a virtual environment is activated',
    allowlist: [],
    python: join(bin, 'python'),
    gives: {
      PATH: `${bin}:/usr/bin`,
      VIRTUAL_ENV: dir,
      HOME: '/home/me',
      LC_ALL: 'C.UTF-8',
      UV_CACHE_DIR: '/cache',
      PYTHONWARNINGS: 'ignore',
    },
  },
];

for (const { name, allowlist, python, gives } of rows) {
  test.skipIf(process.platform === 'win32')(name, () => {
    expect(childEnvironment({ base, allowlist, python })).toEqual(gives);
  });
}
