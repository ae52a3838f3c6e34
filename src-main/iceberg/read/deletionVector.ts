/** Reads deletion vectors: bitmaps of the deleted rows of an Iceberg data file (format v3). */

import { crc32 } from 'node:zlib';
import { damaged } from '../icebergError.ts';
import type { ContentFile } from '../metadata/manifests.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { RoaringProblem, roaring64 } from './roaring.ts';

const MAGIC = 0xd1d33964;
const MIB = 1024 ** 2;
const LARGEST_FILE = 512 * MIB;
/** The length and the magic number before the bitmap, and the checksum after it. */
const LENGTH_BYTES = 4;
const CHECKSUM_BYTES = 4;

/**
 * The positions that a deletion vector deletes (format v3): a part of a Puffin file, whose offset is in the
 * manifest.
 * @throws IcebergError when it is damaged
 */
export async function deletedPositions(
  vector: ContentFile,
  files: TableFiles,
  signal: AbortSignal,
): Promise<readonly bigint[]> {
  const { path, contentOffset, contentSize, recordCount, isEncrypted } = vector;
  if (isEncrypted)
    throw damaged(path, 'the deletion vector is encrypted; encrypted tables are not supported.');
  if (contentOffset === null || contentSize === null)
    throw damaged(path, 'its manifest does not say where the deletion vector is.');
  const file = await files.read(path, { signal, maxBytes: LARGEST_FILE });
  const [from, to] = [Number(contentOffset), Number(contentOffset + contentSize)];
  const blob = from >= 0 && to <= file.byteLength && to > from ? file.subarray(from, to) : new Uint8Array(0);
  const positions = positionsOf(blob, path);
  if (BigInt(positions.length) !== recordCount) {
    throw damaged(
      path,
      `the deletion vector has ${positions.length} positions, and its manifest says ${recordCount}.`,
    );
  }
  return positions;
}

function positionsOf(blob: Uint8Array, path: string): readonly bigint[] {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const length = blob.byteLength - LENGTH_BYTES - CHECKSUM_BYTES;
  const isVector =
    length >= LENGTH_BYTES && view.getUint32(0) === length && view.getUint32(LENGTH_BYTES) === MAGIC;
  if (!isVector) throw damaged(path, 'it has no deletion vector where its manifest says.');
  const content = blob.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
  if (crc32(content) !== view.getUint32(LENGTH_BYTES + length)) {
    throw damaged(path, 'the checksum of the deletion vector is wrong.');
  }
  try {
    return [...roaring64(content.subarray(LENGTH_BYTES))];
  } catch (error) {
    if (error instanceof RoaringProblem)
      throw damaged(path, `the deletion vector is damaged: ${error.message}.`, error);
    throw error;
  }
}
