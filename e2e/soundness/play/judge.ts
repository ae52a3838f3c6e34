/**
 * Compares the shown cells of a notebook with a plain Python interpreter: the same, different with a warning, or
 * silently different.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import type { PlainCell } from '../plain/plainInterpreter.ts';

export type Verdict = 'same' | 'refused with a message' | 'differs with a message' | 'SILENTLY DIFFERENT';
const WORST_LAST: readonly Verdict[] = [
  'same',
  'refused with a message',
  'differs with a message',
  'SILENTLY DIFFERENT',
];

export interface Judgement {
  readonly verdict: Verdict;
  /** A readable description of the differences; empty if there are none. */
  readonly detail: string;
}

export const SAME: Judgement = { verdict: 'same', detail: '' };

export function worse(one: Judgement, other: Judgement): Judgement {
  return WORST_LAST.indexOf(other.verdict) > WORST_LAST.indexOf(one.verdict) ? other : one;
}

/** What a notebook shows at one moment. */
export interface Shown {
  readonly cells: readonly Cell[];
  readonly variables: readonly StoredVariable[];
  /** Warnings and diagnostics by cell. */
  readonly messages: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares every cell that is shown as current with what the plain interpreter printed there. A cell that is idle or
 * stale shows nothing as current.
 */
export function judge(shown: Shown, plain: readonly PlainCell[]): Judgement {
  let worst = SAME;
  for (const [index, cell] of shown.cells.entries()) {
    const expected = plain[index];
    if (expected === undefined) continue;
    const judgement = judgeCell(shown, cell, expected);
    // A cell above reports its changes to values of other cells only when it runs: before that no warning is due.
    if (judgement.verdict === 'SILENTLY DIFFERENT' && !shown.cells.slice(0, index).every(hasRun)) continue;
    worst = worse(worst, judgement);
  }
  return worst;
}

/** For values that differ in every run: all cells shown as current must have printed the variable's value. */
export function judgeAgreement(shown: Shown, name: string): Judgement {
  const ready = new Map(shown.cells.map((cell) => [cell.id, cell.status === 'ready']));
  const values = [
    ...shown.cells
      .filter(({ id }) => ready.get(id))
      .map(({ console_stdout }) => console_stdout.trim())
      .filter((text) => text !== ''),
    ...shown.variables
      .filter(({ name: one, cell_id, value }) => one === name && ready.get(cell_id) && value !== null)
      .map(({ value }) => (value ?? '').replace(/^"(.*)"$/, '$1')),
  ];
  if (new Set(values).size <= 1) return SAME;
  return { verdict: differenceVerdict(shown), detail: `${name} is ${values.join(' and ')}` };
}

/** Whether the cell has run, so that its changes to values of other cells are known. */
export function hasRun({ status }: Cell): boolean {
  return status === 'ready' || status === 'error';
}

function judgeCell(shown: Shown, cell: Cell, expected: PlainCell): Judgement {
  if (cell.status === 'error') {
    // A cell that did not run because one above failed also fails in plain Python, which lacks that cell's values.
    const isRight = (name: string) => cell.error?.includes(name) || cell.error?.startsWith('Not run: ');
    if (expected.error !== null && isRight(expected.error)) return SAME;
    const detail = `${cell.id} failed: ${cell.error?.trim().split('\n').at(-1) ?? ''}`;
    return { verdict: cell.error ? 'refused with a message' : 'SILENTLY DIFFERENT', detail };
  }
  if (cell.status !== 'ready') return SAME;
  const differences = differencesOf(shown, cell, expected);
  if (differences.length === 0) return SAME;
  return { verdict: differenceVerdict(shown), detail: `${cell.id} ${differences.join('; ')}` };
}

/** How a cell shown as current differs from the expected result; empty if it does not. */
export function differencesOf(
  shown: Pick<Shown, 'variables'>,
  cell: Cell,
  expected: PlainCell,
): readonly string[] {
  const differences: string[] = [];
  if (expected.error !== null) differences.push(`is ready, plain Python raises ${expected.error}`);
  // A hit replays the console only if no cell reads the cell (docs/spec/provenance-and-cache.md, 3).
  const replays = cell.console_stdout !== '' || cell.is_leaf;
  if (replays && cell.console_stdout !== expected.stdout)
    differences.push(
      `printed ${JSON.stringify(cell.console_stdout)}, plain ${JSON.stringify(expected.stdout)}`,
    );
  const display = cell.display_outputs.at(-1);
  if (expected.display !== null && display?.content_type === 'json/object' && !display.preview_truncated) {
    const [value] = expected.display;
    if (!isDeepStrictEqual(display.preview, value))
      differences.push(`shows ${JSON.stringify(display.preview)}, plain ${JSON.stringify(value)}`);
  }
  for (const { name, cell_id, value } of shown.variables) {
    if (cell_id !== cell.id || value === null || !(name in expected.variables)) continue;
    const plain = expected.variables[name];
    if (!isDeepStrictEqual(JSON.parse(value), plain))
      differences.push(`keeps ${name} = ${value}, plain ${JSON.stringify(plain)}`);
  }
  return differences;
}

function differenceVerdict({ messages }: Shown): Verdict {
  return [...messages.values()].some(({ length }) => length > 0)
    ? 'differs with a message'
    : 'SILENTLY DIFFERENT';
}
