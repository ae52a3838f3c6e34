/** Opens the object store that a remote mount names, by the scheme of its URI (s3, gs, az). */

import type { StorageOptions } from '../credentials.ts';
import type { ObjectStore } from './objectStore.ts';
import type { OpenObjectStore, RemotePlace } from './remoteMounts.ts';

type Opener = (container: string, options: StorageOptions) => Promise<ObjectStore>;

/** Each store's client is loaded with the first mount of its scheme. */
const STORES: Readonly<Record<RemotePlace['scheme'], () => Promise<Opener>>> = {
  s3: async () => (await import('./s3Store.ts')).openS3,
  gs: async () => (await import('./gsStore.ts')).openGs,
  az: async () => (await import('./azStore.ts')).openAz,
};

export const openObjectStore: OpenObjectStore = async ({ scheme, container }, options) => {
  const open = await STORES[scheme]();
  return open(container, options);
};
