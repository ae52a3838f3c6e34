/**
 * Makes the Monaco editor insert long text from an input method or dictation at once instead of character by character.
 */

import type { Monaco } from './monaco.ts';

/** Longer than any text that an input method composes at once, in UTF-16 units. */
const MAX_TYPED = 256;

/**
 * Long text that arrives in one piece without being pasted (dictation, a text expander, an input method) is inserted as
 * a paste: Monaco would type it character by character, with bracket handling and events for each, and 40,000
 * characters would block the page for twenty seconds.
 */
export function insertLongText(monaco: Monaco): void {
  monaco.editor.registerCommand('type', (_services: unknown, typed: { readonly text?: unknown }) => {
    const editor = monaco.editor.getEditors().find((one) => one.hasTextFocus());
    if (editor === undefined) return;
    const isLong = typeof typed.text === 'string' && typed.text.length > MAX_TYPED;
    editor.trigger('keyboard', isLong ? 'paste' : 'type', typed);
  });
}
