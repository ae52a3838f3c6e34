/** Builds the messages that the assistant sends to a model for its chats and jobs. */

import { cellId as cellIdOf, isCellId } from '../../src-shared/notebook/ids.ts';
import type { ChatBody, ContextBody, ContextPreview } from '../../src-shared/wire/assistant.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { ConversationMessage, ToolSpec } from '../ai/conversation.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { CHARACTERS_PER_TOKEN, type ContextPart, contextOf, contextText } from './context.ts';
import type { Fence } from './fence.ts';
import { agentInstructions, chatInstructions } from './instructions.ts';

/** Maximum characters of the notebook that a job sends at first: 4,000 tokens. */
export const AGENT_CONTEXT_CHARACTERS = 4_000 * CHARACTERS_PER_TOKEN;

/** Messages to send, with the parts of the notebook that a user can preview. */
interface Outgoing {
  readonly messages: readonly ConversationMessage[];
  readonly parts: ContextPreview['parts'];
  readonly limit: number;
  readonly hidden: number;
}

type Turn = { readonly role: 'user' | 'assistant'; readonly content: string };

/**
 * Maximum characters of the notebook in a chat: a quarter of the token limit, at four characters per token.
 */
function chatLimit(notebook: AgentNotebook): number {
  return Math.floor(notebook.views.settings.ai().limits.maxContextTokens / 4) * CHARACTERS_PER_TOKEN;
}

/**
 * The messages of a chat (docs/spec/prompts-and-ai.md, 6): the instructions with the notebook, the history, and the
 * message, preceded by the source of its cell.
 * @throws AppError not_found for an unknown cell
 */
export function chatMessages(
  notebook: AgentNotebook,
  body: Pick<ChatBody, 'message' | 'cell_id' | 'history' | 'leave_out'>,
  fence: Fence,
): Outgoing {
  const limit = chatLimit(notebook);
  const parts = contextOf(notebook, { limit, leaveOut: new Set(body.leave_out) });
  const instructions = chatInstructions(fence);
  const hide = createHide(notebook);
  const history = body.history.map(({ role, content }) => ({ role, content: hide.text(content) }));
  const message = hide.text(body.message);
  const about = cellAbout(notebook, body.cell_id ?? null, { fence, hide });
  return {
    messages: [
      { role: 'system', text: `${instructions}\n\n${fence.wrap('the notebook', contextText(parts))}` },
      ...history.map(turnOf),
      { role: 'user', text: about + message },
    ],
    parts: [
      partOf('instructions', instructions),
      ...parts.map(shownPart),
      ...history.map(({ content }) => partOf('history', content)),
      partOf('message', about + message),
    ],
    limit,
    hidden: hide.count() + sum(parts.map(({ hidden }) => hidden)),
  };
}

/** The first messages of a job; the caller adds the notebook as the result of a first call. */
export function agentMessages(
  notebook: AgentNotebook,
  body: {
    readonly message: string;
    readonly history: readonly Turn[];
    readonly leave_out: readonly string[];
  },
  { fence, tools }: { readonly fence: Fence; readonly tools: readonly ToolSpec[] },
): Outgoing {
  const parts = contextOf(notebook, {
    limit: AGENT_CONTEXT_CHARACTERS,
    leaveOut: new Set(body.leave_out),
  });
  const instructions = agentInstructions(fence);
  const hide = createHide(notebook);
  const history = body.history.map(({ role, content }) => ({ role, content: hide.text(content) }));
  const message = hide.text(body.message);
  const call = { id: 'call_state', name: 'get_notebook_state', arguments: '{}' };
  return {
    messages: [
      { role: 'system', text: instructions },
      ...history.map(turnOf),
      { role: 'assistant', text: '', calls: [call] },
      {
        role: 'tool',
        callId: call.id,
        text: fence.wrap('the notebook', contextText(parts)),
        isError: false,
      },
      { role: 'user', text: message },
    ],
    parts: [
      partOf('instructions', instructions),
      partOf('tools', JSON.stringify(tools)),
      ...history.map(({ content }) => partOf('history', content)),
      ...parts.map(shownPart),
      partOf('message', message),
    ],
    limit: AGENT_CONTEXT_CHARACTERS,
    hidden: hide.count() + sum(parts.map(({ hidden }) => hidden)),
  };
}

/**
 * The parts of the notebook that such a request would send, for the preview in the window; nothing is sent.
 * @throws AppError not_found for an unknown cell
 */
export function previewContext(
  notebook: AgentNotebook,
  body: ContextBody,
  tools: { readonly fence: Fence; readonly tools: readonly ToolSpec[]; readonly history: readonly Turn[] },
): ContextPreview {
  const { parts, limit, hidden } =
    body.for === 'chat'
      ? chatMessages(notebook, body, tools.fence)
      : agentMessages(notebook, { ...body, history: tools.history }, tools);
  const { status, whyNot } = notebook.views.settings.ai();
  const isReady = whyNot === null;
  const characters = sum(parts.map((part) => part.characters));
  return {
    provider: isReady ? status.provider : null,
    model: isReady ? status.model : null,
    base_url: isReady ? status.base_url : null,
    hint: whyNot?.message ?? null,
    parts,
    characters,
    tokens: sum(parts.map((part) => part.tokens)),
    limit,
    hidden,
  };
}

interface Hide {
  text(text: string): string;
  count(): number;
}

function createHide(notebook: AgentNotebook): Hide {
  const redactor = notebook.views.notebook.redactor();
  let count = 0;
  return {
    text(written) {
      const redactedText = redactor.text(written);
      if (redactedText !== written) count += 1;
      return redactedText;
    },
    count: () => count,
  };
}

function cellAbout(
  notebook: AgentNotebook,
  id: string | null,
  { fence, hide }: { readonly fence: Fence; readonly hide: Hide },
): string {
  if (id === null) return '';
  const cell = isCellId(id) ? notebook.views.cells.one(cellIdOf(id)) : null;
  if (cell === null) throw new AppError('not_found', 'Cell not found');
  return `${fence.wrap(`the source of cell ${cell.id}, which this is about`, hide.text(cell.source))}\n\n`;
}

function turnOf({ role, content }: Turn): ConversationMessage {
  return role === 'user' ? { role, text: content } : { role, text: content, calls: [] };
}

function partOf(
  kind: ContextPreview['parts'][number]['kind'],
  text: string,
): ContextPreview['parts'][number] {
  return { kind, characters: text.length, tokens: tokensOf(text), cut: false, text };
}

function shownPart({ kind, cell, text, isCut }: ContextPart): ContextPreview['parts'][number] {
  const about = cell === null ? {} : { cell_id: cell.id, name: cell.annotations.name ?? null };
  return { ...partOf(kind, text), ...about, cut: isCut };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
