/**
 * The messages between the shell and the server it owns, over the channel of the process (utilityProcess or a
 * child's IPC) only. REST can neither see nor send any of them.
 */
export type ShellToServer =
  | {
      /** The first message. */
      readonly type: 'start';
      /** 256 random bits, new for every start of the app. */
      readonly token: string;
      /** The folders the user has consented to so far. */
      readonly roots: readonly string[];
      /** The folders whose cells the user trusts so far; others can be read and edited, but run nothing. */
      readonly trusted: readonly string[];
      /** 0 lets the system choose; after a crash the previous port, so that the windows find it again. */
      readonly port: number;
      /** The app's folder of resources (uv); null outside a packaged app. */
      readonly resources: string | null;
      /** Keys of the server that the app removed from the environment of its child processes. */
      readonly secrets?: Readonly<Record<string, string>>;
    }
  /** Grants one more folder. Answered by `granted`. */
  | { readonly type: 'grant'; readonly id: number; readonly root: string }
  /** Trusts one more folder. Answered by `granted`. */
  | { readonly type: 'trust'; readonly id: number; readonly root: string }
  /** The system's proxies as variables for tools; the environment's own variables take precedence. */
  | { readonly type: 'network'; readonly variables: Readonly<Record<string, string>> }
  /** Asks which notebooks run something now. Answered by `running`. */
  | { readonly type: 'ask_running'; readonly id: number }
  /** A message of a helper process to the server; passed on without inspection. */
  | { readonly type: 'helper_said'; readonly id: number; readonly message: unknown }
  /** A helper process has ended, or could not be started. */
  | { readonly type: 'helper_gone'; readonly id: number }
  /** Finish received requests and end. */
  | { readonly type: 'stop' };

export type ServerToShell =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'granted'; readonly id: number }
  | { readonly type: 'running'; readonly id: number; readonly names: readonly string[] }
  /** The server created a notebook: the user's own, and trusted from then on. */
  | { readonly type: 'made'; readonly path: string }
  /** The server deleted the notebook of this folder: a later folder in its place is neither granted nor trusted. */
  | { readonly type: 'removed'; readonly path: string }
  /**
   * Requests a process for work that can only be stopped by ending the process (a query of SQLite): the packaged app
   * cannot run as Node, so the server cannot start one itself. The shell decides which program runs in it.
   */
  | { readonly type: 'helper_start'; readonly id: number }
  | { readonly type: 'helper_say'; readonly id: number; readonly message: unknown }
  /** Kills the helper immediately. */
  | { readonly type: 'helper_end'; readonly id: number }
  /** The server cannot start; `message` is for the user. */
  | { readonly type: 'failed'; readonly message: string };

/** The header with the launch token on HTTP requests and WebSocket upgrades. */
export const LAUNCH_TOKEN_HEADER = 'x-cellar-launch-token';

/** Fewer characters cannot contain 256 bits. */
export const MIN_TOKEN_LENGTH = 43;

/** A message of the shell, or null when it is invalid. */
export function readShellMessage(data: unknown): ShellToServer | null {
  if (!isRecord(data)) return null;
  const { type, token, roots, trusted, port, resources, id, root, variables, secrets } = data;
  if (type === 'helper_gone') return typeof id === 'number' ? { type, id } : null;
  if (type === 'helper_said') return typeof id === 'number' ? { type, id, message: data['message'] } : null;
  if (type === 'stop') return { type };
  if (type === 'network') return isTextRecord(variables) ? { type, variables } : null;
  if (type === 'ask_running') return typeof id === 'number' ? { type, id } : null;
  if (type === 'grant' || type === 'trust') {
    return typeof id === 'number' && typeof root === 'string' && root !== '' ? { type, id, root } : null;
  }
  if (type !== 'start' || typeof token !== 'string' || token.length < MIN_TOKEN_LENGTH) return null;
  if (!isTexts(roots) || !isTexts(trusted) || !isPort(port)) return null;
  if (resources !== null && typeof resources !== 'string') return null;
  if (secrets === undefined) return { type, token, roots, trusted, port, resources };
  return isTextRecord(secrets) ? { type, token, roots, trusted, port, resources, secrets } : null;
}

/** A message of the server, or null when it is invalid. */
export function readServerMessage(data: unknown): ServerToShell | null {
  if (!isRecord(data)) return null;
  const { type, port, id, names, path, message } = data;
  if (type === 'listening') return isPort(port) && port > 0 ? { type, port } : null;
  if (type === 'helper_start' || type === 'helper_end') return typeof id === 'number' ? { type, id } : null;
  if (type === 'helper_say') return typeof id === 'number' ? { type, id, message } : null;
  if (type === 'granted') return typeof id === 'number' ? { type, id } : null;
  if (type === 'running') return typeof id === 'number' && isTexts(names) ? { type, id, names } : null;
  if (type === 'made' || type === 'removed')
    return typeof path === 'string' && path !== '' ? { type, path } : null;
  if (type === 'failed') return typeof message === 'string' ? { type, message } : null;
  return null;
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && !Array.isArray(value) && isTexts(Object.values(value));
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
}
