/** Reads and writes zip files in memory, for tests of exports and imports. */

import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** The members of a zip by name. For tests. */
export async function unzipped(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const members = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    members.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return members;
}

/** A zip of these members. For tests. */
export async function zipped(members: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of members) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

/** All bytes of a stream. For tests. */
export async function allOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
