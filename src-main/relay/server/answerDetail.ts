import type { ServerResponse } from 'node:http';

/** Replies to a caller of the relay with the standard error body, `{detail}`. */
export function answerDetail(
  response: ServerResponse,
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify({ detail });
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  });
  response.end(body);
}
