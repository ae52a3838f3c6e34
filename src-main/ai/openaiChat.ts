/** The client that prompt cells use for the OpenAI API and for servers that are compatible with it. */

import type OpenAI from 'openai';
import { boundedFetch } from './boundedFetch.ts';
import { type ChatClient, ChatError, type ChatReply, type ChatRequest } from './chat.ts';
import { chatFailure, wrongProtocolError } from './chatFailure.ts';
import { closedSchema, isStrict } from './schemaForms.ts';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** The key and the base URL that a client of a provider needs. */
export interface ProviderAccess {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/**
 * Sends requests over the API that OpenAI, Gemini, Mistral and most other servers support; replies stream.
 */
export function createOpenAiChat(reach: ProviderAccess): ChatClient {
  let client: Promise<OpenAI> | null = null;
  return {
    streams: true,
    async ask(request, { signal, onText, onData }) {
      client ??= openOpenAi(reach);
      try {
        const { data: stream, response } = await (await client).chat.completions
          .create(bodyOf(request, reach.baseUrl), { signal })
          .withResponse();
        return await collect(stream, {
          onText,
          onData,
          signal,
          isPage: isPage(response),
          baseUrl: reach.baseUrl,
        });
      } catch (error) {
        throw chatFailure(error, { baseUrl: reach.baseUrl, model: request.model });
      }
    },
  };
}

/** The names of the models a provider offers, sorted. @throws ChatError */
export async function listOpenAiModels(
  reach: ProviderAccess,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const client = await openOpenAi(reach);
    const names: string[] = [];
    for await (const { id } of client.models.list({ signal })) {
      names.push(id);
      if (names.length >= MAX_MODELS) break;
    }
    return names.sort();
  } catch (error) {
    throw chatFailure(error, { baseUrl: reach.baseUrl, model: '' });
  }
}

const MAX_MODELS = 2_000;

/** A client for this base URL; it reads nothing from the server's own environment. */
export async function openOpenAi({ apiKey, baseUrl }: ProviderAccess): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey,
    baseURL: baseUrl,
    // Values of the server's own environment must not be sent for a notebook.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    // askModel waits and retries, because it reports that to the user.
    maxRetries: 0,
    logLevel: 'off',
    fetch: boundedFetch({ authorization: `Bearer ${apiKey}` }),
  });
}

function bodyOf(request: ChatRequest, baseUrl: string): Body {
  const { model, temperature, maxTokens, features, answer } = request;
  const isOpenAi = baseUrl.toLowerCase().includes('openai');
  return {
    model,
    messages: request.turns.map(({ role, text }) => ({ role, content: text })),
    ...(features.temperature ? { temperature } : {}),
    // Other servers only know the older name (docs/spec/prompts-and-ai.md, 5).
    ...(isOpenAi ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    ...(answer.kind === 'json' && features.structured ? formatOf(answer.schema, isOpenAi) : {}),
    stream: true,
    ...(features.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

function formatOf(
  schema: Readonly<Record<string, unknown>> | null,
  isOpenAi: boolean,
): Pick<Body, 'response_format'> {
  if (schema === null || !isOpenAi) return { response_format: { type: 'json_object' } };
  const strict = isStrict(schema);
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: closedSchema(schema), strict },
    },
  };
}

/** Whether the response is an HTML page: a login, an error of a proxy, a wrong URL. */
export function isPage(response: Response): boolean {
  return /^(text\/html|application\/(json|xhtml))/.test(response.headers.get('content-type') ?? '');
}

async function collect(
  stream: AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>,
  {
    onText,
    onData,
    signal,
    isPage,
    baseUrl,
  }: {
    readonly onText: (text: string) => void;
    readonly onData: () => void;
    readonly signal: AbortSignal;
    readonly isPage: boolean;
    readonly baseUrl: string;
  },
): Promise<ChatReply> {
  const pieces: string[] = [];
  const refusal: string[] = [];
  let finish: string | null = null;
  let usage: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null = null;
  for await (const chunk of stream) {
    onData();
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    finish = choice.finish_reason ?? finish;
    if (choice.delta?.refusal) refusal.push(choice.delta.refusal);
    const text = choice.delta?.content;
    if (typeof text !== 'string' || text === '') continue;
    pieces.push(text);
    onText(text);
  }
  signal.throwIfAborted();
  const text = pieces.join('');
  if (refusal.length > 0) {
    throw new ChatError(`The model declined to answer: ${refusal.join('')}`, { kind: 'final' });
  }
  if (finish === null && pieces.length === 0 && isPage) throw wrongProtocolError(baseUrl);
  if (finish === null) {
    throw new ChatError('The connection to the provider was lost before the response was complete.', {
      kind: 'transient',
    });
  }
  if (finish === 'content_filter') {
    throw new ChatError('The provider’s content filter stopped the response. Change the prompt.', {
      kind: 'final',
    });
  }
  return {
    text,
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
    isCut: finish === 'length',
  };
}
