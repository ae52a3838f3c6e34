/** The record of a notebook's runs in `.svc/runtime.json` and `.svc/console/`. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { runSample } from '../../../src-shared/wire/runSample.ts';
import { widgetValue } from '../../../src-shared/wire/widget.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { replacedSince } from '../../lib/folderIdentity.ts';
import { READ_LIMITS } from '../../lib/guardedFolder/limits.ts';
import type { Place } from '../../lib/guardedFolder/place.ts';
import { namesIn } from '../../lib/guardedFolder/read.ts';
import { fileStemOf } from '../file/cellFileNames.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';
import { ownPlace } from '../folder/ownPlaces.ts';
import { loadRecord, saveRecord } from '../folder/record.ts';

/** The value for fields that older versions did not record. */
export const UNRECORDED = 'unrecorded';

/**
 * The last run of one cell, in the notebook's record of its runs (docs/spec/notebook-file.md, 1). Losing the record
 * does no harm: results are in the store, this describes how they were shown.
 */
export const cellRuntime = z.object({
  provenanceHash: z.string().nullable(),
  sourceHash: z.string().nullable(),
  envHash: z.string().nullable(),
  inputs: z.array(z.string()),
  error: z.string().nullable(),
  errorSourceHash: z.string().nullable(),
  /** The outputs as sent to windows, without their bytes; opaque here. */
  displays: z.array(z.unknown()),
  executionSamples: z.array(runSample),
  lastExecutionMethod: z.string().nullable(),
  cacheHit: z.boolean(),
  /** Missing in files of older versions: what must match before another session accepts the run. */
  reopenIdentity: z.string().nullable().default(null),
  /**
   * Missing in files of older versions: the run that printed the console, its inputs and when it ended;
   * opaque here.
   */
  logRun: z.string().nullable().default(null),
  /** The runs whose rows are shown, and a digest of this record's console. */
  shownRuns: z.string().nullable().default(UNRECORDED),
  consoleDigest: z.string().nullable().default(null),
  /** The key of the run that failed. */
  errorProvenance: z.string().nullable().default(null),
  facts: z.unknown().default(null),
  lastRun: z.unknown().default(null),
  /**
   * How long the newest run had taken when it was stopped, in ms; null if it was not stopped. Missing in files of older
   * versions.
   */
  stoppedMs: z.number().nullable().default(null),
  testResult: z.unknown().default(null),
  /** The values of a widget cell's controls. */
  widgetValues: z.record(z.string(), widgetValue).default({}),
});
export type CellRuntime = z.infer<typeof cellRuntime>;

const runtimeState = z.object({
  cells: z.record(z.string(), cellRuntime),
  environment: z.object({
    syncedLockHash: z.string(),
    lastSyncedAt: z.number().nullable(),
    lastSyncDurationMs: z.number().nullable(),
    pythonVersion: z.string(),
  }),
});
export type RuntimeState = z.infer<typeof runtimeState>;

const RUNTIME_VERSION = 1;
const runtimeFile = runtimeState.extend({ version: z.literal(RUNTIME_VERSION) });

/**
 * Maximum length of each stream between runs (docs/spec/notebook-file.md, 1); the end is more useful than the start.
 */
export const MAX_STORED_CONSOLE_CHARACTERS = 10_000;

export const EMPTY_RUNTIME: RuntimeState = {
  cells: Object.create(null),
  environment: { syncedLockHash: '', lastSyncedAt: null, lastSyncDurationMs: null, pythonVersion: '' },
};

/**
 * The recorded runs. A damaged file counts as empty; with `repairs` it is set aside as `runtime.json.bad`.
 * @param options `onDamaged` is called for a damaged file
 */
export async function loadRuntime(
  dir: NotebookFolder,
  { repairs = true, onDamaged }: { readonly repairs?: boolean; readonly onDamaged?: () => void } = {},
): Promise<RuntimeState> {
  const options = { repairs, maxBytes: READ_LIMITS.state };
  const { value, isDamaged } = await loadRecord(ownPlace(dir, 'runtime'), runtimeFile, options);
  if (isDamaged) onDamaged?.();
  if (value === null) return EMPTY_RUNTIME;
  const { cells, environment } = value;
  // Without a prototype, because a cell may be called `constructor`.
  return { cells: Object.assign(Object.create(null), cells), environment };
}

export async function saveRuntime(
  dir: NotebookFolder,
  state: RuntimeState,
  { flush = true } = {},
): Promise<void> {
  const content = { version: RUNTIME_VERSION, ...state };
  await saveRecord(ownPlace(dir, 'runtime'), content, { form: 'line', flush, makesFolder: true });
}

/** Saves the record shortly after a request: one write at a time, the newest state wins. */
interface RuntimeWriter {
  /** `snapshot` is taken when the write begins, not now. */
  schedule(snapshot: () => RuntimeState): void;
  /** Resolves when every scheduled write is on disk or was reported to `onError`. */
  flush(): Promise<void>;
}

/** How long requests are collected: a burst of them (a run-all) becomes one write. */
const SETTLE_MS = 50;
/**
 * The minimum interval between flushes. A killed process loses no completed write, flushed or not. A power failure may
 * lose the writes of this period: a flush for each run would delay the results of other runs.
 */
const FLUSH_EACH_MS = 1_000;

export function createRuntimeWriter(
  dir: NotebookFolder,
  options: { readonly onError: (error: unknown) => void; readonly save?: typeof saveRuntime },
): RuntimeWriter {
  const { onError, save = saveRuntime } = options;
  // Another notebook's folder in the same place must not get this notebook's record.
  const isReplaced = replacedSince(dir);
  let next: (() => RuntimeState) | null = null;
  /** The newest state that was written but not flushed to disk since. */
  let unflushed: (() => RuntimeState) | null = null;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let flushTimer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const write = (flush: boolean): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const snapshot = next ?? (flush ? unflushed : null);
    next = null;
    if (snapshot === null || isReplaced()) return writing;
    unflushed = flush ? null : snapshot;
    if (flush) {
      if (flushTimer !== null) clearTimeout(flushTimer);
      flushTimer = null;
      flushedAt = performance.now();
    } else flushTimer ??= setTimeout(() => void write(true), flushedAt + FLUSH_EACH_MS - performance.now());
    writing = writing
      .then(() => save(dir, snapshot(), { flush }))
      .catch((error: unknown) => {
        unflushed ??= snapshot; // tried again by the next flush
        onError(error);
      });
    return writing;
  };
  return {
    schedule(snapshot) {
      next = snapshot;
      timer ??= setTimeout(() => void write(performance.now() - flushedAt > FLUSH_EACH_MS), SETTLE_MS);
    },
    flush: () => write(true),
  };
}

export const consoleFile = z.object({ stdout: z.string(), stderr: z.string() });
type SavedConsole = z.infer<typeof consoleFile>;

/** The name in `.svc/console` of a cell's console. */
export function consoleFileOf(id: CellId): string {
  return `${fileStemOf(id)}.json`;
}

function consolePlace(dir: NotebookFolder, id: CellId): Place {
  return ownPlace(dir, 'console', consoleFileOf(id));
}

/** A cell's last console; empty if it printed nothing or the file is damaged. */
export async function loadConsole(dir: NotebookFolder, id: CellId): Promise<SavedConsole> {
  // The next run replaces a damaged one.
  const options = { repairs: false, maxBytes: READ_LIMITS.state };
  return (await loadRecord(consolePlace(dir, id), consoleFile, options)).value ?? { stdout: '', stderr: '' };
}

/** The names of the console files. A link in their folder's place holds none. */
export function consoleNames(dir: NotebookFolder): ReadonlySet<string> {
  try {
    return new Set(namesIn(ownPlace(dir, 'console')));
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return new Set();
  }
}

export async function saveConsole(dir: NotebookFolder, id: CellId, console: SavedConsole): Promise<void> {
  await saveRecord(consolePlace(dir, id), shortened(console), { makesFolder: true });
}

function shortened({ stdout, stderr }: SavedConsole): SavedConsole {
  return {
    stdout: stdout.slice(-MAX_STORED_CONSOLE_CHARACTERS),
    stderr: stderr.slice(-MAX_STORED_CONSOLE_CHARACTERS),
  };
}

const digests = new WeakMap<SavedConsole, string>();

/** Identifies a console, to check whether a loaded one was saved with a record; null for an empty one. */
export function consoleDigest(console: SavedConsole): string | null {
  if (console.stdout === '' && console.stderr === '') return null;
  const cached = digests.get(console);
  if (cached !== undefined) return cached;
  const digest = createHash('sha256')
    .update(JSON.stringify(shortened(console)))
    .digest('hex')
    .slice(0, 16);
  digests.set(console, digest);
  return digest;
}
