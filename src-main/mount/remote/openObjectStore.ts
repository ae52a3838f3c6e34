/** Opens the object store of a mount by its scheme. */

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
