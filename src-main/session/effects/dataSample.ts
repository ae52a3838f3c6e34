/** Reads the first rows of a file, mount or table of a session's notebook, for the Data panel. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { resolveProbeSettings } from '../../run/sql/probeConnection.ts';
import { type SampleResult, sampleFile, sampleMount, sampleTable } from '../../run/sql/sampleData.ts';
import type { SqlStepOptions } from '../../run/sql/sqlStepOptions.ts';
import type { Sample } from '../../sql/readSample.ts';
import type { SampledTable } from '../../sql/sampleStatement.ts';
import type { SessionState } from '../state/state.ts';
import { connectionSettings, PATIENCE_MS, usableConnection, usableSql } from './probeSessionConnection.ts';

/** What a user wants to see the first rows of. */
export type SampleSource =
  | { readonly of: 'file'; readonly path: string }
  | { readonly of: 'mount'; readonly name: string }
  | { readonly of: 'table'; readonly connection: string; readonly table: SampledTable };

/**
 * The first rows of a file, a local mount or a table of a connection. No cell runs. @throws AppError not_found,
 * NOTEBOOK_UNTRUSTED, conflict, bad_request with what is wrong with the data
 */
export async function dataSample(
  state: SessionState,
  sampled: SampleSource,
  sql: SqlStepOptions | null,
): Promise<Sample> {
  const result = await resultOf(state, sampled, sql);
  if ('problem' in result) throw new AppError('bad_request', result.problem);
  return result;
}

async function resultOf(
  state: SessionState,
  sampled: SampleSource,
  sql: SqlStepOptions | null,
): Promise<SampleResult> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  if (sampled.of === 'file') {
    const { threads } = usableSql(state, sql);
    return sampleFile(threads, state.path, { path: sampled.path, signal });
  }
  if (sampled.of === 'mount') {
    const { threads, confined = false } = usableSql(state, sql);
    const mount = state.file.mounts.find(({ name }) => name === sampled.name);
    if (mount === undefined) throw new AppError('not_found', 'Mount not found');
    // A shared server reads mounts for cells alone, with the limits of those.
    if (confined)
      return { problem: 'A shared server shows no preview of mounts. Insert a cell that reads it.' };
    return sampleMount(threads, state.path, { mount, signal });
  }
  const { connection, options } = usableConnection(state, sampled.connection, sql);
  const resolved = await resolveProbeSettings(options, connectionSettings(state, connection));
  if ('problem' in resolved) return resolved;
  return sampleTable(options.threads, resolved.settings, { table: sampled.table, signal });
}
