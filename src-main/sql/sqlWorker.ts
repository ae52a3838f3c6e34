/**
 * Entry point of the SQL thread, which has at most one connection and answers one question at a time. It may
 * block, since nothing else runs in it. On `abort` it stops as soon as the database lets it.
 */

import { parentPort } from 'node:worker_threads';
import type { TableName } from '../../src-shared/sql/tableName.ts';
import { removeFile } from '../lib/guardedFolder/names.ts';
import { type WrittenTable, writeTable } from './arrow/writeTable.ts';
import type { BoundStatement, Driver, Frame, SqlConnection } from './driver.ts';
import { DRIVERS } from './drivers.ts';
import { readSample } from './readSample.ts';
import { RetryQuery } from './retryQuery.ts';
import { SqlError } from './sqlError.ts';
import type { FromThread, Question, SentError, ToThread } from './threadMessages.ts';

let connection: SqlConnection | null = null;
let aborter = new AbortController();
let last: Promise<void> = Promise.resolve();

/** Columns only become wider, so no result needs more attempts. */
const MAX_ATTEMPTS = 200;

const port = parentPort;
port?.on('message', (message: ToThread) => {
  if (message.kind === 'abort') {
    aborter.abort();
    return;
  }
  const { id, question } = message;
  // One at a time: a connection must not be closed during a query that was aborted but still runs.
  last = last
    .then(() => answer(question))
    .then(
      (result) => port.postMessage({ id, answer: result } satisfies FromThread),
      (error: unknown) => port.postMessage({ id, error: toSentError(error) } satisfies FromThread),
    );
});

async function answer(question: Question): Promise<unknown> {
  const { signal } = aborter;
  switch (question.kind) {
    case 'identity': {
      aborter = new AbortController();
      const { settings, access } = question;
      return (await driverOf(settings.driver)).identity(settings, access);
    }
    case 'connect': {
      const { settings, access } = question;
      const driver = await driverOf(settings.driver);
      connection = await driver.connect(settings, { access, signal });
      return null;
    }
    case 'probe': {
      // The tokens are read before the query: a change in between causes a cache miss, never a wrong hit.
      const freshness = await open().freshness(question.tables, signal, question.calls);
      return { freshness, schema: await open().schemaFingerprint(question.tables, signal) };
    }
    case 'load':
      return load(question.frames, signal);
    case 'snapshot':
      return takeSnapshot(question.tables, signal);
    case 'query':
      return query(question, signal);
    case 'write':
      return open().write(question.statements, { signal });
    case 'schema':
      return open().schema(signal);
    case 'sample':
      return readSample(open(), question.bound, { most: question.most, signal });
    case 'close': {
      const closing = connection;
      connection = null;
      await closing?.close();
      return null;
    }
  }
}

async function driverOf(name: keyof typeof DRIVERS): Promise<Driver> {
  const load = DRIVERS[name];
  if (load === undefined) throw new SqlError(`This version of Cellar has no driver for ${name}.`);
  return load();
}

function open(): SqlConnection {
  if (connection === null) throw new Error('the SQL thread was asked before it was connected');
  return connection;
}

async function load(frames: readonly Frame[], signal: AbortSignal): Promise<null> {
  const connected = open();
  if (connected.load === undefined)
    throw new SqlError('This database cannot read data frames of other cells.');
  await connected.load(frames, signal);
  return null;
}

async function takeSnapshot(tables: readonly TableName[], signal: AbortSignal): Promise<string> {
  const take = open().takeSnapshot;
  if (take === undefined) throw new SqlError('This database does not support snapshots.');
  return take.call(open(), signal, tables);
}

async function query(
  { statements, snapshot, file }: Extract<Question, { kind: 'query' }>,
  signal: AbortSignal,
): Promise<WrittenTable> {
  let result: WrittenTable | null = null;
  for (const [i, bound] of statements.entries()) {
    try {
      if (result !== null) removeFile(file);
      result = await runToFile(bound, { snapshot, file, signal });
    } catch (error) {
      throw error instanceof SqlError && error.statement === null
        ? new SqlError(error.message, { ...error, statement: i, cause: error })
        : error;
    }
  }
  if (result === null) throw new Error('a query without statements');
  return result;
}

async function runToFile(
  bound: BoundStatement,
  options: { readonly snapshot: string | null; readonly file: string; readonly signal: AbortSignal },
): Promise<WrittenTable> {
  const { file, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    const stream = await open().query(bound, options);
    try {
      return await writeTable(stream, file, signal);
    } catch (error) {
      removeFile(file);
      if (!(error instanceof RetryQuery) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function toSentError(error: unknown): SentError {
  if (error instanceof SqlError) {
    const { message, position, code, hint, statement } = error;
    return { message, sql: { position, code, hint, statement }, stack: null };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, sql: null, stack: error instanceof Error ? (error.stack ?? null) : null };
}
