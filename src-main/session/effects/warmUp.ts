/** Loads the imports of a notebook's cells in the warm Python process before a run needs them. */

import type { Executor } from '../../exec/executor.ts';
import { notebookEnvOf } from '../keys/expected.ts';
import type { SessionState } from '../state/state.ts';

/**
 * How long the imports of a notebook must be unchanged before they are loaded, because a user may be
 * typing.
 */
export const SETTLE_MS = 250;

interface WarmUpOptions {
  readonly executor: Pick<Executor, 'prepare'>;
  /** False while no run is coming, or while all requested runs have started. */
  readonly isWanted: (state: SessionState) => boolean;
  /** Called after a failure, which only makes runs start cold. */
  readonly onFailure: (error: unknown) => void;
}

/** Keeps the warm interpreter of a notebook loaded with the imports of its cells. */
interface WarmUps {
  /** Loads the imports for this state, unless that is done. */
  now(state: SessionState): void;
  /**
   * Call after every event; cheap. Once no cell runs and the imports have settled, new ones are loaded. A run
   * never waits for that: the existing process serves it.
   */
  follow(state: SessionState): void;
  close(): void;
}

/** Creates the warm-ups of one program. */
export function createWarmUps(options: WarmUpOptions): WarmUps {
  let last: SessionState | null = null;
  /** The imports loaded last, and those that the last check needed. */
  let prepared: string | null = null;
  let lastKey: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  function now(state: SessionState): void {
    const target = wantedOf(state);
    if (closed || target === null || !options.isWanted(state)) return;
    prepared = target.key;
    options.executor
      .prepare(target.interpreter, target.imports, target.variables)
      .catch((error: unknown) => options.onFailure(error));
  }

  function lookLater(): void {
    timer ??= setTimeout(look, SETTLE_MS).unref();
  }

  function look(): void {
    timer = null;
    // The end of a run is an event, too.
    if (last === null || last.running !== null) return;
    const key = wantedOf(last)?.key ?? null;
    if (key === null || key === prepared) return;
    if (key === lastKey) {
      now(last);
      return;
    }
    lastKey = key;
    lookLater();
  }

  return {
    now,
    follow(state) {
      const before = last;
      last = state;
      // Without a warm-up at the start there is nothing to update.
      if (closed || prepared === null || before === null || isSame(before, state)) return;
      lookLater();
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Whether nothing changed that affects the wanted imports. */
function isSame(before: SessionState, state: SessionState): boolean {
  return (
    before.cells === state.cells &&
    before.running === state.running &&
    before.file === state.file &&
    before.modules === state.modules
  );
}

/** The imports that the cells of a notebook need loaded; null if there is no interpreter. */
function wantedOf(state: SessionState) {
  const { interpreter } = state.environment;
  if (interpreter === null) return null;
  // A module of the folder may change between two runs; an installed module with the same name must not be
  // loaded either.
  const local = new Set(Array.from(state.modules.files.keys(), (path) => path.replace(/(\/.*|\.py)$/, '')));
  const names = [...state.cells.values()].flatMap((cell) => cell.analysis.imports);
  const imports = [...new Set(names)].filter((name) => !local.has(name)).sort();
  const variables = notebookEnvOf(state);
  const pairs = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return { interpreter, imports, variables, key: JSON.stringify([interpreter.identity, imports, pairs]) };
}
