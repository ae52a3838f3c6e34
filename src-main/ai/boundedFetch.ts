/**
 * `fetch` for the client libraries of AI providers: it follows no redirects, sends only safe headers and limits the
 * size of a reply.
 */

import { ChatError } from './chat.ts';

/** The maximum size of a reply: a faulty server must not fill the memory. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` for the providers' clients: without redirects, which could send a key elsewhere, with limited bodies, and
 * with no headers but the clients' own and `credential`.
 * @param maxBytes maximum size of one reply
 */
export function boundedFetch(
  credential: Readonly<Record<string, string>>,
  maxBytes: number = MAX_BYTES,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, {
      ...init,
      headers: ownHeaders(init?.headers, credential),
      redirect: 'manual',
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ChatError(
        'The provider’s address redirects to another address, and keys are not sent there. Enter the final address under AI in the Environment panel.',
        { kind: 'final', status: response.status },
      );
    }
    if (response.body === null) return response;
    let remaining = maxBytes;
    const limitedBody = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          remaining -= chunk.byteLength;
          if (remaining >= 0) controller.enqueue(chunk);
          else controller.error(tooLong(maxBytes));
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(limitedBody, { status, statusText, headers });
  };
}

/**
 * The clients also send the headers in *_CUSTOM_HEADERS of the server's environment, which a notebook's provider must
 * not get.
 */
const CLIENT_HEADERS = /^(accept|content-type|user-agent|anthropic-(version|beta)|x-stainless-.*)$/;

function ownHeaders(
  givenHeaders: RequestInit['headers'],
  credential: Readonly<Record<string, string>>,
): Headers {
  const headers = new Headers();
  for (const [name, value] of new Headers(givenHeaders))
    if (CLIENT_HEADERS.test(name)) headers.set(name, value);
  for (const [name, value] of Object.entries(credential)) headers.set(name, value);
  return headers;
}

function tooLong(maxBytes: number): ChatError {
  const mebibytes = Math.round(maxBytes / (1024 * 1024));
  return new ChatError(
    `The response is larger than ${mebibytes} MiB and was cancelled. Lower @max_tokens, or use another server.`,
    { kind: 'final' },
  );
}
