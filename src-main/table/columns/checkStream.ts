/**
 * Checks an untrusted Arrow stream against its bytes before the library reads it: a file of a few hundred
 * bytes can declare any number of columns, rows and bytes. Field numbers are those of Arrow's Message.fbs and
 * Schema.fbs.
 */

import { DamagedArrow, FlatBuffer, type FlatTable } from './flatBuffer.ts';

const SCHEMA = 1;
const DICTIONARY_BATCH = 2;
const RECORD_BATCH = 3;

const TIMESTAMP = 10;
const UNION = 14;

const CONTINUES = -1;

/** The number of a batch's nodes that each column of a schema uses. */
type NodesOfColumns = readonly number[];

/** Checks the bytes of a stream. @throws DamagedArrow with the problem */
export function checkStream(bytes: Uint8Array): void {
  let columns: NodesOfColumns | null = null;
  for (const { metadata, body } of messagesOf(bytes)) {
    const message = new FlatBuffer(metadata).root();
    const header = message.table(2);
    message.tables(4).forEach(checkKeyValue);
    if (message.count(3) > body) throw new DamagedArrow('it ends before its last values do');
    const kind = message.byte(1);
    if (header === null) throw new DamagedArrow('a message of it has no header');
    if (kind === SCHEMA) columns = columnsOf(header);
    else if (kind === RECORD_BATCH) checkBatch(header, { body: message.count(3), columns });
    else if (kind === DICTIONARY_BATCH) {
      const batch = header.table(1);
      if (batch !== null) checkBatch(batch, { body: message.count(3), columns: null });
    }
  }
}

interface Message {
  readonly metadata: Uint8Array;
  /** Bytes that follow it. */
  readonly body: number;
}

function* messagesOf(bytes: Uint8Array): Generator<Message> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 4 <= bytes.byteLength; ) {
    let length = view.getInt32(at, true);
    at += 4;
    if (length === CONTINUES) {
      if (at + 4 > bytes.byteLength) return;
      length = view.getInt32(at, true);
      at += 4;
    }
    if (length === 0) return;
    if (length < 0 || at + length > bytes.byteLength)
      throw new DamagedArrow('its metadata is longer than the bytes there are');
    const metadata = bytes.subarray(at, at + length);
    at += length;
    yield { metadata, body: bytes.byteLength - at };
    at += new FlatBuffer(metadata).root().count(3);
  }
}

function columnsOf(schema: FlatTable): NodesOfColumns {
  schema.tables(2).forEach(checkKeyValue);
  schema.vector(3, 8);
  return schema.tables(1).map(nodesOfField);
}

function checkKeyValue(pair: FlatTable): void {
  pair.vector(0, 1);
  pair.vector(1, 1);
}

function nodesOfField(field: FlatTable): number {
  field.vector(0, 1);
  const type = field.table(3);
  if (type === null) throw new DamagedArrow('a column of it has no type');
  if (field.byte(2) === UNION) type.vector(1, 4);
  if (field.byte(2) === TIMESTAMP) type.vector(1, 1);
  field.tables(6).forEach(checkKeyValue);
  const nested = field.tables(5).map(nodesOfField);
  const dictionary = field.table(4);
  dictionary?.table(1);
  // The values of a dictionary come in batches of their own.
  return dictionary === null ? nested.reduce((sum, nodes) => sum + nodes, 1) : 1;
}

function checkBatch(
  batch: FlatTable,
  { body, columns }: { readonly body: number; readonly columns: NodesOfColumns | null },
): void {
  const buffers = batch.vector(2, 16);
  for (let item = 0; item < (buffers?.length ?? 0) && buffers !== null; item += 1) {
    const from = batch.countIn(buffers, { item, width: 16, at: 0 });
    if (from + batch.countIn(buffers, { item, width: 16, at: 8 }) > body)
      throw new DamagedArrow('it ends before its last values do');
  }
  batch.table(3);
  batch.vector(4, 8);
  const nodes = batch.vector(1, 16);
  const rows = batch.count(0);
  let node = 0;
  for (const nodesOfColumn of columns ?? []) {
    if (nodes === null || node + nodesOfColumn > nodes.length)
      throw new DamagedArrow('a batch of it lacks columns');
    if (batch.countIn(nodes, { item: node, width: 16, at: 0 }) !== rows)
      throw new DamagedArrow('its columns have different lengths');
    node += nodesOfColumn;
  }
}
