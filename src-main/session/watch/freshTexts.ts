/** Reads the notebook's files right before a run, so that the run uses the newest texts. */

import { setTimeout as delay } from 'node:timers/promises';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import type { SessionRequest } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';

/**
 * Makes external edits count for a run that follows immediately: the folder watch reports a change only once
 * it has settled, so the files are also checked before a run is planned and before each of its steps.
 */
export interface FreshTexts {
  /** Call before a request enters; null if it runs nothing or nothing changed. Never rejects. */
  before(request: SessionRequest): Promise<void> | null;
  /** Call before one cell runs; null if its file and notebook.toml are as last read. Never rejects. */
  beforeStep(id: CellId): Promise<void> | null;
}

/**
 * Up to this number, all cells are checked: a cell may turn out to be upstream of the target only once its
 * text is read.
 */
const ALL_CELLS = 32;
/** Another program may be in the middle of writing: a text counts once it was unchanged for this long. */
const SETTLE_MS = 40;
const MAX_LOOKS = 25;

/** Creates the check for one session. */
export function createFreshTexts(
  files: Pick<NotebookFiles, 'changedOutside' | 'sources'>,
  session: {
    readonly state: SessionState;
    /** Reads these files and applies their content. Never rejects. */
    takeIn(names: ReadonlySet<string>): Promise<unknown>;
  },
): FreshTexts {
  /** A cell with a pending edit is skipped: its write compares the file itself. */
  const isSettled = (id: CellId): boolean => {
    const { cells, unsaved } = session.state;
    const cell = cells.get(id);
    if (cell === undefined || unsaved.has(id)) return false;
    return cell.fileProblem !== null || cell.source === files.sources().get(id)?.source;
  };
  const look = (ids: Iterable<CellId>): ReadonlySet<string> => {
    const { folderGone, closing } = session.state;
    return folderGone || closing ? NOTHING : files.changedOutside([...ids].filter(isSettled));
  };
  const takeIn = async (ids: () => Iterable<CellId>, first: ReadonlySet<string>): Promise<void> => {
    let names = first;
    for (let looks = 0; names.size > 0 && looks < MAX_LOOKS; looks += 1) {
      await delay(SETTLE_MS);
      await session.takeIn(names);
      names = look(ids());
    }
  };
  const checked = (ids: () => Iterable<CellId>): Promise<void> | null => {
    const names = look(ids());
    return names.size === 0 ? null : takeIn(ids, names);
  };
  return {
    before: (request) => (runsCells(request) ? checked(() => involved(session.state, request)) : null),
    beforeStep: (id) => checked(() => [id]),
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The requests that run cells or their tests. */
const RUNS = new Set<SessionRequest['type']>([
  'run_cell',
  'confirm_plan',
  'run_all',
  'test_cell',
  'update_widget',
]);

function runsCells({ type }: SessionRequest): boolean {
  return RUNS.has(type);
}

/** The cells whose texts decide what the request runs. */
function involved({ cells, graph }: SessionState, request: SessionRequest): Iterable<CellId> {
  if (cells.size <= ALL_CELLS || !('cellId' in request) || request.cellId === null) return cells.keys();
  const above = new Set<CellId>([request.cellId]);
  for (const id of above) for (const up of graph.upstream.get(id) ?? []) above.add(up);
  return above;
}
