/**
 * Takes screenshots of the window into `.cache/screenshots`, which git ignores, with a real server on copies of the
 * examples and a real browser, each in every theme and width. The table of `shots.ts` says what to show.
 */

import { cp, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumProgram } from '../support/chromium.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { startSshServer, whyNoSshd } from '../support/sshServer.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';
import { SHOTS } from './shots.ts';
import type { Shot, Stage } from './stage.ts';
import { workerShots } from './workerShots.ts';

const OUT = join(PROJECT_ROOT, '.cache/screenshots');
const MAX_BYTES = 220_000;
const WIDTHS = [1440, 900];
const LOOKS = ['light', 'dark'] as const;
/** The time of every clock of the page, so that "3 hours ago" is the same in every run. */
const NOW = new Date('2026-11-21T12:00:00Z');

type Look = (typeof LOOKS)[number];

async function take(
  browser: Browser,
  server: ServerProcess,
  how: { shot: Shot; look: Look; width: number; stage: Stage },
): Promise<number> {
  const { shot, look, width, stage } = how;
  const page = await browser.newPage({
    viewport: { width, height: width === 900 ? 700 : 900 },
    colorScheme: look,
    reducedMotion: 'reduce',
  });
  try {
    page.setDefaultTimeout(30_000);
    await page.clock.setFixedTime(NOW);
    await page.addInitScript(
      ([preferences, recents]) => {
        localStorage.setItem('cellar.preferences', preferences ?? '');
        if (recents !== undefined) localStorage.setItem('cellar.recents', recents);
      },
      [JSON.stringify({ theme: look }), JSON.stringify(shot.recents?.(stage, NOW.getTime()) ?? [])],
    );
    await page.goto(`${server.url}/${await shot.address(stage)}`);
    await shot.show(page, stage);
    await settle(page);
    return await write(page, join(OUT, `${shot.name}-${look}-${width}.png`));
  } finally {
    await page.close();
  }
}

/** Waits until fonts are loaded and nothing moves any more. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Finishes fades; waiting would not help, since off-screen fades never end.
    for (const one of document.getAnimations()) {
      if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish();
    }
  });
}

async function write(page: Page, path: string): Promise<number> {
  const bytes = await page.screenshot({ caret: 'hide', animations: 'disabled' });
  if (bytes.length > MAX_BYTES) throw new Error(`${path} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  await writeFile(path, bytes);
  return (await stat(path)).size;
}

/** Copies the examples, so that screenshots do not change them. */
async function makeStage(root: string): Promise<(server: ServerProcess) => Stage> {
  await cp(join(PROJECT_ROOT, 'examples'), root, {
    recursive: true,
    filter: (source) => !/[/\\](\.svc|\.venv|__pycache__)([/\\]|$)/.test(source),
  });
  return (server) => ({ root, url: server.url });
}

const wanted = process.argv.slice(2);
const isWanted = ({ name }: Pick<Shot, 'name'>): boolean =>
  wanted.length === 0 || wanted.some((text) => name.includes(text));
const TOKEN = 'a-token-of-the-pictures';
const gpu = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: TOKEN } });
const ssh = whyNoSshd === null ? await startSshServer() : null;
if (whyNoSshd !== null) process.stdout.write(`without the pictures of ssh: ${whyNoSshd}\n`);
const shots = [...SHOTS, ...workerShots({ gpu, token: TOKEN, hasSsh: ssh !== null })].filter(isWanted);
await mkdir(OUT, { recursive: true });
// A short path that is always the same, because screenshots show it.
const root = join(await realpath(tmpdir()), 'cellar-pictures');
await rm(root, { recursive: true, force: true });
const browser = await chromium.launch({
  args: ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text'],
  ...chromiumProgram(),
});
let failed = 0;
try {
  const stageOf = await makeStage(root);
  const env = ssh === null ? {} : { PATH: [ssh.bin, process.env['PATH']].join(delimiter) };
  const server = await startServerProcess({ storageDir: root, grants: [root], env });
  try {
    for (const shot of shots) {
      for (const look of LOOKS) {
        for (const width of WIDTHS) {
          const name = `${shot.name}-${look}-${width}`;
          try {
            const bytes = await take(browser, server, { shot, look, width, stage: stageOf(server) });
            process.stdout.write(`${name}: ${Math.round(bytes / 1_000)} kB\n`);
          } catch (error) {
            // The other screenshots are still taken; the command fails at the end.
            failed += 1;
            process.stdout.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
          }
        }
      }
    }
  } finally {
    await server.stop();
  }
} finally {
  await browser.close();
  await gpu.stop();
  await ssh?.dispose();
  await rm(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
