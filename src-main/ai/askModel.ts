/** Asks a model on behalf of a prompt cell: retries failed requests, and omits features that the provider refused. */

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
import { askWithRetries, type RetryOptions } from './retries.ts';

/** The part of a request that is the same throughout a conversation. */
export type Question = Omit<ChatRequest, 'features'> & {
  /**
   * The user set the temperature: a model that does not support it refuses the request instead of ignoring
   * it.
   */
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

export function openModel(settings: AiSettings, answer: Question['answer']): Model {
  const native = settings.provider === 'anthropic' && answer.kind === 'json' && answer.schema !== null;
  const client = native ? createAnthropicChat(settings) : createOpenAiChat(settings);
  const features: MutableFeatures = { structured: true, streamUsage: true, temperature: true };
  return {
    ask: async (question, options) => {
      for (;;) {
        try {
          const turns = native
            ? question.turns
            : withSchemaTurn(question, features.structured, settings.baseUrl);
          const request = { ...question, turns, features: { ...features } };
          const patience = patienceFor(client, request, {
            ...options,
            timeoutSeconds: settings.timeoutSeconds,
          });
          return await askWithRetries((one) => client.ask(request, one), patience);
        } catch (error) {
          const notice = error instanceof ChatError ? leaveOut(error, features, question) : null;
          if (notice === null) throw error;
          options.onNotice(notice);
        }
      }
    },
  };
}

type MutableFeatures = { -readonly [K in keyof ChatFeatures]: boolean };

/**
 * The feature that the server refused and that can be omitted; null if there is none. Each is omitted once.
 */
function leaveOut(error: ChatError, features: MutableFeatures, question: Question): string | null {
  if (error.kind !== 'refused') return null;
  const { serverMessage } = error;
  if (
    features.structured &&
    question.answer.kind === 'json' &&
    /response_format|json_schema|json_object/.test(serverMessage)
  ) {
    features.structured = false;
    return 'The provider does not support a response format, so the prompt describes the schema instead.';
  }
  if (features.streamUsage && serverMessage.includes('stream_options')) {
    features.streamUsage = false;
    return 'The provider does not count the tokens of streamed responses.';
  }
  if (features.temperature && !question.temperatureIsChosen && serverMessage.includes('temperature')) {
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

/** A model that writes more slowly than this counts as unresponsive. */
const SLOWEST_TOKENS_PER_SECOND = 20;

/** A reply in one piece sends nothing while it is written, so the time for writing it is added. */
function patienceFor(
  client: ChatClient,
  { maxTokens }: Pick<ChatRequest, 'maxTokens'>,
  { timeoutSeconds, ...options }: AskOptions & { readonly timeoutSeconds: number },
): RetryOptions {
  const writing = client.streams ? 0 : maxTokens / SLOWEST_TOKENS_PER_SECOND;
  return {
    ...options,
    streams: client.streams,
    idleSeconds: timeoutSeconds + writing,
    longestPauseSeconds: timeoutSeconds,
    again: 'run the cell again',
  };
}
