import { useMemo } from 'react';
import type { KeptVariable } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView, useViewSame } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import type { VariableRow } from '../../state/outline.ts';
import { shapeText } from './shapeText.ts';

/** In words, by name: what each variable is, as far as this window has been told, else as the store knows it. */
export function useShapes(rows: readonly VariableRow[]): ReadonlyMap<string, string> {
  const models = useViewSame(
    (view) => rows.map((row) => view.model.cells[row.cellId]),
    (a, b) => a.length === b.length && a.every((one, at) => one === b[at]),
  );
  const kept = useKeptVariables(rows, models);
  return useMemo(
    () => new Map(rows.map((row, at) => [row.name, shapeText(row, models[at], kept.get(row.uri ?? ''))])),
    [rows, models, kept],
  );
}

const NOTHING: ReadonlyMap<string, KeptVariable> = new Map();

/** What the store knows, by uri; asked only where runs before this window left something it was not told of. */
function useKeptVariables(
  rows: readonly VariableRow[],
  models: readonly (CellModel | undefined)[],
): ReadonlyMap<string, KeptVariable> {
  const sessionId = useView((view) => view.sessionId);
  const live = useView((view) => view.link.kind === 'live');
  const untold = rows
    .filter((row, at) => row.uri !== null && models[at]?.previews[row.name] === undefined)
    .map(({ uri }) => uri)
    .join('\n');
  const { value } = useAnswer(
    'listVariables',
    live && untold !== '' ? { params: { sid: sessionId } } : null,
    {
      subject: sessionId,
      key: untold,
    },
  );
  return useMemo(
    () => (value === null ? NOTHING : new Map(value.variables.map((one) => [one.artifact_uri, one]))),
    [value],
  );
}
