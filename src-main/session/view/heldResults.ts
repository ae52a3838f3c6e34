/** Determines which stored versions the notebook needs, and why, so that a sweep does not delete them. */

import { parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import { ITERATION_MARK, loopOf } from '../../../src-shared/notebook/loop.ts';
import { readVariantLabel } from '../../../src-shared/notebook/variants.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { CONSOLE_LABEL, displayLabel } from '../../run/cache.ts';
import { injectedOf } from '../../run/shared/pinned.ts';
import { newestVersion } from '../keys/expected.ts';
import { keyedSourceHash } from '../keys/setupCell.ts';
import type { CellState, SessionState } from '../state/state.ts';

/**
 * Why the notebook needs a stored version: it is a cell's current value, it is shown, it is an iteration of
 * the loop run behind the result or of one that can be resumed, or restoring a deleted cell needs it.
 */
export type HoldReason = 'current' | 'shown' | 'iteration' | 'restorable';

/**
 * The versions a sweep must retain, with the reason: current values of everything the notebook's cells still
 * store or show (docs/spec/configuration.md, 3). @param deleted ids of the deleted cells that can be restored
 */
export function heldResults(
  state: SessionState,
  deleted: ReadonlySet<string>,
  rows: readonly ArtifactRow[],
): (row: ArtifactRow) => HoldReason | null {
  const cells = new Map<string, CellState>(state.cells);
  const displayUris = new Set(
    [...cells.values()].flatMap(({ displays }) => displays.map((display) => display.artifact_uri)),
  );
  const nameOf = (row: ArtifactRow) =>
    parseArtifactId(state.notebookId, row.id, (id) => cells.has(id) || deleted.has(id));
  const loopRuns = heldLoopRuns(state, newestOfLoops(rows, nameOf));
  return (row) => {
    const name = nameOf(row);
    if (name === null) return null;
    const cell = cells.get(name.cellId);
    if (cell === undefined) return row.state === 'ready' ? 'restorable' : null;
    if (displayUris.has(artifactUri(row.id, row.version))) return 'shown';
    if (name.label.includes(ITERATION_MARK)) {
      // Even if a killed run has replaced it with its own.
      return loopRuns.get(name.cellId)?.has(row.params['loop_run']) === true ? 'iteration' : null;
    }
    if (row.state !== 'ready') return null;
    return isStoredStill(state, cell, name.label) ? 'current' : null;
  };
}

/** URIs of the values a version's code was pinned to. */
export function pinnedUris(row: ArtifactRow): readonly string[] {
  return Object.values(injectedOf(row)).map(({ uri }) => uri);
}

type LabelReader = (row: ArtifactRow) => { readonly cellId: string; readonly label: string } | null;

/** The last stored version of each loop, of an iteration or of its end. */
function newestOfLoops(rows: readonly ArtifactRow[], named: LabelReader): ReadonlyMap<string, ArtifactRow> {
  const newest = new Map<string, ArtifactRow>();
  for (const row of rows) {
    const name = row.params['loop_run'] === undefined ? null : named(row);
    if (name === null) continue;
    const before = newest.get(name.cellId);
    if (before === undefined || before.createdAt < row.createdAt) newest.set(name.cellId, row);
  }
  return newest;
}

/**
 * The runs of each loop that are needed: the one behind its result and, if the loop must run, the one it
 * resumes. The rows of a stopped or killed run are not needed once the loop is ready or has another text.
 */
function heldLoopRuns(
  state: SessionState,
  newest: ReadonlyMap<string, ArtifactRow>,
): ReadonlyMap<string, ReadonlySet<string | undefined>> {
  const cells = new Map<string, CellState>(state.cells);
  const runs = new Map<string, Set<string | undefined>>();
  for (const [cellId, row] of newest) {
    const cell = cells.get(cellId);
    const loop = cell === undefined ? null : loopOf(cell.analysis);
    if (cell === undefined || loop === null) continue;
    const result = newestVersion(cell, loop.carry)?.params['loop_run'];
    const goesOn = cell.status !== 'ready' && row.params['source_hash'] === keyedSourceHash(state, cell);
    runs.set(cellId, new Set([result, goesOn ? row.params['loop_run'] : result]));
  }
  return runs;
}

/** A name the cell no longer defines, a display it no longer makes and a removed variant retain nothing. */
function isStoredStill(state: SessionState, cell: CellState, label: string): boolean {
  const { name, variant } = readVariantLabel(label);
  const variants = state.graph.fanOuts.get(cell.id)?.variants ?? null;
  if (variant === null ? variants !== null : variants?.includes(variant) !== true) return false;
  if (name === CONSOLE_LABEL) return true;
  if (name.startsWith('__')) return cell.displays.some((_, index) => displayLabel(index) === name);
  const { defines, mutationDefines } = cell.analysis;
  return defines.includes(name) || mutationDefines.includes(name);
}
