/** The mounts of a notebook that are in object stores: computes their fingerprint, copies them, and uploads changes. */

import { join } from 'node:path';
import type { MountPlace } from '../../../src-shared/notebook/mountUri.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import type { StorageOptions } from '../credentials.ts';
import { MISSING } from '../dataItem.ts';
import { type Listing, listingOf, printOf } from './listing.ts';
import { mirror } from './mirror.ts';
import { type ObjectStore, StoreProblem } from './objectStore.ts';
import { type StagedCopy, stage } from './staging.ts';

export type RemotePlace = Extract<MountPlace, { kind: 'remote' }>;

/** Opens the bucket or container of a place. @throws StoreProblem for unusable options */
export type OpenObjectStore = (place: RemotePlace, options: StorageOptions) => Promise<ObjectStore>;

interface RemotePrint {
  readonly token: string | null;
  readonly problem: string | null;
  readonly files?: number;
  readonly bytes?: number;
}

export interface RemoteMount {
  readonly key: string;
  readonly uri: string;
  readonly place: RemotePlace;
  readonly options: StorageOptions;
}

/**
 * The remote mounts of one notebook: read-only ones mirrored, writable ones staged for each run
 * (docs/spec/outside-data.md, 1).
 */
interface RemoteMounts {
  look(mount: RemoteMount, signal: AbortSignal): Promise<RemotePrint>;
  /** A copy of the version with this `token` (null: pinned, the current one). */
  read(
    mount: RemoteMount,
    options: { readonly token: string | null; readonly signal: AbortSignal },
  ): Promise<{ readonly path: string } | { readonly problem: string }>;
  write(
    mount: RemoteMount,
    options: { readonly dir: string; readonly signal: AbortSignal },
  ): Promise<StagedCopy | { readonly problem: string }>;
}

/** Timeout for listing. */
const LIST_MS = 60_000;

export function createRemoteMounts(options: {
  /** The folder `.svc/mount_cache` of the notebook. */
  readonly cacheDir: string;
  readonly open: OpenObjectStore;
}): RemoteMounts {
  const stores = new Map<string, Promise<ObjectStore>>();
  /** The last listing, so that a run copies exactly the version in its key. */
  const listings = new Map<string, { readonly token: string; readonly listing: Listing }>();
  const mirroring = new Map<string, Promise<unknown>>();

  const storeOf = (mount: RemoteMount): Promise<ObjectStore> => {
    const { scheme, container } = mount.place;
    const id = JSON.stringify([scheme, container, mount.options]);
    const store = stores.get(id) ?? options.open(mount.place, mount.options);
    stores.set(id, store);
    store.catch(() => stores.delete(id));
    return store;
  };

  async function list(mount: RemoteMount, signal: AbortSignal): Promise<Listing> {
    const store = await storeOf(mount);
    const timeout = AbortSignal.timeout(LIST_MS);
    try {
      const { prefix } = mount.place;
      return listingOf(prefix, await store.list(prefix, AbortSignal.any([signal, timeout])));
    } catch (error) {
      if (signal.aborted) throw new StoreProblem('It was cancelled.');
      if (timeout.aborted) throw new StoreProblem(`${mount.uri} did not respond within ${LIST_MS / 1000} s.`);
      throw error;
    }
  }

  async function reportProblem<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T | { problem: string }> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return { problem: 'It was cancelled.' };
      if (error instanceof StoreProblem) return { problem: error.message };
      if (errnoOf(error) !== null && error instanceof Error) {
        return { problem: `Couldn’t store its copy on this machine: ${error.message}` };
      }
      throw error;
    }
  }

  return {
    async look(mount, signal) {
      const listingResult = await reportProblem(signal, async (): Promise<RemotePrint> => {
        const listing = await list(mount, signal);
        const token = printOf(listing);
        if (listing.kind === 'bad') return { token: null, problem: listing.problem };
        if (listing.kind === 'nothing' || token === null) {
          return { token: MISSING, problem: `There is nothing at ${mount.uri}.` };
        }
        listings.set(mount.key, { token, listing });
        const objects = listing.kind === 'file' ? [listing.object] : [...listing.objects.values()];
        const bytes = objects.reduce((sum, { size }) => sum + size, 0);
        return { token, problem: null, files: objects.length, bytes };
      });
      return 'token' in listingResult ? listingResult : { token: null, problem: listingResult.problem };
    },
    read: (mount, { token, signal }) =>
      reportProblem(signal, async () => {
        const last = listings.get(mount.key);
        const listing = last !== undefined && last.token === token ? last.listing : await list(mount, signal);
        if (listing.kind === 'bad') return { problem: listing.problem };
        if (listing.kind === 'nothing') return { problem: `There is nothing at ${mount.uri}.` };
        if (token !== null && printOf(listing) !== token) {
          return { problem: `${mount.uri} changed just before the cell ran. Run the cell again.` };
        }
        const store = await storeOf(mount);
        // One copy at a time: two cells of one run must not change the same folder.
        const before = mirroring.get(mount.key) ?? Promise.resolve();
        const work = () => mirror(store, listing, { cacheDir: options.cacheDir, key: mount.key, signal });
        const result = before.then(work, work);
        mirroring.set(
          mount.key,
          result.catch(() => undefined),
        );
        return { path: await result };
      }),
    write: (mount, { dir, signal }) =>
      reportProblem(signal, async () => {
        const listing = await list(mount, signal);
        if (listing.kind === 'bad') return { problem: listing.problem };
        const store = await storeOf(mount);
        return stage(store, listing, { dir: join(dir), prefix: mount.place.prefix, signal });
      }),
  };
}
