/** Reads the settings of a session's notebook that are not part of its wire form. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { AutoRun } from '../../../src-shared/wire/autoRun.ts';
import { settingsTextOf } from '../../notebook/settingsText.ts';
import { type NotebookAi, notebookAiOf } from '../keys/ai.ts';
import type { SessionState } from '../state/state.ts';

/** Settings that are not part of the notebook's body. */
export interface SettingsView {
  /** How many cells of one run may work at the same time: this notebook's own limit, and the server's. */
  parallelCells(): { readonly own: number | null; readonly server: number };
  /** Which runs begin without a request. */
  autoRun(): AutoRun;
  /** The AI model its prompts use. */
  ai(): NotebookAi;
  /** A cell's own settings in notebook.toml, as TOML with blank secrets; empty without any. */
  ofCell(id: CellId): string;
}

/** Creates the view of one session's settings. */
export function createSettingsView(state: () => SessionState): SettingsView {
  return {
    parallelCells: () => ({ own: state().parallelCells, server: state().options.parallelCells }),
    autoRun: () => state().autoRun,
    ai: () => notebookAiOf(state()),
    ofCell(id) {
      const entry = state().cells.get(id)?.entry;
      return entry === undefined ? '' : settingsTextOf(entry);
    },
  };
}
