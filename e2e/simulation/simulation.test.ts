import { describe, expect, it } from 'vitest';
import { viewCells } from '../../src-main/session/view/view.ts';
import { consoleString } from '../../src-renderer/state/consoleText.ts';
import type { NotebookView } from '../../src-renderer/state/notebookStore.ts';
import { type Simulation, simulate } from './simulate.ts';

/** Seeds that found a fault before, with the fault. */
const FAULT_SEEDS: readonly (readonly [name: string, seed: number])[] = [
  ['the answer to one edit was treated as the answer to another', 5],
  ['an edit based on an older text overwrote a newer one', 8],
  ['another person’s text stayed visible after one’s own was accepted', 17],
  ['a state that arrived before the answer caused an edit to be sent twice', 28],
  ['a run of two cells that was stopped in the first got no answer', 2456],
  ['a stopped run of two cells got no answer, with frames in another order', 3368],
  ['a stopped run of two cells got no answer, after a refused edit', 3547],
  ['the late answer to an edit was treated as the answer to the next edit', 5654],
  ['a deletion of a cell overwrote a newer text with an older one', 1067],
  ['the output of a run was still shown after another run printed nothing', 9521],
];
const FIRST = Number(process.env['SIM_FIRST'] ?? 1);
const COUNT = Number(process.env['SIM_COUNT'] ?? (process.env['LONG'] === '1' ? 10_000 : 24));
const ACTS = 30;

function shown({ model }: NotebookView) {
  return model.order.map((id) => {
    const at = model.cells[id];
    if (at === undefined) throw new Error(`${id} is in the order and not there`);
    const { source, status, staleness_reasons, upstream_ids, downstream_ids, defines, artifact_uris, error } =
      at.cell;
    const links = { upstream_ids, downstream_ids, defines };
    const printed = { stdout: consoleString(at.stdout), stderr: consoleString(at.stderr) };
    return { id, source, status, staleness_reasons, ...links, artifact_uris, error, ...printed };
  });
}

function held({ server }: Simulation) {
  return viewCells(server.state).map((cell) => {
    const {
      id,
      source,
      status,
      staleness_reasons,
      upstream_ids,
      downstream_ids,
      defines,
      artifact_uris,
      error,
    } = cell;
    const links = { upstream_ids, downstream_ids, defines };
    const printed = { stdout: cell.console_stdout, stderr: cell.console_stderr };
    return { id, source, status, staleness_reasons, ...links, artifact_uris, error, ...printed };
  });
}

type When = Parameters<Parameters<typeof simulate>[1]['judge']>[1];

/** The differences between windows and server, and lost texts, one message each. */
function faults(simulation: Simulation, when: When): readonly string[] {
  const { people, typed, server, disordered } = simulation;
  const truth = held(simulation);
  const order = (cells: readonly { readonly id: string }[]): string => cells.map(({ id }) => id).join(' ');
  const different = people.flatMap(({ window, name }) => {
    const seen = shown(window.store.getState());
    if (order(seen) !== order(truth)) return [`${name} shows ${order(seen)} for ${order(truth)}`];
    return seen.flatMap((cell, at) => {
      const keys = (Object.keys(cell) as (keyof typeof cell)[]).filter(
        (key) => when === 'after a sync' || key !== 'artifact_uris',
      );
      return keys.flatMap((key) => {
        const [is, should] = [JSON.stringify(cell[key]), JSON.stringify(truth[at]?.[key])];
        return is === should ? [] : [`${name} shows ${cell.id}.${key} ${is} for ${should}`];
      });
    });
  });
  const lost = typed.filter(({ by, cellId, token }) => {
    const source = [...server.state.cells.values()].find(({ id }) => id === cellId)?.source;
    const draft = by.window.store.getState().drafts[cellId]?.text;
    return source !== undefined && !source.includes(token) && draft?.includes(token) !== true;
  });
  const words = lost.map(({ by, cellId, token }) => `what ${by.name} typed into ${cellId} is lost: ${token}`);
  return [...disordered, ...different, ...words];
}

function judge(simulation: Simulation, when: When): void {
  const problems = faults(simulation, when);
  if (problems.length > 0) throw new Error([when, ...problems].join('\n'));
}

describe('[LP-60] windows of one notebook agree, despite connections that drop and windows that read late', () => {
  it.each(FAULT_SEEDS)('%s (seed %i)', (_name, seed) => simulate(seed, { acts: ACTS, judge }));

  const SLICE = 50;
  const slices = Array.from({ length: Math.ceil(COUNT / SLICE) }, (_, at) => FIRST + at * SLICE);
  it.each(slices)(
    'seeds from %i on',
    async (first) => {
      const broken: string[] = [];
      for (let seed = first; seed < Math.min(first + SLICE, FIRST + COUNT); seed += 1) {
        await simulate(seed, { acts: ACTS, judge }).catch((error: unknown) => {
          broken.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
        });
      }
      expect(broken).toEqual([]);
    },
    300_000,
  );
});
