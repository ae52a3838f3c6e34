/** Tests the single-file worker on a plain Node, and the files for hosting one: the systemd unit and the Dockerfile. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, push, removeFolders } from '../conformance/workerCalls.ts';
import { NOBODY, ordinaryUser, PROJECT_ROOT } from '../support/serverProcess.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';

const RESOURCES = join(PROJECT_ROOT, 'resources/worker');

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cellar-one-file-'));
  const script = join(PROJECT_ROOT, 'scripts/workerBundle.mjs');
  const built = spawnSync(process.execPath, [script, dir], { encoding: 'utf8' });
  expect(built.stderr + built.stdout).toContain('svc-worker.cjs');
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await removeFolders();
});

describe('[WK-30] the single-file worker', () => {
  it('runs a cell on a plain Node with only the harness', async () => {
    expect((await readdir(dir)).sort()).toEqual(['harness', 'svc-worker.cjs']);
    const token = 'one-file-token';
    const command = [process.execPath, join(dir, 'svc-worker.cjs')];
    const worker = await startWorkerProcess({ command, env: { SVC_WORKER_TOKEN: token, NODE_PATH: '' } });
    const { bundle } = await push({ url: worker.url, token }, envelope('x = 6 * 7'));
    expect(bundle?.result.variables['x']).toMatchObject({ preview: 42 });
    expect(await worker.stop()).toBe(0);
    expect(worker.stderr()).not.toMatch(/Warning|still shows/);
  });
});

describe('[WK-31] the files for hosting a worker', () => {
  it('include a unit that systemd accepts', async ({ skip }) => {
    const unit = join(RESOURCES, 'svc-worker.service');
    const report = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    if (report.error !== undefined) return skip('there is no systemd-analyze here');
    expect(report.stderr.split('\n').filter((line) => line.includes('svc-worker'))).toEqual([]);
    // The check reports a wrong unit.
    const wrong = join(dir, 'svc-worker.service');
    await writeFile(wrong, (await readFile(unit, 'utf8')).replace('Type=simple', 'Type=simpel'));
    expect(spawnSync('systemd-analyze', ['verify', wrong], { encoding: 'utf8' }).stderr).toContain('simpel');
  });

  it('include an image whose worker runs as its user, is healthy, and hides its token from cells', async ({
    skip,
  }) => {
    const steps = await dockerfileSteps(join(RESOURCES, 'Dockerfile'));
    const programs = ['setpriv', 'tini'].filter((name) => spawnSync(name, ['--version']).error === undefined);
    if (ordinaryUser === null || !programs.includes('setpriv') || !existsSync('/usr/bin/python3')) {
      return skip('takes root, setpriv and /usr/bin/python3');
    }
    const root = join(dir, '..', `${basename(dir)}-image`);
    const home = join(root, 'home/worker');
    await mkdir(home, { recursive: true });
    // Replaces the paths, the user and the program of the image with those of this machine.
    const here = (text: string): string =>
      text
        .replaceAll('/opt/svc-worker', join(root, 'opt/svc-worker'))
        .replaceAll('/home/worker', home)
        .replace(/^--re([ug])id=worker$/, `--re$1id=${NOBODY}`)
        .replace(/^--init-groups$/, '--clear-groups')
        .replace(/^node$/, process.execPath);
    // The machine's own Python, as in the image: the test Python may be in a folder that other users cannot read.
    const path = { PATH: '/usr/local/bin:/usr/bin:/bin', SVC_WORKER_PYTHON: '/usr/bin/python3' };
    const env: Record<string, string> = { ...path, SVC_WORKER_TOKEN: 'a-token-of-the-image' };
    let health = '';
    let entry: readonly string[] = [];
    for (const { instruction, text } of steps) {
      if (instruction === 'COPY') {
        const [from = '', to = ''] = text.split(' ');
        expect(from).toBe('dist/worker'); // made by `npm run worker-bundle`; here `dir`
        await cp(dir, here(to), { recursive: true });
        // Only its owner can read a temporary folder, but everyone can read dist/worker.
        await chmod(here(to), 0o755);
      } else if (instruction === 'ENV') {
        const [name = '', value = ''] = text.split('=');
        env[name] = here(value);
      } else if (instruction === 'HEALTHCHECK') {
        health = text.slice(text.indexOf('CMD ') + 4);
      } else if (instruction === 'ENTRYPOINT') {
        entry = (JSON.parse(text) as string[]).map(here);
      }
    }
    await chmod(root, 0o755);
    await chown(home, NOBODY, NOBODY);
    // Without tini, orphaned processes of cells are not reaped; everything else is the same.
    const command = programs.includes('tini') ? entry : entry.slice(entry.indexOf('--') + 1);
    const withoutPort = command.slice(0, command.indexOf('--port'));
    expect([...command.slice(withoutPort.length)]).toEqual(['--port', '9000']);
    const worker = await startWorkerProcess({ command: withoutPort, env });
    try {
      const { port } = new URL(worker.url);
      const checked = spawnSync('sh', ['-c', here(health.replace('9000', port))], {
        env: { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) },
      });
      expect(checked.status).toBe(0);
      const token = env['SVC_WORKER_TOKEN'] ?? '';
      const source =
        'import os, glob\nuser = os.getuid()\nhome = os.environ["HOME"]\nseen = []\nfor path in glob.glob("/proc/[0-9]*/environ"):\n    try:\n        seen += [path] if b"a-token-of-" + b"the-image" in open(path, "rb").read() else []\n    except OSError:\n        pass';
      const { status, body, bundle } = await push({ url: worker.url, token }, envelope(source));
      expect([status, body]).toEqual([200, null]);
      expect(bundle?.result).toMatchObject({
        variables: { user: { preview: NOBODY }, home: { preview: home }, seen: { preview: [] } },
      });
    } finally {
      await worker.stop();
      await rm(root, { recursive: true, force: true });
    }
  });
});

/** The instructions of a Dockerfile, with continued lines joined. */
async function dockerfileSteps(
  path: string,
): Promise<readonly { readonly instruction: string; readonly text: string }[]> {
  const lines = (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', '')
    .split('\n');
  return lines.flatMap((line) => {
    const [instruction = '', ...rest] = line.split(' ');
    return instruction === '' ? [] : [{ instruction, text: rest.join(' ').trim() }];
  });
}
