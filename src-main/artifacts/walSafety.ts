/** Decides whether the result store's SQLite database may use a write-ahead log on its file system. */

import { statfs } from 'node:fs/promises';

/** File systems on which SQLite's shared memory or locks are unreliable (linux/magic.h). */
const UNSAFE_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x786f4256, 'a shared folder'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
]);

/** Folders of synchronization programs, which copy a database and its log separately. */
const SYNCED =
  /[\\/](Dropbox|OneDrive[^\\/]*|Google ?Drive|CloudStorage|Mobile Documents|Nextcloud)([\\/]|$)/i;

export type StatfsType = (path: string) => Promise<number>;

const systemType: StatfsType = async (path) => (await statfs(path)).type;

/** Why a write-ahead log is not safe in `dir`, in a few words; null when it is safe. */
export async function walUnsafeBecause(dir: string, type: StatfsType = systemType): Promise<string | null> {
  if (dir.startsWith('\\\\')) return 'a network folder';
  const synced = SYNCED.exec(dir)?.[1];
  if (synced !== undefined) return `a synchronised folder (${synced})`;
  // Only Linux numbers file systems in this way.
  if (process.platform !== 'linux' && type === systemType) return null;
  const name = UNSAFE_TYPES.get((await type(dir)) >>> 0);
  return name === undefined ? null : `a network or virtual file system (${name})`;
}
