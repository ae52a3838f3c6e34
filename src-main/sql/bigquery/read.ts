/** Runs a reading SQL cell on BigQuery and fetches the pages of its result. */

import type { Column, Row } from '../columnType.ts';
import type { BoundStatement, ResultStream } from '../driver.ts';
import { queryParameter } from './binds.ts';
import type { BigQueryClient } from './client.ts';
import { cancelJob, insertJob, type Job, type ResultPage, resultPage } from './job.ts';
import { columnOf, readerOf } from './types.ts';

/** Runs one query as a job; its pages are fetched when they are read. Aborting cancels the job. */
export async function readStatement(
  client: BigQueryClient,
  { sql, binds }: Pick<BoundStatement, 'sql' | 'binds'>,
  signal: AbortSignal,
): Promise<ResultStream> {
  const job = await insertJob(client, { sql, parameters: binds.map(queryParameter) }, signal);
  const cancel = () => void cancelJob(client, job);
  signal.addEventListener('abort', cancel, { once: true });
  const pageAt = (pageToken: string | null) => resultPage(client, { job, sql, pageToken }, signal);
  const finish = () => signal.removeEventListener('abort', cancel);
  try {
    const first = await pageAt(null);
    const columns = first.schema.map(columnOf);
    return { columns, batches: batchesOf({ columns, first, pageAt, finish }) };
  } catch (error) {
    finish();
    throw error;
  }
}

interface Pages {
  readonly columns: readonly Column[];
  readonly first: ResultPage;
  readonly pageAt: (pageToken: string) => Promise<ResultPage>;
  readonly finish: () => void;
}

async function* batchesOf({ columns, first, pageAt, finish }: Pages): AsyncIterable<readonly Row[]> {
  const readers = columns.map(readerOf);
  try {
    for (let page: ResultPage | null = first; page !== null; ) {
      if (page.rows.length > 0) {
        yield page.rows.map(({ f }) => f.map(({ v }, at) => readers[at]?.(v) ?? null));
      }
      page = page.pageToken === null ? null : await pageAt(page.pageToken);
    }
  } finally {
    finish();
  }
}

export type { Job };
