import { setTimeout as delay } from 'node:timers/promises';
import type { AiSettings } from './aiSettings.ts';
import { createAnthropicChat } from './anthropicChat.ts';
import {
  type ChatClient,
  ChatError,
  type ChatFeatures,
  type ChatReply,
  type ChatRequest,
  type ChatTurn,
  type JsonAnswer,
} from './chat.ts';
import { createOpenAiChat } from './openaiChat.ts';

/** The part of a request that is the same throughout a conversation. */
export type Question = Omit<ChatRequest, 'features'> & {
  /** The person chose the temperature: a model without that setting refuses, instead of ignoring it. */
  readonly temperatureIsChosen: boolean;
};

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** The provider does not support something, or is busy: shown next to the reply. */
  readonly onNotice: (text: string) => void;
  /** The reply so far is discarded: it begins again. */
  readonly onRestart: (why: string) => void;
}

/** One model for a conversation; features it has refused once are not requested again. */
export interface Model {
  /** @throws ChatError; rejects with the signal's reason if it was cancelled */
  ask(question: Question, options: AskOptions): Promise<ChatReply>;
}

const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 500;

export function openModel(settings: AiSettings, answer: Question['answer']): Model {
  const native = settings.provider === 'anthropic' && answer.kind === 'json' && answer.schema !== null;
  const client = native ? createAnthropicChat(settings) : createOpenAiChat(settings);
  const features: ToldFeatures = { structured: true, streamUsage: true, temperature: true };
  return {
    ask: async (question, options) => {
      for (;;) {
        try {
          const turns = native
            ? question.turns
            : withSchemaTurn(question, features.structured, settings.baseUrl);
          const request = { ...question, turns, features: { ...features } };
          return await askPatiently(client, request, { ...options, timeoutSeconds: settings.timeoutSeconds });
        } catch (error) {
          const notice = error instanceof ChatError ? leaveOut(error, features, question) : null;
          if (notice === null) throw error;
          options.onNotice(notice);
        }
      }
    },
  };
}

type ToldFeatures = { -readonly [K in keyof ChatFeatures]: boolean };

/**
 * The feature that the server refused and that can be omitted; null if there is none. Each is omitted once.
 */
function leaveOut(error: ChatError, features: ToldFeatures, question: Question): string | null {
  if (error.kind !== 'refused') return null;
  const { said } = error;
  if (
    features.structured &&
    question.answer.kind === 'json' &&
    /response_format|json_schema|json_object/.test(said)
  ) {
    features.structured = false;
    return 'The provider does not support a response format, so the prompt describes the schema instead.';
  }
  if (features.streamUsage && said.includes('stream_options')) {
    features.streamUsage = false;
    return 'The provider does not count the tokens of streamed responses.';
  }
  if (features.temperature && !question.temperatureIsChosen && said.includes('temperature')) {
    features.temperature = false;
    return 'The model does not support a temperature setting and uses its default.';
  }
  return null;
}

/** If the API does not accept the schema, it is added to the prompt. */
function withSchemaTurn(
  { turns, answer }: Question,
  structured: boolean,
  baseUrl: string,
): readonly ChatTurn[] {
  if (answer.kind !== 'json') return turns;
  if (structured && (answer.schema === null || baseUrl.toLowerCase().includes('openai'))) return turns;
  const turn: ChatTurn = { role: 'system', text: schemaWords(answer) };
  const [first, ...rest] = turns;
  if (first?.role !== 'system') return [turn, ...turns];
  // Preferably one system turn: many chat templates of local models do not support a second one.
  return structured
    ? [{ role: 'system', text: `${first.text}\n\n${turn.text}` }, ...rest]
    : [first, turn, ...rest];
}

function schemaWords({ schema }: JsonAnswer): string {
  const alone = 'Answer with one JSON value and nothing else';
  return schema === null ? `${alone}.` : `${alone}; it must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** One reply: if the server is busy or disconnects, the request is repeated, with delays and a limit. */
async function askPatiently(
  client: ChatClient,
  request: ChatRequest,
  options: AskOptions & { readonly timeoutSeconds: number },
): Promise<ChatReply> {
  for (let attempt = 1; ; attempt += 1) {
    let began = false;
    try {
      return await askOnce(client, request, {
        ...options,
        onText: (text) => {
          began = true;
          options.onText(text);
        },
      });
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof ChatError) || error.kind !== 'transient') throw error;
      const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      const seconds = Math.ceil(pauseMs / 1000);
      if (pauseMs > options.timeoutSeconds * 1000) {
        throw new ChatError(`${error.message} Wait ${seconds} s, then run the cell again.`, {
          ...error,
          kind: 'final',
        });
      }
      if (attempt >= MOST_TRIES) {
        throw new ChatError(`${error.message} (tried ${attempt} times)`, { ...error, kind: 'final' });
      }
      if (began) options.onRestart(error.message);
      else options.onNotice(`${error.message} Retrying${seconds > 1 ? ` in ${seconds} s` : ''}.`);
      await delay(pauseMs, undefined, { signal: options.signal });
    }
  }
}

/** A model that writes more slowly than this counts as unresponsive. */
const SLOWEST_TOKENS_PER_SECOND = 20;

/**
 * One request; it ends when no data has arrived for the idle timeout. A reply in one piece sends nothing
 * while it is written, so the time for writing it is added.
 */
async function askOnce(
  client: ChatClient,
  request: ChatRequest,
  { signal, onText, timeoutSeconds }: AskOptions & { readonly timeoutSeconds: number },
): Promise<ChatReply> {
  const seconds = timeoutSeconds + (client.streams ? 0 : request.maxTokens / SLOWEST_TOKENS_PER_SECOND);
  const silence = new AbortController();
  const arm = (): NodeJS.Timeout => setTimeout(() => silence.abort(), Math.min(seconds * 1000, LONGEST_MS));
  let timer = arm();
  try {
    return await client.ask(request, {
      signal: AbortSignal.any([signal, silence.signal]),
      onText,
      onSign: () => {
        clearTimeout(timer);
        timer = arm();
      },
    });
  } catch (error) {
    if (signal.aborted || !silence.signal.aborted) throw error;
    const failure = client.streams ? 'sent nothing for' : 'did not respond within';
    const words = `The model ${failure} ${seconds} s, so the request was cancelled. To wait longer, set the idle timeout under AI in the Environment panel, or SVC_AI_TIMEOUT_SECONDS on the server.`;
    throw new ChatError(words, { kind: 'final' });
  } finally {
    clearTimeout(timer);
  }
}

/** The longest delay of Node's timers. */
const LONGEST_MS = 2 ** 31 - 1;
