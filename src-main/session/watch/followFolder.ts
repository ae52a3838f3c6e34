/** Reads which cells and settings other programs changed in a notebook's folder. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import type { NotebookFiles } from '../../notebook/notebookFiles.ts';
import { NotebookFileError } from '../../notebook/toml/notebookFileError.ts';
import { newCell, textsOf } from '../keys/newCell.ts';
import { NO_CONSOLE, storedByCell, storedCell } from '../keys/storedCell.ts';
import type { PrepareAnalysis, ReducerTools, SessionFact } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** Dependencies of `followFolder`. */
interface FollowTools {
  readonly names: ReadonlySet<string> | null;
  /** The session's current state. */
  readonly state: SessionState;
  readonly tools: ReducerTools;
  readonly learn: PrepareAnalysis;
  readonly store: ArtifactStore;
}

/**
 * Reads external changes of the folder. `rewritten` are the cells whose file differs from what this process
 * last read or wrote. An unreadable notebook.toml (an editor may be writing it) changes nothing and is
 * reported.
 */
export async function followFolder(
  files: NotebookFiles,
  { names, state, tools, learn, store }: FollowTools,
): Promise<{ readonly fact: SessionFact | null; readonly rewritten: readonly CellId[] }> {
  let changes: Awaited<ReturnType<NotebookFiles['follow']>>;
  try {
    changes = await files.follow(names);
  } catch (error) {
    if (!(error instanceof NotebookFileError)) throw error;
    const problem = `${error.message}. The notebook keeps its previous state. Fix the file, and Cellar reads it again.`;
    return { fact: { type: 'folder_lost', problem, gone: false }, rewritten: [] };
  }
  const file = files.file();
  const listed = new Set(file.cells.map((entry) => entry.id));
  const removed = [...state.cells.keys()].filter((id) => !listed.has(id));
  const fresh = file.cells.filter((entry) => !state.cells.has(entry.id));
  const isQuiet = !changes.fileChanged && changes.changedCells.length + removed.length + fresh.length === 0;
  if (isQuiet && state.folderProblem === null) return { fact: null, rewritten: [] };
  const sources = files.sources();
  const touchedIds = new Set<string>([...changes.changedCells, ...fresh.map(({ id }) => id)]);
  await learn(
    textsOf(
      file.cells.filter(({ id }) => touchedIds.has(id)),
      sources,
    ),
  );
  const artifacts = storedByCell(store, {
    notebook: file.notebookId,
    cellIds: new Set(fresh.map((entry) => entry.id)),
  });
  const added = await Promise.all(
    fresh.map((entry): Promise<CellState> => {
      const cell = newCell(entry, { text: sources.get(entry.id), analyze: tools.analyze });
      const parts = {
        cell,
        artifacts: artifacts.get(entry.id) ?? {},
        runtime: undefined,
        console: NO_CONSOLE,
      };
      return storedCell(store, parts);
    }),
  );
  const changed = changes.changedCells.flatMap((id) => {
    const text = sources.get(id);
    return text === undefined ? [] : [{ id, ...text }];
  });
  return {
    fact: { type: 'files_changed', followed: { file, changed, added, removed } },
    rewritten: changed.filter(({ problem }) => problem === null).map(({ id }) => id),
  };
}
