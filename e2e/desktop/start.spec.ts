/** `npm start` in a checkout: it opens a folder in a window of an unpackaged Electron and runs a real server. */

import { type ChildProcess, spawn } from 'node:child_process';
import { cp, link, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LAUNCH_TOKEN_HEADER } from '../../src-shared/shell/handshake.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';
import { environment, expect, isAlive, serverOf, test } from './desktopApp.ts';

const CACHE = join(PROJECT_ROOT, '.cache');

/** The default app of npm's Electron, which the tests' Electron lacks: it runs the file in its first argument. */
const DEFAULT_APP = `require('node:module')._load(require('node:path').resolve(process.argv[1]), module, true);`;

/** The tests' Electron as npm would install it: unpackaged, with a file to run as argument. Its files are links. */
async function plainElectron(): Promise<string> {
  const name = (await readdir(CACHE)).find((entry) => /^electron-\d/.test(entry)) ?? 'electron';
  const folder = await mkdtemp(join(CACHE, 'plain-electron-'));
  const from = join(CACHE, name);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(folder, entry.name)];
    if (entry.name === 'resources') continue;
    if (entry.isDirectory()) await cp(source, target, { recursive: true });
    else await link(source, target);
  }
  await mkdir(join(folder, 'resources/app'), { recursive: true });
  await writeFile(join(folder, 'resources/app/package.json'), '{"name":"plain","main":"main.js"}');
  await writeFile(join(folder, 'resources/app/main.js'), DEFAULT_APP);
  return folder;
}

test('[DK-27] `npm start` opens its folder in a window if there is a screen, and runs it', async ({
  person,
}) => {
  test.skip(process.env['CELLAR_TEST_APP'] !== undefined, 'this is about a checkout, not about a package');
  const electron = await plainElectron();
  const dir = await person.notebook('by name', undefined, 'foreign');
  const started = spawn(process.execPath, [join(PROJECT_ROOT, 'scripts/start.mjs'), dir], {
    cwd: person.home,
    detached: true,
    env: { ...environment(person), CELLAR_ELECTRON: join(electron, 'electron') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let output = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    await expect.poll(() => output, { timeout: 60_000 }).toContain('opening the window');
    // The page in the window has opened the folder, because no other client knows the token.
    const sessions = async (): Promise<readonly { readonly session_id: string; readonly path: string }[]> => {
      const { url, token } = serverOf(person);
      const headers = { [LAUNCH_TOKEN_HEADER]: token };
      return (await (await fetch(`${url}/v1/notebooks/sessions`, { headers })).json()).sessions;
    };
    await expect
      .poll(
        () =>
          sessions().then(
            (all) => all.map(({ path }) => path),
            () => [],
          ),
        { timeout: 60_000 },
      )
      .toEqual([dir]);
    const { url, token, pid } = serverOf(person);
    const [session] = await sessions();
    const headers = { [LAUNCH_TOKEN_HEADER]: token };
    const state = await (
      await fetch(`${url}/v1/notebooks/sessions/${session?.session_id}`, { headers })
    ).json();
    // A folder named on the command line is trusted.
    expect(state).not.toHaveProperty('untrusted');
    await endProcess(started);
    await expect.poll(() => isAlive(pid)).toBe(false);
  } finally {
    if (started.exitCode === null && started.pid !== undefined) process.kill(-started.pid, 'SIGKILL');
    await rm(electron, { recursive: true, force: true });
  }
});

/** Ends a process like a terminal. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(child.pid, 'SIGTERM');
  await exited;
}
