/**
 * npm start [-- <folder>] [--browser]: installs what is missing and shows the folder (or an example) in the desktop
 * window if there is a screen, else in the browser. The first start downloads Electron.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureDependencies } from './lib/dependencies.mjs';
import { chooseView } from './lib/electron.mjs';
import { underNode } from './lib/node.mjs';
import { DIST, ROOT, Stop, say, script, typedFrom } from './lib/project.mjs';
import { buildRenderer } from './lib/rendererBuild.mjs';
import { run } from './lib/run.mjs';
import { buildServer } from './lib/serverBuild.mjs';
import { buildShell } from './lib/shellBuild.mjs';
import { ensureUv } from './lib/uv.mjs';

const FIRST_PORT = 8765;
const PORTS_TRIED = 50;

await script(async () => {
  await ensureDependencies();
  const code = await underNode();
  if (code !== null) return code;
  const folderArgument = process.argv.slice(2).find((arg) => !arg.startsWith('--'));
  const folder =
    folderArgument === undefined
      ? join(ROOT, 'examples', 'first-steps')
      : resolve(typedFrom('start'), folderArgument);
  if (!existsSync(folder)) throw new Stop(`there is no folder ${folder}.`);
  await buildServer();
  const view = await chooseView();
  if (view.electron !== undefined) return startWindow(view.electron, folder);
  say(`using the browser: ${view.browser}.`);
  const [uv, port] = await Promise.all([ensureUv(), freePort(), buildRenderer()]);
  // A folder named on the command line is granted to this process; so is the checkout, which contains the example.
  const args = [
    'serve',
    '--token',
    '--visible-folder',
    '--port',
    String(port),
    '--grant',
    folder,
    '--open',
    folder,
  ];
  return run(process.execPath, [join(ROOT, 'scripts', 'svc.mjs'), ...args], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: {
      CELLAR_END_WITH_PARENT: '1',
      SVC_LOG_LEVEL: process.env.SVC_LOG_LEVEL ?? 'WARNING',
      ...(uv === null ? {} : { SVC_UV: uv }),
    },
    onSpawn: (server) => showWhenReady(server.stdout),
  });
});

/** The desktop window, its server on this Node: what is built here runs, nothing is packaged. */
async function startWindow(electron, folder) {
  const [uv] = await Promise.all([ensureUv(), buildRenderer(), buildShell()]);
  say('opening the window. Closing it ends Cellar; `npm start -- --browser` uses the browser instead.');
  // Naming a folder on the command line means trusting it. Chromium's sandbox refuses root.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return run(electron, [join(DIST, 'shell', 'main.cjs'), ...root, '--trust', folder], {
    env: { CELLAR_SERVER_NODE: process.execPath, ...(uv === null ? {} : { SVC_UV: uv }) },
  });
}

/** SVC_PORT if set, else the first free port from the default one on. */
async function freePort() {
  if (process.env.SVC_PORT !== undefined) {
    const port = Number(process.env.SVC_PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Stop(
        `SVC_PORT is ${JSON.stringify(process.env.SVC_PORT)}; it must be a whole number from 1 to 65535.`,
      );
    if (!(await isFree(port)))
      throw new Stop(`port ${port} (SVC_PORT) is taken. End what uses it, or choose another.`);
    return port;
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port += 1) {
    if (await isFree(port)) return port;
    say(`port ${port} is taken; trying the next.`);
  }
  throw new Stop(`the ports ${FIRST_PORT} to ${FIRST_PORT + PORTS_TRIED - 1} are all taken.`);
}

function isFree(port) {
  return new Promise((answer, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') answer(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => answer(true)));
  });
}

/** Once ready, the server prints a URL that admits one browser; all its output is shown. */
function showWhenReady(stdout) {
  let isShown = false;
  createInterface({ input: stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const url = /https?:\/\/\S+#\/open\S*/.exec(line)?.[0];
    if (url === undefined || isShown) return;
    isShown = true;
    openBrowser(process.platform === 'darwin' ? pageThatOpens(url) : url);
  });
}

/**
 * A file readable only by this user that redirects to the URL: macOS shows the arguments of a program to every
 * user, and the URL admits whichever browser opens it first.
 */
function pageThatOpens(url) {
  const dir = mkdtempSync(join(tmpdir(), 'cellar-open-'));
  const file = join(dir, 'open.html');
  const address = JSON.stringify(url).replaceAll('<', '\\u003c');
  writeFileSync(file, `<!doctype html><script>location.replace(${address})</script>`, { mode: 0o600 });
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  return file;
}

function openBrowser(url) {
  const [file, args] = browserCommand(url);
  if (file === null) {
    say(`open ${url} in a browser. Ctrl-C stops the server.`);
    return;
  }
  const opener = spawn(file, args, { stdio: 'ignore', detached: true });
  opener.once('error', () => say(`no browser could be started; open ${url} yourself.`));
  opener.unref();
}

function browserCommand(url) {
  if (process.platform === 'darwin') return ['open', [url]];
  // `start` takes its first quoted argument as a window title.
  if (process.platform === 'win32') return ['cmd', ['/c', 'start', '""', url.replaceAll('&', '^&')]];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open', [url]] : [null, []];
}
