import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { newFile } from '../lib/newFile.ts';
import { WorkerRefusal } from './refusal.ts';

/** A part of the form, on disk. */
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

/** Source and environment of one cell; values travel in parts of their own. */
const MAX_METADATA_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 10_000;

/**
 * Reads a multipart form, every part but `metadata` to a file of its own in `dir` as it comes.
 * @throws WorkerRefusal 400 for what is no form, or one that ends early; the disk's errors
 */
export async function readForm(request: IncomingMessage, dir: string): Promise<Form> {
  let form: ReturnType<typeof busboy>;
  try {
    form = busboy({
      headers: request.headers,
      // Only the last component would be kept of a name otherwise; names are checked where they are used.
      preservePath: true,
      limits: { fieldSize: MAX_METADATA_BYTES, fieldNameSize: 1024, parts: MAX_PARTS },
    });
  } catch (error) {
    throw new WorkerRefusal(400, `The body is no multipart form: ${wordsOf(error)}`);
  }
  const parts: FormPart[] = [];
  const writing: Promise<void>[] = [];
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
    const path = join(dir, `part-${writing.length}`);
    const index = writing.length;
    const file = newFile(path);
    const written = pipeline(stream, file).then(() => {
      parts[index] = { field, fileName: filename ?? null, path, bytes: file.bytesWritten };
    });
    written.catch(() => {}); // Awaited below, when the form has ended.
    writing.push(written);
  });
  form.on('partsLimit', () => {
    problem ??= new WorkerRefusal(400, `The form has more than ${MAX_PARTS} parts`);
  });
  try {
    await pipeline(request, form);
    await Promise.all(writing);
  } catch (error) {
    await Promise.allSettled(writing);
    if (isDisk(error)) throw error;
    throw new WorkerRefusal(400, `The form could not be read to its end: ${wordsOf(error)}`);
  }
  if (problem !== null) throw problem;
  return { metadata, parts };
}

function isDisk(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EMFILE', 'EIO'].includes(code);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
