/** Reads the stored iterations of a loop cell's newest run from the artifact store. */

import { setImmediate } from 'node:timers/promises';
import { artifactIdOf } from '../../../src-shared/notebook/artifactIds.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { iterationLabel, loopOf } from '../../../src-shared/notebook/loop.ts';
import type { LoopIteration } from '../../../src-shared/wire/routes/cells.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { CONSOLE_LABEL, displayLabel } from '../../run/cache.ts';
import { newestVersion } from '../keys/expected.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** Iterations to look up before yielding to other work. */
const SLICE = 64;

/** The stored iterations of a loop, with the variable that it carries. */
export interface LoopIterations {
  /** Null for a cell that is not a loop. */
  readonly variable: string | null;
  readonly iterations: LoopIteration[];
}

/**
 * The finished iterations of a loop's newest run, including a run in progress; a run that a stored result
 * answered counts as the newest. Reads the store; null for an unknown cell.
 */
export async function iterationsOf(
  state: SessionState,
  id: CellId,
  { store, variable }: { readonly store: ArtifactStore; readonly variable: string | null },
): Promise<LoopIterations | null> {
  const cell = state.cells.get(id);
  if (cell === undefined) return null;
  const loop = loopOf(cell.analysis);
  if (loop === null) return { variable: null, iterations: [] };
  const name = variable ?? loop.carry;
  const rowOf = newestRun(state, cell, { store, carry: loop.carry });
  const iterations: LoopIteration[] = [];
  for (let k = 0; ; k++) {
    const carryRow = rowOf(loop.carry, k);
    if (carryRow === null) break;
    const row = name === loop.carry ? carryRow : rowOf(name, k);
    if (row !== null) iterations.push(view(k, row));
    // There may be thousands.
    if (k % SLICE === SLICE - 1) await setImmediate();
  }
  return { variable: name, iterations };
}

/** The stored record of one iteration; bytes are not read. */
export interface StoredIteration {
  readonly iteration: number;
  /** The number of iterations. */
  readonly count: number;
  readonly carry: string;
  readonly row: ArtifactRow;
  readonly displays: readonly ArtifactRow[];
  readonly console: ArtifactRow | null;
}

/**
 * One finished iteration of a loop's newest run; null if there is none. @param at the number from 0, or from the end if
 * negative
 */
export function iterationOf(
  state: SessionState,
  cell: CellState,
  { store, at }: { readonly store: ArtifactStore; readonly at: number },
): StoredIteration | null {
  const loop = loopOf(cell.analysis);
  if (loop === null) return null;
  const { carry } = loop;
  const rowOf = newestRun(state, cell, { store, carry });
  const count = countOf((k) => rowOf(carry, k) !== null);
  const iteration = at < 0 ? count + at : at;
  const row = iteration < 0 || iteration >= count ? null : rowOf(carry, iteration);
  if (row === null) return null;
  const part = (label: string): ArtifactRow | null => rowOf(label, iteration);
  const displays = Array.from({ length: Number(row.params['display_count'] ?? 0) }, (_, i) =>
    part(displayLabel(i)),
  );
  return {
    iteration,
    count,
    carry,
    row,
    displays: displays.filter((display) => display !== null),
    console: row.params['printed'] === 'true' ? part(CONSOLE_LABEL) : null,
  };
}

/**
 * Counts the consecutive existing iterations from 0. Doubles, then bisects, because there may be thousands.
 */
function countOf(isThere: (k: number) => boolean): number {
  let low = 0;
  let high = 1;
  while (isThere(high - 1)) {
    low = high;
    high *= 2;
  }
  while (low < high - 1) {
    const middle = Math.floor((low + high) / 2);
    if (isThere(middle - 1)) low = middle;
    else high = middle;
  }
  return low;
}

/** The artifact rows of the newest run: for a label, its row in an iteration, or null. */
function newestRun(
  state: SessionState,
  cell: CellState,
  { store, carry }: { readonly store: ArtifactStore; readonly carry: string },
): (label: string, iteration: number) => ArtifactRow | null {
  const versions = (label: string, iteration: number): readonly ArtifactRow[] =>
    store.versions(artifactIdOf(state.notebookId, cell.id, iterationLabel(label, iteration)));
  const first = versions(carry, 0)[0];
  const result = newestVersion(cell, carry);
  const isResult = first === undefined || (result !== null && result.createdAt >= first.createdAt);
  const loopRun = (isResult ? result : first)?.params['loop_run'];
  if (loopRun === undefined) return () => null;
  return (label, iteration) =>
    versions(label, iteration).find((row) => row.params['loop_run'] === loopRun) ?? null;
}

function view(iteration: number, row: ArtifactRow): LoopIteration {
  return {
    iteration,
    artifact_uri: artifactUri(row.id, row.version),
    artifact_id: row.id,
    version: row.version,
    content_type: row.contentType === '' ? 'unknown' : row.contentType,
    byte_size: row.byteSize,
    row_count: row.rowCount,
    created_at: row.createdAt / 1_000,
  };
}
