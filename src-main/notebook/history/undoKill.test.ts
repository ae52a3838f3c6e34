/**
 * The stored undo record under `kill -9`: a child process is killed while it writes, and the record must
 * still be complete.
 */

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pick, seeded } from '../../../e2e/support/seeded.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
import { stackOf } from './testing/undoKillStack.ts';
import { createUndoRecord } from './undoStack.ts';

const CHILD = fileURLToPath(new URL('./testing/undoKillChild.ts', import.meta.url));
const KILLS = process.env['LONG'] === '1' ? 200 : 3;
const SEED = Number(process.env['SEED'] ?? 20_261_125);

/**
 * Runs a process that stores stacks from `first` on, and kills it when it prints the line.
 * @returns the last stack that it reported as stored
 */
function killedAt(dir: string, first: number, line: string): Promise<number> {
  const child = spawn(process.execPath, [CHILD, dir, String(first)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  let last = first - 1;
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on('line', (printed) => {
    if (printed.startsWith('kept ')) last = Number(printed.slice(5));
    if (printed === line) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(last);
      else reject(new Error(stderr));
    });
  });
}

test(`[HI-23] ${KILLS} kills while the undo record is written: it is complete (seed ${SEED})`, {
  timeout: KILLS * 40_000,
}, async () => {
  const random = seeded(SEED);
  const dir = notebookFolder(await mkdtemp(join(tmpdir(), 'undo-kill-')));
  await mkdir(join(dir, '.svc'));
  let last = 0;
  let interrupted = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const line = `${pick(random, ['begun', 'begun', 'kept'])} ${last + 1 + Math.floor(random() * 3)}`;
    const lastStored = await killedAt(dir, last + 1, line);
    const { stack, problem } = await createUndoRecord(dir).load();
    const where = `kill ${kill} at ${line}, kept ${lastStored}`;
    expect(problem, where).toBeNull();
    const count = Number(/\d+$/.exec(stack.done.at(-1)?.changes.map(cellOf).join() ?? '')?.[0] ?? 0);
    // Reported stacks are stored; the one in progress may be.
    expect(count, where).toBeGreaterThanOrEqual(lastStored);
    if (count > 0) expect(stack, where).toMatchObject(stackOf(count));
    if (count < Number(line.split(' ')[1])) interrupted += 1;
    last = count;
  }
  expect(interrupted).toBeGreaterThan(0);
  await rm(dir, { recursive: true, force: true });
});

function cellOf(change: object): string {
  return 'cellId' in change ? String(change.cellId) : '';
}
