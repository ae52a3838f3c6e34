/** The type of the facts about a language of cells, such as its file extension and whether it runs. */

/** Properties of a cell language, on which other code must depend instead of on the language's name. */
export interface LanguageFacts {
  /** The extension of the files of its cells. */
  readonly suffix: string;
  /** The text of a new cell. */
  readonly newSource: string;
  /** The language's name in a Markdown code fence. */
  readonly fence: string;
  /** Directives that its cells ignore; all others are parsed for every language (docs/spec/annotations.md, 1.2, 2). */
  readonly ignores: ReadonlySet<string>;
  /** Its cells run and have a status and a result; text has neither. */
  readonly runs: boolean;
  /** A run executes the cell's own code in a process: mounts, tables, loops and workers apply to it. */
  readonly runsCode: boolean;
  /**
   * When its cells start the notebook's Python: `always`, only to show `values` in a text, or `never`. The set-up cell
   * runs first in each of those processes.
   */
  readonly startsPython: 'always' | 'values' | 'never';
  /** Which package manager can add a package that a failed cell misses. */
  readonly packages: 'python' | 'r';
  /** A database or a model answers its cells: their results count by content, because keys are known only later. */
  readonly storesReply: boolean;
  /** Each run sends a request that may cost money and whose answer may differ. */
  readonly asksModel: boolean;
  /** Its cells read values of other cells and external data. */
  readonly readsValues: boolean;
  /** The result is stored and shown as a table although no cell reads it. */
  readonly storesTable: boolean;
  /** Its cells are controls that users set. */
  readonly hasControls: boolean;
  /** Other cells can use its functions and classes. */
  readonly sharesCode: boolean;
  /** Its runs are observed: which files, variables and packages they used. */
  readonly isObserved: boolean;
  /** A cell may run once per variant. */
  readonly fansOut: boolean;
  /** The first cell may be the set-up cell. */
  readonly setsUp: boolean;
  /** Its cells have tests. */
  readonly hasTests: boolean;
  /** Its cells are formatted, checked for unknown names and renamed by the language server. */
  readonly hasServices: boolean;
  /** Its cells query the database of a connection that they name. */
  readonly connects: boolean;
  /** The value of its last line is what a cell shows. */
  readonly endsWithValue: boolean;
  /** Its code can use the client `svc`. */
  readonly hasClient: boolean;
  /** Another program reads the names of its cells, and an edit waits for that. */
  readonly namesFromProgram: boolean;
  /** A console can be opened inside its cells, or why not; null: it can. */
  readonly whyNoConsole: string | null;
}
