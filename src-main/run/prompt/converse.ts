/** Sends a prompt to the model, and sends wrong replies back to it with their faults, until a reply is valid. */

import type { AskOptions, Model, Question } from '../../ai/askModel.ts';
import { ChatError, type ChatReply, type ChatTurn } from '../../ai/chat.ts';
import type { AnswerReader } from './readAnswer.ts';

/** A valid reply, with its usage. */
export interface Answer {
  /** The stored form: the text as JSON, or the JSON itself. */
  readonly json: string;
  readonly text: string;
  readonly usage: Usage;
  readonly isCut: boolean;
}

/** Tokens of all requests together; null if the provider reports none. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** How often a reply did not match its schema and was requested again. */
  readonly validationRetries: number;
}

type Conversation =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly message: string; readonly usage: Usage };

/** The maximum number of faults of the last reply in the error message. */
const SHOWN_FAULTS = 3;

/**
 * Sends requests until a reply is valid: a wrong reply goes back to the model as its own turn, followed by
 * its faults (docs/spec/prompts-and-ai.md, 3). `read` null: any text is valid. @throws ChatError
 */
export async function converse(
  model: Model,
  question: Question,
  options: AskOptions & { readonly read: AnswerReader | null; readonly attempts: number },
): Promise<Conversation> {
  const { read, attempts } = options;
  let turns: readonly ChatTurn[] = question.turns;
  let usage: Usage = { inputTokens: null, outputTokens: null, validationRetries: 0 };
  for (let attempt = 1; ; attempt += 1) {
    const reply = await model.ask({ ...question, turns }, options);
    usage = added(usage, reply);
    const { text, isCut } = reply;
    if (read === null) {
      if (text.trim() === '') throw emptyAnswer(reply);
      return { kind: 'answer', answer: { json: JSON.stringify(text), text, usage, isCut } };
    }
    const result = await read(text, options.signal);
    if (result.kind === 'unchecked') return { kind: 'failed', message: result.message, usage };
    if (result.kind === 'value') {
      return { kind: 'answer', answer: { json: result.json, text: result.json, usage, isCut } };
    }
    const { faults } = result;
    if (attempt >= attempts) return { kind: 'failed', message: failure(faults, { attempts, isCut }), usage };
    usage = { ...usage, validationRetries: usage.validationRetries + 1 };
    options.onRestart(faults[0] ?? '');
    turns = [...turns, { role: 'assistant', text }, { role: 'user', text: faults.join('\n') }];
  }
}

function emptyAnswer({ isCut }: ChatReply): ChatError {
  const why = isCut ? ' It used all its tokens before the response started. Raise @max_tokens.' : '';
  return new ChatError(`The model returned an empty response.${why}`, { kind: 'final' });
}

function failure(
  faults: readonly string[],
  { attempts, isCut }: { readonly attempts: number; readonly isCut: boolean },
): string {
  const lines = faults.slice(0, SHOWN_FAULTS).map((fault) => `\n- ${fault}`);
  const more = faults.length > SHOWN_FAULTS ? `\n- and ${faults.length - SHOWN_FAULTS} more` : '';
  const times = attempts === 1 ? 'once' : `${attempts} times`;
  const cut = isCut ? '\nThe last response was cut off at the token limit. Raise @max_tokens.' : '';
  return `The model was asked ${times}, but its response is still not valid:${lines.join('')}${more}${cut}`;
}

function added(usage: Usage, { inputTokens, outputTokens }: ChatReply): Usage {
  return {
    ...usage,
    inputTokens: sum(usage.inputTokens, inputTokens),
    outputTokens: sum(usage.outputTokens, outputTokens),
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
