import { useMemo } from 'react';
import { useViewSame } from '../../notebook/context.ts';
import type { VariableRow } from '../../state/outline.ts';
import { shapeText } from './shapeText.ts';

/** In words, by name: what each variable is, as far as this window has been told. */
export function useShapes(rows: readonly VariableRow[]): ReadonlyMap<string, string> {
  const models = useViewSame(
    (view) => rows.map((row) => view.model.cells[row.cellId]),
    (a, b) => a.length === b.length && a.every((one, at) => one === b[at]),
  );
  return useMemo(
    () => new Map(rows.map((row, at) => [row.name, shapeText(row, models[at])])),
    [rows, models],
  );
}
