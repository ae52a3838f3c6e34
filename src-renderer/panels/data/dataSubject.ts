/**
 * The kinds of data that the Data panel lists (file, mount, table of a connection or catalog), with the requests for
 * their first rows and the cell that reads them.
 */

import { createContext } from 'react';
import type { ConnectionTable } from '../../live/connectionTables.ts';
import type { CallOf } from '../../live/rest.ts';
import { DATA_WORDS } from '../../words/data.ts';

/** Something a cell can read: a file of the folder, a mount, a table of a connection, or one of a catalog. */
export type DataSubject =
  | { readonly of: 'file'; readonly path: string }
  | { readonly of: 'mount'; readonly name: string; readonly uri: string }
  | {
      readonly of: 'table';
      readonly connection: string;
      readonly driver: string;
      readonly table: Pick<ConnectionTable, 'catalog' | 'schema' | 'name'>;
    }
  | {
      readonly of: 'catalog';
      readonly catalog: string;
      readonly namespace: string;
      readonly table: string;
      /** The snapshot to read; null for the current one. */
      readonly snapshotId: string | null;
    };

/** What the data panel can do with a data source. */
export interface DataActions {
  readonly preview: (subject: DataSubject) => void;
  readonly addCell: (subject: DataSubject) => void;
}

export const DataActionsContext = createContext<DataActions>({ preview: () => {}, addCell: () => {} });

/** The name of a data source, as shown. */
export function nameOfSubject(subject: DataSubject): string {
  if (subject.of === 'file') return subject.path;
  if (subject.of === 'mount') return subject.name;
  if (subject.of === 'table') return subject.table.name;
  return subject.snapshotId === null
    ? subject.table
    : DATA_WORDS.atSnapshot(subject.table, subject.snapshotId);
}

/** The request for the first rows of a data source. A table of a catalog has a request of its own. */
export function sampleOf(subject: Exclude<DataSubject, { of: 'catalog' }>): CallOf<'sampleData'>['body'] {
  switch (subject.of) {
    case 'file':
      return { of: 'file', path: subject.path };
    case 'mount':
      return { of: 'mount', name: subject.name };
    case 'table': {
      const { catalog, schema, name } = subject.table;
      return { of: 'table', connection: subject.connection, table: { catalog, schema, name } };
    }
  }
}

/** The request for the first rows of a table of a catalog. */
export function catalogSampleOf(subject: Extract<DataSubject, { of: 'catalog' }>): CallOf<'sampleTable'> {
  const { catalog, namespace, table, snapshotId } = subject;
  const at = snapshotId === null ? {} : { snapshot_id: snapshotId };
  return { params: { catalog }, query: { namespace, table, ...at } };
}

/** The text of a SQL cell that reads a table. Names are quoted and spelled as in the database. */
export function tableCell({ connection, driver, table }: Extract<DataSubject, { of: 'table' }>): string {
  const quote = driver === 'bigquery' ? '`' : '"';
  // PostgreSQL and SQLite cannot read the tables of another database.
  const hasCatalogs = driver !== 'postgresql' && driver !== 'sqlite';
  const parts = [hasCatalogs ? table.catalog : null, table.schema, table.name].filter(
    (part) => part !== null,
  );
  const name = parts.map((part) => `${quote}${part.replaceAll(quote, quote + quote)}${quote}`).join('.');
  return `# @sql connection=${connection}\nSELECT *\nFROM ${name}\nLIMIT 1000`;
}
