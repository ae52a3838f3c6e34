/** Prepares the mounts of a notebook for a cell, local and remote, and copies back what the cell wrote. */

import { join } from 'node:path';
import { placeOf } from '../../src-shared/notebook/mountUri.ts';
import type { Mount } from '../../src-shared/wire/cell.ts';
import type { NotebookFolder } from '../notebook/folder/notebookFolder.ts';
import { ownPath } from '../notebook/folder/ownPlaces.ts';
import { type CredentialSources, storageOptionsOf } from './credentials.ts';
import type { DataFact } from './dataItem.ts';
import { fingerprintLocal, prepareLocal } from './localMount.ts';
import { StoreProblem } from './remote/objectStore.ts';
import { createRemoteMounts, type OpenObjectStore, type RemoteMount } from './remote/remoteMounts.ts';

export interface MountsOptions {
  readonly notebookDir: NotebookFolder;
  readonly credentials: CredentialSources;
  readonly open: OpenObjectStore;
}

/** A mount with the path that its cell opens. */
export interface ReadyMount {
  readonly path: string;
  /** Copies back what the cell wrote; absent if the cell writes directly to the target. @throws StoreProblem */
  readonly writeBack?: (signal: AbortSignal) => Promise<void>;
}

/** The mounts of one notebook, local and remote. */
interface Mounts {
  look(mount: Mount, key: string, signal: AbortSignal): Promise<Omit<DataFact, 'key' | 'checkedAtMs'>>;
  ready(
    mount: Mount,
    options: {
      readonly key: string;
      /** The mount's token in the key; null if a pin replaces it. */
      readonly token: string | null;
      readonly scratchDir: string;
      readonly signal: AbortSignal;
    },
  ): Promise<ReadyMount | { readonly problem: string }>;
}

export function createMounts({ notebookDir, credentials, open }: MountsOptions): Mounts {
  const remotes = createRemoteMounts({ cacheDir: ownPath(notebookDir, 'mountCache'), open });
  const remoteOf = (mount: Mount, key: string) => {
    const place = placeOf(mount.uri);
    if (place.kind === 'unsupported') return { problem: place.problem };
    const resolved = storageOptionsOf(mount, place, credentials);
    if ('problem' in resolved) return resolved;
    if (place.kind === 'local') return { place };
    const remote: RemoteMount = { key, uri: mount.uri, place, options: resolved.options };
    return { remote };
  };
  return {
    async look(mount, key, signal) {
      const where = remoteOf(mount, key);
      if ('problem' in where) return { token: null, problem: where.problem };
      return 'place' in where
        ? fingerprintLocal(where.place, notebookDir)
        : remotes.look(where.remote, signal);
    },
    async ready(mount, { key, token, scratchDir, signal }) {
      const where = remoteOf(mount, key);
      if ('problem' in where) return where;
      if ('place' in where) return prepareLocal(where.place, { notebookDir, mode: mount.mode });
      if (mount.mode === 'ro') return remotes.read(where.remote, { token, signal });
      return remotes.write(where.remote, { dir: join(scratchDir, 'mounts', mount.name), signal });
    },
  };
}

/** Copies back what the cell wrote to all mounts; returns a message if one fails. */
export async function writeAllBack(
  mounts: readonly { readonly name: string; readonly ready: ReadyMount }[],
  signal: AbortSignal,
): Promise<string | null> {
  for (const { name, ready } of mounts) {
    try {
      await ready.writeBack?.(signal);
    } catch (error) {
      if (!(error instanceof StoreProblem)) throw error;
      return `What the cell wrote to the mount \`${name}\` could not be written back. ${error.message}`;
    }
  }
  return null;
}
