import { renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type CommandEnd, type RunReport, svc } from '../support/svcCommand.ts';

/**
 * The first six kills are one of each kind, before and after the carry is made. A normal run has the first two, of the
 * program and of the cell's process.
 */
const KILLS = process.env['LONG'] === '1' ? 100 : 2;
const SEED = Number(process.env['SEED'] ?? 20_261_123);
const ITERATIONS = 5;
const WHO = ['program', 'process', 'both'] as const;

interface Kill {
  readonly at: number;
  readonly who: (typeof WHO)[number];
  /** Whether the kill is before the iteration makes its carry. */
  readonly early: boolean;
}

/** A loop in which each iteration records that it runs and a chosen one kills the program, its own process, or both. */
const LOOP = `# @loop max_iter=${ITERATIONS} carry=state
import json, os, signal, time
def _die(early):
    try:
        with open("kill.json") as _file: _plan = json.load(_file)
    except FileNotFoundError:
        return
    if _plan["at"] != len(state) - (1 if early else 2) or _plan["early"] != early: return
    if _plan["who"] != "process":
        while not os.path.exists("program.pid"): time.sleep(0.005)
        with open("program.pid") as _file: os.kill(int(_file.read()), signal.SIGKILL)
    if _plan["who"] != "program": os.kill(os.getpid(), signal.SIGKILL)
with open("ran.txt", "a") as _file: _file.write(f"{len(state) - 1}\\n")
print("at", len(state))
_die(True)
state = [*state, state[-1] * 3]
_die(False)
del _die, _file
`;

/**
 * Kills the cell's own process, the whole program, or both in the middle of an iteration, not at a step of the program.
 * Iterations that finished before are served from the store, also after the loop ran with another value in between;
 * no other run uses anything of a run that was killed, and the notebook opens again.
 */
describe('kill -9 in the middle of an iteration', () => {
  let root = '';
  let dir = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-loop-cut-'));
    dir = await writeReadyNotebook(join(root, 'kills'), {
      cells: [
        { id: 'seed0001', source: 'state = [0]' },
        { id: 'loop0001', source: LOOP },
        { id: 'leaf0001', source: 'print("last", state[-1], len(state))' },
      ],
    });
    const first = await svc(['run', dir, '--format', 'json']);
    expect(first.code, first.stderr + first.stdout).toBe(0);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const file = (name: string) => join(dir, name);
  const setSeed = (value: number) => writeFile(file('cells/seed0001.py'), `state = [${value}]`);

  /** The iterations that ran since the last call. */
  async function ran(): Promise<readonly number[]> {
    const text = await readFile(file('ran.txt'), 'utf8').catch(() => '');
    await rm(file('ran.txt'), { force: true });
    return text.split('\n').flatMap((line) => (line === '' ? [] : [Number(line)]));
  }

  async function runKilled(kill: Kill): Promise<CommandEnd> {
    await writeFile(file('kill.json'), JSON.stringify(kill));
    const ended = await svc(['run', dir, '--format', 'json'], {
      // The file is complete when it appears, because the cell reads it immediately.
      onStart: (pid) => {
        writeFileSync(file('program.pid.new'), String(pid));
        renameSync(file('program.pid.new'), file('program.pid'));
      },
    });
    await Promise.all([rm(file('kill.json')), rm(file('program.pid'))]);
    return ended;
  }

  /** Runs the loop again from this value, which must give the right result. @returns the iterations that ran */
  async function runWhole(seed: number, where: string): Promise<readonly number[]> {
    await setSeed(seed);
    const ended = await svc(['run', dir, '--format', 'json']);
    expect(ended.code, `${where}: ${ended.stderr}${ended.stdout}`).toBe(0);
    const report: RunReport = JSON.parse(ended.stdout);
    const stdoutOf = (id: string) => report.cells.find((cell) => cell.id === id)?.stdout;
    expect(stdoutOf('leaf0001'), where).toBe(`last ${seed * 3 ** ITERATIONS} ${ITERATIONS + 1}\n`);
    const output = Array.from({ length: ITERATIONS }, (_, k) => `at ${k + 1}\n`).join('');
    expect(stdoutOf('loop0001'), where).toBe(output);
    return ran();
  }

  const from = (first: number) => Array.from({ length: ITERATIONS - first }, (_, k) => first + k);

  it(
    `[LO-7] ${KILLS} kills, seed ${SEED}: only finished iterations are served from the store`,
    async () => {
      const random = seeded(SEED);
      await ran();
      for (let i = 1; i <= KILLS; i += 1) {
        const kill: Kill = {
          at: Math.floor(random() * ITERATIONS),
          who: WHO[i - 1] ?? WHO[i - 4] ?? pick(random, WHO),
          early: i <= 6 ? i <= 3 : random() < 0.5,
        };
        const where = `kill ${i}: ${JSON.stringify(kill)}`;
        await setSeed(i);
        const ended = await runKilled(kill);
        expect(await ran(), where).toEqual(from(0).slice(0, kill.at + 1));
        if (kill.who === 'process') {
          expect([ended.signal, ended.code], where).toEqual([null, 1]);
          const report: RunReport = JSON.parse(ended.stdout);
          const loop = report.cells.find((cell) => cell.id === 'loop0001');
          expect(loop?.error, where).toContain(`Iteration ${kill.at} (of at most ${ITERATIONS})`);
        } else expect(ended.signal, where).toBe('SIGKILL');
        // A run with another value in between must reuse none of these iterations, and must not remove them.
        if (random() < 0.4) expect(await runWhole(1_000 + i, where), where).toEqual(from(0));
        expect(await runWhole(i, where), where).toEqual(from(kill.at));
      }
    },
    KILLS * 60_000,
  );
});
