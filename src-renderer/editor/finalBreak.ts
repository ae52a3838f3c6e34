/**
 * The line break that ends a text file is part of the file but does not begin another line: a cell shows no empty line
 * for it, and it is added again when the typed text is stored.
 */
import { caretBelowDirectives } from './caret.ts';
import type { ShownText } from './shownText.ts';

const FINAL_BREAK = /\r?\n$/;

/** A text without the line break at its very end; of several line breaks, the others stay. */
export function withoutFinalBreak(text: string): string {
  return text.replace(FINAL_BREAK, '');
}

/** The text of a cell while its editor is open. */
export interface EditedText {
  /** The text without the final line break that was hidden when the editor opened. */
  readonly shown: ShownText;
  /** The text to store for a typed text. */
  readonly stored: (typed: string) => string;
}

/**
 * The text that an editor shows. The final line break is decided when the editor opens: one that is typed later is
 * shown, and one that the text loses meanwhile, by undo or by another program, is not added again.
 * @param isWhole whether the editor has the whole text already, with its undo steps: then all of it is shown
 */
export function editedText(text: ShownText, isWhole = false): EditedText {
  // In a text of directives only, the caret begins on the line below them, so that line must be shown.
  const isAll = isWhole || caretBelowDirectives(text.now()) !== null;
  let hidden = isAll ? '' : (FINAL_BREAK.exec(text.now())?.[0] ?? '');
  const shownNow = (): string => {
    const now = text.now();
    if (hidden !== '') hidden = FINAL_BREAK.exec(now)?.[0] ?? '';
    return now.slice(0, now.length - hidden.length);
  };
  return { shown: { now: shownNow, watch: text.watch }, stored: (typed) => typed + hidden };
}
