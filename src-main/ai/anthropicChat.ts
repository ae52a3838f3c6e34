/** The client that prompt cells use for Anthropic's API: sends one request and returns the complete reply. */

import type Anthropic from '@anthropic-ai/sdk';
import { boundedFetch } from './boundedFetch.ts';
import { type ChatClient, ChatError, type ChatReply, type ChatRequest } from './chat.ts';
import { chatFailure } from './chatFailure.ts';
import type { ProviderAccess } from './openaiChat.ts';

type Body = Anthropic.Messages.MessageCreateParamsNonStreaming;

/** Disables the client's own limit for long replies in one piece: the timeout is set in askModel. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const TOOL = 'answer';
/** A tool's input is an object: any other reply is sent under this name. */
const WRAPPED = 'value';

/**
 * Sends requests over Anthropic's own API: the reply is the input of one tool the model must call, in one
 * piece.
 */
export function createAnthropicChat(reach: ProviderAccess): ChatClient {
  let client: Promise<Anthropic> | null = null;
  return {
    streams: false,
    async ask(request, { signal, onText }) {
      client ??= openAnthropic(reach);
      try {
        const message = await (await client).messages.create(bodyOf(request), {
          signal,
          timeout: NO_TIMEOUT_MS,
        });
        const reply = replyOf(message, isWrapped(request));
        onText(reply.text);
        return reply;
      } catch (error) {
        throw chatFailure(error, { baseUrl: reach.baseUrl, model: request.model });
      }
    },
  };
}

/** A client for this base URL; it reads nothing from the server's own environment. */
export async function openAnthropic({ apiKey, baseUrl }: ProviderAccess): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    apiKey,
    // Not the token of the server's environment.
    authToken: null,
    // The client adds /v1.
    baseURL: baseUrl.replace(/\/v1$/, ''),
    maxRetries: 0,
    logLevel: 'off',
    fetch: boundedFetch({ 'x-api-key': apiKey }),
  });
}

function isWrapped({ answer }: ChatRequest): boolean {
  return answer.kind === 'json' && answer.schema?.['type'] !== 'object';
}

function bodyOf(request: ChatRequest): Body {
  const system = request.turns.filter(({ role }) => role === 'system').map(({ text }) => text);
  const schema = (request.answer.kind === 'json' ? request.answer.schema : null) ?? {};
  const input = isWrapped(request)
    ? { type: 'object' as const, properties: { [WRAPPED]: schema }, required: [WRAPPED] }
    : { ...schema, type: 'object' as const };
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    ...(request.features.temperature ? { temperature: request.temperature } : {}),
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    messages: request.turns.flatMap(({ role, text }) => (role === 'system' ? [] : [{ role, content: text }])),
    tools: [{ name: TOOL, description: 'Gives the answer.', input_schema: input }],
    tool_choice: { type: 'tool', name: TOOL },
  };
}

function replyOf(message: Anthropic.Messages.Message, wrapped: boolean): ChatReply {
  if (message.stop_reason === 'refusal') {
    throw new ChatError('The model declined to answer. Change the prompt.', { kind: 'final' });
  }
  const used = message.content?.find((block) => block.type === 'tool_use');
  const texts = message.content?.flatMap((block) => (block.type === 'text' ? [block.text] : [])) ?? [];
  const input: unknown = used?.input;
  const value =
    wrapped && typeof input === 'object' && input !== null && WRAPPED in input ? input[WRAPPED] : input;
  return {
    // Without the tool call the reply may be in the text; it is validated like any other.
    text: used === undefined ? texts.join('') : JSON.stringify(value ?? null),
    inputTokens: message.usage?.input_tokens ?? null,
    outputTokens: message.usage?.output_tokens ?? null,
    isCut: message.stop_reason === 'max_tokens',
  };
}
