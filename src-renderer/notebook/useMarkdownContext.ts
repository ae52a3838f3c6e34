/** Hook that provides the pictures and the values of variables that a text cell refers to. */

import { useMemo } from 'react';
import { parseStoredJson } from '../../src-shared/notebook/storedJson.ts';
import { valueInText, valueNames } from '../../src-shared/notebook/textValues.ts';
import type { StoredVariable } from '../../src-shared/wire/routes/extensions.ts';
import { routeUrl } from '../live/rest.ts';
import { useAnswer } from '../live/useAnswer.ts';
import type { MarkdownContext, ShownValue } from '../outputs/markdownValues.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { variableRows } from '../state/outline.ts';
import { countText } from '../words/strings.ts';
import { useView, useViewSame } from './context.ts';

/** A variable that a text shows, and what this window knows of its value. */
interface Named {
  readonly name: string;
  readonly cellId: string;
  readonly uri: string | null;
  readonly isOld: boolean;
  /** From a run that this window saw; undefined if the value must be requested from the store. */
  readonly text: string | undefined;
}

/**
 * The context for rendering a text cell: pictures in the notebook's folder, and the values of variables that it names
 * as `{{ name }}`.
 */
export function useMarkdownContext(text: string): MarkdownContext {
  const sid = useView((view) => view.sessionId);
  const names = useMemo(() => valueNames(text).join('\n'), [text]);
  const named = useViewSame((view) => namedIn(view, names === '' ? [] : names.split('\n')), sameNamed);
  const unknownUris = named.flatMap(({ uri, text: knownText }) =>
    knownText === undefined && uri !== null ? [uri] : [],
  );
  const live = useView((view) => view.link.kind === 'live');
  const { value } = useAnswer('listVariables', live && unknownUris.length > 0 ? { params: { sid } } : null, {
    subject: sid,
    key: unknownUris.join('\n'),
  });
  return useMemo(() => {
    const variablesByUri = new Map((value?.variables ?? []).map((one) => [one.artifact_uri, one]));
    const valuesByName = new Map(
      named.flatMap(({ name, cellId, uri, isOld, text: knownText }): [string, ShownValue][] => {
        const words = knownText ?? keptText(variablesByUri.get(uri ?? ''));
        return words === null ? [] : [[name, { text: words, isOld, cellId }]];
      }),
    );
    return {
      value: (name) => valuesByName.get(name) ?? null,
      picture: (path) => routeUrl('folderPicture', { params: { sid }, query: { path } }),
    };
  }, [sid, named, value]);
}

function namedIn(view: NotebookView, names: readonly string[]): readonly Named[] {
  if (names.length === 0) return [];
  const rows = variableRows(view.model);
  return names.flatMap((name) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) return [];
    const model = view.model.cells[row.cellId];
    const preview = model?.previews[name];
    const text = preview === undefined ? undefined : previewText(preview);
    return [{ name, cellId: row.cellId, uri: row.uri, isOld: model?.cell.status !== 'ready', text }];
  });
}

function sameNamed(a: readonly Named[], b: readonly Named[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A table is represented by its size. */
function previewText(preview: {
  readonly rows?: number | null | undefined;
  readonly columns?: readonly unknown[] | null | undefined;
  readonly preview?: unknown;
  readonly text?: string | undefined;
  readonly type?: string | undefined;
}): string {
  if (preview.type !== undefined) return preview.text ?? preview.type;
  const { rows, columns } = preview;
  if (rows !== null && rows !== undefined) return tableText(rows, columns?.length ?? null);
  return valueInText(preview.preview);
}

function keptText(variable: StoredVariable | undefined): string | null {
  if (variable === undefined) return null;
  if (variable.rows !== null) return tableText(variable.rows, variable.columns);
  if (variable.value === null) return null;
  try {
    return valueInText(parseStoredJson(variable.value));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function tableText(rows: number, columns: number | null): string {
  return columns === null ? countText(rows) : `${countText(rows)} × ${columns}`;
}
