/** Fetches missing row groups of data files into the cache. */

import type { RecordBatch } from 'apache-arrow';
import { withinDeadline } from '../../iceberg/deadline.ts';
import type { Predicate } from '../../iceberg/plan/filters.ts';
import type { ScanPlan, ScanTask } from '../../iceberg/plan/planScan.ts';
import { DeleteTables } from '../../iceberg/read/deleteTables.ts';
import { IpcWriter } from '../../iceberg/read/ipcStream.ts';
import { outputType } from '../../iceberg/read/outputType.ts';
import { otherRows, readFailure } from '../../iceberg/read/readFailure.ts';
import { type RowGroup, readRowGroups, rowGroupMayMatch } from '../../iceberg/read/rowGroups.ts';
import { ScanSession } from '../../iceberg/read/scanSession.ts';
import { type RowRange, taskSql } from '../../iceberg/read/taskSql.ts';
import type { TableFiles } from '../../iceberg/storage/tableFiles.ts';
import { schemaOf } from '../../sql/arrow/arrowTypeOf.ts';
import { PendingBatch } from '../../sql/duckdb/pendingBatch.ts';
import type { TurnTaking } from '../admission/turnTaking.ts';
import { cacheKey } from './cacheKey.ts';
import type { Footers } from './footers.ts';
import type { EntryDraft, HeldEntry, RowGroupCache } from './rowGroupCache.ts';
import { type CachedReading, type CacheOwner, unitsOf } from './units.ts';

export interface FileRequest {
  /** With the columns of the entries and without conditions. */
  readonly plan: ScanPlan;
  readonly task: ScanTask;
  readonly owner: CacheOwner;
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  /** At most so many of the row groups that may match, the first ones; all where absent. */
  readonly groups?: number;
  /** Row groups without a row that meets them are left out. */
  readonly predicates?: readonly Predicate[];
}

/** Gives the entries of files, fetching what is missing. */
export interface RowGroupFetcher {
  /** The entries of the wanted row groups of a file, in its order; release each. @throws IcebergError */
  entriesOf(request: FileRequest): Promise<readonly HeldEntry[]>;
}

export interface FetcherOptions {
  readonly cache: RowGroupCache;
  readonly footers: Footers;
  readonly granularity: CachedReading['granularity'];
  readonly batchRows: number;
  /** Fetches of all scans (SVC_MAX_FETCH_WORKERS). */
  readonly workers: TurnTaking;
  readonly timeoutSeconds: number;
}

export function createFetcher(options: FetcherOptions): RowGroupFetcher {
  const { cache, footers, granularity, workers, timeoutSeconds } = options;

  const rowGroupsOf = async ({ plan, task, files, signal }: FileRequest): Promise<readonly RowGroup[]> => {
    const known = await footers.find(task.file.path);
    if (known !== null && rowsOf(known) === task.file.recordCount) return known;
    const local = await files.local(task.file.path, signal);
    const session = await ScanSession.open();
    try {
      const mapping = plan.table.nameMapping;
      const groups = await readRowGroups(local.path, {
        ...{ session, location: task.file.path, mapping, signal },
      });
      // Another file may have been in its place: what is stored outlives that.
      const rows = rowsOf(groups);
      if (rows !== task.file.recordCount) throw otherRows(task.file, rows);
      await footers.store(task.file.path, groups);
      return groups;
    } finally {
      session.close();
      await local.release();
    }
  };

  /** Holds what is there, waits for what others fetch, and fetches the rest. */
  const entriesOf = async (request: FileRequest): Promise<readonly HeldEntry[]> => {
    const { plan, task, owner, signal } = request;
    const all = await rowGroupsOf(request);
    const rows = all.map((group) => group.rows);
    const rowGroups = all
      .flatMap((group, at) => (rowGroupMayMatch(group, request.predicates ?? []) ? [at] : []))
      .slice(0, request.groups);
    const units = unitsOf({ plan, task, rowGroups }, owner, granularity);
    const held = new Map<number, HeldEntry>();
    try {
      while (held.size < units.length) {
        signal.throwIfAborted();
        const mine: { readonly group: number; readonly key: string; settle(): void }[] = [];
        const theirs: Promise<void>[] = [];
        for (const unit of units) {
          const group = unit.rowGroup;
          if (held.has(group)) continue;
          const key = cacheKey(unit);
          const entry = await cache.hold(key, owner.tenant);
          if (entry !== null) {
            held.set(group, entry);
            cache.metrics.record(owner.identity, 'hit', entry.meta.size_bytes);
            continue;
          }
          const claim = cache.claim(key);
          if (claim.kind === 'mine') mine.push({ group, key, settle: claim.settle });
          else theirs.push(claim.over);
        }
        try {
          if (mine.length > 0) {
            const fetched = await fetch(request, rows, mine);
            for (const [group, entry] of fetched) {
              held.set(group, entry);
              cache.metrics.record(owner.identity, 'miss', entry.meta.size_bytes);
            }
          }
        } finally {
          for (const { settle } of mine) settle();
        }
        await unlessAborted(Promise.all(theirs), signal);
      }
      return rowGroups.map((group) => held.get(group) as HeldEntry); // one for each, or it would not have ended
    } catch (error) {
      for (const entry of held.values()) entry.release();
      throw error;
    }
  };

  const fetch = async (
    request: FileRequest,
    rows: readonly number[],
    missing: readonly Missing[],
  ): Promise<ReadonlyMap<number, HeldEntry>> => {
    const endTurn = await workers.take('', request.signal);
    try {
      const limit = { milliseconds: timeoutSeconds * 1000, signal: request.signal };
      return await withinDeadline(
        async (signal) => {
          const fetched = await fetchGroups({ ...request, signal }, { options, rows, missing });
          if (!signal.aborted) return fetched;
          for (const entry of fetched.values()) entry.release();
          throw signal.reason;
        },
        { ...limit, what: `Fetching ${request.task.file.path}` },
      );
    } finally {
      endTurn();
    }
  };
  return { entriesOf };
}

function rowsOf(groups: readonly RowGroup[]): bigint {
  return groups.reduce((sum, { rows }) => sum + BigInt(rows), 0n);
}

interface Missing {
  readonly group: number;
  readonly key: string;
}

/** Waits, unless the signal is aborted first. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  aborted.catch(() => undefined);
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Reads the missing row groups of a file in one pass and writes an entry for each. */
async function fetchGroups(
  { plan, task, owner, files, signal }: FileRequest,
  {
    options,
    rows,
    missing,
  }: {
    readonly options: FetcherOptions;
    readonly rows: readonly number[];
    readonly missing: readonly Missing[];
  },
): Promise<ReadonlyMap<number, HeldEntry>> {
  const { cache, batchRows } = options;
  const starts = rows.map((_, group) => rows.slice(0, group).reduce((sum, count) => sum + count, 0));
  const endOf = (group: number): number => (starts[group] ?? 0) + (rows[group] ?? 0);
  const columns = plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'table') }));
  const schema = schemaOf(columns);
  const pending = new PendingBatch({
    read: plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'duckdb') })),
    types: columns.map(({ type }) => type),
    ...{ schema, mostRows: batchRows },
  });
  const finished = new Map<number, HeldEntry>();
  const session = await ScanSession.open();
  let writing: GroupWriter | null = null;
  try {
    const waiting = [...missing];
    /** Ends the entries before a row, and begins the one that has it. Null: no reader needs its group. */
    const writerFor = async (row: number): Promise<GroupWriter | null> => {
      if (writing !== null && row < endOf(writing.group)) return writing;
      await endWriting();
      while (waiting[0] !== undefined && endOf(waiting[0].group) <= row) await writeEmpty();
      const [next] = waiting;
      if (next === undefined || row < (starts[next.group] ?? 0)) return null;
      waiting.shift();
      writing = await GroupWriter.open(cache, next, owner.tenant, schema);
      return writing;
    };
    const endWriting = async (): Promise<void> => {
      if (writing === null) return;
      if (pending.rows > 0) await writing.add(pending.take());
      const { group } = writing;
      finished.set(group, await writing.end(metaOf(group)));
      writing = null;
    };
    const writeEmpty = async (): Promise<void> => {
      const next = waiting.shift();
      if (next === undefined) return;
      writing = await GroupWriter.open(cache, next, owner.tenant, schema);
      await endWriting();
    };
    const metaOf = (group: number) => ({
      ...{ table_id: owner.identity, snapshot_id: String(plan.snapshot?.id ?? '') },
      ...{ file_path: task.file.path, row_group_id: group, created_at: cache.now() },
      columns: plan.columns.map(({ name }) => name),
    });
    const local = await files.local(task.file.path, signal);
    try {
      const deletes = new DeleteTables({ session, files, table: plan.table, signal });
      const numbered = joined(
        missing.map(({ group }): RowRange => ({ from: starts[group] ?? 0, before: endOf(group) })),
      );
      const sql = await taskSql(plan, task, { path: local.path, session, deletes, signal, numbered });
      const result = await session.stream(sql, signal);
      for (;;) {
        const chunk = await session.next(result, signal);
        if (chunk === null || chunk.rowCount === 0) break;
        const numbers = chunk.getColumnVector(columns.length);
        const rowAt = (i: number): number => Number(numbers.getItem(i));
        for (let from = 0; from < chunk.rowCount; ) {
          const writer = await writerFor(rowAt(from));
          const group = rows.findIndex((_, one) => rowAt(from) < endOf(one));
          let before = from + 1;
          if (rowAt(chunk.rowCount - 1) < endOf(group)) before = chunk.rowCount;
          else while (before < chunk.rowCount && rowAt(before) < endOf(group)) before += 1;
          if (writer !== null) {
            for (const batch of pending.fill(chunk, { from, before })) await writer.add(batch);
          }
          from = before;
        }
      }
      await endWriting();
      while (waiting.length > 0) await writeEmpty();
    } catch (error) {
      throw isDiskError(error) ? error : readFailure(error, task.file.path, signal);
    } finally {
      await local.release();
    }
    return finished;
  } catch (error) {
    await (writing as GroupWriter | null)?.abandon();
    for (const entry of finished.values()) entry.release();
    throw error;
  } finally {
    session.close();
  }
}

/** The ranges with those that touch made one. */
function joined(ranges: readonly RowRange[]): readonly RowRange[] {
  const result: RowRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last?.before === range.from) result.splice(-1, 1, { from: last.from, before: range.before });
    else result.push(range);
  }
  return result;
}

/** The disk of the cache refuses to write, which says nothing about the table. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Writes one entry. */
class GroupWriter {
  readonly group: number;
  readonly #draft: EntryDraft;
  readonly #writer: IpcWriter;
  #rows = 0;

  private constructor(group: number, draft: EntryDraft, writer: IpcWriter) {
    this.group = group;
    this.#draft = draft;
    this.#writer = writer;
  }

  static async open(
    cache: RowGroupCache,
    { group, key }: Missing,
    tenant: string,
    schema: Parameters<IpcWriter['start']>[0],
  ): Promise<GroupWriter> {
    const draft = await cache.create(key, tenant);
    const writer = new IpcWriter();
    await draft.write(writer.start(schema));
    return new GroupWriter(group, draft, writer);
  }

  async add(batch: RecordBatch): Promise<void> {
    this.#rows += batch.numRows;
    await this.#draft.write(this.#writer.batch(batch));
  }

  async end(meta: Omit<Parameters<EntryDraft['finish']>[0], 'num_rows'>): Promise<HeldEntry> {
    await this.#draft.write(this.#writer.end());
    return this.#draft.finish({ ...meta, num_rows: this.#rows });
  }

  abandon(): Promise<void> {
    return this.#draft.abandon();
  }
}
