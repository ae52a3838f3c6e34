/** Hook for the order, widths and visibility of a table's columns, as the user arranged them. */

import { useMemo, useState } from 'react';
import type { ColumnChoices } from '../../state/tableLayouts.ts';
import { noChoices, tableLayouts } from '../../state/tableLayouts.ts';
import { columnFormat, timeFormat } from './cellText.ts';
import { columnKind } from './columnKind.ts';
import type { GridColumn } from './columnLayout.ts';
import { arrangeColumns, chosenWidth, fittingWidth, labelOf, moveBeside } from './columnLayout.ts';
import type { Row } from './tablePage.ts';
import type { Summaries } from './useSummaries.ts';

export interface Columns {
  /** The visible columns in the order in which they are drawn. */
  readonly shown: readonly GridColumn[];
  /** All columns, in the order of the result. */
  readonly all: readonly GridColumn[];
  readonly choices: ColumnChoices;
  readonly setWidth: (name: string, px: number | null) => void;
  readonly togglePinned: (name: string) => void;
  readonly hide: (name: string) => void;
  /** Shows a hidden column again; null: all columns. */
  readonly show: (name: string | null) => void;
  readonly drop: (name: string, to: { readonly beside: string; readonly after: boolean }) => void;
  /** Moves a column one place to the left or right among the visible columns. */
  readonly move: (name: string, by: -1 | 1) => void;
  /** Applies changes made in another view of the same table. */
  readonly reload: () => void;
  /** Restores the columns as they are in the result. */
  readonly reset: () => void;
}

/** The columns of a table as a person arranged them. Default widths are computed from the first rows. */
export function useColumns(
  /** The key under which the arrangement is stored. */
  table: string,
  names: readonly string[],
  sample: readonly Row[],
  summaries: Summaries | null,
): Columns {
  const [choices, choose] = useState(() => tableLayouts.of(table));
  const setChoices = (change: (now: ColumnChoices) => ColumnChoices): void => {
    const next = change(choices);
    choose(next);
    tableLayouts.keep(table, next);
  };
  const base = useMemo(
    () =>
      names.map((name, at) => {
        const { format } = columnFormat(sample, at);
        const label = labelOf(name);
        const width = fittingWidth(
          label,
          sample.slice(0, 20).map((row) => format(row[at]).text),
        );
        return { at, name, label, format, width };
      }),
    [names, sample],
  );
  const all = useMemo(
    () =>
      base.map((column): GridColumn => {
        const kind = columnKind(summaries?.[column.at]?.dtype ?? null, sample, column.at);
        return {
          ...column,
          kind,
          format: kind === 'temporal' ? timeFormat(column.format) : column.format,
          width: choices.widths[column.name] ?? column.width,
          fixed: choices.widths[column.name] !== undefined,
          pinned: choices.pinned.includes(column.name),
        };
      }),
    [base, sample, summaries, choices],
  );
  const visibleColumns = useMemo(() => arrangeColumns(all, choices), [all, choices]);
  const drop: Columns['drop'] = (name, to) =>
    setChoices((now) => {
      const knownNames = now.order.filter((one) => names.includes(one));
      const order = [...knownNames, ...names.filter((one) => !knownNames.includes(one))];
      // A column dropped beside a pinned one is pinned too; otherwise it would jump away.
      const isPinned = now.pinned.includes(to.beside);
      const pinned = now.pinned.filter((one) => one !== name);
      return {
        ...now,
        order: moveBeside(order, name, to),
        pinned: isPinned ? [...pinned, name] : pinned,
      };
    });
  return {
    all,
    shown: visibleColumns,
    drop,
    move: (name, by) => {
      const beside = visibleColumns[visibleColumns.findIndex((column) => column.name === name) + by];
      if (beside !== undefined) drop(name, { beside: beside.name, after: by === 1 });
    },
    reload: () => choose(tableLayouts.of(table)),
    reset: () => setChoices(() => noChoices),
    choices,
    setWidth: (name, px) =>
      setChoices((now) => {
        const { [name]: _old, ...widths } = now.widths;
        return { ...now, widths: px === null ? widths : { ...widths, [name]: chosenWidth(px) } };
      }),
    togglePinned: (name) =>
      setChoices((now) => ({
        ...now,
        pinned: now.pinned.includes(name) ? now.pinned.filter((one) => one !== name) : [...now.pinned, name],
      })),
    hide: (name) => setChoices((now) => ({ ...now, hidden: [...now.hidden, name] })),
    show: (name) =>
      setChoices((now) => ({
        ...now,
        hidden: name === null ? [] : now.hidden.filter((one) => one !== name),
      })),
  };
}
