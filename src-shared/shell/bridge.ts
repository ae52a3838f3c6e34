/**
 * What the desktop window offers its page beyond a browser tab: `window.cellarShell`. Absent in a browser, so every
 * caller asks first. The preload makes it, the main process answers it and checks every payload once more.
 * Paths are absolute and in the form of the machine. Choosing or dropping a folder is the person's consent: the
 * server may open it from then on.
 */
export interface ShellBridge {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** Asks for a notebook folder in the system's dialog. Null when the person cancels. */
  chooseNotebook(): Promise<string | null>;
  /** Asks for the place and name of a new notebook in the system's dialog; nothing is made yet. */
  chooseNewNotebook(): Promise<ShellNewNotebook | null>;
  /**
   * The folder a `File` of a drop stands for, granted. Null when it is no folder of this machine, or no drop of the
   * person's own. (`unknown` because this file is shared with rooms that have no DOM.)
   */
  grantDropped(file: unknown): Promise<string | null>;
  /**
   * Asks the person, in the system's dialog, whether they trust this notebook folder: only then does it run anything.
   * False when they do not.
   */
  trustNotebook(path: string): Promise<boolean>;
  /** Puts a notebook that was opened among the recent ones: menus, dock, jump list. */
  remember(notebook: ShellNotebook): void;
  /** Keeps a worker's token in the system's keychain. False where there is none: then nothing is kept. */
  keepWorkerToken(token: ShellWorkerToken): Promise<boolean>;
  /** The tokens the keychain has for the workers of a notebook, each with the address it is for. */
  workerTokens(notebook: string): Promise<readonly ShellKeptToken[]>;
  /** What runs in this window now: for the dock's progress, the notification, the question before quitting. */
  setRunState(state: ShellRunState): void;
  /** Menu entries and shortcuts of the system's menu arrive as command ids. @returns how to stop listening */
  onCommand(listener: (commandId: string) => void): () => void;
  /** A folder to open in this window: from the file manager, the dock or a second start. @returns how to stop */
  onOpenPath(listener: (path: string) => void): () => void;
  /** Another window, on a notebook or, with null, on the home page. A notebook that has a window gets its focus. */
  newWindow(path: string | null): void;
}

/** The token of a notebook's worker, as it is to be kept; null: forgotten. */
export interface ShellWorkerToken {
  readonly notebook: string;
  readonly worker: string;
  /** The address it was entered for. */
  readonly url: string;
  readonly token: string | null;
}

export interface ShellKeptToken {
  readonly worker: string;
  readonly url: string;
  readonly token: string;
}

export interface ShellNotebook {
  readonly path: string;
  readonly name: string;
}

export interface ShellNewNotebook {
  readonly parent: string;
  readonly name: string;
}

export interface ShellRunState {
  /** Cells running or waiting their turn; 0 ends the run. */
  readonly running: number;
  /** The notebook's name, for the notification. */
  readonly title: string | null;
  /** How long the run has taken, in seconds; null when unknown. */
  readonly seconds: number | null;
  /** The run ended with a failed cell. */
  readonly failed: boolean;
}

/** The name under which the bridge stands in the page's `window`. */
export const BRIDGE_NAME = 'cellarShell';
