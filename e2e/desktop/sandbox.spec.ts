import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { APP, expect, test } from './desktopApp.ts';

/** The user who runs the app if the tests run as root, because the sandbox refuses root. */
const NOBODY = 65_534;

/** Why Chromium's sandbox does not work on this machine; null if it does. */
function noSandbox(): string | null {
  if (process.platform !== 'linux') return 'only on Linux can the sandbox be detected from outside';
  const probe = ['unshare', '-U', '-r', 'true'];
  const [file = '', ...args] =
    userInfo().uid === 0 ? ['setpriv', `--reuid=${NOBODY}`, '--clear-groups', ...probe] : probe;
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return null;
  } catch {
    return 'this machine does not allow user namespaces, which the sandbox needs';
  }
}

test('[DK-12] for an ordinary user, the process of every window runs in Chromium’s sandbox', async () => {
  const why = noSandbox();
  test.skip(why !== null, why ?? '');
  const home = await realpath(await mkdtemp(join(tmpdir(), 'cellar-sandbox-')));
  const root = userInfo().uid === 0;
  // The checkout and the Node of the tests may be in folders that only root can read.
  const app = join(home, 'app');
  await cp(dirname(APP), app, { recursive: true });
  const node = join(home, 'node');
  await cp(process.execPath, node);
  await chmod(home, 0o777);
  const child = spawn(join(app, 'cellar'), ['--remote-debugging-port=0', `--user-data-dir=${home}/data`], {
    cwd: home,
    detached: true,
    env: {
      PATH: process.env['PATH'] ?? '',
      DISPLAY: process.env['DISPLAY'] ?? '',
      XAUTHORITY: await readableAuthority(home),
      HOME: home,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      CELLAR_SERVER_NODE: node,
      SVC_NOTEBOOK_STORAGE_DIR: join(home, 'notebooks'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(root ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  try {
    const endpoint = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the app ended with ${code}`)));
      createInterface({ input: child.stderr }).on('line', (line) => {
        const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    });
    const list = `${endpoint.replace(/^ws/, 'http').replace(/\/devtools.*$/, '')}/json/list`;
    const pages = async (): Promise<readonly { readonly url: string; readonly title: string }[]> =>
      (await fetch(list)).json();
    await expect
      .poll(async () => (await pages()).map(({ url, title }) => `${title} ${new URL(url).pathname}`))
      .toEqual(['Cellar /']);
    const renderers = processesBelow(child.pid ?? -1).filter(({ args }) => args.includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThan(0);
    for (const { pid, args } of renderers) {
      expect(args).not.toContain('--no-sandbox');
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      // The process has a filter on system calls and its own process namespace.
      expect(/^Seccomp:\s+2$/m.test(status)).toBe(true);
      expect(/^NSpid:\s+\d+\s+\d+/m.test(status)).toBe(true);
    }
  } finally {
    const { pid } = child;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && pid !== undefined) process.kill(-pid, 'SIGKILL');
    await gone;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** Copies xvfb-run's key to the screen, which only root can read, for the other user. @returns its path */
async function readableAuthority(home: string): Promise<string> {
  const authority = process.env['XAUTHORITY'] ?? '';
  if (!existsSync(authority)) return authority;
  const copy = join(home, 'Xauthority');
  await cp(authority, copy);
  await chmod(copy, 0o644);
  return copy;
}

function processesBelow(root: number): readonly { readonly pid: number; readonly args: string }[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found ? [{ pid: Number(found[1]), parent: Number(found[2]), args: found[3] ?? '' }] : [],
    );
  const below = new Set([root]);
  for (let before = 0; before !== below.size; ) {
    before = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  return all.filter(({ pid }) => below.has(pid));
}
