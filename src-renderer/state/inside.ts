/**
 * The consoles inside cells that this window has open: their expressions, in order, and the answers. Pure. A console
 * belongs to this window, but the process behind it belongs to the cell, and another window may close or restart it.
 */
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';

export type InsideAnswer = ServerPayload<'inspect_result'>;

export interface InsideEntry {
  /** A number that is unique in the console. */
  readonly id: number;
  readonly expr: string;
  /** Null until the answer has arrived. */
  readonly answer: Pick<InsideAnswer, Exclude<keyof InsideAnswer, 'cell_id' | 'action'>> | null;
}

export interface Inside {
  readonly state: 'starting' | 'ready' | 'closed';
  /** Whether the current evaluation is being interrupted. */
  readonly stopping: boolean;
  readonly entries: readonly InsideEntry[];
  /** Entered expressions, oldest first, including those from before a restart of the console. */
  readonly history: readonly string[];
  /** Names the cell reads that are unavailable, each with the reason. */
  readonly missing: NonNullable<InsideAnswer['missing']>;
  /** The completions, with the text they were requested for; null if none were requested. */
  readonly names: { readonly asked: string; readonly names: readonly string[] } | null;
  /** The reason why it is closed. */
  readonly note: string | null;
  /** The stored result of the cell when the console was opened; if it differs now, the cell has run since. */
  readonly storedAs: string;
}

export type Insides = Readonly<Record<string, Inside>>;

/** The most entries in the page; the oldest are removed. */
const MOST_ENTRIES = 500;
const MOST_HISTORY = 500;

export function insideOpened(all: Insides, cellId: string, storedAs: string): Insides {
  const history = all[cellId]?.history ?? [];
  const fresh: Inside = {
    ...{ state: 'starting', stopping: false, entries: [], missing: [], names: null, note: null },
    history,
    storedAs,
  };
  return { ...all, [cellId]: fresh };
}

export function insideAsked(all: Insides, cellId: string, expr: string): Insides {
  return change(all, cellId, (inside) => {
    const id = (inside.entries.at(-1)?.id ?? 0) + 1;
    const again = inside.history.at(-1) === expr;
    return {
      ...inside,
      entries: [...inside.entries, { id, expr, answer: null }].slice(-MOST_ENTRIES),
      history: again ? inside.history : [...inside.history, expr].slice(-MOST_HISTORY),
    };
  });
}

export function insideStopping(all: Insides, cellId: string): Insides {
  return change(all, cellId, (inside) => (isBusy(inside) ? { ...inside, stopping: true } : inside));
}

export function insideForgotten(all: Insides, cellId: string): Insides {
  const { [cellId]: _gone, ...others } = all;
  return others;
}

/** Removes the entries from the page; the values remain. */
export function insideCleared(all: Insides, cellId: string): Insides {
  return change(all, cellId, (inside) => ({
    ...inside,
    entries: inside.entries.filter(({ answer }) => answer === null),
  }));
}

/** The server's answer to an expression of this window. */
export function insideAnswered(all: Insides, payload: InsideAnswer): Insides {
  const { cell_id: cellId, action, ...answer } = payload;
  return change(all, cellId, (inside) => {
    if (action === 'close') return closed(inside, null);
    if (action === 'open') {
      // Replies arrive in order: if a console was opened twice, the end of the first one arrives before the start of
      // the second.
      if (answer.ok && inside.state !== 'ready')
        return { ...inside, state: 'ready', missing: answer.missing ?? [], note: null };
      return inside.state === 'starting' ? closed(inside, answer.error ?? answer.result ?? '') : inside;
    }
    const at = inside.entries.findIndex((entry) => entry.answer === null && entry.expr === answer.expr);
    if (at === -1) return inside;
    const entries = inside.entries.map((entry, i) => (i === at ? { ...entry, answer } : entry));
    return { ...inside, entries, stopping: false };
  });
}

export function insideCompleted(
  all: Insides,
  { cell_id, asked, names }: ServerPayload<'inspect_completions'>,
): Insides {
  return change(all, cell_id, (inside) => ({ ...inside, names: { asked, names } }));
}

/** Another window closed it, or its process has ended. */
export function insideClosed(all: Insides, { cell_id, message }: ServerPayload<'inspect_closed'>): Insides {
  return change(all, cell_id, (inside) => closed(inside, message));
}

/** A refusal while a console is opening is about that console, unless it names another cell. */
export function insideRefused(all: Insides, { cell_id, error }: ServerPayload<'error'>): Insides {
  return mapAll(all, (inside, id) =>
    inside.state === 'starting' && (cell_id === undefined || cell_id === id) ? closed(inside, error) : inside,
  );
}

/** The connection was lost, and pending replies with it. The server keeps the consoles for a minute. */
export function insideUnlinked(all: Insides, words: string): Insides {
  return mapAll(all, (inside) => {
    if (inside.state === 'starting') return closed(inside, words);
    return isBusy(inside) ? { ...inside, entries: unanswered(inside, words), stopping: false } : inside;
  });
}

/** The session was replaced: its processes no longer exist. */
export function insideGone(all: Insides, words: string): Insides {
  return mapAll(all, (inside) => (inside.state === 'closed' ? inside : closed(inside, words)));
}

export function isBusy({ entries }: Inside): boolean {
  return entries.some(({ answer }) => answer === null);
}

function closed(inside: Inside, note: string | null): Inside {
  const entries = unanswered(inside, note ?? '');
  return { ...inside, state: 'closed', note, entries, stopping: false };
}

function unanswered({ entries }: Inside, words: string): Inside['entries'] {
  return entries.map((entry) =>
    entry.answer === null ? { ...entry, answer: { ok: false, error: words } } : entry,
  );
}

function change(all: Insides, cellId: string, how: (inside: Inside) => Inside): Insides {
  const before = all[cellId];
  if (before === undefined) return all;
  const after = how(before);
  return after === before ? all : { ...all, [cellId]: after };
}

function mapAll(all: Insides, how: (inside: Inside, id: string) => Inside): Insides {
  return Object.keys(all).reduce((now, id) => change(now, id, (inside) => how(inside, id)), all);
}
