/** Writes the files of an Iceberg table, on disk and in object stores. */

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncDirectory } from '../../lib/atomicFile.ts';
import { openObjectStore } from '../../mount/remote/openObjectStore.ts';
import { IcebergError } from '../icebergError.ts';
import { parseLocation } from '../storage/location.ts';
import { type OpenTableFiles, openTableFiles, type StorageAccess } from '../storage/openTableFiles.ts';

/**
 * The files of a table that is being written. Table files are never changed: each location is written once.
 */
export interface WritableFiles extends OpenTableFiles {
  /**
   * Copies a local file to a location that does not exist yet. It is durable when this resolves.
   * @throws IcebergError, StoreProblem
   */
  put(path: string, location: string, signal: AbortSignal): Promise<void>;
  /** Writes bytes to a location that does not exist yet. @throws IcebergError, StoreProblem */
  putBytes(bytes: Uint8Array, location: string, signal: AbortSignal): Promise<void>;
}

export function openWritableFiles(access: StorageAccess): WritableFiles {
  const files = openTableFiles(access);
  const put = async (path: string, location: string, signal: AbortSignal): Promise<void> => {
    const place = parseLocation(location);
    if (place.kind === 'local') {
      if (!access.mayReadLocal) {
        throw new IcebergError(
          'invalid_request',
          `${location} is on this machine, and the catalog of the table is not.`,
        );
      }
      return copyHere(path, place.path, signal);
    }
    const { scheme, container, key } = place;
    const store = await openObjectStore(
      { kind: 'remote', scheme, container, prefix: '' },
      access.options[scheme],
    );
    await store.upload(path, key, signal);
  };
  return {
    ...files,
    put,
    async putBytes(bytes, location, signal) {
      const folder = await mkdtemp(join(tmpdir(), 'cellar-table-'));
      try {
        const path = join(folder, 'file');
        await pipeline([bytes], createWriteStream(path, { flags: 'wx' }));
        await put(path, location, signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Other programs read the tables of a warehouse too, so the files get the usual permissions. */
async function copyHere(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await pipeline(createReadStream(from), createWriteStream(to, { flags: 'wx', flush: true }), { signal });
    await syncDirectory(dirname(to));
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new IcebergError('unavailable', `${to} cannot be written (${code}).`, { cause: error });
  }
}
