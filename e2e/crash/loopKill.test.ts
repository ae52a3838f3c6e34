/**
 * Kills `svc run` at a random step of publishing, in a notebook with a loop that records each iteration. The next run
 * must have the right result, and may repeat at most the iteration that was running.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISH_STEPS } from '../../src-main/artifacts/publishSteps.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type RunReport, svc } from '../support/svcCommand.ts';

const KILLS = process.env['LONG'] === '1' ? 300 : 2;
/** With this seed, each of the first four kills is inside the loop. */
const SEED = Number(process.env['SEED'] ?? 20_261_136);
const ITERATIONS = 5;

describe('kill -9 while a loop runs', () => {
  let root = '';
  let dir = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-loop-kill-'));
    const loop = [
      `# @loop max_iter=${ITERATIONS} carry=state`,
      'with open("ran.txt", "a") as _file: _file.write(f"{len(state)}\\n")',
      'print("at", len(state))',
      'state = [*state, state[-1] * 3]',
    ];
    dir = await writeReadyNotebook(join(root, 'kills'), {
      cells: [
        { id: 'seed0001', source: 'state = [0]' },
        { id: 'loop0001', source: loop.join('\n') },
        { id: 'leaf0001', source: 'print("last", state[-1], len(state))' },
      ],
    });
    const first = await svc(['run', dir, '--format', 'json']);
    expect(first.code, first.stderr).toBe(0);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** The iterations that ran since the last call. */
  async function takeIterations(): Promise<readonly number[]> {
    const text = await readFile(join(dir, 'ran.txt'), 'utf8').catch(() => '');
    await rm(join(dir, 'ran.txt'), { force: true });
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(line) - 1);
  }

  it(
    `[LO-7] ${KILLS} kills, seed ${SEED}: no finished iteration runs again, and no result is wrong`,
    async () => {
      const random = seeded(SEED);
      let killedInside = 0;
      for (let i = 1; i <= KILLS; i++) {
        await takeIterations();
        await writeFile(join(dir, 'cells/seed0001.py'), `state = [${i}]`);
        const killAt = `${pick(random, PUBLISH_STEPS)}:${1 + Math.floor(random() * (ITERATIONS + 3))}`;
        const dying = await svc(['run', dir, '--format', 'json'], { env: { SVC_TEST_KILL_AT: killAt } });
        const before = await takeIterations();
        const where = `kill ${i} at ${killAt}, after ${before.join(' ')}`;
        expect(before, where).toEqual(before.map((_, at) => at));
        if (dying.signal === 'SIGKILL' && before.length > 0 && before.length < ITERATIONS) killedInside++;

        const after = await svc(['run', dir, '--format', 'json']);
        expect(after.code, `${where}: ${after.stderr}${after.stdout}`).toBe(0);
        const report: RunReport = JSON.parse(after.stdout);
        const stdoutOf = (id: string) => report.cells.find((cell) => cell.id === id)?.stdout;
        expect(stdoutOf('leaf0001'), where).toBe(`last ${i * 3 ** ITERATIONS} ${ITERATIONS + 1}\n`);
        const again = await takeIterations();
        const underWay = before.length - 1;
        expect([underWay, underWay + 1, undefined], `${where}, then ${again.join(' ')}`).toContain(again[0]);
        if (before.length === 0) expect(again, where).toHaveLength(ITERATIONS);
        if (again.length > 0) {
          expect(again.at(-1), where).toBe(ITERATIONS - 1);
          const output = Array.from({ length: ITERATIONS }, (_, k) => `at ${k + 1}\n`).join('');
          expect(stdoutOf('loop0001'), where).toBe(output);
        }
      }
      expect(killedInside).toBeGreaterThan(KILLS / 4);
    },
    KILLS * 60_000,
  );
});
