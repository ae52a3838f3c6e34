/** Tests the order in which `scripts/lib/inLanes.mjs` starts the stages of `npm test`. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

interface Stage {
  readonly name: string;
  readonly after?: readonly string[];
}

/** The scripts are plain JavaScript. */
interface Script {
  inLanes<Result>(
    stages: readonly Stage[],
    run: (stage: Stage, before: readonly Result[]) => Promise<Result>,
    lanes?: number,
  ): Promise<readonly Result[]>;
}
const path = pathToFileURL(join(PROJECT_ROOT, 'scripts/lib/inLanes.mjs')).href;
const { inLanes } = (await import(path)) as Script; // the function declared above

interface Row {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly lanes?: number;
  /** The stages in the order in which they end. */
  readonly ends: readonly string[];
  /** The stages that run at the start and after each of these ends. */
  readonly running: readonly (readonly string[])[];
}

const rows: readonly Row[] = [
  {
    name: 'a free lane takes the next stage',
    stages: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }],
    ends: ['a', 'c', 'b', 'd'],
    running: [['a', 'b'], ['b', 'c'], ['b', 'd'], ['d'], []],
  },
  {
    name: 'a stage waits for its predecessor, and later ones start before it',
    stages: [{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c' }],
    ends: ['c', 'a', 'b'],
    running: [['a', 'c'], ['a'], ['b'], []],
  },
  {
    name: 'a stage waits for all of its predecessors',
    stages: [{ name: 'a' }, { name: 'b' }, { name: 'c', after: ['a', 'b'] }, { name: 'd', after: ['a'] }],
    ends: ['a', 'b', 'd', 'c'],
    running: [['a', 'b'], ['b', 'd'], ['d', 'c'], ['c'], []],
  },
  {
    name: 'one lane runs one stage after another',
    stages: [{ name: 'a' }, { name: 'b' }],
    lanes: 1,
    ends: ['a', 'b'],
    running: [['a'], ['b'], []],
  },
];

it.each(rows)('[AR-58] $name', async ({ stages, lanes, ends, running }) => {
  const open = new Map<string, () => void>();
  const run = ({ name }: Stage) =>
    new Promise<string>((resolve) => {
      open.set(name, () => {
        open.delete(name);
        resolve(`result of ${name}`);
      });
    });
  const all = inLanes(stages, run, lanes);
  const seen = [[...open.keys()]];
  for (const name of ends) {
    open.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
    seen.push([...open.keys()]);
  }
  expect(seen).toEqual(running);
  expect(await all).toEqual(stages.map(({ name }) => `result of ${name}`));
});

it('[AR-58] a stage gets the results of its predecessors', async () => {
  const stages = [{ name: 'a' }, { name: 'b' }, { name: 'c', after: ['b', 'a'] }];
  const results = await inLanes<string>(stages, async ({ name }, before) => `${name}(${before})`);
  expect(results).toEqual(['a()', 'b()', 'c(b(),a())']);
});

it('[AR-58] a missing predecessor is an error, not an endless wait', async () => {
  const stages = [{ name: 'a' }, { name: 'b', after: ['missing'] }];
  const run = inLanes(stages, async ({ name }) => name);
  await expect(run).rejects.toThrow('these stages wait for one that is missing: b');
});
