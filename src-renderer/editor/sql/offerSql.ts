/**
 * Registers completion of SQL cells with the Monaco editor: keywords, and the tables and columns of the cell's
 * database.
 */

import type { editor as MonacoEditor } from 'monaco-editor/editor';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { SQL_DIALECTS } from '../language.ts';
import type { Monaco } from '../monaco.ts';
import { type KnownDatabase, type SqlOffer, sqlOffers } from './sqlOffers.ts';
import { sqlPlaceAt } from './sqlPlace.ts';

/** The method used of Monaco's suggest controller; the command of that name would do nothing while a list is open. */
interface SuggestController extends MonacoEditor.IEditorContribution {
  triggerSuggest(onlyFrom: undefined, asIfTyped: boolean): void;
}

/** The database of a SQL cell. */
export interface SqlContext {
  readonly driver: KnownDatabase['driver'];
  /** Starts to read the tables at the first call. */
  readonly database: () => {
    readonly known: KnownDatabase;
    /** Settles when the tables have been read; null when they are not being read. */
    readonly coming: Promise<void> | null;
  };
}

/**
 * Offers completions in SQL cells: keywords, and the tables and columns of the cell's database. It does not wait for
 * the database: keywords are offered first, and the list is updated once the tables have loaded.
 */
export function offerSql(
  monaco: Monaco,
  editor: MonacoEditor.IStandaloneCodeEditor,
  around: () => SqlContext | null,
): void {
  const { CompletionItemKind } = monaco.languages;
  const kinds: Readonly<Record<SqlOffer['kind'], number>> = {
    column: CompletionItemKind.Field,
    table: CompletionItemKind.Struct,
    schema: CompletionItemKind.Module,
    word: CompletionItemKind.Keyword,
  };
  /** The text for which a list without tables was last shown. */
  let shownFor: { readonly model: MonacoEditor.ITextModel; readonly version: number } | null = null;
  const awaitedLoads = new WeakSet<Promise<void>>();
  /** Updates the list once the tables have loaded, unless the text, the cell or the focus has changed. */
  const showWhenThere = (coming: Promise<void>, model: MonacoEditor.ITextModel): void => {
    shownFor = { model, version: model.getVersionId() };
    if (awaitedLoads.has(coming)) return;
    awaitedLoads.add(coming);
    void coming.then(() => {
      const isSame =
        editor.getModel() === shownFor?.model && shownFor.model.getVersionId() === shownFor.version;
      if (!isSame || !editor.hasTextFocus()) return;
      // As after typing: no entry of the list is selected, so that Enter inserts a line break.
      editor
        .getContribution<SuggestController>('editor.contrib.suggestController')
        ?.triggerSuggest(undefined, true);
    });
  };
  for (const language of Object.keys(SQL_DIALECTS)) {
    monaco.languages.registerCompletionItemProvider(language, {
      triggerCharacters: ['.'],
      provideCompletionItems(model, position) {
        const sql = model === editor.getModel() ? around() : null;
        if (sql === null) return { suggestions: [] };
        const dialect = DIALECTS[sql.driver ?? 'postgresql'];
        const place = sqlPlaceAt(model.getValue(), model.getOffsetAt(position), dialect);
        if (place === null) return { suggestions: [] };
        const { known: knownTables, coming } = sql.database();
        if (coming !== null) showWhenThere(coming, model);
        const { offers, whole } = sqlOffers(place, knownTables);
        const { lineNumber, column } = position;
        const range = new monaco.Range(lineNumber, column - place.typed.length, lineNumber, column);
        return {
          suggestions: offers.map(({ kind, label, detail, text }, at) => ({
            // The leading blanks are part of the detail because Monaco draws it directly after the label.
            label: { label, detail: detail === '' ? '' : `  ${detail}` },
            kind: kinds[kind],
            filterText: label,
            sortText: String(at).padStart(4, '0'),
            insertText: text,
            range,
          })),
          // Ask again at the next key press when the list was cut or the tables are still loading.
          incomplete: !whole || coming !== null,
        };
      },
    });
  }
}
