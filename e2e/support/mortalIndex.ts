/** A package index for tests of failing downloads: it disconnects in the middle of one response. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeWheel } from '../../src-main/environment/testing/testIndex.ts';

/** What an index sends, in order: the page that lists the files, the metadata of a file, the file. */
export const SENDINGS = ['page', 'metadata', 'wheel'] as const;
type Sending = (typeof SENDINGS)[number];

/** An index over HTTP with one package, kiwi, that disconnects in the middle of one response. */
export async function createMortalIndex(folder: string) {
  await writeWheel(folder, { name: 'kiwi', version: '1.0', padding: 300_000 });
  const file = 'kiwi-1.0-py3-none-any.whl';
  const sent: Readonly<Record<Sending, Buffer>> = {
    page: Buffer.from(`<a href="/${file}" data-core-metadata="true">${file}</a>${' '.repeat(2_000)}`),
    metadata: Buffer.from('Metadata-Version: 2.1\nName: kiwi\nVersion: 1.0\n'),
    wheel: await readFile(join(folder, file)),
  };
  let dies: Sending | null = null;
  const http = createServer((request, response) => {
    const { url = '' } = request;
    const what: Sending = url.endsWith('.metadata') ? 'metadata' : url.endsWith('.whl') ? 'wheel' : 'page';
    if (what === 'page' && !url.includes('kiwi')) return response.writeHead(404).end();
    const bytes = sent[what];
    response.writeHead(200, {
      'content-type': what === 'page' ? 'text/html' : 'application/octet-stream',
      'content-length': bytes.length,
    });
    if (what !== dies) return response.end(bytes);
    return response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as AddressInfo; // the server listens on a port
  return {
    url: `http://127.0.0.1:${port}/simple/`,
    die: (at: Sending | null) => {
      dies = at;
    },
    close: () => http.close(),
  };
}
