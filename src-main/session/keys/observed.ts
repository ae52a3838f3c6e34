/**
 * The observed facts of runs within a session (docs/soundness.md): which exist, what is known of their files,
 * and which cells they make stale. Pure except for `checkObservedPaths`.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { checkPaths } from '../../run/observed/checkPaths.ts';
import {
  NOTHING_SEEN,
  type Observation,
  observationIn,
  type WrittenFact,
} from '../../run/observed/observation.ts';
import {
  type BrokenFact,
  brokenFact,
  type CurrentState,
  type PathState,
  pathStatesAfter,
} from '../../run/observed/pathState.ts';
import { pathsToCheck } from '../../run/observed/paths.ts';
import type { SessionEvent } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { envOf } from './expected.ts';

const observations = new WeakMap<CellState['artifacts'], readonly Observation[]>();

/** The facts observed in the runs that made a cell's newest results. */
export function observationsOf({
  artifacts,
  record,
}: Pick<CellState, 'artifacts' | 'record'>): readonly Observation[] {
  let stored = observations.get(artifacts);
  if (stored === undefined) {
    const newest = Object.values(artifacts).flatMap(([row]) => (row === undefined ? [] : [row]));
    const byRun = new Map(newest.map((row) => [row.params['run'] ?? row.id, row]));
    stored = Array.from(byRun.values(), observationIn).filter((one) => one !== null);
    observations.set(artifacts, stored);
  }
  const own = record?.facts?.observed;
  return own === undefined || stored.length > 0 ? stored : [own];
}

type Observing = readonly (readonly [CellId, readonly Observation[]])[];
/** The last result, of any notebook: most events change only one cell. */
let last: { readonly of: WeakRef<SessionState['cells']>; readonly observing: Observing } | null = null;

/**
 * The cells whose runs did more than compute, which are few. Called at every step: returns the same list
 * while the facts are the same.
 */
export function observingCells(cells: SessionState['cells']): Observing {
  const before = last?.of.deref();
  if (last !== null && before === cells) return last.observing;
  const observing =
    last !== null && before !== undefined && didAlike(before, cells) ? last.observing : find(cells);
  last = { of: new WeakRef(cells), observing };
  return observing;
}

function find(cells: SessionState['cells']): Observing {
  const all: (readonly [CellId, readonly Observation[]])[] = [];
  for (const cell of cells.values()) {
    const observed = observationsOf(cell);
    if (observed.some((one) => one !== NOTHING_SEEN)) all.push([cell.id, observed]);
  }
  return all;
}

/** Whether both contain the same cells in the same order, and no changed cell has facts in either. */
function didAlike(before: SessionState['cells'], cells: SessionState['cells']): boolean {
  if (before.size !== cells.size) return false;
  const others = before.values();
  for (const cell of cells.values()) {
    const other = others.next().value;
    if (other === cell) continue;
    if (other?.id !== cell.id) return false;
    const isSame = other.artifacts === cell.artifacts && other.record === cell.record;
    if (!isSame && !(didNothing(other) && didNothing(cell))) return false;
  }
  return true;
}

function didNothing(cell: CellState): boolean {
  return observationsOf(cell).every((one) => one === NOTHING_SEEN);
}

type Writes = ReadonlyMap<CellId, readonly WrittenFact[]>;
const allWrites = new WeakMap<Observing, Writes>();
const NO_WRITES: readonly WrittenFact[] = [];

/** The files that the other cells of the notebook were seen to write. */
export function otherWritesOf({ cells }: Pick<SessionState, 'cells'>, id: CellId): readonly WrittenFact[] {
  const writes = writesOf(cells);
  if (writes.size === 0 || (writes.size === 1 && writes.has(id))) return NO_WRITES;
  return Array.from(writes).flatMap(([other, wrote]) => (other === id ? [] : wrote));
}

function writesOf(cells: SessionState['cells']): Writes {
  const observing = observingCells(cells);
  let writes = allWrites.get(observing);
  if (writes === undefined) {
    const byCell = new Map<CellId, readonly WrittenFact[]>();
    for (const [id, observations] of observing) {
      const wrote = observations.flatMap((observation) => observation.wrote);
      if (wrote.length > 0) byCell.set(id, wrote);
    }
    writes = byCell;
    allWrites.set(observing, writes);
  }
  return writes;
}

/** A file that a cell was seen to read, and the cell that wrote it. */
interface WrittenBy {
  readonly path: string;
  readonly cellId: CellId;
}

/** The files a cell's last run read that other cells wrote. */
export function readsOfWritten(
  { cells }: Pick<SessionState, 'cells'>,
  cell: CellState,
): readonly WrittenBy[] {
  const writes = writesOf(cells);
  if (writes.size === 0) return [];
  const paths = new Set(observationsOf(cell).flatMap(({ reads }) => reads.map(({ path }) => path)));
  return Array.from(writes).flatMap(([cellId, wrote]) =>
    cellId === cell.id ? [] : wrote.flatMap(({ path }) => (paths.has(path) ? [{ path, cellId }] : [])),
  );
}

const envs = new WeakMap<
  CellState['analysis'],
  { readonly of: readonly unknown[]; readonly env: CurrentState['env'] }
>();

/** The same object while the variables are the same, so that nothing is compared twice. */
function keptEnvOf(state: SessionState, cell: CellState): CurrentState['env'] {
  const cached = envs.get(cell.analysis);
  const of = [state.file.env, cell.entry.env];
  if (cached?.of.every((one, i) => one === of[i])) return cached.env;
  const env = envOf(state, cell);
  envs.set(cell.analysis, { of, env });
  return env;
}

/** The current state to compare a cell's facts with. */
export function currentStateFor(state: SessionState, cell: CellState): CurrentState {
  return {
    files: state.seenFiles,
    env: keptEnvOf(state, cell),
    others: otherWritesOf(state, cell.id),
    packages: state.environment.packages,
  };
}

/** The first fact of the cell's last run that no longer holds; null if all hold, or none is known. */
export function brokenFactOf(state: SessionState, cell: CellState): BrokenFact | null {
  const observations = observationsOf(cell);
  if (observations.length === 0) return null;
  const now = currentStateFor(state, cell);
  for (const observation of observations) {
    const broken = brokenFact(observation, now);
    if (broken !== null) return broken;
  }
  return null;
}

/** The current state of the files in all runs' facts. I/O: a stat each. */
export function checkObservedPaths(state: SessionState): SessionState['seenFiles'] {
  const observations = observingCells(state.cells).flatMap(([, observed]) => observed);
  return observations.length === 0 ? state.seenFiles : checkPaths(state.path, pathsToCheck(observations));
}

/** Events that decide what runs: files may have changed since the last check. */
const STARTS_WORK: ReadonlySet<SessionEvent['type']> = new Set([
  'run_cell',
  'confirm_plan',
  'run_all',
  'update_widget',
]);

/** A new check before an event that starts work, because it depends on which cells are up to date. */
export function checkBeforeWork(event: SessionEvent, state: SessionState): SessionState['seenFiles'] | null {
  return STARTS_WORK.has(event.type) && state.running === null ? changedPathStates(state) : null;
}

/** A check with changes; null if nothing changed, or the folder is untrusted. I/O: a stat for each file. */
export function changedPathStates(state: SessionState): SessionState['seenFiles'] | null {
  if (state.closing || !state.trusted) return null;
  const files = checkObservedPaths(state);
  return sawTheSame(files, state.seenFiles) ? null : files;
}

/** Whether two checks have the same result. */
function sawTheSame(a: SessionState['seenFiles'], b: SessionState['seenFiles']): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [path, state] of a) {
    const other = b.get(path);
    if (other === undefined || JSON.stringify(other) !== JSON.stringify(state)) return false;
  }
  return true;
}

/** Adds the state of the files after a run. */
export function withObservation(
  state: SessionState,
  {
    observation,
    seen,
  }: {
    readonly observation: Observation | null | undefined;
    readonly seen?: SessionState['seenFiles'] | undefined;
  },
): SessionState {
  if (observation == null && (seen === undefined || seen.size === 0)) return state;
  const files = new Map<string, PathState>(state.seenFiles);
  for (const [path, one] of seen ?? (observation == null ? [] : pathStatesAfter(observation)))
    files.set(path, one);
  return { ...state, seenFiles: files };
}
