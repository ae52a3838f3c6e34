/** Reads Avro files, the format of an Iceberg table's manifests. */

import zlib from 'node:zlib';
import { damaged, IcebergError } from '../icebergError.ts';
import { AvroCursor, AvroProblem } from './avroCursor.ts';
import { type AvroRecord, avroReader } from './avroRecord.ts';

/** The content of an Avro file: an object container file, the format of manifests and manifest lists. */
interface AvroFile {
  readonly metadata: ReadonlyMap<string, string>;
  readonly records: readonly AvroRecord[];
}

const MAGIC = 'Obj\u0001';
const SYNC_BYTES = 16;
const MIB = 1024 ** 2;
/** Maximum size of an uncompressed block; writers make blocks of 64 KB to 8 MB. */
const LARGEST_BLOCK = 512 * MIB;

const CODECS: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = {
  null: (data) => data,
  deflate: (data) => zlib.inflateRawSync(data, { maxOutputLength: LARGEST_BLOCK }),
  zstandard: (data) => zlib.zstdDecompressSync(data, { maxOutputLength: LARGEST_BLOCK }),
};

/**
 * Reads a whole file. A truncated file is refused; the caller compares the length with the catalog's, because
 * a file may be truncated between two blocks of records.
 * @throws IcebergError
 */
export function readAvroFile(bytes: Uint8Array, location: string): AvroFile {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof IcebergError) throw error;
    const reason = error instanceof AvroProblem ? error.message : 'its content is damaged';
    throw damaged(location, `the file is damaged: ${reason}.`, error);
  }
}

function read(bytes: Uint8Array): AvroFile {
  const cursor = new AvroCursor(bytes);
  if (Buffer.from(cursor.bytes(MAGIC.length)).toString('latin1') !== MAGIC)
    throw new AvroProblem('it is not an Avro file');
  const metadata = headerOf(cursor);
  const sync = cursor.bytes(SYNC_BYTES);
  const codec = metadata.get('avro.codec') ?? 'null';
  const uncompress = Object.hasOwn(CODECS, codec) ? CODECS[codec] : undefined;
  if (uncompress === undefined)
    throw new AvroProblem(`it is compressed with ${codec}, which is not supported`);
  const readRecord = avroReader(JSON.parse(metadata.get('avro.schema') ?? ''));
  const records: AvroRecord[] = [];
  while (cursor.remaining > 0) {
    const count = Number(cursor.long());
    const data = uncompress(cursor.bytes(cursor.count()));
    const block = new AvroCursor(data);
    if (count < 0 || count > data.byteLength)
      throw new AvroProblem('a block has a count that is not possible');
    for (let i = 0; i < count; i += 1) records.push(readRecord(block) as AvroRecord); // manifests contain records
    if (block.remaining > 0) throw new AvroProblem('a block is longer than its records');
    if (Buffer.compare(cursor.bytes(SYNC_BYTES), sync) !== 0)
      throw new AvroProblem('a block ends with other bytes');
  }
  return { metadata, records };
}

function headerOf(cursor: AvroCursor): ReadonlyMap<string, string> {
  const readMap = avroReader({ type: 'map', values: 'bytes' });
  const header = readMap(cursor) as Readonly<Record<string, Uint8Array>>;
  return new Map(Object.entries(header).map(([key, value]) => [key, Buffer.from(value).toString('utf8')]));
}
