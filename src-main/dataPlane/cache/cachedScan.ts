/** A scan that reads row groups from the cache and fetches missing ones first. */

import { type Data, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { ScanPlan, ScanTask } from '../../iceberg/plan/planScan.ts';
import { type EncodedRows, readScan, type Scan } from '../../iceberg/read/readScan.ts';
import type { TableFiles } from '../../iceberg/storage/tableFiles.ts';
import type { EntryQueue } from './entryQueue.ts';
import { isDiskError } from './fetchGroups.ts';
import { matchRows } from './matchRows.ts';
import { readAhead } from './readAhead.ts';
import { readEntry } from './readEntry.ts';
import type { HeldEntry } from './rowGroupCache.ts';
import type { CachedReading, CacheOwner } from './rowGroupFetcher.ts';
import { sentEntry } from './sentEntry.ts';
import { takeRows } from './takeRows.ts';
import { entryPlan, entrySchema } from './units.ts';

/** Row groups are identified by their row numbers; this is DuckDB's name for them. */
export function canBeCached({ table, snapshot }: ScanPlan): boolean {
  return (
    snapshot !== null &&
    !table.schemas.some(({ fields }) => fields.some(({ name }) => name.toLowerCase() === 'file_row_number'))
  );
}

/**
 * Reads a scan through the cache: missing row groups are fetched into it first.
 * Rows are exactly those that match, in the order of their files.
 */
export function cachedScan(
  plan: ScanPlan,
  owner: CacheOwner,
  { files, signal, ...reading }: CachedReading & { readonly files: TableFiles; readonly signal: AbortSignal },
): Scan {
  if (!canBeCached(plan)) return readScan(plan, { files, signal, batchRows: reading.batchRows });
  const schema = entrySchema(plan);
  return { schema, batches: readAhead(batches({ plan, schema, owner, files, signal, reading })) };
}

interface Scanning {
  readonly plan: ScanPlan;
  readonly schema: Schema;
  readonly owner: CacheOwner;
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  readonly reading: CachedReading;
}

/** A file whose entries are being held or fetched. */
interface FileAhead {
  readonly task: ScanTask;
  readonly queue: EntryQueue;
  readonly done: Promise<void>;
}

/** How many files are read until the first rows arrive: with more files, each takes longer. */
const MAX_AT_FIRST = 2;

async function* batches(scanning: Scanning): AsyncGenerator<RecordBatch | EncodedRows> {
  const { plan, signal, reading, files, owner } = scanning;
  const entries = entryPlan(plan, reading.granularity);
  const readerEnd = new AbortController();
  const stop = AbortSignal.any([signal, readerEnd.signal]);
  const ahead: FileAhead[] = [];
  let next = 0;
  const fillAhead = (most: number): void => {
    while (next < plan.tasks.length && ahead.length < Math.max(1, most)) {
      const task = plan.tasks[next] as ScanTask; // the index is below the length
      next += 1;
      const { predicates } = plan;
      const started = reading.fetcher.start({
        plan: entries,
        predicates,
        task,
        owner,
        files,
        signal: stop,
      });
      ahead.push({ task, ...started });
    }
  };
  try {
    fillAhead(Math.min(MAX_AT_FIRST, reading.parallelism));
    for (; ahead.length > 0; fillAhead(reading.parallelism)) {
      const file = ahead[0] as FileAhead; // the loop condition checks it
      for await (const batch of fileBatches(file, scanning, entries)) {
        yield batch;
        fillAhead(reading.parallelism);
      }
      // Skip entries of row groups that were read without the cache.
      file.queue.close();
      ahead.shift();
    }
  } finally {
    readerEnd.abort(new Error('the reader of the scan left'));
    for (const { queue } of ahead) queue.close();
    await Promise.all(ahead.map(({ done }) => done));
  }
}

async function* fileBatches(
  { task, queue, done }: FileAhead,
  scanning: Scanning,
  entries: ScanPlan,
): AsyncGenerator<RecordBatch | EncodedRows> {
  const { plan, signal, reading, files } = scanning;
  const readDirectly = (first: number): AsyncGenerator<RecordBatch> => {
    const rest = { ...plan, tasks: [task] };
    return withoutFirst(readScan(rest, { files, signal, batchRows: reading.batchRows }).batches, first);
  };
  let rowsSent = 0;
  for (let at = 0; ; at += 1) {
    signal.throwIfAborted();
    const entry = await queue.take(at).catch((error: unknown) => {
      if (signal.aborted || !isDiskError(error)) throw error;
      reading.onDiskError(error);
      return 'no disk' as const;
    });
    if (entry === null) {
      // The fetch closes the file before the scan continues.
      await done;
      queue.throwIfFailed();
      return;
    }
    if (entry === 'no disk') {
      yield* readDirectly(rowsSent);
      return;
    }
    const sentBefore = rowsSent;
    try {
      for await (const batch of entryBatches(entry, scanning, entries)) {
        rowsSent += batch.numRows;
        yield batch;
      }
    } catch (error) {
      // Another server that shares the folder may have removed or replaced the entry.
      if (signal.aborted || !isDiskError(error) || rowsSent > sentBefore) throw error;
      reading.onDiskError(error);
      yield* readDirectly(rowsSent);
      return;
    } finally {
      entry.release();
    }
  }
}

/** The rows after the first ones. */
async function* withoutFirst(batches: AsyncIterable<RecordBatch>, rows: number): AsyncGenerator<RecordBatch> {
  let left = rows;
  for await (const batch of batches) {
    const skipped = Math.min(left, batch.numRows);
    left -= skipped;
    if (skipped < batch.numRows) yield skipped === 0 ? batch : batch.slice(skipped);
  }
}

/** Whether the scan returns the batches of the entries byte for byte: then both have the schema of the plan. */
function isSentAsStored({ plan }: Scanning, entries: ScanPlan): boolean {
  return (
    plan.predicates.length === 0 &&
    plan.columns.length === entries.columns.length &&
    plan.columns.every((field, i) => field === entries.columns[i])
  );
}

async function* entryBatches(
  entry: HeldEntry,
  scanning: Scanning,
  entries: ScanPlan,
): AsyncGenerator<RecordBatch | EncodedRows> {
  const { plan, schema, signal, reading } = scanning;
  if (isSentAsStored(scanning, entries)) {
    yield* sentEntry(entry);
    return;
  }
  const positionOf = new Map(entries.columns.map((field, i) => [field, i]));
  signal.throwIfAborted();
  for await (const batch of readEntry(entry, reading.wholeBelow)) {
    signal.throwIfAborted();
    const columnAt = (field: (typeof entries.columns)[number]): Data => {
      const data = batch.data.children[positionOf.get(field) ?? -1];
      if (data === undefined) throw new Error('a cache entry lacks a column');
      return data;
    };
    const rows = matchRows(batch.numRows, plan.predicates, ({ field }) => columnAt(field));
    if (rows?.length === 0 || batch.numRows === 0) continue;
    const columns = plan.columns.map((field) => {
      const data = columnAt(field);
      return rows === null ? data : takeRows(data, rows);
    });
    yield new RecordBatch(
      schema,
      makeData({
        type: new Struct(schema.fields),
        length: rows?.length ?? batch.numRows,
        nullCount: 0,
        children: columns,
      }),
    );
  }
}
