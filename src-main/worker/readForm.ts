/** Reads the multipart form with which a cell is pushed to a worker, and stores its parts on disk. */

import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { newFile } from '../lib/newFile.ts';
import { WorkerRefusal } from './refusal.ts';

/** A part of a form, stored on disk. */
export interface FormPart {
  readonly field: string;
  readonly fileName: string | null;
  readonly path: string;
  readonly bytes: number;
}

export interface Form {
  readonly metadata: string | null;
  readonly parts: readonly FormPart[];
}

/** The maximum size of the metadata, which has the source and environment of one cell; values are in other parts. */
const MAX_METADATA_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 10_000;

/**
 * Reads a multipart form and streams every part except `metadata` to its own file in `dir`.
 * @throws WorkerRefusal 400 if the body is not a form or ends early; errors of the disk
 */
export async function readForm(request: IncomingMessage, dir: string): Promise<Form> {
  let form: ReturnType<typeof busboy>;
  try {
    form = busboy({
      headers: request.headers,
      // Otherwise busboy keeps only the last component of a name; names are checked where they are used.
      preservePath: true,
      limits: { fieldSize: MAX_METADATA_BYTES, fieldNameSize: 1024, parts: MAX_PARTS },
    });
  } catch (error) {
    throw new WorkerRefusal(400, `The body is not a multipart form: ${messageOf(error)}`);
  }
  const parts: FormPart[] = [];
  const writes: Promise<void>[] = [];
  let metadata: string | null = null;
  let problem: WorkerRefusal | null = null;
  form.on('field', (field, value, { valueTruncated }) => {
    if (valueTruncated) problem ??= new WorkerRefusal(400, `The part ${field} is too long`);
    else if (field === 'metadata') metadata = value;
  });
  form.on('file', (field, stream, { filename }) => {
    if (field === 'metadata') {
      const pieces: Buffer[] = [];
      let length = 0;
      stream.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length <= MAX_METADATA_BYTES) pieces.push(piece);
      });
      stream.on('close', () => {
        if (length > MAX_METADATA_BYTES) problem ??= new WorkerRefusal(400, 'metadata is too long');
        metadata = Buffer.concat(pieces).toString('utf8');
      });
      return;
    }
    const path = join(dir, `part-${writes.length}`);
    const index = writes.length;
    const file = newFile(path);
    const write = pipeline(stream, file).then(() => {
      parts[index] = { field, fileName: filename ?? null, path, bytes: file.bytesWritten };
    });
    write.catch(() => {}); // Awaited below, when the form has ended.
    writes.push(write);
  });
  form.on('partsLimit', () => {
    problem ??= new WorkerRefusal(400, `The form has more than ${MAX_PARTS} parts`);
  });
  try {
    await pipeline(request, form);
    await Promise.all(writes);
  } catch (error) {
    await Promise.allSettled(writes);
    if (isDiskError(error)) throw error;
    throw new WorkerRefusal(400, `The form could not be read to its end: ${messageOf(error)}`);
  }
  if (problem !== null) throw problem;
  return { metadata, parts };
}

function isDiskError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EMFILE', 'EIO'].includes(code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
