import { type FileHandle, open, readFile } from 'node:fs/promises';
import { type RecordBatch, RecordBatchReader } from 'apache-arrow';
import type { HeldEntry } from './rowGroupCache.ts';

/**
 * The batches of a cache entry. A small entry is read at once; of one with at least `wholeBelow` bytes each batch is read when
 * it is taken, so that a slow reader has one batch in memory.
 * @param wholeBelow SVC_MMAP_MIN_BYTES
 * @throws Error for a file that was damaged since it was found
 */
export async function* readEntry(
  { path, meta }: Pick<HeldEntry, 'path' | 'meta'>,
  wholeBelow: number,
): AsyncGenerator<RecordBatch> {
  if (meta.size_bytes < wholeBelow) {
    yield* RecordBatchReader.from(await readFile(path));
    return;
  }
  const handle = await open(path);
  try {
    const reader = await RecordBatchReader.from(throwingAtEnd(handle));
    await reader.open();
    yield* reader;
  } finally {
    await handle.close();
  }
}

/** Arrow repeats a read without end where a file is shorter than it was. */
function throwingAtEnd(handle: FileHandle): FileHandle {
  const read = async (buffer: Uint8Array, offset: number, length: number, position: number) => {
    const result = await handle.read(buffer, offset, length, position);
    if (result.bytesRead === 0 && length > 0) throw new Error('a cache entry ended early');
    return result;
  };
  // The four members that Arrow uses. The caller closes the handle.
  const used = { fd: handle.fd, stat: () => handle.stat(), read, close: async () => undefined };
  return used as unknown as FileHandle;
}
