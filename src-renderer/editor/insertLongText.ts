import type { Monaco } from './loadMonaco.ts';

/** Longer than any input method puts together at once. */
const MAX_TYPED = 256;

/**
 * Text that arrives at once without being pasted (dictation, a text expander, an input method) is inserted as a whole:
 * the editor would type it key by key, each with its brackets and its events, and 40,000 of them block the page for
 * twenty seconds.
 */
export function insertLongText(monaco: Monaco): void {
  monaco.editor.registerCommand('type', (_services: unknown, typed: { readonly text?: unknown }) => {
    const editor = monaco.editor.getEditors().find((one) => one.hasTextFocus());
    if (editor === undefined) return;
    const isLong = typeof typed.text === 'string' && typed.text.length > MAX_TYPED;
    editor.trigger('keyboard', isLong ? 'paste' : 'type', typed);
  });
}
