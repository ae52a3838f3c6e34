/** Converts errors of AI providers' client libraries to messages that tell a user what to do. */

import { ChatError } from './chat.ts';

/** The common part of both clients' errors; neither is imported before the first prompt. */
interface ApiFailure {
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly error?: unknown;
  readonly message: string;
}

const MAX_MESSAGE = 600;

/** Converts an error of a provider's client to a ChatError. Internal errors are not converted. */
export function chatFailure(
  error: unknown,
  at: { readonly baseUrl: string; readonly model: string },
): unknown {
  const own = chatErrorIn(error);
  if (own !== null) return own;
  if (!(error instanceof Error) || error instanceof RangeError || error instanceof ReferenceError)
    return error;
  const { status, headers, error: body, message } = error as Error & ApiFailure;
  if (typeof status !== 'number') return withoutStatus(error, at, body);
  const detail = serverMessageIn(body) ?? message;
  const facts = { status, serverMessage: detail, retryAfterMs: retryAfterOf(headers) };
  const suffix = detail === '' ? '' : `: ${cut(detail)}`;
  if (status === 400 || status === 422) {
    return new ChatError(`The provider refused the request (${status})${suffix}`, {
      ...facts,
      kind: 'refused',
    });
  }
  if (status === 401 || status === 403) {
    const words = `The provider rejected the API key (${status})${suffix}. Check the variable with the key in the Environment panel.`;
    return new ChatError(words, { ...facts, kind: 'final' });
  }
  if (status === 404) {
    const words = `The provider at ${at.baseUrl} does not have this address or the model ${at.model} (404)${suffix}. Check both under AI in the Environment panel, and @model.`;
    return new ChatError(words, { ...facts, kind: 'final' });
  }
  if (status === 429) {
    return new ChatError(`The provider’s rate limit is reached (429)${suffix}`, {
      ...facts,
      kind: 'transient',
    });
  }
  const kind = status >= 500 || status === 408 || status === 409 ? 'transient' : 'final';
  return new ChatError(`The provider returned an error (${status})${suffix}`, { ...facts, kind });
}

/** An error of the network, or one within a stream that had started normally. */
function withoutStatus(error: Error, at: { readonly baseUrl: string }, body: unknown): ChatError {
  const detail = serverMessageIn(body);
  if (detail !== null) {
    return new ChatError(`The provider interrupted the response: ${cut(detail)}`, {
      kind: 'transient',
      serverMessage: detail,
    });
  }
  if (error instanceof SyntaxError) {
    return wrongProtocolError(at.baseUrl);
  }
  return new ChatError(
    `${at.baseUrl} could not be reached, or the connection was lost: ${cut(reasonOf(error))}`,
    {
      kind: 'transient',
    },
  );
}

/** The innermost message: clients wrap the network's error. */
function reasonOf(error: Error): string {
  let last = error;
  for (let depth = 0; depth < 5 && last.cause instanceof Error; depth += 1) last = last.cause;
  return last.message === '' ? error.message : last.message;
}

function chatErrorIn(error: unknown): ChatError | null {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1) {
    if (at instanceof ChatError) return at;
    at = at.cause;
  }
  return null;
}

function serverMessageIn(body: unknown): string | null {
  if (typeof body === 'string') return body.trim() === '' ? null : body;
  if (typeof body !== 'object' || body === null) return null;
  const inner = 'error' in body ? body.error : body;
  if (typeof inner === 'string') return inner;
  if (typeof inner !== 'object' || inner === null) return null;
  const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : null;
  const param = 'param' in inner && typeof inner.param === 'string' ? ` (${inner.param})` : '';
  return message === null ? JSON.stringify(inner) : `${message}${param}`;
}

/** Seconds, or a date (RFC 9110). */
function retryAfterOf(headers: Headers | undefined): number | null {
  const text = headers?.get('retry-after') ?? null;
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

function cut(text: string): string {
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`;
}

/** The error for a base URL whose server speaks another protocol. */
export function wrongProtocolError(baseUrl: string): ChatError {
  return new ChatError(
    `The response of ${baseUrl} is not valid for this API. Check the address under AI in the Environment panel.`,
    { kind: 'final' },
  );
}
