import { diagnose } from '../../../src-shared/notebook/diagnostics.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import type { AliasKind } from '../python/aliases.ts';
import { type CheckedCell, type CheckedNotebook, NONE, type NotebookCheck } from './check.ts';

/**
 * Whether this check looks at the cell: its diagnostics then depend on cells that it has no edge to.
 */
export function changesInPlace({ analysis }: Pick<CheckedCell, 'analysis'>): boolean {
  return analysis.mutationDefines.length > 0;
}

/**
 * A cell that assigns to a part of a value (`b[0] = 1`) passes the change on under that name only. In a single kernel it
 * also shows through other names of the object, such as `a` after `b = a`; this warns if they are read afterwards.
 * Cellar's own check (docs/extensions.md). Names bound in one cell are compared when it runs (harness: shared_values.py).
 */
export const checkSharedObjects: NotebookCheck = (cell, notebook) => {
  if (!changesInPlace(cell)) return NONE;
  const diagnostics: Diagnostic[] = [];
  for (const name of cell.analysis.mutationDefines) {
    const giver = notebook.graph.wiring.get(cell.id)?.get(name);
    if (giver === undefined) continue;
    const changed = { name, giver };
    const other = laterReads(cell.id, notebook).find((read) =>
      isOneObject(changed, read, { cell, notebook }),
    );
    if (other !== undefined)
      diagnostics.push(diagnose('changes_shared_object', messageFor(name, other.name), null, name));
  }
  return diagnostics.length === 0 ? NONE : diagnostics;
};

function messageFor(name: string, other: string): string {
  return `\`${name}\` and \`${other}\` may be one object, and the change of \`${name}\` does not reach \`${other}\`. Make a copy of \`${other}\` where \`${name}\` is assigned, or change \`${other}\` and assign \`${name}\` from it in this cell.`;
}

/** A name, and the cell whose value a reader gets. */
interface Value {
  readonly name: string;
  readonly giver: CellId;
}

/** What the cell and the cells after it read. */
function laterReads(id: CellId, { cells, graph }: CheckedNotebook): readonly Value[] {
  const reads: Value[] = [];
  let isPast = false;
  for (const later of cells.keys()) {
    isPast ||= later === id;
    if (!isPast || graph.inactive.has(later)) continue;
    for (const [name, giver] of graph.wiring.get(later) ?? []) reads.push({ name, giver });
  }
  return reads;
}

function isOneObject(
  changed: Value,
  read: Value,
  { cell, notebook }: { readonly cell: CheckedCell; readonly notebook: CheckedNotebook },
): boolean {
  if (read.name === changed.name || read.giver === changed.giver || read.giver === cell.id) return false;
  const kind = kindOf(changed, read, notebook) ?? kindOf(read, changed, notebook);
  return kind === 'object' || (kind === 'memory' && !setsColumns(cell.source, changed.name));
}

/** How a value is taken from another one; undefined if it is not. */
function kindOf(value: Value, origin: Value, notebook: CheckedNotebook): AliasKind | undefined {
  const visited = new Set<string>();
  const pending: (Value & { readonly kind: AliasKind })[] = [{ ...value, kind: 'object' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.name === origin.name && at.giver === origin.giver) return at.kind;
    const key = `${at.giver} ${at.name}`;
    const cell = notebook.cells.get(at.giver);
    if (cell === undefined || visited.has(key)) continue;
    visited.add(key);
    pending.push(...sourcesOf(at, cell, notebook));
  }
  return undefined;
}

/** The values of other cells that a value is taken from. */
function sourcesOf(
  { name, giver, kind }: Value & { readonly kind: AliasKind },
  { analysis }: CheckedCell,
  { graph }: CheckedNotebook,
): readonly (Value & { readonly kind: AliasKind })[] {
  const wiring = graph.wiring.get(giver);
  const sources = new Map<string, AliasKind>(analysis.aliases.get(name) ?? []);
  if (sources.size === 0 && analysis.mutationDefines.includes(name)) sources.set(name, 'object');
  return [...sources].flatMap(([source, taken]) => {
    const above = wiring?.get(source);
    if (above !== undefined) return [{ name: source, giver: above, kind: kind === 'memory' ? kind : taken }];
    // A name of the same cell, which may itself be taken from one above.
    return source !== name && analysis.aliases.has(source)
      ? [{ name: source, giver, kind: kind === 'memory' ? kind : taken }]
      : [];
  });
}

/** Whether the cell assigns to the name by a text only (`df["x"] = 1`), which adds a column and changes no memory. */
function setsColumns(source: string, name: string): boolean {
  const subscripts = source.matchAll(new RegExp(`(?<![\\w.])${name}\\s*\\[\\s*(.)`, 'gu'));
  return [...subscripts].every(([, first]) => first === '"' || first === "'");
}
