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

/** What of a request is asked again and again in one conversation. */
export type Question = Omit<ChatRequest, 'features'> & {
  /** The person chose the temperature: a model that has no such setting refuses instead of losing it. */
  readonly temperatureIsChosen: boolean;
};

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** The provider cannot do something, or is busy: said beside the answer. */
  readonly onNotice: (text: string) => void;
  /** What has come of the answer does not count: it begins again. */
  readonly onRestart: (why: string) => void;
}

/** One model, asked as often as a conversation takes; what it refuses once is not asked for again. */
export interface Model {
  /** @throws ChatError; rejects with the signal's reason where it was cancelled */
  ask(question: Question, options: AskOptions): Promise<ChatReply>;
}

const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 500;

export function openModel(settings: AiSettings, answer: Question['answer']): Model {
  const native = settings.provider === 'anthropic' && answer.kind === 'json' && answer.schema !== null;
  const client = native ? createAnthropicChat(settings) : createOpenAiChat(settings);
  const told: ToldFeatures = { structured: true, streamUsage: true, temperature: true };
  return {
    ask: async (question, options) => {
      for (;;) {
        try {
          const turns = native ? question.turns : withSchemaTurn(question, told.structured, settings.baseUrl);
          const request = { ...question, turns, features: { ...told } };
          return await askPatiently(client, request, { ...options, timeoutSeconds: settings.timeoutSeconds });
        } catch (error) {
          const notice = error instanceof ChatError ? leaveOut(error, told, question) : null;
          if (notice === null) throw error;
          options.onNotice(notice);
        }
      }
    },
  };
}

type ToldFeatures = { -readonly [K in keyof ChatFeatures]: boolean };

/** What the server named and can do without; null where that is nothing. Each is left out once. */
function leaveOut(error: ChatError, told: ToldFeatures, question: Question): string | null {
  if (error.kind !== 'refused') return null;
  const { said } = error;
  if (
    told.structured &&
    question.answer.kind === 'json' &&
    /response_format|json_schema|json_object/.test(said)
  ) {
    told.structured = false;
    return 'The provider does not support a response format, so the prompt describes the schema instead.';
  }
  if (told.streamUsage && said.includes('stream_options')) {
    told.streamUsage = false;
    return 'The provider does not count the tokens of streamed responses.';
  }
  if (told.temperature && !question.temperatureIsChosen && said.includes('temperature')) {
    told.temperature = false;
    return 'The model does not support a temperature setting and uses its default.';
  }
  return null;
}

/** Where the API does not carry the schema, words do. */
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
  // One system turn where it can be: many chat templates of local models know no second one.
  return structured
    ? [{ role: 'system', text: `${first.text}\n\n${turn.text}` }, ...rest]
    : [first, turn, ...rest];
}

function schemaWords({ schema }: JsonAnswer): string {
  const alone = 'Answer with one JSON value and nothing else';
  return schema === null ? `${alone}.` : `${alone}; it must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** One answer: a server that is busy or breaks off is asked again, as often and as late as it makes sense. */
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

/** A model that writes slower than this is taken for one that does not answer. */
const SLOWEST_TOKENS_PER_SECOND = 20;

/**
 * One request; it ends when nothing has come for as long as the settings allow. Of an answer in one piece nothing
 * comes while it is written: it has the time that writing takes on top.
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
    const said = client.streams ? 'sent nothing for' : 'did not respond within';
    const words = `The model ${said} ${seconds} s, so the request was cancelled. To wait longer, set the idle timeout under AI in the Environment panel, or SVC_AI_TIMEOUT_SECONDS on the server.`;
    throw new ChatError(words, { kind: 'final' });
  } finally {
    clearTimeout(timer);
  }
}

/** What Node's timers can hold. */
const LONGEST_MS = 2 ** 31 - 1;
