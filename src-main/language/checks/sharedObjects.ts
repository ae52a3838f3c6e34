/** Warns when a cell changes a value in place that other cells read under another name. */

import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { type AliasKind, strongest } from '../python/aliases.ts';
import { type AliasIndex, aliasIndexOf, type Value } from './aliasIndex.ts';
import { canChangePart } from './changedParts.ts';
import { type CheckedCell, type CheckedNotebook, NO_DIAGNOSTICS, type NotebookCheck } from './check.ts';

/**
 * Whether the cell changes a value in place that has another name: its diagnostics then depend on cells that it has no
 * edge to.
 */
export function changesInPlace(
  cell: Pick<CheckedCell, 'id' | 'analysis'>,
  notebook: CheckedNotebook,
): boolean {
  const names = cell.analysis.mutationDefines;
  if (names.length === 0) return false;
  const index = aliasIndexOf(notebook);
  return changedValues(cell, notebook).some((value) => index.hasOtherNames(value));
}

/**
 * Reports a cell that assigns to a part of a value (`b[0] = 1`), which passes the change on under that name only. In a
 * single kernel it also shows through other names of the object, such as `a` after `b = a`; this warns if they are read
 * afterwards. Cellar's own check (docs/extensions.md). Names bound in one cell are compared when it runs (harness:
 * shared_values.py).
 */
export const checkSharedObjects: NotebookCheck = (cell, notebook) => {
  if (!changesInPlace(cell, notebook)) return NO_DIAGNOSTICS;
  const index = aliasIndexOf(notebook);
  const diagnostics: Diagnostic[] = [];
  for (const changed of changedValues(cell, notebook)) {
    const isRead = (value: Taken): boolean => isReadAfter(value, { cell, changed, index });
    const origin = related(changed, (value) => index.sourcesOf(value)).find(isRead);
    const part = related(changed, (value) => index.takenFrom(value))
      // What was taken out of a value earlier does not change with the value's other entries.
      .filter(
        (value) =>
          value.kind !== 'part' || canChangePart(changed.name, cell.source, takenBy(value, notebook)),
      )
      .find(isRead);
    const message =
      origin === undefined
        ? part && messageOfTaken(changed.name, part.name)
        : messageOfSource(changed.name, origin.name);
    if (message !== undefined)
      diagnostics.push(diagnose('changes_shared_object', message, null, changed.name));
  }
  return diagnostics.length === 0 ? NO_DIAGNOSTICS : diagnostics;
};

function takenBy({ name, giver }: Value, { cells }: CheckedNotebook): { part: string; source: string } {
  return { part: name, source: cells.get(giver)?.source ?? '' };
}

function messageOfTaken(name: string, other: string): string {
  return `\`${other}\` may be \`${name}\` or a part of it, and the change of \`${name}\` does not reach \`${other}\`. Assign \`${other}\` in this cell after the change, or make a copy where \`${other}\` is assigned.`;
}

function messageOfSource(name: string, other: string): string {
  return `\`${name}\` and \`${other}\` may be one object, and the change of \`${name}\` does not reach \`${other}\`. Make a copy of \`${other}\` where \`${name}\` is assigned, or change \`${other}\` and assign \`${name}\` from it in this cell.`;
}

function changedValues(
  { id, analysis }: Pick<CheckedCell, 'id' | 'analysis'>,
  { graph }: CheckedNotebook,
): readonly Value[] {
  const wiring = graph.wiring.get(id);
  return analysis.mutationDefines.flatMap((name) => {
    const giver = wiring?.get(name);
    return giver === undefined ? [] : [{ name, giver }];
  });
}

type Taken = Value & { readonly kind: AliasKind };

/** The values that lead to a value, or from it, by one or more aliases. */
function related(start: Value, step: (value: Value) => readonly Taken[]): readonly Taken[] {
  const values: Taken[] = [];
  const visited = new Set<string>();
  const pending: Taken[] = [{ ...start, kind: 'object' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const next of step(at)) {
      const key = `${next.giver} ${next.name}`;
      if (visited.has(key)) continue;
      visited.add(key);
      const value = { ...next, kind: strongest(at.kind, next.kind) };
      values.push(value);
      pending.push(value);
    }
  }
  return values;
}

function isReadAfter(
  value: Taken,
  {
    cell,
    changed,
    index,
  }: { readonly cell: CheckedCell; readonly changed: Value; readonly index: AliasIndex },
): boolean {
  if (value.kind === 'memory' && setsColumns(cell.source, changed.name)) return false;
  return index
    .readsOf(value)
    .some(
      (read) =>
        read.name !== changed.name &&
        read.giver !== changed.giver &&
        read.giver !== cell.id &&
        read.last >= index.positionOf(cell.id),
    );
}

/** Whether the cell assigns to the name by a text only (`df["x"] = 1`), which adds a column and changes no memory. */
function setsColumns(source: string, name: string): boolean {
  const subscripts = source.matchAll(new RegExp(`(?<![\\w.])${name}\\s*\\[\\s*(.)`, 'gu'));
  return [...subscripts].every(([, first]) => first === '"' || first === "'");
}
