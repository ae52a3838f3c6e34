/** Writes multipart forms with files, for requests to workers and to servers that run transforms. */

import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { bytesOf, streamOf } from '../pieces.ts';

/** One file of a form. */
export interface FilePart {
  /** The name of the form field. */
  readonly field: string;
  /** The file name that the form states. */
  readonly name: string;
  /** The file on this machine. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * A form of one JSON part and files, which are read from disk while it is sent, not held in memory. Its length is
 * known in advance, so that the server can refuse it at once.
 * @param metadata the value of the JSON part, or its JSON text
 */
export function multipart(
  metadata: unknown,
  files: readonly FilePart[],
): { readonly contentType: string; readonly bytes: number; readonly stream: Readable } {
  const boundary = `svc-${randomBytes(16).toString('hex')}`;
  const head = (field: string, name: string, type: string): Buffer =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(name)}"\r\nContent-Type: ${type}\r\n\r\n`,
    );
  const json = Buffer.from(typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  const first = Buffer.concat([head('metadata', 'metadata.json', 'application/json'), json, END]);
  const pieces = [
    first,
    ...files.flatMap(({ field, name, path, bytes }) => [
      head(field, name, 'application/octet-stream'),
      { path, bytes },
      END,
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: bytesOf(pieces),
    stream: streamOf(pieces),
  };
}

const END = Buffer.from('\r\n');

/** Escapes names as browsers do in forms. */
function quoted(text: string): string {
  return text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}
