/** The assistant's client for Anthropic's API: sends a conversation with tools and reads the streamed reply. */

import type Anthropic from '@anthropic-ai/sdk';
import { openAnthropic } from './anthropicChat.ts';
import { ChatError, type ChatOptions } from './chat.ts';
import { chatFailure } from './chatFailure.ts';
import {
  type ConversationClient,
  type ConversationMessage,
  type ConversationReply,
  type ConversationRequest,
  MAX_CALLS,
} from './conversation.ts';
import type { ProviderAccess } from './openaiChat.ts';

type Body = Anthropic.Messages.MessageCreateParamsStreaming;
type Message = Anthropic.Messages.MessageParam;
type Block = Anthropic.Messages.ContentBlockParam;

/** A conversation over Anthropic's own API. */
export function createAnthropicConversation(reach: ProviderAccess): ConversationClient {
  let client: Promise<Anthropic> | null = null;
  return {
    async ask(request, options) {
      client ??= openAnthropic(reach);
      try {
        const stream = await (await client).messages.create(bodyOf(request), { signal: options.signal });
        return await collect(stream, options);
      } catch (error) {
        throw chatFailure(error, { baseUrl: reach.baseUrl, model: request.model });
      }
    },
  };
}

function bodyOf({ model, messages, maxTokens, tools, mayCall }: ConversationRequest): Body {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  return {
    model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    messages: turnsOf(messages),
    ...(tools.length === 0
      ? {}
      : {
          // The API requires the tools while the conversation has calls of them.
          tools: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            input_schema: { ...parameters, type: 'object' as const },
          })),
          tool_choice: { type: mayCall ? ('auto' as const) : ('none' as const) },
        }),
    stream: true,
  };
}

/** The turns in the API's form: roles alternate, and tool results are part of the user's turn. */
function turnsOf(messages: readonly ConversationMessage[]): Message[] {
  const turns: { readonly role: 'user' | 'assistant'; readonly content: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? ('assistant' as const) : ('user' as const);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocksOf(message));
    else turns.push({ role, content: blocksOf(message) });
  }
  const written = turns.filter(({ content }) => content.length > 0);
  // The API requires a user's turn first.
  return written[0]?.role === 'assistant'
    ? [{ role: 'user', content: [{ type: 'text', text: 'Begin.' }] }, ...written]
    : written;
}

function blocksOf(message: ConversationMessage): Block[] {
  // The API refuses empty text.
  const text: Block[] = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
  switch (message.role) {
    case 'assistant':
      return [
        ...text,
        ...message.calls.map(({ id, name, arguments: input }) => ({
          type: 'tool_use' as const,
          id,
          name,
          input: inputOf(input),
        })),
      ];
    case 'tool': {
      const { callId, isError, images = [] } = message;
      const imageBlocks = images.map(({ mimeType, data }) => ({
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: mimeType, data },
      }));
      const content =
        imageBlocks.length === 0
          ? message.text
          : [{ type: 'text' as const, text: message.text }, ...imageBlocks];
      const result = { type: 'tool_result' as const, tool_use_id: callId, content };
      return [isError ? { ...result, is_error: true } : result];
    }
    default:
      return text;
  }
}

/** The API requires an object; an invalid call was answered with an error. */
function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

async function collect(
  stream: AsyncIterable<Anthropic.Messages.RawMessageStreamEvent>,
  { onText, onData, signal }: ChatOptions,
): Promise<ConversationReply> {
  const pieces: string[] = [];
  const calls = new Map<number, { readonly id: string; readonly name: string; readonly pieces: string[] }>();
  let input: number | null = null;
  let output: number | null = null;
  let stop: string | null = null;
  const say = (text: string): void => {
    if (text === '') return;
    pieces.push(text);
    onText(text);
  };
  for await (const event of stream) {
    onData();
    switch (event.type) {
      case 'message_start': {
        const { usage } = event.message;
        input =
          (usage?.input_tokens ?? 0) +
          (usage?.cache_read_input_tokens ?? 0) +
          (usage?.cache_creation_input_tokens ?? 0);
        break;
      }
      case 'content_block_start': {
        const block = event.content_block;
        if (block.type === 'text') say(block.text);
        if (block.type !== 'tool_use') break;
        if (calls.size >= MAX_CALLS) {
          throw new ChatError(`The model called more than ${MAX_CALLS} tools at once, so it was stopped.`, {
            kind: 'final',
          });
        }
        calls.set(event.index, { id: block.id, name: block.name, pieces: [] });
        break;
      }
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') say(event.delta.text);
        if (event.delta.type === 'input_json_delta') {
          calls.get(event.index)?.pieces.push(event.delta.partial_json);
        }
        break;
      case 'message_delta':
        stop = event.delta.stop_reason ?? stop;
        output = event.usage?.output_tokens ?? output;
        break;
      default:
        break;
    }
  }
  signal.throwIfAborted();
  if (stop === null) {
    throw new ChatError('The connection to the provider was lost before the response was complete.', {
      kind: 'transient',
    });
  }
  if (stop === 'refusal') {
    throw new ChatError('The model declined to answer. Change the message.', { kind: 'final' });
  }
  return {
    text: pieces.join(''),
    calls: [...calls.values()].map(({ id, name, pieces: parts }) => ({
      id,
      name,
      arguments: parts.join(''),
    })),
    inputTokens: input,
    outputTokens: output,
    isCut: stop === 'max_tokens' || stop === 'model_context_window_exceeded',
  };
}
