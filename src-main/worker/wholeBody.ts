import type { Readable } from 'node:stream';
import { WorkerRefusal } from './refusal.ts';

/** Source, environment and specifications of one cell; its values come by URL. */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** The body of a request that is a manifest. @throws WorkerRefusal 400 where it is too long */
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
