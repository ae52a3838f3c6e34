/**
 * Determines which external data (mounts, fetches, datasets, tables) a cell needs checked, and its part in the cell's
 * key. Pure; the check itself is an effect.
 */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { DataUse } from '../../mount/dataAccess.ts';
import {
  type DataFact,
  type DataItem,
  dataItemsOf,
  isResolved,
  isWritable,
  provenanceLine,
} from '../../mount/dataItem.ts';
import { defaultsOf } from '../state/defaults.ts';
import type { CellState, SessionState } from '../state/state.ts';

const NONE: readonly DataItem[] = [];

interface KnownItems {
  readonly entry: CellState['entry'];
  readonly defaults: string;
  readonly items: readonly DataItem[];
}

const cache = new WeakMap<CellState['analysis'], KnownItems>();

/** A notebook's mounts count for every cell that runs, used or not (docs/spec/provenance-and-cache.md, 1). */
export function dataOf(state: SessionState, cell: CellState): readonly DataItem[] {
  const { analysis, entry } = cell;
  const { annotations } = analysis;
  const hasNone =
    state.file.mounts.length === 0 &&
    entry.mounts.length === 0 &&
    annotations.mounts.length === 0 &&
    annotations.fetches.length === 0 &&
    annotations.datasets.length === 0 &&
    annotations.tables.length === 0;
  if (hasNone || !LANGUAGES[cell.language].readsValues) return NONE;
  const defaults = defaultsOf(state.file);
  const cached = cache.get(analysis);
  if (cached?.entry === entry && cached.defaults === defaults) return cached.items;
  const items = dataItemsOf({ notebook: state.file.mounts, cell: entry.mounts }, annotations);
  cache.set(analysis, { entry, defaults, items });
  return items;
}

/**
 * The data's part of the cell's provenance, from the last check; `run` names records that belong to one run.
 */
export function dataLines(state: SessionState, cell: CellState, run = ''): readonly string[] {
  return dataOf(state, cell).map((item) => provenanceLine(item, state.data.get(item.key), run));
}

/** The lines of `dataLines` as one text, for comparison; empty for cells without external data. */
export function dataText(state: SessionState, cell: CellState): string {
  const items = dataOf(state, cell);
  return items.length === 0 ? '' : dataLines(state, cell).join('\n');
}

/** Whether the last check could resolve all external data of the cell. */
export function isAllResolved(state: SessionState, cell: CellState): boolean {
  return dataOf(state, cell).every((item) => isResolved(item, state.data.get(item.key)));
}

/**
 * Whether a cell writes to a mount: it is then never answered from the store (docs/spec/provenance-and-cache.md, 3).
 */
export function writesOutside(state: SessionState, cell: CellState): boolean {
  return dataOf(state, cell).some(isWritable);
}

/** The data for a step: each item with its last check. */
export function dataUses(state: SessionState, cell: CellState): readonly DataUse[] {
  return dataOf(state, cell).map((item) => ({ item, fact: state.data.get(item.key) ?? null }));
}

/**
 * The data to check before the cell can be keyed: no check may be older than the run, nor older than the last
 * executed step of the run, which may have written a file. A URL is checked once a run.
 */
export function dataToCheck(state: SessionState, cell: CellState): readonly DataItem[] {
  const { running } = state;
  if (running === null) return NONE;
  return dataOf(state, cell).filter((item) => {
    if (item.fixed !== null) return false;
    const fact = state.data.get(item.key);
    const since = item.kind === 'fetch' ? running.startedAtMs : running.lastRanAtMs;
    return fact === undefined || fact.checkedAtMs < since;
  });
}

/** All data of all cells that needs a check, without duplicates. */
export function allData(state: SessionState): ReadonlyMap<string, DataItem> {
  const all = new Map<string, DataItem>();
  for (const cell of state.cells.values()) {
    for (const item of dataOf(state, cell)) if (item.fixed === null) all.set(item.key, item);
  }
  return all;
}

/** The state with the new checks, and without those that no cell needs any more. */
export function withFacts(state: SessionState, facts: readonly DataFact[]): SessionState {
  if (facts.length === 0) return state;
  const items = allData(state);
  const data = new Map<string, DataFact>();
  for (const [key, fact] of state.data) if (items.has(key)) data.set(key, fact);
  for (const fact of facts) {
    const old = data.get(fact.key);
    if (items.has(fact.key) && (old === undefined || old.checkedAtMs <= fact.checkedAtMs)) {
      data.set(fact.key, fact);
    }
  }
  return { ...state, data };
}
