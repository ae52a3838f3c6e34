import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import { readSnapshotRuns, type SnapshotRun, snapshotTextDigest } from '../../notebook/snapshotRuns.ts';
import { dataOf } from '../keys/data.ts';
import { envOf } from '../keys/expected.ts';
import { setupBefore } from '../keys/setupCell.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';
import { adoptAnswer } from './adoptAnswer.ts';
import { adoptResult } from './adoptResult.ts';
import { adoptWidget } from './adoptWidget.ts';

/** A cell whose last run is taken over, and what a run of it would be now. */
export interface Adoption {
  readonly state: SessionState;
  readonly store: ArtifactStore;
  readonly cell: CellState;
  readonly expected: ExpectedRun;
  /** The provenance of the run in the hashes of the program that wrote the snapshot. */
  readonly theirs: string;
}

/**
 * The results of a snapshot that another program wrote, taken over under the keys of this one. Its hashes cannot be
 * compared with ours, so it is believed in what it says of them: a cell it saw ready, whose text is still the one of
 * the snapshot and whose rows carry that run's keys, is ready here. A cell is left to run again where the snapshot does
 * not prove what its result was made from: mounts, modules of the folder, a set-up cell, a secret that is not there,
 * a cell above that is not taken over itself.
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
    if (cell.language === 'markdown') adopted.add(id);
    if (run === undefined || !isOfText(run, cell)) continue;
    if (run.status === 'error') state = withError(state, cell, expected);
    if (run.status !== 'ready' || run.provenanceHash === null) continue;
    if (!(state.graph.upstream.get(id) ?? []).every((above) => adopted.has(above))) continue;
    if (!isProven(state, cell, expected)) continue;
    const next = await adoptedCell({ state, store, cell, expected, theirs: run.provenanceHash });
    if (next === null) continue;
    adopted.add(id);
    // What reads it is keyed by its rows as they are now.
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

/** Its error is of the text that is still there: the cell is in error here, too. */
function withError(state: SessionState, cell: CellState, { sourceHash }: ExpectedRun): SessionState {
  if (cell.lastError === null || cell.lastError.sourceHash === sourceHash) return state;
  const failed = { ...cell, lastError: { ...cell.lastError, sourceHash } };
  return walkStatuses({ ...state, cells: new Map(state.cells).set(cell.id, failed) });
}

/** Whether everything that is part of the cell's key came with the snapshot. */
function isProven(state: SessionState, cell: CellState, expected: ExpectedRun): boolean {
  if (expected.modules.length > 0 || setupBefore(state, cell) !== null) return false;
  // What a fetch gave is compared with the row that was made from it.
  if (dataOf(state, cell).some((want) => want.fixed === null && want.kind !== 'fetch')) return false;
  const given = envOf(state, cell);
  const blank = { ...state.file.env, ...cell.entry.env, ...cell.analysis.annotations.env };
  return cell.analysis.envKeys.every((key) => !Object.hasOwn(blank, key) || Object.hasOwn(given, key));
}
