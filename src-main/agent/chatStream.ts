/** Sends one chat of the assistant to the browser as Server-Sent Events. Used by the chat route. */

import type { ChatBody } from '../../src-shared/wire/assistant.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { ChatError } from '../ai/chat.ts';
import type { Assistant } from './assistant.ts';
import { failureCode } from './failureCode.ts';

interface EventStream {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly contentType: 'text/event-stream';
  readonly fileName: null;
}

/**
 * A chat as Server-Sent Events: `delta` {text}, then `done` {model, tokens} or `error` {message}
 * (docs/spec/prompts-and-ai.md, 6). If the client disconnects, the request to the provider ends.
 * @throws AppError before the stream begins, if no request can be sent
 */
export function streamChat(
  assistant: Pick<Assistant, 'chat' | 'requireProvider'>,
  body: ChatBody,
  signal: AbortSignal,
): EventStream {
  assistant.requireProvider();
  return { pieces: events(assistant, body, signal), contentType: 'text/event-stream', fileName: null };
}

async function* events(
  assistant: Pick<Assistant, 'chat'>,
  body: ChatBody,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  const pushEvent = (event: string, data: unknown): void => {
    waiting.push(Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
    wake();
  };
  const chat = assistant
    .chat(body, { signal, onText: (text) => pushEvent('delta', { text }) })
    .then(
      ({ model, tokens }) => pushEvent('done', { model, tokens }),
      (error: unknown) => {
        if (signal.aborted) return;
        pushEvent('error', { message: messageOf(error), code: failureCode(error) });
        if (!(error instanceof ChatError) && !(error instanceof AppError)) throw error;
      },
    )
    .finally(() => {
      isOver = true;
      wake();
    });
  // A failure is reported after everything before it has been sent.
  const chatEnd = chat.catch((error: unknown) => ({ error }));
  while (!isOver || waiting.length > 0) {
    const piece = waiting.shift();
    if (piece !== undefined) yield piece;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  const failure = await chatEnd;
  if (failure !== undefined) throw failure.error;
}

function messageOf(error: unknown): string {
  if (error instanceof ChatError || error instanceof AppError) return error.message;
  return 'The answer failed because of an internal error. The log has the details.';
}
