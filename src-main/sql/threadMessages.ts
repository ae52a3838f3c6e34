/** The messages between the server and the SQL thread that runs a driver. */

import type { CalledName, TableName } from '../../src-shared/sql/tableName.ts';
import type { WrittenTable } from './arrow/writeTable.ts';
import type { Access, BoundStatement, ConnectSettings, Frame, SchemaTable, WriteDone } from './driver.ts';
import type { Sample } from './readSample.ts';

/** A question to the SQL thread, one at a time. Plain data. */
export type Question =
  /** Needs no connection. */
  | { readonly kind: 'identity'; readonly settings: ConnectSettings; readonly access: Access }
  | { readonly kind: 'connect'; readonly settings: ConnectSettings; readonly access: Access }
  | { readonly kind: 'probe'; readonly tables: readonly TableName[]; readonly calls: readonly CalledName[] }
  | { readonly kind: 'load'; readonly frames: readonly Frame[] }
  | { readonly kind: 'snapshot'; readonly tables: readonly TableName[] }
  | {
      readonly kind: 'query';
      /** The statements, which all only read; the result is the rows of the last one. */
      readonly statements: readonly BoundStatement[];
      readonly snapshot: string | null;
      readonly file: string;
    }
  | { readonly kind: 'write'; readonly statements: readonly BoundStatement[] }
  | { readonly kind: 'schema' }
  /** The first rows of a statement that reads; nothing is written. */
  | { readonly kind: 'sample'; readonly bound: BoundStatement; readonly most: number }
  | { readonly kind: 'close' };

/** The answer of each kind of question. */
export interface Answers {
  readonly identity: Readonly<Record<string, unknown>>;
  readonly connect: null;
  readonly probe: { readonly freshness: readonly string[] | null; readonly schema: readonly string[] };
  readonly load: null;
  readonly snapshot: string;
  readonly query: WrittenTable;
  readonly write: readonly WriteDone[];
  readonly schema: readonly SchemaTable[];
  readonly sample: Sample;
  readonly close: null;
}

export type ToThread =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'abort' };

/** An error in the form that is sent between threads. */
export interface SentError {
  readonly message: string;
  readonly sql: {
    readonly position: number | null;
    readonly code: string | null;
    readonly hint: string | null;
    readonly statement: number | null;
  } | null;
  readonly stack: string | null;
}

export type FromThread =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: SentError };
