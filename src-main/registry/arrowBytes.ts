/** Converts JSON to Arrow streams, and reads the schema and row count of Arrow streams, for the artifact store. */

import { createReadStream } from 'node:fs';
import {
  Bool,
  Float64,
  Int64,
  RecordBatchReader,
  type Schema,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { RegistryError } from './registryError.ts';

/** The facts in an Arrow stream. */
export interface ArrowFacts {
  readonly rowCount: number;
  /** JSON text: `{"fields": [{"name", "type", "nullable"}]}`. */
  readonly schemaJson: string;
}

/** Reads an Arrow stream to its end. @throws RegistryError invalid if the file is not one */
export async function readArrowFacts(path: string): Promise<ArrowFacts> {
  try {
    const reader = await RecordBatchReader.from(createReadStream(path));
    const { schema } = await reader.open();
    if (schema === undefined) throw new Error('it has no schema');
    let rowCount = 0;
    for await (const batch of reader) rowCount += batch.numRows;
    return { rowCount, schemaJson: schemaJsonOf(schema) };
  } catch (error) {
    throw new RegistryError(
      'invalid',
      `The data is not an Arrow IPC stream: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** A schema as the store records it. */
export function schemaJsonOf(schema: Schema): string {
  const fields = schema.fields.map(({ name, type, nullable }) => ({ name, type: String(type), nullable }));
  return JSON.stringify({ fields });
}

/**
 * JSON as an Arrow stream: an object of lists of one length is a table with these columns; anything else is one column
 * named `data`.
 */
export function arrowOfJson(data: unknown): Uint8Array {
  const columns = columnsOf(data);
  const vectors = Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, vectorOf(values)]),
  );
  try {
    return tableToIPC(new Table(vectors), 'stream');
  } catch (error) {
    throw new RegistryError(
      'invalid',
      `The data has no Arrow form: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function columnsOf(data: unknown): Readonly<Record<string, readonly unknown[]>> {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    const lists = Object.values(data);
    const lengths = new Set(lists.map((list) => (Array.isArray(list) ? list.length : -1)));
    if (lists.length > 0 && lengths.size === 1 && !lengths.has(-1)) return data as Record<string, unknown[]>; // checked above
  }
  return { data: Array.isArray(data) ? data : [data] };
}

function vectorOf(values: readonly unknown[]): Vector {
  const present = values.filter((value) => value !== null);
  const every = (test: (value: unknown) => boolean): boolean => present.length > 0 && present.every(test);
  if (every((value) => typeof value === 'number' && Number.isSafeInteger(value))) {
    return vectorFromArray(
      values.map((value) => (value === null ? null : BigInt(value as number))), // checked above
      new Int64(),
    );
  }
  if (every((value) => typeof value === 'number')) return vectorFromArray(values as number[], new Float64());
  if (every((value) => typeof value === 'boolean')) return vectorFromArray(values as boolean[], new Bool());
  if (every((value) => typeof value === 'string')) return vectorFromArray(values as string[], new Utf8());
  if (present.length === 0) return vectorFromArray(values as null[], new Utf8());
  // Objects, lists and mixed values keep their JSON.
  return vectorFromArray(
    values.map((value) => (value === null ? null : JSON.stringify(value))),
    new Utf8(),
  );
}
