/** The interface that fetches row groups of files into the cache. */

import type { Predicate } from '../../iceberg/plan/filters.ts';
import type { ScanPlan, ScanTask } from '../../iceberg/plan/planScan.ts';
import type { TableFiles } from '../../iceberg/storage/tableFiles.ts';
import type { TurnTaking } from '../admission/turnTaking.ts';
import type { EntryQueue } from './entryQueue.ts';
import type { Footers } from './footers.ts';
import type { HeldEntry, RowGroupCache } from './rowGroupCache.ts';

/** The cache and its settings, as a scan uses them. */
export interface CachedReading {
  readonly fetcher: RowGroupFetcher;
  /** `row_group`: entries have all columns, even if fewer are requested. */
  readonly granularity: 'row_group_projection' | 'row_group';
  /** How many files one scan fetches ahead of its reader. */
  readonly parallelism: number;
  readonly batchRows: number;
  /** Entries with fewer bytes are read at once, others batch by batch (SVC_MMAP_MIN_BYTES). */
  readonly wholeBelow: number;
  /** Called if the cache cannot be written; the scan continues without it. */
  readonly onDiskError: (error: unknown) => void;
}

/** Whose entries are used, and for which table. */
export interface CacheOwner {
  readonly tenant: string;
  readonly identity: string;
}

export interface FileRequest {
  /** A plan with the columns of the entries and without conditions. */
  readonly plan: ScanPlan;
  readonly task: ScanTask;
  readonly owner: CacheOwner;
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  /** The limit of row groups that may match, counted from the first; absent: all. */
  readonly groups?: number;
  /** Row groups without a matching row are omitted. */
  readonly predicates?: readonly Predicate[];
}

/** Returns the entries of files and fetches missing ones. */
export interface RowGroupFetcher {
  /** The entries of the wanted row groups of a file, in its order; release each. @throws IcebergError */
  entriesOf(request: FileRequest): Promise<readonly HeldEntry[]>;
  /**
   * Starts to fetch the entries; the queue gets each one as soon as it is available. Close the queue; the signal ends
   * the work.
   */
  start(request: FileRequest): { readonly queue: EntryQueue; readonly done: Promise<void> };
}

export interface FetcherOptions {
  readonly cache: RowGroupCache;
  readonly footers: Footers;
  readonly granularity: CachedReading['granularity'];
  readonly batchRows: number;
  /** Fetches of all scans (SVC_MAX_FETCH_WORKERS). */
  readonly workers: TurnTaking;
  /** How many files all scans decode at a time: more than the number of cores would only use more memory. */
  readonly decoding: TurnTaking;
  readonly timeoutSeconds: number;
}
