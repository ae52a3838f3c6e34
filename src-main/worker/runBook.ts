import type { ConsoleLine } from '../../src-shared/wire/worker/extensions.ts';
import type { PackedBundle } from '../exec/outputBundle/packBundle.ts';
import type { RunFolder } from './runFolder.ts';

/** How a run ended, for whoever asks after it. */
export type RunEnd =
  | { readonly kind: 'bundle'; readonly bundle: PackedBundle }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A run with a name, from its admission until it is forgotten. */
export interface BookedRun {
  onConsole(line: ConsoleLine): void;
  /** Of what is in its folder. */
  bundled(bundle: PackedBundle): void;
  /** It has no bundle; of one that has, its delivery failed alone. */
  failed(error: unknown): void;
  /** Nothing of it goes on: its folder may go, unless it is kept. */
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

export interface RunBookOptions {
  /** Takes a folder away that nobody needs any more. */
  readonly drop: (folder: RunFolder) => void;
  readonly keepMs?: number;
  readonly mostKept?: number;
  readonly mostKeptBytes?: number;
}

/** What was printed lately, for who listens late (worker-protocol 5.3, signed-builds 4). */
const KEPT_CHARS = 65_536;
const KEEP_MS = 60 * 60 * 1000;
const MOST_KEPT = 32;
const MOST_KEPT_BYTES = 4 * 1024 ** 3;

/**
 * The runs of a worker by their build ids: what they print, and how they ended. A bundle its caller asked to keep stays
 * an hour, or until it is forgotten; the oldest go first where many are kept.
 */
export class RunBook {
  readonly #options: Required<RunBookOptions>;
  readonly #entries = new Map<string, Entry>();
  /** Who listens to a run that is still on its way here. */
  readonly #early = new Map<string, Set<Listener>>();

  constructor(options: RunBookOptions) {
    const defaults = { keepMs: KEEP_MS, mostKept: MOST_KEPT, mostKeptBytes: MOST_KEPT_BYTES };
    this.#options = { ...defaults, ...options };
  }

  /** A run without a name is nobody's to ask after. */
  begin(buildId: string | null, folder: RunFolder, keep: boolean): BookedRun {
    const { promise, resolve } = Promise.withResolvers<RunEnd>();
    const listeners = new Set(buildId === null ? [] : this.#early.get(buildId));
    const entry: Entry = {
      ...{ folder, keep: keep && buildId !== null, lines: [], listeners, ended: promise, settle: resolve },
      ...{ chars: 0, bytes: 0, isClosed: false, isBundled: false, expiry: null },
    };
    if (buildId !== null) {
      this.forget(buildId);
      this.#early.delete(buildId);
      this.#entries.set(buildId, entry);
    }
    return {
      onConsole: (line) => show(entry, line),
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

  /** Whether its folder is kept for who comes back. */
  keeps(folder: RunFolder): boolean {
    return [...this.#entries.values()].some(
      (entry) => entry.folder === folder && entry.keep && entry.isBundled,
    );
  }

  /** Null for a run nobody knows. */
  find(buildId: string): { readonly ended: Promise<RunEnd>; readonly isKept: boolean } | null {
    const entry = this.#entries.get(buildId);
    return entry === undefined ? null : { ended: entry.ended, isKept: entry.keep };
  }

  /** What was printed and what will be; a run that is still to come is waited for. @returns to listen no more */
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

  /** What is kept of it goes, once it has ended. @returns whether it was known */
  forget(buildId: string): boolean {
    const entry = this.#entries.get(buildId);
    if (entry === undefined || !entry.isClosed) return false;
    this.#entries.delete(buildId);
    if (entry.expiry !== null) clearTimeout(entry.expiry);
    this.#options.drop(entry.folder);
    return true;
  }

  /** Forgets what has ended, and tells who waits for a run that none will come. */
  close(): void {
    const waiting = [...this.#early.values()].flatMap((listeners) => [...listeners]);
    this.#early.clear();
    for (const listener of waiting) listener.over();
    for (const buildId of [...this.#entries.keys()]) this.forget(buildId);
  }

  #closed(buildId: string, entry: Entry): void {
    // Its folder is for who asked for it alone, and goes with the answer.
    if (!entry.keep) {
      if (this.#entries.get(buildId) === entry) this.#entries.delete(buildId);
      return;
    }
    entry.expiry = setTimeout(() => this.forget(buildId), this.#options.keepMs);
    entry.expiry.unref();
    const kept = [...this.#entries].filter(([, one]) => one.isClosed);
    let bytes = kept.reduce((sum, [, one]) => sum + one.bytes, 0);
    let count = kept.length;
    for (const [oldest, one] of kept) {
      if (count <= this.#options.mostKept && bytes <= this.#options.mostKeptBytes) return;
      this.forget(oldest);
      count -= 1;
      bytes -= one.bytes;
    }
  }
}

function show(entry: Entry, line: ConsoleLine): void {
  entry.lines.push(line);
  entry.chars += line.text.length;
  while (entry.chars > KEPT_CHARS && entry.lines.length > 1) {
    entry.chars -= entry.lines.shift()?.text.length ?? 0;
  }
  for (const listener of entry.listeners) listener.line(line);
}
