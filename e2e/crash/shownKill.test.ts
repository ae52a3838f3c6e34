/**
 * Kills a real server right after an answer and at random moments, some with a full disk: after the restart the last
 * answer is shown, no outdated result is ready, and no edit is lost.
 */

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfRun } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { pick, seeded } from '../support/seeded.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type SmallDisk, smallDisk } from '../support/smallDisk.ts';
import { editUntilKilled, FIRST_CELLS, newKnownTexts, problemsOf } from './killedNotebook.ts';

const KILLS = Number(process.env['KILLS'] ?? (process.env['LONG'] === '1' ? 2_000 : 4));
const SEED = Number(process.env['SEED'] ?? 20_261_125);
/** One kill in so many happens while the disk is full. */
const FULL_EVERY = 10;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-shown-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Kills right after an answer; each row has its own notebook. */
const ANSWERS: readonly {
  readonly name: string;
  readonly cells: Readonly<Record<string, string>>;
  /** `before` is followed by an orderly stop of the server, `last` by a kill. */
  readonly before: (at: Notebook) => Promise<unknown>;
  readonly last: (at: Notebook) => Promise<unknown>;
  readonly shows: Readonly<Record<string, readonly [status: string, stdout: string, display: string | null]>>;
}[] = [
  {
    name: 'an edit above a leaf, then a run of the leaf',
    cells: { a: 'x = 1', b: 'print("x", x)\nx * 10' },
    before: (at) => at.execute('b'),
    last: async (at) => {
      await at.edit('a', 'x = 2');
      await at.execute('b');
    },
    shows: { a: ['ready', '', null], b: ['ready', 'x 2\n', '20'] },
  },
  {
    name: 'a run of a cell that another cell reads',
    cells: { a: 'x = 1', b: 'y = x + 1\nprint("y", y)\ny', c: 'print(y)' },
    before: (at) => at.execute('c'),
    last: async (at) => {
      await at.edit('a', 'x = 5');
      await at.execute('b');
    },
    shows: { a: ['ready', '', null], b: ['ready', 'y 6\n', '6'] },
  },
  {
    name: 'an edit that is undone, then a cache hit',
    cells: { a: 'x = 1', b: 'y = x + 1\nprint("y", y)\ny', c: 'print("c", y)' },
    before: async (at) => {
      await at.execute('c');
      await at.edit('a', 'x = 5');
      await at.execute('c');
    },
    last: async (at) => {
      await at.edit('a', 'x = 1');
      await at.execute('c');
    },
    shows: { b: ['ready', 'y 2\n', '2'], c: ['ready', 'c 2\n', null] },
  },
  {
    name: 'a cell that failed and now succeeds',
    cells: { a: 'x = 0', b: 'print("dividing")\nprint(10 // x)' },
    before: async (at) => {
      await at.execute('b');
      await at.edit('a', 'x = 0 ');
      await at.execute('b');
    },
    last: async (at) => {
      await at.edit('a', 'x = 2');
      await at.execute('b');
    },
    shows: { b: ['ready', 'dividing\n5\n', null] },
  },
  {
    name: 'a cell that failed, then a cache hit of its old text',
    cells: { a: 'x = 2', b: 'print("dividing")\nprint(10 // x)' },
    before: async (at) => {
      await at.execute('b');
      await at.edit('a', 'x = 0');
      await at.execute('b');
    },
    last: async (at) => {
      await at.edit('a', 'x = 2');
      await at.execute('b');
    },
    shows: { b: ['ready', 'dividing\n5\n', null] },
  },
  {
    name: 'a text that failed, then the previous text without a run',
    cells: { a: 'print("good")\n1' },
    before: async (at) => {
      await at.execute('a');
      await at.edit('a', 'print("bad")\n1 // 0');
      await at.execute('a');
    },
    last: (at) => at.edit('a', 'print("good")\n1'),
    shows: { a: ['ready', 'good\n', '1'] },
  },
  {
    name: 'a loop',
    cells: {
      a: 'n = [1]',
      l: '# @loop max_iter=3 carry=n\nn = [*n, n[-1] * 2]\nprint(n[-1])\nlen(n)',
      c: 'print(n)',
    },
    before: (at) => at.execute('c'),
    last: async (at) => {
      await at.edit('a', 'n = [3]');
      await at.execute('c');
    },
    shows: { l: ['ready', '6\n12\n24\n', '4'], c: ['ready', '[3, 6, 12, 24]\n', null] },
  },
  {
    name: 'a cell with @nocache that another cell reads',
    cells: { a: 'x = 1', b: '# @nocache\ny = x + 1\nprint("y", y)\ny', c: 'print("c", y)' },
    before: (at) => at.execute('c'),
    last: async (at) => {
      await at.edit('a', 'x = 5');
      await at.execute('c');
    },
    shows: { c: ['ready', 'c 6\n', null] },
  },
];

type Notebook = Awaited<ReturnType<typeof openNotebook>>;

describe('a kill right after the answer', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess({ grants: [root] });
  });
  afterAll(() => server.dispose());

  // Kills at any moment, below, have edits and runs; loopKill.test.ts has loops.
  const rows = rowsOfRun(
    ANSWERS,
    ({ name }) => name.endsWith('a cache hit') || name.endsWith('of its old text'),
  );
  for (const [index, { name, cells, before, last, shows }] of rows.entries()) {
    it(`[SO-213] shows the last answer: ${name}`, async () => {
      const dir = join(root, `answer${index}`);
      await writeReadyNotebook(dir, { cells: Object.entries(cells).map(([id, source]) => ({ id, source })) });
      const first = await openNotebook(server, dir);
      await before(first);
      // Closing writes the records of these runs; the kill is before the next such write.
      expect((await first.close()).status).toBe(200);
      await last(await openNotebook(server, dir));
      await server.stop('SIGKILL');
      server = await startServerProcess({ grants: [root] });
      const opened = await openNotebook(server, dir);
      for (const [id, expected] of Object.entries(shows)) {
        const { status, console_stdout, display_output, error } = await opened.cell(id);
        const display = display_output == null ? null : String(display_output.preview);
        expect([id, status, console_stdout, display, error ?? null]).toEqual([id, ...expected, null]);
      }
    });
  }
});

/** The number of notebooks of one server: a kill interrupts each of them at a different moment. */
const NOTEBOOKS = 4;

describe('kills at any moment', () => {
  let disk: SmallDisk | null = null;
  let home = '';
  beforeAll(async () => {
    home = join(root, 'killed');
    await mkdir(home);
    disk = smallDisk(home, '256m');
    if (disk === null) console.log('full disks are left out: this machine cannot mount one');
  });
  afterAll(() => disk?.remove());

  it(
    `[SO-213] [SO-214] ${KILLS} kills, seed ${SEED}: no outdated result is shown as ready, no edit is lost`,
    async () => {
      const random = seeded(SEED);
      const all = Array.from({ length: NOTEBOOKS }, (_, i) => ({
        dir: join(home, `notebook${i}`),
        known: newKnownTexts(),
      }));
      for (const { dir } of all) await writeReadyNotebook(dir, { cells: FIRST_CELLS });
      const wrong: string[] = [];
      let server: ServerProcess = await startServerProcess({ grants: [home] });
      const checkAll = async (when: string): Promise<Notebook[]> => {
        const opened: Notebook[] = [];
        for (const { dir, known } of all) {
          const notebook = await openNotebook(server, dir);
          const read = (id: string) => readFile(join(dir, `cells/${id}.py`), 'utf8');
          wrong.push(...(await problemsOf(notebook, { known, read })).map((words) => `${when}: ${words}`));
          opened.push(notebook);
        }
        return opened;
      };
      try {
        for (let done = 0; done < KILLS; done += NOTEBOOKS) {
          const opened = await checkAll(`after ${done} kills`);
          const round = done / NOTEBOOKS + 1;
          const makeRoom = disk !== null && round % FULL_EVERY === 0 ? await disk.fill() : null;
          // The kill is right after an answer to one of the notebooks, or a little later, during the next request.
          const killAt = 1 + Math.floor(random() * 4);
          const late = pick(random, [0, 0, 1, 5, 20, 50, 200]) * random();
          let reach = (): void => {};
          const reached = new Promise<void>((resolve) => {
            reach = resolve;
          });
          const acting = opened.map((notebook, i) =>
            editUntilKilled(notebook, {
              known: all[i]?.known ?? newKnownTexts(),
              random,
              onAnswer: (count) => (i === 0 && count === killAt ? reach() : undefined),
            }),
          );
          await Promise.race([reached, ...acting]);
          if (late >= 1) await new Promise((resolve) => setTimeout(resolve, late));
          await server.stop('SIGKILL');
          await Promise.all(acting);
          await makeRoom?.();
          server = await startServerProcess({ grants: [home] });
        }
        await checkAll('at the end');
      } finally {
        await server.dispose();
      }
      const sum = (of: 'checked' | 'ready') => all.reduce((total, { known }) => total + known[of], 0);
      console.log(`${KILLS} kills: ${sum('checked')} shown values compared, ${sum('ready')} of them ready`);
      expect(wrong).toEqual([]);
      expect(sum('ready')).toBeGreaterThan(0);
    },
    KILLS * 20_000 + 60_000,
  );
});
