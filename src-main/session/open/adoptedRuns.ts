/** Accepts the results of a snapshot that another program wrote, cell by cell, when its notebook is opened. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { readSnapshotRuns, type SnapshotRun, snapshotTextDigest } from '../../notebook/snapshotRuns.ts';
import { dataOf } from '../keys/data.ts';
import { envOf } from '../keys/expected.ts';
import { setupCellFor } from '../keys/setupCell.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';
import { adoptAnswer } from './adoptAnswer.ts';
import type { Adoption } from './adoption.ts';
import { adoptResult } from './adoptResult.ts';
import { adoptWidget } from './adoptWidget.ts';

/**
 * Adopts the results of a snapshot that another program wrote, under this program's keys. The two programs'
 * hashes cannot be compared, so the snapshot's own statements are accepted: a cell that was ready there is
 * ready here if its text is unchanged and its rows have the keys of that run. A cell must run again if the
 * snapshot does not prove the inputs of its result: mounts, modules of the folder, a set-up cell, a missing
 * secret, an upstream cell that is not adopted itself.
 */
export async function withAdoptedRuns(before: SessionState, store: ArtifactStore): Promise<SessionState> {
  const runs = await readSnapshotRuns(before.path);
  if (runs.size === 0 || before.graphError !== null) return before;
  const adopted = new Set<CellId>();
  let state = before;
  for (const id of before.graph.topologicalOrder) {
    const cell = state.cells.get(id);
    const expected = state.expected.get(id);
    const run = runs.get(id);
    if (cell === undefined || expected === undefined) continue;
    if (!LANGUAGES[cell.language].runs) adopted.add(id);
    if (run === undefined || !isOfText(run, cell)) continue;
    if (run.status === 'error') state = withError(state, cell, expected);
    if (run.status !== 'ready' || run.provenanceHash === null) continue;
    if (!(state.graph.upstream.get(id) ?? []).every((above) => adopted.has(above))) continue;
    if (!isProven(state, cell, expected)) continue;
    const next = await adoptedCell({ state, store, cell, expected, theirs: run.provenanceHash });
    if (next === null) continue;
    adopted.add(id);
    // Cells that read it are keyed by its rows as they are now.
    state = walkStatuses({ ...state, cells: new Map(state.cells).set(id, next) });
  }
  return state;
}

function adoptedCell(adoption: Adoption): Promise<CellState | null> {
  switch (adoption.cell.language) {
    case 'widget':
      return adoptWidget(adoption);
    case 'sql':
    case 'prompt':
      return Promise.resolve(adoptAnswer(adoption));
    default:
      return adoptResult(adoption);
  }
}

function isOfText({ text, isOfText: is }: SnapshotRun, { source }: CellState): boolean {
  return is && text === snapshotTextDigest(source);
}

/** The cell in error, as it was in the snapshot: the error belongs to the text that it still has. */
function withError(state: SessionState, cell: CellState, { sourceHash }: ExpectedRun): SessionState {
  if (cell.lastError === null || cell.lastError.sourceHash === sourceHash) return state;
  const failed = { ...cell, lastError: { ...cell.lastError, sourceHash } };
  return walkStatuses({ ...state, cells: new Map(state.cells).set(cell.id, failed) });
}

/** Whether everything in the cell's key came with the snapshot. */
function isProven(state: SessionState, cell: CellState, expected: ExpectedRun): boolean {
  if (expected.modules.length > 0 || setupCellFor(state, cell) !== null) return false;
  // The data of a fetch is compared with the row that was made from it.
  if (dataOf(state, cell).some((item) => item.fixed === null && item.kind !== 'fetch')) return false;
  const env = envOf(state, cell);
  const blank = { ...state.file.env, ...cell.entry.env, ...cell.analysis.annotations.env };
  return cell.analysis.envKeys.every((key) => !Object.hasOwn(blank, key) || Object.hasOwn(env, key));
}
