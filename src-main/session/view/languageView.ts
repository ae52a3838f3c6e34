/**
 * Makes the view of a session that the editor's Python language server gets: texts, names, stored values, interpreter.
 */

import { setupCellOf } from '../../language/checks/setup.ts';
import type { LanguageCell, NotebookText, StoredValue } from '../../lsp/document/notebookText.ts';
import type { LanguageView } from '../../lsp/notebookLanguage.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { keptVariableRows } from './results.ts';

const NO_ENVIRONMENT = 'The Python environment could not be created. See the Environment panel.';

/** The part of the state that the language server may know. */
export function languageView(state: SessionState): LanguageView {
  const notebook = notebookText(state);
  const refused = whyUntrusted(state);
  if (refused !== null) return { notebook, serverInput: null, words: refused.message };
  const { interpreter, lockHash } = state.environment;
  if (interpreter === null) {
    const isFailed = state.environment.environment.sync_state === 'failed';
    return { notebook, serverInput: null, words: isFailed ? NO_ENVIRONMENT : null };
  }
  const modules = new Map(Array.from(state.modules.files.values(), ({ path, digest }) => [path, digest]));
  const key = `${interpreter.identity} ${lockHash}`;
  return { notebook, serverInput: { python: interpreter.path, key, modules }, words: null };
}

function notebookText(state: SessionState): NotebookText {
  const { graph } = state;
  const setup = setupCellOf(state)?.id;
  const cells = [...state.cells.values()].map(
    ({ id, language, source, analysis }): LanguageCell => ({
      id,
      language,
      source,
      defines: analysis.defines,
      references: analysis.references,
      isSetup: id === setup,
      active: !graph.inactive.has(id),
    }),
  );
  const bundled = [...graph.bundles].map(([id, names]) => [id, new Set(names.keys())] as const);
  return {
    cells,
    upstream: graph.upstream,
    downstream: graph.downstream,
    wiring: graph.wiring,
    bundled: new Map(bundled),
    values: keptVariableRows(state).map(
      ({ columns, ...row }): StoredValue => ({ ...row, columns: columnTypes(columns) }),
    ),
  };
}

/** The schema came with the notebook's folder, so nothing is taken for granted about it. */
function columnTypes(schemaJson: string | null): StoredValue['columns'] {
  if (schemaJson === null) return null;
  try {
    const schema: unknown = JSON.parse(schemaJson);
    if (!Array.isArray(schema)) return null;
    return schema.flatMap((column: unknown) => {
      if (typeof column !== 'object' || column === null || !('name' in column)) return [];
      return [{ name: String(column.name), type: 'dtype' in column ? String(column.dtype) : '' }];
    });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
