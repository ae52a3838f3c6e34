/**
 * Suggestions at the caret of a cell: builds the request to the model, and extracts the text to insert from its reply.
 */

import { cellId as cellIdOf, isCellId } from '../../src-shared/notebook/ids.ts';
import type { SuggestBody } from '../../src-shared/wire/assistant.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import type { ConversationMessage } from '../ai/conversation.ts';
import { HIDDEN } from '../lib/redactor.ts';
import type { AgentNotebook } from './agentNotebook.ts';
import { CHARACTERS_PER_TOKEN, contextOf, contextText } from './context.ts';
import type { Fence } from './fence.ts';
import { headOf, hideText, tailOf } from './hide.ts';
import { suggestInstructions } from './instructions.ts';

/**
 * Maximum characters of other cells in a request: about 2,000 tokens, because every pause in typing sends
 * one.
 */
const CONTEXT_CHARACTERS = 2_000 * CHARACTERS_PER_TOKEN;
/** Maximum characters of the cell itself. */
const BEFORE_CHARACTERS = 6_000;
const AFTER_CHARACTERS = 2_000;
/** Maximum tokens of a reply. */
export const SUGGESTION_TOKENS = 256;
/** Maximum lines of a suggestion; more would push the cell out of view. */
const MAX_LINES = 10;

/**
 * The messages of a suggestion request: the instructions, the packages and other cells that are not left out,
 * and the text of the cell. Null: nothing may be sent, because the cell is left out or the caret is inside a
 * secret.
 * @throws AppError not_found for an unknown cell
 */
export function suggestMessages(
  { views }: Pick<AgentNotebook, 'views'>,
  { cell_id, before, after, leave_out }: SuggestBody,
  fence: Fence,
): readonly ConversationMessage[] | null {
  const cell = isCellId(cell_id) ? views.cells.one(cellIdOf(cell_id)) : null;
  if (cell === null) throw new AppError('not_found', 'Cell not found');
  if (leave_out.includes(cell.id)) return null;
  const redactor = views.notebook.redactor();
  const [head, rest] = [redactor.text(before), redactor.text(after)];
  // A value that is split by the caret is in neither part; a value that is being typed is not complete yet.
  const isDivided = redactor.text(before + after) !== head + rest;
  if (isDivided || hideText(before, redactor) !== head) return null;
  const parts = contextOf(
    { views },
    {
      limit: CONTEXT_CHARACTERS,
      leaveOut: new Set([...leave_out, cell.id]),
    },
  );
  return [
    {
      role: 'system',
      text: `${suggestInstructions(fence)}\n\n${fence.wrap('other cells of the notebook', contextText(parts))}`,
    },
    { role: 'user', text: question(cell, { head, rest, fence }) },
  ];
}

function question(
  { id, language }: Cell,
  { head, rest, fence }: { readonly head: string; readonly rest: string; readonly fence: Fence },
): string {
  return [
    fence.wrap(`${language} cell ${id}, up to the caret`, tailOf(head, BEFORE_CHARACTERS)),
    ...(rest.trim() === ''
      ? []
      : [fence.wrap('the same cell, after the caret', headOf(rest, AFTER_CHARACTERS))]),
    `Reply with the ${language} text to insert at the caret.`,
  ].join('\n\n');
}

/**
 * The text to insert, from the reply of a model: without a code fence, without text that is already at the
 * caret, and short. '' if nothing useful remains, or if a secret's marker would be inserted.
 */
export function suggestionIn(
  reply: { readonly text: string; readonly isCut: boolean },
  { before, after }: Pick<SuggestBody, 'before' | 'after'>,
): string {
  if (reply.text.includes(HIDDEN)) return '';
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [restOfLine = ''] = after.split('\n', 1);
  const fenced = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:\n\1[\s\S]*)?$/.exec(reply.text);
  let text = (fenced?.[2] ?? reply.text).replaceAll('\r\n', '\n');
  // Models tend to repeat the line that they continue.
  if (line.trim() !== '') {
    if (text.startsWith(line)) text = text.slice(line.length);
    else if (text.startsWith(line.trimStart())) text = text.slice(line.trimStart().length);
    if (line.endsWith(' ')) text = text.replace(/^ +/, '');
  } else if (line !== '' && text.startsWith(line)) text = text.slice(line.length);
  const lines = text.split('\n');
  // The last line of a truncated reply may end in the middle of a word.
  const whole = reply.isCut ? lines.slice(0, -1) : lines;
  text = whole.slice(0, MAX_LINES).join('\n').trimEnd();
  if (restOfLine.trim() !== '' && text.endsWith(restOfLine.trim())) {
    text = text.slice(0, text.length - restOfLine.trim().length);
  }
  return text.trim() === '' ? '' : text.toWellFormed();
}
