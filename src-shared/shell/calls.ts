/** Declares the calls between the desktop window's page and the desktop app, with validation of their payloads. */

import type {
  ShellNewNotebook,
  ShellNotebook,
  ShellRunState,
  ShellStoredToken,
  ShellWorkerToken,
} from './bridge.ts';

/**
 * The calls that the page can make to the desktop app, which accepts no others. Declared once for both sides. The app
 * sends to the page on the two channels below.
 */
export interface ShellCalls {
  chooseNotebook: { readonly asks: null; readonly gives: string | null };
  chooseNewNotebook: { readonly asks: null; readonly gives: ShellNewNotebook | null };
  /** A path the preload took from a user's own drop. */
  grantDropped: { readonly asks: string; readonly gives: string | null };
  /** A notebook's folder; the user is asked in a native dialog. True once they trust it. */
  trustNotebook: { readonly asks: string; readonly gives: boolean };
  remember: { readonly asks: ShellNotebook; readonly gives: null };
  keepWorkerToken: { readonly asks: ShellWorkerToken; readonly gives: boolean };
  /** The tokens of a notebook's workers; asked with the notebook's id. */
  workerTokens: { readonly asks: string; readonly gives: readonly ShellStoredToken[] };
  setRunState: { readonly asks: ShellRunState; readonly gives: null };
  newWindow: { readonly asks: string | null; readonly gives: null };
}
export type ShellCallName = keyof ShellCalls;

export const CALL_PREFIX = 'cellar:';
export const COMMAND_CHANNEL = 'cellar:command';
export const OPEN_PATH_CHANNEL = 'cellar:open-path';

/** Longer texts are not valid paths or names. */
const MAX_TEXT = 4_096;

type Reader<T> = (data: unknown) => { readonly value: T } | null;

/** Payload from the page → its arguments, or null when it is invalid. */
export const READ_CALL: { readonly [K in ShellCallName]: Reader<ShellCalls[K]['asks']> } = {
  chooseNotebook: readNothing,
  chooseNewNotebook: readNothing,
  grantDropped: readPath,
  trustNotebook: readPath,
  remember(data) {
    const { path, name } = fields(data);
    return isPath(path) && isText(name) ? { value: { path, name } } : null;
  },
  keepWorkerToken(data) {
    const { notebook, worker, url, token } = fields(data);
    if (!isText(notebook) || !isText(worker) || !isText(url)) return null;
    return token === null || isText(token) ? { value: { notebook, worker, url, token } } : null;
  },
  workerTokens: (data) => (isText(data) ? { value: data } : null),
  setRunState(data) {
    const { running, title, seconds, failed } = fields(data);
    if (!isCount(running) || typeof failed !== 'boolean') return null;
    if (title !== null && !isText(title)) return null;
    if (seconds !== null && !isSeconds(seconds)) return null;
    return { value: { running, title, seconds, failed } };
  },
  newWindow: (data) => (data === null ? { value: null } : readPath(data)),
};

function readNothing(data: unknown): { readonly value: null } | null {
  return data === undefined || data === null ? { value: null } : null;
}

function readPath(data: unknown): { readonly value: string } | null {
  return isPath(data) ? { value: data } : null;
}

function fields(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

/** Absolute, on any system: `/a`, `C:\a`, `\\server\share`. */
function isPath(value: unknown): value is string {
  return isText(value) && !value.includes('\0') && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
