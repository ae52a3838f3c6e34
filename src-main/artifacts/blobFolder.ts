/**
 * The folder with the bytes of a notebook's results: stages, places, reads and removes files that are named by their
 * digest.
 */

import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, type Stats } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { moveTo, removeFile } from '../lib/guardedFolder/names.ts';
import { openToRead } from '../lib/guardedFolder/read.ts';
import { copyTo, createFile, openInPlace, setMode } from '../lib/guardedFolder/replace.ts';
import { hashBytes, hashFile } from '../lib/hashFile.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import { flushFile, writeAll } from '../lib/openFile.ts';
import { PRIVATE_FILE } from '../lib/privateFiles.ts';
import { isDigest, type NewBlob, StoreError } from './artifact.ts';
import { beginDigest, type EarlyDigest } from './digest.ts';
import { errorCode } from './errorCode.ts';
import type { StepHook } from './publishSteps.ts';

/**
 * The files of a store:
 *   blobs/<sha256>              content addressed, flat, so one folder sync covers a whole publish
 *   tmp/<host>-<pid>-<random>/  what one open store is writing; the name tells others whether its owner is alive
 *   quarantine/                 blobs whose bytes were wrong, for inspection
 */
export interface BlobFolder {
  readonly blobsDir: string;
  readonly tmpDir: string;
  readonly quarantineDir: string;
  /** This open store's own folder in tmp. */
  readonly ownTmp: string;
  /** Whether the blobs belong to another folder: then damaged ones are not changed on disk. */
  readonly borrows: boolean;
}

/**
 * A blob being stored: `source` keeps the bytes until the rows are committed, unless it was renamed. Null for
 * bytes that were in place already and were not written again.
 */
export interface StagedBlob {
  readonly sha256: string;
  readonly byteSize: number;
  readonly source: string | null;
  /** True when this program computed the digest itself. */
  readonly hashed: boolean;
  /** The verification of a digest given by the caller, which has already started. */
  readonly check: EarlyDigest | null;
}

export async function openBlobFolder(dir: string): Promise<BlobFolder> {
  const tmpDir = join(dir, 'tmp');
  const folder: BlobFolder = {
    blobsDir: join(dir, 'blobs'),
    tmpDir,
    quarantineDir: join(dir, 'quarantine'),
    ownTmp: join(tmpDir, ownerName(process.pid)),
    borrows: false,
  };
  for (const own of [dir, folder.blobsDir, tmpDir, folder.quarantineDir]) refuseLink(own);
  makePrivateFolder(folder.blobsDir);
  makePrivateFolder(folder.ownTmp);
  return folder;
}

/**
 * Files in these folders are moved and deleted without asking. An untrusted folder may contain a link in
 * their place, which would redirect that to the user's own files. @throws StoreError unreadable
 */
function refuseLink(path: string): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info?.isSymbolicLink()) {
    throw new StoreError(
      'unreadable',
      `${path} is a link, but results must be stored in a real folder. Remove the link.`,
    );
  }
}

const HOST = hostname().replace(/[^A-Za-z0-9.]/g, '_');

/** The mark of a process in folders and rows; {@link ownerMayLive} reads it. */
export function ownerName(pid: number): string {
  return `${HOST}-${pid}-${randomBytes(6).toString('hex')}`;
}

/** Whether the process that made a folder in tmp may still be using it; unknown hosts may. */
export function ownerMayLive(name: string): boolean {
  const match = /^(.*)-(\d+)-[0-9a-f]{12}$/.exec(name);
  if (match === null) return false;
  if (match[1] !== HOST) return true;
  try {
    process.kill(Number(match[2]), 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signalled, but it exists.
    return errorCode(error) === 'EPERM';
  }
}

/** @throws StoreError invalid for text that is not a digest: it could name any file */
export function blobPath(folder: BlobFolder, sha256: string): string {
  if (!isDigest(sha256)) throw new StoreError('invalid', `not a SHA-256 digest: ${JSON.stringify(sha256)}`);
  return join(folder.blobsDir, sha256);
}

/** Whether the store already has the verified bytes of that digest and size, durably. */
export type IsStored = (sha256: string, byteSize: number) => boolean;

/**
 * Moves or copies the bytes to the store's file system and digests them, synced unless they may be lost;
 * bytes that are stored already (a cell that always prints the same) are not moved. @throws StoreError
 * blob_missing
 */
export async function stageBlob(
  folder: BlobFolder,
  blob: NewBlob,
  { step, isKept }: { readonly step: StepHook; readonly isKept: IsStored },
): Promise<StagedBlob> {
  if ('bytes' in blob) {
    const byteSize = blob.bytes.byteLength;
    const sha256 = await hashBytes(blob.bytes);
    if (isKept(sha256, byteSize)) {
      step('blobs_staged');
      return { sha256, byteSize, source: null, hashed: true, check: null };
    }
    const source = join(folder.ownTmp, randomBytes(9).toString('hex'));
    await writeSynced(source, blob.bytes, step);
    return { sha256, byteSize, source, hashed: true, check: null };
  }
  const info = regularFile(blob.file);
  step('blobs_staged');
  if (blob.sha256 !== undefined && isKept(blob.sha256, info.size)) {
    return { sha256: blob.sha256, byteSize: info.size, source: null, hashed: false, check: null };
  }
  const check = blob.sha256 === undefined ? null : beginDigest(blob.file, info.size);
  if (blob.mayBeLost !== true) await syncFile(blob.file);
  const sha256 = blob.sha256 ?? (await hashFile(blob.file));
  return { sha256, byteSize: info.size, source: blob.file, hashed: blob.sha256 === undefined, check };
}

function regularFile(path: string): Stats {
  try {
    const info = lstatSync(path);
    if (!info.isFile()) throw new StoreError('blob_missing', `${path} is not a plain file`);
    return info;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('blob_missing', `the result file ${path} cannot be read: ${errorCode(error)}`, {
      cause: error,
    });
  }
}

async function writeSynced(path: string, bytes: Uint8Array, step: StepHook): Promise<void> {
  const file = openOwn(path);
  try {
    await writeAll(file, bytes);
    step('blobs_staged');
    await flushFile(file);
  } finally {
    closeSync(file);
  }
}

/** The folder may have been swept while this process was suspended for days. */
function openOwn(path: string): number {
  try {
    return createFile(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    makePrivateFolder(dirname(path));
    return createFile(path);
  }
}

async function syncFile(path: string): Promise<void> {
  // Only Windows requires a writable handle to sync.
  const file =
    process.platform === 'win32'
      ? openInPlace(path)
      : openToRead(path, { maxBytes: Number.POSITIVE_INFINITY });
  await flushOpen(file);
}

async function flushOpen(file: number): Promise<void> {
  try {
    await flushFile(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Moves a staged blob to its digest's name. If there is a blob of that size and the new digest was only given
 * by the caller, the old one stays: a wrong digest must not replace correct bytes. Bytes that were hashed
 * here replace it, which also repairs a damaged one.
 */
export async function placeBlob(folder: BlobFolder, staged: StagedBlob): Promise<void> {
  const { source } = staged;
  if (source === null) return;
  const target = blobPath(folder, staged.sha256);
  const existingSize = sizeOf(target);
  if (existingSize === staged.byteSize && !staged.hashed) return;
  // The cell's process decided the mode of its files.
  setMode(source, PRIVATE_FILE);
  try {
    moveTo(source, target);
  } catch (error) {
    const code = errorCode(error);
    // Windows refuses to replace a file that is being read; its bytes are the same.
    if (existingSize === staged.byteSize && (code === 'EPERM' || code === 'EACCES' || code === 'EBUSY'))
      return;
    if (code !== 'EXDEV') throw error;
    const near = join(folder.ownTmp, randomBytes(9).toString('hex'));
    makePrivateFolder(folder.ownTmp);
    await copyTo(source, near);
    await syncFile(near);
    moveTo(near, target);
  }
}

/** Deletes the rest of the sources once the rows are committed. */
export async function dropSource(source: string): Promise<void> {
  removeFile(source);
}

/** Size in bytes, or null when there is no such file. */
export function sizeOf(path: string): number | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true ? null : (stats?.size ?? null);
}

/** Makes the names in a folder durable. Windows has no such call; NTFS journals names itself. */
export async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  await flushOpen(openSync(dir, 'r'));
}
