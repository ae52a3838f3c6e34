/** Opens the storage of an Iceberg table's files: disk, S3, Google Cloud Storage, Azure. */

import { constants } from 'node:fs';
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOT_PLAIN, readPlainFile, TOO_LONG } from '../../lib/plainFile.ts';
import type { StorageOptions } from '../../mount/credentials.ts';
import { type ObjectStore, type RemoteObject, StoreProblem } from '../../mount/remote/objectStore.ts';
import { openObjectStore } from '../../mount/remote/openObjectStore.ts';
import { damaged, IcebergError } from '../icebergError.ts';
import { type Location, parseLocation } from './location.ts';
import type { LocalFile, ReadOptions, TableFiles } from './tableFiles.ts';

export interface OpenTableFiles extends TableFiles {
  /** Removes local copies of files from object stores. */
  close(): Promise<void>;
}

export interface StorageAccess {
  /** Options for each kind of object store, with fsspec's names. */
  readonly options: Readonly<Record<'s3' | 'gs' | 'az', StorageOptions>>;
  /** False for a table in an object store, which must not name files of this machine. */
  readonly mayReadLocal: boolean;
}

type ObjectPlace = Extract<Location, { kind: 'object' }>;

/** Opens the files of one table, wherever they are stored. */
export function openTableFiles({ options, mayReadLocal }: StorageAccess): OpenTableFiles {
  const stores = new Map<string, Promise<ObjectStore>>();
  let folder: Promise<string> | null = null;
  let copies = 0;

  const placeOf = (location: string): Location => {
    const place = parseLocation(location);
    if (place.kind === 'local' && !mayReadLocal) {
      throw damaged(location, 'the table is not on this machine, so its files cannot be either.');
    }
    return place;
  };
  const storeOf = (place: ObjectPlace): Promise<ObjectStore> => {
    const { scheme, container } = place;
    const id = `${scheme} ${container}`;
    const store =
      stores.get(id) ?? openObjectStore({ kind: 'remote', scheme, container, prefix: '' }, options[scheme]);
    stores.set(id, store);
    return store;
  };
  const copy = async (
    place: ObjectPlace,
    location: string,
    signal: AbortSignal,
    maxBytes: number,
  ): Promise<string> => {
    try {
      const store = await storeOf(place);
      const object = (await store.list(place.key, signal)).find(({ key }) => key === place.key);
      checkObject(object, location, maxBytes);
      folder ??= mkdtemp(join(tmpdir(), 'cellar-table-'));
      copies += 1;
      const path = join(await folder, String(copies));
      await store.download(object, path, signal);
      return path;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof StoreProblem
        ? new IcebergError('unavailable', error.message, { cause: error })
        : error;
    }
  };

  return {
    async read(location: string, { signal, maxBytes }: ReadOptions): Promise<Uint8Array> {
      signal.throwIfAborted();
      const place = placeOf(location);
      if (place.kind === 'local') return readLocal(place.path, location, maxBytes);
      const path = await copy(place, location, signal, maxBytes);
      try {
        return await readFile(path, { signal });
      } finally {
        await rm(path, { force: true });
      }
    },
    async local(location: string, signal: AbortSignal): Promise<LocalFile> {
      signal.throwIfAborted();
      const place = placeOf(location);
      if (place.kind === 'local') {
        await checkLocal(place.path, location);
        return { path: place.path, release: async () => undefined };
      }
      const path = await copy(place, location, signal, Number.POSITIVE_INFINITY);
      return { path, release: () => rm(path, { force: true }) };
    },
    async close(): Promise<void> {
      if (folder !== null) await rm(await folder, { recursive: true, force: true });
    },
  };
}

function checkObject(
  object: RemoteObject | undefined,
  location: string,
  maxBytes: number,
): asserts object is RemoteObject {
  if (object === undefined) throw damaged(location, 'the file is missing.');
  if (object.size > maxBytes) throw damaged(location, `it has more than ${maxBytes} bytes.`);
}

async function readLocal(path: string, location: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readPlainFile(path, { maxBytes });
  } catch (error) {
    throw localProblem(error, location);
  }
}

async function checkLocal(path: string, location: string): Promise<void> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw damaged(location, 'it is not a file.');
    await access(path, constants.R_OK);
  } catch (error) {
    throw localProblem(error, location);
  }
}

function localProblem(error: unknown, location: string): unknown {
  if (error instanceof IcebergError || !(error instanceof Error)) return error;
  switch ('code' in error ? error.code : null) {
    case 'ENOENT':
    case 'ENOTDIR':
      return damaged(location, 'the file is missing.', error);
    case NOT_PLAIN:
    case 'EISDIR':
      return damaged(location, 'it is not a file.', error);
    case TOO_LONG:
      return damaged(location, 'it is larger than such a file may be.', error);
    case 'EACCES':
    case 'EPERM':
      return damaged(location, 'this program has no permission to read it.', error);
    default:
      return new IcebergError('unavailable', `${location} cannot be read now: ${error.message}.`, {
        cause: error,
      });
  }
}
