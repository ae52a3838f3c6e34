/** Reads a multipart upload: one file, which is written to disk as it arrives, and a few text fields. */

import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { AppError } from '../../src-shared/wire/errors.ts';
import { ownedName } from '../lib/ownedName.ts';
import { InvalidRequest } from './errorAnswer.ts';
import { readRest } from './pipeline/readRest.ts';

/** The file of a form, on disk until the request is answered. */
interface UploadedFile {
  readonly path: string;
  /** The client's name for it, without folders. */
  readonly fileName: string;
  readonly bytes: number;
}

/** An uploaded file on disk, and the text fields of its form. */
export interface Upload {
  readonly file: UploadedFile;
  /** Parsed by the contract's `fields`. */
  readonly fields: {
    readonly name?: string | undefined;
    readonly parent_path?: string | undefined;
    readonly folder?: string | undefined;
  };
}

interface RawUpload {
  readonly file: UploadedFile;
  readonly fields: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/** Prefix of an unfinished upload; files that a killed process left are removed at the next start. */
export const UPLOAD_PREFIX = '.svc-upload-';
const MAX_FIELD_BYTES = 16 * 1024;

/**
 * Reads a form with one file and a few texts; the file is written to disk as it arrives, up to `maxBytes`.
 * @throws AppError payload_too_large, bad_request (no form, cut off); InvalidRequest without a file
 */
export async function readUpload(
  request: IncomingMessage,
  { dir, maxBytes }: { readonly dir: string; readonly maxBytes: number },
): Promise<RawUpload> {
  const place = join(dir, await ownedName(UPLOAD_PREFIX));
  const dispose = () => rm(place, { force: true });
  try {
    const { file, fields } = await parse(request, { dir, place, maxBytes });
    if (file === null) {
      throw new InvalidRequest([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }]);
    }
    return { file, fields, dispose };
  } catch (error) {
    readRest(request);
    await dispose();
    throw error;
  }
}

async function parse(
  request: IncomingMessage,
  { dir, place, maxBytes }: { readonly dir: string; readonly place: string; readonly maxBytes: number },
): Promise<{ readonly file: UploadedFile | null; readonly fields: Record<string, string> }> {
  const form = formOf(request, maxBytes);
  const fields: Record<string, string> = Object.create(null);
  let saving: Promise<UploadedFile> | null = null;
  form.on('field', (name, value) => {
    fields[name] = value;
  });
  const failed = new Promise<never>((_resolve, reject) => {
    form.on('file', (name, stream, { filename }) => {
      // When a form is cut off, its open part fails too, with or without a reader; the form itself reports it.
      stream.on('error', () => undefined);
      if (name !== 'file' || saving !== null) {
        stream.resume();
        return;
      }
      saving = save(stream, { dir, place, fileName: filename ?? '', maxBytes });
      saving.catch(reject);
    });
    form.on('error', (error: Error) =>
      reject(new AppError('bad_request', `The form cannot be read: ${error.message}.`)),
    );
    request.once('aborted', () => reject(new AppError('bad_request', 'The upload was interrupted.')));
  });
  const closed = new Promise<void>((resolve) => form.once('close', resolve));
  request.pipe(form);
  try {
    await Promise.race([closed, failed]);
    return { file: await (saving as Promise<UploadedFile> | null), fields };
  } finally {
    request.unpipe(form);
    failed.catch(() => undefined);
  }
}

function formOf(request: IncomingMessage, maxBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      // One byte more than allowed, to detect files that are too large.
      limits: { fileSize: maxBytes + 1, fields: 20, fieldSize: MAX_FIELD_BYTES, parts: 40 },
      defParamCharset: 'utf8',
    });
  } catch {
    const msg = 'Input should be a form; send it with Content-Type multipart/form-data';
    throw new InvalidRequest([{ loc: ['body'], msg, type: 'dict_type' }]);
  }
}

async function save(
  stream: Readable,
  {
    dir,
    place,
    fileName,
    maxBytes,
  }: {
    readonly dir: string;
    readonly place: string;
    readonly fileName: string;
    readonly maxBytes: number;
  },
): Promise<UploadedFile> {
  await mkdir(dir, { recursive: true });
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > maxBytes) {
      const most = `${Math.floor(maxBytes / 1024 / 1024).toLocaleString('en-US')} MB`;
      stream.destroy(new AppError('payload_too_large', `The file is larger than ${most}.`));
    }
  });
  await pipeline(stream, createWriteStream(place, { flags: 'wx' }));
  return { path: place, fileName: fileName.split(/[/\\]/).at(-1) ?? '', bytes };
}
