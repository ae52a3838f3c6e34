/** Reads the first rows of files, mounts and tables, which the Data panel shows. */

import { resolve } from 'node:path';
import { placeOf } from '../../../src-shared/notebook/mountUri.ts';
import type { Mount } from '../../../src-shared/wire/cell.ts';
import { checkedPath } from '../../lib/guardedFolder/names.ts';
import { placeIn } from '../../lib/guardedFolder/place.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { BoundStatement, ConnectSettings } from '../../sql/driver.ts';
import type { Sample } from '../../sql/readSample.ts';
import {
  readerOf,
  SAMPLE_ROWS,
  type SampledTable,
  sampleOfFile,
  sampleOfTable,
} from '../../sql/sampleStatement.ts';
import { SqlError } from '../../sql/sqlError.ts';
import { SqlAborted, type SqlThreads } from '../../sql/sqlThreads.ts';

export type SampleResult = Sample | { readonly problem: string };

/** The first rows of a table that a connection reaches, or why they cannot be read. */
export async function sampleTable(
  threads: SqlThreads,
  settings: ConnectSettings,
  { table, signal }: { readonly table: SampledTable; readonly signal: AbortSignal },
): Promise<SampleResult> {
  return sample(threads, settings, { statement: () => sampleOfTable(settings.driver, table), signal });
}

/**
 * The first rows of a file of the notebook's folder. DuckDB reads it in a process that can open nothing outside the
 * folder and loads no extension, since the file may come from anyone.
 */
export async function sampleFile(
  threads: SqlThreads,
  notebookDir: NotebookFolder,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<SampleResult> {
  const reader = readerOf(path);
  if (reader === null)
    return { problem: `${path} has no preview. Only CSV, TSV, Parquet and JSON files have one.` };
  let file: string;
  try {
    file = checkedPath(placeIn(notebookDir, path));
  } catch (error) {
    if (!(error instanceof PlaceRefusal || error instanceof RangeError)) throw error;
    return { problem: error.message };
  }
  const settings = confinedDuckdb(notebookDir, {});
  return sample(threads, settings, { statement: () => sampleOfFile(file, reader), signal });
}

/**
 * The first rows of the files of a local mount, as a duckdb connection shows it. The process that reads them can open
 * nothing outside the mount.
 */
export async function sampleMount(
  threads: SqlThreads,
  notebookDir: NotebookFolder,
  { mount, signal }: { readonly mount: Mount; readonly signal: AbortSignal },
): Promise<SampleResult> {
  const place = placeOf(mount.uri);
  if (place?.kind !== 'local') return { problem: 'Only mounts on this machine have a preview.' };
  const settings = confinedDuckdb(notebookDir, { [mount.name]: resolve(notebookDir, place.path) });
  const table = { catalog: null, schema: null, name: mount.name };
  return sample(threads, settings, { statement: () => sampleOfTable('duckdb', table), signal });
}

function confinedDuckdb(
  notebookDir: NotebookFolder,
  mounts: Readonly<Record<string, string>>,
): ConnectSettings {
  const options = { memory_limit: '512MB' };
  return {
    name: 'preview',
    driver: 'duckdb',
    keys: {},
    auth: {},
    options,
    notebookDir,
    confined: true,
    mounts,
  };
}

async function sample(
  threads: SqlThreads,
  settings: ConnectSettings,
  { statement, signal }: { readonly statement: () => BoundStatement; readonly signal: AbortSignal },
): Promise<SampleResult> {
  try {
    const bound = statement();
    const asker = await threads.begin(settings, { access: 'read', signal });
    try {
      await asker.ask({ kind: 'connect', settings, access: 'read' });
      return await asker.ask({ kind: 'sample', bound, most: SAMPLE_ROWS });
    } finally {
      await asker.close();
    }
  } catch (error) {
    if (error instanceof SqlAborted) return { problem: 'The data did not arrive in time.' };
    if (!(error instanceof SqlError)) throw error;
    return { problem: error.hint === null ? error.message : `${error.message} (${error.hint})` };
  }
}
