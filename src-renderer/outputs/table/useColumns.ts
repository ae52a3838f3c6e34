import { useMemo, useState } from 'react';
import { columnFormat, timeFormat } from './cellText.ts';
import { columnKind } from './columnKind.ts';
import type { ColumnChoices, GridColumn } from './columnLayout.ts';
import { arranged, chosenWidth, fittingWidth, labelOf, noChoices } from './columnLayout.ts';
import type { Row } from './tablePage.ts';
import type { Summaries } from './useSummaries.ts';

export interface Columns {
  /** As they are drawn, hidden ones left out. */
  readonly shown: readonly GridColumn[];
  readonly choices: ColumnChoices;
  readonly setWidth: (name: string, px: number | null) => void;
  readonly togglePinned: (name: string) => void;
  readonly hide: (name: string) => void;
  /** One column, or all. */
  readonly show: (name: string | null) => void;
}

/** The columns of a table as a person arranged them. Widths come from the rows that are there at first. */
export function useColumns(
  names: readonly string[],
  sample: readonly Row[],
  summaries: Summaries | null,
): Columns {
  const [choices, setChoices] = useState(noChoices);
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
  const shown = useMemo(() => {
    const columns = base.map((column): GridColumn => {
      const kind = columnKind(summaries?.[column.at]?.dtype ?? null, sample, column.at);
      return {
        ...column,
        kind,
        format: kind === 'temporal' ? timeFormat(column.format) : column.format,
        width: choices.widths[column.name] ?? column.width,
        fixed: choices.widths[column.name] !== undefined,
        pinned: choices.pinned.includes(column.name),
      };
    });
    return arranged(columns, choices.hidden);
  }, [base, sample, summaries, choices]);
  return {
    shown,
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
