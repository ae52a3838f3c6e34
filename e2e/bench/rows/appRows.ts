/** Benchmark rows of the packaged desktop app: its start and its memory. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { APP, personAt, startApp } from '../../desktop/desktopApp.ts';
import type { Group } from '../row.ts';

/** Starts a virtual screen for this group. @returns its process and its name for DISPLAY */
async function ownScreen(): Promise<{ readonly display: string; readonly process: ChildProcess }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const output = screen.stdio[3] as Readable; // requested above
  const number = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject);
    output.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
  });
  return { display: `:${number}`, process: screen };
}

/** The packaged app, built by `npm run dist -- --dir`; without it, the row is skipped with a message. */
export const appRows: Group = {
  title: 'the packaged app',
  async run(record, { smoke }) {
    if (!existsSync(APP)) {
      process.stderr.write('bench: no packaged app here; `npm run dist -- --dir` makes one\n');
      return;
    }
    const screen = process.env['DISPLAY'] === undefined ? await ownScreen() : null;
    const env = screen === null ? {} : { DISPLAY: screen.display };
    const home = await realpath(await mkdtemp(join(tmpdir(), 'cellar-bench-')));
    const person = await personAt(home);
    const samples: number[] = [];
    // The first start writes the caches of Electron that later starts use.
    for (let i = 0; i < (smoke ? 3 : 8); i += 1) {
      const { usableMs, quit } = await startApp(person, { env });
      if (i > 0) samples.push(usableMs);
      await quit();
    }
    record('app start', samples);
    screen?.process.kill();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
};
