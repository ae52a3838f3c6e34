/** Measures a notebook's stored results, and deletes unused ones in sweeps. */

import { join } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ArtifactRow, ArtifactStore } from '../../artifacts/artifact.ts';
import { planRetention, type RetentionLimits, type RetentionPlan } from '../../artifacts/retention.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import type { Config } from '../../config/variables.ts';
import { createSerialRunner } from '../../lib/serialRunner.ts';
import { type Copy, listCopies, removeCopies, sizeOfTree } from '../../mount/copies.ts';
import { dataOf } from '../keys/data.ts';
import { HELD_MESSAGE } from '../state/holds.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { type HoldReason, heldResults, pinnedUris } from '../view/heldResults.ts';

/** One sweep's outcome. `at`: milliseconds since the epoch; `bytes`: freed. */
interface Swept {
  readonly at: number;
  readonly results: number;
  readonly bytes: number;
  /** Deleted copies of mounts and fetched files, and their bytes. */
  readonly copies: number;
  readonly copyBytes: number;
}

/** Copies of one kind; the environment is one of them, which is in use as long as the notebook exists. */
interface CopyGroup {
  readonly kind: Copy['kind'] | 'environment';
  readonly copies: number;
  readonly bytes: number;
  /** The copies among these that no cell names and nothing used recently. */
  readonly spare: readonly Copy[];
}

/** The limits of one sweep. */
export interface SweepRequest {
  /** Limits for this sweep, instead of the server's. */
  readonly maxIdleMs?: number;
  readonly maxBytes?: number;
}

/**
 * The size of a notebook's stored results, why each is retained, and the sweeps that collect unused results.
 */
export interface ResultStorage {
  readonly limits: RetentionLimits;
  readonly lastSweep: Swept | null;
  /** The record of a stored version; null for an unknown one. */
  record(uri: string): ArtifactRow | null;
  /** What a sweep would do now. Changes nothing. */
  plan(request?: SweepRequest): Promise<RetentionPlan<HoldReason>>;
  /** Data stored next to the results: copies of mounts, fetched files, the environment. */
  copies(request?: SweepRequest): Promise<readonly CopyGroup[]>;
  /** @throws AppError NOTEBOOK_UNTRUSTED; notebook_busy while a cell runs */
  sweep(request?: SweepRequest): Promise<Swept>;
  /** Starts periodic sweeps, if the server's settings allow them. */
  start(): void;
  close(): void;
}

interface StorageOptions {
  readonly store: ArtifactStore;
  readonly config: Config;
  readonly state: () => SessionState;
  /** Ids of the deleted cells that can be restored. */
  readonly deletedCells: () => Promise<ReadonlySet<string>>;
  /** Called with the deleted versions. */
  readonly onCollected: (uris: readonly string[]) => void;
  readonly onSwept: (swept: Swept) => void;
  readonly onError: (error: unknown) => void;
}

const DAY_MS = 86_400_000;
/** How long the measured size of the environment stays valid. */
const MEASURED_MS = 60_000;
/** Delay of the first sweep after the opening; one interval if that is shorter (docs/spec/core-services.md, 6). */
const FIRST_MS = 60_000;

/** States: idle ⇄ sweeping, one sweep at a time; then closed. */
export function createResultStorage(options: StorageOptions): ResultStorage {
  const { store, config, state } = options;
  const limits = limitsOf(config);
  let timer: NodeJS.Timeout | null = null;
  const inTurn = createSerialRunner();
  let lastSweep: Swept | null = null;
  let closed = false;

  async function plan(request: SweepRequest = {}): Promise<RetentionPlan<HoldReason>> {
    const deleted = await options.deletedCells();
    const rows = await store.uses();
    return planRetention({
      rows,
      heldBecause: heldResults(
        state(),
        deleted,
        rows.map(({ row }) => row),
      ),
      needs: pinnedUris,
      limits: { ...limits, ...request },
      now: Date.now(),
    });
  }

  /** Copies count as unused at the same age as results do: the age in the sweep's limits, at least an hour. */
  async function copies(request: SweepRequest = {}): Promise<readonly CopyGroup[]> {
    const { path, cells } = state();
    const items = [...cells.values()].flatMap((cell) => dataOf(state(), cell));
    const all = await listCopies(path, items);
    const { maxIdleMs, minIdleMs } = { ...limits, ...request };
    const before = Date.now() - Math.max(minIdleMs, maxIdleMs ?? Number.POSITIVE_INFINITY);
    const groups = (['mount', 'fetch'] as const).map((kind): CopyGroup => {
      const own = all.filter((copy) => copy.kind === kind);
      const bytes = own.reduce((sum, copy) => sum + copy.bytes, 0);
      const spare = own.filter(({ held, usedAtMs }) => !held && usedAtMs <= before);
      return { kind, copies: own.length, bytes, spare };
    });
    return [...groups, await environment()];
  }

  let measured: { readonly atMs: number; readonly group: CopyGroup } | null = null;
  /** Tens of thousands of files: measured at most once a minute. */
  async function environment(): Promise<CopyGroup> {
    if (measured !== null && Date.now() - measured.atMs < MEASURED_MS) return measured.group;
    const folders = [join(state().path, '.venv'), join(state().path, 'renv', 'library')];
    const sizes = await Promise.all(folders.map(sizeOfTree));
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    const count = sizes.filter((size) => size.newestMs > 0).length;
    measured = { atMs: Date.now(), group: { kind: 'environment', copies: count, bytes, spare: [] } };
    return measured.group;
  }

  async function collect(request: SweepRequest): Promise<Swept> {
    const { collect: selection } = await plan(request);
    // A run that began in the meantime may use one of them.
    refuseWhileRunning(state());
    const unusedSince = Math.max(0, ...selection.map(({ used }) => used.lastUsedAt));
    const refs = selection.map(({ used: { row } }) => ({ id: row.id, version: row.version }));
    const removed = await store.remove(refs, unusedSince);
    if (removed.refs.length > 0) {
      options.onCollected(removed.refs.map(({ id, version }) => artifactUri(id, version)));
    }
    const spare = (await copies(request)).flatMap((group) => group.spare);
    refuseWhileRunning(state());
    const copyBytes = await removeCopies(spare);
    lastSweep = {
      at: Date.now(),
      results: removed.refs.length,
      bytes: removed.bytes,
      copies: spare.length,
      copyBytes,
    };
    options.onSwept(lastSweep);
    return lastSweep;
  }

  function sweep(request: SweepRequest = {}): Promise<Swept> {
    const untrusted = whyUntrusted(state());
    if (untrusted !== null) return Promise.reject(untrusted);
    if (state().hold !== null) return Promise.reject(new AppError('NOTEBOOK_QUIESCED', HELD_MESSAGE));
    return inTurn(async () => {
      refuseWhileRunning(state());
      return collect(request);
    });
  }

  function schedule(ms: number): void {
    if (closed) return;
    timer = setTimeout(() => void sweepByItself(), ms);
    timer.unref();
  }

  async function sweepByItself(): Promise<void> {
    const intervalMs = intervalOf(config) ?? FIRST_MS;
    const canSweep = state().running === null && state().hold === null && whyUntrusted(state()) === null;
    try {
      if (canSweep) await sweep();
    } catch (error) {
      if (!closed && !(error instanceof AppError)) options.onError(error);
    }
    schedule(canSweep ? intervalMs : Math.min(intervalMs, FIRST_MS));
  }

  return {
    limits,
    get lastSweep() {
      return lastSweep;
    },
    record: (uri) => store.rowByUri(uri),
    plan,
    copies,
    sweep,
    start() {
      const intervalMs = intervalOf(config);
      if (intervalMs !== null) schedule(Math.min(intervalMs, FIRST_MS));
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function refuseWhileRunning({ running }: SessionState): void {
  if (running !== null) {
    throw new AppError('notebook_busy', 'Cells are running. Free up space when they are done.');
  }
}

function intervalOf({ artifactGcIntervalSeconds: seconds }: Config): number | null {
  return seconds === null || seconds <= 0 ? null : seconds * 1000;
}

/** 0 is no limit (docs/spec/configuration.md, 3). */
function limitsOf(config: Config): RetentionLimits {
  const { artifactGcMaxBytes: bytes, artifactGcMaxIdleDays: days, artifactGcMinIdleSeconds: least } = config;
  return {
    maxBytes: bytes === null || bytes <= 0 ? null : bytes,
    maxIdleMs: days <= 0 ? null : days * DAY_MS,
    minIdleMs: least * 1000,
  };
}
