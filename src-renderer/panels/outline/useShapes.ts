/** Hook that provides the descriptions of variables in the Outline panel, from frames or from the store. */

import { useMemo } from 'react';
import type { StoredVariable } from '../../../src-shared/wire/routes/extensions.ts';
import { useAnswer } from '../../live/useAnswer.ts';
import { useView, useViewSame } from '../../notebook/context.ts';
import type { CellModel } from '../../state/notebookModel.ts';
import type { VariableRow } from '../../state/outline.ts';
import { shapeText } from './shapeText.ts';
import { type VariableFacts, variableFacts } from './variableFacts.ts';

/** The description of a variable, and further facts about it. */
export interface DescribedVariable {
  readonly shape: string;
  readonly facts: VariableFacts | null;
}

/** Hook for the facts about each variable by its name, from frames that this window received, else from the store. */
export function useShapes(rows: readonly VariableRow[]): ReadonlyMap<string, DescribedVariable> {
  const models = useViewSame(
    (view) => rows.map((row) => view.model.cells[row.cellId]),
    (a, b) => a.length === b.length && a.every((one, at) => one === b[at]),
  );
  const storedVariables = useKeptVariables(rows, models);
  return useMemo(
    () =>
      new Map(
        rows.map((row, at) => {
          const stored = storedVariables.get(row.uri ?? '');
          const shape = shapeText(row, models[at], stored);
          return [row.name, { shape, facts: variableFacts(row, models[at], stored) }];
        }),
      ),
    [rows, models, storedVariables],
  );
}

const NOTHING: ReadonlyMap<string, StoredVariable> = new Map();

/** The stored facts by URI, requested only for variables of runs before this window was opened. */
function useKeptVariables(
  rows: readonly VariableRow[],
  models: readonly (CellModel | undefined)[],
): ReadonlyMap<string, StoredVariable> {
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
