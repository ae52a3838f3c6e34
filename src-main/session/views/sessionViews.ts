/** Combines the read-only views of a session, one per subject, which handlers of routes use. */

import type { EnvironmentDriver } from '../effects/environmentDriver.ts';
import { type CellsView, createCellsView } from './cellsView.ts';
import type { EditorView } from './editorView.ts';
import { createEnvironmentView, type EnvironmentView } from './environmentView.ts';
import { createExternalDataView, type ExternalDataView } from './externalDataView.ts';
import { createNotebookView, type NotebookView } from './notebookView.ts';
import { createResultsView, type ResultsView } from './resultsView.ts';
import { createSettingsView, type SettingsView } from './settingsView.ts';
import { createWorkersView, type WorkersView } from './workersView.ts';

/**
 * Everything that can be read of a session, by subject. None of it changes the notebook; cheap, because most
 * of it only reads what the state already holds.
 */
export interface SessionViews {
  readonly notebook: NotebookView;
  readonly cells: CellsView;
  readonly results: ResultsView;
  readonly data: ExternalDataView;
  readonly settings: SettingsView;
  readonly editor: EditorView;
  /** Reads about the environment; none of them changes it. */
  readonly environment: EnvironmentView;
  /** The workers its cells may run on. */
  readonly workers: WorkersView;
}

type Sources = Parameters<typeof createNotebookView>[0] &
  Parameters<typeof createCellsView>[0] &
  Parameters<typeof createResultsView>[0] &
  Parameters<typeof createExternalDataView>[0] &
  EditorView & {
    readonly environment: EnvironmentDriver;
    readonly remote: Parameters<typeof createWorkersView>[0];
  };

type Access = Parameters<typeof createCellsView>[1] &
  Parameters<typeof createResultsView>[1] &
  Parameters<typeof createExternalDataView>[1];

/** Creates all views of one session. */
export function createSessionViews(sources: Sources, access: Access): SessionViews {
  const { state } = access;
  const { language, history, undoRecord, drafts } = sources;
  return {
    notebook: createNotebookView(sources, state),
    cells: createCellsView(sources, access),
    results: createResultsView(sources, access),
    data: createExternalDataView(sources, access),
    settings: createSettingsView(state),
    editor: { language, history, undoRecord, drafts },
    environment: createEnvironmentView(sources.environment, state),
    workers: createWorkersView(sources.remote, state),
  };
}
