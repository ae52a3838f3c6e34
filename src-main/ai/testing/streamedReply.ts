/** The bytes that providers stream for a reply with tool calls, in the shape of each API. */

import type { ConversationReply } from '../conversation.ts';

export type Api = 'openai' | 'anthropic';

export interface StreamedReply {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** The API's finish reason; by default the one that matches the calls. */
  readonly finish?: string | null;
}

export const STREAMED_TOKENS = { input: 12, output: 34 };

/** The reply that a client must read from these bytes. */
export function replyOf({ text, calls }: StreamedReply): ConversationReply {
  const { input: inputTokens, output: outputTokens } = STREAMED_TOKENS;
  return { text, calls: calls.map((call) => ({ ...call })), inputTokens, outputTokens, isCut: false };
}

export function streamedBytes(api: Api, reply: StreamedReply): string {
  return api === 'openai' ? openAiBytes(reply) : anthropicBytes(reply);
}

/** Halves, so that arguments arrive in pieces that are not valid JSON. */
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}

function openAiBytes({ text, calls, finish }: StreamedReply): string {
  const chunk = (part: object): string => `data: ${JSON.stringify(part)}\n\n`;
  const delta = (part: object): string =>
    chunk({ choices: [{ index: 0, delta: part, finish_reason: null }] });
  const pieces = [
    delta({ role: 'assistant', content: '' }),
    ...halves(text).map((content) => delta({ content })),
  ];
  for (const [index, { id, name, arguments: args }] of calls.entries()) {
    pieces.push(delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    for (const half of halves(args))
      pieces.push(delta({ tool_calls: [{ index, function: { arguments: half } }] }));
  }
  const reason = finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish;
  if (reason !== null) pieces.push(chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }));
  const { input, output } = STREAMED_TOKENS;
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return `${pieces.join('')}${chunk({ choices: [], usage })}data: [DONE]\n\n`;
}

function anthropicBytes({ text, calls, finish }: StreamedReply): string {
  const event = (type: string, part: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...part })}\n\n`;
  const block = (index: number, content_block: object, deltas: readonly object[]): string =>
    [
      event('content_block_start', { index, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ].join('');
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: STREAMED_TOKENS.input, output_tokens: 1 },
  };
  const texts = halves(text).map((part) => ({ type: 'text_delta', text: part }));
  const blocks = text === '' ? [] : [block(0, { type: 'text', text: '' }, texts)];
  for (const [at, { id, name, arguments: args }] of calls.entries()) {
    const deltas = halves(args).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    blocks.push(block(at + 1, { type: 'tool_use', id, name, input: {} }, deltas));
  }
  const reason = finish === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : finish;
  return [
    event('message_start', { message }),
    event('ping', {}),
    ...blocks,
    ...(reason === null
      ? []
      : [
          event('message_delta', {
            delta: { stop_reason: reason, stop_sequence: null },
            usage: { output_tokens: STREAMED_TOKENS.output },
          }),
          event('message_stop', {}),
        ]),
  ].join('');
}
