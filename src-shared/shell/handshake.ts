/**
 * What the shell and the server it owns say to each other, over the channel of the process (utilityProcess or a
 * child's IPC) and nowhere else. REST can neither see nor send any of it.
 */
export type ShellToServer =
  | {
      /** The first message. */
      readonly type: 'start';
      /** 256 random bits, made anew for every start of the app. */
      readonly token: string;
      /** The folders the person consented to so far. */
      readonly roots: readonly string[];
      /** The folders whose cells the person trusts so far; others are read and edited, and run nothing. */
      readonly trusted: readonly string[];
      /** 0 lets the system choose; after a crash the port of before, so that the windows find it again. */
      readonly port: number;
      /** The app's folder of resources (uv); null outside a packaged app. */
      readonly resources: string | null;
      /** Keys of the server that the app took out of the environment it hands on. */
      readonly secrets?: Readonly<Record<string, string>>;
    }
  /** One more folder the person consented to. Answered by `granted`. */
  | { readonly type: 'grant'; readonly id: number; readonly root: string }
  /** One more folder the person trusts. Answered by `granted`. */
  | { readonly type: 'trust'; readonly id: number; readonly root: string }
  /** How this system reaches hosts outside, as variables for tools; whatever the environment sets wins. */
  | { readonly type: 'network'; readonly variables: Readonly<Record<string, string>> }
  /** Which notebooks run something now? Answered by `running`. */
  | { readonly type: 'ask_running'; readonly id: number }
  /** What a helper process says to the server; never looked into on the way. */
  | { readonly type: 'helper_said'; readonly id: number; readonly message: unknown }
  /** A helper process has ended, or could not be started. */
  | { readonly type: 'helper_gone'; readonly id: number }
  /** Drain and end. */
  | { readonly type: 'stop' };

export type ServerToShell =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'granted'; readonly id: number }
  | { readonly type: 'running'; readonly id: number; readonly names: readonly string[] }
  /** The server made a notebook: the person's own, and trusted from then on. */
  | { readonly type: 'made'; readonly path: string }
  /** The server deleted the notebook of this folder: what comes to lie there is neither chosen nor trusted. */
  | { readonly type: 'removed'; readonly path: string }
  /**
   * A process for what can only be stopped by ending it (a query of SQLite): the packaged app is not usable as Node, so
   * the server can start none itself. Which program runs in it is not the server's to say.
   */
  | { readonly type: 'helper_start'; readonly id: number }
  | { readonly type: 'helper_say'; readonly id: number; readonly message: unknown }
  /** At once, amid whatever it does. */
  | { readonly type: 'helper_end'; readonly id: number }
  /** The server cannot start; `message` is for the person. */
  | { readonly type: 'failed'; readonly message: string };

/** The header that carries the launch token on HTTP requests and WebSocket upgrades. */
export const LAUNCH_TOKEN_HEADER = 'x-cellar-launch-token';

/** Fewer characters cannot hold 256 bits. */
export const LEAST_TOKEN_LENGTH = 43;

/** A message of the shell, or null when it is none. */
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
  if (type !== 'start' || typeof token !== 'string' || token.length < LEAST_TOKEN_LENGTH) return null;
  if (!isTexts(roots) || !isTexts(trusted) || !isPort(port)) return null;
  if (resources !== null && typeof resources !== 'string') return null;
  if (secrets === undefined) return { type, token, roots, trusted, port, resources };
  return isTextRecord(secrets) ? { type, token, roots, trusted, port, resources, secrets } : null;
}

/** A message of the server, or null when it is none. */
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
