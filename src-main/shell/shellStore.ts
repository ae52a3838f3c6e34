/** The settings file of the desktop app: recent notebooks, trusted folders, window positions. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ShellNotebook } from '../../src-shared/shell/bridge.ts';
import { folderIdentity } from '../lib/folderIdentity.ts';
import { readWindowState, type WindowState } from './windowState.ts';

/** A folder the user trusts, with its identity at that time. */
interface TrustedFolder {
  readonly path: string;
  /** The `folderIdentity` of the folder at that time. */
  readonly identity: string;
}

/** What the shell stores between starts, in one file of the user. */
interface ShellMemory {
  /** The recently opened notebooks, newest first. */
  readonly recents: readonly ShellNotebook[];
  /** Folders the user chose in a system dialog: the server may open notebooks below them. */
  readonly grants: readonly string[];
  /** Folders whose cells the user trusts: notebooks below them may run. */
  readonly trusted: readonly TrustedFolder[];
  /** The states of windows by notebook folder; the home page's under the empty text. */
  readonly windows: Readonly<Record<string, WindowState>>;
  /** The server's first port: windows store data (colours, layout) by their URL. */
  readonly port: number | null;
}

const EMPTY: ShellMemory = { recents: [], grants: [], trusted: [], windows: {}, port: null };
const RECENTS = 12;
/**
 * The maximum number of granted folders. The oldest are removed first; choosing such a folder again grants it again.
 */
const GRANTS = 200;
const WINDOWS = 100;

export interface ShellStore {
  readonly memory: () => ShellMemory;
  readonly remember: (notebook: ShellNotebook) => void;
  readonly forgetRecents: () => void;
  readonly grant: (root: string) => void;
  readonly trust: (root: string) => void;
  /** The trusted folders that are still the ones the user trusted; a replacement is not. */
  readonly trusted: () => readonly string[];
  /** Call when the notebook of this folder was deleted: another one in its place needs to be chosen again. */
  readonly forget: (root: string) => void;
  readonly keepWindow: (key: string, state: WindowState) => void;
  /** Stores only the first port; a different one, used because that was in use, is temporary. */
  readonly keepPort: (port: number) => void;
}

/** Reads the file; a missing or broken one counts as empty, since everything in it can be chosen again. */
export function openShellStore(path: string, onProblem: (error: unknown) => void): ShellStore {
  let memory = readMemory(path, onProblem);
  const change = (next: Partial<ShellMemory>): void => {
    memory = { ...memory, ...next };
    try {
      writeWhole(path, memory);
    } catch (error) {
      // A full disk: choices count until the app ends.
      onProblem(error);
    }
  };
  return {
    memory: () => memory,
    remember: (notebook) =>
      change({
        recents: [notebook, ...memory.recents.filter(({ path }) => path !== notebook.path)].slice(0, RECENTS),
      }),
    forgetRecents: () => change({ recents: [] }),
    grant(root) {
      if (memory.grants.includes(root)) return;
      change({ grants: [...memory.grants, root].slice(-GRANTS) });
    },
    trust(root) {
      const identity = folderIdentity(root);
      if (identity === null) return;
      const others = memory.trusted.filter(({ path }) => path !== root);
      change({ trusted: [...others, { path: root, identity }].slice(-GRANTS) });
    },
    trusted: () =>
      memory.trusted
        .filter(({ path, identity }) => folderIdentity(path) === identity)
        .map(({ path }) => path),
    forget(root) {
      const { recents, grants, trusted } = memory;
      change({
        recents: recents.filter(({ path }) => path !== root),
        grants: grants.filter((one) => one !== root),
        trusted: trusted.filter(({ path }) => path !== root),
      });
    },
    keepWindow(key, state) {
      const others = Object.entries(memory.windows).filter(([name]) => name !== key);
      change({ windows: Object.fromEntries([...others, [key, state]].slice(-WINDOWS)) });
    },
    keepPort(port) {
      if (memory.port === null) change({ port });
    },
  };
}

function readMemory(path: string, onProblem: (error: unknown) => void): ShellMemory {
  try {
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof data !== 'object' || data === null) return EMPTY;
    const { recents, grants, trusted, windows, port } = data as Record<string, unknown>; // each is validated next
    return {
      recents: Array.isArray(recents) ? recents.filter(isNotebook).slice(0, RECENTS) : [],
      grants: textsIn(grants),
      trusted: Array.isArray(trusted) ? trusted.filter(isTrustedFolder) : [],
      windows: readWindows(windows),
      port: isPort(port) ? port : null,
    };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) onProblem(error);
    return EMPTY;
  }
}

function textsIn(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.filter((text): text is string => typeof text === 'string') : [];
}

function readWindows(data: unknown): ShellMemory['windows'] {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => {
      const state = readWindowState(value);
      return state === null ? [] : [[key, state] as const];
    }),
  );
}

/** A port that needs no special rights. */
function isPort(data: unknown): data is number {
  return Number.isInteger(data) && Number(data) >= 1024 && Number(data) <= 65_535;
}

function isTrustedFolder(data: unknown): data is TrustedFolder {
  if (typeof data !== 'object' || data === null || !('path' in data) || !('identity' in data)) return false;
  return typeof data.path === 'string' && typeof data.identity === 'string';
}

function isNotebook(data: unknown): data is ShellNotebook {
  if (typeof data !== 'object' || data === null || !('path' in data) || !('name' in data)) return false;
  return typeof data.path === 'string' && typeof data.name === 'string';
}

/** Writes the file atomically: readers see the old file or the new one. */
function writeWhole(path: string, memory: ShellMemory): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.tmp`;
  writeFileSync(beside, JSON.stringify(memory), { mode: 0o600 });
  renameSync(beside, path);
}
