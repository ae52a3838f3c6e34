/** Sends REST requests to a server under test, and opens and closes notebooks with it. */

import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';

/** A REST answer; an error status does not throw. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly body: T;
}

export async function rest<T = unknown>(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined || body instanceof FormData
      ? { body: body ?? null }
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T };
}

/** Opens a notebook and waits until its environment can run cells. */
export async function openReady(url: string, path: string, timeoutMs = 120_000): Promise<SessionStateBody> {
  const opened = await rest<SessionStateBody>(url, 'POST', '/v1/notebooks/open', { path });
  if (opened.status !== 200)
    throw new Error(`open answered ${opened.status}: ${JSON.stringify(opened.body)}`);
  const deadline = Date.now() + timeoutMs;
  let state = opened.body;
  while (state.environment.sync_state === 'pending') {
    if (Date.now() > deadline) throw new Error('the environment did not get ready');
    await new Promise((resolve) => setTimeout(resolve, 20));
    state = (await rest<SessionStateBody>(url, 'GET', `/v1/notebooks/sessions/${state.session_id}`)).body;
  }
  return state;
}

/** Closes a session; if its environment is being created, waits for that first. */
export async function closeWhenSettled(url: string, sid: string): Promise<Answer> {
  for (;;) {
    const closed = await rest(url, 'POST', `/v1/notebooks/${sid}/close`);
    if (closed.status !== 409) return closed;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
