import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * For tests: a mirror of python-build-standalone on the loopback interface with one Python, packed from one of this
 * machine, and settings under which no other Python of that minor version is found.
 */
export interface TestMirror {
  /** `3.13` */
  readonly minor: string;
  readonly version: string;
  /** For a server or uv: no Python of that minor version is found, and Pythons are downloaded from here. */
  readonly env: Readonly<Record<string, string>>;
  /** How it answers from now on; `stalls` only sends the first bytes. */
  answer(how: 'whole' | 'gone' | 'broken' | 'stalls'): void;
  /** How often the archive was requested. */
  requestCount(): number;
  close(): Promise<void>;
}

/** @returns the mirror, or the reason why there is none */
export async function createTestMirror(python: string | undefined): Promise<TestMirror | string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'the test mirror only works on Linux x64';
  if (python === undefined || !existsSync(python)) return 'CELLAR_TEST_PYTHON names no Python to pack';
  const output = execFileSync(python, [
    '-c',
    'import sys; print(sys.base_prefix, *sys.version_info[:3], sep="\\n")',
  ]);
  const [prefix = '', major = '', small = '', patch = ''] = output.toString().trim().split('\n');
  const minor = `${major}.${small}`;
  const version = `${minor}.${patch}`;
  const isFound = ['/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, `python${minor}`)));
  if (isFound) return `Python ${minor} is installed for everybody here, so that none has to be fetched`;
  const root = await mkdtemp(join(tmpdir(), 'cellar-mirror-'));
  const archive = await pack({ root, prefix, minor });
  const name = `cpython-${version}-linux-x86_64-gnu`;
  const file = `cpython-${version}%2B20260101-x86_64-unknown-linux-gnu-install_only_stripped.tar.gz`;
  let how: Parameters<TestMirror['answer']>[0] = 'whole';
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    void (async () => {
      if (how === 'gone' || request.url !== `/20260101/${file}`) {
        response.writeHead(404).end();
      } else if (how === 'broken') {
        response.end('this is no archive');
      } else {
        const { size } = await stat(archive);
        response.writeHead(200, { 'content-length': size });
        const begin = createReadStream(archive, how === 'stalls' ? { end: 100_000 } : {});
        begin.pipe(response, { end: how === 'whole' });
      }
    })();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const list = join(root, 'downloads.json');
  const official = 'https://github.com/astral-sh/python-build-standalone/releases/download';
  const one = {
    name: 'cpython',
    arch: { family: 'x86_64', variant: null },
    os: 'linux',
    libc: 'gnu',
    major: 3,
    minor: Number(small),
    patch: Number(patch),
    prerelease: '',
    variant: null,
    url: `${official}/20260101/${file}`,
    sha256: null,
    build: '20260101',
  };
  await writeFile(list, JSON.stringify({ [name]: one }));
  return {
    minor,
    version,
    env: {
      HOME: join(root, 'home'),
      PYENV_ROOT: join(root, 'pyenv'),
      PATH: '/usr/bin:/bin',
      XDG_DATA_HOME: join(root, 'data'),
      UV_PYTHON_INSTALL_DIR: join(root, 'pythons'),
      UV_PYTHON_DOWNLOADS_JSON_URL: list,
      UV_PYTHON_INSTALL_MIRROR: `http://127.0.0.1:${port}`,
      UV_HTTP_RETRIES: '0',
    },
    answer: (next) => {
      how = next;
    },
    requestCount: () => requestCount,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Packs it like the `install_only` archives of python-build-standalone, without parts that tests do not need. */
async function pack(from: {
  readonly root: string;
  readonly prefix: string;
  readonly minor: string;
}): Promise<string> {
  const { root, prefix, minor } = from;
  await mkdir(join(root, 'home'));
  const archive = join(root, 'python.tar.gz');
  const excluded = ['test', 'site-packages', 'idlelib', 'tkinter', 'turtledemo', 'lib2to3', 'config-*'];
  execFileSync('tar', [
    ...['--create', '--use-compress-program=gzip -1', `--file=${archive}`, `--directory=${prefix}`],
    ...['--transform=s,^,python/,S', '--exclude=__pycache__'],
    ...excluded.map((name) => `--exclude=lib/python${minor}/${name}`),
    ...[`bin/python${minor}`, 'bin/python3', `lib/python${minor}`],
  ]);
  return archive;
}
