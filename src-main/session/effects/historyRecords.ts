/** Records changed and deleted texts of cells in the notebook's history. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { CellSource } from '../../notebook/cellSources.ts';
import type { NotebookFile } from '../../notebook/file/notebookFile.ts';
import type { CellHistory } from '../../notebook/history/cellHistory.ts';
import { settingsTextOf } from '../../notebook/settingsText.ts';

type Note = Pick<CellHistory, 'note'>;

/** The contents of a notebook's files for its cells at one time. */
interface NotedFiles {
  readonly sources: ReadonlyMap<CellId, CellSource>;
  readonly file: NotebookFile;
}

/** Records external edits, with the text before each, and externally deleted cells. */
export function recordExternalEdits(
  history: Note,
  texts: {
    readonly before: NotedFiles;
    readonly after: NotedFiles;
    readonly rewritten: readonly CellId[];
  },
): void {
  const { rewritten } = texts;
  const [before, after] = [texts.before.sources, texts.after.sources];
  for (const [id, { testSource }] of after) {
    const last = before.get(id)?.testSource;
    if (last === undefined || last === testSource) continue;
    history.note(id, { text: testSource, why: 'outside', author: null, before: last }, 'tests');
  }
  noteSettings(history, texts.before.file, texts.after.file);
  for (const id of rewritten) {
    const text = after.get(id)?.source ?? '';
    history.note(id, { text, why: 'outside', author: null, before: before.get(id)?.source ?? null });
  }
  for (const [id, last] of before) {
    if (!after.has(id)) recordDeletion(history, { id, last, file: texts.before.file });
  }
}

/** Records the changed settings of cells. */
function noteSettings(history: Note, before: NotebookFile, after: NotebookFile): void {
  if (before === after) return;
  const old = new Map(before.cells.map((entry) => [entry.id, entry]));
  for (const entry of after.cells) {
    const last = old.get(entry.id);
    if (last === undefined || last === entry) continue;
    const [was, text] = [settingsTextOf(last), settingsTextOf(entry)];
    if (was !== text) {
      history.note(entry.id, { text, why: 'outside', author: null, before: was }, 'settings');
    }
  }
}

/** Records the last texts of a deleted cell. */
export function recordDeletion(
  history: Note,
  cell: {
    readonly id: CellId;
    readonly last: CellSource | undefined;
    readonly file: NotebookFile;
  },
): void {
  const { id, last, file } = cell;
  const entry = file.cells.find((one) => one.id === id);
  const texts = {
    source: last?.source ?? '',
    tests: last?.testSource ?? '',
    settings: entry === undefined ? '' : settingsTextOf(entry),
  };
  for (const part of ['source', 'tests', 'settings'] as const) {
    // A part that was always empty has nothing to restore.
    if (texts[part] === '') continue;
    history.note(id, { text: texts[part], why: 'deleted', author: null, before: null }, part);
  }
}
