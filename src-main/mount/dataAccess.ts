/**
 * The interface through which the session checks and prepares a notebook's external data (mounts, fetches, datasets,
 * tables).
 */

import type { HarnessManifest } from '../../src-shared/wire/harness.ts';
import type { DataFact, DataItem } from './dataItem.ts';

/** An item of external data that a step uses, with its last check. */
export interface DataUse {
  readonly item: DataItem;
  readonly fact: DataFact | null;
}

/** The purpose of a check: a run may make requests and downloads, a status only cheap ones. */
export type CheckPurpose = 'run' | 'status';

/** The external data for a cell's process, or why it cannot start. */
export type PreparedData =
  | {
      readonly kind: 'ready';
      readonly mounts: NonNullable<HarnessManifest['mounts']>;
      readonly tables: NonNullable<HarnessManifest['tables']>;
      readonly inputs: Readonly<Record<string, { readonly content_type: string; readonly file: string }>>;
      /** The versions that are recorded with the results of the run: `https://…` → `sha256:…`. */
      readonly versions: Readonly<Record<string, string>>;
      /** Params for the stored results, such as `fetched_at` (docs/spec/provenance-and-cache.md, 2). */
      readonly params: Readonly<Record<string, string>>;
      /**
       * Call after the cell succeeded: copies what it wrote back to the mounts' sources. Returns a message on
       * failure.
       */
      writeBack(signal: AbortSignal): Promise<string | null>;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly errorCode?: 'fetch_pin_mismatch' };

/**
 * The external data of one notebook: checks what its cells declare, and copies it to where a cell's process
 * can open it. Nothing here throws for failures of a disk, a network or a store: those become facts and
 * messages.
 */
export interface DataAccess {
  check(
    items: readonly DataItem[],
    options: { readonly purpose: CheckPurpose; readonly signal: AbortSignal },
  ): Promise<readonly DataFact[]>;
  prepare(
    uses: readonly DataUse[],
    options: { readonly scratchDir: string; readonly signal: AbortSignal },
  ): Promise<PreparedData>;
}
