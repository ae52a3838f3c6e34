/** A scan that reads row groups from the cache and fetches missing ones first. */

import { type Data, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { ScanPlan, ScanTask } from '../../iceberg/plan/planScan.ts';
import { outputType } from '../../iceberg/read/outputType.ts';
import { readScan, type Scan } from '../../iceberg/read/readScan.ts';
import type { TableFiles } from '../../iceberg/storage/tableFiles.ts';
import { schemaOf } from '../../sql/arrow/arrowTypeOf.ts';

import { isDiskError } from './fetchFile.ts';
import { matchRows } from './matchRows.ts';
import { readEntry } from './readEntry.ts';
import type { HeldEntry } from './rowGroupCache.ts';
import { takeRows } from './takeRows.ts';
import { type CachedReading, type CacheOwner, entryPlan } from './units.ts';

/** Row groups are identified by the numbers of their rows, for which DuckDB has this name. */
export function canBeCached({ table, snapshot }: ScanPlan): boolean {
  return (
    snapshot !== null &&
    !table.schemas.some(({ fields }) => fields.some(({ name }) => name.toLowerCase() === 'file_row_number'))
  );
}

/**
 * Reads a scan through the cache: row groups that are there are read from it, the others are fetched into it first.
 * Rows are exactly those that match, in the order of their files.
 */
export function cachedScan(
  plan: ScanPlan,
  owner: CacheOwner,
  { files, signal, ...reading }: CachedReading & { readonly files: TableFiles; readonly signal: AbortSignal },
): Scan {
  if (!canBeCached(plan)) return readScan(plan, { files, signal, batchRows: reading.batchRows });
  const schema = schemaOf(plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'table') })));
  return { schema, batches: batches({ plan, schema, owner, files, signal, reading }) };
}

interface Scanning {
  readonly plan: ScanPlan;
  readonly schema: Schema;
  readonly owner: CacheOwner;
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  readonly reading: CachedReading;
}

async function* batches(scanning: Scanning): AsyncGenerator<RecordBatch> {
  const { plan, signal, reading, files, owner } = scanning;
  const entries = entryPlan(plan, reading.granularity);
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const ahead: { readonly task: ScanTask; readonly work: Promise<readonly HeldEntry[]> }[] = [];
  let next = 0;
  const fillAhead = (): void => {
    while (next < plan.tasks.length && ahead.length < Math.max(1, reading.parallelism)) {
      const task = plan.tasks[next] as ScanTask; // below the length
      next += 1;
      const { predicates } = plan;
      const work = reading.fetcher.entriesOf({ plan: entries, predicates, task, owner, files, signal: stop });
      // The loop below awaits it and gets its failure; until then it must not count as unhandled.
      work.catch(() => undefined);
      ahead.push({ task, work });
    }
  };
  try {
    for (fillAhead(); ahead.length > 0; fillAhead()) {
      const first = ahead[0] as (typeof ahead)[number]; // the loop has seen it
      const held = await first.work.catch((error: unknown) => {
        if (signal.aborted || !isDiskError(error)) throw error;
        reading.onDiskError(error);
        return null;
      });
      if (held === null) {
        const part = { ...plan, tasks: [first.task] };
        yield* readScan(part, { files, signal, batchRows: reading.batchRows }).batches;
      }
      try {
        for (const entry of held ?? []) yield* entryBatches(entry, scanning, entries);
      } finally {
        for (const entry of held ?? []) entry.release();
        ahead.shift();
      }
    }
  } finally {
    ended.abort(new Error('the reader of the scan left'));
    for (const { work } of ahead) {
      const held = await work.catch(() => []);
      for (const entry of held) entry.release();
    }
  }
}

async function* entryBatches(
  entry: HeldEntry,
  { plan, schema, signal, reading }: Scanning,
  entries: ScanPlan,
): AsyncGenerator<RecordBatch> {
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
