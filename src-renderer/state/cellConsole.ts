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
  return change(all, cellId, (cellConsole) => {
    const id = (cellConsole.entries.at(-1)?.id ?? 0) + 1;
    const again = cellConsole.history.at(-1) === expr;
    return {
      ...cellConsole,
      entries: [...cellConsole.entries, { id, expr, answer: null }].slice(-MAX_ENTRIES),
      history: again ? cellConsole.history : [...cellConsole.history, expr].slice(-MAX_HISTORY),
    };
  });
}

export function withInterrupt(all: CellConsoles, cellId: string): CellConsoles {
  return change(all, cellId, (cellConsole) =>
    isBusy(cellConsole) ? { ...cellConsole, stopping: true } : cellConsole,
  );
}

export function withoutConsole(all: CellConsoles, cellId: string): CellConsoles {
  const { [cellId]: _gone, ...others } = all;
  return others;
}

/** Removes the entries from the page; the values remain. */
export function withoutEntries(all: CellConsoles, cellId: string): CellConsoles {
  return change(all, cellId, (cellConsole) => ({
    ...cellConsole,
    entries: cellConsole.entries.filter(({ answer }) => answer === null),
  }));
}

/** The server's answer to an expression of this window. */
export function withAnswer(all: CellConsoles, payload: ConsoleAnswer): CellConsoles {
  const { cell_id: cellId, action, ...answer } = payload;
  return change(all, cellId, (cellConsole) => {
    if (action === 'close') return closed(cellConsole, null);
    if (action === 'open') {
      // Replies arrive in order: if a console was opened twice, the end of the first one arrives before the start of
      // the second.
      if (answer.ok && cellConsole.state !== 'ready')
        return { ...cellConsole, state: 'ready', missing: answer.missing ?? [], note: null };
      return cellConsole.state === 'starting'
        ? closed(cellConsole, answer.error ?? answer.result ?? '')
        : cellConsole;
    }
    const at = cellConsole.entries.findIndex((entry) => entry.answer === null && entry.expr === answer.expr);
    if (at === -1) return cellConsole;
    const entries = cellConsole.entries.map((entry, i) => (i === at ? { ...entry, answer } : entry));
    return { ...cellConsole, entries, stopping: false };
  });
}

export function withCompletions(
  all: CellConsoles,
  { cell_id, asked, names }: ServerPayload<'inspect_completions'>,
): CellConsoles {
  return change(all, cell_id, (cellConsole) => ({ ...cellConsole, names: { asked, names } }));
}

/** Another window closed it, or its process has ended. */
export function withClosedConsole(
  all: CellConsoles,
  { cell_id, message }: ServerPayload<'inspect_closed'>,
): CellConsoles {
  return change(all, cell_id, (cellConsole) => closed(cellConsole, message));
}

/** A refusal while a console is opening is about that console, unless it names another cell. */
export function withRefusedStart(
  all: CellConsoles,
  { cell_id, error }: ServerPayload<'error'>,
): CellConsoles {
  return mapAll(all, (cellConsole, id) =>
    cellConsole.state === 'starting' && (cell_id === undefined || cell_id === id)
      ? closed(cellConsole, error)
      : cellConsole,
  );
}

/** The connection was lost, and pending replies with it. The server keeps the consoles for a minute. */
export function withLostConnection(all: CellConsoles, words: string): CellConsoles {
  return mapAll(all, (cellConsole) => {
    if (cellConsole.state === 'starting') return closed(cellConsole, words);
    return isBusy(cellConsole)
      ? { ...cellConsole, entries: unanswered(cellConsole, words), stopping: false }
      : cellConsole;
  });
}

/** The session was replaced: its processes no longer exist. */
export function withAllClosed(all: CellConsoles, words: string): CellConsoles {
  return mapAll(all, (cellConsole) =>
    cellConsole.state === 'closed' ? cellConsole : closed(cellConsole, words),
  );
}

export function isBusy({ entries }: CellConsole): boolean {
  return entries.some(({ answer }) => answer === null);
}

function closed(cellConsole: CellConsole, note: string | null): CellConsole {
  const entries = unanswered(cellConsole, note ?? '');
  return { ...cellConsole, state: 'closed', note, entries, stopping: false };
}

function unanswered({ entries }: CellConsole, words: string): CellConsole['entries'] {
  return entries.map((entry) =>
    entry.answer === null ? { ...entry, answer: { ok: false, error: words } } : entry,
  );
}

function change(
  all: CellConsoles,
  cellId: string,
  how: (cellConsole: CellConsole) => CellConsole,
): CellConsoles {
  const before = all[cellId];
  if (before === undefined) return all;
  const after = how(before);
  return after === before ? all : { ...all, [cellId]: after };
}

function mapAll(all: CellConsoles, how: (cellConsole: CellConsole, id: string) => CellConsole): CellConsoles {
  return Object.keys(all).reduce((now, id) => change(now, id, (cellConsole) => how(cellConsole, id)), all);
}
