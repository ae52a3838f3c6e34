/** A fake worker with prepared answers, for tests of the remote executor. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { packBundle } from '../../outputBundle/packBundle.ts';

/** How the fake worker answers a request; without an entry it answers as a working worker. */
export interface StandInAnswers {
  readonly execute?: (request: IncomingMessage, response: ServerResponse, tar: Buffer) => unknown;
  readonly job?: (response: ServerResponse, tar: Buffer, requests: number) => unknown;
  readonly health?: (response: ServerResponse) => unknown;
}

export interface StandIn {
  readonly url: string;
  /** Requests as `METHOD path`, oldest first. */
  readonly requests: string[];
  /** The requests that sent a cell. */
  readonly forms: { readonly headers: IncomingMessage['headers']; readonly body: string }[];
  readonly tokens: (string | undefined)[];
  close(): Promise<void>;
}

export const PROTOCOL = {
  'content-type': 'application/x-tar',
  'x-svc-executor-protocol': 'v1',
  'x-svc-notebook-executor-protocol': 'notebook-cell-v1',
};

/** A fake worker with prepared answers, for failures that a real worker seldom has. */
export async function standInWorker(answers: StandInAnswers = {}): Promise<StandIn> {
  const tar = await sampleBundle();
  const requests: string[] = [];
  const forms: StandIn['forms'] = [];
  const tokens: (string | undefined)[] = [];
  let jobRequests = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    requests.push(`${request.method} ${path}`);
    tokens.push(request.headers.authorization);
    if (path === '/health') {
      if (answers.health !== undefined) return answers.health(response);
      return response.end('{"status":"healthy"}');
    }
    if (path.endsWith('/cancel')) return response.end('{"build_id":"b","cancelled":true}');
    if (path.startsWith('/v1/jobs/')) return answers.job?.(response, tar, ++jobRequests);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    forms.push({ headers: request.headers, body: Buffer.concat(pieces).toString('latin1') });
    if (answers.execute !== undefined) return answers.execute(request, response, tar);
    return response.writeHead(200, PROTOCOL).end(tar);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/execute`,
    requests,
    forms,
    tokens,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The bundle of a cell that stored `x` = 42, and `more` with the same bytes, and printed a line. */
export async function sampleBundle(
  more: Readonly<Record<string, { readonly content_type: string; readonly type?: string }>> = {},
): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'stand-in-'));
  try {
    await writeFile(join(dir, 'x.json'), '42');
    const x = { content_type: 'json/object', file: 'x.json', bytes: 2, preview: 42 };
    const others = Object.entries(more).map(([name, meta]) => [name, { ...x, ...meta }]);
    const result = {
      success: true,
      variables: { x, ...Object.fromEntries(others) },
      displays: [],
      mutation_warnings: [],
      build_env: 'cpython-3.13-linux-x86_64',
    } as const;
    const source = {
      result,
      outputDir: dir,
      durationMs: 1,
      stdout: 'hello\n',
      stderr: '',
      maxMemberBytes: 1e9,
    };
    const packed = await packBundle({
      ...source,
      result: { ...result, displays: [], mutation_warnings: [] },
    });
    return await buffer(packed.stream());
  } finally {
    await rm(dir, { recursive: true });
  }
}
