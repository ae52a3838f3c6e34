/** Reads a stored Arrow table into memory that threads share, for the data viewer. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import { type ArrowType, arrowTypeOf } from './arrowType.ts';
import { checkChunk } from './checkChunk.ts';
import { checkStream } from './checkStream.ts';
import { checkType } from './checkType.ts';
import { type Chunk, chunkOf } from './chunk.ts';
import { type Column, makeColumn } from './column.ts';
import { DamagedArrow } from './flatBuffer.ts';
import { orderColumns } from './pandasIndex.ts';

/** A table in memory that threads can share. Node cannot map files, so this is a copy of the file. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly memory: SharedArrayBuffer;
}

export type ReadTable =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'other'; readonly reason: string };

const PIECE = 1 << 30;

/**
 * Reads an Arrow IPC stream. Tensors and scalars (docs/spec/values.md, 1) and other formats are `other`.
 * @throws errors of the file system
 */
export function readTable(path: string): ReadTable {
  return tableFrom(readWhole(path));
}

/** The table in a file's bytes; nothing is copied. */
export function tableFrom(memory: SharedArrayBuffer): ReadTable {
  const bytes = new Uint8Array(memory);
  if (bytes[0] === 0x7b) return { kind: 'other', reason: 'a pandas value stored as JSON' };
  let schema: Schema;
  let batches: RecordBatch[];
  try {
    checkStream(bytes);
    const reader = RecordBatchReader.from(bytes);
    reader.open();
    schema = reader.schema;
    // For each field of a batch, the library searches the whole schema of the batch. Replace it: the two are known to
    // be equal.
    const same = schema;
    if (same !== undefined && same !== null) Object.assign(same, { assign: () => same });
    batches = [...reader];
  } catch (error) {
    return { kind: 'other', reason: `not a readable Arrow stream: ${messageOf(error)}` };
  }
  if (schema === undefined || schema === null) return { kind: 'other', reason: 'no Arrow stream' };
  const shape = schema.metadata.get('svc.arrow.shape');
  if (shape === 'tensor' || shape === 'scalar') return { kind: 'other', reason: `a ${shape}` };
  try {
    return { kind: 'table', table: tableOf(schema, batches, memory) };
  } catch (error) {
    return { kind: 'other', reason: messageOf(error) };
  }
}

function tableOf(schema: Schema, batches: readonly RecordBatch[], memory: SharedArrayBuffer): Table {
  const columns = schema.fields.map((field, at) => {
    const type: ArrowType = arrowTypeOf(field.type);
    checkType(type);
    const chunks = batches.flatMap((batch) => {
      const child = batch.data.children[at];
      return child === undefined || batch.numRows === 0 ? [] : [checked(chunkOf(child), maxValuesIn(memory))];
    });
    return makeColumn({ name: field.name, fieldName: field.name }, { type, chunks });
  });
  const rows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  return { columns: orderColumns(columns, schema.metadata.get('pandas') ?? null), rows, memory };
}

/** The maximum number of values without memory that are shown: they are only declared, not stored. */
const MAX_OF_NOTHING = 10_000_000;

function maxValuesIn({ byteLength }: SharedArrayBuffer): number {
  return Math.max(MAX_OF_NOTHING, byteLength * 8);
}

/** Checks a chunk. @throws DamagedArrow if it, or a child of it, does not hold what it declares */
function checked(chunk: Chunk, most: number): Chunk {
  if (chunk.length > most) throw new DamagedArrow(`it declares ${chunk.length} values and contains none`);
  checkChunk(chunk);
  for (const child of chunk.children) checked(child, most);
  for (const part of chunk.dictionary) checked(part, most);
  return chunk;
}

/** The bytes of a file, read in pieces, because one read cannot exceed 2 GiB. */
function readWhole(path: string): SharedArrayBuffer {
  // Without O_NONBLOCK, opening a pipe in its place would block.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is not a plain file`);
    const { size } = stats;
    const memory = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(memory);
    let at = 0;
    while (at < size) {
      const count = readSync(file, bytes, at, Math.min(PIECE, size - at), at);
      if (count === 0) break;
      at += count;
    }
    return at === size ? memory : memory.slice(0, at);
  } finally {
    closeSync(file);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
