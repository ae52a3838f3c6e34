/** The runs of a worker by build id, so that a client can reconnect to a run or fetch its bundle again. */

import type { ConsoleLine } from '../../src-shared/wire/worker/extensions.ts';
import type { PackedBundle } from '../exec/outputBundle/packBundle.ts';
import type { RunFolder } from './runFolder.ts';

/** The outcome of a run, for later requests. */
type RunEnd =
  | { readonly kind: 'bundle'; readonly bundle: PackedBundle }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The entry of a run, from its admission until it is forgotten. */
export interface RegisteredRun {
  onConsole(line: ConsoleLine): void;
  /** The run has produced this bundle, which is in its folder. */
  bundled(bundle: PackedBundle): void;
  /** The run failed; if it already has a bundle, only its delivery failed. */
  failed(error: unknown): void;
  /** The run has ended: its folder may be removed, unless its bundle is stored. */
  close(): void;
}

interface Listener {
  line(line: ConsoleLine): void;
  over(): void;
}

interface Entry {
  readonly folder: RunFolder;
  readonly keep: boolean;
  readonly lines: ConsoleLine[];
  readonly listeners: Set<Listener>;
  readonly ended: Promise<RunEnd>;
  readonly settle: (end: RunEnd) => void;
  chars: number;
  bytes: number;
  isClosed: boolean;
  isBundled: boolean;
  expiry: NodeJS.Timeout | null;
}

export interface RunRegistryOptions {
  /** Removes a folder that is no longer needed. */
  readonly drop: (folder: RunFolder) => void;
  readonly keepMs?: number;
  readonly maxBundles?: number;
  readonly maxBundleBytes?: number;
}

/**
 * The last characters of a console, for listeners that connect late (docs/spec/worker-protocol.md, 5.3;
 * docs/spec/signed-builds.md, 4).
 */
const CONSOLE_CHARS = 65_536;
const KEEP_MS = 60 * 60 * 1000;
const MAX_BUNDLES = 32;
const MAX_BUNDLE_BYTES = 4 * 1024 ** 3;

/**
 * The runs of a worker by build id: their consoles and outcomes. A bundle whose caller asked to store it is stored for
 * an hour or until it is forgotten; if there are too many, the oldest are removed first.
 */
export class RunRegistry {
  readonly #options: Required<RunRegistryOptions>;
  readonly #entries = new Map<string, Entry>();
  /** Listeners of runs that have not started yet. */
  readonly #early = new Map<string, Set<Listener>>();

  constructor(options: RunRegistryOptions) {
    const defaults = { keepMs: KEEP_MS, maxBundles: MAX_BUNDLES, maxBundleBytes: MAX_BUNDLE_BYTES };
    this.#options = { ...defaults, ...options };
  }

  /** Registers a run. One without a build id cannot be found later. */
  begin(buildId: string | null, folder: RunFolder, keep: boolean): RegisteredRun {
    const { promise, resolve } = Promise.withResolvers<RunEnd>();
    const listeners = new Set(buildId === null ? [] : this.#early.get(buildId));
    const entry: Entry = {
      folder,
      keep: keep && buildId !== null,
      lines: [],
      listeners,
      ended: promise,
      settle: resolve,
      chars: 0,
      bytes: 0,
      isClosed: false,
      isBundled: false,
      expiry: null,
    };
    if (buildId !== null) {
      this.forget(buildId);
      this.#early.delete(buildId);
      this.#entries.set(buildId, entry);
    }
    return {
      onConsole: (line) => addLine(entry, line),
      bundled: (bundle) => {
        entry.isBundled = true;
        entry.bytes = bundle.bytes;
        resolve({ kind: 'bundle', bundle });
      },
      failed: (error) => {
        resolve({ kind: 'failed', error });
      },
      close: () => {
        entry.isClosed = true;
        for (const listener of entry.listeners) listener.over();
        entry.listeners.clear();
        if (buildId !== null) this.#closed(buildId, entry);
      },
    };
  }

  /** Whether the folder contains a stored bundle. */
  keeps(folder: RunFolder): boolean {
    return [...this.#entries.values()].some(
      (entry) => entry.folder === folder && entry.keep && entry.isBundled,
    );
  }

  /** The run of a build id; null for an unknown one. */
  find(buildId: string): { readonly ended: Promise<RunEnd>; readonly isStored: boolean } | null {
    const entry = this.#entries.get(buildId);
    return entry === undefined ? null : { ended: entry.ended, isStored: entry.keep };
  }

  /**
   * Reports past and future console lines; waits for a run that has not started.
   * @returns a function that stops listening
   */
  listen(buildId: string, listener: Listener): () => void {
    const entry = this.#entries.get(buildId);
    if (entry === undefined) {
      const waiting = this.#early.get(buildId) ?? new Set();
      this.#early.set(buildId, waiting.add(listener));
      return () => {
        waiting.delete(listener);
        if (waiting.size === 0 && this.#early.get(buildId) === waiting) this.#early.delete(buildId);
        this.#entries.get(buildId)?.listeners.delete(listener);
      };
    }
    for (const line of entry.lines) listener.line(line);
    if (entry.isClosed) listener.over();
    else entry.listeners.add(listener);
    return () => void entry.listeners.delete(listener);
  }

  /** Removes a run that has ended, and its bundle. @returns whether it existed */
  forget(buildId: string): boolean {
    const entry = this.#entries.get(buildId);
    if (entry === undefined || !entry.isClosed) return false;
    this.#entries.delete(buildId);
    if (entry.expiry !== null) clearTimeout(entry.expiry);
    this.#options.drop(entry.folder);
    return true;
  }

  /** Forgets runs that have ended, and ends the listeners of runs that never started. */
  close(): void {
    const waiting = [...this.#early.values()].flatMap((listeners) => [...listeners]);
    this.#early.clear();
    for (const listener of waiting) listener.over();
    for (const buildId of [...this.#entries.keys()]) this.forget(buildId);
  }

  #closed(buildId: string, entry: Entry): void {
    // The folder was only for the response, and is removed after it.
    if (!entry.keep) {
      if (this.#entries.get(buildId) === entry) this.#entries.delete(buildId);
      return;
    }
    entry.expiry = setTimeout(() => this.forget(buildId), this.#options.keepMs);
    entry.expiry.unref();
    const stored = [...this.#entries].filter(([, one]) => one.isClosed);
    let bytes = stored.reduce((sum, [, one]) => sum + one.bytes, 0);
    let count = stored.length;
    for (const [oldest, one] of stored) {
      if (count <= this.#options.maxBundles && bytes <= this.#options.maxBundleBytes) return;
      this.forget(oldest);
      count -= 1;
      bytes -= one.bytes;
    }
  }
}

function addLine(entry: Entry, line: ConsoleLine): void {
  entry.lines.push(line);
  entry.chars += line.text.length;
  while (entry.chars > CONSOLE_CHARS && entry.lines.length > 1) {
    entry.chars -= entry.lines.shift()?.text.length ?? 0;
  }
  for (const listener of entry.listeners) listener.line(line);
}
