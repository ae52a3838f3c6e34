/** Opens the zip of an uploaded snapshot, checks its directory and limits, and refuses an unsafe one. */

import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { streamTo } from '../../lib/guardedFolder/replace.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';

/** Limits of a snapshot (docs/spec/rest-notebooks.md, 3.1, 5, 7), checked before anything is extracted. */
const MAX_EXPANDED_BYTES = 16 * 1024 ** 3;
const MAX_WHOLE_BYTES = 16 * 1024 ** 2;
/** A loop of thousands of iterations has as many members; no real notebook has more. */
const MAX_MEMBERS = 20_000;

/** An opened zip with a validated directory. */
export interface Bundle {
  /** Sizes by name, for files only. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The complete content of a small member. @throws AppError bad_request if it cannot be read */
  read(name: string): Promise<Buffer>;
  /**
   * Writes a member to a new file and returns its SHA-256. @throws AppError bad_request if it cannot be read
   */
  extract(name: string, to: string): Promise<string>;
  close(): void;
}

/**
 * Opens a zip and validates its directory. @throws AppError bad_request for anything but a zip, for links,
 * encrypted and duplicate members, names that lead out of the folder, and members beyond the limits
 */
export async function openBundle(path: string): Promise<Bundle> {
  const zip = await refusing('This file is not a zip file, or it is damaged', () =>
    openPromise(path, { lazyEntries: true, strictFileNames: true, autoClose: false }),
  );
  try {
    const entries = await refusing('This zip is damaged', () => entriesOf(zip));
    return bundleOf(zip, entries);
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let total = 0;
  if (zip.entryCount > MAX_MEMBERS)
    throw refusal(`It has ${zip.entryCount} files, more than the limit of ${MAX_MEMBERS}.`);
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry;
    if (name.endsWith('/')) continue;
    if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000)
      throw refusal(`${shown(name)} is a link.`);
    if (entry.isEncrypted()) throw refusal(`${shown(name)} is encrypted.`);
    if (entries.has(name)) throw refusal(`${shown(name)} is in it twice.`);
    entries.set(name, entry);
    total += entry.uncompressedSize;
    if (total > MAX_EXPANDED_BYTES) throw refusal('Unpacked, it would be larger than 16 GiB.');
    if (isReadWhole(name) && entry.uncompressedSize > MAX_WHOLE_BYTES) {
      throw refusal(`${shown(name)} is longer than 16 MiB.`);
    }
  }
  return entries;
}

/** Whether a member is read as a whole: everything but results, fetched files, and displays. */
function isReadWhole(name: string): boolean {
  if (name === 'fetch/index.json' || /^outputs\/[^/]+\/console\.json$/.test(name)) return true;
  return !/^(artifacts|fetch|outputs)\//.test(name);
}

function bundleOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Bundle {
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry === undefined) throw refusal(`${shown(name)} is missing.`);
    return entry;
  };
  return {
    sizes: new Map(Array.from(entries, ([name, { uncompressedSize }]) => [name, uncompressedSize])),
    read: (name) =>
      refusing(`${shown(name)} cannot be read`, async () =>
        buffer(await zip.openReadStreamPromise(entryOf(name))),
      ),
    extract: (name, to) =>
      refusing(`${shown(name)} cannot be read`, async () => {
        makePrivateFolder(dirname(to));
        const hash = createHash('sha256');
        const hashing = new Transform({
          transform(piece: Buffer, _encoding, done) {
            hash.update(piece);
            done(null, piece);
          },
        });
        await pipeline(
          await zip.openReadStreamPromise(entryOf(name)),
          hashing,
          streamTo(to, { mode: 0o644, flush: true }),
        );
        return hash.digest('hex');
      }),
    close: () => zip.close(),
  };
}

export function refusal(why: string): AppError {
  return new AppError('bad_request', `This snapshot cannot be imported. ${why}`);
}

function shown(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}

/**
 * Converts the errors of the zip library and zlib for damaged bytes to one sentence; errors of the disk stay.
 */
async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || (error instanceof Error && 'syscall' in error)) throw error;
    throw refusal(`${what}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
