/**
 * The faults of cells (problems found in their code): their order, where they are marked, the fix to offer, and the
 * next or previous one.
 */

import { type Fix, fixOf } from '../../src-shared/notebook/fixes.ts';
import type { Cell, Diagnostic } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

const RANK: Readonly<Record<Diagnostic['severity'], number>> = { error: 0, warn: 1, info: 2 };

/** The problems of a cell, the most severe first, then by line. */
export function faultsOf({
  annotation_diagnostics: all,
}: Pick<Cell, 'annotation_diagnostics'>): readonly Diagnostic[] {
  if (all.length < 2) return all;
  return [...all].sort((a, b) => RANK[a.severity] - RANK[b.severity] || (a.line ?? 0) - (b.line ?? 0));
}

/**
 * The columns of a line to mark, from 1, end exclusive: those of the problem's subject, else of all text in the line.
 */
export function spanOf(
  text: string,
  { subject }: Pick<Diagnostic, 'subject'>,
): { readonly start: number; readonly end: number } {
  const at = subject === undefined || subject === '' ? -1 : text.indexOf(subject);
  if (at !== -1 && subject !== undefined) return { start: at + 1, end: at + 1 + subject.length };
  const start = text.length - text.trimStart().length + 1;
  return { start, end: Math.max(start + 1, text.trimEnd().length + 1) };
}

/** The problem to fix: the one on `line` if there is one, else the most severe that has a fix. */
export function fixAt(cell: Cell, source: string, line: number | null): Fix | null {
  const faults = faultsOf(cell);
  const here = faults.filter((fault) => fault.line === line);
  for (const fault of line === null ? faults : [...here, ...faults]) {
    const fix = fixOf(source, fault, cell);
    if (fix !== null) return fix;
  }
  return null;
}

/** A line with problems to go to; null for problems of the cell as a whole. */
interface FaultPlace {
  readonly cellId: string;
  readonly line: number | null;
}

/** All problems of the notebook, in its order. */
export function faultPlaces(model: NotebookModel): readonly FaultPlace[] {
  return model.order.flatMap((cellId) => {
    const cell = model.cells[cellId]?.cell;
    if (cell === undefined || cell.annotation_diagnostics.length === 0) return [];
    const lines = new Set(cell.annotation_diagnostics.map(({ line }) => line));
    return [...lines].sort((a, b) => (a ?? 0) - (b ?? 0)).map((line) => ({ cellId, line }));
  });
}

/** The next or previous problem, wrapping around; null if there is none. */
export function nextFault(
  model: NotebookModel,
  from: { readonly cellId: string | null; readonly line: number | null },
  by: 1 | -1,
): FaultPlace | null {
  const places = faultPlaces(model);
  const orderOf = (cellId: string | null): number => (cellId === null ? -1 : model.order.indexOf(cellId));
  const isAfter = (place: FaultPlace): boolean => {
    const difference =
      orderOf(place.cellId) - orderOf(from.cellId) || (place.line ?? 0) - (from.line ?? (by === 1 ? -1 : 0));
    return by === 1 ? difference > 0 : difference < 0;
  };
  const ahead = places.filter(isAfter);
  return (by === 1 ? (ahead[0] ?? places[0]) : (ahead.at(-1) ?? places.at(-1))) ?? null;
}
