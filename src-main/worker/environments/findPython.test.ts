import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestMirror, type TestMirror } from '../../environment/testing/testMirror.ts';
import { findPython } from './findPython.ts';

const uv = process.env['SVC_UV'] ?? '';
const python = process.env['CELLAR_TEST_PYTHON'] ?? '';
const mirror =
  uv === '' || python === '' ? 'SVC_UV and CELLAR_TEST_PYTHON are not set' : await createTestMirror(python);
const { signal } = new AbortController();

/** As on a machine whose default Python is not the notebook's. */
describe.runIf(typeof mirror !== 'string')('[RW-40] the Python of a notebook on a worker', () => {
  const { env, minor, version } = mirror as TestMirror;
  let root = '';
  let real = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-find-python-'));
    real = await realpath(python);
    const bin = join(root, 'pyenv/versions', version, 'bin');
    await mkdir(bin, { recursive: true });
    await symlink(real, join(bin, `python${minor}`));
  });
  afterAll(async () => {
    await (mirror as TestMirror).close();
    await rm(root, { recursive: true, force: true });
  });
  const never = { ...env, UV_PYTHON_DOWNLOADS: 'never' };

  it.each([minor, `==${minor}.*`, version])(
    'is that of SVC_WORKER_PYTHON if it matches %j',
    async (request) => {
      const result = await findPython(uv, { python: request, preferred: python, signal, env: never });
      expect(result).toEqual({ interpreter: python, probe: expect.stringContaining(`cpython-${version}`) });
    },
  );

  it('is another one of the machine if uv finds none and that of SVC_WORKER_PYTHON does not match', async () => {
    const withPyenv = { ...never, PYENV_ROOT: join(root, 'pyenv') };
    for (const preferred of [null, '/usr/bin/python3', '/nowhere/python']) {
      const result = await findPython(uv, { python: minor, preferred, signal, env: withPyenv });
      expect(result.interpreter).toBe(real);
    }
  });

  it('is not downloaded if UV_PYTHON_DOWNLOADS forbids it, and the error explains what to do', async () => {
    const before = (mirror as TestMirror).requestCount();
    for (const more of [{ UV_PYTHON_DOWNLOADS: 'never' }, { UV_PYTHON_DOWNLOADS: 'manual' }]) {
      const attempt = findPython(uv, { python: minor, preferred: null, signal, env: { ...env, ...more } });
      await expect(attempt).rejects.toThrow(/no Python .* on this worker.*SVC_WORKER_PYTHON/s);
    }
    expect((mirror as TestMirror).requestCount()).toBe(before);
  });

  it('is downloaded by uv if the machine has none', async () => {
    const result = await findPython(uv, { python: minor, preferred: null, signal, env });
    expect(result.interpreter).toContain(env['UV_PYTHON_INSTALL_DIR']);
    expect(result.probe).toContain(`cpython-${version}`);
    expect((mirror as TestMirror).requestCount()).toBeGreaterThan(0);
  });

  it('fails with the reason if the download fails', async () => {
    (mirror as TestMirror).answer('gone');
    const empty = { ...env, UV_PYTHON_INSTALL_DIR: join(root, 'empty'), XDG_DATA_HOME: join(root, 'data') };
    const attempt = findPython(uv, { python: minor, preferred: null, signal, env: empty });
    await expect(attempt).rejects.toThrow(/no Python .* on this worker.*could not download/s);
  });
});
