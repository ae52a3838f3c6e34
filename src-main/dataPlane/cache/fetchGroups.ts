/** Writes the row groups of a data file that the cache lacks, each as soon as its rows are read. */

import type { RecordBatch } from 'apache-arrow';
import { DeleteTables } from '../../iceberg/read/deleteTables.ts';
import { IpcWriter } from '../../iceberg/read/ipcStream.ts';
import { outputType } from '../../iceberg/read/outputType.ts';
import { readFailure } from '../../iceberg/read/readFailure.ts';
import { ScanSession } from '../../iceberg/read/scanSession.ts';
import { type RowRange, taskSql } from '../../iceberg/read/taskSql.ts';
import { PendingBatch } from '../../sql/duckdb/pendingBatch.ts';
import type { EntryDraft, HeldEntry, RowGroupCache } from './rowGroupCache.ts';
import type { FetcherOptions, FileRequest } from './rowGroupFetcher.ts';
import { entrySchema } from './units.ts';

/** A row group that has no entry yet. */
export interface Missing {
  readonly group: number;
  readonly key: string;
}

/**
 * Reads the missing row groups of a file in one pass and writes an entry for each. `onEntry` gets each entry once it is
 * on disk, while the next row group is read.
 */
export async function fetchGroups(
  { plan, task, owner, files, signal }: FileRequest,
  {
    options: { cache, batchRows, decoding },
    rows,
    missing,
    onEntry,
  }: {
    readonly options: FetcherOptions;
    readonly rows: readonly number[];
    readonly missing: readonly Missing[];
    readonly onEntry: (group: number, entry: HeldEntry) => void;
  },
): Promise<void> {
  const starts = rows.map((_, group) => rows.slice(0, group).reduce((sum, count) => sum + count, 0));
  const endOf = (group: number): number => (starts[group] ?? 0) + (rows[group] ?? 0);
  const columns = plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'table') }));
  const schema = entrySchema(plan);
  const pending = new PendingBatch({
    read: plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'duckdb') })),
    types: columns.map(({ type }) => type),
    schema,
    mostRows: batchRows,
  });
  /** The entry that is being flushed. */
  let ending: Promise<void> = Promise.resolve();
  let writing: GroupWriter | null = null;
  const local = await files.local(task.file.path, signal);
  let endTurn = (): void => undefined;
  let session: ScanSession | null = null;
  try {
    session = await ScanSession.open();
    const waiting = [...missing];
    /** Ends the entries before a row, and starts the one that contains it. Null: no reader needs its group. */
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
      const writer = writing;
      writing = null;
      await ending.catch(async (error: unknown) => {
        await writer.abandon();
        throw error;
      });
      ending = writer.end(metaOf(writer.group)).then((entry) => onEntry(writer.group, entry));
      // It is awaited before the next entry ends, and at the end.
      ending.catch(() => undefined);
    };
    const writeEmpty = async (): Promise<void> => {
      const next = waiting.shift();
      if (next === undefined) return;
      writing = await GroupWriter.open(cache, next, owner.tenant, schema);
      await endWriting();
    };
    const metaOf = (group: number) => ({
      table_id: owner.identity,
      snapshot_id: String(plan.snapshot?.id ?? ''),
      file_path: task.file.path,
      row_group_id: group,
      created_at: cache.now(),
      columns: plan.columns.map(({ name }) => name),
    });
    try {
      const deletes = new DeleteTables({ session, files, table: plan.table, signal });
      const numbered = joined(
        missing.map(({ group }): RowRange => ({ from: starts[group] ?? 0, before: endOf(group) })),
      );
      const sql = await taskSql(plan, task, { path: local.path, session, deletes, signal, numbered });
      // The deletes are downloaded already: only decoding takes a turn, so that a hanging download does not keep one.
      endTurn = await decoding.take('', signal);
      signal.addEventListener('abort', endTurn, { once: true });
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
      await ending;
    } catch (error) {
      throw isDiskError(error) ? error : readFailure(error, task.file.path, signal);
    }
  } catch (error) {
    await (writing as GroupWriter | null)?.abandon();
    throw error;
  } finally {
    await ending.catch(() => undefined);
    session?.close();
    signal.removeEventListener('abort', endTurn);
    endTurn();
    await local.release();
  }
}

/** The ranges, with adjacent ones merged. */
function joined(ranges: readonly RowRange[]): readonly RowRange[] {
  const result: RowRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last?.before === range.from) result.splice(-1, 1, { from: last.from, before: range.before });
    else result.push(range);
  }
  return result;
}

/** Whether writing to the cache failed; the table itself may be readable. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Removes the file of a draft that cannot be written. */
async function orAbandon<T>(draft: EntryDraft, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await draft.abandon();
    throw error;
  }
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
    await orAbandon(draft, draft.write(writer.start(schema)));
    return new GroupWriter(group, draft, writer);
  }

  async add(batch: RecordBatch): Promise<void> {
    this.#rows += batch.numRows;
    await this.#draft.write(this.#writer.batch(batch));
  }

  async end(meta: Omit<Parameters<EntryDraft['finish']>[0], 'num_rows'>): Promise<HeldEntry> {
    await orAbandon(this.#draft, this.#draft.write(this.#writer.end()));
    return orAbandon(this.#draft, this.#draft.finish({ ...meta, num_rows: this.#rows }));
  }

  abandon(): Promise<void> {
    return this.#draft.abandon();
  }
}
