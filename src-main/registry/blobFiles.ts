/** The files of the artifact store: receives, places and removes the bytes of versions. */

import { createHash, randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, readdirSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errnoOf } from '../lib/atomicFile.ts';
import { moveTo, removeFile } from '../lib/guardedFolder/names.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import { newFile } from '../lib/newFile.ts';
import { killPoint } from './storeSteps.ts';
import type { VersionRef } from './versionRow.ts';

/** The longest encoded id that becomes part of a file name; longer ids are replaced by their digest. */
const MAX_ID_IN_NAME = 160;

/** Bytes that were received, on disk and flushed, but do not belong to a version yet. */
export interface ReceivedBlob {
  readonly path: string;
  readonly byteSize: number;
  /** SHA-256 hex. */
  readonly sha256: string;
}

/** Thrown by {@link BlobFiles.receive} for a body above the limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/**
 * The bytes of the artifact store, one file per version:
 *   blobs/<id>@v=<n>.arrow    the bytes of a version
 *   blobs/staged-<sha256>     bytes that an import will use
 *   blobs/.incoming-<random>  a body that is being received; left by a crash, it is swept when the store opens
 */
export interface BlobFiles {
  pathOf(ref: VersionRef): string;
  stagedPath(tenant: string, sha256: string): string;
  /** Writes a body to disk. Nothing is left of a body that breaks off. @throws BodyTooLarge above `maxBytes` */
  receive(body: Readable, maxBytes: number): Promise<ReceivedBlob>;
  /** Gives received bytes their final name. */
  place(blob: ReceivedBlob, path: string): void;
  /** Gives the bytes of a file a second name. */
  duplicate(from: string, to: string): void;
  /** Removes a file if it exists. */
  remove(path: string): void;
  /** The names of all files, read without blocking other work. */
  listed(): Promise<ReadonlySet<string>>;
  /** Removes those files of these versions that are among `names`, without blocking other work. */
  removeAll(refs: readonly VersionRef[], names: ReadonlySet<string>): Promise<void>;
  /** Names of the files in `blobs/`. */
  names(): readonly string[];
}

const INCOMING = '.incoming-';
/** Files that the thread pool removes at a time. */
const AT_ONCE = 16;

/** Opens `<dir>/blobs`. @param sweeps removes what a crash left half received */
export function openBlobFiles(dir: string, { sweeps = true }: { readonly sweeps?: boolean } = {}): BlobFiles {
  const blobs = join(dir, 'blobs');
  makePrivateFolder(blobs);
  for (const name of sweeps ? readdirSync(blobs) : []) {
    if (name.startsWith(INCOMING)) removeFile(join(blobs, name));
  }
  return {
    pathOf: (ref) => join(blobs, blobName(ref)),
    stagedPath: (tenant, sha256) => join(blobs, `staged-${fileNameOf(tenant)}-${sha256}`),
    async receive(body, maxBytes) {
      const path = join(blobs, `${INCOMING}${randomBytes(9).toString('hex')}`);
      const hash = createHash('sha256');
      let byteSize = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          byteSize += chunk.length;
          hash.update(chunk);
          done(
            byteSize > maxBytes ? new BodyTooLarge(`at most ${maxBytes} bytes are accepted`) : null,
            chunk,
          );
        },
      });
      try {
        await pipeline(body, measure, newFile(path, { flush: true }));
      } catch (error) {
        removeFile(path);
        throw error;
      }
      killPoint('received');
      return { path, byteSize, sha256: hash.digest('hex') };
    },
    place(blob, path) {
      killPoint('placing');
      moveTo(blob.path, path);
      killPoint('placed');
    },
    duplicate(from, to) {
      removeFile(to);
      try {
        linkSync(from, to);
      } catch (error) {
        // A file system without hard links.
        if (!['EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error;
        copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      }
    },
    remove(path) {
      removeFile(path);
      killPoint('removed');
    },
    listed: async () => new Set(await readdir(blobs)),
    async removeAll(refs, names) {
      const doomed = refs.map(blobName).filter((name) => names.has(name));
      for (let from = 0; from < doomed.length; from += AT_ONCE) {
        await Promise.all(doomed.slice(from, from + AT_ONCE).map((name) => removeLater(join(blobs, name))));
        killPoint('removed');
      }
    },
    names: () => readdirSync(blobs).filter((name) => !name.startsWith(INCOMING)),
  };
}

function blobName({ id, version }: VersionRef): string {
  return `${fileNameOf(id)}@v=${version}.arrow`;
}

async function removeLater(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/**
 * An id as part of a file name on every system: characters other than letters, digits, `_`, `-` and `.` are
 * percent-encoded.
 */
function fileNameOf(id: string): string {
  const encoded = [...Buffer.from(id, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9_.-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
    })
    .join('');
  return encoded.length <= MAX_ID_IN_NAME ? encoded : createHash('sha256').update(id).digest('hex');
}
