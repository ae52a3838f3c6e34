import type { Executor } from '../../exec/executor.ts';
import { notebookEnvOf } from '../keys/expected.ts';
import type { SessionState } from '../state/state.ts';

/** How long the imports of a notebook stay the same before they are loaded: somebody may be typing. */
export const SETTLE_MS = 250;

export interface WarmUpOptions {
  readonly executor: Pick<Executor, 'prepare'>;
  /** False while nothing is going to run, or all that will is under way. */
  readonly isWanted: (state: SessionState) => boolean;
  /** A failure only makes runs cold. */
  readonly onFailure: (error: unknown) => void;
}

/** Keeps the warm interpreter of a notebook up to date with what its cells import. */
export interface WarmUps {
  /** Brings it up for this state, if that is not done. */
  now(state: SessionState): void;
  /**
   * Called after every event, and cheap: once no cell runs and the imports have settled, those that are new are loaded.
   * A run never waits for that: the process there was before serves it.
   */
  follow(state: SessionState): void;
  close(): void;
}

export function createWarmUps(options: WarmUpOptions): WarmUps {
  let seen: SessionState | null = null;
  /** What was brought up last, and what would have been at the last look. */
  let prepared: string | null = null;
  let looked: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  function now(state: SessionState): void {
    const wanted = wantedOf(state);
    if (closed || wanted === null || !options.isWanted(state)) return;
    prepared = wanted.key;
    options.executor
      .prepare(wanted.interpreter, wanted.imports, wanted.variables)
      .catch((error: unknown) => options.onFailure(error));
  }

  function lookLater(): void {
    timer ??= setTimeout(look, SETTLE_MS).unref();
  }

  function look(): void {
    timer = null;
    // The end of what runs is an event, too.
    if (seen === null || seen.running !== null) return;
    const key = wantedOf(seen)?.key ?? null;
    if (key === null || key === prepared) return;
    if (key === looked) {
      now(seen);
      return;
    }
    looked = key;
    lookLater();
  }

  return {
    now,
    follow(state) {
      const before = seen;
      seen = state;
      // What was not brought up at the start is not kept up to date either.
      if (closed || prepared === null || before === null || isSame(before, state)) return;
      lookLater();
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Whether nothing changed that may change what is wanted. */
function isSame(before: SessionState, state: SessionState): boolean {
  return (
    before.cells === state.cells &&
    before.running === state.running &&
    before.file === state.file &&
    before.modules === state.modules
  );
}

/** What the cells of a notebook find loaded; null where there is nothing to run them with. */
function wantedOf(state: SessionState) {
  const { interpreter } = state.environment;
  if (interpreter === null) return null;
  // A module of the folder may change between two runs; what it hides of an installed one must not be loaded either.
  const local = new Set(Array.from(state.modules.files.keys(), (path) => path.replace(/(\/.*|\.py)$/, '')));
  const names = [...state.cells.values()].flatMap((cell) => cell.analysis.imports);
  const imports = [...new Set(names)].filter((name) => !local.has(name)).sort();
  const variables = notebookEnvOf(state);
  const pairs = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return { interpreter, imports, variables, key: JSON.stringify([interpreter.identity, imports, pairs]) };
}
