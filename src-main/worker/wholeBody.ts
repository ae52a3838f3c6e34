/** Reads the body of a request that sends a worker the manifest of a pull run. */

import type { Readable } from 'node:stream';
import { WorkerRefusal } from './refusal.ts';

/**
 * The maximum size of a manifest, which has the source, environment and specifications of one cell; its values are
 * fetched by URL.
 */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** Reads the body of a manifest request. @throws WorkerRefusal 400 if it is too long */
export async function wholeBody(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += (piece as Buffer).length;
    if (length > MAX_MANIFEST_BYTES) throw new WorkerRefusal(400, 'The manifest is too long');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
}
