/**
 * The consoles inside cells that this window has open: their expressions, in order, and the answers. Pure. A console
 * belongs to this window, but the process behind it belongs to the cell, and another window may close or restart it.
 */
import type { ServerPayload } from '../../src-shared/wire/frames/server.ts';

export type ConsoleAnswer = ServerPayload<'inspect_result'>;

export interface ConsoleEntry {
  /** A number that is unique in the console. */
  readonly id: number;
  readonly expr: string;
  /** Null until the answer has arrived. */
  readonly answer: Pick<ConsoleAnswer, Exclude<keyof ConsoleAnswer, 'cell_id' | 'action'>> | null;
}

export interface CellConsole {
  readonly state: 'starting' | 'ready' | 'closed';
  /** Whether the current evaluation is being interrupted. */
  readonly stopping: boolean;
  readonly entries: readonly ConsoleEntry[];
  /** Entered expressions, oldest first, including those from before a restart of the console. */
  readonly history: readonly string[];
  /** Names the cell reads that are unavailable, each with the reason. */
  readonly missing: NonNullable<ConsoleAnswer['missing']>;
  /** The completions, with the text they were requested for; null if none were requested. */
  readonly names: { readonly asked: string; readonly names: readonly string[] } | null;
  /** The reason why it is closed. */
  readonly note: string | null;
  /** The stored result of the cell when the console was opened; if it differs now, the cell has run since. */
  readonly storedAs: string;
}

export type CellConsoles = Readonly<Record<string, CellConsole>>;

/** The most entries in the page; the oldest are removed. */
const MAX_ENTRIES = 500;
const MAX_HISTORY = 500;

export function withOpenConsole(all: CellConsoles, cellId: string, storedAs: string): CellConsoles {
  const history = all[cellId]?.history ?? [];
  const fresh: CellConsole = {
    state: 'starting',
    stopping: false,
    entries: [],
    missing: [],
    names: null,
    note: null,
    history,
    storedAs,
  };
  return { ...all, [cellId]: fresh };
}

export function withExpression(all: CellConsoles, cellId: string, expr: string): CellConsoles {
  return change(all, cellId, (inside) => {
    const id = (inside.entries.at(-1)?.id ?? 0) + 1;
    const again = inside.history.at(-1) === expr;
    return {
      ...inside,
      entries: [...inside.entries, { id, expr, answer: null }].slice(-MAX_ENTRIES),
      history: again ? inside.history : [...inside.history, expr].slice(-MAX_HISTORY),
    };
  });
}

export function withInterrupt(all: CellConsoles, cellId: string): CellConsoles {
  return change(all, cellId, (inside) => (isBusy(inside) ? { ...inside, stopping: true } : inside));
}

export function withoutConsole(all: CellConsoles, cellId: string): CellConsoles {
  const { [cellId]: _gone, ...others } = all;
  return others;
}

/** Removes the entries from the page; the values remain. */
export function withoutEntries(all: CellConsoles, cellId: string): CellConsoles {
  return change(all, cellId, (inside) => ({
    ...inside,
    entries: inside.entries.filter(({ answer }) => answer === null),
  }));
}

/** The server's answer to an expression of this window. */
export function withAnswer(all: CellConsoles, payload: ConsoleAnswer): CellConsoles {
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

export function withCompletions(
  all: CellConsoles,
  { cell_id, asked, names }: ServerPayload<'inspect_completions'>,
): CellConsoles {
  return change(all, cell_id, (inside) => ({ ...inside, names: { asked, names } }));
}

/** Another window closed it, or its process has ended. */
export function withClosedConsole(
  all: CellConsoles,
  { cell_id, message }: ServerPayload<'inspect_closed'>,
): CellConsoles {
  return change(all, cell_id, (inside) => closed(inside, message));
}

/** A refusal while a console is opening is about that console, unless it names another cell. */
export function withRefusedStart(
  all: CellConsoles,
  { cell_id, error }: ServerPayload<'error'>,
): CellConsoles {
  return mapAll(all, (inside, id) =>
    inside.state === 'starting' && (cell_id === undefined || cell_id === id) ? closed(inside, error) : inside,
  );
}

/** The connection was lost, and pending replies with it. The server keeps the consoles for a minute. */
export function withLostConnection(all: CellConsoles, words: string): CellConsoles {
  return mapAll(all, (inside) => {
    if (inside.state === 'starting') return closed(inside, words);
    return isBusy(inside) ? { ...inside, entries: unanswered(inside, words), stopping: false } : inside;
  });
}

/** The session was replaced: its processes no longer exist. */
export function withAllClosed(all: CellConsoles, words: string): CellConsoles {
  return mapAll(all, (inside) => (inside.state === 'closed' ? inside : closed(inside, words)));
}

export function isBusy({ entries }: CellConsole): boolean {
  return entries.some(({ answer }) => answer === null);
}

function closed(inside: CellConsole, note: string | null): CellConsole {
  const entries = unanswered(inside, note ?? '');
  return { ...inside, state: 'closed', note, entries, stopping: false };
}

function unanswered({ entries }: CellConsole, words: string): CellConsole['entries'] {
  return entries.map((entry) =>
    entry.answer === null ? { ...entry, answer: { ok: false, error: words } } : entry,
  );
}

function change(all: CellConsoles, cellId: string, how: (inside: CellConsole) => CellConsole): CellConsoles {
  const before = all[cellId];
  if (before === undefined) return all;
  const after = how(before);
  return after === before ? all : { ...all, [cellId]: after };
}

function mapAll(all: CellConsoles, how: (inside: CellConsole, id: string) => CellConsole): CellConsoles {
  return Object.keys(all).reduce((now, id) => change(now, id, (inside) => how(inside, id)), all);
}
