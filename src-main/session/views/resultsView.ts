/** Reads what the runs of a session's cells have stored. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ResultVersion, StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import type { RunSample } from '../../../src-shared/wire/runSample.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { iterationsOf, type LoopIterations } from '../effects/iterations.ts';
import type { ResultStorage } from '../effects/resultStorage.ts';
import { type ShownIteration, shownIterationOf } from '../effects/shownIteration.ts';
import type { SessionFact } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { type ArtifactFile, artifactFileOf, artifactRowOf } from '../view/artifactFileOf.ts';
import { resultVersionsOf, storedVariablesOf } from '../view/results.ts';

/** What the runs of the cells have stored. */
export interface ResultsView {
  /** Every stored version of a cell's values and displays, newest first; null for an unknown cell. */
  ofCell(id: CellId): { readonly results: ResultVersion[]; readonly runs: readonly RunSample[] } | null;
  /** What the cells have stored for later cells, in notebook order; values are not read. */
  variables(): readonly Omit<StoredVariable, 'value'>[];
  /**
   * The finished iterations of a loop, of its carry unless another variable is named; null for an unknown
   * cell.
   */
  iterations(id: CellId, variable: string | null): Promise<LoopIterations | null>;
  /** The preview of one finished iteration, counted from the end where negative; null if there is none. */
  iteration(id: CellId, at: number): Promise<ShownIteration | null>;
  /** The row of an artifact of this notebook by its URI; null if the notebook has none with that URI. */
  artifactRow(uri: string): ArtifactRow | null;
  /** The verified file of an artifact this notebook holds, for data pages and blobs. */
  artifactFile(uri: string): Promise<ArtifactFile>;
  /** The size of the stored results, and the sweeps that collect unused ones. */
  readonly storage: ResultStorage;
}

/** Creates the view of one session's stored results. */
export function createResultsView(
  { store, storage }: { readonly store: ArtifactStore; readonly storage: ResultStorage },
  access: { readonly state: () => SessionState; readonly report: (fact: SessionFact) => void },
): ResultsView {
  const { state, report } = access;
  return {
    ofCell(id) {
      const cell = state().cells.get(id);
      if (cell === undefined) return null;
      const runs = cell.samples.map(({ team: _ofSession, ...sample }) => sample);
      return { results: resultVersionsOf(cell), runs };
    },
    variables: () => storedVariablesOf(state()),
    iterations: async (id, variable) => iterationsOf(state(), id, { store, variable }),
    iteration: async (id, at) => shownIterationOf(state(), id, { store, at }),
    artifactRow: (uri) => artifactRowOf(store, uri, state().notebookId),
    artifactFile(uri) {
      const onLost = () => report({ type: 'artifact_lost', uri });
      return artifactFileOf(store, uri, { notebookId: state().notebookId, onLost });
    },
    storage,
  };
}
