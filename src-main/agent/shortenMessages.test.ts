import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '../ai/conversation.ts';
import { shortenMessages } from './shortenMessages.ts';

const reply: ConversationMessage = {
  role: 'assistant',
  text: '',
  calls: [{ id: 'c', name: 't', arguments: '{}' }],
};
const result = (text: string): ConversationMessage => ({ role: 'tool', callId: 'c', text, isError: false });

describe('[AG-3] a conversation that grows too long', () => {
  const old = [
    { role: 'user', text: 'Go' } as const,
    reply,
    result('a'.repeat(500)),
    reply,
    result('b'.repeat(500)),
  ];

  it('is unchanged below the limit', () => {
    expect(shortenMessages(old, 2_000)).toBe(old);
  });

  it('loses the oldest results first, never the newest, and keeps calls and results paired', () => {
    const short = shortenMessages(old, 700);
    expect(short.map(({ role }) => role)).toEqual(old.map(({ role }) => role));
    expect(short.map(({ text }) => text.slice(0, 6))).toEqual(['Go', '', '(This ', '', 'bbbbbb']);
    expect(shortenMessages(old, 1).at(-1)).toEqual(old.at(-1));
  });
});
