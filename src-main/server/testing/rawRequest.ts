/** For tests: sends a request with headers that `fetch` does not allow. */

import { request } from 'node:http';
import type { TestServer } from './testServer.ts';

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export function rawRequest(
  server: TestServer,
  {
    path = '/health',
    method = 'GET',
    headers = {},
  }: { path?: string; method?: string; headers?: Record<string, string> },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port: server.port, host: '127.0.0.1', path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
