import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FilePart } from './inputParts.ts';

/**
 * A form of one JSON part and files, read from disk as it is sent: nothing is held in memory whole. Its length is
 * said before, so that a worker can refuse it at once.
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
  const json = Buffer.from(JSON.stringify(metadata));
  const first = Buffer.concat([head('metadata', 'metadata.json', 'application/json'), json, END]);
  const heads = files.map(({ field, name }) => head(field, name, 'application/octet-stream'));
  const last = Buffer.from(`--${boundary}--\r\n`);
  const bytes =
    first.length +
    files.reduce((sum, file, i) => sum + (heads[i]?.length ?? 0) + file.bytes + END.length, 0) +
    last.length;
  async function* pieces(): AsyncGenerator<Buffer> {
    yield first;
    for (const [i, file] of files.entries()) {
      yield heads[i] ?? END;
      let left = file.bytes;
      for await (const piece of createReadStream(file.path) as AsyncIterable<Buffer>) {
        left -= piece.length;
        if (left < 0) break;
        yield piece;
      }
      // Its length was said already: a file that changed meanwhile must not be taken for another.
      if (left !== 0) throw new Error(`${file.name} changed while it was sent`);
      yield END;
    }
    yield last;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes,
    stream: Readable.from(pieces(), { objectMode: false }),
  };
}

const END = Buffer.from('\r\n');

/** As browsers write names in forms. */
function quoted(text: string): string {
  return text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}
