/**
 * The assistant's client for the OpenAI API and compatible servers: sends a conversation and reads the streamed reply.
 */

import type OpenAI from 'openai';
import { tryParseJson } from '../lib/tryParseJson.ts';
import { ChatError, type ChatOptions } from './chat.ts';
import { chatFailure, wrongProtocolError } from './chatFailure.ts';
import {
  type ConversationClient,
  type ConversationMessage,
  type ConversationReply,
  type ConversationRequest,
  MAX_CALLS,
} from './conversation.ts';
import { isPage, openOpenAi, type ProviderAccess } from './openaiChat.ts';

type Completions = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** A conversation over the API that OpenAI, Gemini, Mistral and most other servers support. */
export function createOpenAiConversation(reach: ProviderAccess): ConversationClient {
  let client: Promise<OpenAI> | null = null;
  return {
    async ask(request, options) {
      client ??= openOpenAi(reach);
      try {
        const response = await (await client).chat.completions
          .create(bodyOf(request, reach.baseUrl), { signal: options.signal })
          .asResponse();
        const chunks = await chunksOf(response, options);
        return await collect(chunks, { ...options, isPage: isPage(response), baseUrl: reach.baseUrl });
      } catch (error) {
        throw chatFailure(error, { baseUrl: reach.baseUrl, model: request.model });
      }
    },
  };
}

function bodyOf(request: ConversationRequest, baseUrl: string): Completions {
  const { model, maxTokens, tools, mayCall, streamUsage } = request;
  const isOpenAi = baseUrl.toLowerCase().includes('openai');
  return {
    model,
    messages: messagesOf(request.messages),
    ...(isOpenAi ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    ...(mayCall && tools.length > 0
      ? { tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })) }
      : {}),
    stream: true,
    ...(streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

/** The API does not accept images in tool results: they follow in a separate message. */
function messagesOf(
  messages: readonly ConversationMessage[],
): OpenAI.Chat.Completions.ChatCompletionMessageParam[] {
  return messages.flatMap((message, at) => {
    const own = messageOf(message);
    // Results of one turn stay together.
    if (message.role !== 'tool' || messages[at + 1]?.role === 'tool') return [own];
    const begin = messages.findLastIndex(({ role }, before) => before < at && role !== 'tool') + 1;
    const images = messages
      .slice(begin, at + 1)
      .flatMap((one) => (one.role === 'tool' ? (one.images ?? []) : []));
    if (images.length === 0) return [own];
    const parts = images.map(({ mimeType, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mimeType};base64,${data}` },
    }));
    return [own, { role: 'user' as const, content: [{ type: 'text' as const, text: FIGURES }, ...parts] }];
  });
}

const FIGURES = 'The figures of the results above, in their order. They are data of the notebook.';

function messageOf(message: ConversationMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      if (message.calls.length === 0) return { role: 'assistant', content: message.text };
      return {
        role: 'assistant',
        content: message.text === '' ? null : message.text,
        tool_calls: message.calls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function' as const,
          function: { name, arguments: text },
        })),
      };
    default:
      return { role: message.role, content: message.text };
  }
}

/** The chunks of a reply. A server that does not stream answers with one completion: that is one chunk. */
async function chunksOf(
  response: Response,
  { signal, onData }: Pick<ChatOptions, 'signal' | 'onData'>,
): Promise<AsyncIterable<Chunk>> {
  if (/^application\/json/i.test(response.headers.get('content-type') ?? '')) {
    const text = await response.text();
    onData();
    return wholeReply(tryParseJson(text));
  }
  const { Stream } = await import('openai/streaming');
  const ending = new AbortController();
  signal.addEventListener('abort', () => ending.abort(), { once: true });
  return Stream.fromSSEResponse<Chunk>(response, ending);
}

async function* wholeReply(body: unknown): AsyncGenerator<Chunk> {
  // It is validated like any other chunk: `choices` may be missing.
  const { choices, usage } = (body ?? {}) as Partial<OpenAI.Chat.Completions.ChatCompletion>;
  const first = choices?.[0];
  if (first?.message === undefined) return;
  const { content, refusal, tool_calls: calls = [] } = first.message;
  const delta = {
    content,
    refusal,
    tool_calls: calls.map((call, index) => ({ index, ...call })),
  };
  const choice = { index: 0, delta, finish_reason: first.finish_reason ?? 'stop' };
  yield { choices: [choice], usage } as unknown as Chunk; // the parts of a chunk that `collect` reads
}

/** A call whose pieces are still arriving. */
interface Growing {
  id: string;
  name: string;
  readonly pieces: string[];
}

async function collect(
  stream: AsyncIterable<Chunk>,
  at: ChatOptions & { readonly isPage: boolean; readonly baseUrl: string },
): Promise<ConversationReply> {
  const pieces: string[] = [];
  const refusal: string[] = [];
  const calls: Growing[] = [];
  const byIndex = new Map<number, Growing>();
  let finish: string | null = null;
  let usage: Chunk['usage'] = null;
  for await (const chunk of stream) {
    at.onData();
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    finish = choice.finish_reason ?? finish;
    if (choice.delta?.refusal) refusal.push(choice.delta.refusal);
    for (const piece of choice.delta?.tool_calls ?? []) addPiece(piece, { calls, byIndex });
    const text = choice.delta?.content;
    if (typeof text !== 'string' || text === '') continue;
    pieces.push(text);
    at.onText(text);
  }
  at.signal.throwIfAborted();
  if (refusal.length > 0) {
    throw new ChatError(`The model declined to answer: ${refusal.join('')}`, { kind: 'final' });
  }
  if (finish === null && pieces.length === 0 && at.isPage) throw wrongProtocolError(at.baseUrl);
  if (finish === null) {
    throw new ChatError('The connection to the provider was lost before the response was complete.', {
      kind: 'transient',
    });
  }
  if (finish === 'content_filter') {
    const words = 'The provider’s content filter stopped the response. Change the message.';
    throw new ChatError(words, { kind: 'final' });
  }
  return {
    text: pieces.join(''),
    calls: calls.map(({ id, name, pieces: parts }, place) => ({
      id: id === '' ? `call_${place + 1}` : id,
      name,
      arguments: parts.join(''),
    })),
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
    isCut: finish === 'length',
  };
}

type CallPiece = NonNullable<Chunk['choices'][number]['delta']['tool_calls']>[number];

/**
 * Adds a piece to its call. Some servers send index 0 for every call, or no index: a different id then starts
 * a new call.
 */
function addPiece(
  piece: CallPiece,
  { calls, byIndex }: { readonly calls: Growing[]; readonly byIndex: Map<number, Growing> },
): void {
  const index = piece.index ?? 0;
  const id = piece.id ?? '';
  let call = byIndex.get(index);
  if (call === undefined || (id !== '' && call.id !== '' && call.id !== id)) {
    if (calls.length >= MAX_CALLS) {
      throw new ChatError(`The model called more than ${MAX_CALLS} tools at once, so it was stopped.`, {
        kind: 'final',
      });
    }
    call = { id: '', name: '', pieces: [] };
    calls.push(call);
    byIndex.set(index, call);
  }
  if (id !== '') call.id = id;
  // Some servers repeat the name with each piece.
  if (piece.function?.name && call.name !== piece.function.name) call.name += piece.function.name;
  if (piece.function?.arguments) call.pieces.push(piece.function.arguments);
}
