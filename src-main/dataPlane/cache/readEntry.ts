import type { FileHandle } from 'node:fs/promises';
import { type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { openEntry } from './openEntry.ts';
import type { HeldEntry } from './rowGroupCache.ts';

/**
 * The batches of an entry of the row-group cache. A small entry is read at once; of one with at least `wholeBelow`
 * bytes each batch is read when it is taken, so that a slow reader has one batch in memory.
 * @param wholeBelow the size from which an entry is read batch by batch (setting SVC_MMAP_MIN_BYTES)
 * @throws ChangedEntry before the first batch, if the file was replaced since the entry was checked
 * @throws Error for a file that is damaged while it is read
 */
export async function* readEntry(entry: HeldEntry, wholeBelow: number): AsyncGenerator<RecordBatch> {
  const handle = await openEntry(entry);
  try {
    if (entry.meta.size_bytes < wholeBelow) {
      yield* RecordBatchReader.from(await handle.readFile());
      return;
    }
    const reader = await RecordBatchReader.from(throwingAtEnd(handle));
    await reader.open();
    yield* reader;
  } finally {
    await handle.close();
  }
}

/** Arrow would repeat a read endlessly if a file is shorter than before. */
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
