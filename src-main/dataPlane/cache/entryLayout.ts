import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Message, MessageHeader, type Schema } from 'apache-arrow';
import { IpcWriter } from '../../iceberg/read/ipcStream.ts';

/**
 * The positions of the messages in the Arrow stream of a cache entry, so that its bytes can be sent to clients
 * unchanged.
 */
export interface EntryLayout {
  /** SHA-256 hex of the message with the schema: entries of one schema that this server wrote have the same. */
  readonly schema: string;
  /** Offset of the first batch. */
  readonly from: number;
  /** Offset of the mark at the end. */
  readonly before: number;
}

const CONTINUATION = 0xffffffff;
/** Bytes of the mark and of the length of a message's description. */
const PREFIX_BYTES = 8;
/** The limit for the description of a batch; those of tables are much shorter. */
const MAX_METADATA_BYTES = 64 * 1024 * 1024;

/**
 * Reads the descriptions of all messages of an entry, but no values.
 * @param size of the file. @returns null for a file that is damaged or has a different number of rows
 */
export async function layoutOf(
  file: FileHandle,
  { size, rows }: { readonly size: number; readonly rows: number },
): Promise<EntryLayout | null> {
  let schema = '';
  let from = 0;
  let rowCount = 0;
  for (let at = 0; ; ) {
    const prefix = await bytesAt(file, at, PREFIX_BYTES);
    if (prefix === null || prefix.readUInt32LE(0) !== CONTINUATION) return null;
    const length = prefix.readUInt32LE(4);
    if (length === 0) {
      const isWhole = at + PREFIX_BYTES === size && schema !== '' && rowCount === rows;
      return isWhole ? { schema, from, before: at } : null;
    }
    if (length > MAX_METADATA_BYTES || at + PREFIX_BYTES + length > size) return null;
    const metadata = await bytesAt(file, at + PREFIX_BYTES, length);
    const message = metadata === null ? null : decoded(metadata);
    if (message === null || metadata === null) return null;
    const isFirst = at === 0;
    at += PREFIX_BYTES + length + message.bodyBytes;
    if (isFirst !== message.isSchema) return null;
    if (isFirst) {
      schema = hashOf(Buffer.concat([prefix, metadata]));
      from = at;
    }
    rowCount += message.rows;
  }
}

/** @param message the first one of a stream, with its prefix */
function hashOf(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex');
}

/** The `schema` of the layout of an entry with this schema. */
export function schemaHash(schema: Schema): string {
  return hashOf(new IpcWriter().start(schema));
}

/** Null: no message of a stream, or one whose values would be outside its body. */
function decoded(
  metadata: Buffer,
): { readonly isSchema: boolean; readonly bodyBytes: number; readonly rows: number } | null {
  let message: Message;
  try {
    message = Message.decode(metadata);
    if (message.headerType === MessageHeader.RecordBatch) {
      const { length, buffers } = (message as Message<MessageHeader.RecordBatch>).header();
      const { bodyLength } = message;
      if (buffers.some((buffer) => buffer.offset + buffer.length > bodyLength)) return null;
      return { isSchema: false, bodyBytes: bodyLength, rows: length };
    }
  } catch {
    // The decoder throws errors of many kinds for invalid bytes.
    return null;
  }
  return { isSchema: message.isSchema(), bodyBytes: message.bodyLength, rows: 0 };
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer | null> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytesRead === length ? bytes : null;
}
