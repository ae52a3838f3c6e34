/**
 * Splits an answer of the assistant into parts to render: Markdown and code blocks. Parts before the last one never
 * change while more text arrives, so only the last part is rendered again.
 */

import type { Language } from '../../../src-shared/wire/cell.ts';

export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `isOpen`: its end has not arrived yet. */
  | { readonly kind: 'code'; readonly info: string; readonly text: string; readonly isOpen: boolean };

/** A Markdown part longer than this ends at the next empty line. */
const LONG = 2_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;

export function answerParts(answer: string): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  let text: string[] = [];
  let length = 0;
  let code: { readonly fence: string; readonly info: string; readonly lines: string[] } | null = null;
  const endText = (): void => {
    const joined = text.join('\n');
    if (joined.trim() !== '') parts.push({ kind: 'text', text: joined });
    text = [];
    length = 0;
  };
  const lines = answer.split('\n');
  for (const [at, line] of lines.entries()) {
    const [, fence, info = ''] = FENCE.exec(line) ?? [];
    if (code !== null) {
      const { fence: opening } = code;
      const isEnd =
        fence !== undefined &&
        info.trim() === '' &&
        fence.startsWith(opening.charAt(0)) &&
        fence.length >= opening.length;
      if (isEnd) {
        parts.push({ kind: 'code', info: code.info, text: code.lines.join('\n'), isOpen: false });
        code = null;
      } else code.lines.push(line);
    } else if (fence !== undefined) {
      endText();
      code = { fence, info: info.trim(), lines: [] };
    } else {
      // A list item or an indented line continues what is before it.
      if (line === '' && length >= LONG && /^[^\s\-*+\d>|]/.test(lines[at + 1] ?? '')) endText();
      else {
        text.push(line);
        length += line.length + 1;
      }
    }
  }
  if (code !== null) parts.push({ kind: 'code', info: code.info, text: code.lines.join('\n'), isOpen: true });
  else endText();
  return parts;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  '': 'python',
  python: 'python',
  py: 'python',
  python3: 'python',
  sql: 'sql',
  duckdb: 'sql',
  postgresql: 'sql',
  sqlite: 'sql',
  r: 'r',
  markdown: 'markdown',
  md: 'markdown',
};

/** The cell language of a code block; null if no cell has it, as for a terminal command. */
export function cellLanguageOf(info: string): Language | null {
  const name = info.split(/[\s,{]/)[0]?.toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] ?? null) : null;
}
