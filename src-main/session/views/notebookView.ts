/** Reads the notebook of a session as a whole, in its wire form. */

import type { Dag, LinkedDag } from '../../../src-shared/wire/dag.ts';
import type { NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import type { ArtifactStore } from '../../artifacts/artifact.ts';
import type { ExportView } from '../../convert/exportView.ts';
import type { Redactor } from '../../lib/redactor.ts';
import type { FileEffects } from '../effects/fileEffects.ts';
import type { HoldState, SessionState } from '../state/state.ts';
import { exportViewOf } from '../view/exportView.ts';
import type { Hiding } from '../view/hiding.ts';
import { viewBody, viewDag, viewLinkedDag } from '../view/view.ts';

/** The notebook as a whole, in its wire form. */
export interface NotebookView {
  body(): NotebookBody;
  dag(): Dag;
  /** The graph without the producers of names, as in notebook_state and in the reply to a deletion. */
  linkedDag(): LinkedDag;
  /** What a hold over the folder refuses now; null: there is no hold. */
  readonly hold: HoldState['phase'] | null;
  /** Hides the values of the notebook's secrets, which must never be shown. */
  redactor(): Redactor;
  /** The notebook as it is now, for export; every acknowledged edit is in its files. */
  exported(): Promise<ExportView>;
}

/** Creates the view of one session's notebook as a whole. */
export function createNotebookView(
  {
    store,
    hiding,
    fileEffects,
  }: {
    readonly store: ArtifactStore;
    readonly hiding: Hiding;
    readonly fileEffects: Pick<FileEffects, 'idle'>;
  },
  state: () => SessionState,
): NotebookView {
  return {
    body: () => viewBody(state()),
    dag: () => viewDag(state()),
    linkedDag: () => viewLinkedDag(state()),
    get hold() {
      return state().hold?.phase ?? null;
    },
    redactor: () => hiding.redactor,
    async exported() {
      await fileEffects.idle();
      return exportViewOf(state(), { store, redactor: hiding.redactor });
    },
  };
}
