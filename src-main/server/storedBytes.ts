/** Sends stored files, such as artifacts, with their content type, ETag and file name. */

import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../src-shared/wire/errors.ts';
import { openHandle } from '../lib/guardedFolder/read.ts';

/** A stored file to send as it is. */
export interface StoredBytes {
  readonly path: string;
  /** The artifact's content type; it determines the served type. */
  readonly contentType: string;
  readonly sha256: string;
  /** File name of the download, if it is one. */
  readonly fileName: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * What is sent instead of the stored bytes, computed from them; `id` distinguishes it from other versions for caches.
   */
  readonly shown?: {
    readonly id: string;
    readonly of: (file: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  };
}

/**
 * Stored bytes may come from untrusted code, so only types that are inert in a page are served as themselves; all
 * others are downloads (docs/spec/rest-core.md, 2, Stored bytes).
 */
const INLINE: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'arrow/ipc': 'application/vnd.apache.arrow.stream',
  'json/object': 'application/json',
  'application/json': 'application/json',
  'text/markdown': 'text/markdown; charset=utf-8',
};

/** @throws AppError not_found if the file was removed */
export async function sendStoredBytes(
  bytes: StoredBytes,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<FastifyReply> {
  const { shown: hiddenBytes } = bytes;
  const etag = hiddenBytes === undefined ? `"${bytes.sha256}"` : `"${bytes.sha256}-${hiddenBytes.id}"`;
  const inline = INLINE[bytes.contentType];
  reply.headers({
    ...bytes.headers,
    ETag: etag,
    // The bytes behind a URL can change: revalidate each time, and answer 304.
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': 'sandbox',
    'Content-Type': inline ?? 'application/octet-stream',
    'Content-Disposition':
      inline === undefined ? `attachment; filename="${safeName(bytes.fileName)}"` : 'inline',
  });
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const file = await openStored(bytes.path);
  if (hiddenBytes !== undefined) {
    return reply.send(Readable.from(hiddenBytes.of(file.createReadStream()), { objectMode: false }));
  }
  const { size } = await file.stat();
  return reply.header('Content-Length', size).send(file.createReadStream());
}

async function openStored(path: string): Promise<FileHandle> {
  try {
    return await openHandle(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new AppError('not_found', 'The stored result no longer exists. Run the cell again.');
    }
    throw error;
  }
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}

function safeName(name: string): string {
  return name.replace(/[^\w.-]/g, '_');
}
