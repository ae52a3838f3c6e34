/**
 * Kills the program repeatedly at steps of publishing a cell's results, in one notebook. The next run must end and
 * print the right values: no result is stale or incomplete, and the notebook does not stay locked.
 * src-main/artifacts/storeKill.test.ts kills only the store.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISH_STEPS } from '../../src-main/artifacts/publishSteps.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

/**
 * A normal run kills before the bytes are in place, inside the transaction, and after it; storeKill.test.ts kills the
 * store at every step. LONG=1 kills at every step, and then at random ones.
 */
const OF_EACH_PART = ['blobs_synced', 'row_inserted', 'committed'];
const STEPS = rowsOfRun(PUBLISH_STEPS, (step) => OF_EACH_PART.includes(step));
const KILLS = process.env['LONG'] === '1' ? 1000 : STEPS.length;
const SEED = Number(process.env['SEED'] ?? 20_261_121);

describe('kill -9 while results are published', () => {
  let root = '';
  let dir = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-kill-'));
    dir = await writeReadyNotebook(join(root, 'kills'), {
      cells: [
        { id: 'root0001', source: 'start = 0' },
        { id: 'left0001', source: 'left = [start] * 1000' },
        { id: 'right001', source: 'right = {"start": start, "text": "x" * 70_000}' },
        { id: 'leaf0001', source: 'print("total", sum(left) + right["start"] + len(right["text"]))' },
      ],
    });
    const first = await svc(['run', dir, '--format', 'json']);
    expect(first.code, first.stderr).toBe(0);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it(
    `[CR-1] ${KILLS} kills, seed ${SEED}: no result is wrong, and the notebook does not stay locked`,
    async () => {
      const random = seeded(SEED);
      let killed = 0;
      for (let i = 1; i <= KILLS; i++) {
        const step = STEPS[i - 1];
        // A value that no earlier run had is certain to be published.
        const value = step === undefined ? Math.floor(random() * 20) : 100 + i;
        await writeFile(join(dir, 'cells/root0001.py'), `start = ${value}`);
        const killAt = `${step ?? pick(random, PUBLISH_STEPS)}:${1 + Math.floor(random() * 4)}`;
        const dying = await svc(['run', dir, '--format', 'json'], { env: { SVC_TEST_KILL_AT: killAt } });
        if (dying.signal === 'SIGKILL') killed++;
        const after = await svc(['run', dir, '--format', 'json']);
        expect(after.code, `kill ${i} at ${killAt}: ${after.stderr}${after.stdout}`).toBe(0);
        const report: RunReport = JSON.parse(after.stdout);
        const leaf = report.cells.find((cell) => cell.id === 'leaf0001');
        expect(leaf?.stdout, `kill ${i} at ${killAt}`).toBe(`total ${value * 1001 + 70_000}\n`);
      }
      // Values repeat, so some runs are hits, which publish nothing and are not killed; enough must have been killed.
      expect(killed).toBeGreaterThan(KILLS / 4);
    },
    // Ends a run that hangs; a busy machine takes several times as long as an idle one.
    KILLS * 40_000,
  );
});
