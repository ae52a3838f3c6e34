/**
 * An answer as parts to show: Markdown, and blocks of code. What was written before the last part never changes
 * while more text arrives, so that only the last part is drawn again.
 */
import type { Language } from '../../../src-shared/wire/cell.ts';

export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `isOpen`: its end has not arrived. */
  | { readonly kind: 'code'; readonly info: string; readonly text: string; readonly isOpen: boolean };

/** A part of Markdown is ended at the next empty line once it is this long. */
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
      // A list or an indented line goes on with what is before it.
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
  ...{ '': 'python', python: 'python', py: 'python', python3: 'python' },
  ...{ sql: 'sql', duckdb: 'sql', postgresql: 'sql', sqlite: 'sql' },
  r: 'r',
  ...{ markdown: 'markdown', md: 'markdown' },
};

/** The language of a cell for a block of code; null: no cell holds it, such as a command for a terminal. */
export function cellLanguageOf(info: string): Language | null {
  const name = info.split(/[\s,{]/)[0]?.toLowerCase() ?? '';
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] ?? null) : null;
}
