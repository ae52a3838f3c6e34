import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestMirror, type TestMirror } from '../../environment/testMirror.ts';
import { findPython } from './findPython.ts';

const uv = process.env['SVC_UV'] ?? '';
const python = process.env['CELLAR_TEST_PYTHON'] ?? '';
const mirror =
  uv === '' || python === '' ? 'SVC_UV and CELLAR_TEST_PYTHON are not set' : await createTestMirror(python);
const { signal } = new AbortController();

/** On a machine whose own Python is another one than the notebook's, as a worker started on 3.11 sees it. */
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
    'is the one SVC_WORKER_PYTHON names where %j fits',
    async (asked) => {
      const found = await findPython(uv, { python: asked, preferred: python, signal, env: never });
      expect(found).toEqual({ interpreter: python, probe: expect.stringContaining(`cpython-${version}`) });
    },
  );

  it('is another one of the machine where uv sees none, whatever SVC_WORKER_PYTHON names', async () => {
    const elsewhere = { ...never, PYENV_ROOT: join(root, 'pyenv') };
    for (const preferred of [null, '/usr/bin/python3', '/nowhere/python']) {
      const found = await findPython(uv, { python: minor, preferred, signal, env: elsewhere });
      expect(found.interpreter).toBe(real);
    }
  });

  it('is not downloaded where that is forbidden, and the words say what to do', async () => {
    const before = (mirror as TestMirror).requestCount();
    for (const more of [{ UV_PYTHON_DOWNLOADS: 'never' }, { UV_PYTHON_DOWNLOADS: 'manual' }]) {
      const asked = findPython(uv, { python: minor, preferred: null, signal, env: { ...env, ...more } });
      await expect(asked).rejects.toThrow(/no Python .* on this worker.*SVC_WORKER_PYTHON/s);
    }
    expect((mirror as TestMirror).requestCount()).toBe(before);
  });

  it('is downloaded by uv where the machine has none', async () => {
    const found = await findPython(uv, { python: minor, preferred: null, signal, env });
    expect(found.interpreter).toContain(env['UV_PYTHON_INSTALL_DIR']);
    expect(found.probe).toContain(`cpython-${version}`);
    expect((mirror as TestMirror).requestCount()).toBeGreaterThan(0);
  });

  it('is none where the download fails, with the reason', async () => {
    (mirror as TestMirror).answer('gone');
    const empty = { ...env, UV_PYTHON_INSTALL_DIR: join(root, 'empty'), XDG_DATA_HOME: join(root, 'data') };
    const asked = findPython(uv, { python: minor, preferred: null, signal, env: empty });
    await expect(asked).rejects.toThrow(/no Python .* on this worker.*could not download/s);
  });
});
