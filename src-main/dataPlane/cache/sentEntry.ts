import { type FileHandle, open } from 'node:fs/promises';
import type { EncodedRows } from '../../iceberg/read/readScan.ts';
import { PIECE_BYTES, pieceBuffers } from './pieceBuffers.ts';
import type { HeldEntry } from './rowGroupCache.ts';

/**
 * The batches of an entry as the bytes that are stored, for a stream of the same schema. A reader that is done with a
 * piece may give it back to `pieceBuffers`.
 * @throws ChangedEntry for another file than the one that was held, before the first piece
 * @throws Error for a file that was cut while it is sent
 */
export async function* sentEntry({
  path,
  meta,
  stamp,
  layout: { from, before },
}: HeldEntry): AsyncGenerator<EncodedRows> {
  const file = await open(path);
  try {
    const { size, mtimeMs, ino } = await file.stat();
    if (!stamp.startsWith(`${size} ${mtimeMs} ${ino} `)) throw new ChangedEntry();
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

/** Another server that shares the folder has written the entry again. It is read as if the disk had refused it. */
class ChangedEntry extends Error {
  readonly code = 'ESTALE';
  readonly syscall = 'open';

  constructor() {
    super('a cache entry was written again by another server');
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
