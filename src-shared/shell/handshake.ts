/**
 * What the shell and the server it owns say to each other, over the channel of the process (utilityProcess or a
 * child's IPC) and nowhere else. REST can neither see nor send any of it.
 */
export type ShellToServer =
  /** The first message. `roots` are the folders the person consented to; `port` 0 lets the system choose. */
  | {
      readonly type: 'start';
      readonly token: string;
      readonly roots: readonly string[];
      readonly port: number;
    }
  /** One more folder the person consented to. Answered by `granted`. */
  | { readonly type: 'grant'; readonly id: number; readonly root: string }
  /** Drain and end. */
  | { readonly type: 'stop' };

export type ServerToShell =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'granted'; readonly id: number }
  /** The server cannot start; `message` is for the person. */
  | { readonly type: 'failed'; readonly message: string };

/** The header that carries the launch token on HTTP requests and WebSocket upgrades. */
export const LAUNCH_TOKEN_HEADER = 'x-cellar-launch-token';

/** Fewer characters cannot hold 256 bits. */
const LEAST_TOKEN_LENGTH = 43;

/** A message of the shell, or null when it is none. */
export function readShellMessage(data: unknown): ShellToServer | null {
  if (!isRecord(data)) return null;
  const { type, token, roots, port, id, root } = data;
  if (type === 'stop') return { type };
  if (type === 'grant') {
    return typeof id === 'number' && typeof root === 'string' && root !== '' ? { type, id, root } : null;
  }
  if (type !== 'start' || typeof token !== 'string' || token.length < LEAST_TOKEN_LENGTH) return null;
  if (!Array.isArray(roots) || !roots.every((entry): entry is string => typeof entry === 'string'))
    return null;
  return isPort(port) ? { type, token, roots, port } : null;
}

/** A message of the server, or null when it is none. */
export function readServerMessage(data: unknown): ServerToShell | null {
  if (!isRecord(data)) return null;
  const { type, port, id, message } = data;
  if (type === 'listening') return isPort(port) && port > 0 ? { type, port } : null;
  if (type === 'granted') return typeof id === 'number' ? { type, id } : null;
  if (type === 'failed') return typeof message === 'string' ? { type, message } : null;
  return null;
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
}
