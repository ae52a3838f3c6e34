/** Sends a question to the assistant in chat mode (no changes of the notebook) and streams the reply. */

import * as z from 'zod';
import { aiTokens, type ChatBody } from '../../../src-shared/wire/assistant.ts';
import type { TurnFailure } from '../../state/assistant/turns.ts';
import { ASSISTANT_WORDS } from '../../words/assistant.ts';
import { RestError, streamRoute } from '../rest.ts';
import { readEvents } from './readEvents.ts';

const delta = z.object({ text: z.string() });
const doneData = z.object({ model: z.string(), tokens: aiTokens });
const failed = z.object({ message: z.string(), code: z.string().nullish() });

type ChatEnd =
  | {
      readonly kind: 'done';
      readonly model: string;
      readonly tokens: { readonly input: number; readonly output: number };
    }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly failure: TurnFailure };

/** Sends one question; reports the text as it arrives. Never rejects because of a network or provider failure. */
export async function streamChat(
  sid: string,
  body: ChatBody,
  { signal, onText }: { readonly signal: AbortSignal; readonly onText: (text: string) => void },
): Promise<ChatEnd> {
  try {
    const stream = await streamRoute('aiStream', { params: { sid }, body }, { signal });
    for await (const { event, data } of readEvents(stream)) {
      const value: unknown = JSON.parse(data);
      if (event === 'delta') onText(delta.parse(value).text);
      else if (event === 'done') return { kind: 'done', ...doneData.parse(value) };
      else if (event === 'error') {
        const { message, code } = failed.parse(value);
        return { kind: 'failed', failure: { code: code ?? 'ai_failed', message } };
      }
    }
    return LOST;
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    if (error instanceof RestError && error.status !== 0)
      return { kind: 'failed', failure: failureOf(error) };
    // If the body breaks off, fetch throws a TypeError; half an event is not valid JSON.
    if (error instanceof RestError || error instanceof TypeError || error instanceof SyntaxError) return LOST;
    throw error;
  }
}

const LOST: ChatEnd = {
  kind: 'failed',
  failure: { code: 'lost', message: ASSISTANT_WORDS.lost },
};

/** A refusal of the server as the failure of a turn. */
export function failureOf(error: RestError): TurnFailure {
  if (error.status === 0) return { code: 'lost', message: ASSISTANT_WORDS.lost };
  return { code: error.code ?? BY_STATUS[error.status] ?? 'refused', message: error.message };
}

/** Codes by HTTP status, because most refusals of these routes are a sentence without a code. */
const BY_STATUS: Readonly<Record<number, string>> = {
  409: 'conflict',
  429: 'ai_rate_limited',
  502: 'ai_failed',
  503: 'ai_unavailable',
  504: 'ai_timeout',
};
