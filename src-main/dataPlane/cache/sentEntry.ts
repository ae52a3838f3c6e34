import type { FileHandle } from 'node:fs/promises';
import type { EncodedRows } from '../../iceberg/read/readScan.ts';
import { openEntry } from './openEntry.ts';
import { PIECE_BYTES, pieceBuffers } from './pieceBuffers.ts';
import type { HeldEntry } from './rowGroupCache.ts';

/**
 * The batches of an entry of the row-group cache as stored bytes, for a stream of the same schema. A reader may return
 * a piece to `pieceBuffers` when it has used it.
 * @throws ChangedEntry if the file is not the one that was held, before the first piece
 * @throws Error if the file is truncated while it is sent
 */
export async function* sentEntry({
  path,
  meta,
  stamp,
  layout: { from, before },
}: HeldEntry): AsyncGenerator<EncodedRows> {
  const file = await openEntry({ path, stamp });
  try {
    for (let at = from; at < before; ) {
      const length = Math.min(PIECE_BYTES, before - at);
      const bytes = pieceBuffers.take(length);
      await fill(bytes, { file, at });
      yield { bytes, numRows: at === from ? meta.num_rows : 0 };
      at += length;
    }
  } finally {
    await file.close();
  }
}

async function fill(
  bytes: Buffer,
  { file, at }: { readonly file: FileHandle; readonly at: number },
): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.byteLength - done, at + done);
    if (bytesRead === 0) throw new Error('a cache entry ended early');
    done += bytesRead;
  }
}
