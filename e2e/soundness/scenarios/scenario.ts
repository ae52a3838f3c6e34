/**
 * Random scenarios for the soundness test: a notebook, and the edits, runs, file changes and restarts that happen to
 * it.
 */

import { pick, seeded } from '../../support/seeded.ts';
import type { Step } from '../rows/row.ts';
import { DATA_PATHS, draw, type Feature, MOUNTED_PATHS, type Random, randomCell } from './grammar.ts';

export type ScenarioStep =
  | Step
  | 'runAll'
  /** Kills the server and opens the notebook on a new one. */
  | 'kill'
  | { readonly killAfterRun: number }
  | { readonly killDuringRun: number };

/** A notebook and its steps; the same for the same seed. */
export interface Scenario {
  readonly cells: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly ScenarioStep[];
}

const STEPS = [
  'edit',
  'revert',
  'comment',
  'runOne',
  'runAll',
  'setEnvironment',
  'writeMounted',
  'writeData',
  'removeData',
  'editFile',
  'rerun',
  'force',
  'reopen',
  'kill',
  'killAfterRun',
  'killDuringRun',
] as const satisfies readonly Feature[];

const SHORTEST = 8;
const LONGEST = 20;

export function scenarioOf(seed: number): Scenario {
  const random = seeded(seed);
  const cells: string[] = [];
  for (let left = 3 + Math.floor(random() * 6); left > 0; left--) cells.push(randomCell(random, cells));
  const texts = [...cells];
  const past = cells.map((text) => [text]);
  const count = SHORTEST + Math.floor(random() * (LONGEST - SHORTEST));
  const steps = Array.from({ length: count }, () => randomStep(random, texts, past));
  return { cells, env: { MODE: 'a' }, steps };
}

/** @param texts the cells' current texts; an edit changes them and `past`, the earlier texts of each cell */
function randomStep(random: Random, texts: string[], past: string[][]): ScenarioStep {
  const cell = Math.floor(random() * texts.length);
  const to = (text: string): string => {
    texts[cell] = text;
    past[cell]?.push(text);
    return text;
  };
  const kind = draw(random, STEPS);
  switch (kind) {
    case 'edit':
      return { edit: [cell, to(randomCell(random, texts.slice(0, cell)))] };
    case 'editFile':
      return { editFile: [cell, to(randomCell(random, texts.slice(0, cell)))] };
    case 'revert':
      return { edit: [cell, to(pick(random, past[cell] ?? []))] };
    case 'comment':
      return { edit: [cell, to(`${texts[cell]}\n# ${Math.floor(random() * 9)}`)] };
    case 'runOne':
      return { runOnly: cell };
    case 'rerun':
      return { rerun: cell };
    case 'force':
      return { force: cell };
    case 'setEnvironment':
      return {
        env: pick(random, [{ MODE: 'a' }, { MODE: 'bb' }, {}, { MODE: 'a', OTHER: 'x' }] as Record<
          string,
          string
        >[]),
      };
    case 'writeMounted':
      return { file: [pick(random, MOUNTED_PATHS), String(Math.floor(random() * 20))] };
    case 'writeData':
      return { file: [pick(random, DATA_PATHS), String(Math.floor(random() * 20))] };
    case 'removeData':
      return { remove: pick(random, DATA_PATHS) };
    case 'killAfterRun':
      return { killAfterRun: cell };
    case 'killDuringRun':
      return { killDuringRun: cell };
    case 'runAll':
    case 'reopen':
    case 'kill':
      return kind;
    default:
      return kind satisfies never;
  }
}
