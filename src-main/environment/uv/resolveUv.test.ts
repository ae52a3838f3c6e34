import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPythons } from './findPythons.ts';
import { cachedUvPath, resolveUv } from './resolveUv.ts';
import { UV_REQUIREMENT } from './uvWheel.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-uv-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function program(path: string, prints: string): Promise<string> {
  const full = join(root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, `#!/bin/sh\necho '${prints}'\n`);
  await chmod(full, 0o755);
  return full;
}
const bundled = join('resources', 'uv', `${process.platform}-${process.arch}`, 'uv');
const search = (svcUv: string | null) =>
  resolveUv({
    svcUv,
    resourceDir: join(root, 'resources'),
    cacheDir: join(root, 'cache'),
    // pip finds no package here, so these tests download nothing.
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, PIP_NO_INDEX: '1', PIP_RETRIES: '0' },
  });

describe('uv is searched in order', () => {
  it('[EN-5] SVC_UV, then the bundled one, then the PATH, then the downloaded one', async () => {
    const setting = await program('mine/uv', 'uv 0.9.1 (abc)');
    await program(bundled, 'uv 0.13.8');
    const onPath = await program('bin/uv', 'uv 0.12.0');
    const cached = await program(join('cache', 'uv-0.13.8', 'uv'), 'uv 0.13.8');
    expect(await search(setting)).toEqual({
      kind: 'found',
      path: setting,
      version: '0.9.1',
      source: 'setting',
    });
    expect(await search(null)).toMatchObject({ path: join(root, bundled), source: 'resource' });
    await rm(join(root, 'resources'), { recursive: true });
    expect(await search(null)).toMatchObject({ path: onPath, version: '0.12.0', source: 'path' });
    await program('bin/uv', 'uv 0.4.30');
    expect(await search(null)).toMatchObject({ path: cached, source: 'wheel' });
    expect(cached).toBe(cachedUvPath(join(root, 'cache')));
  });

  it('[EN-5] an invalid SVC_UV is reported, not ignored', async () => {
    await program('bin/uv', 'uv 0.12.0');
    const otherProgram = await program('mine/uv', 'hello');
    for (const path of [otherProgram, join(root, 'gone')]) {
      expect(await search(path)).toEqual({
        kind: 'missing',
        message: expect.stringContaining(`SVC_UV is set to ${path}`),
      });
    }
  });

  it('not found and not downloadable: missing, with the reason, and no files are left', async () => {
    const result = await search(null);
    expect(result).toEqual({
      kind: 'missing',
      message: expect.stringMatching(/^uv 0\.13\.8 is not available: /),
    });
    expect(await readdir(join(root, 'cache'))).toEqual([]);
  });

  it('the pinned wheel is only accepted with one of its hashes', async () => {
    expect(UV_REQUIREMENT).toMatch(/^uv==0\.13\.8( --hash=sha256:[0-9a-f]{64}){10,}$/);
    const [python] = await findPythons();
    if (python === undefined) return;
    // A forged archive with the right name, in a folder in which pip looks.
    const code =
      "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1],'w'); " +
      "z.writestr('uv-0.13.8.data/scripts/uv','#!/bin/sh'); " +
      "z.writestr('uv-0.13.8.dist-info/METADATA','Metadata-Version: 2.1\\nName: uv\\nVersion: 0.13.8\\n'); z.close()";
    execFileSync(python.path, ['-c', code, join(root, 'uv-0.13.8-py3-none-any.whl')]);
    const forged = await resolveUv({
      svcUv: null,
      resourceDir: null,
      cacheDir: join(root, 'cache'),
      env: { PATH: '/usr/bin:/bin', PIP_NO_INDEX: '1', PIP_FIND_LINKS: root },
    });
    expect(forged).toMatchObject({ kind: 'missing' });
  });
});
