/** Shortens a conversation with a model, so that a job's next request stays within the model's limit. */

import type { ConversationMessage } from '../ai/conversation.ts';

const LEFT_OUT = '(This result was left out because the conversation became too long.)';

/**
 * The conversation within a limit of characters: the oldest tool results are omitted first. Calls and results
 * stay paired, as providers require.
 */
export function shortenMessages(
  messages: readonly ConversationMessage[],
  limit: number,
): readonly ConversationMessage[] {
  let length = messages.reduce((sum, message) => sum + lengthOf(message), 0);
  if (length <= limit) return messages;
  // The newest results answer the model's latest calls.
  const lastTurn = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.map((message, at) => {
    if (length <= limit || message.role !== 'tool' || at > lastTurn) return message;
    if (message.text.length <= LEFT_OUT.length) return message;
    length -= message.text.length - LEFT_OUT.length;
    return { ...message, text: LEFT_OUT };
  });
}

function lengthOf(message: ConversationMessage): number {
  const calls = message.role === 'assistant' ? message.calls : [];
  return message.text.length + calls.reduce((sum, call) => sum + call.arguments.length, 0);
}
