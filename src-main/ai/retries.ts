/** Repeats failed requests to AI providers, and ends requests that take too long. */

import { setTimeout as delay } from 'node:timers/promises';
import { ChatError, type ChatOptions } from './chat.ts';

/** One attempt at a reply. */
type Attempt<T> = (options: ChatOptions) => Promise<T>;

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** The longest time without data. A reply in one piece needs more: the caller adds it. */
  readonly idleSeconds: number;
  /** Whether data arrives while the reply is written; it only changes the message. */
  readonly streams: boolean;
  /** If the server requests a longer pause, the request fails instead. */
  readonly longestPauseSeconds: number;
  /** What the user can do after such a pause, as the end of a sentence: "run the cell again". */
  readonly again: string;
  readonly onText: (text: string) => void;
  readonly onNotice: (text: string) => void;
  /** The reply so far is discarded; null: a reply that has begun is not repeated. */
  readonly onRestart: ((why: string) => void) | null;
  /** Called for any data from the provider. */
  readonly onData?: () => void;
}

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 500;

/**
 * One reply. If the server is busy or disconnects, the request is repeated, with delays and a limit.
 * @throws ChatError; rejects with the signal's reason if it was cancelled
 */
export async function askWithRetries<T>(attempt: Attempt<T>, patience: RetryOptions): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let began = false;
    const onText = (text: string): void => {
      began = true;
      patience.onText(text);
    };
    try {
      return await askOnce(attempt, { ...patience, onText });
    } catch (error) {
      patience.signal.throwIfAborted();
      if (!(error instanceof ChatError) || error.kind !== 'transient') throw error;
      if (began && patience.onRestart === null) throw error;
      const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
      const seconds = Math.ceil(pauseMs / 1000);
      if (pauseMs > patience.longestPauseSeconds * 1000) {
        throw new ChatError(`${error.message} Wait ${seconds} s, then ${patience.again}.`, {
          ...error,
          kind: 'final',
        });
      }
      if (tries >= MAX_TRIES) {
        throw new ChatError(`${error.message} (tried ${tries} times)`, { ...error, kind: 'final' });
      }
      if (began) patience.onRestart?.(error.message);
      else patience.onNotice(`${error.message} Retrying${seconds > 1 ? ` in ${seconds} s` : ''}.`);
      await delay(pauseMs, undefined, { signal: patience.signal });
    }
  }
}

/** One request; it ends when no data has arrived for the idle timeout. @throws ChatError */
export async function askOnce<T>(
  attempt: Attempt<T>,
  {
    signal,
    idleSeconds: seconds,
    streams,
    onText,
    onData,
  }: Pick<RetryOptions, 'signal' | 'idleSeconds' | 'streams' | 'onText' | 'onData'>,
): Promise<T> {
  const silence = new AbortController();
  const arm = (): NodeJS.Timeout => setTimeout(() => silence.abort(), Math.min(seconds * 1000, LONGEST_MS));
  let timer = arm();
  try {
    return await attempt({
      signal: AbortSignal.any([signal, silence.signal]),
      onText,
      onData: () => {
        clearTimeout(timer);
        timer = arm();
        onData?.();
      },
    });
  } catch (error) {
    if (signal.aborted || !silence.signal.aborted) throw error;
    const failure = streams ? 'sent nothing for' : 'did not respond within';
    const words = `The model ${failure} ${seconds} s, so the request was cancelled. To wait longer, set the idle timeout under AI in the Environment panel, or SVC_AI_TIMEOUT_SECONDS on the server.`;
    throw new ChatError(words, { kind: 'silent' });
  } finally {
    clearTimeout(timer);
  }
}

/** The longest delay of Node's timers. */
const LONGEST_MS = 2 ** 31 - 1;
