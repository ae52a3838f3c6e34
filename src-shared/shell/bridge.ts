/**
 * The API of the desktop window for its page, in addition to that of a browser: `window.cellarShell`. Absent
 * in a browser, so every caller checks for it. The preload creates it; the main process handles the calls and
 * validates every payload again. Paths are absolute and in the machine's format. By choosing or dropping a
 * folder the user consents: the server may open it from then on.
 */
export interface ShellBridge {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** Opens the system's dialog for a notebook folder. Null when the user cancels. */
  chooseNotebook(): Promise<string | null>;
  /** Opens the system's dialog for the place and name of a new notebook; nothing is created yet. */
  chooseNewNotebook(): Promise<ShellNewNotebook | null>;
  /**
   * The folder of a dropped `File`, granted. Null when it is not a folder of this machine, or was not dropped
   * by the user. (`unknown` because this file is shared with modules without DOM types.)
   */
  grantDropped(file: unknown): Promise<string | null>;
  /**
   * Asks the user, in a native dialog, whether they trust this notebook folder, which is required to run
   * anything. False when they do not.
   */
  trustNotebook(path: string): Promise<boolean>;
  /** Adds an opened notebook to the recent ones: menus, dock, jump list. */
  remember(notebook: ShellNotebook): void;
  /** Stores a worker's token in the system's keychain. False without one: then nothing is stored. */
  keepWorkerToken(token: ShellWorkerToken): Promise<boolean>;
  /** The keychain's tokens for the workers of a notebook, each with the worker's URL. */
  workerTokens(notebook: string): Promise<readonly ShellStoredToken[]>;
  /**
   * What runs in this window now: for the progress in the dock, the notification, the question before
   * quitting.
   */
  setRunState(state: ShellRunState): void;
  /**
   * Entries and shortcuts of the system's menu arrive as command ids. @returns a function that unsubscribes
   */
  onCommand(listener: (commandId: string) => void): () => void;
  /**
   * A folder to open in this window: from the file manager, the dock or a second start. @returns a function
   * that unsubscribes
   */
  onOpenPath(listener: (path: string) => void): () => void;
  /**
   * Opens another window with a notebook or, with null, the home page. If the notebook has a window, that
   * gets the focus.
   */
  newWindow(path: string | null): void;
}

/** The token of a notebook's worker, to store; null: to delete. */
export interface ShellWorkerToken {
  readonly notebook: string;
  readonly worker: string;
  /** The worker's URL that the token was entered for. */
  readonly url: string;
  readonly token: string | null;
}

/** A stored token of a worker. */
export interface ShellStoredToken {
  readonly worker: string;
  readonly url: string;
  readonly token: string;
}

/** A notebook of this machine, as the shell lists it. */
export interface ShellNotebook {
  readonly path: string;
  readonly name: string;
}

/** The place and name that a user chose for a new notebook. */
export interface ShellNewNotebook {
  readonly parent: string;
  readonly name: string;
}

/** The run of the page's notebook, for the icon of the window and the notification at its end. */
export interface ShellRunState {
  /** Cells that are running or waiting; 0 ends the run. */
  readonly running: number;
  /** The notebook's name, for the notification. */
  readonly title: string | null;
  /** How long the run has taken, in seconds; null when unknown. */
  readonly seconds: number | null;
  /** The run ended with a failed cell. */
  readonly failed: boolean;
}

/** The property of the page's `window` with the bridge. */
export const BRIDGE_NAME = 'cellarShell';
