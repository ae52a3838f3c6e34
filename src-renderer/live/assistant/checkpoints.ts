/**
 * Shows the undo stack as checkpoints for review: each job of the assistant and each burst of changes by an agent from
 * outside is one checkpoint, with its changes of each cell. Pure: it reads the entries of the stack and stores nothing.
 */

import { diffArrays } from 'diff';
import { merge3 } from '../../../src-shared/notebook/merge3.ts';
import type { Change, Entry, History, NotebookContent } from '../history.ts';
import { conflictOf, inverseOf, orderAfter } from '../history.ts';

export interface Checkpoint {
  /** The id of the checkpoint's first entry. */
  readonly id: string;
  /** The program that made the changes; null: the assistant. */
  readonly by: string | null;
  /** When the newest change was made, epoch ms; null if that was not recorded. */
  readonly atMs: number | null;
  readonly entries: readonly Entry[];
}

/** After a pause of this length, in ms, changes of the same agent begin a new burst. */
export const BURST_MS = 2 * 60_000;

export function isByAgent({ id, deed }: Entry): boolean {
  return deed === 'assistant' || id.startsWith('mcp-');
}

/** The checkpoints that have not been undone, oldest first. */
export function checkpointsOf({ done }: Pick<History, 'done'>): readonly Checkpoint[] {
  const all: Checkpoint[] = [];
  let last: Entry | null = null;
  for (const entry of done) {
    const before = last;
    last = entry;
    if (!isByAgent(entry)) continue;
    const by = entry.deed === 'assistant' ? null : (entry.origin?.by ?? '');
    const atMs = timeOf(entry);
    const open = all.at(-1);
    const goesOn = open !== undefined && before !== null && open.entries.at(-1) === before;
    if (goesOn && by !== null && open.by === by && (atMs ?? 0) - (open.atMs ?? 0) <= BURST_MS) {
      all[all.length - 1] = { ...open, atMs, entries: [...open.entries, entry] };
    } else all.push({ id: entry.id, by, atMs, entries: [entry] });
  }
  return all;
}

function timeOf({ origin, atMs }: Entry): number | null {
  const at = origin === undefined ? atMs : Date.parse(origin.at);
  return Number.isFinite(at) && at > 0 ? at : null;
}

/**
 * The net effect of several entries: one change per cell text; a cell that was added and deleted again has none. The
 * changes are in an order that can be undone in reverse: cells are restored before their order and their texts.
 */
export function netChanges(entries: readonly Pick<Entry, 'changes'>[]): readonly Change[] {
  const sources = new Map<string, Extract<Change, { kind: 'source' }>>();
  const presence = new Map<string, 'added' | 'deleted'>();
  const others = new Map<string, Change>();
  for (const change of entries.flatMap(({ changes }) => changes)) {
    if (change.kind === 'source') {
      const { before } = sources.get(change.cellId) ?? change;
      sources.set(change.cellId, { ...change, before });
    } else if (change.kind === 'added' || change.kind === 'deleted') {
      const was = presence.get(change.cellId);
      if (was === undefined) presence.set(change.cellId, change.kind);
      else if (was !== change.kind) presence.delete(change.cellId);
      // A cell that was added and deleted again has no text before and none after.
      if (was === 'added') sources.delete(change.cellId);
    } else {
      const key = keyOf(change);
      const first = others.get(key);
      others.set(
        key,
        first === undefined
          ? change
          : ({ ...change, before: 'before' in first ? first.before : null } as Change),
      ); // both have the same kind, because the key contains it
    }
  }
  const of = (kind: 'added' | 'deleted'): Change[] =>
    [...presence].flatMap(([cellId, what]) => (what === kind ? [{ kind, cellId }] : []));
  // The text of an added cell is added and removed with the cell.
  const texts = [...sources.values()].filter(
    ({ cellId, before, after }) => before !== after && presence.get(cellId) !== 'added',
  );
  return [...texts, ...others.values(), ...of('added'), ...of('deleted')];
}

/** The subject of a change that is not about a cell: changes with the same key are combined. */
function keyOf(change: Change): string {
  if (change.kind === 'connection') return `connection ${change.name}`;
  return change.kind === 'variant' ? `variant ${change.group}` : change.kind;
}

/** One line of a checkpoint: a cell, or something else that was changed. */
export interface ChangeRow {
  readonly key: string;
  readonly kind: 'added' | 'deleted' | 'edited' | 'moved' | 'other';
  readonly cellId: string | null;
  /** The text before the checkpoint; null if its entries do not have it. */
  readonly before: string | null;
  readonly after: string | null;
  /** Cells that were moved. */
  readonly moved: readonly string[];
  readonly changes: readonly Change[];
}

export function rowsOf(checkpoint: Pick<Checkpoint, 'entries'>): readonly ChangeRow[] {
  const net = netChanges(checkpoint.entries);
  const rows: ChangeRow[] = [];
  const touchedCells = new Set(net.flatMap((change) => ('cellId' in change ? [change.cellId] : [])));
  for (const cellId of touchedCells) {
    const changes = net.filter((change) => 'cellId' in change && change.cellId === cellId);
    const text = changes.find((change) => change.kind === 'source');
    const kind = changes.some((change) => change.kind === 'added')
      ? 'added'
      : changes.some((change) => change.kind === 'deleted')
        ? 'deleted'
        : 'edited';
    rows.push({
      key: cellId,
      kind,
      cellId,
      moved: [],
      changes,
      before: kind === 'added' ? null : (text?.before ?? null),
      after: kind === 'deleted' ? null : (text?.after ?? null),
    });
  }
  for (const change of net) {
    if ('cellId' in change) continue;
    const kind = change.kind === 'order' ? 'moved' : 'other';
    const moved = change.kind === 'order' ? movedIds(change.before, change.after) : [];
    rows.push({
      key: keyOf(change),
      kind,
      cellId: null,
      before: null,
      after: null,
      moved,
      changes: [change],
    });
  }
  return rows;
}

/** The smallest set of cells whose moves turn one order into the other. */
export function movedIds(before: readonly string[], after: readonly string[]): readonly string[] {
  const here = new Set(after);
  const was = new Set(before);
  const parts = diffArrays(
    before.filter((id) => here.has(id)),
    after.filter((id) => was.has(id)),
  );
  return parts.flatMap(({ added, value }) => (added ? value : []));
}

/** `changed`: it has been changed since in such a way that a revert would undo that change too. */
export type RowState = 'there' | 'reverted' | 'changed';

/** Whether a row is still in the notebook and can be reverted. */
export function stateOf(row: ChangeRow, ground: NotebookContent): RowState {
  const text = row.changes.find((change) => change.kind === 'source');
  if (row.cellId !== null) {
    const now = ground.sourceOf(row.cellId);
    if (row.kind === 'added') return now === null ? 'reverted' : 'there';
    if (row.kind === 'deleted') return now === null ? 'there' : 'reverted';
    if (now === null) return 'changed';
    if (now === text?.before) return 'reverted';
  }
  const back = inverseOf({ changes: row.changes });
  return back.every((change) => applicableChange(ground, change, { merges: true }) !== null)
    ? 'there'
    : 'changed';
}

/** The changes that revert rows, in an order in which they can be applied. */
export function revertingChanges(rows: readonly Pick<ChangeRow, 'changes'>[]): readonly Change[] {
  return inverseOf({ changes: netChanges(rows) });
}

/**
 * A change in the form in which it can be made in the current notebook; null if it cannot. `merges`: if other lines of
 * a text have changed since, they stay as they are.
 */
export function applicableChange(
  ground: NotebookContent,
  change: Change,
  { merges }: { merges: boolean },
): Change | null {
  if (conflictOf(ground, change) === null) return change;
  if (change.kind !== 'source' || !merges) return null;
  const now = ground.sourceOf(change.cellId);
  if (now === null || now === change.after) return null;
  const merged = merge3({ base: change.before, mine: now, theirs: change.after });
  return merged.kind === 'clean' ? { ...change, before: now, after: merged.text } : null;
}

/** The way back to an earlier state of the notebook. */
export interface Rewind {
  /** The entries since that state, oldest first. */
  readonly since: readonly Entry[];
  /** The changes to make. */
  readonly changes: readonly Change[];
  /** The changes that cannot be reverted, because the same was changed elsewhere since. */
  readonly left: readonly Change[];
}

/** @param since the entries after the state to go back to, oldest first */
export function rewindOf(since: readonly Entry[], ground: NotebookContent): Rewind {
  const changes: Change[] = [];
  const remaining: Change[] = [];
  let { order } = ground;
  const restored = new Set<string>();
  for (const change of inverseOf({ changes: netChanges(since) })) {
    // A deleted cell is restored with its last text, so this text change applies even though the cell is not there yet.
    const isRestored = change.kind === 'source' && restored.has(change.cellId);
    if (!isRestored && applicableChange({ ...ground, order }, change, { merges: false }) === null) {
      remaining.push(change);
      continue;
    }
    changes.push(change);
    if (change.kind === 'added') {
      restored.add(change.cellId);
      order = [...order, change.cellId];
    } else if (change.kind === 'deleted') order = order.filter((id) => id !== change.cellId);
    else if (change.kind === 'order') order = orderAfter(order, change) ?? order;
  }
  return { since, changes, left: remaining };
}
